"""Other shapes of the same elements, and arrays that are made of numbers."""
from table import *

SOME = ["bool", "int32", "float64", "complex128"]
SHAPES = "scalar one none vector matrix cube no_cube no_rows rank4 nans"


def shaped(pairs, letter="s"):
    return [{"x": x, letter: s} for x, s in pairs]


def add_views(t):
    t.add("shapes", "reshape", "np.reshape(x, s)", "reshape(x, s)", SOME, shaped([("matrix", (12,)), ("matrix", (2, 6)), ("matrix", (-1,)), ("matrix", (4, -1)), ("cube", (4, 3, 2)), ("cube", (2, -1)),
          ("matrix", (5, 2)), ("matrix", (5, -1)), ("matrix", (-1, -1)), ("none", (0, 3)), ("no_cube", (0,)), ("none", (-1,)), ("none", (0, -1)), ("scalar", (1, 1)), ("one", ()), ("vector", ()), ("nans", (4, 3)),
          ("matrix", (-2, 6))]))
    for name, numpy in (("ravel", "np.ravel(x)"), ("flatten", "x.flatten()"), ("transpose", "np.transpose(x)")):
        t.add("shapes", name, numpy, f"{name}(x)", SOME, over(SHAPES))
    for name in "transpose", "permute_dims":
        t.add("shapes", name, f"np.{name}(x, s)", f"{name}(x, s)", SOME, shaped([("matrix", (1, 0)), ("cube", (2, 0, 1)), ("cube", (-1, 0, 1)), ("no_cube", (1, 2, 0)), ("scalar", ()), ("cube", (0, 0, 1)),
              ("cube", (0, 1)), ("cube", (0, 1, 3)), ("vector", (0,)), ("rank4", (3, 1, 2, 0)), ("nans", (1, 0))]))
    axes = [("matrix", 0, 1), ("cube", 0, -1), ("cube", -2, 2), ("vector", 0, 0), ("no_cube", 0, 1), ("matrix", 0, 2), ("matrix", -3, 0), ("scalar", 0, 0), ("rank4", 1, 3), ("nans", -1, -2)]
    for name in "swapaxes", "moveaxis":
        t.add("shapes", name, f"np.{name}(x, a, b)", f"{name}(x, a, b)", SOME, [dict(x=x, a=a, b=b) for x, a, b in axes])
    t.add("shapes", "moveaxis", "np.moveaxis(x, s, t)", "moveaxis(x, s, t)", SOME, [dict(x="cube", s=(0, 1), t=(-1, 0)), dict(x="rank4", s=(0, 2), t=(1, 3)), dict(x="cube", s=(0, 0), t=(0, 1)), dict(x="cube", s=(0,), t=(0, 1))])
    t.add("shapes", "squeeze", "np.squeeze(x)", "squeeze(x)", SOME, over(SHAPES + " single column ones_between"))
    t.add("shapes", "squeeze", "np.squeeze(x, axis=s)", "squeeze(x, s)", SOME, shaped([("single", (0,)), ("column", (-1,)), ("column", (1,)), ("column", (0,)), ("ones_between", (0, 2)), ("matrix", (5,)), ("scalar", (0,)), ("ones_between", (0, 0))]))
    t.add("shapes", "expand_dims", "np.expand_dims(x, s)", "expand_dims(x, s)", SOME, shaped([("vector", (0,)), ("vector", (-1,)), ("matrix", (1,)), ("matrix", (0, -1)), ("scalar", (0,)), ("none", (1,)), ("matrix", (4,)),
          ("matrix", (0, 0)), ("cube", (-4,)), ("cube", (-5,)), ("nans", (1,))]))
    t.add("shapes", "broadcast_to", "np.broadcast_to(x, s)", "broadcast_to(x, s)", SOME, shaped([("row", (3, 4)), ("column", (3, 4)), ("scalar", (2, 3)), ("one", (0,)), ("none", (2, 0)), ("matrix", (2, 3, 4)), ("matrix", (4,)),
          ("matrix", (3, 5)), ("scalar", ()), ("row", (2, 0, 4)), ("nans", (1, 3, 4)), ("one", (-1,))]))
    t.add("shapes", "broadcast_arrays", "np.broadcast_arrays(x, y)", "broadcast_arrays(x, y)", SOME, [dict(x="column", y="row"), dict(x="scalar", y="matrix"), dict(x="no_rows", y="scalar"), dict(x="matrix", y="vector"),
          dict(x="scalar", y="scalar"), dict(x="nans", y="column")])
    t.add("shapes", "flip", "np.flip(x)", "flip(x)", SOME, over(SHAPES))
    t.add("shapes", "flip", "np.flip(x, axis=a)", "flip(x, {a})", SOME, along("vector matrix cube no_cube none"))
    for name in "fliplr", "flipud":
        t.add("shapes", name, f"np.{name}(x)", f"{name}(x)", SOME, over(SHAPES))
    t.add("shapes", "rot90", "np.rot90(x, n)", "rot90(x, n)", SOME, times(over("matrix cube no_rows vector scalar nans"), n=[-1, 0, 1, 2, 3, 4, 7]))
    t.add("shapes", "rot90", "np.rot90(x, n, s)", "rot90(x, n, s)", SOME, [dict(x="cube", n=1, s=(1, 2)), dict(x="cube", n=1, s=(-1, 0)), dict(x="cube", n=1, s=(0, 0)), dict(x="matrix", n=1, s=(0, 3)), dict(x="cube", n=1, s=(2, -1))])
    for name in "atleast_1d", "atleast_2d", "atleast_3d":
        t.add("shapes", name, f"np.{name}(x)", f"{name}(x)", SOME, over(SHAPES))
    parts = [("vector", 7), ("vector", 3), ("matrix", 3), ("matrix", 2), ("none", 2), ("cube", 2), ("no_rows", 1), ("scalar", 1), ("matrix", 0), ("nans", 3)]
    for name in "split", "array_split":
        t.add("shapes", name, f"np.{name}(x, n)", f"{name}(x, n)", SOME, [dict(x=x, n=n) for x, n in parts])
        t.add("shapes", name, f"np.{name}(x, n, a)", f"{name}(x, n, a)", SOME, times(along("matrix cube"), n=[2, 3]))
        t.add("shapes", name, f"np.{name}(x, v, a)", f"{name}(x, v, a)", SOME, times(along("matrix vector", outside=False), v=[[1], [1, 2], [2, 1], [0, 9], [-1]]))
    t.add("shapes", "sliding_window_view", "np.lib.stride_tricks.sliding_window_view(x, s)", "sliding_window_view(x, s)", SOME, shaped([("vector", (3,)), ("matrix", (2, 2)), ("vector", (8,)), ("matrix", (2,)), ("vector", (7,)), ("none", (1,)),
          ("nans", (1, 4)), ("vector", (0,)), ("scalar", ()), ("vector", (-1,))]))
    t.add("shapes", "sliding_window_view", "np.lib.stride_tricks.sliding_window_view(x, s, t)", "sliding_window_view(x, s, t)", SOME, [dict(x="matrix", s=(2,), t=(-1,)), dict(x="cube", s=(2, 2), t=(0, 2)), dict(x="matrix", s=(2,), t=(2,)),
          dict(x="vector", s=(2, 2), t=(0, 0)), dict(x="no_rows", s=(2,), t=(1,))])


def add_diagonals(t):
    for name in "tril", "triu":
        t.add("shapes", name, f"np.{name}(x, n)", f"{name}(x, n)", ALL, times(over("matrix cube no_rows single nans vector square"), n=[-9, -1, 0, 1, 3]))
    t.add("shapes", "diag", "np.diag(x, n)", "diag(x, n)", SOME, times(over("vector none matrix no_rows square cube scalar nan_vector"), n=[-2, -1, 0, 1, 5]))
    t.add("shapes", "diagonal", "np.diagonal(x, n)", "diagonal(x, n)", SOME, times(over("matrix cube no_cube vector square nans scalar"), n=[-2, 0, 1, 5]))
    t.add("shapes", "diagonal", "np.diagonal(x, n, a, b)", "diagonal(x, n, a, b)", SOME, [dict(x="cube", n=0, a=1, b=2), dict(x="cube", n=1, a=-1, b=0), dict(x="cube", n=0, a=0, b=0), dict(x="matrix", n=0, a=0, b=2), dict(x="cube", n=-1, a=2, b=1)])
    t.add("shapes", "trace", "np.trace(x, n)", "trace(x, n)", ALL, times(over("matrix cube square no_rows nans vector"), n=[-1, 0, 1, 7]))
    t.add("shapes", "trace", "np.trace(x, n, a, b)", "trace(x, n, a, b)", ALL, [dict(x="cube", n=0, a=1, b=2), dict(x="cube", n=0, a=-1, b=0), dict(x="cube", n=0, a=1, b=1), dict(x="cube", n=0, a=1, b=3)])
    t.add("shapes", "vander", "np.vander(x)", "vander(x)", ["int32", "float64", "complex128"], over("vector none one matrix scalar nan_vector"), 16)
    t.add("shapes", "vander", "np.vander(x, increasing=True)", "vander(x, {.increasing = true})", ["int32", "float64", "complex128"], over("vector none"), 16)
    t.add("shapes", "vander", "np.vander(x, n, increasing=True)", "vander(x, n, {.increasing = true})", ["int32", "float64", "complex128"], times(over("vector none"), n=[0, 1, 3, -1]), 16)
    for indexing in "xy", "ij":
        t.add("shapes", "meshgrid", f"np.meshgrid(x, y, indexing='{indexing}')", f"meshgrid(x, y, {{.indexing = \"{indexing}\"}})", SOME,
              [dict(x="vector", y="row"), dict(x="none", y="row"), dict(x="scalar", y="row"), dict(x="scalar", y="scalar"), dict(x="nan_vector", y="pair")])


def add_makers(t):
    sizes = [(), (0,), (3,), (2, 0, 3), (2, 3), (1, 1), (4, 1, 2)]
    for name in "zeros", "ones":
        t.add("makers", name, f"np.{name}(s, T)", f"{name}<T>(s)", ALL, [dict(s=s) for s in sizes + [(-1,), (2, -3)]])
        t.add("makers", name, f"np.{name}(s)", f"{name}(s)", ["float64"], [dict(s=s) for s in sizes])
        t.add("makers", name + "_like", f"np.{name}_like(x)", f"{name}_like(x)", ALL, over("scalar none matrix no_cube cube nans"))
    t.add("makers", "full", "np.full(s, 7, T)", "full<T>(s, 7)", NUMBERS, [dict(s=s) for s in sizes])
    t.add("makers", "full_like", "np.full_like(x, 3)", "full_like(x, 3)", NUMBERS, over("scalar none matrix no_cube cube nans"))
    ranges = [(0, 10, 1), (5, -5, -2), (0, 0, 1), (3, 1, 1), (-3, 9, 4), (0, 5, 0), (7, 7, -1)]
    t.add("makers", "arange", "np.arange(a, b, n)", "arange(a, b, n)", ["int64"], [dict(a=a, b=b, n=n) for a, b, n in ranges])
    t.add("makers", "arange", "np.arange(a, dtype=T)", "arange<T>(a)", [x for x in REAL_NUMBERS], [dict(a=a) for a in (0, 1, 9, -3)])
    t.add("makers", "arange", "np.arange(p, q, 0.3)", "arange(p, q, 0.3)", ["float64"], [dict(p=p, q=q) for p, q in ((0, 1), (0.5, 3.1), (1, 0), (0, 0), (-2.5, 2.5), (0, 0.9))], 16, True)
    for name in "linspace", "logspace", "geomspace":
        low, high = (1, 8) if name == "geomspace" else (-1, 2.5)
        cases = [dict(p=p, q=q, n=n) for p, q in ((low, high), (high, low), (low, low)) for n in (0, 1, 2, 5, 50)] + [dict(p=low, q=high, n=-1)]
        t.add("makers", name, f"np.{name}(p, q, n)", f"{name}(p, q, n)", ["float64"], cases, 16)
        t.add("makers", name, f"np.{name}(p, q, n, dtype=T)", f"{name}<T>(p, q, n)", WIDE, cases[:5], 16)
        t.add("makers", name, f"np.{name}(p, q, n, endpoint=False)", f"{name}(p, q, n, {{.endpoint = false}})", ["float64"], cases, 16)
    ends = [dict(x=x, y=y, n=n) for x, y in (("vector", "vector2"), ("scalar", "row"), ("column", "row"), ("matrix", "scalar"), ("none", "none"), ("vector", "row")) for n in (0, 1, 2, 5)] + [dict(x="vector", y="vector2", n=-1)]
    t.add("makers", "linspace", "np.linspace(x, y, n)", "linspace(x, y, n)", WIDE + ["int32", "complex64", "complex128"], ends, 16, True)
    t.add("makers", "linspace", "np.linspace(x, y, n, endpoint=False)", "linspace(x, y, n, {.endpoint = false})", ["int64", "float64"], ends, 16, True)
    t.add("makers", "linspace", "np.linspace(x, 3, 4, axis=a)", "linspace(x, 3, 4, {.axis = a})", ["float64"], [dict(x=x, a=a) for x in ("matrix", "vector", "scalar") for a in (-3, -1, 0, 1, 2)], 16, True)
    t.add("makers", "logspace", "np.logspace(x / 4, 1, n)", "logspace(x / 4, 1, n)", ["float64"], [dict(x=x, n=n) for x in ("matrix", "vector", "none") for n in (0, 1, 3)], 64)
    t.add("makers", "logspace", "np.logspace(-1, 2, 4, base=np.abs(x) + 1)", "logspace(-1, 2, 4, {.base = abs(x) + 1})", ["float64"], over("vector matrix scalar none"), 64)
    t.add("makers", "geomspace", "np.geomspace(np.abs(x) + 1, 9, n)", "geomspace(abs(x) + 1, 9, n)", ["float64"], [dict(x=x, n=n) for x in ("matrix", "vector", "none") for n in (0, 1, 2, 5)], 64)
    t.add("makers", "geomspace", "np.geomspace(1j, 1000j, n)", "geomspace(std::complex(0.0, 1.0), std::complex(0.0, 1000.0), n)", ["complex128"], [dict(n=n) for n in (0, 1, 2, 5)], 64, True)
    t.add("makers", "geomspace", "np.geomspace(-1 + 0j, 1 + 0j, n)", "geomspace(std::complex(-1.0, 0.0), std::complex(1.0, 0.0), n)", ["complex128"], [dict(n=n) for n in (1, 2, 5)], 64, True)
    t.add("makers", "full", "np.full(s, x)", "full(s, x)", ALL, [dict(x="row", s=s) for s in ((3, 4), (4,), (0, 4), (3, 5), (2, 3, 4))] + [dict(x="scalar", s=(2, 2))])
    t.add("makers", "full_like", "np.full_like(x, y)", "full_like(x, y)", ALL, [dict(x="matrix", y=y) for y in ("row", "scalar", "column", "vector")])
    t.add("makers", "linspace", "np.linspace(p, q, n, dtype=T)", "linspace<T>(p, q, n)", ["int32"], [dict(p=-3, q=3, n=5), dict(p=0, q=10, n=4), dict(p=-2.5, q=2.5, n=4)])
    t.add("makers", "logspace", "np.logspace(p, q, n, base=2)", "logspace(p, q, n, {.base = 2})", ["float64"], [dict(p=0, q=3, n=4), dict(p=-1, q=1, n=1)], 16)
    t.add("makers", "geomspace", "np.geomspace(p, q, n)", "geomspace(p, q, n)", ["float64"], [dict(p=-1, q=-8, n=4), dict(p=0, q=8, n=4), dict(p=-1, q=8, n=4)], 16)
    square = [dict(n=n) for n in (0, 1, 3, -1)]
    for name in "eye", "identity", "tri":
        t.add("makers", name, f"np.{name}(n, dtype=T)", f"{name}<T>(n)", ["bool", "int32", "float64", "complex128"], square)
    for name in "eye", "tri":
        t.add("makers", name, f"np.{name}(n, k, a, dtype=T)", f"{name}<T>(n, k, a)", ["int32", "float64"], [dict(n=n, k=k, a=a) for n, k in ((3, 4), (4, 2), (0, 3), (2, 0)) for a in (-5, -1, 0, 1, 7)])
    t.add("makers", "indices", "tuple(np.indices((2, 3), sparse=True))", "[&] { auto r = indices({2, 3}, {.sparse = true}); return std::tuple(r[0], r[1]); }()", ["int64"], [dict()])
    t.add("makers", "linspace", "tuple(np.linspace(p, q, n, retstep=True))", "[&] { auto r = linspace(p, q, n, {.retstep = true}); return std::tuple(r.samples, full({}, r.step)); }()", ["float64"], [dict(p=2.0, q=3.0, n=5), dict(p=0.0, q=-1.0, n=2), dict(p=0.0, q=1.0, n=1), dict(p=0.0, q=1.0, n=0)], 16)
    t.add("makers", "linspace", "tuple(np.linspace(x, y, 4, endpoint=False, retstep=True))", "[&] { auto r = linspace(x, y, 4, {.retstep = true, .endpoint = false}); return std::tuple(r.samples, r.step); }()", ["float64"], [dict(x="vector", y="vector2"), dict(x="column", y="row"), dict(x="none", y="none")], 16)
    t.add("makers", "indices", "np.indices(s)", "indices(s)", ["int64"], [dict(s=s) for s in sizes])
    t.add("makers", "from_function", "np.fromfunction(lambda i, j: i * 10 + j, s, dtype=np.int64)", "from_function<std::int64_t>(s, [](const auto& first, const auto&... more) { return ((first * 10) + ... + more); })", ["int64"], [dict(s=s) for s in ((2, 3), (0, 3), (3, 0), (1, 1), (4, 2), (7, 1), (1, 7), (2, 2), (3, 3), (5, 4), (2, 9), (6, 1))])


def add_to(t):
    add_views(t)
    add_diagonals(t)
    add_makers(t)
