"""Functions of single elements, of every type; without a C++ row, as they are asked by the operation's name."""
from table import *

WIDENED = {t: "float64" for t in ("bool", "int8", "int16", "uint8", "uint16")}
INTS = [t for t in TYPES if np.dtype(t).kind in "iu"]
FLOAT = [t for t in TYPES if np.dtype(t).kind == "f"]
COMPLEX = [t for t in TYPES if np.dtype(t).kind == "c"]
ONE = over("special scalar none matrix no_cube cube all_nan")
ONE_UNIT = over("special scalar none unit no_cube cube shares all_nan")
TWO = [dict(x="special_x", y="special_y"), dict(x="scalar", y="scalar"), dict(x="none", y="none"), dict(x="matrix", y="matrix2"),
       dict(x="matrix", y="row"), dict(x="column", y="row"), dict(x="no_rows", y="scalar"), dict(x="cube", y="matrix"),
       dict(x="matrix", y="scalar"), dict(x="matrix", y="vector"), dict(x="cube", y="square")]

# name: NumPy's expression, types, tolerance
UNARY = {
    "negative": (None, INTS + FLOAT + COMPLEX, 0), "positive": (None, INTS + FLOAT + COMPLEX, 0), "absolute": (None, TYPES, 2),
    "square": (None, INTS + FLOAT + COMPLEX, 2), "reciprocal": (None, INTS + FLOAT + COMPLEX, 4), "fabs": (None, FLOAT, 0),
    "sign": (None, INTS + FLOAT + COMPLEX, 2), "abs2": ("np.real(x * np.conj(x)).astype(abs(x).dtype)", FLOAT, 2),
    "sqrt": (None, TYPES, 4), "cbrt": (None, FLOAT, 4), "rsqrt": ("(1 / np.sqrt(x)).astype(x.dtype)", FLOAT, 4),
    "exp": (None, TYPES, 8), "exp2": (None, TYPES, 8), "expm1": (None, TYPES, 8), "log": (None, TYPES, 8), "log2": (None, TYPES, 8),
    "log10": (None, TYPES, 8), "log1p": (None, TYPES, 8), "sin": (None, TYPES, 8), "cos": (None, TYPES, 8), "tan": (None, TYPES, 8),
    "arcsin": (None, TYPES, 8), "arccos": (None, TYPES, 8), "arctan": (None, TYPES, 8), "sinh": (None, TYPES, 8), "cosh": (None, TYPES, 8),
    "tanh": (None, TYPES, 8), "arcsinh": (None, TYPES, 8), "arccosh": (None, TYPES, 8), "arctanh": (None, TYPES, 8),
    "deg2rad": (None, FLOAT, 4), "rad2deg": (None, FLOAT, 4), "sinc": (None, FLOAT, 16),
    "floor": (None, INTS + FLOAT, 0), "ceil": (None, INTS + FLOAT, 0), "trunc": (None, INTS + FLOAT, 0), "rint": (None, FLOAT, 0),
    "spacing": (None, FLOAT, 0), "signbit": (None, INTS + FLOAT, 0), "isnan": (None, TYPES, 0), "isinf": (None, TYPES, 0),
    "isfinite": (None, TYPES, 0), "isposinf": (None, INTS + FLOAT, 0), "isneginf": (None, INTS + FLOAT, 0), "logical_not": (None, TYPES, 0),
    "invert": (None, ["bool"] + INTS, 0), "popcount": ("np.bitwise_count(x)", INTS, 0), "real": (None, TYPES, 0), "imag": (None, TYPES, 0),
    "conj": (None, INTS + FLOAT + COMPLEX, 0), "angle": (None, FLOAT + COMPLEX, 8),
}
SPECIAL = {"erf": 8, "erfc": 16, "erfinv": 16, "erfcinv": 16, "gamma": 32, "lgamma": 32, "digamma": 64, "i0": 16, "i1": 16, "j0": 64, "j1": 64,
           "ndtr": 64, "ndtri": 32, "logit": 16, "expit": 16, "entr": 16}
SCIPY = {"lgamma": "gammaln"}
BINARY = {
    "add": (TYPES, 0), "subtract": (INTS + FLOAT + COMPLEX, 0), "multiply": (TYPES, 2), "divide": (TYPES, 8), "floor_divide": (INTS + FLOAT, 0),
    "remainder": (INTS + FLOAT, 0), "fmod": (INTS + FLOAT, 0), "copysign": (FLOAT, 0), "heaviside": (FLOAT, 0), "gcd": (INTS, 0), "lcm": (INTS, 0),
    "power": (FLOAT, 16), "logaddexp": (FLOAT, 16), "logaddexp2": (FLOAT, 16), "arctan2": (FLOAT, 8), "hypot": (FLOAT, 4),
    "nextafter": (FLOAT, 1), "maximum": (["bool"] + INTS + FLOAT, 1), "minimum": (["bool"] + INTS + FLOAT, 1),
    "fmax": (["bool"] + INTS + FLOAT, 1), "fmin": (["bool"] + INTS + FLOAT, 1), "equal": (TYPES, 0), "not_equal": (TYPES, 0),
    "less": (["bool"] + INTS + FLOAT, 0), "less_equal": (["bool"] + INTS + FLOAT, 0), "greater": (["bool"] + INTS + FLOAT, 0),
    "greater_equal": (["bool"] + INTS + FLOAT, 0), "logical_and": (TYPES, 0), "logical_or": (TYPES, 0), "logical_xor": (TYPES, 0),
    "bitwise_and": (["bool"] + INTS, 0), "bitwise_or": (["bool"] + INTS, 0), "bitwise_xor": (["bool"] + INTS, 0), "left_shift": (INTS, 0),
    "right_shift": (INTS, 0),
}
MIXED = ("add", "multiply", "divide", "maximum", "less", "equal")


def add_operations(t):
    for name, (numpy, types, tolerance) in UNARY.items():
        t.add("elements", name, numpy or f"np.{name}(x)", None, types, ONE, tolerance, name == "sinc", like=WIDENED if tolerance == 8 or name == "sqrt" else None)
    for name, tolerance in SPECIAL.items():
        t.add("elements", name, f"scipy.special.{SCIPY.get(name, name)}(x)", None, WIDE, ONE_UNIT, tolerance)
    for name, (types, tolerance) in BINARY.items():
        t.add("elements", name, f"np.{name}(x, y)", None, types, TWO, tolerance, like=WIDENED if name == "divide" else None)
    # Their powers' logarithms are as large as 30, and so many times an error: NumPy's own powers are 17 times epsilon from the truth.
    t.add("elements", "power", "np.power(x, y)", None, COMPLEX, TWO, 48)
    for name, tolerance in (("beta", 256), ("betaln", 256), ("xlogy", 16)):
        t.add("elements", name, f"scipy.special.{name}(x, y)", None, WIDE, [dict(x="positive", y="positive"), dict(x="positive_vector", y="one"),
              dict(x="none", y="none"), dict(x="no_rows", y="row"), dict(x="no_rows", y="scalar"), dict(x="one", y="one"), dict(x="all_nan", y="scalar"), dict(x="scalar", y="all_nan")], tolerance)
    pairs = [dict(x="special", y=f"{u}:vector") for u in TYPES] + [dict(x="matrix", y=f"{u}:row") for u in TYPES] + \
            [dict(x="scalar", y=f"{u}:scalar") for u in TYPES]
    pairs = [dict(x="vector", y=f"{u}:vector2") for u in TYPES] + pairs[len(TYPES):]
    for name in MIXED:
        types = TYPES if name not in ("maximum", "less") else [x for x in TYPES if not x.startswith("complex")]
        cases = [c for c in pairs if name not in ("maximum", "less") or ":" not in c["y"] or not c["y"].startswith("complex")]
        t.add("mixed", name, f"np.{name}(x, y)", None, types, cases, 8 if name == "divide" else 4)
    for name in "where",:
        t.add("elements", name, "np.where(x, y, z)", None, TYPES, [dict(x="bool:mask", y="matrix", z="matrix2"), dict(x="bool:mask", y="matrix", z="scalar"),
              dict(x="bool:mask_row", y="column", z="row"), dict(x="bool:no_rows", y="no_rows", z="scalar"), dict(x="matrix", y="matrix2", z="scalar"),
              dict(x="bool:scalar", y="scalar", z="scalar"), dict(x="bool:scalar", y="special", z="special"), dict(x="bool:mask", y="vector", z="matrix")])


def add_to(t):
    add_operations(t)
    two = over("matrix special", y="scalar") + [dict(x="matrix", y="matrix2"), dict(x="matrix", y="row"), dict(x="none", y="none"), dict(x="scalar", y="scalar"),
                                                dict(x="special_x", y="special_y"), dict(x="matrix", y="vector")]
    for name, f in (("divmod", "divmod"),):
        t.add("elements", name, "np.divmod(x, y)", "divmod(x, y)", REAL_NUMBERS, two)
    t.add("elements", "modf", "np.modf(x)", "modf(x)", FLOATS, ONE)
    t.add("elements", "frexp", "np.frexp(x)", "frexp(x)", FLOATS, over("scalar none matrix no_cube cube unit zeros all_nan"))
    t.add("elements", "ldexp", "np.ldexp(x, j)", "ldexp(x, j)", FLOATS, [dict(x="special", j="place"), dict(x="matrix", j="row"), dict(x="none", j="place"),
          dict(x="scalar", j="scalar"), dict(x="nans", j="row"), dict(x="matrix", j="vector")])
    for name in "maximum", "minimum", "fmax", "fmin", "hypot", "arctan2", "copysign":
        t.add("elements", name, f"np.{name}(x, 2)", f"{name}(x, 2)", FLOATS, over("special scalar none matrix"), 8)
    t.add("elements", "clip", "np.clip(x, -2, 3)", "clip(x, -2, 3)", [x for x in REAL_NUMBERS if not x.startswith("uint")], ONE)
    t.add("elements", "clip", "np.clip(x, y, z)", "clip(x, y, z)", REAL_NUMBERS, [dict(x="matrix", y="scalar", z="row"), dict(x="special", y="scalar", z="scalar"),
          dict(x="none", y="none", z="scalar"), dict(x="scalar", y="scalar", z="scalar"), dict(x="nans", y="matrix", z="matrix2"), dict(x="matrix", y="vector", z="row")])
    t.add("elements", "where", "np.where(x > y, x, y)", "where(x > y, x, y)", REAL, two)
    for word in "True", "False":
        t.add("elements", "where", f"np.where({word}, x, y)", f"where({word.lower()}, x, y)", ALL, two)
    t.add("elements", "where", "np.where(2, x, 3)", "where(2, x, 3)", NUMBERS, over("scalar none vector matrix nans"))
    t.add("elements", "where", "np.where(m, x, 3)", "where(m, x, 3)", NUMBERS, [dict(m="mask", x="matrix"), dict(m="mask_row", x="scalar"), dict(m="mask", x="no_cube")])
    for d in (0, 1, 2, -1):
        types = REAL_NUMBERS if d <= 0 else FLOATS
        for name in "round", "around":
            t.add("elements", name, f"np.{name}(x, {d})", f"{name}(x, {d})", types, over("special scalar none matrix positive cube"), 2)
    t.add("elements", "nan_to_num", "np.nan_to_num(x)", "nan_to_num(x)", ALL, ONE + over("nans all_nan"))
    t.add("elements", "nan_to_num", "np.nan_to_num(x, nan=1, posinf=2, neginf=-3)", "nan_to_num(x, {.nan = 1, .posinf = 2, .neginf = -3})", FLOATS + ["complex64", "complex128"], ONE + over("nans"))
    t.add("elements", "angle", "np.angle(x, deg=True)", "angle(x, {.deg = true})", WIDE + ["int32", "complex64", "complex128"], over("scalar none vector matrix nans"), 8)
    close = two + [dict(x="nans", y="nans"), dict(x="zeros", y="zeros"), dict(x="infinite", y="infinite")]
    t.add("elements", "isclose", "np.isclose(x, y)", "isclose(x, y)", REAL_NUMBERS + ["complex128"], close)
    t.add("elements", "isclose", "np.isclose(x, y, rtol=0.5, atol=1, equal_nan=True)", "isclose(x, y, {.rtol = 0.5, .atol = 1, .equal_nan = true})", REAL_NUMBERS, close)
    t.add("elements", "allclose", "np.allclose(x, y)", "allclose(x, y)", REAL_NUMBERS + ["complex128"], close)
    t.add("elements", "allclose", "np.allclose(x, y, equal_nan=True)", "allclose(x, y, {.equal_nan = true})", FLOATS, close)
    t.add("elements", "array_equal", "np.array_equal(x, y)", "array_equal(x, y)", ALL, close)
    t.add("elements", "array_equal", "np.array_equal(x, y, equal_nan=True)", "array_equal(x, y, {.equal_nan = true})", FLOATS, close)
    lists = [dict(x="matrix", y="matrix2", m="mask"), dict(x="nans", y="scalar", m="mask_row"), dict(x="none", y="none", m="none"), dict(x="scalar", y="scalar", m="scalar")]
    t.add("elements", "select", "np.select([m, x > y], [x, y], 3)", "select<T>({array<bool>(m), array<bool>(x > y)}, {x, y}, T(3))", REAL_NUMBERS, lists)
    chosen = [dict(i="int64:repeats_matrix", x="matrix", y="matrix2", z="scalar"), dict(i="int64:place", x="scalar", y="vector", z="scalar"), dict(i="int64:place", x="scalar", y="scalar", z="scalar"),
              dict(i="int64:none", x="none", y="scalar", z="none"), dict(i="int64:far", x="pair", y="pair", z="pair"), dict(i="int64:far_below", x="pair", y="pair", z="pair")]
    t.add("elements", "choose", "np.choose(np.clip(i, 0, 2), [-10, 10, 7])", "choose(clip(i, 0, 2), {-10, 10, 7})", ["int64"], [dict(i=i) for i in ("counts", "place", "none", "repeats_matrix")])
    t.add("elements", "nan_to_num", "np.nan_to_num(x, nan=y, posinf=7)", "nan_to_num(x, {.nan = y, .posinf = 7})", FLOATS, [dict(x=x, y=y) for x in ("nans", "matrix", "none") for y in ("scalar", "row")] + [dict(x="nans", y="vector")])
    for d in (1, 2, -1):
        t.add("elements", "round", f"np.round(x, {d})", f"round(x, {d})", ["complex64", "complex128"], over("scalar none vector matrix cube"), 4)
    t.add("elements", "choose", "np.choose(i, (x, y, z))", "choose(i, std::tuple(x, y, z))", ALL, chosen)
    for mode in "wrap", "clip":
        t.add("elements", "choose", f"np.choose(i, (x, y, z), mode='{mode}')", f"choose(i, std::tuple(x, y, z), {{.mode = \"{mode}\"}})", ["int32", "float64"], chosen)
    t.add("elements", "power", "np.power(x, y)", "power(x, y)", REAL_NUMBERS, [dict(x="matrix", y="positive"), dict(x="none", y="none"), dict(x="scalar", y="one"), dict(x="vector", y="positive_vector")], 8)
    for n in (0, 1, 2, 3, 5):
        t.add("elements", "power", f"np.power(x, {n})", f"power(x, {n})", NUMBERS, over("matrix special scalar none"), 8)
    t.add("elements", "power", "np.power(x, 0.5)", "power(x, 0.5)", WIDE, over("positive special scalar none"), 8)
    t.add("elements", "power", "np.power(x, -1)", "power(x, -1)", REAL_NUMBERS, over("positive matrix"), 8)
    for name, numpy, tolerance in (("relu", "np.maximum(x, 0)", 32), ("softplus", "np.logaddexp(x, 0).astype(x.dtype)", 32),
                                   ("gelu", "(x * scipy.special.ndtr(x)).astype(x.dtype)", SPECIAL["ndtr"]),
                                   ("sigmoid", "scipy.special.expit(x)", 32)):
        t.add("elements", name, numpy, f"{name}(x)", WIDE, over("scalar none matrix no_cube cube nans"), tolerance)
    t.add("elements", "gelu_tanh", "(x * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))).astype(x.dtype)", "gelu_tanh(x)", WIDE,
          over("none unit no_cube cube nans shares no_rows"), 64, True)
    for cast, cpp in (("float64", "double"), ("float32", "float"), ("int32", "std::int32_t"), ("bool", "bool"), ("complex128", "std::complex<double>"), ("float16", "half")):
        from_types = ALL if cast in ("complex128", "bool") else REAL
        t.add("elements", "astype", f"x.astype(np.{cast})", f"astype<{cpp}>(x)", from_types, over("scalar none matrix no_cube" + (" special nans" if cast != "int32" else "")))
    add_aliases(t)


def add_aliases(t):
    pairs = {"abs": "absolute", "mod": "remainder", "pow": "power", "true_divide": "divide", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
             "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "degrees": "rad2deg", "radians": "deg2rad", "fix": "trunc", "conjugate": "conj"}
    for name in pairs:
        binary = name in ("mod", "pow", "true_divide", "atan2")
        cases = [dict(x="matrix", y="positive"), dict(x="none", y="none"), dict(x="scalar", y="one"), dict(x="nans", y="row"), dict(x="no_rows", y="row"), dict(x="special_x", y="special_y")] \
            if binary else over("scalar none unit no_cube cube nans")
        operands = "x, y" if binary else "x"
        t.add("elements", name, f"np.{name}({operands})", f"{name}({operands})", WIDE, cases, 16)
    for name in "bitwise_not", "bitwise_invert", "bitwise_count":
        t.add("elements", name, f"np.{name}(x)", f"{name}(x)", INTEGERS, over("scalar none matrix special no_cube"))
    for name in "bitwise_left_shift", "bitwise_right_shift":
        t.add("elements", name, f"np.{name}(x, y)", f"{name}(x, y)", INTEGERS, [dict(x="matrix", y="positive"), dict(x="none", y="none"), dict(x="scalar", y="one"), dict(x="special_x", y="special_y")])
