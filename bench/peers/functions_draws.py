"""The rows of bench/functions/draws.cpp in the words of other libraries. Their operand says how many numbers to draw, and JAX's key."""
import functools

from functions import row


@functools.cache
def generator(np):
    return np.random.default_rng(42)


def keyed(f):
    def g(np, x, *more):
        import jax

        return f(jax.random, jax.random.key(x[0]), x.shape, *more)

    return g


def draw(name, size, array, torch, jax, cupy=None):
    """`array` of NumPy's and CuPy's generator and a number, `torch` of a shape and a device, `jax` of its module, a key and a shape."""
    row(name, lambda m: m.as_type(m.arange(m.line(size)), "i8"), checked=False, numpy=lambda np, x: array(generator(np), x.shape[0]),
        cupy=cupy or (lambda np, x: array(generator(np), x.shape[0])), jax=keyed(jax),
        torch=lambda t, x: torch(t, (x.shape[0],), x.device))


def full(t, n, value, device, dtype):
    return t.full(n, value, dtype=dtype, device=device)


draw("normal", 1e8, lambda g, n: g.standard_normal(n, "float32"), lambda t, n, d: t.randn(n, device=d),
     lambda r, k, n: r.normal(k, n, "float32"))
draw("integers", 1e8, lambda g, n: g.integers(0, 1000, n), lambda t, n, d: t.randint(0, 1000, n, device=d),
     lambda r, k, n: r.randint(k, n, 0, 1000, "int64"))
draw("exponential", 5e7, lambda g, n: g.exponential(1.0, n), lambda t, n, d: t.empty(n, dtype=t.float64, device=d).exponential_(),
     lambda r, k, n: r.exponential(k, n, "float64"))
draw("gamma", 1e7, lambda g, n: g.gamma(2.5, 1.0, n), lambda t, n, d: t._standard_gamma(full(t, n, 2.5, d, t.float64)),
     lambda r, k, n: r.gamma(k, 2.5, n, "float64"))
draw("poisson", 1e7, lambda g, n: g.poisson(4.5, n), lambda t, n, d: t.poisson(full(t, n, 4.5, d, t.float64)),
     lambda r, k, n: r.poisson(k, 4.5, n, "int64"))
draw("binomial", 1e7, lambda g, n: g.binomial(20, 0.3, n),
     lambda t, n, d: t.binomial(full(t, n, 20.0, d, t.float64), full(t, n, 0.3, d, t.float64)),
     lambda r, k, n: r.binomial(k, 20.0, 0.3, n))
draw("permutation", 1e7, lambda g, n: g.permutation(n), lambda t, n, d: t.randperm(n[0], device=d),
     lambda r, k, n: r.permutation(k, n[0]), cupy=lambda np, x: np.random.permutation(x.shape[0]))


def weights(m):
    w = m.hashed((1000,), 3, "f64")
    return w / w.sum()


number = lambda m: m.as_type(m.arange(m.line(1e7)), "i8")
row("choice", lambda m: (number(m), m.hashed((m.line(1e6),))), checked=False, numpy=lambda np, n, x: generator(np).choice(x, n.shape[0]),
    cupy=lambda np, n, x: np.random.choice(x, n.shape[0]), jax=keyed(lambda r, k, n, x: r.choice(k, x, n)),
    torch=lambda t, n, x: x[t.randint(0, x.shape[0], n.shape, device=x.device)])
row("choice_weighted", lambda m: (number(m), m.hashed((1000,)), weights(m)), checked=False,
    numpy=lambda np, n, x, p: generator(np).choice(x, n.shape[0], p=p), cupy=lambda np, n, x, p: np.random.choice(x, n.shape[0], p=p),
    jax=keyed(lambda r, k, n, x, p: r.choice(k, x, n, p=p)),
    torch=lambda t, n, x, p: x[t.multinomial(p, n.shape[0], replacement=True)])
