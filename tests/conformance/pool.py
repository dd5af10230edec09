"""The arrays that the calls of the table are given, made from recipes: small, and the same on every machine."""
import numpy as np

# Shapes of ordinary numbers.
SHAPES = {"scalar": (), "one": (1,), "none": (0,), "pair": (2,), "vector": (7,), "vector2": (7,), "long": (13,),
          "matrix": (3, 4), "matrix2": (3, 4), "column": (3, 1), "row": (4,), "wide": (4, 5), "square": (3, 3), "square2": (3, 3),
          "no_rows": (0, 3), "no_columns": (3, 0), "cube": (2, 3, 4), "no_cube": (2, 0, 3), "stack": (2, 3, 3), "stack2": (2, 3, 3),
          "single": (1, 1), "no_square": (0, 0), "rank4": (2, 1, 3, 2), "ones_between": (1, 3, 1), "eight": (8,), "four_by_eight": (4, 8)}
SEEDS = {name: i + 1 for i, name in enumerate(SHAPES)}


def words(count, seed):
    k = np.arange(1, count + 1, dtype=np.uint64) + np.uint64(1000003 * seed)
    with np.errstate(over="ignore"):
        k = (k ^ (k >> np.uint64(7))) * np.uint64(0x9E3779B97F4A7C15)
        k = (k ^ (k >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return k >> np.uint64(33)


def numbers(dtype, shape, seed):
    """Multiples of a quarter within 8 of zero, whole numbers within 9: sums of them are exact."""
    count = int(np.prod(shape))
    kind, w = np.dtype(dtype).kind, words(2 * count, seed)
    if kind == "b":
        x = w[:count] % 2
    elif kind == "u":
        x = w[:count] % 13
    elif kind == "i":
        x = (w[:count] % 19).astype(np.int64) - 9
    else:
        x = ((w % 65).astype(np.float64) - 32) / 4
        x = x[:count] + 1j * x[count:] if kind == "c" else x[:count]
    return x.astype(dtype).reshape(shape)


def specials(dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        return np.array([0, 1, 2, 3, 7, 100, high, high - 1, low, low + 1] + ([-1, -2, -7] if kind == "i" else [5]), dtype)
    if kind == "f":
        f = np.finfo(dtype)
        return np.array([0.0, -0.0, 1, -1, 0.5, -2.5, 3, np.nan, np.inf, -np.inf, f.smallest_subnormal, -f.smallest_subnormal,
                         f.tiny, f.max, -f.max, f.eps, 10.25], dtype)
    parts = [(0.0, 0.0), (-0.0, 0.0), (1, 2), (-2.5, 0.5), (3, -4), (0, 1), (np.nan, 0), (0, np.nan), (np.inf, 0), (-np.inf, 1),
             (1, np.inf), (np.nan, np.inf), (-1, -0.0), (0.25, -0.5)]
    return np.array([complex(*p) for p in parts], dtype)


def with_nans(dtype, shape, seed):
    """Ordinary numbers, of which some are NaN, or the type's extremes where it has none."""
    x = numbers(dtype, shape, seed)
    flat = x.reshape(-1)
    kind = np.dtype(dtype).kind
    if kind in "fc":
        flat[1::4] = np.nan
        flat[6:7] = np.inf
    elif kind in "iu":
        flat[1::4] = np.iinfo(dtype).max
        flat[6:7] = np.iinfo(dtype).min
    return x


def make(name, dtype):
    s = specials(dtype)
    kind = np.dtype(dtype).kind
    if name in SHAPES:
        return numbers(dtype, SHAPES[name], SEEDS[name])
    made = {
        "special": lambda: s,
        "special_x": lambda: np.repeat(s, len(s)),
        "special_y": lambda: np.tile(s, len(s)),
        "nans": lambda: with_nans(dtype, (3, 4), 41),
        "nan_vector": lambda: with_nans(dtype, (9,), 42),
        "nan_cube": lambda: with_nans(dtype, (2, 3, 4), 43),
        "all_nan": lambda: np.full((2, 3), np.nan if kind in "fc" else 1, dtype),
        "infinite": lambda: np.array([1, np.inf, -np.inf, 2, np.inf] if kind in "fc" else [1, 2, 1, 0, 1], dtype),
        "zeros": lambda: np.array([0.0, -0.0, 0.0, -0.0] if kind in "fc" else [0, 0, 0, 0], dtype),
        "repeats": lambda: (words(11, 44) % 4).astype(dtype),
        "repeats2": lambda: (words(8, 45) % 6).astype(dtype),
        "repeats_matrix": lambda: (words(12, 46) % 3).astype(dtype).reshape(3, 4),
        "sorted": lambda: np.sort(numbers(dtype, (9,), 47)),
        "rising": lambda: np.array([-7, -3.5, -1, 0.25, 2, 6] if kind in "fc" else np.arange(6) * 2, dtype),
        "rising4": lambda: np.array([-7, -3.5, 0.25, 6] if kind in "fc" else np.arange(4) * 3, dtype),
        "positive": lambda: np.abs(numbers(np.float64, (3, 4), 48)).astype(dtype) + np.array(1, dtype),
        "positive_vector": lambda: np.abs(numbers(np.float64, (7,), 49)).astype(dtype) + np.array(1, dtype),
        "unit": lambda: (np.linspace(-0.9, 0.9, 12) if kind != "u" else np.zeros(12)).astype(dtype).reshape(3, 4),
        "share_matrix": lambda: np.array([[0, 0.25, 0.5], [0.75, 0.9, 1]]).astype(dtype),
        "shares": lambda: np.array([0, 0.25, 0.5, 0.9, 1]).astype(dtype),
        "regular": lambda: regular(dtype, (3, 3), 50),
        "regular4": lambda: regular(dtype, (4, 4), 51),
        "regular_stack": lambda: regular(dtype, (2, 3, 3), 52),
        "hermitian": lambda: hermitian(dtype, (3, 3), 53),
        "hermitian_stack": lambda: hermitian(dtype, (2, 3, 3), 54),
        "singular": lambda: np.array([[1, 2], [2, 4]], dtype),
        "not_finite": lambda: np.array([[1, np.inf], [np.nan, 4]], dtype),
        # whole numbers as places, segments, counts and masks
        "places": lambda: np.array([2, 0, -1, 1, 2], dtype),
        "places_matrix": lambda: np.array([[0, -1], [2, 1]], dtype),
        "place": lambda: np.array(1, dtype),
        "far": lambda: np.array([0, 99], dtype),
        "far_below": lambda: np.array([-99, 0], dtype),
        "along0": lambda: np.array([[2, 0, 1, 0]], dtype),
        "along1": lambda: np.array([[0, 3], [-1, 1], [2, 2]], dtype),
        "counts": lambda: np.array([0, 3, 1, 3, 7, 0, 3], dtype),
        "wrong_counts": lambda: np.array([0, -3, 1]).astype(dtype),
        "third": lambda: np.array([True, False, True], dtype),
        "mask": lambda: numbers("bool", (3, 4), 55).astype(dtype),
        "mask_row": lambda: np.array([True, False, True, True], dtype),
        "mask7": lambda: np.array([1, 0, 1, 1, 0, 0, 1], dtype),
        "no_mask": lambda: np.zeros((3, 4), dtype),
        "weights": lambda: np.array([0.5, 1, 2, 0.25], dtype),
        "weights3": lambda: np.array([1, 2, 0.5], dtype),
        "weights7": lambda: np.array([0.5, 1, 2, 0.25, 1, 1, 3], dtype),
        "spectrum": lambda: spectrum(dtype, (5,)),
        "spectra": lambda: spectrum(dtype, (3, 5)),
    }
    return np.ascontiguousarray(made[name]()) if made[name]().ndim else made[name]()


def regular(dtype, shape, seed):
    return (numbers(dtype, shape, seed) / 4 + 5 * np.eye(shape[-1])).astype(dtype)


def hermitian(dtype, shape, seed):
    x = regular(dtype, shape, seed)
    return ((x + np.conj(np.swapaxes(x, -1, -2))) / 2).astype(dtype)


def spectrum(dtype, shape):
    """Of real numbers: the first and the last of five have no imaginary part."""
    x = numbers(dtype, shape, 56)
    if np.dtype(dtype).kind == "c":
        x[..., [0, -1]] = x[..., [0, -1]].real
    return x
