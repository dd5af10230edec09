#!/usr/bin/env python3
"""Writes tests/data/golden/language.txt: NumPy's dtypes, shapes and values of the expressions that tests/shared checks by name."""
import os
import warnings

import numpy as np

cases = {}


def data(t, shape, k=0):
    """The operand that language_golden.hpp computes too."""
    t = np.dtype(t)
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    v = (i * 37 + k * 11) % 101
    if t.kind == "b":
        v = v % 3 == 0
    elif t.kind == "i":
        v = v - 50
    elif t.kind == "f":
        v = (v - 50) * 0.25
    elif t.kind == "c":
        v = (v - 50) * 0.25 + 1j * (v % 7)
    return v.astype(t).reshape(shape)


def case(name, value):
    assert name not in cases, name
    cases[name] = np.asarray(value)


def operators():
    types = ["bool", "int8", "int32", "uint8", "uint64", "float32", "float64", "complex64"]
    for p in types:
        for q in types:
            a, b = data(p, (7,), 1), data(q, (7,), 2)
            case(f"add {p} {q}", a + b)
            case(f"multiply {p} {q}", a * b)
            case(f"equal {p} {q}", a == b)
            if "complex64" not in (p, q):
                case(f"less {p} {q}", a < b)
                case(f"maximum {p} {q}", np.maximum(a, b))
    for p in ["int8", "int64", "uint16", "float32", "float64"]:
        for q in ["int8", "int64", "uint16", "float32", "float64"]:
            a, b = data(p, (9,), 3), data(q, (9,), 5)
            b[b == 0] = 3
            case(f"divide {p} {q}", a / b)
            case(f"floor_divide {p} {q}", a // b)
            case(f"remainder {p} {q}", a % b)
    a, b = data("float32", (4, 1, 3), 1), data("float32", (5, 1), 2)
    case("broadcast", a + b)
    case("broadcast empty", data("float64", (0, 3)) * data("float64", (3,)))
    i, u = data("int32", (6,), 4), data("uint8", (6,), 4)
    case("int32 * 0.5f", i.astype("float32") * np.float32(0.5))
    case("int32 * 0.5", i * 0.5)
    case("uint8 + 7", u + 7)
    case("uint8 < 300", u < 300)
    case("uint8 > -1", u > -1)
    case("uint8 == 1000", u == 1000)
    case("float32 * 2.1", data("float32", (6,), 4) * 2.1)
    case("2 - int8", 2 - data("int8", (6,), 4))
    case("not", ~data("bool", (6,)))
    case("xor", data("int32", (6,), 1) ^ data("int32", (6,), 2))
    case("shift", data("int32", (6,), 1) << 3)
    case("shift right", data("int32", (6,), 1) >> 2)
    case("where", np.where(i > 0, i, data("float64", (6,))))
    case("clip", np.clip(i, -10, 20))
    case("astype", data("float64", (8,), 3).astype("int32"))
    case("astype bool", data("float64", (8,), 3).astype("bool"))
    z = data("complex128", (5,), 3)
    case("complex parts", z.real * z.imag + np.abs(z) ** 2)
    case("divmod", np.stack(np.divmod(data("int32", (7,), 3), -7)))


def indexing():
    a = data("int32", (9, 6), 1)
    v = data("int32", (10,), 2)
    c = data("int32", (3, 4, 5), 3)
    case("v[2:8:3]", v[2:8:3])
    case("v[::-1]", v[::-1])
    case("v[-3:]", v[-3:])
    case("v[8:2:-2]", v[8:2:-2])
    case("v[5:2]", v[5:2])
    case("v[-100:100]", v[-100:100])
    case("v[100::-4]", v[100::-4])
    case("a[2]", a[2])
    case("a[-1, -2]", a[-1, -2])
    case("a[:, 3]", a[:, 3])
    case("a[1:8:2, ::-2]", a[1:8:2, ::-2])
    case("a.T[1:4, ::3]", a.T[1:4, ::3])
    case("a[::2][::-1][1:3]", a[::2][::-1][1:3])
    case("c[..., 1]", c[..., 1])
    case("c[1, ..., None]", c[1, ..., None])
    case("c[:, None, 2, ::2]", c[:, None, 2, ::2])
    case("c[None, ..., 0, :]", c[None, ..., 0, :])
    k = np.array([[3, -1], [0, 2]])
    case("v[k]", v[k])
    case("a[k]", a[k])
    case("a[:, k]", a[:, k])
    case("a[[1, -2, 3], [0, 5, 2]]", a[[1, -2, 3], [0, 5, 2]])
    case("a[column, row]", a[np.array([[1], [4]]), np.array([0, 2, 5])])
    case("c[i, :, j]", c[np.array([0, 2]), :, np.array([1, 3])])
    case("c[:, i, j]", c[:, np.array([0, 2]), np.array([1, 3])])
    case("c[1:, i]", c[1:, np.array([3, 0, 0])])
    case("c[2, :, i]", c[:, :, np.array([1, 3])][2])
    case("c.T[i]", c.T[np.array([4, 0])])
    m = data("bool", (10,), 5)
    case("v[m]", v[m])
    case("a[a > 20]", a[a > 20])
    case("a[rows]", a[data("bool", (9,), 1)])
    case("a[:, columns]", a[:, data("bool", (6,), 1)])
    case("v[none]", v[np.zeros(10, bool)])
    case("v[empty]", v[np.zeros(0, int)])
    case("gather of expression", (a * 2 + 1)[np.array([8, 0])] - 1)


def choices():
    x, y, z = data("int32", (4, 1), 1), data("float64", (5,), 2), data("int8", (4, 5), 3)
    i = data("int64", (4, 5), 4) % 3
    far = data("int64", (4, 5), 4)
    rows = data("float32", (3, 5), 6)
    case("choose", np.choose(i, (x, y, z)))
    case("choose number", np.choose(2, (x, y, z)))
    for mode in ("wrap", "clip"):
        case(f"choose {mode}", np.choose(far, (x, y, z), mode=mode))
        case(f"choose {mode} of rows", np.choose(far, rows, mode=mode))
    case("choose of rows", np.choose(i, rows))
    case("choose broadcast", np.choose(i[:, :1], rows[:, None, None]))
    case("choose of one", np.choose(np.zeros((3, 1), int), (y,)))
    case("choose of none", np.choose(np.zeros((0, 5), int), (y, z[0])))


def assignment():
    v = data("int32", (10,), 2)
    a = data("int32", (9, 6), 1)

    def changed(name, x, change):
        x = x.copy()
        change(x)
        case(name, x)

    def put(*index):
        return lambda value: lambda x: x.__setitem__(index if len(index) > 1 else index[0], value)

    s = slice
    changed("v[2:8:3] = 7", v, put(s(2, 8, 3))(7))
    changed("v[::-1] = v", v, lambda x: x.__setitem__(s(None, None, -1), x.copy()))
    changed("v[2:7] = v[3:8]", v, lambda x: x.__setitem__(s(2, 7), x[3:8].copy()))
    changed("v[3:8] = v[2:7]", v, lambda x: x.__setitem__(s(3, 8), x[2:7].copy()))
    changed("v[1:9:2] += v[:4]", v, lambda x: x.__setitem__(s(1, 9, 2), x[1:9:2] + x[:4]))
    changed("a[1] = v", a, put(1)(v[:6]))
    changed("a[:, 2] = 5", a, put(s(None), 2)(5))
    changed("a[1:4, ::2] = row", a, put(s(1, 4), s(None, None, 2))(np.array([7, 8, 9])))
    changed("a[...] = 3", a, put(Ellipsis)(3))
    changed("a[0:6] = a.T", a, lambda x: x.__setitem__((s(0, 6), s(0, 6)), x[0:6].T.copy()))
    changed("a[2:2] = 1", a, put(s(2, 2))(1))
    changed("a[-1, -1] = 99", a, put(-1, -1)(99))
    changed("v[m] = 0", v, put(data("bool", (10,), 5))(0))
    changed("v[m] += 1", v, lambda x: x.__setitem__(data("bool", (10,), 5), x[data("bool", (10,), 5)] + 1))
    m = data("bool", (10,), 5)
    changed("v[m] = values", v, put(m)(np.arange(m.sum()) * 10))
    changed("a[a > 0] = -a", a, lambda x: x.__setitem__(x > 0, -x[x > 0]))
    changed("a[rows] = row", a, put(data("bool", (9,), 1))(np.arange(6)))
    changed("a[none] = 5", a, put(np.zeros((9, 6), bool))(5))
    x = data("float32", (10,), 2)
    changed("x[1:4] = v", x, put(s(1, 4))(v[1:4]))
    changed("x[1:4] = 2.5", x, put(s(1, 4))(2.5))
    changed("x -= 0.1", x, lambda y: y.__isub__(np.float32(0.1)))
    changed("fibonacci", np.ones(12, "int64"), lambda y: [y.__setitem__(i, y[i - 1] + y[i - 2]) for i in range(2, 12)])


def reductions():
    f, i, c = data("float64", (5, 6, 7), 1), data("int32", (5, 6, 7), 2), data("complex128", (5, 6, 7), 2)
    b, e = data("bool", (5, 6, 7), 3), data("float64", (3, 0, 2))
    u = data("uint8", (5, 6, 7), 2)
    axes = {"": None, " 0": 0, " 1": 1, " -1": -1, " 0 2": (0, 2), " 1 2": (1, 2), " 0 1 2": (0, 1, 2)}
    for suffix, axis in axes.items():
        for keep in (False, True):
            s = suffix + (" keepdims" if keep else "")
            case("sum" + s, np.sum(f, axis, keepdims=keep))
            case("max" + s, np.max(i, axis, keepdims=keep))
            case("min" + s, np.min(f, axis, keepdims=keep))
            case("any" + s, np.any(b, axis, keepdims=keep))
            case("all" + s, np.all(i, axis, keepdims=keep))
            case("count" + s, np.count_nonzero(b, axis, keepdims=keep))
            case("mean" + s, np.mean(f, axis, keepdims=keep))
            case("var" + s, np.var(f, axis, keepdims=keep))
            case("std ddof 1" + s, np.std(f, axis, ddof=1, keepdims=keep))
            case("prod" + s, np.prod(f / 16 + 1.1, axis, keepdims=keep))
    for axis in (None, 0, 1, 2):
        case(f"argmax {axis}", np.argmax(i, axis))
        case(f"argmin {axis}", np.argmin(i, axis))
    case("argmax keepdims", np.argmax(i, 1, keepdims=True))
    case("sum int32", np.sum(i, 1))
    case("sum uint8", np.sum(u, 1))
    case("sum bool", np.sum(b, 1))
    case("prod int32", np.prod(i, 1))
    case("sum complex", np.sum(c, 1))
    case("mean int32", np.mean(i, 1))
    case("mean float32", np.mean(f.astype("float32"), 1))
    case("mean complex", np.mean(c, 1))
    case("var complex", np.var(c, 1))
    case("sum float32", np.sum(f.astype("float32"), 2))
    case("sum empty", np.sum(e, 1))
    case("prod empty", np.prod(e, 1))
    case("any empty", np.any(e, 1))
    case("all empty", np.all(e, 1))
    case("sum over none", np.sum(e, 0))
    case("sum transposed", np.sum(f.T, 0))
    case("sum strided", np.sum(f[::-2, 1:, ::3], (0, 2)))
    case("ptp", np.ptp(i, 1))
    w, w1, w2 = data("float64", (5, 6, 7), 3) + 30, data("float64", (6,), 3) + 30, data("float64", (7, 5), 3) + 30
    case("average", np.average(f))
    case("average 1 keepdims", np.average(f, 1, keepdims=True))
    case("average weights", np.average(f, weights=w))
    case("average weights 0 2 keepdims", np.average(f, (0, 2), weights=w, keepdims=True))
    case("average weights of axis 1", np.average(f, 1, weights=w1))
    case("average weights of axis -2 keepdims", np.average(f, -2, weights=w1, keepdims=True))
    case("average weights of axes 2 0", np.average(f, (2, 0), weights=w2))
    case("average int32", np.average(i, 1, weights=data("int32", (6,), 7) + 60))
    case("average int32 by float32", np.average(i, 1, weights=w1.astype("float32")))
    case("average float32", np.average(f.astype("float32"), 1, weights=w1.astype("float32")))
    case("average float32 by int8", np.average(f.astype("float32"), 1, weights=np.arange(1, 7, dtype="int8")))
    case("average complex", np.average(c, 1, weights=w1))
    case("average bool", np.average(b, 1))
    case("average empty", np.average(data("float64", (0, 3)), 1, weights=np.ones(3)))
    t = np.array([3, 1, 3, 1, 2])
    n = np.array([1.0, np.nan, 5.0, np.nan])
    case("ties", [t.argmax(), t.argmin()])
    case("nan positions", [n.argmax(), n.argmin()])
    case("nan extrema", [n.max(), n.min(), n.sum()])
    case("nan beside", [np.max([1.0, 2.0]), np.max([np.nan, 2.0]), np.max([2.0, np.nan])])
    case("softmax", np.exp(f - f.max(1, keepdims=True)) / np.exp(f - f.max(1, keepdims=True)).sum(1, keepdims=True))
    case("standardised", (f - f.mean(0)) / f.std(0))
    case("row norms", np.sqrt((f * f).sum(-1)))
    case("centred rows", f - f.mean(-1, keepdims=True))


def products():
    for t in ("float32", "float64", "complex64", "complex128", "int32", "uint8", "bool"):
        case(f"matmul {t}", data(t, (5, 7), 1) @ data(t, (7, 3), 2))
    a, b = data("float64", (5, 7), 1), data("float64", (7, 3), 2)
    case("matmul transposed", data("float64", (7, 5), 1).T @ data("float64", (3, 7), 2).T)
    case("matmul strided", data("float64", (10, 14), 1)[::2, ::2] @ data("float64", (7, 6), 2)[::-1, 1:6:2])
    case("matmul stack", data("float64", (4, 5, 7), 1) @ data("float64", (4, 7, 3), 2))
    case("matmul stack broadcast", data("float64", (2, 1, 5, 7), 1) @ data("float64", (4, 7, 3), 2))
    case("matmul stack matrix", data("float64", (4, 5, 7), 1) @ b)
    case("matmul matrix vector", a @ data("float64", (7,), 3))
    case("matmul vector matrix", data("float64", (5,), 3) @ a)
    case("matmul vector vector", data("float64", (7,), 3) @ data("float64", (7,), 4))
    case("matmul stack vector", data("float64", (4, 5, 7), 1) @ data("float64", (7,), 2))
    case("matmul mixed", data("float32", (5, 7), 1) @ data("int32", (7, 3), 2))
    case("matmul empty", np.zeros((3, 0)) @ np.zeros((0, 2)))
    case("matmul of expressions", (a * 2 + 1) @ (b - 3) + 1)
    case("outer", np.outer(data("float64", (4,), 1), data("float64", (3,), 2)))
    case("gram", a @ a.T)
    case("chain", a @ b @ data("float64", (3, 4), 3))


def sorting():
    a, z = data("float64", (9, 6), 1), data("complex64", (10,), 2)
    case("sort", np.sort(a))
    case("sort axis 0", np.sort(a, 0))
    case("argsort", np.argsort(a, kind="stable"))
    case("argsort axis 0", np.argsort(a, 0, kind="stable"))
    case("sort complex", np.sort(z))


def ordering():
    a, f, c = data("float64", (9, 6), 1), data("float32", (33,), 3), data("int32", (3, 4, 5), 3)
    n = f.copy()
    n[[3, 17]] = np.nan
    sorted_ = np.sort(data("int32", (40,), 1) % 13)
    case("partition sorted", np.sort(a, 1))
    case("searchsorted left", np.searchsorted(sorted_, data("int32", (5, 7), 2) % 15))
    case("searchsorted right", np.searchsorted(sorted_, data("int32", (5, 7), 2) % 15, side="right"))
    case("searchsorted float", np.searchsorted(np.sort(n), np.array([-100, 0.1, 3.5, np.inf, np.nan], "f4")))
    case("searchsorted float right", np.searchsorted(np.sort(n), np.array([-100, 0.1, 3.5, np.inf, np.nan], "f4"), side="right"))
    case("unique", np.unique(c % 7))
    case("unique float", np.unique(np.floor(n / 3)))
    case("unique counts", np.unique(c % 7, return_counts=True)[1])
    case("unique inverse", np.unique(c % 7, return_inverse=True)[1])
    case("median", np.median(a))
    case("median axis 0", np.median(a, 0))
    case("median axis 1", np.median(a, 1, keepdims=True))
    case("median axes", np.median(c, (0, 2)))
    case("median float32", np.median(f))
    case("median nan", np.median(n))
    case("quantile", np.quantile(a, 0.3))
    case("quantile axis 0", np.quantile(a, 0.8, 0))
    case("quantile float32", np.quantile(f, 0.77))
    case("quantile nan", np.quantile(n, 0.2))
    case("quantile int", np.quantile(c, 0.99, axis=1, keepdims=True))
    case("percentile list", np.percentile(a, [0, 25, 50, 99.5, 100], axis=1))
    case("bincount", np.bincount(sorted_))
    case("bincount minlength", np.bincount(sorted_, minlength=20))
    case("histogram", np.histogram(a)[0])
    case("histogram edges", np.histogram(a)[1])
    case("histogram range", np.histogram(f, bins=7, range=(-5, 6))[0])


def scattering():
    v, a, c = data("int32", (10,), 2), data("int32", (9, 6), 1), data("int32", (3, 4, 5), 3)
    k = np.array([[3, -1], [0, 2]])

    def after(name, x, write):
        x = x.copy()
        write(x)
        case(name, x)

    def setter(index, value):
        return lambda x: x.__setitem__(index, value)

    def plus(index, value):
        def write(x):
            x[index] += value
        return write

    def d(shape, n=5):
        return data("int32", shape, n)

    after("v[k] = 7", v, setter(k, 7))
    after("v[k] = values", v, setter(k, d((2, 2))))
    after("v[repeated] += 1", v, plus([1, 1, 4], 1))
    after("a[k] = row", a, setter(k, d((6,))))
    after("a[:, i] = column", a, setter((slice(None), [5, 0]), d((9, 1))))
    after("a[i, j] = values", a, setter(([1, -2, 1], [0, 5, 0]), d((3,))))
    after("a[1:8:3, i] = 0", a, setter((slice(1, 8, 3), [2, 4]), 0))
    after("c[i, :, j] = plane", c, setter(([0, 2], slice(None), [1, 3]), d((2, 4))))
    after("c[:, i, j] = values", c, setter((slice(None), [0, 2], [1, 3]), d((3, 2))))
    after("c[2, :, i] -= 3", c, plus((2, slice(None), [1, 4]), -3))
    after("a[:, columns] = 9", a, setter((slice(None), data("bool", (6,), 1)), 9))
    after("put", a, lambda x: np.put(x, [7, -1, 7, 20], d((4,), 6)))
    after("put few", a, lambda x: np.put(x, [7, -1, 3, 20], d((3,), 6)))
    after("put number", a, lambda x: np.put(x, [7, -1], 5))
    after("put_along_axis", a, lambda x: np.put_along_axis(x, np.argsort(x, 1, kind="stable")[:, :2], d((9, 2), 6), 1))
    after("put_along_axis number", a, lambda x: np.put_along_axis(x, np.array([[1, 2, 3, 4, 5, 6]]), 0, 0))
    after("add.at", a, lambda x: np.add.at(x, [1, 1, 3], d((3, 6), 6)))
    after("add.at pairs", a, lambda x: np.add.at(x, ([1, 1, 3], [2, 2, 0]), 10))
    after("maximum.at", v, lambda x: np.maximum.at(x, k, d((2, 2), 9)))
    after("minimum.at", v, lambda x: np.minimum.at(x, k, d((2, 2), 9)))


def scans():
    types = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
             "complex64", "complex128"]
    extrema = {"cummax": np.maximum.accumulate, "cummin": np.minimum.accumulate}
    for t in types:
        x = data(t, (2, 3, 4), 2)
        for axis in (0, 1, -1):
            case(f"cumsum {t} {axis}", x.cumsum(axis))
            if "complex" not in t:
                for name, function in extrema.items():
                    case(f"{name} {t} {axis}", function(x, axis))
        case(f"cumsum {t}", x.cumsum())
        case(f"cumprod {t}", x.cumprod(1))
        case(f"diff {t}", np.diff(x, axis=1))
        case(f"diff 2 {t}", np.diff(x, 2))
    for n in (0, 1, 2, 31, 33):
        case(f"cumsum of {n}", data("float64", (n,), 1).cumsum())
        case(f"cummax of {n}", np.maximum.accumulate(data("int32", (n,), 1)))
    for n in (1023, 4097, 100003):
        case(f"cumsum of {n}", data("float32", (n,), 1).cumsum()[::997])
        case(f"cumprod of {n}", data("int64", (n,), 1).cumprod()[::997])
        case(f"cummin of {n}", np.minimum.accumulate(data("float64", (n,), 3) + np.arange(n)[::-1])[::997])
        case(f"cumsum of columns {n}", data("int32", (n, 3), 1).cumsum(0)[::997])
    x = data("float64", (7, 9), 4)
    case("cumsum reversed", x[::-1, ::-2].cumsum(1))
    case("cumsum of columns reversed", x[::-2, ::-1].cumsum(0))
    case("cumsum transposed", x.T.cumsum(1))
    case("cumsum broadcast", np.broadcast_to(x[:, :1], (7, 5)).cumsum(1))
    case("cumsum broadcast down", np.broadcast_to(x[0], (5, 9)).cumsum(0))
    case("cumsum empty", np.zeros((3, 0)).cumsum(0))
    case("cumsum fused", (x * x).cumsum(1) * 2 + x)
    case("cumsum to float64", data("float32", (50,), 1).cumsum(dtype="float64"))
    case("cumsum to int8", data("int8", (50,), 1).cumsum(dtype="int8"))
    n = np.array([1, np.nan, 3, -2, np.nan, 5])
    case("nancumsum", np.nancumsum(n))
    case("nancumprod", np.nancumprod(n))
    case("nancumsum of rows", np.nancumsum(np.stack((n, n[::-1])), 1))
    case("nancumsum of columns", np.nancumsum(np.stack((n, n[::-1])), 0))
    case("cumsum of nan", n.cumsum())
    case("cummax of nan", np.maximum.accumulate(n))
    case("cummin of nan", np.minimum.accumulate(n))
    i = np.array([1, np.inf, -np.inf, 2])
    case("cumsum of inf", i.cumsum())
    case("diff 0", np.diff(x, 0))
    case("diff 3 axis 0", np.diff(x, 3, axis=0))
    case("diff too often", np.diff(data("float64", (3,), 1), 5))
    case("ediff1d", np.ediff1d(x))
    case("trapezoid", np.trapezoid(x))
    case("trapezoid dx", np.trapezoid(x, dx=0.5, axis=0))
    case("trapezoid x", np.trapezoid(x, np.arange(7) ** 2.0, axis=0))
    case("trapezoid x of the same shape", np.trapezoid(x, x * x, axis=1))
    case("trapezoid int", np.trapezoid(data("int32", (9,), 1)))
    p = data("float64", (5, 20), 4) * 1.7
    case("unwrap", np.unwrap(p))
    case("unwrap axis 0", np.unwrap(p, axis=0))
    case("unwrap period", np.unwrap(data("float64", (40,), 4) * 30, period=360))
    case("unwrap discont", np.unwrap(p, discont=5))
    case("unwrap float32", np.unwrap(data("float32", (30,), 4)))
    case("unwrap half", np.unwrap(np.array([0, 4, 0, -4, 0, 4, 8, 12.0]), period=8))


def write(path):
    with open(path, "w") as f:
        f.write(f"# NumPy {np.__version__}\n")
        for name, value in cases.items():
            shape = " ".join(map(str, value.shape))
            f.write(f"{name}\n{value.dtype} {value.ndim} {shape}".rstrip() + f"\n{np.ascontiguousarray(value).tobytes().hex()}\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for make in (operators, indexing, choices, assignment, reductions, products, sorting, ordering, scattering, scans):
        make()
    write(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data/golden/language.txt"))
