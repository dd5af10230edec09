"""Joining, repeating, padding, inserting."""
from table import *

SOME = ["bool", "int32", "float64", "complex128"]
PAIRS = [("vector", "vector2"), ("none", "vector"), ("matrix", "matrix2"), ("no_rows", "no_rows"), ("scalar", "scalar"), ("matrix", "row"), ("cube", "cube"), ("one", "vector"), ("nans", "matrix"), ("square", "column"),
         ("matrix", "column"), ("no_cube", "no_cube")]


def add_to(t):
    pairs = [dict(x=x, y=y) for x, y in PAIRS]
    for name in "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack":
        t.add("joins", name, f"np.{name}((x, y))", f"{name}(std::tuple(x, y))", SOME, pairs)
    for name in "concatenate", "stack":
        t.add("joins", name, f"np.{name}((x, y), axis=a)", f"{name}(std::tuple(x, y), a)", SOME, [dict(c, a=a) for c in pairs for a in (-3, -2, -1, 0, 1, 2, 3)])
        for letter in "miw":
            t.add("joins", name, f"np.{name}((x, {letter}), axis=a)", f"{name}(std::tuple(x, {letter}), a)", ALL, [{"x": "row", letter: "row", "a": 0}, {"x": "row", letter: "row", "a": -1}])
    t.add("joins", "append", "np.append(x, y)", "append(x, y)", SOME, pairs)
    t.add("joins", "append", "np.append(x, y, axis=a)", "append(x, y, a)", SOME, [dict(c, a=a) for c in pairs for a in (-1, 0, 1)])
    t.add("joins", "tile", "np.tile(x, s)", "tile(x, s)", SOME, [dict(x=x, s=s) for x in ("scalar", "none", "vector", "matrix", "cube", "nans") for s in ((2,), (0,), (2, 3), (1, 2, 2), (2, 1))])
    for n in (0, 1, 3):
        t.add("joins", "repeat", f"np.repeat(x, {n})", f"repeat(x, {n})", SOME, over("scalar none vector matrix cube nans"))
        t.add("joins", "repeat", f"np.repeat(x, {n}, axis=a)", f"repeat(x, {n}, a)", SOME, along("vector matrix cube no_rows"))
    t.add("joins", "repeat", "np.repeat(x, v, axis=a)", "repeat(x, v, a)", SOME, [dict(x="matrix", v=[1, 0, 2], a=0), dict(x="matrix", v=[2], a=-1), dict(x="matrix", v=[1, 2], a=1), dict(x="matrix", v=[1, -1, 2], a=0), dict(x="vector", v=[0, 1, 2, 3, 0, 1, 1], a=-1)])
    t.add("joins", "roll", "np.roll(x, n)", "roll(x, n)", SOME, times(over("scalar none vector matrix cube nans no_rows"), n=[-15, -1, 0, 1, 3, 7, 100]))
    t.add("joins", "roll", "np.roll(x, n, axis=a)", "roll(x, n, a)", SOME, times(along("vector matrix cube no_cube"), n=[-1, 0, 2, 9]))
    t.add("joins", "roll", "np.roll(x, s, axis=t)", "roll(x, s, t)", SOME, [dict(x="matrix", s=(1, -2), t=(0, 1)), dict(x="matrix", s=(1, 2), t=(-1, -1)), dict(x="matrix", s=(1,), t=(0, 1)), dict(x="matrix", s=(1, 2), t=(0,)), dict(x="cube", s=(1, 1, 1), t=(0, 1, 2))])
    for mode in "constant", "edge", "reflect", "symmetric", "wrap":
        cases = times(over("vector matrix one scalar none no_rows nans"), n=[0, 1, 2, 3, 9, -1])
        t.add("joins", "pad", f"np.pad(x, n, mode='{mode}')", f"pad(x, n, {{.mode = \"{mode}\"}})", SOME, cases)
        t.add("joins", "pad", f"np.pad(x, (n, k), mode='{mode}')", f"pad(x, {{n, k}}, {{.mode = \"{mode}\"}})", SOME, [dict(x=x, n=n, k=k) for x in ("vector", "matrix") for n, k in ((0, 2), (3, 0), (5, 11))])
        t.add("joins", "pad", f"np.pad(x, ((1, 2), (0, 3)), mode='{mode}')", f"pad(x, {{{{1, 2}}, {{0, 3}}}}, {{.mode = \"{mode}\"}})", SOME, over("matrix single nans vector cube"))
    t.add("joins", "pad", "np.pad(x, n, constant_values=3)", "pad(x, n, {.constant_values = 3})", ["int32", "float64"], times(over("vector matrix none"), n=[0, 2]))
    sides = lambda numpy, cpp: t.add("joins", "pad", f"np.pad(x, ((1, 2), (0, 3)), {numpy})", f"pad(x, {{{{1, 2}}, {{0, 3}}}}, {{{cpp}}})", ["int32", "float64"], over("matrix single nans vector cube no_rows"), 8)
    sides("constant_values=((4, 5), (6, 7))", ".constant_values = {{4, 5}, {6, 7}}")
    sides("mode='linear_ramp', end_values=((4, 5), (6, 7))", ".mode = \"linear_ramp\", .end_values = {{4, 5}, {6, 7}}")
    for mode in "maximum", "minimum", "mean", "median":
        sides(f"mode='{mode}', stat_length=((1, 2), (2, 3))", f".mode = \"{mode}\", .stat_length = {{{{1, 2}}, {{2, 3}}}}")
    t.add("joins", "pad", "np.pad(x, n, constant_values=(4, -5))", "pad(x, n, {.constant_values = {4, -5}})", ["int32", "float64"], times(over("vector matrix none scalar"), n=[0, 2]))
    places = [dict(x=x, n=n) for x in ("vector", "none", "scalar", "matrix", "nans") for n in (-1, 0, 1, 5, 99, -99)]
    t.add("joins", "insert", "np.insert(x, n, 3)", "insert(x, n, 3)", ["int32", "float64", "complex128"], places)
    t.add("joins", "insert", "np.insert(x, n, 3, axis=a)", "insert(x, n, 3, a)", ["int32", "float64", "complex128"], times(along("vector matrix cube"), n=[0, 1, -1, 2]))
    t.add("joins", "insert", "np.insert(x, n, y, axis=a)", "insert(x, n, y, a)", ["int32", "float64"], [dict(x="matrix", y="row", n=1, a=0), dict(x="matrix", y="scalar", n=1, a=-1), dict(x="matrix", y="row", n=1, a=1), dict(x="vector", y="row", n=2, a=0), dict(x="matrix", y="matrix2", n=0, a=0)])
    t.add("joins", "insert", "np.insert(x, v, y, axis=a)", "insert(x, v, y, a)", ["int32", "float64"], [dict(x="matrix", y="row", v=[0, 2], a=0), dict(x="vector", y="pair", v=[1, 1], a=0), dict(x="vector", y="pair", v=[5, -1], a=-1), dict(x="vector", y="scalar", v=[0, 7], a=0),
          dict(x="vector", y="pair", v=[1, 99], a=0), dict(x="none", y="pair", v=[0, 0], a=0)])
    t.add("joins", "delete_", "np.delete(x, n)", "delete_(x, n)", SOME, places)
    t.add("joins", "delete_", "np.delete(x, n, axis=a)", "delete_(x, n, a)", SOME, times(along("vector matrix cube"), n=[0, 1, -1, 2]))
    t.add("joins", "delete_", "np.delete(x, v, axis=a)", "delete_(x, v, a)", SOME, times(along("vector matrix"), v=[[0, 1], [-1, 0], [1, 1], [0, 9]]))
    for numpy, cpp in (("1:5:2", "slice(1, 5, 2)"), ("::-2", "slice(none, none, -2)"), (":-1", "slice(none, -1)"), ("7:2", "slice(7, 2)")):
        t.add("joins", "delete_", f"np.delete(x, np.s_[{numpy}], axis=a)", f"delete_(x, {cpp}, a)", SOME, along("vector matrix cube no_rows"))
        t.add("joins", "delete_", f"np.delete(x, np.s_[{numpy}])", f"delete_(x, {cpp})", SOME, over("vector matrix none nans scalar"))
    t.add("joins", "delete_", "np.delete(x, m, axis=a)", "delete_(x, m, a)", SOME, [dict(x="vector", m="mask7", a=-1), dict(x="matrix", m="third", a=0), dict(x="matrix", m="mask_row", a=-1), dict(x="matrix", m="third", a=1), dict(x="none", m="none", a=0), dict(x="nans", m="third", a=2)])
    t.add("joins", "delete_", "np.delete(x, i, axis=a)", "delete_(x, i, a)", SOME, [dict(x="matrix", i=i, a=a) for i in ("places", "far", "far_below", "none") for a in (0, -1)])
