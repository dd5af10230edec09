#!/usr/bin/env python3
"""Writes tests/data/golden/special.txt: for each function of <sinter/special.hpp> arguments that a float holds and its values by mpmath,
of distributions and at the edges by SciPy.

One line a function: name, number of arguments, the largest error allowed in units of 2^-52 of the value times its logarithm where that is
above one (of one or the value, whichever is larger, where the function has zeros, marked `zeros`), then for each case its arguments and
value; numbers are hexadecimal, inf or nan.
Needs SciPy and mpmath; tests need only the file. Run: python3 tests/generate/special.py
"""
import itertools
import pathlib

import mpmath as mp
import numpy as np
import scipy.special as sp
import scipy.stats as st

mp.mp.dps = 40
OUT = pathlib.Path(__file__).resolve().parent.parent / "data/golden/special.txt"
NAN, INF = np.nan, np.inf


def grid(*axes):
    return list(itertools.product(*axes))


def root(f, start):
    """Where an increasing or decreasing f is zero, by Newton's steps in the logarithm."""
    u = mp.log(mp.mpf(float(start)))
    for _ in range(60):
        h = mp.mpf("1e-18")
        value = f(mp.exp(u))
        slope = (f(mp.exp(u + h)) - value) / h
        step = value / slope
        u -= step
        if abs(step) < mp.mpf("1e-25"):
            break
    return mp.exp(u)


def hurwitz(x, q):
    with mp.workdps(150):
        return mp.zeta(x, q)


def log_density(name, x, parameters):
    """The logarithm of a density or probability, which SciPy computes with fewer digits."""
    x, *rest = map(mp.mpf, (x, *parameters))
    whole = name in ("poisson", "binom")
    *shape, loc, scale = (*rest, mp.mpf(1)) if whole else rest
    z = (x - loc) / scale
    if name == "norm":
        r = -z * z / 2 - mp.log(2 * mp.pi) / 2
    elif name == "t":
        r = -mp.log(mp.beta(shape[0] / 2, 0.5)) - mp.log(shape[0]) / 2 - (shape[0] + 1) / 2 * mp.log1p(z * z / shape[0])
    elif name in ("gamma", "chi2"):
        a, y = (shape[0], z) if name == "gamma" else (shape[0] / 2, z / 2)
        r = (a - 1) * mp.log(y) - y - mp.loggamma(a) - (mp.log(2) if name == "chi2" else 0)
    elif name == "beta":
        r = (shape[0] - 1) * mp.log(z) + (shape[1] - 1) * mp.log1p(-z) - mp.log(mp.beta(*shape))
    elif name in ("uniform", "expon"):
        r = -z if name == "expon" else mp.mpf(0)
    elif name == "lognorm":
        u = mp.log(z) / shape[0]
        r = -u * u / 2 - mp.log(2 * mp.pi) / 2 - mp.log(shape[0] * z)
    elif name == "f":
        a, b, odds = shape[0] / 2, shape[1] / 2, shape[0] / shape[1] * z
        r = a * mp.log(odds / (1 + odds)) - b * mp.log1p(odds) - mp.log(mp.beta(a, b)) - mp.log(z)
    elif name == "poisson":
        r = z * mp.log(shape[0]) - shape[0] - mp.loggamma(z + 1)
    else:
        r = mp.log(mp.binomial(shape[0], z)) + z * mp.log(shape[1]) + (shape[0] - z) * mp.log1p(-shape[1])
    return r - mp.log(scale)


def is_edge(name, x, parameters):
    """Where the logarithm's formula has a term that is none, but not the density."""
    loc, scale = (parameters[-1], 1) if name in ("poisson", "binom") else parameters[-2:]
    z = (x - loc) / scale
    return z == 0 and (name in ("gamma", "chi2", "beta", "f") or parameters[0] == 0) or name == "beta" and z == 1


def lower(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def upper(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True)


def beta_lower(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def beta_upper(a, b, x):
    return mp.betainc(b, a, 0, 1 - x, regularized=True)


A = [0.001, 0.25, 0.5, 1, 2.5, 10, 19.5, 21, 60, 250, 1000]
RATIOS = [0.01, 0.2, 0.5, 0.8, 0.97, 1, 1.02, 1.3, 2, 5]
GAMMA = [(a, a * r) for a in A for r in RATIOS] + [(0.5, 1e-6), (0.01, 0.3), (0.3, 0.4), (1e-6, 2), (20000, 20100), (20000, 19000)]
INVERSE_GAMMA = grid([0.05, 0.5, 1, 3, 30, 500], [1e-8, 0.001, 0.1, 0.4, 0.5, 0.75, 0.98, 0.9999])
BETA = grid([0.1, 0.5, 1, 3, 20, 90, 400], [0.2, 0.5, 2, 8, 70, 300], [0.001, 0.1, 0.3, 0.5, 0.75, 0.96])
INVERSE_BETA = grid([0.2, 0.5, 1, 4, 60], [0.5, 2, 15, 80], [1e-6, 0.02, 0.3, 0.5, 0.8, 0.999]) + [
    (1000, 0.5, 1e-10), (2000, 0.1, 1e-9), (0.5, 1000, 1e-10), (2000, 0.5, 1e-12)]
BESSEL_X = [1e-5, 0.1, 0.7, 1.5, 2, 3.3, 5, 7.9, 8.1, 12, 20, 29, 31, 50, 123.5, 700, 1500]
ORDERS = [0, 1, 2, 3, 7, 15, 40, 51, 100]
REAL_ORDERS = [0, 0.25, 0.5, 1, 2.75, 7.5, 20.5, 48, 52, 130]
# Orders and arguments where J and Y are waves, and where they fall and rise.
OF_REAL_ORDER = grid([*REAL_ORDERS, 19.75, 300.25, -0.5, -2.75, -7.5], BESSEL_X) + [
    (v, v * r) for v in (3.3, 24, 52, 310.5, 1000.25) for r in (0.4, 0.85, 0.99, 1, 1.02, 1.1, 1.7, 3)]
WAVES = [(v, x) for v, x in OF_REAL_ORDER if x > abs(v)]
BELOW = [(v, x) for v, x in OF_REAL_ORDER if x <= abs(v) and v >= 0]
SMALL = [(0.501, 0.01), (2.501, 0.1), (7.50001, 0.3), (20.50001, 1.9)]
POSITIVE = [1e-6, 0.01, 0.3, 1, 1.5, 2, 4.7, 11, 33, 170.5]

# name, units in the last place, whether it has zeros, mpmath's function, arguments, edges whose values are SciPy's
ROWS = [
    ("gammainc", 8, False, lower, GAMMA, [(0, 1), (1, 0), (2, INF), (-1, 1), (1, -1), (INF, 2), (NAN, 1)]),
    ("gammaincc", 8, False, upper, GAMMA, [(0, 1), (1, 0), (2, INF), (-1, 1), (1, -1), (INF, 2), (1, NAN)]),
    ("gammaincinv", 10, False, lambda a, p: root(lambda x: lower(a, x) - p, sp.gammaincinv(float(a), float(p))),
     INVERSE_GAMMA + [(0.002, 0.6), (0.01, 0.9)],
     [(2, 0), (2, 1), (2, 1.5), (-1, 0.5)]),
    ("gammainccinv", 10, False, lambda a, p: root(lambda x: upper(a, x) - p, sp.gammainccinv(float(a), float(p))),
     INVERSE_GAMMA + [(0.002, 0.4), (0.01, 0.1)],
     [(2, 0), (2, 1), (2, 1.5), (-1, 0.5)]),
    ("betainc", 16, False, beta_lower, BETA, [(2, 3, 0), (2, 3, 1), (2, 3, 1.5), (2, 3, -0.5), (NAN, 1, 0.5)]),
    ("betaincc", 40, False, beta_upper, BETA, [(2, 3, 0), (2, 3, 1), (2, 3, 1.5)]),
    ("betaincinv", 60, False, lambda a, b, p: root(lambda x: beta_lower(a, b, x) - p, sp.betaincinv(float(a), float(b), float(p))),
     INVERSE_BETA, [(2, 3, 0), (2, 3, 1), (2, 3, 1.5), (2, 3, -0.5)]),
    ("polygamma", 6, True, lambda n, x: mp.polygamma(int(n), x), grid([0, 1, 2, 5, 12], POSITIVE), [(1, 0), (1.5, 1), (-1, 1)]),
    ("zeta", 8, True, mp.zeta, [(x,) for x in [-20.5, -7, -3.25, -0.75, 0, 0.25, 0.75, 1.0625, 1.5, 2, 3, 10, 40, 60]], [(1,), (-4,), (NAN,)]),
    ("hurwitz", 6, False, hurwitz, grid([1.125, 2, 3.5, 10, 20], [0.01, 0.5, 1, 3.75, 40, 1000]), [(1, 2), (2, 0), (0.5, 2)]),
    ("j0", 6, True, lambda x: mp.besselj(0, x), [(x,) for x in BESSEL_X], [(0,), (-3,)]),
    ("j1", 4, True, lambda x: mp.besselj(1, x), [(x,) for x in BESSEL_X], [(0,), (-3,)]),
    ("y0", 6, True, lambda x: mp.bessely(0, x), [(x,) for x in BESSEL_X], [(0,), (-3,)]),
    ("y1", 4, True, lambda x: mp.bessely(1, x), [(x,) for x in BESSEL_X], [(0,), (-3,)]),
    ("jn", 20, True, lambda n, x: mp.besselj(n, x), grid(ORDERS, BESSEL_X[1:]), [(3, 0), (-3, 2), (2, -5), (3, -5), (-4, 0.5)]),
    ("yn", 20, True, lambda n, x: mp.bessely(n, x), grid(ORDERS[:7], BESSEL_X[1:]), [(3, 0), (3, -2), (-2, 3)]),
    ("jv", 20, True, lambda v, x: mp.besselj(v, x), WAVES, [(0, 0), (2.5, 0), (-2.5, 0), (-1.25, 0), (2.5, -1), (3, -2), (-3, 2), (NAN, 1)]),
    ("yv", 20, True, lambda v, x: mp.bessely(v, x), WAVES, [(0, 0), (2.5, 0), (-1, 0), (-2, 0), (-0.75, 0), (-1.25, 0), (2.5, -1), (1, NAN)]),
    ("jv_below", 40, False, lambda v, x: mp.besselj(v, x), BELOW, [(200, 0.001)]),
    ("yv_below", 40, False, lambda v, x: mp.bessely(v, x), BELOW, [(200, 0.001)]),
    ("iv", 16, False, lambda v, x: mp.besseli(v, x), grid(REAL_ORDERS, BESSEL_X[1:-2]) + SMALL,
     [(0, 0), (2.5, 0), (2.5, -1), (3, -2), (4, -2), (-0.5, 2), (-2, 3)]),
    ("kv", 16, False, lambda v, x: mp.besselk(v, x), grid(REAL_ORDERS, BESSEL_X[1:-2]), [(1, 0), (1, -1), (-2.5, 3)]),
    ("ive", 16, False, lambda v, x: mp.exp(-x) * mp.besseli(v, x), grid(REAL_ORDERS, BESSEL_X[1:]) + SMALL, [(0, 0)]),
    ("kve", 16, False, lambda v, x: mp.exp(x) * mp.besselk(v, x), grid(REAL_ORDERS, BESSEL_X[1:]), [(1, 0), (1, -1)]),
    ("i0e", 6, False, lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), [(x,) for x in BESSEL_X], [(0,), (-3,)]),
    ("i1e", 6, False, lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), [(x,) for x in BESSEL_X], [(0,), (-3,)]),
    ("log_ndtr", 4, False, lambda x: mp.log(mp.ncdf(x)) if x < 5 else -mp.ncdf(-x) - mp.ncdf(-x) ** 2 / 2,
     [(x,) for x in [-200, -40, -21, -20, -19, -8.5, -3, -1, -0.5, 0, 0.25, 2, 8, 30]], [(INF,), (-INF,), (NAN,)]),
    ("xlog1py", 4, False, lambda x, y: x * mp.log1p(y), grid([0.5, 3, -2], [1e-7, -0.5, 4]), [(0, -1), (0, NAN), (2, -1), (2, -3)]),
    ("rel_entr", 4, False, lambda x, y: x * mp.log(x / y), grid([0.25, 1, 7], [0.001, 0.2500001, 3, 1e6]) + [(1e-30, 1e30)],
     [(0, 1), (0, -1), (-1, 1), (1, 0), (NAN, 1)]),
    ("kl_div", 4, False, lambda x, y: x * mp.log(x / y) - x + y, grid([0.25, 1, 7], [0.001, 0.2500001, 3, 1e6]), [(0, 1), (0, -1), (-1, 1), (1, 0)]),
    ("comb", 8, False, lambda n, k: mp.binomial(n, k), grid([5, 20, 61, 200, 1000], [0, 1, 2, 5]) + [(60, 30), (100, 50), (1020, 500), (7.5, 2.25), (1000.5, 1000.5)],
     [(3, 5), (-2, 1), (2, -1)]),
]
X = [-3, -0.5, 0, 0.25, 1, 2.5, 6]
P = [0, 1e-6, 0.01, 0.25, 0.5, 0.6, 0.95, 0.999, 1]
K = [-1, 0, 1, 2.5, 3, 7, 20, 40]
DISTRIBUTIONS = [
    ("norm", (1, 2), X), ("t", (3.5, 0.5, 2), X), ("t", (0.5, 0, 1), X), ("t", (40, 0, 1), X), ("chi2", (1, 0, 1), X), ("chi2", (9, -1, 0.5), X),
    ("gamma", (0.5, 0, 1), X), ("gamma", (2.5, 0.5, 3), X), ("gamma", (300, 0, 0.01), X), ("beta", (0.5, 0.75, 0, 1), X), ("beta", (2, 9, -1, 4), X),
    ("poisson", (0.25, 0), K), ("poisson", (6.5, 1), K), ("poisson", (1000, 0), [*K, 950, 1000, 1100]), ("binom", (20, 0.25, 0), K),
    ("binom", (1000, 0.03125, 2), K), ("binom", (1, 0.5, 0), K), ("norm", (0, 1), [-37, -20.3, -6.7, 8.1, 30.3]),
    ("t", (2, 0, 1), [1e-20, 1e-5, 1e10]), ("t", (3, 0, 1), [1e-10]),
    ("chi2", (2, 0, 1), X), ("gamma", (1, 0, 1), [*X, 300]), ("gamma", (12, 0, 1), [1e-5, 3.3, 150, 300]),
    ("gamma", (0.001, 0, 1), [1e-10, 0.3]), ("beta", (1, 3, 0, 1), [0, 0.3, 1]), ("beta", (40, 0.75, 0, 1), [0, 0.3, 0.999, 1]),
    ("beta", (500, 700, 0, 1), [0.3, 0.41, 0.5]), ("binom", (50, 0.875, 0), [0, 25, 44, 49, 50]), ("binom", (0, 0.5, 0), [0, 1]),
    ("poisson", (0, 0), [0, 1, 30]),
    ("uniform", (-0.5, 2), [*X, -0.5, 1.5]), ("expon", (0, 1), [*X, 1e-10, 300]), ("expon", (-1, 2.5), X),
    ("lognorm", (0.5, 0, 1), [*X, 1e-3, 20]), ("lognorm", (2, -1, 3), [*X, 1000]), ("f", (1, 3, 0, 1), [*X, 1e-9, 1e8]),
    ("f", (2, 7, 0, 1), X), ("f", (5.5, 12, -1, 2), X), ("f", (300, 40, 0, 1), X), ("f", (1000, 2000, 0, 1), X),
]
# Of which the densities alone are here.
DENSITIES = [("t", (1000, 0, 1), [-30.7, 0, 0.01, 5.3])]
TOLERANCE = {"uniform": 2, "expon": 4, "lognorm": 6, "f": 40, "norm": 6, "t": 16, "chi2": 12, "gamma": 16, "beta": 16, "poisson": 16, "binom": 16}


def short(values):
    return tuple(float(np.float32(v)) for v in values)


def text(v):
    v = float(v)
    return "nan" if v != v else ("-inf" if v < 0 else "inf") if abs(v) == INF else v.hex()


def line(name, arity, units, zeros, cases):
    words = [name, str(arity), str(units), "zeros" if zeros else "-"]
    for arguments, value in cases:
        words += [text(a) for a in arguments] + [text(value)]
    return " ".join(words) + "\n"


def main():
    lines = []
    for name, units, zeros, f, arguments, edges in ROWS:
        reference = {"hurwitz": sp.zeta, "jv_below": sp.jv, "yv_below": sp.yv}.get(name) or getattr(sp, name)
        cases = [(a, f(*map(mp.mpf, a))) for a in map(short, arguments)]
        cases = [(a, v) for a, v in cases if 1e-290 < abs(v) < 1e290]
        cases += [(a, reference(*map(int, a)) if name == "yn" else reference(*a)) for a in map(short, edges)]
        lines.append(line(name, len(cases[0][0]), units, zeros, cases))
    gathered = {}
    for name, parameters, points in DISTRIBUTIONS + DENSITIES:
        d = getattr(st, name)
        density = "pmf" if name in ("poisson", "binom") else "pdf"
        shares = [("cdf", points), ("sf", points), ("ppf", P)] if (name, parameters, points) not in DENSITIES else []
        parameters = short(parameters)
        for function, xs in [*shares, (density, points), ("log" + density, points)]:
            for x in short(xs):
                v = getattr(d, function)(x, *parameters)
                if function.startswith("log") and np.isfinite(v) and not is_edge(name, x, parameters):
                    v = log_density(name, x, parameters)
                elif function == density and 0 < v < INF and not is_edge(name, x, parameters):
                    v = mp.exp(log_density(name, x, parameters))
                if name == "f" and function in ("cdf", "sf") and 0 < v < 1:
                    n, m, loc, scale = map(mp.mpf, parameters)
                    odds = n / m * (mp.mpf(x) - loc) / scale
                    v = beta_lower(n / 2, m / 2, odds / (1 + odds)) if function == "cdf" else beta_lower(m / 2, n / 2, 1 / (1 + odds))
                if name in ("gamma", "chi2") and function in ("cdf", "sf") and 0 < v < 1:
                    # SciPy's upper part has fewer digits around one.
                    a, (loc, scale) = mp.mpf(parameters[0]), map(mp.mpf, parameters[1:])
                    half = 2 if name == "chi2" else 1
                    v = (lower if function == "cdf" else upper)(a / half, (mp.mpf(x) - loc) / scale / half)
                if abs(v) > 1e-290 or v == 0:
                    gathered.setdefault((name, function), []).append(((x, *parameters), v))
    for (name, function), cases in gathered.items():
        lines.append(line(f"{name}::{function}", len(cases[0][0]), TOLERANCE[name], function.startswith("log"), cases))
    OUT.write_text("".join(lines))
    print(sum(1 for _ in lines), "functions,", OUT.stat().st_size, "bytes")


main()
