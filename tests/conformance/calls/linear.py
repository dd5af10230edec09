"""Products and linear algebra."""
from table import *

ALGEBRA = "regular regular4 regular_stack single no_square vector matrix singular not_finite"
GOOD = "regular regular4 regular_stack hermitian hermitian_stack single"
PRODUCTS = [("matrix", "wide"), ("vector", "vector2"), ("matrix", "row"), ("row", "wide"), ("stack", "square"), ("square", "stack"), ("stack", "stack2"), ("no_rows", "square"), ("no_columns", "no_rows"), ("none", "none"), ("matrix", "matrix2"),
            ("scalar", "matrix"), ("scalar", "scalar"), ("nans", "row"), ("cube", "row"), ("cube", "wide"), ("matrix", "vector")]


def add_products(t):
    pairs = [dict(x=x, y=y) for x, y in PRODUCTS]
    for name in "matmul", "dot", "inner":
        t.add("products", name, f"np.{name}(x, y)", f"{name}(x, y)", NUMBERS, pairs + ([dict(x="matrix", y="matrix2")] if name == "inner" else []), 16, True)
    for letter in "iw":
        t.add("products", "matmul", f"np.matmul({letter}, x)", f"matmul({letter}, x)", NUMBERS, [{letter: "matrix", "x": "wide"}, {letter: "row", "x": "wide"}], 16, True)
    same = [dict(x=x, y=y) for x, y in (("vector", "vector2"), ("matrix", "matrix2"), ("none", "none"), ("scalar", "scalar"), ("matrix", "vector"), ("nans", "matrix"), ("no_rows", "no_rows"), ("cube", "cube"))]
    t.add("products", "vdot", "np.vdot(x, y)", "vdot(x, y)", NUMBERS, same, 16, True)
    t.add("products", "outer", "np.outer(x, y)", "outer(x, y)", ALL, [dict(x=x, y=y) for x, y in (("vector", "row"), ("none", "row"), ("scalar", "row"), ("scalar", "scalar"), ("matrix", "pair"), ("nan_vector", "row"))], 4)
    t.add("products", "kron", "np.kron(x, y)", "kron(x, y)", NUMBERS, [dict(x=x, y=y) for x, y in (("vector", "row"), ("matrix", "square"), ("scalar", "row"), ("scalar", "scalar"), ("vector", "matrix"), ("none", "row"), ("no_rows", "row"), ("nans", "pair"), ("cube", "pair"))], 4)
    for text, cpp in (("1", "1"), ("2", "2"), ("0", "0"), ("([0, 1], [1, 0])", "{{0, 1}, {1, 0}}"), ("([-1], [0])", "{{-1}, {0}}"), ("([0], [5])", "{{0}, {5}}")):
        t.add("products", "tensordot", f"np.tensordot(x, y, {text})", f"tensordot(x, y, {cpp})", ["int32", "float32", "float64", "complex128"], [dict(x="matrix", y="wide"), dict(x="square", y="square2"), dict(x="cube", y="wide"), dict(x="no_rows", y="square"), dict(x="scalar", y="scalar"), dict(x="nans", y="row")], 16, True)
    for subscripts, cases in (("ij,jk->ik", [("matrix", "wide"), ("no_rows", "square"), ("nans", "wide"), ("square", "square2"), ("matrix", "matrix2")]), ("i,i->", [("vector", "vector2"), ("none", "none"), ("vector", "row")]), ("ij,ij->ij", [("matrix", "matrix2")]),
                              ("...i,...i->...", [("cube", "matrix"), ("vector", "vector2"), ("no_cube", "no_cube")]), ("ij,kl->jl", [("matrix", "square")]), (",->", [("scalar", "scalar")]), ("bij,bjk->bik", [("stack", "stack2")]), ("ij,jk", [("matrix", "wide")]),
                              ("ij,q->", [("matrix", "pair")]), ("i,j->k", [("vector", "row")]), ("ij,jk->ik->", [("matrix", "wide")])):
        t.add("products", "einsum", f"np.einsum('{subscripts}', x, y)", f"einsum(\"{subscripts}\", x, y)", ["int32", "float32", "float64", "complex128"], [dict(x=x, y=y) for x, y in cases], 16, True)
    for subscripts, cases in (("ii->i", "square matrix"), ("ii", "square"), ("ij->ji", "matrix no_rows"), ("ij->j", "matrix nans no_rows"), ("ijk->k", "cube no_cube"), ("...j->...", "cube matrix vector"), ("i->", "vector none nan_vector"), ("ij", "matrix"), ("ba", "matrix")):
        t.add("products", "einsum", f"np.einsum('{subscripts}', x)", f"einsum(\"{subscripts}\", x)", ["int32", "float64", "complex128"], over(cases), 16, True)


def add_solvers(t):
    add = lambda name, numpy, sinter, cases, tolerance=512, types=LINEAR: t.add("linalg", name, numpy, sinter, types, cases, tolerance, True)
    for name in "inv", "det":
        add(name, f"np.linalg.{name}(x)", f"linalg::{name}(x)", over(ALGEBRA.replace(" not_finite", "") if name == "inv" else "regular regular4 regular_stack single no_square vector matrix"), types=LINEAR + ["int32"])
    add("slogdet", "tuple(np.linalg.slogdet(x))", "[&] { auto d = linalg::slogdet(x); return std::tuple(d.sign, d.logabsdet); }()", over("regular regular4 regular_stack single no_square vector matrix"))
    right = [("regular", "square"), ("regular", "weights3"), ("regular_stack", "square"), ("regular", "stack"), ("regular4", "row"), ("no_square", "none"), ("singular", "pair"), ("matrix", "row"), ("regular", "row"), ("vector", "vector"), ("single", "one"), ("scalar", "scalar")]
    add("solve", "np.linalg.solve(x, y)", "linalg::solve(x, y)", [dict(x=x, y=y) for x, y in right])
    add("cholesky", "np.linalg.cholesky(x)", "linalg::cholesky(x)", over("hermitian hermitian_stack single no_square matrix vector singular"))
    add("pinv", "np.linalg.pinv(x)", "linalg::pinv(x)", over("regular regular_stack matrix wide single column no_rows vector"), 2048)
    add("matrix_rank", "np.linalg.matrix_rank(x)", "linalg::matrix_rank(x)", over("regular regular_stack matrix singular single zeros scalar no_rows vector"))
    for n in (-2, -1, 0, 1, 2, 3, 5):
        add("matrix_power", f"np.linalg.matrix_power(x, {n})", f"linalg::matrix_power(x, {n})", over("regular regular_stack single no_square matrix vector"))
    add("multi_dot", "np.linalg.multi_dot([x, y, z])", "linalg::multi_dot(x, y, z)", [dict(x="matrix", y="wide", z="wide"), dict(x="square", y="square2", z="weights3"), dict(x="row", y="wide", z="vector"), dict(x="no_rows", y="square", z="square2"), dict(x="weights3", y="square", z="square2"), dict(x="nans", y="wide", z="vector"),
                                                                                   dict(x="regular", y="regular", z="regular"), dict(x="weights3", y="square", z="weights3"), dict(x="scalar", y="square", z="square")])
    for p in ("", ", p=1", ", p=-2"):
        if not p:
            add("cond", "np.linalg.cond(x)", "linalg::cond(x)", over("regular regular4 regular_stack hermitian single matrix vector"), 1024)
    for order, cpp in (("1", "1"), ("np.inf", "inf"), ("'fro'", '"fro"'), ("-2", "-2")):
        add("cond", f"np.linalg.cond(x, {order})", f"linalg::cond(x, {cpp})", over("regular regular_stack single"), 1024)
    orders = [("", ""), (", 1", ", 1"), (", 2", ", 2"), (", np.inf", ", inf"), (", -np.inf", ", -inf"), (", -1", ", -1"), (", -2", ", -2"), (", 'fro'", ', "fro"'), (", 'nuc'", ', "nuc"'), (", 0", ", 0"), (", 3", ", 3")]
    for order, cpp in orders:
        # The least singular value of integers that stand for NaN is what LAPACK leaves of one that is none.
        add("norm", f"np.linalg.norm(x{order})", f"linalg::norm(x{cpp})", over("scalar one vector none matrix no_rows nans cube"), 256, LINEAR)
        add("norm", f"np.linalg.norm(x{order})", f"linalg::norm(x{cpp})",
            over("scalar one vector none matrix no_rows cube" + (" nans" if cpp != ", -2" else "")), 256, ["int32"])
        if order:
            add("norm", f"np.linalg.norm(x{order}, axis=a)", f"linalg::norm(x{cpp}, a)", along("vector matrix cube no_cube"), 256)
            add("norm", f"np.linalg.norm(x{order}, axis=a, keepdims=True)", f"linalg::norm(x{cpp}, a, keepdims)", along("matrix"), 256)
            add("norm", f"np.linalg.norm(x{order}, axis=(0, -1))", f"linalg::norm(x{cpp}, {{0, -1}})", over("matrix cube no_cube"), 256)
    add("solve_triangular", "scipy.linalg.solve_triangular(x, y, lower=True)", "linalg::solve_triangular(x, y, {.lower = true})", [dict(x="regular", y="weights3"), dict(x="regular", y="square"), dict(x="regular4", y="row")])
    add("solve_triangular", "scipy.linalg.solve_triangular(x, y)", "linalg::solve_triangular(x, y)", [dict(x="regular", y="weights3"), dict(x="regular", y="square"), dict(x="single", y="one")])
    add("expm", "scipy.linalg.expm(x / 8)", "linalg::expm(x / 8)", over("regular regular_stack single hermitian matrix vector"), 1024)
    add("vector_norm", "np.linalg.vector_norm(x)", "linalg::vector_norm(x)", over("scalar one vector none matrix no_rows nans cube"), 256)
    add("vector_norm", "np.linalg.vector_norm(x, axis=a, ord=1)", "linalg::vector_norm(x, 1, a)", along("vector matrix cube"), 256)
    add("matrix_norm", "np.linalg.matrix_norm(x)", "linalg::matrix_norm(x)", over("matrix square cube stack no_columns nans vector scalar"), 256)
    add("matrix_norm", "np.linalg.matrix_norm(x, ord=1)", "linalg::matrix_norm(x, 1)", over("matrix square cube stack"), 256)


def add_factors(t):
    add = lambda name, numpy, sinter, cases, tolerance=512: t.add("linalg", name, numpy, sinter, LINEAR, cases, tolerance, True)
    add("qr", "abs(np.linalg.qr(x).R)", "abs(linalg::qr(x).r)", over("regular regular_stack wide matrix single vector no_square"))
    add("qr", "(lambda f: f.Q @ f.R)(np.linalg.qr(x, 'complete'))", "[&] { auto f = linalg::qr(x, \"complete\"); return array<T>(matmul(f.q, f.r)); }()", over("regular regular_stack wide matrix single"))
    add("eigh", "(lambda f: (f.eigenvalues, f.eigenvectors * f.eigenvalues[..., np.newaxis, :] @ np.conj(np.swapaxes(f.eigenvectors, -1, -2))))(np.linalg.eigh(x))",
        "[&] { auto f = linalg::eigh(x); return std::tuple(f.eigenvalues, array<T>(matmul(f.eigenvectors * f.eigenvalues(ellipsis, newaxis, all), conj(f.eigenvectors.mT())))); }()", over("hermitian hermitian_stack single matrix vector not_finite"))
    for uplo in "LU":
        add("eigvalsh", f"np.linalg.eigvalsh(x, '{uplo}')", f"linalg::eigvalsh(x, '{uplo}')", over("hermitian hermitian_stack single regular no_square matrix vector"))
    add("eigvals", "np.sort(np.linalg.eigvals(x).astype(complex)).astype(np.result_type(x, np.complex64))", "sort(linalg::eigvals(x))", over("hermitian hermitian_stack single matrix vector"), 2048)
    add("eig", "np.sort(np.linalg.eig(x).eigenvalues.astype(complex)).astype(np.result_type(x, np.complex64))", "sort(linalg::eig(x).eigenvalues)", over("hermitian hermitian_stack single matrix vector"), 2048)
    add("svd", "np.linalg.svd(x).S", "linalg::svd(x).s", over("regular regular_stack matrix wide single vector no_rows"))
    add("svd", "(lambda f: (f.S, f.U * f.S[..., np.newaxis, :] @ f.Vh))(np.linalg.svd(x, full_matrices=False))", "[&] { auto f = linalg::svd(x, {.full_matrices = false}); return std::tuple(f.s, array<T>(matmul(f.u * f.s(ellipsis, newaxis, all), f.vh))); }()",
        over("regular regular_stack matrix wide single"))
    add("svdvals", "np.linalg.svdvals(x)", "linalg::svdvals(x)", over("regular regular_stack matrix wide single vector no_rows not_finite"))
    add("lstsq", "(lambda f: (f[0], f[3]))(np.linalg.lstsq(x, y))", "[&] { auto f = linalg::lstsq(x, y); return std::tuple(f.x, f.s); }()", [dict(x="regular", y="weights3"), dict(x="wide", y="row"), dict(x="matrix", y="weights3"), dict(x="matrix", y="square"), dict(x="regular", y="row")], 2048)
    add("lu", "[f.astype(x.dtype) for f in scipy.linalg.lu(x)]", "[&] { auto f = linalg::lu(x); return std::tuple(f.p, f.l, f.u); }()", over("regular regular_stack single matrix vector"))
    add("lu_factor", "scipy.linalg.lu_factor(x)[0]", "linalg::lu_factor(x).lu", over("regular single matrix"))
    add("lu_solve", "scipy.linalg.lu_solve(scipy.linalg.lu_factor(x), y)", "linalg::lu_solve(linalg::lu_factor(x), y)", [dict(x="regular", y="weights3"), dict(x="regular", y="square"), dict(x="regular4", y="row"), dict(x="single", y="one")])
    add("cholesky_solve", "scipy.linalg.cho_solve((np.linalg.cholesky(x), True), y)", "linalg::cholesky_solve(linalg::cholesky(x), y)", [dict(x="hermitian", y="weights3"), dict(x="hermitian", y="square"), dict(x="single", y="one")])
    t.add("linalg", "solve_tridiagonal", "np.linalg.solve(np.diag(x[1:], -1) + np.diag(z + 30) + np.diag(x[:-1], 1), y)", "linalg::solve_tridiagonal(x(slice(1, none)), z + T(30), x(slice(none, -1)), y)", LINEAR,
          [dict(x="vector", y="vector2", z="vector"), dict(x="row", y="weights", z="row"), dict(x="weights3", y="square", z="weights3"), dict(x="one", y="one", z="one")], 512, True)


def add_to(t):
    add_products(t)
    add_solvers(t)
    add_factors(t)
