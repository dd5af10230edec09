#!/usr/bin/env python3
"""Writes tests/data/golden/linalg.txt: matrices, and what NumPy makes of them where that is unique.

usage: linalg.py (it needs NumPy 2.4 and SciPy)
"""
import pathlib

import numpy as np
import scipy.linalg

TESTS = pathlib.Path(__file__).resolve().parents[1]
TYPES = ["float32", "float64", "complex64", "complex128"]
cases = {}


def case(name, value):
    assert name not in cases, name
    cases[name] = np.asarray(value)
    return cases[name]


def random(rng, t, shape):
    x = rng.standard_normal(shape)
    if np.dtype(t).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(t)


def positive(a):
    n = a.shape[-1]
    return (a @ np.conj(np.swapaxes(a, -1, -2)) + n * np.eye(n)).astype(a.dtype)


def equations(rng, t):
    a = case(f"a {t}", random(rng, t, (5, 5)) + 3 * np.eye(5, dtype=t))
    s = case(f"stack {t}", random(rng, t, (2, 3, 4, 4)) + 3 * np.eye(4, dtype=t))
    v, b = case(f"v {t}", random(rng, t, (5,))), case(f"b {t}", random(rng, t, (5, 3)))
    c = case(f"c {t}", random(rng, t, (3, 4, 2)))
    case(f"solve vector {t}", np.linalg.solve(a, v))
    case(f"solve matrix {t}", np.linalg.solve(a, b))
    case(f"solve transposed {t}", np.linalg.solve(a.T, b))
    case(f"solve stacks {t}", np.linalg.solve(s, c))
    case(f"solve one for many {t}", np.linalg.solve(s[0, 0], c))
    case(f"solve vector of many {t}", np.linalg.solve(s, c[0, :, 0]))
    case(f"inv {t}", np.linalg.inv(a))
    case(f"inv transposed {t}", np.linalg.inv(a.T))
    case(f"inv stack {t}", np.linalg.inv(s))
    case(f"det {t}", np.linalg.det(a))
    case(f"det stack {t}", np.linalg.det(s))
    case(f"slogdet sign {t}", np.linalg.slogdet(s)[0])
    case(f"slogdet logabsdet {t}", np.linalg.slogdet(s)[1])
    p, q = case(f"positive {t}", positive(a)), case(f"positive stack {t}", positive(s))
    case(f"cholesky {t}", np.linalg.cholesky(p))
    case(f"cholesky upper {t}", np.linalg.cholesky(p, upper=True))
    case(f"cholesky stack {t}", np.linalg.cholesky(q))
    case(f"cholesky solve {t}", np.linalg.solve(p, b))
    low = np.tril(a)
    for trans, op in enumerate([low, low.T, np.conj(low.T)]):
        case(f"triangular lower {trans} {t}", np.linalg.solve(op, b))
    case(f"triangular upper unit {t}", np.linalg.solve(np.triu(a, 1) + np.eye(5, dtype=t), v))


def scipy_lu(a):
    """scipy.linalg.lu of one matrix, by its definition: partial pivoting."""
    u, m, k = a.astype("complex128"), a.shape[0], min(a.shape)
    order, low = np.arange(m), np.zeros((m, k), "complex128")
    for j in range(k):
        size = np.abs(u[j:, j].real) + np.abs(u[j:, j].imag)
        p = j + int(np.argmax(size))
        for x in (u, order, low):
            x[[j, p]] = x[[p, j]]
        low[j:, j] = u[j:, j] / u[j, j]
        u[j + 1:] -= np.outer(low[j + 1:, j], u[j])
    p = np.zeros((m, m))
    p[order, np.arange(m)] = 1
    kind = (lambda x: x.astype(a.dtype)) if a.dtype.kind == "c" else (lambda x: x.real.astype(a.dtype))
    return p.astype(a.dtype), kind(low), kind(np.triu(u[:k]))


def factors(rng, t):
    a, s = case(f"tall {t}", random(rng, t, (6, 4))), case(f"symmetric {t}", random(rng, t, (3, 5, 5)))
    s[...] = s + np.conj(np.swapaxes(s, -1, -2))
    for name, part in zip("plu", scipy_lu(a)):
        case(f"lu {name} {t}", part)
    for name, part in zip("plu", scipy_lu(np.ascontiguousarray(a.T))):
        case(f"lu wide {name} {t}", part)
    case(f"qr size {t}", np.abs(np.linalg.qr(a, mode="r")))
    case(f"eigvalsh {t}", np.linalg.eigvalsh(s))
    case(f"eigvalsh upper {t}", np.linalg.eigvalsh(np.triu(s), UPLO="U"))
    case(f"svdvals {t}", np.linalg.svd(a, compute_uv=False))
    case(f"svdvals stack {t}", np.linalg.svd(s, compute_uv=False))
    case(f"eigvals {t}", np.sort_complex(np.linalg.eigvals(a[:4]).astype(np.result_type(t, "complex64"))))


EINSUMS = {
    "ij,jk->ik": [(3, 4), (4, 5)], "ij,jk": [(3, 4), (4, 5)], "ij,kj->ik": [(3, 4), (5, 4)], "ji,jk->ki": [(4, 3), (4, 5)],
    "bij,bjk->bik": [(2, 3, 4), (2, 4, 5)], "bij,jk->bik": [(2, 3, 4), (4, 5)], "...ij,...jk->...ik": [(2, 1, 3, 4), (6, 4, 5)],
    "i,i": [(7,), (7,)], "i,j->ij": [(3,), (4,)], "i,j": [(3,), (4,)], "ii": [(4, 4)], "ii->i": [(4, 4)], "ij->ji": [(3, 4)],
    "ij->": [(3, 4)], "ij->j": [(3, 4)], "ba": [(3, 4)], "ijk,jil->kl": [(3, 4, 5), (4, 3, 2)], "ij,ij->ij": [(3, 4), (3, 4)],
    "ij,j->i": [(3, 4), (4,)], "i,ij,j": [(3,), (3, 4), (4,)], "ij,jk,kl->il": [(3, 4), (4, 5), (5, 6)],
    "ijk,ilm,njm,nlk,abc->": [(2, 3, 4), (2, 3, 4), (2, 3, 4), (2, 3, 4), (2, 3, 4)], "iij->j": [(3, 3, 4)], "iij,jk->ik": [(3, 3, 4), (4, 2)],
    "ea,fb,abcd,gc,hd->efgh": [(2, 3), (2, 3), (3, 3, 3, 3), (2, 3), (2, 3)], "ij,jk->": [(3, 4), (4, 5)],
    "...j,j...->...": [(2, 3, 4), (4, 2, 3)], "i...->...": [(3, 4, 5)], "ij,ik->ijk": [(3, 4), (3, 5)], "ab,bc,ca": [(3, 4), (4, 5), (5, 3)],
    "ij,jk->ik small": [(1, 4), (4, 5)], "ij,jk->ik none": [(3, 0), (0, 5)], "ij , jk -> ik": [(3, 4), (4, 5)],
}


def products(rng):
    for text, shapes in EINSUMS.items():
        operands = [random(rng, "float64", s) for s in shapes]
        for i, x in enumerate(operands):
            case(f"einsum {text} {i}", x)
        case(f"einsum {text}", np.einsum(text.replace(" small", "").replace(" none", ""), *operands))
    a, b, c = (case(f"product {n}", random(rng, "float64", s)) for n, s in (("a", (3, 4, 5)), ("b", (4, 3, 2)), ("c", (5, 6))))
    z = case("product z", random(rng, "complex128", (3, 4)))
    i = case("product i", rng.integers(-9, 9, (3, 4)))
    case("einsum integers", np.einsum("ij,kj->ik", i, i))
    case("einsum mixed", np.einsum("ij,ij->i", i, z))
    case("tensordot lists", np.tensordot(a, b, axes=([0, 1], [1, 0])))
    case("tensordot 1", np.tensordot(a, c, axes=1))
    case("tensordot 0", np.tensordot(c[:2, :2], c[:2, :3], axes=0))
    case("dot", np.dot(a, np.swapaxes(random(np.random.default_rng(7), "float64", (2, 5, 3)), 0, 0)))
    case("dot right", random(np.random.default_rng(7), "float64", (2, 5, 3)))
    case("inner", np.inner(a, random(np.random.default_rng(8), "float64", (2, 5))))
    case("inner right", random(np.random.default_rng(8), "float64", (2, 5)))
    case("vdot", np.vdot(z, z * 2j))
    case("kron", np.kron(i, c))
    case("kron ranks", np.kron(c[0], i))
    case("trace", np.trace(a))
    case("trace integers", np.trace(i, 1))
    case("trace axes", np.trace(a, -1, 1, 2))


def expm(a):
    """By scaling to a tiny norm, the series, and squaring, in twice the precision's worth of terms."""
    s = 12
    x = a.astype("complex256" if a.dtype.kind == "c" else "float128") / 2**s
    r = t = np.broadcast_to(np.eye(a.shape[-1]), a.shape).astype(x.dtype)
    for k in range(1, 30):
        t = np.einsum("...ij,...jk->...ik", t, x) / k
        r = r + t
    for _ in range(s):
        r = np.einsum("...ij,...jk->...ik", r, r)
    return r.astype(a.dtype)


def functions(rng):
    for t in ["float32", "float64", "complex128"]:
        v, m, s = (case(f"norm {n} {t}", random(rng, t, shape)) for n, shape in (("v", (7,)), ("m", (4, 3)), ("s", (2, 3, 3))))
        for p in [None, 0, 1, 2, 3, 0.5, -1, -2, np.inf, -np.inf]:
            case(f"vector norm {p} {t}", np.linalg.norm(v, p))
            case(f"vector norm {p} axis {t}", np.linalg.norm(m, p, axis=1))
        for p in [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf]:
            case(f"matrix norm {p} {t}", np.linalg.norm(m, p))
            case(f"matrix norm {p} axes {t}", np.linalg.norm(s, p, axis=(2, 0), keepdims=True))
        for p in [None, 1, -1, 2, -2, np.inf, "fro", "nuc"]:
            case(f"cond {p} {t}", np.linalg.cond(s, p))
        case(f"norm all {t}", np.linalg.norm(s))
        case(f"norm all kept {t}", np.linalg.norm(s, keepdims=True))
        case(f"pinv {t}", np.linalg.pinv(m))
        case(f"pinv stack {t}", np.linalg.pinv(s))
        b = case(f"lstsq b {t}", random(rng, t, (4, 2)))
        for name, part in zip(["x", "residuals", "rank", "s"], np.linalg.lstsq(m, b)):
            case(f"lstsq {name} {t}", part)
        case(f"lstsq vector {t}", np.linalg.lstsq(m, b[:, 0])[0])
        case(f"lstsq wide {t}", np.linalg.lstsq(m.T, b[:3])[0])
        d = case(f"deficient {t}", np.concatenate([m, m[:, :1] + m[:, 1:2]], axis=1))
        case(f"lstsq deficient {t}", np.linalg.lstsq(d, b)[0])
        case(f"rank deficient {t}", np.linalg.matrix_rank(d))
        for n in [-3, -1, 0, 1, 2, 5, 8]:
            case(f"matrix power {n} {t}", np.linalg.matrix_power(s, n))
        case(f"expm {t}", expm(s))
        case(f"expm large {t}", expm(s * 6))
    case("matrix power integers", np.linalg.matrix_power(rng.integers(-3, 3, (3, 3)), 0))
    i = case("power base", rng.integers(-3, 3, (3, 3)))
    case("matrix power integers 5", np.linalg.matrix_power(i, 5))
    chain = [case(f"chain {k}", random(rng, "float64", s)) for k, s in enumerate([(3, 20), (20, 4), (4, 11), (11, 2)])]
    case("multi_dot", np.linalg.multi_dot(chain))
    case("multi_dot vectors", np.linalg.multi_dot([chain[0][0], chain[1], chain[2], chain[3][:, 0]]))


def banded(lower, diagonal, upper, b):
    """scipy.linalg.solve_banded of stacks, in twice the precision for single."""
    wide = "complex128" if b.dtype.kind == "c" else "float64"
    side = np.zeros(diagonal.shape[:-1] + (1,), wide)
    bands = np.stack([np.concatenate([side, upper], -1), diagonal.astype(wide), np.concatenate([lower, side], -1)], -2)
    x = np.empty(b.shape, wide)
    for i in np.ndindex(diagonal.shape[:-1]):
        x[i] = scipy.linalg.solve_banded((1, 1), bands[i], b[i].astype(wide))
    return x.astype(b.dtype)


def tridiagonal(rng):
    for t in TYPES:
        for n in [1, 2, 3, 31, 33]:
            # Small diagonals: rows are exchanged.
            parts = [case(f"tridiagonal {name} {n} {t}", random(rng, t, (3, size)))
                     for name, size in (("lower", n - 1), ("diagonal", n), ("upper", n - 1))]
            b = case(f"tridiagonal b {n} {t}", random(rng, t, (3, n)))
            c = case(f"tridiagonal c {n} {t}", random(rng, t, (3, n, 2)))
            case(f"tridiagonal x {n} {t}", banded(*parts, b))
            case(f"tridiagonal y {n} {t}", banded(*parts, c))


def main():
    rng = np.random.default_rng(2026)
    for t in TYPES:
        equations(rng, t)
    for t in TYPES:
        factors(rng, t)
    products(rng)
    functions(rng)
    i = case("integers", rng.integers(-9, 9, (4, 4)))
    case("inv integers", np.linalg.inv(i))
    case("det integers", np.linalg.det(i))
    tridiagonal(np.random.default_rng(33))
    out = [f"# NumPy {np.__version__}\n"]
    for name, a in cases.items():
        a = np.asarray(a)
        shape = "".join(f" {n}" for n in a.shape)
        out.append(f"linalg {name}\n{a.dtype} {a.ndim}{shape}\n{a.tobytes().hex()}\n")
    (TESTS / "data/golden/linalg.txt").write_text("".join(out))


if __name__ == "__main__":
    main()
