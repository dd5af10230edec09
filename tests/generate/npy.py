#!/usr/bin/env python3
"""Writes tests/data/npy/: small .npy files by NumPy, whose elements npy_test.cpp computes again from their position.

Element k in row-major order is k % 3 == 0 (bool), 7 k (unsigned), 7 k - 40 (signed), k / 2 - 3.25 (floating) and
that with imaginary part k (complex).
"""
import os

import ml_dtypes
import numpy as np

names = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
names += ["float16", "float32", "float64", "complex64", "complex128"]
folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "npy")
os.makedirs(folder, exist_ok=True)


def make(name, shape):
    k = np.arange(int(np.prod(shape)))
    kind = np.dtype(name).kind
    x = k % 3 == 0 if kind == "b" else 7 * k if kind == "u" else 7 * k - 40 if kind == "i" else k / 2 - 3.25
    if kind == "c":
        x = x + 1j * k
    return x.astype(name).reshape(shape)


def save(file, a, version=None):
    with open(os.path.join(folder, file), "wb") as f:
        np.lib.format.write_array(f, a, version=version)


for name in names:
    a = make(name, (3, 7))
    save(f"{name}_c.npy", a)
    save(f"{name}_f.npy", np.asfortranarray(a))
    save(f"{name}_big.npy", a.astype(np.dtype(name).newbyteorder(">")))
save("bfloat16_c.npy", make("float64", (3, 7)).astype(ml_dtypes.bfloat16))
save("rank0.npy", make("float64", ()))
save("rank1.npy", make("int16", (21,)))
save("rank4_f.npy", np.asfortranarray(make("float32", (2, 3, 1, 5))))
save("rank3_big_f.npy", np.asfortranarray(make("complex64", (2, 3, 5)).astype(">c8")))
save("empty.npy", make("float32", (0,)))
save("empty_2x0x3.npy", make("int64", (2, 0, 3)))
save("version2.npy", make("float64", (2, 2)), (2, 0))
save("version3.npy", make("float64", (2, 2)), (3, 0))
save("structured.npy", np.zeros(2, [("a", "<f4"), ("b", "<i8")]))
save("text.npy", np.array(["a", "bc"]))
save("datetime.npy", np.zeros(2, "M8[s]"))
save("object.npy", np.array([None, 1], object))
total = sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder))
print(len(os.listdir(folder)), "files,", total, "bytes")
