"""The programs of bench/programs after their published sources: inputs by NumPy, and each in the words of the other libraries."""
import math

import numpy as np

from libraries import Missing
from sea_water import enthalpy_by_temperature


def by_size(size, small, medium, large, paper):
    return {"S": small, "M": medium, "L": large, "paper": paper}[size]


class ArcDistance:
    @staticmethod
    def initialize(rng, size=None, n=None):
        n = n or by_size(size, 100_000, 1_000_000, 10_000_000, 10_000_000)
        return tuple(rng.random(n) for _ in range(4))

    @staticmethod
    def kernel(xp, theta_1, phi_1, theta_2, phi_2):
        temp = (xp.sin((theta_2 - theta_1) / 2) ** 2
                + xp.cos(theta_1) * xp.cos(theta_2) * xp.sin((phi_2 - phi_1) / 2) ** 2)
        return 2 * xp.arctan2(xp.sqrt(temp), xp.sqrt(1 - temp))


class AzimintNaive:
    npt = 1000

    @staticmethod
    def initialize(rng, size=None, n=None):
        n = n or by_size(size, 400_000, 4_000_000, 40_000_000, 1_000_000)
        return rng.random(n), rng.random(n)

    @classmethod
    def kernel(cls, xp, data, radius):
        npt = cls.npt
        rmax = radius.max()
        res = xp.zeros(npt, dtype=xp.float64)
        for i in range(npt):
            r1, r2 = rmax * i / npt, rmax * (i + 1) / npt
            res[i] = data[xp.logical_and(r1 <= radius, radius < r2)].mean()
        return res

    @classmethod
    def jax_kernel(cls, jax, data, radius):
        npt = cls.npt
        rmax = radius.max()

        def ring(i, res):
            mask = (rmax * i / npt <= radius) & (radius < rmax * (i + 1) / npt)
            return res.at[i].set(jax.numpy.where(mask, data, 0).mean(where=mask))

        return jax.lax.fori_loop(0, npt, ring, jax.numpy.zeros(npt))


class Covariance:
    @staticmethod
    def initialize(rng, size=None, mn=None):
        m, n = mn or by_size(size, (500, 600), (1400, 1800), (3200, 4000), (1200, 1400))
        return (np.fromfunction(lambda i, j: (i * j) / m, (n, m)),)

    @staticmethod
    def kernel(xp, data):
        data = data - data.mean(axis=0)
        m = data.shape[1]
        cov = xp.zeros((m, m), dtype=data.dtype)
        for i in range(m):
            cov[i:m, i] = cov[i, i:m] = data[:, i] @ data[:, i:m] / (data.shape[0] - 1.0)
        return cov

    @staticmethod
    def jax_kernel(jax, data):
        data = data - data.mean(axis=0)
        return data.T @ data / (data.shape[0] - 1.0)


class Gesummv:
    @staticmethod
    def initialize(rng, size=None, n=None):
        n = n or by_size(size, 2000, 4000, 14000, 11200)
        i = np.arange(n, dtype=np.float64)
        return tuple((np.outer(i, i) + k) % n / n for k in (1, 2)) + (i % n / n,)

    @staticmethod
    def kernel(xp, a, b, x):
        return 1.5 * a @ x + 1.2 * b @ x


class GoFast:
    @staticmethod
    def initialize(rng, size=None, n=None):
        n = n or by_size(size, 2000, 6000, 20000, 12500)
        return (rng.random((n, n)),)

    @staticmethod
    def kernel(xp, a):
        trace = 0.0
        for i in range(a.shape[0]):
            trace += xp.tanh(a[i, i])
        return a + trace

    @staticmethod
    def jax_kernel(jax, a):
        return a + jax.lax.fori_loop(0, a.shape[0], lambda i, trace: trace + jax.numpy.tanh(a[i, i]), 0.0)


class Hdiff:
    @staticmethod
    def initialize(rng, size=None, extents=None):
        i, j, k = extents or by_size(size, (64, 64, 60), (128, 128, 160), (384, 384, 160), (256, 256, 160))
        return rng.random((i + 4, j + 4, k)), rng.random((i, j, k))

    @staticmethod
    def kernel(xp, field, coeff):
        I, J, _ = coeff.shape
        lap = 4.0 * field[1:I + 3, 1:J + 3] - (field[2:I + 4, 1:J + 3] + field[0:I + 2, 1:J + 3]
                                               + field[1:I + 3, 2:J + 4] + field[1:I + 3, 0:J + 2])
        res = lap[1:, 1:J + 1] - lap[:-1, 1:J + 1]
        flx = xp.where(res * (field[2:I + 3, 2:J + 2] - field[1:I + 2, 2:J + 2]) > 0, 0.0, res)
        res = lap[1:I + 1, 1:] - lap[1:I + 1, :-1]
        fly = xp.where(res * (field[2:I + 2, 2:J + 3] - field[2:I + 2, 1:J + 2]) > 0, 0.0, res)
        return field[2:I + 2, 2:J + 2] - coeff * (flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1])


class Jacobi2d:
    tsteps = 0

    @classmethod
    def initialize(cls, rng, size=None, steps_n=None):
        cls.tsteps, n = steps_n or by_size(size, (50, 150), (80, 350), (200, 700), (1000, 2800))
        a = np.fromfunction(lambda i, j: (i + j + 2) / n, (n, n))
        return a, a.copy()

    @classmethod
    def kernel(cls, xp, a, b):
        for _ in range(1, cls.tsteps):
            b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
            a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
        return a, b

    @classmethod
    def jax_kernel(cls, jax, a, b):
        def average(x):
            return 0.2 * (x[1:-1, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] + x[2:, 1:-1] + x[:-2, 1:-1])

        def step(_, state):
            a, b = state
            b = b.at[1:-1, 1:-1].set(average(a))
            return a.at[1:-1, 1:-1].set(average(b)), b

        return jax.lax.fori_loop(1, cls.tsteps, step, (a, b))


class Mandelbrot1:
    counts = ()

    @classmethod
    def initialize(cls, rng, size=None, settings=None):
        *borders, xn, yn, maxiter = settings or by_size(
            size, (-1.75, 0.25, -1.0, 1.0, 125, 125, 60), (-1.75, 0.25, -1.0, 1.0, 250, 250, 150),
            (-2.0, 0.5, -1.25, 1.25, 833, 833, 200), (-2.25, 0.75, -1.25, 1.25, 1000, 1000, 200))
        cls.counts = xn, yn, maxiter
        return tuple(borders)

    @classmethod
    def plane(cls, xp, xmin, xmax, ymin, ymax):
        xn, yn, maxiter = cls.counts
        x = xp.linspace(xmin, xmax, xn, dtype=xp.float64)
        y = xp.linspace(ymin, ymax, yn, dtype=xp.float64)
        c = x + y[:, None] * 1j
        return c, xp.zeros(c.shape, dtype=xp.complex128), xp.zeros(c.shape, dtype=xp.int64), maxiter

    @classmethod
    def kernel(cls, xp, *borders):
        c, z, n, maxiter = cls.plane(xp, *borders)
        for i in range(maxiter):
            inside = xp.less(abs(z), 2.0)
            n[inside] = i
            z[inside] = z[inside] ** 2 + c[inside]
        n[n == maxiter - 1] = 0
        return z, n

    @classmethod
    def jax_kernel(cls, jax, *borders):
        c, z, n, maxiter = cls.plane(jax.numpy, *borders)
        where = jax.numpy.where

        def step(i, state):
            z, n = state
            inside = abs(z) < 2.0
            return where(inside, z ** 2 + c, z), where(inside, i, n)

        z, n = jax.lax.fori_loop(0, maxiter, step, (z, n))
        return z, where(n == maxiter - 1, 0, n)


class Softmax:
    @staticmethod
    def initialize(rng, size=None, shape=None):
        n, h, sm = by_size(size, (16, 16, 128), (32, 8, 256), (64, 16, 448), (64, 16, 512)) if size else (0, 0, 0)
        return (rng.random(shape or (n, h, sm, sm), dtype=np.float32),)

    @staticmethod
    def kernel(xp, x):
        e = xp.exp(x - xp.amax(x, axis=-1, keepdims=True))
        return e / xp.sum(e, axis=-1, keepdims=True)


class Mlp:
    @staticmethod
    def initialize(rng, size=None, extents=None):
        c, n, s0, s1, s2 = extents or by_size(size, (3, 8, 30000, 2000, 2000), (3, 8, 30000, 10000, 10000),
                                              (3, 8, 30000, 30000, 30000), (3, 8, 30000, 10000, 1000))
        shapes = (n, c), (c, s0), (s0,), (s0, s1), (s1,), (s1, s2), (s2,)
        return tuple(rng.random(shape, dtype=np.float32) for shape in shapes)

    @staticmethod
    def kernel(xp, x, w1, b1, w2, b2, w3, b3):
        def relu(v):
            return xp.where(v > 0, v, 0)

        x = relu(x @ w1 + b1)
        x = relu(x @ w2 + b2)
        return Softmax.kernel(xp, x @ w3 + b3)


class EquationOfState:
    kernel = staticmethod(enthalpy_by_temperature)

    @staticmethod
    def initialize(rng, size="60"):
        side = float(size) ** (1 / 3)
        across, depth = math.ceil(math.sqrt(2) * side), math.ceil(0.5 * side)
        return (rng.uniform(1e-2, 10, (across, across, depth)), rng.uniform(-12, 20, (across, across, depth)),
                rng.uniform(0, 1000, (1, 1, depth)))


PROGRAMS = {"arc_distance": ArcDistance, "azimint_naive": AzimintNaive, "covariance": Covariance, "gesummv": Gesummv,
            "go_fast": GoFast, "hdiff": Hdiff, "jacobi_2d": Jacobi2d, "mandelbrot1": Mandelbrot1, "mlp": Mlp,
            "program_softmax": Softmax, "equation_of_state": EquationOfState}


def prepare(library, name, size):
    """The call of a program on a library."""
    program = PROGRAMS[name]
    if library.name in ("numexpr", "cupy.fuse"):
        raise Missing("needs more than one expression")
    loops = hasattr(program, "jax_kernel")
    if library.name == "torch.compile" and loops:
        raise Missing("it would unroll the loop")
    arrays = [library.array(a) if isinstance(a, np.ndarray) else a for a in program.initialize(library.rng, size)]
    if library.name == "jax" and loops:
        compiled = library.jax.jit(lambda *a: program.jax_kernel(library.jax, *a))
    elif loops:
        return lambda: program.kernel(library.xp, *arrays)
    else:
        compiled = library.compile(lambda *a: program.kernel(library.xp, *a))
    return lambda: compiled(*arrays)
