"""What is measured: the rows, their sizes on each kind of device, and the bytes that each must move; must not know how."""
import math

F32, F64 = 4, 8


def elements(size):
    return math.prod(int(float(part)) for part in size.split("x"))


def columns(size):
    return int(size.split("x")[1])


class Row:
    """A workload. `moves` gives the bytes read and written at a size, which no implementation can avoid; `limit` is the row of
    bench/limits that shows what can be reached where arithmetic takes longer; `turns` how many times as many rounds it takes,
    because one gives a single sample, or because it depends on the core that a round runs on."""

    def __init__(self, name, title, moves, cpu, cuda, quick=None, limit=None, turns=1):
        self.name, self.title, self.moves, self.limit, self.turns = name, title, moves, limit, turns
        self.sizes = {"cpu": cpu, "cuda": cuda}
        self.quick = cpu[-1:] if quick is None else quick

    def sizes_on(self, device, quick):
        return self.quick if quick and device == "cpu" else self.sizes[device]


def per_element(read, written):
    return lambda size: (read * elements(size), written * elements(size))


WORKLOADS = [
    Row("gaussian", "gaussian pdf, f32", per_element(4, 4), ["1e6", "1e7"], ["1e6", "1e8"]),
    Row("polar", "distance of polar points, f32", per_element(16, 4), ["1e6", "1e7"], ["1e6", "1e8"]),
    Row("sum_of_squares", "sum((x - m)²), f32", per_element(4, 0), ["1e6", "1e7"], ["1e6", "1e8"]),
    Row("softmax", "softmax of rows, f32", per_element(4, 4), ["78125x128", "2441x4096"],
        ["65536x128", "222950x301", "16384x4096"], ["78125x128", "2441x4096"]),
    Row("broadcast", "x · row + col · 2, f32", per_element(4, 4), ["4096x4096"], ["16384x16384"], ["2048x2048"]),
    Row("transpose", "x + x.T, f32", per_element(4, 4), ["4096x4096"], ["16384x16384"], ["2048x2048"]),
    Row("column_sums", "sum(x · x, axis 0), f32", lambda s: (4 * elements(s), 4 * columns(s)), ["4096x4096"],
        ["16384x16384"], ["2048x2048"]),
    Row("row_sums", "sum(x · x, axis 1), f32", lambda s: (4 * elements(s), 4 * elements(s) / columns(s)), ["4096x4096"],
        ["16384x16384"], ["2048x2048"]),
    Row("log_softmax", "log softmax of rows, f32", per_element(4, 4), ["2441x4096"], ["16384x4096", "5341x50257"]),
    Row("layer_norm", "layer norm of rows, f32", per_element(4, 4), ["2441x4096"], ["16384x4096", "222950x301", "65536x1000", "5341x50257"]),
    Row("cosine", "cosine similarity of rows, f32", lambda s: (8 * elements(s), 4 * elements(s) / columns(s)), ["2441x4096"],
        ["32768x4096"]),
    Row("mean_var", "mean and var, f32", per_element(4, 0), ["1e7"], ["1e8"]),
    Row("mean_var_columns", "mean and var of columns, f32", lambda s: (4 * elements(s), 8 * columns(s)), ["4096x4096"],
        ["16384x16384", "2097152x32"], ["2048x2048"]),
    Row("argmax_max", "argmax and max, f32", per_element(4, 0), ["1e7"], ["1e8"]),
    Row("middle_sums", "sum of the middle axis, f32", lambda s: (4 * elements(s), 4 * elements(s) / columns(s)), ["16x512x512"],
        ["256x1024x1024", "64x3x1048576"]),
    Row("cumsum_columns", "cumsum of columns, f32", per_element(4, 4), ["4096x4096"], ["16384x16384", "2097152x32"], ["2048x2048"]),
    Row("black_scholes", "Black–Scholes, call and put, f32", per_element(12, 8), ["1e7"], ["67108864"], ["1e6"]),
    Row("gaussian_function", "gaussian pdf by vectorize, f32", per_element(4, 4), ["1e7"], ["1e8"], ["1e6"]),
    Row("mandelbrot_function", "Mandelbrot's set by vectorize, f32", per_element(0, 4), ["1000x1000"], ["4096x4096"], ["1000x1000"]),
    Row("mandelbrot_loop", "Mandelbrot's set by while_loop, f32", per_element(0, 4), ["1000x1000"], ["4096x4096"], ["1000x1000"]),
    Row("random", "random, f64", per_element(0, 8), ["1e7"], ["1e8"], ["1e6"]),
    Row("randn", "randn, f32", per_element(0, 4), ["1e7"], ["1e8"], ["1e6"]),
    Row("mean_exp_randn", "mean(exp(randn)), f32", per_element(0, 0), ["1e7"], ["1e8"], ["1e6"]),
    Row("cumsum", "cumsum, f32", per_element(4, 4), ["1e7"], ["134217728"], ["1e6"]),
    Row("sort", "sort, f32", per_element(4, 4), ["1e7"], ["134217728"], ["1e6"]),
    Row("select", "x[x > .5], f32", per_element(4, 2), ["1e7"], ["134217728"], ["1e6"]),
    Row("gather", "x[i], random int64 i, f32", per_element(12, 4), ["1e7"], ["134217728"], ["1e6"]),
    Row("scatter", "x[i] = v, random int64 i, f32", per_element(12, 4), ["1e7"], ["33554432"], ["1e6"]),
    Row("fft", "fft, complex64", per_element(8, 8), ["1048576"], ["16777216"], ["1048576"]),
    Row("fft_half", "fft of rows, complex32", per_element(4, 4), [], ["256x65536"]),
    Row("load", "a .npy file in the page cache, f32", per_element(0, 0), ["1e7"], ["1e6", "1e8"], ["1e6"]),
    Row("matmul", "x @ y, f32", per_element(8, 4), ["1000x1000"], ["15000x15000"], limit="matmul"),
    Row("matmul_tf32x3", "x @ y, tf32x3", per_element(8, 4), [], ["15000x15000"], limit="matmul_tf32"),
    Row("matmul_tf32", "x @ y, tf32", per_element(8, 4), [], ["15000x15000"], limit="matmul_tf32"),
    Row("layer_tf32", "relu(x @ y + b), tf32", per_element(8, 4), [], ["15000x15000"], limit="matmul_tf32"),
    Row("inv", "inv, f64", per_element(0, 0), ["316x316"], ["31x31", "100x100", "316x316", "1000x1000", "3162x3162", "10000x10000"]),
    Row("solve", "solve, one vector, f64", per_element(0, 0), ["1000x1000"], ["100x100", "1000x1000", "3000x3000"]),
    Row("svd", "svd, f64", per_element(0, 0), ["100x100"], ["100x100", "1000x1000", "3000x3000"]),
    Row("eigh", "eigh, f64", per_element(0, 0), ["100x100"], ["100x100", "1000x1000", "3000x3000"]),
    Row("eig", "eig, f64", per_element(0, 0), ["100x100"], ["100x100", "1000x1000"]),
    Row("qr", "qr, f64", per_element(0, 0), ["316x316"], ["100x100", "1000x1000", "100000x64"]),
    Row("invs", "inv of a stack, f64", per_element(0, 0), ["1000x16x16"], ["10000x16x16", "1000x100x100"]),
    Row("qrs", "qr of a stack, f64", per_element(0, 0), ["1000x16x16"], ["10000x16x16", "100x100x100"]),
    Row("svds", "svd of a stack, f64", per_element(0, 0), ["100x16x16"], ["1000x16x16", "100x100x100"]),
    Row("eigs", "eig of a stack, f64", per_element(0, 0), ["100x16x16"], ["1000x16x16", "100x100x100"]),
    Row("solves", "solve of a stack, f64", per_element(0, 0), ["1000x16x16"], ["10000x16x16"]),
    Row("eighs", "eigh of a stack, f32", per_element(0, 0), ["50x100x100"], ["500x100x100"]),
    Row("randn_inv", "inv(randn(n, n)), f32", per_element(0, 4), ["1000x1000"], ["1000x1000", "10000x10000"], ["1000x1000"]),
    Row("randn_svd", "svd(randn(n, n)), f32", per_element(0, 8), ["100x100"], ["100x100"], ["100x100"]),
    Row("tiny", "x · x + x of 16 elements", per_element(0, 0), ["16"], ["16"], limit="tiny"),
    Row("replay", "a launch of a recorded step of about twenty on 1000 elements", per_element(0, 0), [], ["1000"], [], turns=5),
    Row("first_use", "first use of a new small kernel", per_element(0, 0), ["1000"], ["1000"], turns=5),
    Row("first_use_cached", "first use of a small kernel in the disk cache", per_element(0, 0), ["1000"], ["1000"], turns=5),
]


def by_preset(table):
    return lambda size: table[size]


def eos_moves(size):
    side = float(size) ** (1 / 3)
    n = math.ceil(math.sqrt(2) * side) ** 2 * math.ceil(0.5 * side)
    return 16 * n, 8 * n


def hdiff_moves(i, j, k):
    return 8 * k * ((i + 4) * (j + 4) + i * j), 8 * i * j * k


def mlp_moves(c, n, s0, s1, s2):
    return 4 * (n * c + c * s0 + s0 + s0 * s1 + s1 + s1 * s2 + s2), 4 * n * s2


# What must move at least: inputs and results once, whatever the arithmetic between them.
PROGRAMS = [
    Row("equation_of_state", "equation of state (pyhpc-benchmarks)", eos_moves, ["1e6"], ["4e6"], ["1e6"]),
    Row("arc_distance", "arc_distance", by_preset({"S": (32e5, 8e5), "M": (32e6, 8e6), "paper": (32e7, 8e7)}),
        ["M"], ["paper"], ["S"]),
    Row("azimint_naive", "azimint_naive", by_preset({"S": (64e5, 8e3), "paper": (16e6, 8e3)}), ["S"], ["paper"], ["S"]),
    Row("covariance", "covariance", by_preset({"S": (8 * 3e5, 8 * 25e4), "paper": (8 * 168e4, 8 * 144e4)}),
        ["paper"], ["paper"], ["S"]),
    Row("gesummv", "gesummv", by_preset({"S": (64e6, 16e3), "M": (256e6, 32e3), "paper": (16 * 11200**2, 89600)}),
        ["M"], ["paper"], ["S"]),
    Row("go_fast", "go_fast", by_preset({"S": (32e6, 32e6), "paper": (8 * 12500**2, 8 * 12500**2)}), ["S"], ["paper"], ["S"]),
    Row("hdiff", "hdiff", by_preset({"S": hdiff_moves(64, 64, 60), "paper": hdiff_moves(256, 256, 160)}),
        ["paper"], ["paper"], ["S"]),
    Row("jacobi_2d", "jacobi_2d", by_preset({"S": (49 * 4 * 8 * 150**2 / 2,) * 2, "M": (79 * 4 * 8 * 350**2 / 2,) * 2,
                                             "paper": (999 * 4 * 8 * 2800**2 / 2,) * 2}), ["M"], ["paper"], ["S"]),
    Row("mandelbrot1", "mandelbrot1", by_preset({"S": (0, 24 * 125**2), "paper": (0, 24e6)}), ["S"], ["paper"], ["S"]),
    Row("mlp", "mlp", by_preset({"S": mlp_moves(3, 8, 30000, 2000, 2000), "paper": mlp_moves(3, 8, 30000, 10000, 1000)}),
        ["S"], ["paper"], ["S"]),
    Row("program_softmax", "softmax", by_preset({"S": (4 * 2**22,) * 2, "M": (4 * 2**24,) * 2, "paper": (4 * 2**28,) * 2}),
        ["M"], ["paper"], ["S"]),
]

# Sizes of the sweeps' lines, powers of ten from 10³ on; an array of the largest may take this part of the memory.
SWEEPS = {"gaussian": 4, "polar": 4}
MEMORY_PART = 1 / 32


def sweep_sizes(name, device, memory, quick):
    largest = int(math.log10(memory * MEMORY_PART / SWEEPS[name]))
    return [f"1e{k}" for k in range(3, min(largest, 7 if quick and device == "cpu" else 9) + 1)]
