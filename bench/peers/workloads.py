"""The rows of bench/rows.py in the words of each library; each function prepares one and returns its call."""
import itertools
import math
import os
import time

import numpy

from libraries import Missing, NumPy

CACHE_BYTES = float(os.environ.get("BENCH_CACHE_BYTES", 64e6))


def shape_of(size):
    return tuple(int(float(part)) for part in size.split("x"))


# Longer inputs repeat themselves, because random numbers come from the host; a multiple of every cache's size.
LONGEST_RANDOM = 10**8


def inputs(library, shape, low=-3.0, high=3.0, dtype="float32"):
    """Sets of one input in turn, so that none is found in a cache; at most 64."""
    size = math.prod(shape)
    if shape != (size,) or size % LONGEST_RANDOM:
        count = min(max(math.ceil(2 * CACHE_BYTES / (size * 4)), 1), 64)
        return itertools.cycle([library.uniform(low, high, shape, dtype) for _ in range(count)])
    return itertools.cycle([library.xp.tile(library.uniform(low, high, (LONGEST_RANDOM,), dtype), (size // LONGEST_RANDOM,))])


def each(function, *cycles):
    return lambda: function(*map(next, cycles))


def gaussian(library, shape):
    x = inputs(library, shape)
    if library.name == "numexpr":
        f32 = library.xp.float32
        constants = dict(h=f32(-0.5), m=f32(0.25), s=f32(1.5), c=f32(1.5 * math.sqrt(2 * math.pi)))
        return each(lambda v: library.evaluate("exp(h * ((x - m) / s)**2) / c", x=v, **constants), x)
    exp, c = library.xp.exp, 1.5 * math.sqrt(2 * math.pi)
    return each(library.compile(lambda v: exp(-0.5 * ((v - 0.25) / 1.5) ** 2) / c), x)


def polar(library, shape):
    radii = inputs(library, shape, 0.5, 1.5), inputs(library, shape, 1.5, 2.5)
    angles = inputs(library, shape), inputs(library, shape)
    arrays = radii[0], angles[0], radii[1], angles[1]
    if library.name == "numexpr":
        text = "sqrt((r*cos(t) - q*cos(u))**2 + (r*sin(t) - q*sin(u))**2)"
        return each(lambda r, t, q, u: library.evaluate(text, r=r, t=t, q=q, u=u), *arrays)
    xp = library.xp

    def distance(r, t, q, u):
        return xp.sqrt((r * xp.cos(t) - q * xp.cos(u)) ** 2 + (r * xp.sin(t) - q * xp.sin(u)) ** 2)

    return each(library.compile(distance), *arrays)


def sum_of_squares(library, shape):
    x = inputs(library, shape, 0, 1)
    if library.name == "numexpr":
        m = library.xp.float32(0.25)
        return each(lambda v: library.evaluate("sum((x - m)**2)", x=v, m=m), x)
    return each(library.compile(lambda v: ((v - 0.25) ** 2).sum()), x)


def reducing(library):
    if library.name == "cupy.fuse":
        raise Missing("cupy.fuse does not fuse reductions with axes")
    return library.xp


def softmax(library, shape):
    xp = reducing(library)

    def rows(x):
        e = xp.exp(x - xp.amax(x, axis=1, keepdims=True))
        return e / xp.sum(e, axis=1, keepdims=True)

    return each(library.compile(rows), inputs(library, shape))


def broadcast(library, shape):
    row, column = library.uniform(-3, 3, (shape[1],)), library.uniform(-3, 3, (shape[0], 1))
    if library.name == "numexpr":
        two = library.xp.float32(2)
        return each(lambda v: library.evaluate("x * row + column * two", x=v, row=row, column=column, two=two), inputs(library, shape))
    f = library.compile(lambda x, row, column: x * row + column * 2)
    return each(lambda x: f(x, row, column), inputs(library, shape))


def transpose(library, shape):
    return each(library.compile(lambda x: x + x.T), inputs(library, shape))


def column_sums(library, shape):
    return each(library.compile(lambda x: (x * x).sum(axis=0)), inputs(library, shape))


def row_sums(library, shape):
    return each(library.compile(lambda x: (x * x).sum(axis=1)), inputs(library, shape))


def log_softmax(library, shape):
    xp = reducing(library)

    def rows(x):
        z = x - xp.amax(x, axis=1, keepdims=True)
        return z - xp.log(xp.sum(xp.exp(z), axis=1, keepdims=True))

    return each(library.compile(rows), inputs(library, shape))


def layer_norm(library, shape):
    xp = reducing(library)

    def rows(x):
        return (x - xp.mean(x, axis=1, keepdims=True)) / xp.sqrt(library.var(x, 1, keepdims=True) + 1e-5) * 1.5 + 0.5

    return each(library.compile(rows), inputs(library, shape))


def cosine(library, shape):
    xp = reducing(library)

    def rows(a, b):
        return xp.sum(a * b, axis=1) / xp.sqrt(xp.sum(a * a, axis=1) * xp.sum(b * b, axis=1))

    return each(library.compile(rows), inputs(library, shape), inputs(library, shape))


def mean_var(library, shape):
    reducing(library)
    return each(library.compile(lambda x: library.mean_var(x)), inputs(library, shape))


def mean_var_columns(library, shape):
    reducing(library)
    return each(library.compile(lambda x: library.mean_var(x, 0)), inputs(library, shape))


def argmax_max(library, shape):
    reducing(library)
    return each(library.compile(lambda x: library.argmax_max(x)), inputs(library, shape))


def middle_sums(library, shape):
    xp = reducing(library)
    return each(library.compile(lambda x: xp.sum(x, axis=1)), inputs(library, shape))


def cumsum_columns(library, shape):
    reducing(library)
    return each(library.compile(lambda x: library.xp.cumsum(x, 0)), inputs(library, shape))


def black_scholes(library, shape):
    prices, strikes, years = inputs(library, shape, 10, 50), inputs(library, shape, 10, 50), inputs(library, shape, 0.5, 2)
    xp, r, v = library.xp, 0.05, 0.2

    def normal(d):
        return 0.5 * (1 + library.erf(d * math.sqrt(0.5)))

    def options(s, k, t):
        d1 = (xp.log(s / k) + (r + 0.5 * v * v) * t) / (v * xp.sqrt(t))
        discounted = k * xp.exp(-r * t)
        call = s * normal(d1) - discounted * normal(d1 - v * xp.sqrt(t))
        return call, call - s + discounted

    return each(library.compile(options), prices, strikes, years)


def random(library, shape):
    return library.compile(lambda: library.random(shape))


def randn(library, shape):
    return library.compile(lambda: library.randn(shape))


def mean_exp_randn(library, shape):
    return library.compile(lambda: library.xp.exp(library.randn(shape)).mean())


def cumsum(library, shape):
    return each(library.compile(lambda x: library.xp.cumsum(x, 0)), inputs(library, shape, 0, 1))


def sort(library, shape):
    return each(library.compile(lambda x: library.xp.sort(x)), inputs(library, shape, 0, 1))


def select(library, shape):
    if library.name in ("jax", "torch.compile", "cupy.fuse", "numexpr"):
        raise Missing("its shape depends on data")
    return each(lambda x: x[x > 0.5], inputs(library, shape, 0, 1))


def gather(library, shape):
    index = library.integers(shape[0], shape)
    f = library.compile(lambda x, i: x[i])
    return each(lambda x: f(x, index), inputs(library, shape, 0, 1))


def scatter(library, shape):
    if library.name in ("numexpr", "cupy.fuse"):
        raise Missing("no assignment at positions")
    index, to = library.integers(shape[0], shape), library.array(numpy.zeros(shape, numpy.float32))

    def assign(y, x, i):
        if not library.in_place:
            return y.at[i].set(x)
        y[i] = x
        return y

    f = library.compile(assign)
    return each(lambda x: f(to, x, index), inputs(library, shape, 0, 1))


def signals(library, shape):
    count = min(max(math.ceil(2 * CACHE_BYTES / (math.prod(shape) * 8)), 1), 64)
    return [library.uniform(-3, 3, shape) * (0.5 - 1j) for _ in range(count)]


def fft(library, shape):
    if library.name in ("numexpr", "cupy.fuse"):
        raise Missing("it has no fft")
    return each(library.compile(lambda v: library.xp.fft.fft(v)), itertools.cycle(signals(library, shape)))


def fft_half(library, shape):
    if not library.name.startswith("torch"):
        raise Missing("it has no complex numbers of half precision")
    z = itertools.cycle([v.to(library.xp.complex32) for v in signals(library, shape)])
    return each(library.compile(lambda v: library.xp.fft.fft(v)), z)


def load(library, shape):
    if library.name in ("numexpr", "cupy.fuse", "torch.compile"):
        raise Missing("it loads no files of its own")
    file = os.fdopen(os.memfd_create("bench"), "wb")
    numpy.save(file, numpy.random.default_rng(42).random(shape, "float32"))
    file.flush()
    return lambda: library.array(numpy.load(f"/proc/self/fd/{file.fileno()}"))


def products(precision, layer=False):
    def prepare(library, shape):
        library.multiply_in(precision)
        y, b = library.uniform(-3, 3, (shape[1], shape[1])), library.uniform(-3, 3, (shape[1],))
        f = library.compile(lambda x, y, b: library.relu(x @ y + b) if layer else x @ y)
        return each(lambda x: f(x, y, b), inputs(library, shape))

    return prepare


def linear(library, function):
    if library.name in ("numexpr", "cupy.fuse"):
        raise Missing("it has no linear algebra")
    return getattr(library.xp.linalg, function)


def decompositions(function, dtype):
    def prepare(library, shape):
        f = linear(library, function)
        if function == "solve":
            b = library.uniform(-3, 3, (shape[0],) if len(shape) == 2 else shape[:-1] + (1,), dtype)
            return each(library.compile(lambda a: f(a, b)), inputs(library, shape, dtype=dtype))
        arrays = inputs(library, shape, dtype=dtype)
        if function == "eigh":
            a = next(arrays)
            arrays = itertools.cycle([a + a.swapaxes(-1, -2)])
        return each(library.compile(lambda a: f(a)), arrays)

    return prepare


def randn_inv(library, shape):
    inv = linear(library, "inv")
    return library.compile(lambda: inv(library.randn(shape)))


def randn_svd(library, shape):
    svd = linear(library, "svd")
    return library.compile(lambda: svd(library.randn(shape)))


def tiny(library, shape):
    x = inputs(library, shape)
    if library.name == "numexpr":
        return each(lambda v: library.evaluate("x * x + x", x=v), x)
    return each(library.compile(lambda v: v * v + v), x)


def first_use(library, shape):
    if library.compile.__func__ is NumPy.compile:
        raise Missing("nothing is compiled")
    x = library.uniform(1, 2, (1000,))

    def call():
        k = time.time()
        return library.compile(lambda v: library.xp.sin(v) * k)(x)

    return call


WORKLOADS = {f.__name__: f for f in (
    gaussian, polar, sum_of_squares, softmax, broadcast, transpose, column_sums, row_sums, log_softmax, layer_norm, cosine,
    mean_var, mean_var_columns, argmax_max, middle_sums, cumsum_columns, black_scholes, random, randn, mean_exp_randn, cumsum,
    sort, select, gather, scatter, fft, fft_half, load, randn_inv, randn_svd, tiny, first_use)}
WORKLOADS |= {"matmul": products("f32"), "matmul_tf32x3": products("tf32x3"), "matmul_tf32": products("tf32"),
              "layer_tf32": products("tf32", layer=True), "eighs": decompositions("eigh", "float32"),
              "solves": decompositions("solve", "float64")}
WORKLOADS |= {name: decompositions(name, "float64") for name in ("inv", "solve", "svd", "eigh", "eig", "qr")}
WORKLOADS |= {name + "s": decompositions(name, "float64") for name in ("inv", "svd", "eig", "qr")}
SINGLE = ("first_use",)  # a call is made only once per measurement
