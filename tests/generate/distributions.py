#!/usr/bin/env python3
"""Writes tests/data/golden/distributions.txt: for each distribution and parameters of distributions_test.cpp SciPy's probabilities of not
exceeding some numbers, its mean and its standard deviation (0 where there is none).

One line a case: name, parameters, `:`, mean, deviation, then pairs of a number and its probability; numbers are hexadecimal.
Needs SciPy; tests need only the file. Run: python3 tests/generate/distributions.py
"""
import pathlib

import numpy as np
import scipy.stats as st
from scipy.special import zeta

CASES = [
    ("uniform", (-2, 6), st.uniform(-2, 8)), ("normal", (0, 1), st.norm()), ("normal", (3, 2), st.norm(3, 2)),
    ("lognormal", (0, 0.5), st.lognorm(0.5)), ("lognormal", (1, 2), st.lognorm(2, scale=np.e)),
    ("exponential", (1,), st.expon()), ("exponential", (0.25,), st.expon(scale=0.25)), ("laplace", (0, 1), st.laplace()),
    ("laplace", (-1, 3), st.laplace(-1, 3)), ("logistic", (0, 1), st.logistic()), ("logistic", (2, 0.5), st.logistic(2, 0.5)),
    ("gumbel", (0, 1), st.gumbel_r()), ("gumbel", (-2, 4), st.gumbel_r(-2, 4)), ("cauchy", (0, 1), st.cauchy()),
    ("cauchy", (5, 0.5), st.cauchy(5, 0.5)), ("pareto", (0.8,), st.lomax(0.8)), ("pareto", (5,), st.lomax(5)),
    ("weibull", (0.5,), st.weibull_min(0.5)), ("weibull", (3,), st.weibull_min(3)), ("rayleigh", (1,), st.rayleigh()),
    ("rayleigh", (7,), st.rayleigh(scale=7)), ("triangular", (-1, 0, 2), st.triang(1 / 3, -1, 3)),
    ("triangular", (0, 0, 1), st.triang(0)), ("triangular", (2, 5, 5), st.triang(1, 2, 3)),
    ("gamma", (0.2, 1), st.gamma(0.2)), ("gamma", (0.9, 3), st.gamma(0.9, scale=3)), ("gamma", (1, 1), st.gamma(1)),
    ("gamma", (2.5, 0.5), st.gamma(2.5, scale=0.5)), ("gamma", (1e5, 1), st.gamma(1e5)), ("chisquare", (0.5,), st.chi2(0.5)),
    ("chisquare", (1,), st.chi2(1)), ("chisquare", (10,), st.chi2(10)), ("standard_t", (0.7,), st.t(0.7)),
    ("standard_t", (5,), st.t(5)), ("standard_t", (100,), st.t(100)), ("beta", (0.3, 0.7), st.beta(0.3, 0.7)),
    ("beta", (0.5, 3), st.beta(0.5, 3)), ("beta", (1, 1), st.beta(1, 1)), ("beta", (2, 5), st.beta(2, 5)),
    ("beta", (300, 200), st.beta(300, 200)), ("poisson", (0.01,), st.poisson(0.01)), ("poisson", (1,), st.poisson(1)),
    ("poisson", (9.9,), st.poisson(9.9)), ("poisson", (10,), st.poisson(10)), ("poisson", (37.5,), st.poisson(37.5)),
    ("poisson", (1e4,), st.poisson(1e4)), ("binomial", (1, 0.3), st.binom(1, 0.3)), ("binomial", (20, 0.1), st.binom(20, 0.1)),
    ("binomial", (20, 0.8), st.binom(20, 0.8)), ("binomial", (20, 0.5), st.binom(20, 0.5)),
    ("binomial", (60, 0.4), st.binom(60, 0.4)), ("binomial", (1000, 0.015), st.binom(1000, 0.015)),
    ("binomial", (100000, 0.7), st.binom(100000, 0.7)), ("geometric", (0.9,), st.geom(0.9)), ("geometric", (0.3,), st.geom(0.3)),
    ("geometric", (0.001,), st.geom(0.001)), ("integers", (-3, 14), st.randint(-3, 14)), ("integers", (0, 1000), st.randint(0, 1000)),
    ("power", (0.4,), st.powerlaw(0.4)), ("power", (7,), st.powerlaw(7)), ("vonmises", (0, 0.3), st.vonmises(0.3)),
    ("vonmises", (0, 4), st.vonmises(4)), ("vonmises", (0, 900), st.vonmises(900)), ("wald", (1, 1), st.invgauss(1)),
    ("wald", (3, 0.5), st.invgauss(6, scale=0.5)), ("f", (3, 9), st.f(3, 9)), ("f", (20, 50), st.f(20, 50)),
    ("noncentral_chisquare", (3, 2.5), st.ncx2(3, 2.5)), ("noncentral_chisquare", (0.5, 20), st.ncx2(0.5, 20)),
    ("noncentral_f", (4, 12, 3), st.ncf(4, 12, 3)), ("negative_binomial", (3, 0.4), st.nbinom(3, 0.4)),
    ("negative_binomial", (0.7, 0.05), st.nbinom(0.7, 0.05)), ("hypergeometric", (5, 9, 6), st.hypergeom(14, 5, 6)),
    ("hypergeometric", (400, 1000, 300), st.hypergeom(1400, 400, 300)), ("hypergeometric", (7, 4, 9), st.hypergeom(11, 7, 9)),
    ("zipf", (1.5,), st.zipf(1.5)), ("zipf", (4,), st.zipf(4)), ("logseries", (0.2,), st.logser(0.2)), ("logseries", (0.97,), st.logser(0.97)),
]
TAILS = np.array([1e-5, 1e-4, 1e-3, 1e-2])
SHARES = np.concatenate([TAILS, np.arange(1, 32) / 32, 1 - TAILS[::-1]])


def line(name, parameters, d):
    if name == "zipf":  # whose quantiles SciPy looks for one by one
        edges = np.array([1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 40, 100, 1000, 10000.0])
        shares = 1 - zeta(parameters[0], edges + 1) / zeta(parameters[0], 1)
        return " ".join([name, float(parameters[0]).hex(), ":", *(float(x).hex() for pair in [(0, 0), *zip(edges, shares)] for x in pair)])
    edges = np.unique(d.ppf(SHARES).astype(np.float64))
    mean, deviation = d.mean(), d.std()
    if not np.isfinite(mean) or not np.isfinite(deviation) or name in ("pareto", "lognormal", "weibull", "standard_t"):
        mean = deviation = 0.0  # heavy tails: the mean of a sample says little
    numbers = [mean, deviation] + [x for pair in zip(edges, d.cdf(edges)) for x in pair]
    return " ".join([name, *(float(p).hex() for p in parameters), ":", *(float(x).hex() for x in numbers)])


def main():
    path = pathlib.Path(__file__).resolve().parents[1] / "data/golden/distributions.txt"
    path.write_text("\n".join(line(*c) for c in CASES) + "\n")


if __name__ == "__main__":
    main()
