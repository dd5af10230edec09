"""The rows of bench/functions/order.cpp and shapes.cpp in the words of other libraries."""
import numpy

from functions import row


def sorting():
    rows = lambda m: m.hashed((m.line(50000), 1000))
    columns = lambda m: m.hashed((m.side(4096), m.side(8192)))
    row("argsort", lambda m: m.hashed((m.line(1e7),)), array=lambda np, x: np.argsort(x), torch=lambda t, x: t.argsort(x))
    row("sort_rows", rows, array=lambda np, x: np.sort(x), torch=lambda t, x: t.sort(x).values)
    row("sort_axis0", lambda m: m.hashed((1000, m.line(50000))), array=lambda np, x: np.sort(x, 0), torch=lambda t, x: t.sort(x, 0).values)
    row("sort_int64", lambda m: m.whole((m.line(1e7),), 4e9), array=lambda np, x: np.sort(x), torch=lambda t, x: t.sort(x).values)
    row("topk_rows", lambda m: m.hashed((m.line(10000), 10000)), array=lambda np, x: np.sort(np.partition(x, 9990, 1)[:, 9990:], 1)[:, ::-1],
        jax=lambda np, x: jax_topk(x), torch=lambda t, x: t.topk(x, 10).values)
    row("unique", lambda m: m.whole((m.line(1e7),), m.line(1e6)), array=lambda np, x: np.unique(x), torch=lambda t, x: t.unique(x))
    row("unique_counts", lambda m: m.whole((m.line(1e7),), 1000, dtype="i32"),
        array=lambda np, x: np.unique(x, return_counts=True)[1], torch=lambda t, x: t.unique(x, return_counts=True)[1])
    # PyTorch's median is the lower of the middle two.
    row("median_axis0", columns, array=lambda np, x: np.median(x, 0), torch=lambda t, x: torch_quantile(t, x, 0.5, 0))
    row("median_axis1", rows, array=lambda np, x: np.median(x, 1), torch=lambda t, x: torch_quantile(t, x, 0.5, 1))
    row("quantile_axis0", columns, array=lambda np, x: np.quantile(x, 0.9, 0), torch=lambda t, x: torch_quantile(t, x, 0.9, 0))
    row("quantile_axis1", rows, array=lambda np, x: np.quantile(x, 0.9, 1), torch=lambda t, x: torch_quantile(t, x, 0.9, 1))
    row("median", lambda m: m.hashed((m.line(5e7),)), array=lambda np, x: np.median(x), torch=lambda t, x: t.median(x))
    row("partition_rows", rows, array=lambda np, x: np.partition(x, 500)[:, 500], torch=lambda t, x: t.kthvalue(x, 501).values)


LARGEST_QUANTILE = 16_000_000  # elements that torch.quantile takes


def torch_quantile(t, x, q, axis):
    if x.numel() <= LARGEST_QUANTILE:
        return t.quantile(x, q, axis)
    place = q * (x.shape[axis] - 1)
    low = int(place)
    two = t.sort(x, axis).values.narrow(axis, low, min(2, x.shape[axis] - low))
    return t.lerp(two.select(axis, 0), two.select(axis, -1), place - low)


def jax_topk(x):
    import jax

    return jax.lax.top_k(x, 10)[0]


def weighted_counts(np, i, w):
    return np.bincount(i, w, minlength=1000)




def add_rows(np, y, i, x):
    """y with the rows of x added at i."""
    if hasattr(y, "at"):
        return y.at[i].add(x)
    np.add.at(y, i, x)
    return y


def counting():
    row("histogram", lambda m: m.hashed((m.line(1e8),)), array=lambda np, x: np.histogram(x, 100)[0], torch=lambda t, x: t.histc(x, 100))
    row("bincount_weights", lambda m: (m.whole((m.line(5e7),), 1000, dtype="i32"), m.hashed((m.line(5e7),), 2, "f64")),
        array=weighted_counts, jax=lambda np, i, w: np.bincount(i, w, length=1000), torch=weighted_counts)
    row("segment_sum", lambda m: (m.hashed((m.line(1e6), 32)), m.whole((m.line(1e6),), 1000, 3)),
        array=lambda np, x, i: add_rows(np, np.zeros((1000, 32), x.dtype), i, x),
        torch=lambda t, x, i: t.zeros((1000, 32), device=x.device).index_add(0, i, x))
    edges = lambda m: m.as_type(m.library.xp.linspace(0, 1, 256), "f32")
    row("digitize", lambda m: (m.hashed((m.line(5e7),)), edges(m)), array=lambda np, x, e: np.digitize(x, e),
        torch=lambda t, x, e: t.bucketize(x, e, right=True))
    row("isin", lambda m: (m.whole((m.line(1e7),), 1e5), m.whole((1000,), 1e5, 99)),
        array=lambda np, x, y: np.isin(x, y), torch=lambda t, x, y: t.isin(x, y))
    points = lambda m: m.as_type(m.arange(10000), "f64") / 9999
    row("interp", lambda m: (m.hashed((m.line(2e7),), dtype="f64"), points(m), m.hashed((10000,), 5, "f64")),
        array=lambda np, x, p, y: np.interp(x, p, y))
    row("compress_rows", lambda m: (m.hashed((m.line(1e6), 64)), m.hashed((m.line(1e6),), 2) < 0.5),
        array=lambda np, x, b: x[b], torch=lambda t, x, b: x[b])
    row("nonzero", lambda m: m.hashed((m.line(1e8),)) < 0.1, array=lambda np, x: np.flatnonzero(x), torch=lambda t, x: t.nonzero(x))


def square(m):
    return m.hashed((m.side(8192), m.side(8192)))


def permuted(name, shape, order):
    """A transpose whose elements are moved: what is only another view is copied."""

    def f(np, x):
        return np.transpose(x, order).copy()

    row(name, lambda m: m.hashed(shape(m)), fused=True, array=f, jax=lambda np, x: np.transpose(x, order),
        torch=lambda t, x: x.permute(order).contiguous())


def moving():
    row("flip", square, fused=True, array=lambda np, x: np.flip(x).copy(), torch=lambda t, x: t.flip(x, (0, 1)))
    row("roll_2d", square, fused=True, array=lambda np, x: np.roll(x, (3, -5), (0, 1)), torch=lambda t, x: t.roll(x, (3, -5), (0, 1)))
    row("pad", square, fused=True, array=lambda np, x: np.pad(x, 3), torch=lambda t, x: t.nn.functional.pad(x, (3, 3, 3, 3)))
    row("pad_reflect", square, fused=True, array=lambda np, x: np.pad(x, 3, mode="reflect"),
        torch=lambda t, x: t.nn.functional.pad(x[None, None], (3, 3, 3, 3), "reflect")[0, 0])
    row("tile", lambda m: m.hashed((m.side(4096), m.side(4096))), fused=True, array=lambda np, x: np.tile(x, (2, 3)), torch=lambda t, x: t.tile(x, (2, 3)))
    row("repeat", lambda m: m.hashed((m.line(2e7),)), fused=True, array=lambda np, x: np.repeat(x, 4), torch=lambda t, x: t.repeat_interleave(x, 4))
    row("concatenate_axis1", lambda m: (m.hashed((m.side(8192), m.side(4096))), m.hashed((m.side(8192), m.side(1000)), 2)), fused=True,
        array=lambda np, x, y: np.concatenate((x, y), 1), torch=lambda t, x, y: t.cat((x, y), 1))
    row("stack_last", lambda m: tuple(m.hashed((m.line(3e7),), k) for k in (1, 2, 3)), fused=True,
        array=lambda np, x, y, z: np.stack((x, y, z), -1), torch=lambda t, x, y, z: t.stack((x, y, z), -1))
    row("slice_step2", lambda m: m.hashed((m.line(1e8),)), fused=True, array=lambda np, x: x[::2] + 1, torch=lambda t, x: x[::2] + 1)
    row("sum_columns_step3", square, fused=True, array=lambda np, x: x[:, ::3].sum(1), torch=lambda t, x: x[:, ::3].sum(1))
    permuted("transpose_021", lambda m: (m.edge(64), m.edge(1024), m.edge(1024)), (0, 2, 1))
    permuted("transpose_210", lambda m: (m.edge(512), m.edge(512), m.edge(256)), (2, 1, 0))
    permuted("nhwc_to_nchw", lambda m: (m.line(64), 128, 128, 64), (0, 3, 1, 2))
    permuted("nchw_to_nhwc_rgb", lambda m: (m.line(64), 3, 512, 512), (0, 2, 3, 1))
    row("triu", square, fused=True, array=lambda np, x: np.triu(x), torch=lambda t, x: t.triu(x))
    row("tril_times", square, fused=True, array=lambda np, x: np.tril(x, -1) * 2, torch=lambda t, x: t.tril(x, -1) * 2)


def masked_fill(np, x, b):
    if hasattr(x, "at"):
        return np.where(b, numpy.float32(-1), x)
    y = x.copy()
    y[b] = -1
    return y


def scatter_rows(np, x, i):
    y = np.zeros(x.shape, x.dtype)
    if hasattr(y, "at"):
        return y.at[i].set(x)
    y[i] = x
    return y


def indexing():
    row("one_hot", lambda m: m.whole((m.line(1e6),), 100), fused=True,
        array=lambda np, i: (i[:, None] == np.arange(100)).astype(np.float32),
        torch=lambda t, i: (i[:, None] == t.arange(100, device=i.device)).to(t.float32))
    row("embedding", lambda m: (m.hashed((m.line(50000), 256)), m.whole((m.line(300000),), m.line(50000), 7)), fused=True,
        array=lambda np, x, i: x[i], torch=lambda t, x, i: t.nn.functional.embedding(i, x))
    row("masked_fill", lambda m: (square(m), m.hashed((m.side(8192), m.side(8192)), 2) < 0.3), fused=True, array=masked_fill,
        torch=lambda t, x, b: x.masked_fill(b, -1))
    row("scatter_rows", lambda m: (m.hashed((m.line(500000), 64)), m.library.xp.argsort(m.hashed((m.line(500000),), 5, "f64"))),
        array=scatter_rows, torch=lambda t, x, i: t.zeros_like(x).index_copy(0, i, x))
    row("scatter_add_rows", lambda m: (m.hashed((m.line(500000), 64)), m.whole((m.line(500000),), m.line(50000), 3), m.hashed((m.line(50000), 64)) * 0),
        array=lambda np, x, i, y: add_rows(np, y + 0, i, x), torch=lambda t, x, i, y: y.index_add(0, i, x))
    row("take_along_axis", lambda m: (m.hashed((m.line(100000), 500)), m.whole((m.line(100000), 100), 500, 3)), fused=True,
        array=lambda np, x, i: np.take_along_axis(x, i, 1), torch=lambda t, x, i: t.gather(x, 1, i))
    row("take_columns", lambda m: (m.hashed((m.line(50000), 1000)), m.whole((500,), 1000, 3)), fused=True,
        array=lambda np, x, i: x[:, i], torch=lambda t, x, i: x[:, i])
    row("diagonal_plus", square, fused=True, array=lambda np, x: x + np.eye(x.shape[0], dtype=x.dtype),
        torch=lambda t, x: x + t.eye(x.shape[0], dtype=x.dtype, device=x.device))


for part in (sorting, counting, moving, indexing):
    part()
