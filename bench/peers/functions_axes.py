"""The rows of bench/functions/elements.cpp and axes.cpp in the words of other libraries."""
import math

from functions import row


def copy_row():
    row("copy", lambda m: m.hashed((m.line(1e8),)), fused=True, array=lambda np, x: x + 1, torch=lambda t, x: x + 1)


def types():
    row("map_float64", lambda m: m.hashed((m.line(5e7),), dtype="f64"), fused=True,
        array=lambda np, x: np.sin(x) * np.exp(-x), torch=lambda t, x: t.sin(x) * t.exp(-x))
    row("map_float16", lambda m: m.hashed((m.line(2e8),), dtype="f16"), fused=True,
        array=lambda np, x: x * x + 1, torch=lambda t, x: x * x + 1)
    row("map_bfloat16", lambda m: m.hashed((m.line(2e8),), dtype="bf16"), fused=True,
        array=lambda np, x: np.tanh(x), torch=lambda t, x: t.tanh(x))
    row("map_int32", lambda m: m.whole((m.line(1e8),), 1e6, dtype="i32"), fused=True,
        array=lambda np, x: (x ^ (x >> 7)) * 3 + 1, torch=lambda t, x: (x ^ (x >> 7)) * 3 + 1)
    row("divide_int32", lambda m: (m.whole((m.line(1e8),), 1e6, dtype="i32"), m.whole((m.line(1e8),), 100, 2, "i32") + 1), fused=True,
        array=lambda np, x, y: x // y, torch=lambda t, x, y: x // y)
    row("remainder_int64", lambda m: m.whole((m.line(5e7),), 1e9), fused=True, array=lambda np, x: x % 97, torch=lambda t, x: x % 97)
    row("remainder_float32", lambda m: m.around_zero((m.line(1e8),)), fused=True,
        array=lambda np, x: np.remainder(x, 0.125), torch=lambda t, x: t.remainder(x, 0.125))
    row("complex_abs", lambda m: m.complex((m.line(5e7),)), array=lambda np, z: np.abs(z), torch=lambda t, z: t.abs(z))
    row("complex_exp", lambda m: m.complex((m.line(5e7),)), array=lambda np, z: np.exp(z), torch=lambda t, z: t.exp(z))
    row("complex_multiply", lambda m: m.complex((m.line(5e7),)), array=lambda np, z: z * z + (0.5 + 1j), torch=lambda t, z: z * z + (0.5 + 1j))

    def gray(np, x):
        f = x.astype(np.float32)
        return (0.25 * f[:, :, 0] + 0.5 * f[:, :, 1] + 0.25 * f[:, :, 2]).astype(np.uint8)

    def torch_gray(t, x):
        f = x.float()
        return (0.25 * f[:, :, 0] + 0.5 * f[:, :, 1] + 0.25 * f[:, :, 2]).to(t.uint8)

    row("image_to_gray", lambda m: m.whole((m.side(8192), m.side(8192), 3), 256, dtype="u8"), fused=True, array=gray, torch=torch_gray)


def horner(np, x):
    y = x * 0.1 + 1.0
    for i in range(9):
        y = y * x + 0.1 * i
    return y


def elements():
    row("where_broadcast", lambda m: (m.hashed((m.side(8192), m.side(8192))), m.hashed((m.side(8192),), 2), m.hashed((m.side(8192),), 3)),
        fused=True, array=lambda np, x, r, c: np.where(x > 0.5, r, c[:, None]), torch=lambda t, x, r, c: t.where(x > 0.5, r, c[:, None]))
    row("clip_round", lambda m: m.hashed((m.line(1e8),)), fused=True,
        array=lambda np, x: np.round(np.clip(x * 10, 1, 8), 1), torch=lambda t, x: t.round(t.clip(x * 10, 1, 8), decimals=1))
    row("horner_10", lambda m: m.hashed((m.line(1e8),)), fused=True, array=horner, torch=horner)
    row("arctan2_hypot", lambda m: (m.around_zero((m.line(5e7),)), m.around_zero((m.line(5e7),), 2)), fused=True,
        array=lambda np, x, y: np.arctan2(y, x) + np.hypot(x, y), torch=lambda t, x, y: t.arctan2(y, x) + t.hypot(x, y))
    row("power", lambda m: (m.hashed((m.line(5e7),)), m.hashed((m.line(5e7),), 2)), fused=True,
        array=lambda np, x, y: np.power(x, y), torch=lambda t, x, y: t.pow(x, y))
    row("isclose", lambda m: (m.hashed((m.line(5e7),)), m.hashed((m.line(5e7),), 2)), fused=True,
        array=lambda np, x, y: np.isclose(x, y, rtol=0.1), torch=lambda t, x, y: t.isclose(x, y, rtol=0.1))


def special():
    row("erf", lambda m: m.around_zero((m.line(1e8),)), fused=True, scipy=lambda s, x: s.special.erf(x), torch=lambda t, x: t.erf(x))
    row("gammaln", lambda m: m.hashed((m.line(5e7),)), fused=True,
        scipy=lambda s, x: s.special.gammaln(x + 0.5), torch=lambda t, x: t.lgamma(x + 0.5))
    row("digamma", lambda m: m.hashed((m.line(2e7),), dtype="f64"), fused=True,
        scipy=lambda s, x: s.special.digamma(x + 0.5), torch=lambda t, x: t.digamma(x + 0.5))
    row("i0", lambda m: m.hashed((m.line(5e7),)), fused=True, scipy=lambda s, x: s.special.i0(x * 5), torch=lambda t, x: t.special.i0(x * 5))
    row("j1", lambda m: m.hashed((m.line(1e7),), dtype="f64"), fused=True,
        scipy=lambda s, x: s.special.j1(x * 20), torch=lambda t, x: t.special.bessel_j1(x * 20))
    row("ndtri", lambda m: m.hashed((m.line(2e7),), dtype="f64"), fused=True,
        scipy=lambda s, x: s.special.ndtri(x * 0.9 + 0.05), torch=lambda t, x: t.special.ndtri(x * 0.9 + 0.05))
    row("gammainc", lambda m: (m.hashed((m.line(5e6),), dtype="f64"), m.hashed((m.line(5e6),), 2, "f64")),
        scipy=lambda s, a, x: s.special.gammainc(a * 10 + 0.5, x * 10), torch=lambda t, a, x: t.special.gammainc(a * 10 + 0.5, x * 10))
    row("betainc", lambda m: m.hashed((m.line(5e6),), dtype="f64"), scipy=lambda s, x: s.special.betainc(2.5, 3.5, x))
    root = math.sqrt(2 * math.pi)
    row("norm_pdf", lambda m: m.around_zero((m.line(5e7),), dtype="f64"), fused=True, numpy=lambda np, x: scipy_norm().pdf(x),
        jax=lambda np, x: jax_norm().pdf(x), array=lambda np, x: np.exp(x * x * -0.5) / root, torch=lambda t, x: t.exp(x * x * -0.5) / root)
    log_root = math.log(root)
    row("norm_logpdf", lambda m: m.around_zero((m.line(5e7),), dtype="f64"), fused=True, numpy=lambda np, x: scipy_norm().logpdf(x),
        jax=lambda np, x: jax_norm().logpdf(x), array=lambda np, x: x * x * -0.5 - log_root, torch=lambda t, x: x * x * -0.5 - log_root)


def scipy_norm():
    import scipy.stats

    return scipy.stats.norm


def jax_norm():
    import jax.scipy.stats

    return jax.scipy.stats.norm


def running_maximum(np, x):
    if hasattr(np.maximum, "accumulate"):
        return np.maximum.accumulate(x)
    from jax.lax import cummax

    return cummax(x)


def log_cumsum_exp(np, x):
    m = x.max(1, keepdims=True)
    return np.log(np.cumsum(np.exp(x - m), 1)) + m


def running():
    square = lambda m: m.hashed((m.side(8192), m.side(8192)))
    for axis in (0, 1):
        row(f"cumsum_axis{axis}", square, array=lambda np, x, axis=axis: np.cumsum(x, axis), torch=lambda t, x, axis=axis: t.cumsum(x, axis))
    row("cumsum_middle", lambda m: m.hashed((m.edge(64), m.edge(1024), m.edge(1024))),
        array=lambda np, x: np.cumsum(x, 1), torch=lambda t, x: t.cumsum(x, 1))
    row("cumprod_rows", lambda m: 1 + 0.01 * m.around_zero((m.line(65536), 1000)),
        array=lambda np, x: np.cumprod(x, 1), torch=lambda t, x: t.cumprod(x, 1))
    row("cummax", lambda m: m.hashed((m.line(1e8),)), array=running_maximum, torch=lambda t, x: t.cummax(x, 0).values)
    row("log_cumsum_exp", square, array=log_cumsum_exp, torch=lambda t, x: t.logcumsumexp(x, 1))


def with_gaps(m):
    x = m.hashed((m.side(8192), m.side(8192)))
    return m.library.xp.where(x < 0.1, float("nan"), x)


def torch_nanstd(t, x):
    d = x - t.nanmean(x, 0)
    return t.sqrt(t.nanmean(d * d, 0))


def flags(m, limit):
    return m.hashed((m.side(16384), m.side(16384))) < limit


def layer_norm(np, x):
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)


def softmax(np, x):
    e = np.exp(x - x.max(0, keepdims=True))
    return e / e.sum(0, keepdims=True)


def logsumexp(axis):
    def f(np, x):
        m = x.max(axis, keepdims=True)
        return np.log(np.exp(x - m).sum(axis)) + m.squeeze(axis)

    return f


def reducing():
    row("sum_bool", lambda m: m.hashed((m.line(4e8),)) < 0.5, fused=True, array=lambda np, x: np.sum(x), torch=lambda t, x: t.sum(x))
    row("sum_int8", lambda m: m.whole((m.line(4e8),), 100, dtype="i8"), fused=True, array=lambda np, x: np.sum(x, dtype=np.int64), torch=lambda t, x: t.sum(x))
    row("sum_bool_axis1", lambda m: flags(m, 0.5), fused=True, array=lambda np, x: np.sum(x, 1), torch=lambda t, x: t.sum(x, 1))
    row("any_axis1", lambda m: flags(m, 1e-4), fused=True, array=lambda np, x: np.any(x, 1), torch=lambda t, x: t.any(x, 1))
    row("all_axis0", lambda m: ~flags(m, 1e-4), fused=True, array=lambda np, x: np.all(x, 0), torch=lambda t, x: t.all(x, 0))
    square = lambda m: m.hashed((m.side(8192), m.side(8192)))
    rows = lambda m: m.hashed((m.line(100000), 1000))
    row("argmax_axis0", square, fused=True, array=lambda np, x: np.argmax(x, 0), torch=lambda t, x: t.argmax(x, 0))
    row("argmin_axis1", rows, fused=True, array=lambda np, x: np.argmin(x, 1), torch=lambda t, x: t.argmin(x, 1))
    row("std_axis0", square, fused=True, array=lambda np, x: np.std(x, 0), torch=lambda t, x: t.std(x, 0, correction=0))
    row("nanmean_axis0", with_gaps, fused=True, array=lambda np, x: np.nanmean(x, 0), torch=lambda t, x: t.nanmean(x, 0))
    row("nanstd_axis0", with_gaps, fused=True, array=lambda np, x: np.nanstd(x, 0), torch=torch_nanstd)
    row("norm_axis1", rows, fused=True, array=lambda np, x: np.linalg.norm(x, 2, 1), torch=lambda t, x: t.linalg.norm(x, 2, 1))
    row("logsumexp_axis1", rows, fused=True, array=logsumexp(1), torch=lambda t, x: t.logsumexp(x, 1))
    row("logsumexp_axis0", square, fused=True, array=logsumexp(0), torch=lambda t, x: t.logsumexp(x, 0))
    row("softmax_axis0", square, fused=True, array=softmax, torch=lambda t, x: t.softmax(x, 0))
    row("layer_norm_middle", lambda m: m.hashed((m.line(64), 256, 4096)), fused=True, array=layer_norm,
        torch=lambda t, x: (x - x.mean(1, keepdim=True)) / t.sqrt(x.var(1, correction=0, keepdim=True) + 1e-5))
    row("sum_float64", lambda m: m.hashed((m.line(1e8),), dtype="f64"), fused=True, array=lambda np, x: np.sum(x), torch=lambda t, x: t.sum(x))
    row("sum_int64", lambda m: m.whole((m.line(1e8),), 1000), fused=True, array=lambda np, x: np.sum(x), torch=lambda t, x: t.sum(x))
    row("max_int32_axis1", lambda m: m.whole((m.line(100000), 1000), 1e9, dtype="i32"), fused=True,
        array=lambda np, x: np.max(x, 1), torch=lambda t, x: t.amax(x, 1))
    row("sum_float16_axis1", lambda m: m.hashed((m.side(16384), m.side(8192)), dtype="f16"), fused=True,
        array=lambda np, x: np.sum(x, 1), torch=lambda t, x: t.sum(x, 1))
    row("mean_bfloat16_axis0", lambda m: m.hashed((m.side(16384), m.side(8192)), dtype="bf16"), fused=True,
        array=lambda np, x: np.mean(x, 0), torch=lambda t, x: t.mean(x, 0))
    variables = lambda m: m.hashed((m.side(1000), m.side(20000)), dtype="f64")
    row("cov", variables, array=lambda np, x: np.cov(x), torch=lambda t, x: t.cov(x))
    row("corrcoef", variables, array=lambda np, x: np.corrcoef(x), torch=lambda t, x: t.corrcoef(x))


for part in (copy_row, types, elements, special, running, reducing):
    part()
