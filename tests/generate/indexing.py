#!/usr/bin/env python3
"""Writes tests/data/golden/indexing.txt: what NumPy reads and writes at every combination of items of an index.

One line a combination: the base's rank, the items, what x[items] is like, and checksums of x[items], of x after
x[items] = v, after x[items] += v, and after x[items] = w; or what NumPy raises. indexing_combinations_test.cpp makes
the same bases, items and values: x = arange, v = 1000 + arange of the result's shape, w = 5000 + arange of the result's
last axes, all but the first, before which an axis of one element stands when the number of items is odd.
"""
import itertools
import os
import zlib

import numpy as np

SHAPE = (3, 4, 5, 6)
# Items that differ in what they do to the result; the masks of one and of two axes hold at two places, as many as the
# index arrays hold, so that any of them broadcast with each other.
KINDS = {"number": ("1", "-2", "z"), "slice": (":", ":-1:2", "::-1"), "None": ("None",), "...": ("...",),
         "array": ("a", "k"), "m": ("m",), "mm": ("mm",)}
AXES = {"None": 0, "...": 0, "t": 0, "f": 0, "mm": 2, "ww": 2}
PLAIN = {"1": 1, "-2": -2, "9": 9, ":": slice(None), ":-1:2": slice(None, -1, 2), "::-1": slice(None, None, -1),
         "None": None, "...": ..., "z": np.array(1), "a": np.array([2, 0]), "k": np.array([[1], [-1]], np.int32),
         "t": np.array(True), "f": np.array(False)}


def axes_of(item):
    return AXES.get(item, 1)


def mask(shape):
    """True at the first and the last place of an axis; of two axes, at the corners of the other diagonal."""
    m = np.zeros(shape, bool)
    m[(0, -1)[:m.ndim]] = m[(-1, 0)[:m.ndim]] = True
    return m


def build(items, rank):
    """The items as NumPy's; a mask is made for the axis on which it stands, w and ww do not fit theirs."""
    whole, axis, out = max(rank - sum(map(axes_of, items)), 0), 0, []
    for i in items:
        sizes = (SHAPE[:rank] + 4 * (1,))[axis:axis + 2]
        made = {"m": lambda: mask(sizes[:1]), "mm": lambda: mask(sizes), "w": lambda: mask((sizes[0] + 1,)),
                "ww": lambda: mask((sizes[0], sizes[1] + 1))}
        out.append(made[i]() if i in made else PLAIN[i])
        axis += whole if i == "..." else axes_of(i)
    return tuple(out)


def checksum(x):
    """FNV-1a, by elements instead of bytes."""
    h = 2166136261
    for v in x.ravel().tolist():
        h = (h ^ v) * 16777619 & 0xFFFFFFFF
    return f"{h:08x}"


def line(items, rank):
    index = build(items, rank)
    x = np.arange(np.prod(SHAPE[:rank])).reshape(SHAPE[:rank])
    name = f"{rank} {','.join(items)}"
    try:
        picked = x[index]
    except IndexError as e:
        return name + (" shape_error" if "broadcast" in str(e) else " index_error")
    values = np.arange(picked.size).reshape(picked.shape)
    last = 5000 + np.arange(np.prod(picked.shape[1:], dtype=int)).reshape(picked.shape[1:])
    if len(items) % 2 and picked.ndim:
        last = last[np.newaxis]
    sums = [checksum(picked)]
    assigned, added, broadcast = x.copy(), x.copy(), x.copy()
    assigned[index] = 1000 + values
    added[index] += 1000 + values
    broadcast[index] = last
    sums += [checksum(y) for y in (assigned, added, broadcast)]
    return f"{name} {','.join(map(str, picked.shape)) or '-'} {' '.join(sums)}"


def chosen(kind, where):
    """One of the items of a kind, a different one in each combination."""
    return KINDS[kind][zlib.crc32(where.encode()) % len(KINDS[kind])]


def combinations():
    """Up to four items of every kind on every rank, and any two items that there are."""
    every = [i for kind in KINDS.values() for i in kind] + ["t", "f", "w", "ww", "9"]
    for rank in range(1, len(SHAPE) + 1):
        lists = {}
        for n in (1, 2):
            lists |= {items: None for items in itertools.product(every, repeat=n)}
        for n in (3, 4):
            for kinds in itertools.product(KINDS, repeat=n):
                where = f"{rank}{kinds}"
                items = tuple(chosen(k, f"{where}{i}") for i, k in enumerate(kinds))
                if items.count("...") < 2 and sum(map(axes_of, items)) <= rank:
                    lists[items] = None
        for items in lists:
            yield items, rank


if __name__ == "__main__":
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data/golden/indexing.txt")
    with open(path, "w") as f:
        f.write(f"# NumPy {np.__version__}\n")
        f.writelines(line(*c) + "\n" for c in combinations())
