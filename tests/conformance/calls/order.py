"""Sorting, searching, selecting, sets."""
from table import *

LINES = "one none vector matrix cube no_cube no_rows nans nan_vector infinite zeros repeats repeats_matrix special"
FLAT = "scalar one none vector matrix no_rows nan_vector infinite zeros repeats repeats_matrix"


def add_to(t):
    for name in "sort", "argsort":
        kind = "" if name == "sort" else ", kind='stable'"
        t.add("order", name, f"np.{name}(x{kind})", f"{name}(x)", ALL, over(LINES + " scalar"), 0 if name == "argsort" else 1)
        t.add("order", name, f"np.{name}(x, axis=a{kind})", f"{name}(x, a)", ALL, along(LINES), 0 if name == "argsort" else 1)
    t.add("order", "sort", "np.flip(np.sort(x))", "sort(x, {.descending = true})", NUMBERS, over("vector none repeats"), 1)
    t.add("order", "sort", "np.sort(x, axis=0)", "sort(x, {.axis = 0})", REAL, over("vector matrix cube no_cube"), 1)
    t.add("order", "sort_complex", "np.sort_complex(x)", "sort_complex(x)", ALL, over("scalar one none vector matrix no_cube nans nan_vector zeros special"), 1)
    kth = [dict(x="vector", k=0), dict(x="vector", k=3), dict(x="vector", k=-1), dict(x="matrix", k=1), dict(x="repeats", k=5), dict(x="nan_vector", k=4),
           dict(x="vector", k=7), dict(x="vector", k=-8), dict(x="one", k=0), dict(x="none", k=0), dict(x="scalar", k=0), dict(x="no_rows", k=1), dict(x="matrix", k=9)]
    t.add("order", "partition", "np.partition(x, k)[..., k]", "array<T>(partition(x, k))(ellipsis, k)", REAL, [c for c in kth if c["x"] not in ("scalar",)], 1)
    t.add("order", "partition", "np.sort(np.partition(x, k, axis=a), axis=a)", "partition(x, k, a)", REAL, times(along("vector matrix cube"), k=[0, 1, -1]), 1)
    t.add("order", "partition", "np.sort(np.partition(x, (0, 1), axis=a), axis=a)", "partition(x, {0, 1}, a)", REAL, along("vector matrix cube"), 1)
    t.add("order", "argpartition", "np.sort(np.take_along_axis(x, np.argpartition(x, (0, 1), axis=a), a), a)", "take_along_axis(x, argpartition(x, {0, 1}, a), a)", ["int32", "float64"], along("matrix cube", outside=False), 1)
    t.add("order", "argpartition", "np.sort(np.take_along_axis(x, np.argpartition(x, k, axis=a), a), a)", "take_along_axis(x, argpartition(x, k, a), a)", REAL,
          times(along("vector matrix cube nan_vector", outside=False), k=[0, 1, -1]) + [dict(x="vector", k=9, a=0), dict(x="none", k=0, a=0), dict(x="scalar", k=0, a=-1)], 1)
    t.add("order", "topk", "np.flip(np.sort(x, axis=a), axis=a).take(range(k), axis=a)", "topk(x, k, a).values", REAL_NUMBERS,
          times(along("vector matrix cube repeats no_rows", outside=False), k=[0, 1, 2]) + [dict(x="no_cube", k=0, a=-1), dict(x="none", k=0, a=0)], 1)
    searched = [dict(x="sorted", y=y) for y in ("scalar", "vector", "matrix", "none", "nan_vector", "no_rows", "sorted")] + [dict(x="none", y="vector"), dict(x="one", y="vector"),
                dict(x="matrix", y="vector"), dict(x="scalar", y="vector")]
    t.add("order", "searchsorted", "np.searchsorted(x, y)", "searchsorted(x, y)", ALL, searched)
    t.add("order", "searchsorted", "np.searchsorted(x, y, side='right')", "searchsorted(x, y, side::right)", ALL, searched)
    t.add("order", "searchsorted", "np.searchsorted(x, y, sorter=np.argsort(x, kind='stable'))", "searchsorted(x, y, {.sorter = argsort(x)})", REAL,
          [dict(x="vector", y="matrix"), dict(x="repeats", y="scalar"), dict(x="none", y="vector")])
    t.add("order", "searchsorted", "np.searchsorted(x, [-10, 2, 30])", "searchsorted(x, {-10, 2, 30})", ["int32", "float64"], over("sorted none one"))
    t.add("order", "searchsorted", "np.searchsorted(x, 2)", "searchsorted(x, 2)", REAL_NUMBERS, over("sorted none one"))
    t.add("order", "unique", "np.unique(x)", "unique(x)", ALL, over(FLAT + " cube"), 1)
    t.add("order", "unique_counts", "tuple(np.unique_counts(x))", "[&] { auto u = unique_counts(x); return std::tuple(u.values, u.counts); }()", ALL, over(FLAT), 1)
    t.add("order", "unique_inverse", "tuple(np.unique_inverse(x))", "[&] { auto u = unique_inverse(x); return std::tuple(u.values, u.inverse_indices); }()", ALL, over(FLAT), 1)
    t.add("order", "unique_all", "tuple(np.unique_all(x))",
          "[&] { auto u = unique_all(x); return std::tuple(u.values, u.indices, u.inverse_indices, u.counts); }()", ALL, over(FLAT), 1)
    two = [dict(x="repeats", y="repeats2"), dict(x="vector", y="vector2"), dict(x="none", y="repeats"), dict(x="repeats", y="none"), dict(x="scalar", y="vector"), dict(x="matrix", y="repeats_matrix"),
           dict(x="nan_vector", y="nan_vector"), dict(x="no_rows", y="no_rows"), dict(x="zeros", y="infinite"), dict(x="repeats", y="scalar")]
    for name in "intersect1d", "union1d", "setdiff1d":
        t.add("order", name, f"np.{name}(x, y)", f"{name}(x, y)", ALL, two, 1)
    t.add("order", "setdiff1d", "np.setdiff1d(x, y, assume_unique=True)", "setdiff1d(x, y, {.assume_unique = true})", NUMBERS, [dict(x="rising", y="repeats2"), dict(x="none", y="one")], 1)
    t.add("order", "intersect1d", "tuple(np.intersect1d(x, y, return_indices=True))", "[&] { auto r = intersect1d(x, y, {.return_indices = true}); return std::tuple(r.values, r.indices_of_a, r.indices_of_b); }()", ["int32", "int64", "float64"],
          [dict(x=x, y=y) for x in ("vector", "repeats_matrix", "none", "scalar") for y in ("vector2", "matrix", "repeats", "one")], 1)
    t.add("order", "intersect1d", "np.intersect1d(x, y, assume_unique=True)", "intersect1d(x, y, {.assume_unique = true})", NUMBERS, [dict(x="rising", y="rising4"), dict(x="none", y="one")], 1)
    for invert, option in ((False, "false"), (True, "true")):
        t.add("order", "isin", f"np.isin(x, y, invert={invert})", f"isin(x, y, {{.invert = {option}}})", ALL, two)
    t.add("order", "isin", "np.isin(x, [1, 2])", "isin(x, {1, 2})", REAL_NUMBERS, over("repeats scalar none matrix nans"))
