#!/usr/bin/env python3
"""Writes tests/data/golden/print.txt: arrays and what NumPy prints for them, one case per line.

Fields, separated by `|`: dtype, shape (`2,3`, empty for rank 0, `scalar`), options, the shown elements, str, repr.
Floating elements are their bits in hexadecimal without zeros at the end; lines in texts are joined by `\\n`.
"""
import os

import ml_dtypes
import numpy as np

rng = np.random.default_rng(20)
cases = []
integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
floats = ["float32", "float64"]
complexes = ["complex64", "complex128"]
everything = ["bool"] + integers + floats + complexes
letters = dict(precision="p", threshold="t", edgeitems="e", linewidth="w", suppress="s", floatmode="m", sign="S",
               nanstr="n", infstr="i")


def encode(data):
    kind = data.dtype.kind
    if kind in "bui":
        return " ".join(str(int(x)) for x in data.ravel())
    if kind == "c":
        data = np.stack([data.real, data.imag], -1)
    size = data.dtype.itemsize
    bits = data.ravel().view(f"u{size}")
    return " ".join((f"{int(b):0{2 * size}x}".rstrip("0") or "0") for b in bits)


def cut(a, edge):
    for axis, n in enumerate(a.shape):
        if n > 2 * edge:
            a = np.take(a, list(range(edge)) + list(range(n - edge, n)), axis)
    return a


def add(a, scalar=False, **options):
    a = np.asarray(a)
    with np.printoptions(**options):
        if scalar:
            texts = str(a[()]), repr(a[()])
        else:
            texts = str(a), repr(a)
        o = np.get_printoptions()
        shown = cut(a, o["edgeitems"]) if a.size > o["threshold"] else a
    shape = "scalar" if scalar else ",".join(map(str, a.shape))
    opts = ";".join(letters[k] + str(int(v) if isinstance(v, bool) else v) for k, v in options.items())
    texts = [t.replace("\\", "\\\\").replace("\n", "\\n") for t in texts]
    line = "|".join([a.dtype.name, shape, opts, encode(np.ascontiguousarray(shown)), *texts])
    assert line.count("|") == 5
    cases.append(line)


def values(dtype, shape, style=None):
    """Random elements of one of many flavours."""
    dtype = np.dtype(dtype)
    n = int(np.prod(shape))
    if dtype == ml_dtypes.bfloat16:
        return values("float32", shape, style).astype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "ui":
        info = np.iinfo(dtype)
        bits = rng.integers(1, info.bits + 1)
        low = max(info.min, -(1 << int(bits) - 1))
        high = min(info.max, (1 << int(bits)) - 1)
        return rng.integers(low, high, shape, dtype=dtype, endpoint=True)
    if dtype.kind == "c":
        part = np.float32 if dtype.itemsize == 8 else np.float64
        z = np.empty(shape, dtype)
        z.real, z.imag = values(part, shape), values(part, shape)
        return z
    style = rng.integers(0, 13) if style is None else style
    wide = {2: 4, 4: 38, 8: 300}[dtype.itemsize]
    x = rng.standard_normal(n)
    if style == 1:
        x = np.round(x * 100) / 8
    elif style == 2:
        x = x * 10.0 ** rng.integers(-wide, wide, n)
    elif style == 3:
        x = x * 10.0 ** rng.integers(-6, 10)
    elif style == 4:
        x = np.floor(x * 10.0 ** rng.integers(0, 9))
    elif style == 5:
        x = np.round(x, int(rng.integers(0, 10)))
    elif style == 6:
        x = x * 10.0 ** rng.integers(-3, 4, n)
    elif style == 7:
        x = np.where(rng.random(n) < 0.4, rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], n), x)
    elif style == 8:
        tiny = np.finfo(dtype).smallest_subnormal
        x = rng.integers(0, 1000, n) * float(tiny)
    elif style == 9:
        x = 2.0 ** rng.integers(-30, 30, n)
    elif style == 10:
        x = rng.choice([0.5, 1.5, 2.5, 0.125, 0.1, 1 / 3, 1e-4, 9.9999e-5, 1e3, 999.5, 99999999.0, 1e8, -0.0], n)
    elif style == 11:
        x = np.where(rng.random(n) < 0.5, np.nan, np.round(x * 1000))
    elif style == 12:
        x = rng.integers(0, 2, n) * 1.0
    with np.errstate(over="ignore", under="ignore"):
        return x.reshape(shape).astype(dtype)


def options():
    o = {}
    if rng.random() < 0.6:
        o["precision"] = int(rng.integers(0, 20))
    if rng.random() < 0.5:
        o["floatmode"] = str(rng.choice(["fixed", "unique", "maxprec", "maxprec_equal"]))
    if rng.random() < 0.4:
        o["suppress"] = True
    if rng.random() < 0.3:
        o["sign"] = str(rng.choice(["+", " "]))
    if rng.random() < 0.15:
        o["nanstr"], o["infstr"] = ("NA", "oo") if rng.random() < 0.5 else ("not a number", "infinite")
    if rng.random() < 0.2:
        o["linewidth"] = int(rng.integers(10, 60))
    if rng.random() < 0.2:
        o["threshold"], o["edgeitems"] = int(rng.integers(0, 6)), int(rng.integers(1, 4))
    return o


def add_halves():
    for t in ("float16", ml_dtypes.bfloat16):
        for style in range(13):
            for n in (1, 2, 4):
                add(values(t, n, style))
        for shape in [(0,), (0, 3), (2, 0), (), (2, 2), (2, 1, 2), (1001,), (1, 1001), (334, 3)]:
            add(values(t, shape))
        for _ in range(60):
            add(values(t, int(rng.integers(1, 5))))
        for _ in range(30):
            add(values(t, ()), scalar=True)
        for x in (999.0, 999.5, 1000.0, 1001.0, 65504.0, 9.99e-5, 1e-4, 6e-8, 0.1, 2.0**-14, 2.0**10, -0.0, np.nan, -np.inf):
            add(np.array(x).astype(t), scalar=True)
            add(np.array([x, 1, -0.0]).astype(t))
        for _ in range(12):
            add(values(t, (3, 4)), linewidth=int(rng.integers(10, 60)), threshold=int(rng.integers(0, 20)), edgeitems=1)
    for _ in range(80):
        add(values("float16", int(rng.integers(1, 5))), **options())


def main():
    for t in floats:  # each style alone, so that none is left to chance
        for style in range(13):
            for n in (1, 2, 4):
                add(values(t, n, style))
    for t in everything:
        for shape in [(0,), (0, 3), (2, 0), (1, 0, 4), ()]:
            add(values(t, shape))
        for shape in [(1,), (3,), (2, 2), (1, 3), (2, 1, 2), (1, 2, 2, 1), (1, 1, 1, 1)]:
            add(values(t, shape))
        for shape in [(1001,), (1, 1001)]:
            add(values(t, shape))
        add(values(t, (20,)))
        for _ in range(4):
            add(values(t, ()))
            add(values(t, ()), scalar=True)
    for t in floats + complexes:
        few = 3 if t in complexes else 5
        for _ in range(110):
            add(values(t, int(rng.integers(1, few))))
        for _ in range(110):
            add(values(t, int(rng.integers(1, few))), **options())
        for _ in range(15):
            add(values(t, ()), scalar=True)
    for t in integers + ["bool"]:
        for _ in range(12):
            add(values(t, int(rng.integers(1, 8))))
        for _ in range(8):
            add(values(t, int(rng.integers(1, 6))), **options())
    for t in everything:  # layouts under odd options
        for shape in [(7,), (3, 4), (2, 1, 3), (1, 2, 1, 2), ()]:
            o = options()
            o["linewidth"] = int(rng.integers(0, 40))
            if rng.random() < 0.6:
                o["threshold"], o["edgeitems"] = int(rng.integers(0, 5)), int(rng.integers(1, 3))
            add(values(t, shape), **o)
    for e in (-645, -569, -499, 149, 740, 890):  # rounding these past their shortest digits leaves their interval
        add(np.array([2.0**e, 1.234567890123456 * 2.0**e]), floatmode="unique")
        add(np.array([2.0**e, 1.234567890123456 * 2.0**e]), precision=15)
    for x in (1e5, 999999.9, 1e6, 1.5e6, 16777216.0, 1e7, 1e8, 1e15, 9.999e15, 1e16, 123456789012345678.0, 1e-4,
              9.9999e-5, 0.00010001, 5e-324, 1.7976931348623157e308, 3.4028235e38, 1e-45, 0.1, 1 / 3,
              9007199254740993.0, 2.0**-44):
        for t in floats:
            with np.errstate(over="ignore", under="ignore"):
                v = np.array(x).astype(t)
            add(v, scalar=True)
            add(-v)
            add(np.array([v, 1, -0.0], t))
    nan, inf = np.nan, np.inf
    for z in (complex(0.0, 1), complex(-0.0, 1), complex(0, -0.0), complex(-0.0, -0.0), complex(nan, inf),
              complex(1, nan), complex(-inf, -inf), complex(0, nan), complex(0, -inf),
              complex(1e16, 1e-5), 1 + 2j, 1.5 - 1e20j):
        for t in complexes:
            add(np.array(z, t), scalar=True)
            add(np.array(z, t))
            add(np.array([z, 1], t))
    for a in ([nan], [inf], [-inf], [nan, -inf], [nan, nan], [0.0], [-0.0], [0.0, nan], [1e-300, 1e300],
              [1e100, nan, -inf]):
        for s in "-+ ":
            add(np.array(a), sign=s)
    for t in ("bool", "int16", "float32", "float64", "complex64"):  # several axes summarised at once
        for shape in [(334, 3), (8, 7, 20), (3, 2, 5, 40)]:
            add(values(t, shape).astype(t), edgeitems=2)
    add(np.arange(40.0) / 7)
    add(np.arange(100), linewidth=40)
    add(np.eye(9))
    add(np.arange(100000000, 100001200))
    add_halves()
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data/golden/print.txt")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="\n") as f:
        f.write("\n".join(cases) + "\n")
    print(len(cases), "cases,", os.path.getsize(path), "bytes")


main()
