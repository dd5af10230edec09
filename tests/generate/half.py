#!/usr/bin/env python3
"""Writes tests/data/golden/half.txt: float64 and float32 numbers, and what NumPy's float16 and ml_dtypes' bfloat16 make of them.

A line holds the letter d or f and three hexadecimal numbers: the bits of the number, of its float16 and of its bfloat16.
"""
import os

import ml_dtypes
import numpy as np

rng = np.random.default_rng(16)
halves = np.arange(65536, dtype=np.uint16).view(np.float16)
finite = halves[np.isfinite(halves)].astype(np.float64)
picked = rng.choice(finite, 120)
unit = np.abs(np.spacing(picked.astype(np.float16)).astype(np.float64))
near = np.concatenate([picked + s * unit for s in (0, 0.25, 0.5, 0.75)])
near = np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)])
edge = [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519.99, 65520, 65536, 1e9, 1e39, -1e39, 1e300, 2.0**-24, 2.0**-25, 2.0**-26,
        1.5 * 2.0**-25, 2.0**-14, 2.0**-133, 2.0**-134, 1e-45, 1e-320, 3.39e38, 3.3961775e38]
wide = rng.choice([-1, 1], 300) * 2.0 ** rng.uniform(-140, 128, 300)
lines = []
for letter, t in ("d", np.float64), ("f", np.float32):
    with np.errstate(all="ignore"):
        x = np.concatenate([edge, near, wide]).astype(t)
        columns = x.view(f"u{x.itemsize}"), x.astype(np.float16).view("u2"), x.astype(ml_dtypes.bfloat16).view("u2")
    lines += [f"{letter} {int(a):x} {int(b):x} {int(c):x}" for a, b, c in zip(*columns)]
path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data/golden/half.txt")
with open(path, "w", newline="\n") as f:
    f.write("\n".join(lines) + "\n")
print(len(lines), "numbers,", os.path.getsize(path), "bytes")
