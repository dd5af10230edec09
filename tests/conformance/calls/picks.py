"""Indices, masks, and assignments to parts."""
from table import *

SOME = ["bool", "int32", "float64", "complex128"]


def changed(text, python=None):
    return "[&] { array<T> u = x; " + text + "; return u; }()"


def add_to(t):
    places = [dict(x=x, i=i) for x in ("matrix", "vector", "nans", "scalar", "none", "cube", "no_rows") for i in ("places", "places_matrix", "place", "none", "far", "far_below")]
    t.add("picks", "take", "np.take(x, i)", "take(x, i)", SOME, places)
    t.add("picks", "take", "np.take(x, i, axis=a)", "take(x, i, a)", SOME, [dict(c, i=i) for c in along("matrix cube vector no_cube") for i in ("places", "place", "places_matrix", "far", "none")])
    t.add("picks", "take", "np.take(x, n, axis=a)", "take(x, n, a)", SOME, times(along("matrix vector"), n=[0, -1, 9]))
    t.add("picks", "take_along_axis", "np.take_along_axis(x, i, a)", "take_along_axis(x, i, a)", SOME, [dict(x="matrix", i="along0", a=0), dict(x="matrix", i="along0", a=-2), dict(x="matrix", i="along1", a=1), dict(x="matrix", i="along1", a=-1),
          dict(x="vector", i="places", a=0), dict(x="matrix", i="places", a=0), dict(x="matrix", i="along0", a=2), dict(x="vector", i="far", a=0), dict(x="none", i="none", a=0), dict(x="nans", i="along1", a=1), dict(x="scalar", i="place", a=0),
          dict(x="no_rows", i="along1", a=0)])
    t.add("picks", "compress", "np.compress(m, x)", "compress(m, x)", SOME, [dict(m=m, x=x) for m in ("third", "none", "mask7", "mask") for x in ("vector", "matrix", "scalar", "none", "nans")])
    t.add("picks", "compress", "np.compress(m, x, axis=a)", "compress(m, x, a)", SOME, [dict(m=m, x=x, a=a) for m in ("third", "none", "mask_row", "mask7") for x in ("vector", "matrix") for a in (-1, 0, 1)])
    for name in "nonzero", "flatnonzero", "argwhere":
        t.add("picks", name, f"np.{name}(x)", f"{name}(x)", ALL, over("scalar one none vector matrix cube no_cube repeats_matrix nans"))
    t.add("picks", "unravel_index", "np.unravel_index(i, s)", "unravel_index(i, s)", ["float64"], [dict(i=i, s=s) for i in ("counts", "place", "none", "far", "far_below", "repeats_matrix") for s in ((3, 4), (10,), (2, 2, 2), (0, 3))])
    t.add("picks", "unravel_index", "np.unravel_index(i, s, order='F')", "unravel_index(i, s, {.order = 'F'})", ["float64"], [dict(i=i, s=s) for i in ("counts", "none", "far") for s in ((3, 4), (10,), (2, 2, 2))])
    for mode in "wrap", "clip":
        t.add("picks", "ravel_multi_index", f"np.ravel_multi_index((i, j), s, mode='{mode}')", f"ravel_multi_index(std::tuple(i, j), s, {{.mode = \"{mode}\"}})", ["float64"], [dict(i=i, j=j, s=s) for i, j in (("counts", "far"), ("far_below", "place"), ("none", "none")) for s in ((3, 4), (1, 9))])
    t.add("picks", "ravel_multi_index", "np.ravel_multi_index((i, j), s, order='F')", "ravel_multi_index(std::tuple(i, j), s, {.order = 'F'})", ["float64"], [dict(i=i, j=j, s=s) for i, j in (("counts", "counts"), ("far", "place")) for s in ((9, 7), (3, 4))])
    t.add("picks", "ravel_multi_index", "np.ravel_multi_index((i, j), s)", "ravel_multi_index(std::tuple(i, j), s)", ["float64"], [dict(i=i, j=j, s=s) for i, j in (("counts", "counts"), ("place", "repeats"), ("none", "none"), ("far", "place"), ("repeats_matrix", "place"))
          for s in ((8, 9), (8,), (2, 3))])
    for numpy, sinter in (("x[1]", "array<T>(x(1))"), ("x[-1]", "array<T>(x(-1))"), ("x[1:]", "x(slice(1, none))"), ("x[::2]", "x(slice(none, none, 2))"), ("x[::-1]", "x(slice(none, none, -1))"), ("x[5:1:-2]", "x(slice(5, 1, -2))"),
                          ("x[-2:]", "x(slice(-2, none))"), ("x[9:]", "x(slice(9, none))"), ("x[np.newaxis]", "x(newaxis)"), ("x[..., 0]", "x(ellipsis, 0)"), ("x[..., np.newaxis]", "x(ellipsis, newaxis)"), ("x[:-9]", "x(slice(none, -9))")):
        t.add("indices", "operator()", numpy, sinter, ["int32", "float64"], over("scalar one none vector matrix cube no_cube"))
    for numpy, sinter in (("x[1, 2]", "array<T>(x(1, 2))"), ("x[:, 1]", "x(all, 1)"), ("x[1:, ::-1]", "x(slice(1, none), slice(none, none, -1))"), ("x[:, np.newaxis, 0]", "x(all, newaxis, 0)"), ("x[0, ...]", "x(0, ellipsis)"), ("x[:, 9]", "x(all, 9)")):
        t.add("indices", "operator()", numpy, sinter, ["int32", "float64"], over("vector matrix cube no_cube"))
    t.add("indices", "operator()", "x[i]", "x(i)", SOME, places)
    t.add("indices", "operator()", "x[:, i]", "x(all, i)", SOME, [dict(x=x, i=i) for x in ("matrix", "cube", "vector", "no_rows") for i in ("places", "place", "places_matrix", "far")])
    t.add("indices", "operator()", "x[i, j]", "x(i, j)", SOME, [dict(x=x, i=i, j=j) for x in ("matrix", "cube") for i, j in (("places", "places"), ("places", "place"), ("places_matrix", "pair"), ("place", "place"), ("places", "far"), ("places", "places_matrix"))])
    t.add("indices", "operator[]", "x[m]", "x[m]", SOME, [dict(x="matrix", m="mask"), dict(x="matrix", m="third"), dict(x="matrix", m="no_mask"), dict(x="vector", m="mask7"), dict(x="none", m="none"), dict(x="matrix", m="mask7"), dict(x="cube", m="mask"), dict(x="nans", m="mask"), dict(x="scalar", m="scalar"),
          dict(x="no_rows", m="no_rows")])
    put_in(t)


def assigned(text):
    """NumPy's statement as an expression: the changed copy."""
    return "(lambda u: [" + text + ", u][-1])(x.copy())"


def put_in(t):
    values = [("scalar", "place"), ("row", "places"), ("pair", "places_matrix"), ("one", "none"), ("scalar", "far"), ("none", "places"), ("matrix", "places"), ("scalar", "far_below")]
    t.add("puts", "put", assigned("np.put(u, i, y)"), changed("put(u, i, y)"), SOME, [dict(x=x, y=y, i=i) for x in ("matrix", "vector", "none", "nans") for y, i in values])
    t.add("puts", "put_along_axis", assigned("np.put_along_axis(u, i, y, a)"), changed("put_along_axis(u, i, y, a)"), SOME, [dict(x="matrix", i="along0", y="row", a=0), dict(x="matrix", i="along0", y="scalar", a=-2), dict(x="matrix", i="along1", y="column", a=1),
          dict(x="matrix", i="along1", y="scalar", a=-1), dict(x="vector", i="places", y="scalar", a=0), dict(x="matrix", i="places", y="scalar", a=0), dict(x="matrix", i="along0", y="scalar", a=2), dict(x="vector", i="far", y="scalar", a=0), dict(x="none", i="none", y="scalar", a=0),
          dict(x="nans", i="along1", y="scalar", a=1), dict(x="scalar", i="place", y="scalar", a=0), dict(x="matrix", i="along0", y="vector", a=0)])
    for name, numpy in (("scatter_add", "np.add"), ("scatter_max", "np.maximum"), ("scatter_min", "np.minimum")):
        types = ["int32", "float32", "float64"]
        t.add("puts", name, assigned(f"{numpy}.at(u, i, y)"), changed(f"{name}(u, i, y)"), types, [dict(x=x, y=y, i=i) for x, y in (("vector", "scalar"), ("matrix", "row"), ("nan_vector", "scalar"), ("vector", "vector2"), ("scalar", "scalar")) for i in ("places", "place", "none", "far")], 2)
    # JAX's: numbers that are no segment are left out.
    within = "[(i >= 0) & (i < 8)]"
    for name, numpy, start in (("segment_sum", "np.add", "0"), ("segment_min", "np.minimum", "np.inf"), ("segment_max", "np.maximum", "-np.inf")):
        t.add("puts", name, f"(lambda r: [{numpy}.at(r, i{within}, x{within}), r][-1])(np.full((8,) + x.shape[1:], {start}, x.dtype))",
              f"{name}(x, i, {{.num_segments = 8}})", WIDE, [dict(x="vector", i="counts"), dict(x="none", i="none"), dict(x="vector2", i="mask7"), dict(x="matrix", i="third"), dict(x="nans", i="third"),
              dict(x="no_columns", i="weights3"), dict(x="row", i="mask_row")], 1)
    for numpy, sinter in (("u.__setitem__(i, y)", "u(i) = y"), ("u.__setitem__(m, y)", "u[m] = y"), ("u.__setitem__(slice(1, None), y)", "u(slice(1, none)) = y"), ("u.__setitem__((Ellipsis, 0), y)", "u(ellipsis, 0) = y"),
                          ("u.__setitem__(slice(None, None, -1), y)", "u(slice(none, none, -1)) = y")):
        extra = [dict(i=i) for i in ("places", "place", "far")] if "(i" in numpy else [dict(m=m) for m in ("mask", "third", "no_mask", "mask7")] if "(m" in numpy else [{}]
        t.add("puts", "operator()=", assigned(numpy), changed(sinter), SOME, [dict(x=x, y=y, **e) for x, y in (("matrix", "scalar"), ("matrix", "row"), ("vector", "one"), ("matrix", "vector"), ("none", "scalar"), ("cube", "matrix"), ("nans", "column")) for e in extra])
