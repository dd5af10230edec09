"""Parts and blocks, bits, positions, elements that masks and diagonals write, polynomials' coefficients, products of vectors."""
from calls.joins import PAIRS
from calls.order import FLAT
from calls.picks import assigned, changed
from calls.shapes import SHAPES
from table import *

SOME = ["bool", "int32", "float64", "complex128"]
NUMERIC = ["int32", "float32", "float64", "complex128"]


def pairs_of(text):
    """Operands `x-y`."""
    return [dict(zip("xy", pair.split("-"))) for pair in text.split()]


def add_parts(t):
    for name in "hsplit", "vsplit", "dsplit":
        t.add("parts", name, f"np.{name}(x, n)", f"{name}(x, n)", SOME, times(over("scalar none vector matrix cube no_cube nans"), n=[0, 1, 2, 3]))
        t.add("parts", name, f"np.{name}(x, v)", f"{name}(x, v)", SOME, times(over("vector matrix cube nan_cube"), v=[[1], [1, 2], [2, 1], [0, 9], [-1]]))
    t.add("parts", "unstack", "np.unstack(x)", "unstack(x)", SOME, over(SHAPES))
    t.add("parts", "unstack", "np.unstack(x, axis=a)", "unstack(x, a)", SOME, along("vector matrix cube no_cube nans"))
    t.add("parts", "concat", "np.concat((x, y))", "concat(std::tuple(x, y))", SOME, [dict(x=x, y=y) for x, y in PAIRS])
    t.add("parts", "concat", "np.concat((x, y), axis=a)", "concat(std::tuple(x, y), a)", SOME, [dict(x=x, y=y, a=a) for x, y in PAIRS for a in (-2, -1, 0, 1)])
    blocks = pairs_of("matrix-matrix2 vector-vector2 scalar-scalar none-vector no_rows-no_rows cube-cube matrix-column column-matrix vector-scalar nans-column matrix-cube pair-single row-no_rows square-stack stack-square")
    t.add("parts", "block", "np.block([x, y])", "block({x, y})", SOME, blocks)
    t.add("parts", "block", "np.block([[x, y], [y, x]])", "block({{x, y}, {y, x}})", SOME, blocks)
    t.add("parts", "block", "np.block([[x], [y]])", "block({{x}, {y}})", SOME, blocks)
    for name in "cumulative_sum", "cumulative_prod":
        t.add("parts", name, f"np.{name}(x)", f"{name}(x)", ALL, over("scalar one none vector matrix nan_vector"), 8, True)
        t.add("parts", name, f"np.{name}(x, include_initial=True)", f"{name}(x, {{.include_initial = true}})", SOME, over("none vector"), 8, True)
        t.add("parts", name, f"np.{name}(x, axis=a, include_initial=True)", f"{name}(x, a, {{.include_initial = true}})", SOME, along("matrix cube no_cube", outside=False), 8, True)
        t.add("parts", name, f"np.{name}(x, axis=a)", f"{name}(x, a)", ALL, along("vector matrix cube no_cube nans"), 8, True)
    t.add("parts", "matrix_transpose", "np.matrix_transpose(x)", "matrix_transpose(x)", SOME, over(SHAPES + " stack"))
    t.add("parts", "unique_values", "np.sort(np.unique_values(x))", "unique_values(x)", ALL, over(FLAT), 1)
    two = pairs_of("repeats-repeats2 vector-vector2 none-repeats repeats-none scalar-vector matrix-repeats_matrix nan_vector-vector nan_vector-nan_vector no_rows-no_rows zeros-infinite repeats-scalar")
    t.add("parts", "setxor1d", "np.setxor1d(x, y)", "setxor1d(x, y)", ALL, two, 1)
    for trim in "fb", "f", "b", "middle":
        t.add("parts", "trim_zeros", f"np.trim_zeros(x, '{trim}')", f"trim_zeros(x, \"{trim}\")", SOME, over("vector none one zeros mask7 counts third nan_vector scalar matrix cube no_rows"))
    t.add("parts", "trim_zeros", "np.trim_zeros(np.pad(x, ((1, 2), (3, 0))), axis=a)", "trim_zeros(pad(x, {{1, 2}, {3, 0}}), {.axis = a})", ["int32", "float64"], [dict(x=x, a=a) for x in ("matrix", "no_rows", "nans") for a in (-2, -1, 0, 1, 2)])
    for trim in "f", "b":
        t.add("parts", "trim_zeros", f"np.trim_zeros(np.pad(x, ((1, 2), (3, 0))), '{trim}')", f"trim_zeros(pad(x, {{{{1, 2}}, {{3, 0}}}}), \"{trim}\")", ["int32", "float64"], over("matrix no_rows nans"))
    t.add("parts", "resize", "np.resize(x, s)", "resize(x, s)", SOME, [dict(x=x, s=s) for x in ("scalar", "none", "vector", "matrix", "no_rows", "nans") for s in ((), (0,), (3,), (2, 7), (5, 0), (2, 3, 4), (-1,))])


def add_bits(t):
    types = ["bool", "int32", "uint8"]
    for order in "big", "little":
        t.add("bits", "packbits", f"np.packbits(x, bitorder='{order}')", f"packbits(x, {{.bitorder = \"{order}\"}})", types, over("scalar one none vector long eight matrix cube no_cube mask7 special"))
        t.add("bits", "packbits", f"np.packbits(x, a, bitorder='{order}')", f"packbits(x, a, {{.bitorder = \"{order}\"}})", types, along("long matrix four_by_eight no_rows no_columns"))
        t.add("bits", "unpackbits", f"np.unpackbits(x, bitorder='{order}')", f"unpackbits(x, {{.bitorder = \"{order}\"}})", ["uint8"], over("scalar one none vector matrix cube no_cube special"))
        t.add("bits", "unpackbits", f"np.unpackbits(x, a, bitorder='{order}')", f"unpackbits(x, a, {{.bitorder = \"{order}\"}})", ["uint8"], along("pair matrix no_rows no_columns"))
    for name, types_of in (("packbits", types), ("unpackbits", ["uint8"])):
        t.add("bits", name, f"np.{name}(x, bitorder='middle')", f"{name}(x, {{.bitorder = \"middle\"}})", types_of, over("vector"))
    t.add("bits", "unpackbits", "np.unpackbits(x, count=n)", "unpackbits(x, {.count = n})", ["uint8"], times(over("scalar none pair matrix"), n=[0, 3, 8, 20, -3, -99]))
    t.add("bits", "unpackbits", "np.unpackbits(x, a, n)", "unpackbits(x, a, {.count = n})", ["uint8"], times(along("matrix", outside=False), n=[0, 3, 40, -3]))
    keys = pairs_of("repeats-repeats vector-vector2 one-one none-none matrix-matrix2 repeats_matrix-matrix nan_vector-nan_vector scalar-scalar no_rows-no_rows matrix-row zeros-zeros nans-repeats_matrix")
    t.add("bits", "lexsort", "np.lexsort((x, y))", "lexsort(std::tuple(x, y))", ALL, keys)
    t.add("bits", "lexsort", "np.lexsort(x)", "lexsort(x)", ["int32", "float64"], over("matrix cube repeats_matrix"))
    t.add("bits", "lexsort", "np.lexsort((x, m))", "lexsort(std::tuple(x, m))", SOME, [dict(x="matrix", m="mask"), dict(x="vector", m="mask7"), dict(x="vector", m="third")])
    t.add("bits", "lexsort", "np.lexsort((x, y, x), a)", "lexsort({x, y, x}, a)", SOME, [dict(y="repeats_matrix", **c) for c in along("matrix")])


def add_positions(t):
    number = ["int64"]
    for name in "tril_indices", "triu_indices":
        t.add("positions", name, f"np.{name}(n)", f"{name}(n)", number, [dict(n=n) for n in (0, 1, 3, -1)])
        t.add("positions", name, f"np.{name}(n, k)", f"{name}(n, k)", number, [dict(n=n, k=k) for n in (0, 1, 4) for k in (-5, -1, 0, 2)])
        t.add("positions", name, f"np.{name}(n, k, b)", f"{name}(n, k, b)", number, [dict(n=n, k=k, b=b) for n, b in ((3, 5), (5, 3), (0, 2), (2, 0)) for k in (-9, -1, 0, 1, 9)])
        t.add("positions", name + "_from", f"np.{name}_from(x, n)", f"{name}_from(x, n)", SOME, times(over("scalar vector matrix square no_rows no_columns single cube nans"), n=[-1, 0, 2]))
        part = name[:4]
        t.add("positions", "mask_indices", f"np.mask_indices(n, np.{part}, k)", f"mask_indices(n, [](const auto& whole, auto at) {{ return {part}(whole, at); }}, k)", number, [dict(n=n, k=k) for n in (0, 1, 4, -1) for k in (-5, -1, 0, 2)])
    t.add("positions", "diag_indices", "np.diag_indices(n)", "diag_indices(n)", number, [dict(n=n) for n in (0, 1, 3, -1)])
    t.add("positions", "diag_indices", "np.diag_indices(n, k)", "diag_indices(n, static_cast<int>(k))", number, [dict(n=n, k=k) for n in (0, 1, 4) for k in (-1, 0, 1, 3)])
    t.add("positions", "diag_indices_from", "np.diag_indices_from(x)", "diag_indices_from(x)", SOME, over("scalar vector matrix square no_square single stack rank4 nans regular"))
    t.add("positions", "diagflat", "np.diagflat(x, n)", "diagflat(x, n)", SOME, times(over("scalar none vector matrix no_cube nans"), n=[-2, 0, 1]))
    t.add("positions", "ix_", "np.ix_(i)", "ix_(i)", number, [dict(i=i) for i in ("places", "none", "place", "places_matrix", "far")])
    t.add("positions", "ix_", "np.ix_(i, m)", "ix_(i, m)", number, [dict(i=i, m=m) for i in ("places", "none", "place") for m in ("third", "none", "mask7", "mask", "scalar")])
    t.add("positions", "ix_", "np.ix_(m, x, i)", "ix_(m, x, i)", ["int32", "uint8"], [dict(m="third", x="repeats", i="places"), dict(m="third", x="none", i="places"), dict(m="third", x="matrix", i="places")])


def add_writing(t):
    statement = lambda name, numpy, sinter, cases, types=SOME: t.add("writing", name, assigned(numpy), changed(sinter), types, cases)
    t.add("writing", "extract", "np.extract(m, x)", "extract(m, x)", SOME, [dict(m=m, x=x) for m in ("third", "none", "mask7", "mask", "scalar") for x in ("vector", "matrix", "scalar", "none", "nans", "cube", "no_rows")])
    masks = [dict(x=x, m=m, y=y) for x, m in (("matrix", "mask"), ("matrix", "no_mask"), ("matrix", "third"), ("matrix", "mask_row"), ("none", "none"), ("scalar", "scalar"), ("nans", "mask"), ("no_rows", "no_rows"), ("vector", "mask7"))
             for y in ("scalar", "pair", "row", "matrix2", "none", "nans")]
    statement("putmask", "np.putmask(u, m, y)", "putmask(u, m, y)", masks)
    statement("putmask", "np.putmask(u, m, 1)", "putmask(u, m, 1)", [dict(x=c["x"], m=c["m"]) for c in masks if c["y"] == "row"])
    statement("place", "np.place(u, m, y)", "place(u, m, y)", masks)
    targets = pairs_of("matrix-row matrix-scalar matrix-column matrix-vector none-scalar none-none scalar-scalar row-matrix matrix-cube nans-row cube-matrix no_rows-scalar vector-nan_vector matrix-nans")
    statement("copyto", "np.copyto(u, y)", "copyto(u, y)", targets)
    statement("copyto", "np.copyto(u, y, where=m)", "copyto(u, y, m)", [dict(c, m=m) for c in pairs_of("matrix-row matrix-scalar matrix-vector row-scalar none-scalar scalar-scalar nans-column cube-matrix") for m in ("mask", "mask_row", "third", "scalar")])
    squares = over("matrix square no_rows no_columns single stack vector scalar nans wide four_by_eight column no_square")
    statement("fill_diagonal", "np.fill_diagonal(u, y)", "fill_diagonal(u, y)", times(squares, y=["scalar", "pair", "vector", "none"]))
    statement("fill_diagonal", "np.fill_diagonal(u, y, wrap=True)", "fill_diagonal(u, y, true)", times(squares, y=["scalar", "pair"]))
    statement("fill_diagonal", "np.fill_diagonal(u, 1)", "fill_diagonal(u, 1)", squares, ["int32", "float64", "complex128"])
    t.add("writing", "fill_diagonal", "(lambda u: [np.fill_diagonal(u, y), u][-1])(x.reshape(2, 2, 2).copy())", "[&] { array<T> u = reshape(x, {2, 2, 2}); fill_diagonal(u, y); return u; }()", SOME, [dict(x="eight", y="scalar"), dict(x="eight", y="vector")])


def add_tests(t):
    for name in "isreal", "iscomplex":
        t.add("tests", name, f"np.{name}(x)", f"{name}(x)", ALL, over("special scalar none matrix no_cube cube nans"))
    t.add("tests", "array_equiv", "np.array_equiv(x, y)", "array_equiv(x, y)", ALL, pairs_of("row-row matrix-matrix matrix-row scalar-scalar none-none none-scalar no_rows-no_columns all_nan-all_nan all_nan-scalar zeros-zeros matrix-vector cube-matrix nans-nans single-one no_rows-row"))
    powers = pairs_of("matrix-positive special_x-special_y scalar-scalar none-none matrix-row column-row no_rows-scalar nans-matrix matrix-vector")
    t.add("tests", "float_power", "np.float_power(x, y)", "float_power(x, y)", ["int32", "uint8", "float16", "float32", "float64", "complex128"], powers, 16)
    t.add("tests", "float_power", "np.float_power(x, 2)", "float_power(x, 2)", REAL, over("scalar none matrix nans"), 16)
    t.add("tests", "real_if_close", "np.real_if_close(x)", "*real_if_close(x)", REAL, over("scalar none matrix nans special no_cube"))
    complexes = ["complex64", "complex128"]
    t.add("tests", "real_if_close", "(np.isrealobj(np.real_if_close(x)))", "bool(real_if_close(x))", complexes, over("scalar none matrix nans special no_cube zeros"))
    t.add("tests", "real_if_close", "(np.isrealobj(np.real_if_close(x, 1e6)))", "bool(real_if_close(x, 1e6))", complexes, over("scalar matrix nans"))
    t.add("tests", "real_if_close", "np.real_if_close(x.real.astype(x.dtype))", "*real_if_close(astype<T>(real(x)))", complexes, over("scalar none matrix no_cube"))
    orders = pairs_of("positive-positive positive_vector-one vector-positive_vector none-none no_rows-row all_nan-scalar scalar-all_nan positive-scalar rising-rising matrix-row")
    for name in "jv", "yv":
        # SciPy's have fewer digits than mpmath's, with which tests/shared/special compares.
        t.add("tests", name, f"scipy.special.{name}(x, y)", f"special::{name}(x, y)", WIDE, orders, 512)
    t.add("tests", "psi", "scipy.special.psi(x)", "special::psi(x)", WIDE, over("special scalar none unit no_cube cube shares all_nan"), 64)
    t.add("tests", "gammaln", "scipy.special.gammaln(x)", "special::gammaln(x)", WIDE, over("special scalar none unit no_cube cube shares all_nan"), 32)
    t.add("tests", "zeta", "scipy.special.zeta(x)", "special::zeta(x)", WIDE, over("scalar none unit no_cube cube positive all_nan"), 64, True)
    t.add("tests", "zeta", "scipy.special.zeta(x, y)", "special::zeta(x, y)", WIDE, pairs_of("positive-positive positive_vector-one none-none no_rows-row all_nan-scalar scalar-all_nan positive-scalar"), 64)


def add_polynomials(t):
    add = lambda name, numpy, sinter, cases, types=NUMERIC, tolerance=64: t.add("coefficients", name, numpy, sinter, types, cases, tolerance, True)
    one = over("vector row none zeros one nan_vector scalar long")
    add("poly1d", "np.poly1d(x).coeffs", "poly1d(x).coeffs()", one)
    add("poly1d", "np.poly1d(x)(y)", "poly1d(x)(y)", pairs_of("vector-matrix row-scalar none-vector zeros-pair nan_vector-scalar scalar-row"))
    add("poly1d", "(np.poly1d(x) * np.poly1d(y) + np.poly1d(x)).coeffs", "(poly1d(x) * poly1d(y) + poly1d(x)).coeffs()", pairs_of("vector-row row-vector none-row one-zeros pair-scalar"))
    add("poly1d", "np.poly1d(x).deriv(2).coeffs", "poly1d(x).deriv(2).coeffs()", over("vector row long pair"), ["float64"])
    two = pairs_of("vector-row row-vector none-vector vector-none none-none one-one scalar-vector vector-scalar matrix-row nan_vector-pair zeros-vector pair-vector2 vector-vector2 long-row long-pair")
    for name in "polyadd", "polysub", "polymul":
        add(name, f"np.{name}(x, y)", f"{name}(x, y)", two)
    add("polydiv", "np.polydiv(x, y)", "[&] { auto f = polydiv(x, y); return std::tuple(f.q, f.r); }()", [c for c in two if c["x"] not in ("long", "one") and c["y"] != "scalar"])
    add("polyder", "np.polyder(x)", "polyder(x)", over("vector one none pair scalar matrix nan_vector zeros long"))
    add("polyder", "np.polyder(x, n)", "polyder(x, n)", times(over("vector none"), n=[1, 2, 3, 20, -1]))
    add("polyder", "np.polyder(x, 0)", "polyder(x, 0)", over("vector"), ["float64", "int64", "complex128"])
    add("polyint", "np.polyint(x)", "polyint(x)", over("vector one none pair scalar matrix nan_vector zeros long"))
    add("polyint", "np.polyint(x, n, 2.5)", "polyint(x, n, 2.5)", times(over("vector none"), n=[1, 2, 3, -1]))
    add("polyint", "np.polyint(x, 3, k=[6, 5, 3])", "polyint(x, 3, {6, 5, 3})", over("vector none"))
    add("poly", "np.poly(x)", "poly(x)", over("vector one none pair scalar matrix square nan_vector zeros row long"))
    # Pairs of conjugates come in either order, by the last bits of LAPACK's.
    add("roots", "(lambda r: (np.sort(r.real), np.sort(r.imag)))(np.roots(x).astype(complex))", "std::tuple(sort(real(roots(x))), sort(imag(roots(x))))", over("vector one none pair scalar zeros matrix nan_vector rising rising4 mask7 row"), ["int32", "float64", "complex128"], 4096)


def add_products(t):
    add = lambda name, numpy, sinter, cases, types=NUMBERS, tolerance=32: t.add("vectors", name, numpy, sinter, types, cases, tolerance, True)
    two = pairs_of("vector-vector2 matrix-row cube-matrix row-matrix none-none scalar-vector scalar-scalar matrix-vector vector-one one-vector nans-row no_rows-no_rows no_columns-no_columns stack-square row-wide")
    add("vecdot", "np.vecdot(x, y)", "vecdot(x, y)", two, ALL)
    add("vecdot", "np.vecdot(x, y, axis=a)", "vecdot(x, y, a)", [dict(c, a=a) for c in pairs_of("matrix-matrix2 cube-cube square-weights3") for a in (-3, -2, -1, 0, 1, 2)], ["int32", "float64", "complex128"])
    add("matvec", "np.matvec(x, y)", "matvec(x, y)", pairs_of("matrix-row wide-weights matrix-vector cube-row cube-matrix stack-square no_rows-weights3 no_columns-none vector-vector2 single-scalar scalar-scalar single-one nans-row rank4-pair square-square2"))
    add("vecmat", "np.vecmat(x, y)", "vecmat(x, y)", pairs_of("row-wide weights3-matrix vector-matrix weights3-cube matrix-cube square-stack none-no_rows weights3-no_columns vector-vector2 scalar-single scalar-scalar one-single nans-wide square-square2"))
    linear = lambda name, numpy, sinter, cases: add(name, numpy, sinter, cases, LINEAR, 1024)
    tensors = [dict(x=x, s=s, n=n) for x, s, n in (("regular4", (2, 2, 4), 2), ("regular4", (4, 2, 2), 1), ("regular4", (2, 2, 2, 2), 2), ("regular4", (4, 1, 4), 2), ("regular", (3, 3), 1), ("regular4", (2, 2, 2, 2), 1), ("regular4", (2, 2, 2, 2), 0), ("single", (1, 1, 1), 2),
                                                  ("no_square", (0, 0), 1), ("singular", (2, 2), 1))]
    linear("tensorinv", "np.linalg.tensorinv(x.reshape(s), n)", "linalg::tensorinv(reshape(x, s), static_cast<int>(n))", tensors)
    solved = [dict(x=x, s=s, y=y) for x, s, y in (("regular4", (2, 2, 4), "singular"), ("regular4", (4, 2, 2), "row"), ("regular4", (4, 4), "weights"), ("regular", (3, 3), "weights3"), ("regular", (3, 3, 1), "column"), ("regular4", (4, 4), "vector"), ("single", (1, 1), "scalar"),
                                                 ("single", (1, 1), "one"), ("regular4", (2, 2, 2, 2), "pair"), ("no_square", (0, 0), "none"), ("singular", (2, 2), "pair"))]
    linear("tensorsolve", "np.linalg.tensorsolve(x.reshape(s), y)", "linalg::tensorsolve(reshape(x, s), y)", solved)
    linear("tensorsolve", "np.linalg.tensorsolve(x.reshape(s), y, t)", "linalg::tensorsolve(reshape(x, s), y, t)", [dict(x="regular4", s=(2, 4, 2), y="row", t=(0,)), dict(x="regular4", s=(4, 4), y="row", t=(0,)), dict(x="regular4", s=(2, 4, 2), y="row", t=(2, 0)), dict(x="regular4", s=(2, 4, 2), y="row", t=(5,))])


def add_to(t):
    add_parts(t)
    add_bits(t)
    add_positions(t)
    add_writing(t)
    add_tests(t)
    add_polynomials(t)
    add_products(t)
