#!/usr/bin/env python3
"""Writes include/sinter/special/coefficients.def: the series that the bodies of special functions are made of, computed by mpmath.

Needs mpmath; the library needs only the file. Run: python3 tests/generate/special_coefficients.py
"""
import fractions
import pathlib

import mpmath as mp

mp.mp.dps = 50
F = fractions.Fraction
OUT = pathlib.Path(__file__).resolve().parent.parent.parent / "include/sinter/special/coefficients.def"


def chebyshev(f, n):
    """Coefficients of f over [-1, 1], the first one halved, down to what no double shows."""
    m = 4 * n
    points = [mp.cos(mp.pi * (k + mp.mpf(1) / 2) / m) for k in range(m)]
    values = [f(x) for x in points]
    c = [2 / mp.mpf(m) * mp.fsum(v * mp.cos(mp.pi * j * (k + mp.mpf(1) / 2) / m) for k, v in enumerate(values)) for j in range(n)]
    c[0] /= 2
    while abs(c[-1]) < mp.mpf("1e-18"):
        c.pop()
    return c


def small(f):
    """A function of x in [0, 8] as one of t = x^2 / 32 - 1."""
    return lambda t: f(mp.sqrt(32 * (t + 1)) if t > -1 else mp.mpf("1e-30"))


def large(order, cosine):
    """What multiplies the cosine or x times the sine of x - (2 order + 1) pi / 4, of t = 128 / x^2 - 1 for x from 8 on."""
    def f(t):
        x = mp.sqrt(128 / (t + 1))
        chi = x - (2 * order + 1) * mp.pi / 4
        scale = mp.sqrt(mp.pi * x / 2)
        j, y = scale * mp.besselj(order, x), scale * mp.bessely(order, x)
        return j * mp.cos(chi) + y * mp.sin(chi) if cosine else x * (y * mp.cos(chi) - j * mp.sin(chi))
    return f


def bessel():
    j0, j1 = (lambda x: mp.besselj(0, x)), (lambda x: mp.besselj(1, x))
    yield "J0", chebyshev(small(j0), 30)
    yield "J1", chebyshev(small(lambda x: j1(x) / x), 30)
    yield "Y0", chebyshev(small(lambda x: mp.bessely(0, x) - 2 / mp.pi * mp.log(x / 2) * j0(x)), 30)
    yield "Y1", chebyshev(small(lambda x: (mp.bessely(1, x) - 2 / mp.pi * (mp.log(x / 2) * j1(x) - 1 / x)) / x), 30)
    for order in (0, 1):
        for name, cosine in (("COSINE", True), ("SINE", False)):
            yield f"{name}{order}", chebyshev(large(order, cosine), 24)


def debye(count):
    """The polynomials u_k of uniform expansions, as u_k(p) / p^k in p^2 (DLMF 10.41.9)."""
    u = {0: F(1)}
    for k in range(count):
        if k:
            yield [u.get(k + 2 * i, F(0)) for i in range(k + 1)]
        following = {}
        for n, c in u.items():
            for power, factor in ((n + 1, F(n) / 2 + F(1, 8) / (n + 1)), (n + 3, -F(n) / 2 - F(5, 8) / (n + 3))):
                following[power] = following.get(power, F(0)) + c * factor
        u = following


def temme(rows, reach=0.48, least=20):
    """The d_{k,n} of DLMF 8.12.12, of each k those that a double shows for |eta| up to reach and a from least on."""
    n = rows * 2 + 30
    # mu = lambda - 1 with mu mu' = eta (1 + mu).
    a = [F(0), F(1)]
    for i in range(2, n + 3):
        rest = a[i - 1] - sum(j * a[j] * a[i - j + 1] for j in range(2, i))
        a.append(F(rest) / (i + 1))
    d = [[(i + 2) * a[i + 2] for i in range(n)]]
    d[0][0] = F(-1, 3)
    stirling = [F(1)]
    bernoulli = [mp.bernfrac(k) for k in range(2 * rows + 4)]
    logarithm = {k: F(int(bernoulli[k + 1][0]), int(bernoulli[k + 1][1])) / (k * (k + 1)) for k in range(1, 2 * rows + 2, 2)}
    for k in range(1, rows + 1):
        stirling.append(sum(j * logarithm[j] * stirling[k - j] for j in range(1, k + 1) if j in logarithm) / k)
    for k in range(1, rows):
        g = stirling[k]
        d.append([(-1) ** k * g * d[0][i] + (i + 2) * d[k - 1][i + 2] for i in range(len(d[k - 1]) - 2)])
    for k, row in enumerate(d):
        kept = [c for i, c in enumerate(row) if abs(float(c)) * reach**i * least**-k > 1e-17]
        if kept:
            yield row[:max(i for i, c in enumerate(row) if abs(float(c)) * reach**i * least**-k > 1e-17) + 1]


def listed(name, values):
    return f"#define SINTER_{name} {{" + ", ".join(mp.nstr(mp.mpf(v.numerator) / v.denominator if isinstance(v, F) else v, 19) for v in values) + "}\n"


def main():
    text = ["// The coefficients of special functions' series; tests/generate/special_coefficients.py writes them.\n"]
    for name, values in bessel():
        row = listed("CHEBYSHEV_" + name, values)
        if name[0] != "Y":
            print(row)  # for bessel_j of scalar_special.def
        if name[0] != "J":
            text.append(row)
    reciprocal = mp.taylor(lambda z: mp.rgamma(1 + z), 0, 22)
    text.append(listed("RECIPROCAL_GAMMA_EVEN", reciprocal[0:21:2]))
    text.append(listed("RECIPROCAL_GAMMA_ODD", reciprocal[1:21:2]))
    text.append(listed("LOG_GAMMA_REST", [(-1) ** k * (mp.zeta(k) - 1) / k for k in range(2, 28)]))
    polynomials = list(debye(13))
    text.append(listed("DEBYE", [c for u in polynomials for c in u]))
    rows = list(temme(16))
    text.append(listed("TEMME_LENGTHS", [mp.mpf(len(r)) for r in rows]).replace(".0", ""))
    text.append(listed("TEMME", [c for r in rows for c in r]))
    # What clang-format makes of a list of this length is no easier to read.
    OUT.write_text(text[0] + "// clang-format off\n" + "".join(text[1:]) + "// clang-format on\n")
    for line in text[1:]:
        print(line.split(" ")[1], line.count(",") + 1)


main()
