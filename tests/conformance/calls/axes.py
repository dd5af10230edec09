"""Reductions, running sums and what else goes along axes."""
from table import *

SHAPES = "scalar one none vector matrix no_rows no_columns cube nans all_nan infinite zeros"
ALONG = "one none vector matrix no_rows cube no_cube nans nan_cube"


def reduction(t, name, numpy, types, tolerance=0, like=None, sinter=None, options=True, scaled=False):
    f = sinter or name
    add = lambda n, s, cases: t.add("axes", name, n, s, types, cases, tolerance, scaled, like)
    add(f"{numpy}(x)", f"{f}(x)", over(SHAPES))
    add(f"{numpy}(x, axis=a)", f"{f}(x, a)", along(ALONG))
    add(f"{numpy}(x, axis=a, keepdims=True)", f"{f}(x, a, keepdims)", along("one vector matrix nans no_cube"))
    if not options:
        return
    add(f"{numpy}(x, keepdims=True)", f"{f}(x, keepdims)", over("scalar none vector matrix cube"))
    add(f"{numpy}(x, axis=(0, -1))", f"{f}(x, {{0, -1}})", over("matrix cube no_cube nan_cube vector"))
    add(f"{numpy}(x, axis=(1, 0), keepdims=True)", f"{f}(x, {{1, 0}}, keepdims)", over("matrix cube rank4"))


def add_to(t):
    for name, types in (("sum", ALL), ("prod", ALL), ("min", REAL), ("max", REAL), ("any", ALL), ("all", ALL), ("amin", WIDE), ("amax", WIDE)):
        reduction(t, name, f"np.{name}", types, tolerance={"prod": 4, "sum": 0}.get(name, 1))
    for name in "argmin", "argmax":
        reduction(t, name, f"np.{name}", REAL, options=False)
    reduction(t, "count_nonzero", "np.count_nonzero", ALL)
    half = {"bool": "float64"}
    for name, f in (("mean", "mean"), ("var", "var"), ("std", "stddev"), ("nanmean", "nanmean"), ("nanvar", "nanvar"), ("nanstd", "nanstd")):
        reduction(t, f, f"np.{name}", ALL, 8, sinter=f, scaled=True)
    reduction(t, "ptp", "np.ptp", REAL_NUMBERS)
    for name in "nansum", "nanprod":
        reduction(t, name, f"np.{name}", ALL, 4)
    for name in "nanmin", "nanmax":
        reduction(t, name, f"np.{name}", REAL, 1)
    for name in "nanargmin", "nanargmax":
        reduction(t, name, f"np.{name}", REAL, options=False)
    for name in "median", "nanmedian":
        reduction(t, name, f"np.{name}", REAL, 2)

    masked = times(over("matrix nans"), m=["mask", "mask_row", "no_mask"]) + [dict(x="matrix", m="vector"), dict(x="scalar", m="place")]
    masked = [dict(c, m=c["m"] if c["m"] != "place" else "place") for c in masked]
    for name in "sum", "prod":
        t.add("axes", name, f"np.{name}(x, where=m)", f"{name}(x, {{.where = m}})", ALL, masked, 4)
        t.add("axes", name, f"np.{name}(x, axis=a, initial=n, where=m)", f"{name}(x, a, {{.initial = n, .where = m}})", NUMBERS,
              along("matrix nans", m="mask", n=3), 4)
        t.add("axes", name, f"np.{name}(x, initial=n)", f"{name}(x, {{.initial = n}})", NUMBERS, over("none matrix scalar", n=2), 4)
    for name in "min", "max":
        t.add("axes", name, f"np.{name}(x, axis=a, initial=n, where=m)", f"{name}(x, a, {{.initial = n, .where = m}})", REAL_NUMBERS,
              along("matrix nans", m="mask", n=5))
        t.add("axes", name, f"np.{name}(x, initial=n)", f"{name}(x, {{.initial = n}})", REAL_NUMBERS, over("none matrix scalar no_rows", n=2))
    for name in "any", "all", "mean":
        t.add("axes", name, f"np.{name}(x, where=m)", f"{name}(x, {{.where = m}})", ALL, masked, 8, True)
        t.add("axes", name, f"np.{name}(x, axis=a, where=m)", f"{name}(x, a, {{.where = m}})", ALL, along("matrix nans", m="mask"), 8, True)
    for name, f in (("var", "var"), ("std", "stddev"), ("nanvar", "nanvar"), ("nanstd", "nanstd")):
        t.add("axes", f, f"np.{name}(x, axis=a, ddof=1)", f"{f}(x, a, {{.ddof = 1}})", ALL, along("vector matrix nans one"), 8, True)
    t.add("axes", "sum", "np.sum(x, axis=a, dtype=np.float64)", "sum<double>(x, a)", REAL, along("vector matrix"))
    t.add("axes", "average", "np.average(x)", "average(x)", ALL, over("scalar one vector matrix cube nans"), 8, True)
    weighted = [dict(x="matrix", w="weights", a=1), dict(x="cube", w="weights", a=-1), dict(x="matrix", w="weights3", a=0), dict(x="matrix", w="weights", a=2)]
    t.add("axes", "average", "np.average(x, axis=a, weights=w)", "average(x, {.axis = a, .weights = w})", ["int32", "float64"], weighted, 16, True)
    t.add("axes", "average", "tuple(np.average(x, axis=a, weights=w, returned=True))", "[&] { auto r = average(x, {.returned = true, .axis = a, .weights = w}); return std::tuple(r.average, r.sum_of_weights); }()", ["int32", "float64"], weighted, 16, True)
    for name, f in (("var", "var"), ("std", "stddev")):
        t.add("axes", f, f"np.{name}(x, axis=a, mean=np.mean(x, axis=a, keepdims=True))", f"{f}(x, a, {{.mean = mean(x, a, keepdims)}})", ["int32", "float64", "complex128"], along("vector matrix cube", outside=False), 64, True)
        t.add("axes", f, f"np.{name}(x, axis=a, correction=1)", f"{f}(x, a, {{.correction = 1}})", WIDE + ["int32"], along("vector matrix cube", outside=False), 64, True)
    t.add("axes", "average", "np.average(x, axis=a)", "average(x, a)", ALL, along("vector matrix cube"), 8, True)
    t.add("axes", "average", "np.average(x, axis=a, weights=w)", "average(x, a, w)", ["int32", "float64"],
          [dict(x="matrix", a=1, w="weights"), dict(x="matrix", a=-1, w="weights"), dict(x="matrix", a=0, w="weights3"), dict(x="row", a=0, w="weights"),
           dict(x="matrix", a=0, w="weights"), dict(x="matrix", a=1, w="zeros")], 8, True)

    for name, numpy, types in (("cumsum", "np.cumsum", ALL), ("cumprod", "np.cumprod", ALL), ("nancumsum", "np.nancumsum", ALL),
                               ("nancumprod", "np.nancumprod", ALL), ("cummax", "np.maximum.accumulate", REAL),
                               ("cummin", "np.minimum.accumulate", REAL)):
        flat = f"{numpy}(x)" if not numpy.endswith("accumulate") else f"{numpy}(x.ravel())"
        t.add("scans", name, flat, f"{name}(x)", types, over(SHAPES), 8, True)
        t.add("scans", name, f"{numpy}(x, axis=a)", f"{name}(x, a)", types, along(ALONG), 8, True)
    t.add("scans", "diff", "np.diff(x)", "diff(x)", ALL, over("scalar one none vector matrix no_rows cube nans"))
    t.add("scans", "diff", "np.diff(x, n, a)", "diff(x, n, a)", ALL, times(along("vector matrix cube one"), n=[0, 1, 2, 9]))
    t.add("scans", "diff", "np.diff(x, -1)", "diff(x, -1)", WIDE, over("vector"))
    t.add("scans", "diff", "np.diff(x, axis=a, prepend=x, append=x)", "diff(x, {.axis = a, .prepend = x, .append = x})", NUMBERS, along("vector matrix"))
    t.add("scans", "ediff1d", "np.ediff1d(x)", "ediff1d(x)", NUMBERS, over("one none vector matrix nans"))
    t.add("scans", "ediff1d", "np.ediff1d(x, y, 7)", "ediff1d(x, {.to_end = y, .to_begin = 7})", ["int32", "int64", "float32", "float64", "complex128"], [dict(x=x, y=y) for x in ("one", "none", "vector", "matrix") for y in ("pair", "scalar", "none", "matrix2")])
    t.add("scans", "trapezoid", "np.trapezoid(x, dx=2, axis=a)", "trapezoid(x, {.dx = 2, .axis = a})", WIDE, along("vector matrix cube"), 8, True)
    t.add("scans", "trapezoid", "np.trapezoid(x, dx=p)", "trapezoid(x, p)", REAL_NUMBERS, over("one none vector matrix cube nans scalar", p=0.5), 4, True)
    t.add("scans", "trapezoid", "np.trapezoid(x, axis=a)", "trapezoid(x, 1.0, a)", REAL_NUMBERS, along("vector matrix cube"), 4, True)
    t.add("scans", "trapezoid", "np.trapezoid(x, y, axis=a)", "trapezoid(x, y, a)", ["float64"], [dict(x="wide", y="wide", a=0),
          dict(x="matrix", y="rising4", a=-1), dict(x="matrix", y="rising4", a=1), dict(x="matrix", y="matrix2", a=-1)], 4, True)
    t.add("scans", "unwrap", "np.unwrap(x)", "unwrap(x)", ["int32", "float32", "float64"], over("one vector matrix cube none nans"), 8, True)
    t.add("scans", "unwrap", "np.unwrap(x, axis=a)", "unwrap(x, a)", WIDE, along("vector matrix"), 8, True)
    t.add("scans", "unwrap", "np.unwrap(x, period=6)", "unwrap(x, {.period = 6})", ["int32", "float64"], over("vector matrix"), 8, True)
    for name in "softmax", "log_softmax":
        t.add("axes", name, f"scipy.special.{name}(x)", f"{name}(x)", WIDE, over("one vector matrix cube"), 16, True)
        t.add("axes", name, f"scipy.special.{name}(x, axis=a)", f"{name}(x, a)", WIDE, along("vector matrix nans"), 16, True)
    t.add("axes", "logsumexp", "scipy.special.logsumexp(x)", "logsumexp(x)", WIDE, over("one none scalar vector matrix cube nans"), 16)
    t.add("axes", "logsumexp", "scipy.special.logsumexp(x, axis=a)", "logsumexp(x, a)", WIDE, along("vector matrix", outside=False), 16)
    t.add("axes", "logsumexp", "scipy.special.logsumexp(x, axis=a, keepdims=True)", "logsumexp(x, a, keepdims)", WIDE, along("matrix", outside=False), 16)
