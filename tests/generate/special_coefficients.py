#!/usr/bin/env python3
"""Writes include/sinter/special/coefficients.def: the series that the bodies of special functions are made of, computed by mpmath.

Needs mpmath; the library needs only the file. Run: python3 tests/generate/special_coefficients.py
"""
import fractions
import pathlib
import textwrap

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
    yield "J0_NEAR", chebyshev(lambda t: j0(mp.sqrt(8 * (t + 1))), 24)
    yield "J0", chebyshev(lambda t: j0(6 + 2 * t), 30)
    yield "J1_NEAR", chebyshev(lambda t: j1(mp.sqrt(8 * (t + 1))) / mp.sqrt(8 * (t + 1)) if t > -1 else mp.mpf("0.5"), 24)
    yield "J1", chebyshev(lambda t: j1(6 + 2 * t), 30)
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


def quotient(f, low, high, n, m):
    """Polynomials of degrees n and m, the second from 1 on, whose quotient is f over [low, high] with about the least relative error:
    least squares that are weighted by the last denominator and by the last errors."""
    count = 6 * (n + m + 2)
    points = [low + (high - low) * (mp.cos(mp.pi * (k + mp.mpf(1) / 2) / count) + 1) / 2 for k in range(count)]
    values, scale = [f(x) for x in points], max(abs(x) for x in points)
    below, weights, best = [mp.mpf(1)] * count, [mp.mpf(1)] * count, None
    for _ in range(6):
        rows, right = mp.matrix(count, n + 1 + m), mp.matrix(count, 1)
        for i, (x, y) in enumerate(zip(points, values)):
            factor = weights[i] / (below[i] * y)
            powers = [factor * (x / scale) ** j for j in range(max(n, m) + 1)]
            for j, v in enumerate(powers[:n + 1] + [-y * v for v in powers[1:m + 1]]):
                rows[i, j] = v
            right[i] = factor * y
        found = mp.lu_solve(rows.T * rows, rows.T * right)
        above = [found[j] / scale**j for j in range(n + 1)]
        divisor = [mp.mpf(1)] + [found[n + 1 + j] / scale ** (j + 1) for j in range(m)]
        below = [mp.polyval(divisor[::-1], x) for x in points]
        errors = [abs(mp.polyval(above[::-1], x) / b / y - 1) for x, b, y in zip(points, below, values)]
        worst = max(errors)
        if best is None or worst < best[0]:
            best = worst, above, divisor
        weights = [w * (e / worst) ** mp.mpf("0.25") + mp.mpf("0.02") for w, e in zip(weights, errors)]
        weights = [w / max(weights) for w in weights]
    return best[1:]


def normal_tails():
    """Mills' ratio times x + 1.25 in (x - k) / (x + k), for normal_tail."""
    mills = lambda x: mp.exp(x * x / 2) * mp.erfc(x / mp.sqrt(2)) / 2
    for k, end, n in ((4, 19, 10), (5, 40, 22)):
        at = lambda t: k * (1 + t) / (1 - t)
        yield "NORMAL_TAIL", quotient(lambda t: (at(t) + mp.mpf("1.25")) * mills(at(t)), mp.mpf(-1), mp.mpf(end - k) / (end + k), n, 0)[0]


def upper_quantile(r):
    """Above which a normal number is with probability exp(-r^2), by Newton's rule of logarithms."""
    x = mp.sqrt(max(2 * r * r - mp.log(4 * mp.pi * r * r), mp.mpf("0.1")))
    for _ in range(60):
        tail = mp.erfc(x / mp.sqrt(2)) / 2
        step = (mp.log(tail) + r * r) * tail * mp.sqrt(2 * mp.pi) * mp.exp(x * x / 2)
        x += step
        if abs(step) < mp.mpf(10) ** -45 * x:
            return x
    raise ArithmeticError(f"no quantile of {r}")


def normal_quantiles():
    """What the leading terms leave, for normal_quantile."""
    def middle(r):
        square = mp.mpf("0.180625") - r
        q = mp.sqrt(square)
        return (mp.sqrt(2) * mp.erfinv(2 * q) / q - mp.sqrt(2 * mp.pi)) / square
    left = lambda r: mp.mpf("1.4375") * r - upper_quantile(r)
    yield "QUANTILE_MIDDLE", quotient(middle, mp.mpf(0), mp.mpf("0.1806249999"), 7, 7)
    yield "QUANTILE_TAIL", quotient(left, mp.sqrt(-mp.log(mp.mpf("0.076"))), mp.mpf(5), 7, 7)
    yield "QUANTILE_FAR_TAIL", quotient(left, mp.mpf(5), mp.mpf("27.4"), 7, 7)


def modified_bessel():
    """In x^2 / 4 what is left of I0(x) - 1 and 2 I1(x) / x - 1, and in 1 / x of sqrt(x) exp(-x) I(x) - 1 / sqrt(2 pi), for bessel_i."""
    for order in (0, 1):
        near = lambda a: (mp.besseli(order, 2 * mp.sqrt(a)) / mp.sqrt(a) ** order - 1) / a
        far = lambda u: (mp.exp(-1 / u) * mp.besseli(order, 1 / u) / mp.sqrt(u) - 1 / mp.sqrt(2 * mp.pi)) / u
        yield f"I{order}_NEAR", quotient(near, mp.mpf("1e-12"), mp.mpf(16), 14, 0)[0]
        yield f"I{order}_MIDDLE", power_series(chebyshev(lambda t: far(mp.mpf("0.0875") + mp.mpf("0.0375") * t), 24), mp.mpf("2e-17"))
        yield f"I{order}_FAR", quotient(far, mp.mpf("1e-3"), mp.mpf("0.05"), 9, 0)[0]


def log_gammas():
    """The logarithm of the gamma function over its distance to the zeros at one and two, for log_gamma of floats."""
    for name, zero, low, high, n in (("ONE", 1, "-0.5", "0.25", 11), ("TWO", 2, "-0.75", "1", 11)):
        near = lambda t: mp.loggamma(zero + t) / t
        yield f"LOG_GAMMA_NEAR_{name}", quotient(near, mp.mpf(low), mp.mpf(high), n, 0)[0]
    middle = lambda t: mp.loggamma(t + mp.mpf("5.5")) / (t + mp.mpf("3.5"))
    yield "LOG_GAMMA_MIDDLE", quotient(middle, mp.mpf("-2.5"), mp.mpf("2.5"), 10, 0)[0]


def power_series(c, least):
    """A Chebyshev series down to terms of this size, in powers."""
    while abs(c[-1]) < least:
        c.pop()
    before, last, powers = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)], [c[0]] + [mp.mpf(0)] * (len(c) - 1)
    for factor in c[1:]:
        for i, v in enumerate(last):
            powers[i] += factor * v
        before, last = last, [2 * a - b for a, b in zip([mp.mpf(0)] + last, before + [mp.mpf(0)] * 2)]
    return powers


def listed(name, values):
    numbers = ", ".join(mp.nstr(mp.mpf(v.numerator) / v.denominator if isinstance(v, F) else v, 19) for v in values)
    lines = textwrap.wrap(f"#define SINTER_{name} {{{numbers}}}", 118, subsequent_indent="    ", break_on_hyphens=False)
    return " \\\n".join(lines) + "\n"


def main():
    text = ["// The coefficients of special functions' series; tests/generate/special_coefficients.py writes them.\n"]
    for name, values in bessel():
        row = listed("CHEBYSHEV_" + name, values)
        if name[0] != "Y":
            print(row)  # for bessel_j of scalar_bessel.def
        if name[0] != "J":
            text.append(row)
    for rows in (normal_tails(), modified_bessel(), log_gammas()):
        for name, values in rows:
            print(listed(name, values))  # for scalar_special.def and its like, as what follows
    for name, (above, divisor) in normal_quantiles():
        print(listed(name, above) + listed(name + "_DIVISOR", divisor))
    print(listed("INVERSE_GAMMA", power_series(chebyshev(lambda t: mp.rgamma((3 + t) / 2), 30), mp.mpf("2e-18"))))  # for gamma_below
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
