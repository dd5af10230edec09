"""Operators, beside numbers and beside arrays of other types, and compound assignments."""
from table import *

ONE = "special scalar none matrix no_cube"


def add_to(t):
    for op in "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=":
        types = NUMBERS if op in ("+", "-", "*", "/", "==", "!=") else REAL_NUMBERS
        for number in "2", "2.5":
            name = f"operator{op}"
            t.add("operators", name, f"x {op} {number}", f"x {op} {number}", types, over(ONE), 4)
            t.add("operators", name, f"{number} {op} x", f"{number} {op} x", types, over(ONE), 4)
        pairs = [{"x": x, y: z} for x in ("matrix", "scalar", "none") for y, z in (("i", "row"), ("w", "row"), ("i", "scalar"), ("w", "scalar"))]
        for other in "iw":
            cases = [c for c in pairs if other in c and not (c["x"] == "none" and c[other] == "row")]
            t.add("operators", f"operator{op}", f"x {op} {other}", f"x {op} {other}", types, cases, 4)
    for op in "&", "|", "^":
        t.add("operators", f"operator{op}", f"x {op} 1", f"x {op} 1", INTEGERS, over(ONE))
        t.add("operators", f"operator{op}", f"x {op} i", f"x {op} i", [x for x in INTEGERS if x != "uint64"], [dict(x="matrix", i="row"), dict(x="none", i="scalar")])
    for op in "<<", ">>":
        t.add("operators", f"operator{op}", f"x {op} 2", f"x {op} 2", INTEGERS, over(ONE))
    t.add("operators", "operator-", "-x", "-x", NUMBERS, over(ONE))
    t.add("operators", "operator~", "~x", "~x", INTEGERS + ["bool"], over(ONE))
    t.add("operators", "operator!", "np.logical_not(x)", "!x", ALL, over(ONE))
    t.add("operators", "operator&&", "(x > 0) & (x < 3)", "x > 0 && x < 3", REAL_NUMBERS, over(ONE))
    t.add("operators", "operator||", "(x < 0) | (x > 3)", "x < 0 || x > 3", REAL_NUMBERS, over(ONE))
    t.add("operators", "operator+", "x + 300", "x + 300", ["int8", "uint8", "int32"], over("matrix scalar"))
    t.add("operators", "operator-", "x - 1", "x - 1", ["uint8", "uint64"], over("matrix special"))
    for op, method in (("+=", "__iadd__"), ("-=", "__isub__"), ("*=", "__imul__")):
        t.add("operators", f"operator{op}", f"x.copy().{method}(y)", f"[&] {{ array<T> u = x; u {op} y; return u; }}()", NUMBERS,
              [dict(x="matrix", y="row"), dict(x="matrix", y="column"), dict(x="matrix", y="scalar"), dict(x="none", y="scalar"), dict(x="row", y="matrix"), dict(x="matrix", y="vector"), dict(x="nans", y="matrix"), dict(x="scalar", y="scalar")])
        t.add("operators", f"operator{op}", f"x.copy().{method}(3)", f"[&] {{ array<T> u = x; u {op} 3; return u; }}()", NUMBERS, over(ONE))
    t.add("operators", "operator/=", "x.copy().__itruediv__(y)", "[&] { array<T> u = x; u /= y; return u; }()", FLOATS + ["complex64", "complex128"], [dict(x="matrix", y="row"), dict(x="nans", y="scalar"), dict(x="none", y="scalar")], 8)
