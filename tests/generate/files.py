#!/usr/bin/env python3
"""Writes tests/data/npz/ and tests/data/text/ by NumPy: archives whose arrays files_test.cpp computes again, and texts beside the
arrays (.npy) that numpy.loadtxt makes of them or that numpy.savetxt made them of."""
import io
import os
import zipfile

import numpy as np

data = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
npz, text = os.path.join(data, "npz"), os.path.join(data, "text")
os.makedirs(npz, exist_ok=True)
os.makedirs(text, exist_ok=True)

x = np.arange(12.0).reshape(3, 4) - 2.5
n = np.arange(-3, 4, dtype=np.int16)
z = (np.arange(5) - 1j * np.arange(5)).astype(np.complex64)
turned = np.asfortranarray(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
np.savez(os.path.join(npz, "stored.npz"), x=x, n=n, z=z, turned=turned, big=x.astype(">f8"))
np.savez_compressed(os.path.join(npz, "deflated.npz"), x=x, n=n, long=np.tile(np.arange(256, dtype=np.uint8), 100))
np.savez(os.path.join(npz, "numbered.npz"), x, n)
np.savez(os.path.join(npz, "none.npz"))


def npy(array):
    out = io.BytesIO()
    np.lib.format.write_array(out, array)
    return out.getvalue()


# Sizes and offsets in ZIP64 records although they are small.
limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 10
with zipfile.ZipFile(os.path.join(npz, "zip64.npz"), "w") as archive:
    archive.writestr("x.npy", npy(x))
    archive.writestr("n.npy", npy(n))
zipfile.ZIP64_LIMIT = limit
with zipfile.ZipFile(os.path.join(npz, "odd.npz"), "w") as archive:
    archive.writestr("folder/x.npy", npy(x))
    archive.writestr("größe.npy", npy(n))
    archive.writestr("notes.txt", "no array")
    archive.comment = b"a comment behind the directory"
with zipfile.ZipFile(os.path.join(npz, "bzip2.npz"), "w", zipfile.ZIP_BZIP2) as archive:
    archive.writestr("x.npy", npy(x))


def table(name, content, **options):
    with open(os.path.join(text, name + ".txt"), "w", newline="") as f:
        f.write(content)
    np.save(os.path.join(text, name + ".npy"), np.loadtxt(os.path.join(text, name + ".txt"), **options))


table("plain", "# a comment\n1 2.5 -3e2\n\n  4\t5   6.0e-3 # more\n+7 .5 5.\n")
table("limits", "nan inf -inf Infinity 1e400 -1e-400 1.7976931348623157e308 5e-324\n")
table("commas", "a,b,c\n1, 2 ,3\n4,5,6\n", delimiter=",", skiprows=1)
table("columns", "1 2 3\n4 5\n7 8 9 10\n", usecols=(1, 0))
table("columns_from_end", "1 2 3\n4 5 6\n", usecols=(-1, 0, -2))
table("one_axis", "42\n", ndmin=1)
table("unpacked", "1 2 3\n4 5 6\n", unpack=True)
table("row", "1 2 3\n", ndmin=2)
table("column", "1\n2\n3\n", ndmin=2)
table("one", "42\n")
table("first_rows", "1 2\n\n3 4\n5 6\n", max_rows=2)
table("lines", "1 2\r\n3 4\r5 6", dtype=np.int64)
table("integers", "-9223372036854775808 9223372036854775807\n+5 -0\n", dtype=np.int64)
table("floats", "16777217.0 0.1 1e-50\n", dtype=np.float32)
table("complex", "1+2j (3-4j) -2j 5 (-1.5e3+infj)\n", dtype=np.complex128)
table("truth", "0 1 2 -1\n", dtype=np.bool_)
table("percent", "1 2 % three\n%\n4 5\n", comments="%")
table("several_comments", "1 2 // three\n% 7\n4 5 % //\n//\n", comments=["//", "%"])
table("no_comments", "1 -2\n\n3 4\n", comments=None)
table("quotes", '"1","2 "#,"3"\n"4\n",5\r\n"6"7,8.5\n', delimiter=",", quotechar='"')
table("quotes_skipped", "'1 2\n'3' 4\n  5 '6'\n7 8\n", quotechar="'", skiprows=1, max_rows=2)
table("quoted_commas", "'1,5';' 2';'it''s'\n3;;'#'# 4\n", delimiter=";", quotechar="'",
      converters={0: lambda s: float(s.replace(",", ".")), 1: len, -1: len})
table("converted", " ff, 1%,x\n0a,25 %,y\n", delimiter=",", usecols=(1, 0),
      converters={0: lambda s: int(s, 16), 1: lambda s: float(s.strip(" %")) / 100})
table("converted_all", "1 22 333\n4444 5 6 # 7\n", dtype=np.int64, converters=lambda s: 10 * len(s) - 0.5)
table("separators", "1\x1c2\x1f3 \x1d\n", dtype=np.int64)


def written(name, array, **options):
    np.save(os.path.join(text, name + ".npy"), array)
    np.savetxt(os.path.join(text, name + ".txt"), array, **options)


written("saved", np.array([[1.0, -0.1, 1e300], [np.nan, np.inf, -np.inf]]))
written("saved_line", np.array([3, -4, 5], dtype=np.int32))
written("saved_formats", np.array([[1.0, 2.5, 1234.5678], [3.0, -4.25, 1e-5]]), fmt="%d %8.3f;%+.2e")
written("saved_commas", np.array([[1, 200], [30, -4]], dtype=np.int64), fmt="%5d", delimiter=",", header="a,b\nnumbers", footer="end")
written("saved_complex", np.array([[1 + 2j, 3 - 4j], [-0.5j, 1e10]]))
written("saved_general", np.array([0.1, 1e20, 123456789.0], dtype=np.float32), fmt="%g")
print(len(os.listdir(npz)), "archives,", len(os.listdir(text)), "texts and arrays")
