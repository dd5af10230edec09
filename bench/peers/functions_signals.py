"""The rows of bench/functions/neighbours.cpp, products.cpp and signals.cpp in the words of other libraries."""
import numpy

from functions import row
from libraries import Missing


def square(m):
    return m.hashed((m.side(8192), m.side(8192)))


def box_blur(np, x):
    h, w = x.shape
    return sum(x[i:h - 2 + i, j:w - 2 + j] for i in range(3) for j in range(3)) / 9


def next_generation(np, x):
    n = sum(np.roll(x, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    alive = (n == 3) | ((x == 1) & (n == 2))
    return alive.to(np.int8) if hasattr(alive, "to") and not hasattr(alive, "astype") else alive.astype(np.int8)


def depthwise(np, x, k):
    h, w = x.shape[2] - 2, x.shape[3] - 2
    return sum(x[:, :, i:h + i, j:w + j] * k[:, i, j][:, None, None] for i in range(3) for j in range(3))


def torch_depthwise(t, x, k):
    return t.nn.functional.conv2d(x, k[:, None], groups=k.shape[0])


def resized(np, x):
    def places(n):
        return np.clip((np.arange(2 * n, dtype=np.float32) + 0.5) / 2 - 0.5, 0, n - 1)

    y, z = places(x.shape[0]), places(x.shape[1])
    i, j = np.floor(y).astype(np.int64), np.floor(z).astype(np.int64)
    i1, j1 = np.minimum(i + 1, x.shape[0] - 1), np.minimum(j + 1, x.shape[1] - 1)
    a, b = (y - i.astype(np.float32))[:, None], z - j.astype(np.float32)
    at = lambda p, q: x[p[:, None], q[None, :]]
    return (1 - a) * ((1 - b) * at(i, j) + b * at(i, j1)) + a * ((1 - b) * at(i1, j) + b * at(i1, j1))


def torch_resized(t, x):
    return t.nn.functional.interpolate(x[None, None], scale_factor=2, mode="bilinear", align_corners=False)[0, 0]


def windows(np, x):
    if hasattr(np.lib, "stride_tricks") if hasattr(np, "lib") else False:
        return np.lib.stride_tricks.as_strided(x, (x.size - 31, 32), (4, 4))
    raise Missing("no windows")


def jax_windowed_mean(np, x):
    import jax

    return jax.lax.reduce_window(x, numpy.float32(0), jax.lax.add, (32,), (1,), "valid") / 32


def torch_convolve(t, x, k):
    return t.nn.functional.conv1d(x[None, None], t.flip(k, (0,))[None, None], padding=k.shape[0] // 2)[0, 0]


def torch_convolve2d(t, x, k):
    return t.nn.functional.conv2d(x[None, None], t.flip(k, (0, 1))[None, None], padding=2)[0, 0]


def torch_gradient(t, x):
    return t.gradient(x)


def neighbours():
    row("diff", lambda m: m.hashed((m.line(1e8),)), fused=True, array=lambda np, x: np.diff(x), torch=lambda t, x: t.diff(x))
    row("diff_axis0", square, fused=True, array=lambda np, x: np.diff(x, axis=0), torch=lambda t, x: t.diff(x, dim=0))
    row("gradient_2d", square, fused=True, array=lambda np, x: tuple(np.gradient(x)), torch=torch_gradient)
    row("windowed_mean", lambda m: m.hashed((m.line(2e7),)), fused=True, array=lambda np, x: windows(np, x).mean(-1),
        jax=jax_windowed_mean, torch=lambda t, x: t.nn.functional.avg_pool1d(x[None], 32, 1)[0])
    row("convolve_31", lambda m: (m.hashed((m.line(2e7),)), m.hashed((31,), 3)), array=lambda np, x, k: np.convolve(x, k, "same"),
        torch=torch_convolve)
    row("trapezoid_rows", lambda m: m.hashed((m.line(100000), 1000)), fused=True,
        array=lambda np, x: np.trapezoid(x, dx=0.5), cupy=lambda np, x: (np.trapezoid if hasattr(np, "trapezoid") else np.trapz)(x, dx=0.5), torch=lambda t, x: t.trapezoid(x, dx=0.5))
    row("box_blur", square, fused=True, array=box_blur, torch=box_blur)
    row("game_of_life", lambda m: m.whole((m.side(8192), m.side(8192)), 2, dtype="i8"), fused=True, array=next_generation,
        torch=next_generation)
    row("convolve2d_5x5", lambda m: (m.hashed((m.side(4096), m.side(4096))), m.hashed((5, 5), 3)),
        scipy=lambda s, x, k: s.signal.convolve2d(x, k, "same"), torch=torch_convolve2d)
    row("depthwise_3x3", lambda m: (m.hashed((m.line(32), 64, 114, 114)), m.hashed((64, 3, 3), 3)), fused=True, array=depthwise,
        torch=torch_depthwise)
    row("avg_pool_2x2", lambda m: m.hashed((m.line(1024), 256, 256)), fused=True,
        array=lambda np, x: x.reshape((x.shape[0], x.shape[1] // 2, 2, x.shape[2] // 2, 2)).mean((2, 4)),
        torch=lambda t, x: t.nn.functional.avg_pool2d(x, 2))
    row("resize_bilinear", lambda m: m.hashed((m.side(4096), m.side(4096))), fused=True, array=resized, torch=torch_resized)
    row("pairwise_distances", lambda m: (m.hashed((m.side(8192), 3)), m.hashed((m.side(8192), 3), 2)), fused=True,
        array=lambda np, x, y: np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(-1)), torch=lambda t, x, y: t.cdist(x, y))


def definite(m, shape, dtype):
    a = m.around_zero(shape, dtype=dtype)
    identity = m.as_type(m.arange(shape[-1])[:, None] == m.arange(shape[-1]), dtype)
    return a @ (a.mT if m.is_torch else a.swapaxes(-1, -2)) + identity


def product(name, inputs, **words):
    """A row that NumPy's family and PyTorch write alike."""
    f = words.pop("all")
    row(name, inputs, array=f, torch=f, **words)


def products():
    two = lambda *shape: lambda m: (m.hashed(tuple(shape)), m.hashed(tuple(shape), 2))
    product("outer", lambda m: (m.hashed((m.side(8192),)), m.hashed((m.side(8192),), 2)), fused=True, all=lambda np, x, y: np.outer(x, y))
    product("kron", lambda m: (m.hashed((m.side(128), m.side(128))), m.hashed((64, 64), 2)), fused=True, all=lambda np, x, y: np.kron(x, y))
    row("cross", lambda m: (m.hashed((m.line(1e7), 3)), m.hashed((m.line(1e7), 3), 2)), fused=True, array=lambda np, x, y: np.cross(x, y),
        torch=lambda t, x, y: t.linalg.cross(x, y))
    product("dot", lambda m: (m.hashed((m.line(1e8),)), m.hashed((m.line(1e8),), 2)), all=lambda np, x, y: np.dot(x, y))
    matrix = lambda m: m.hashed((m.side(16384), m.side(8192)))
    product("matvec", lambda m: (matrix(m), m.hashed((m.side(8192),), 2)), all=lambda np, x, v: x @ v)
    product("vecmat", lambda m: (matrix(m), m.hashed((m.side(16384),), 2)), all=lambda np, x, v: v @ x)
    product("gram", lambda m: m.hashed((m.line(1e6), 64)), all=lambda np, x: x.T @ x)
    for n, count in ((4, 2e6), (64, 1e4)):
        product(f"matmul_{n}x{n}", lambda m, n=n, count=count: two(m.line(count), n, n)(m), all=lambda np, x, y: x @ y)
    product("matmul_int32", lambda m: tuple(m.whole((m.side(1024), m.side(1024)), 100, k, "i32") for k in (1, 2)), all=lambda np, x, y: x @ y)
    product("einsum_ij_kj", lambda m: two(m.side(4096), m.side(512))(m), all=lambda np, x, y: np.einsum("ij,kj->ik", x, y))
    product("einsum_bij_bjk", lambda m: (m.hashed((m.line(256), 256, 128)), m.hashed((m.line(256), 128, 256), 2)),
            all=lambda np, x, y: np.einsum("bij,bjk->bik", x, y))
    product("einsum_i_j_ij", lambda m: (m.hashed((m.side(8192),)), m.hashed((m.side(8192),), 2), m.hashed((m.side(8192), m.side(8192)), 3)),
            all=lambda np, x, y, a: np.einsum("i,j,ij->", x, y, a))
    row("tensordot", lambda m: (m.hashed((m.line(256), 64, 256)), m.hashed((64, 64), 2)),
        array=lambda np, x, y: np.tensordot(x, y, ([1], [0])), torch=lambda t, x, y: t.tensordot(x, y, ([1], [0])))
    product("inv_3x3", lambda m: definite(m, (m.line(500000), 3, 3), "f32"), all=lambda np, x: np.linalg.inv(x))
    product("det_3x3", lambda m: m.around_zero((m.line(500000), 3, 3)), all=lambda np, x: np.linalg.det(x))
    product("solve_8x8", lambda m: (definite(m, (m.line(50000), 8, 8), "f64"), m.hashed((m.line(50000), 8, 1), 2, "f64")),
            all=lambda np, x, b: np.linalg.solve(x, b))
    product("cholesky_16x16", lambda m: definite(m, (m.line(20000), 16, 16), "f64"), all=lambda np, x: np.linalg.cholesky(x))
    product("eigvalsh_3x3", lambda m: definite(m, (m.line(100000), 3, 3), "f32"), all=lambda np, x: np.linalg.eigvalsh(x))


def torch_hilbert(t, x):
    n = x.shape[-1]
    h = t.zeros(n, device=x.device)
    h[0] = h[n // 2] = 1
    h[1:n // 2] = 2
    return t.fft.ifft(t.fft.fft(x) * h)


def torch_stft(t, x):
    z = t.stft(x, 256, 128, window=t.hann_window(256, device=x.device), center=True, pad_mode="constant", return_complex=True)
    return z / 128


def filters():
    product("fft_rows", lambda m: m.complex((m.line(20000), 1024)), all=lambda np, z: np.fft.fft(z))
    product("rfft", lambda m: m.hashed((m.line(1 << 24),)), all=lambda np, x: np.fft.rfft(x))
    product("fft2", lambda m: m.complex((m.side(4096), m.side(4096))), all=lambda np, z: np.fft.fft2(z))
    row("dct_rows", lambda m: m.hashed((m.line(20000), 1024)), scipy=lambda s, x: s.fft.dct(x))
    row("fftconvolve", lambda m: (m.hashed((m.line(1e7),)), m.hashed((m.line(10000),), 2)),
        scipy=lambda s, x, k: s.signal.fftconvolve(x, k, "same"))
    row("hilbert_rows", lambda m: m.hashed((m.line(5000), 1024)), scipy=lambda s, x: s.signal.hilbert(x), torch=torch_hilbert)
    b, a = numpy.array([0.2, 0.3]), numpy.array([1, -0.5, 0.1])
    row("lfilter", lambda m: m.hashed((m.line(1e7),), dtype="f64"), scipy=lambda s, x: s.signal.lfilter(s.xp.asarray(b), s.xp.asarray(a), x))
    row("lfilter_rows", lambda m: m.hashed((m.line(10000), 1000), dtype="f64"),
        scipy=lambda s, x: s.signal.lfilter(s.xp.asarray(b), s.xp.asarray(a), x))
    row("sosfilt", lambda m: m.hashed((m.line(1000), 10000), dtype="f64"),
        scipy=lambda s, x: s.signal.sosfilt(s.signal.butter(4, 0.2, output="sos"), x))
    row("resample_poly", lambda m: m.hashed((m.line(5e6),), dtype="f64"), scipy=lambda s, x: s.signal.resample_poly(x, 3, 2))
    row("stft", lambda m: m.hashed((m.line(1e7) // 128 * 128,)), scipy=lambda s, x: s.signal.stft(x, nperseg=256)[2], torch=torch_stft)
    row("welch", lambda m: m.hashed((m.line(1e7),)), scipy=lambda s, x: s.signal.welch(x, nperseg=1024)[1])


def images():
    picture = lambda m: m.hashed((m.side(4096), m.side(4096)))
    row("gaussian_filter", picture, scipy=lambda s, x: s.ndimage.gaussian_filter(x, 2))
    row("uniform_filter", picture, scipy=lambda s, x: s.ndimage.uniform_filter(x, 9))
    row("median_filter", picture, scipy=lambda s, x: s.ndimage.median_filter(x, 3))
    row("maximum_filter", picture, scipy=lambda s, x: s.ndimage.maximum_filter(x, 7))
    row("sobel", square, scipy=lambda s, x: s.ndimage.sobel(x))
    row("map_coordinates", lambda m: (m.hashed((m.side(2048), m.side(2048)), dtype="f64"),
                                      m.hashed((2, m.line(4e6)), 2, "f64") * (m.side(2048) - 1)),
        scipy=lambda s, x, c: s.ndimage.map_coordinates(x, c, order=1))
    row("zoom", lambda m: m.hashed((m.side(2048), m.side(2048)), dtype="f64"), scipy=lambda s, x: s.ndimage.zoom(x, 2))
    row("label", lambda m: m.hashed((m.side(2048), m.side(2048))) < 0.55, scipy=lambda s, x: s.ndimage.label(x)[0])
    row("binary_erosion", lambda m: square(m) < 0.9, scipy=lambda s, x: s.ndimage.binary_erosion(x))
    row("distance_transform", lambda m: m.hashed((m.side(2048), m.side(2048))) < 0.99,
        scipy=lambda s, x: s.ndimage.distance_transform_edt(x))


for part in (neighbours, products, filters, images):
    part()
