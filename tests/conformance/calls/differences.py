"""Where sinter differs from NumPy on purpose: the short list, with reasons; such cases are left out or asked otherwise."""
from table import *

INTEGER = [t for t in TYPES if np.dtype(t).kind in "iu"]
COMPLEX = ["complex64", "complex128"]
NOT_FINITE = ("nans", "nan_vector", "nan_cube", "special", "special_x", "special_y", "all_nan", "infinite")


def has(*names):
    """Cases of which an operand is one of the pool's arrays."""
    return lambda case, c: any(isinstance(v, str) and v.split(":")[-1] in names for k, v in case.items() if k in ARRAYS)


def with_options(text):
    return lambda case, c: text in c.numpy


def is_outside(case, c):
    return not -rank_of(case["x"]) <= case.get("a", 0) < rank_of(case["x"])


def add_to(t):
    d = t.differs
    # Values
    d("nanargmin nanargmax", "the position is -1 where all elements are NaN", FLOATS + ["complex128"], when=has("nans", "nan_cube", "all_nan", "nan_vector"))
    d("prod nanprod cumprod nancumprod cumulative_prod power float_power poly polymul polydiv convolve correlate tensordot", "an infinity times a complex number is infinite, as in C's Annex G", COMPLEX, when=has(*NOT_FINITE))
    d("i0 i1 j0 j1 sinc", "at infinity they are their limits", when=has("special"))
    d("power", "an exponent of a half is C's pow, not the square root", when=lambda case, c: "0.5" in c.numpy and case["x"] == "special")
    d("reciprocal", "of an integer zero it is zero", INTEGER, when=has("special", "matrix", "cube", "scalar"))
    d("round around", "integers saturate where tens do not fit", INTEGER, when=has("special"))
    d("unwrap", "integers are unwrapped in float64", INTEGER)
    d("trapezoid quantile percentile nanquantile nanpercentile", "integers do not wrap around, and quantiles are floating", INTEGER, when=has("nans"))
    d("nanpercentile nanquantile", "the largest element is what it is, also infinite", FLOATS, when=has("nans", "all_nan"))
    d("quantile percentile", "an element that is met exactly is itself, also beside an infinity", FLOATS, when=lambda case, c: case["x"] == "nans" and "w" in case and case.get("a") in (0, -2))
    d("sem", "with ddof=0 the deviation of one element is zero", when=lambda case, c: case["x"] == "one" and "ddof=0" in c.numpy)
    d("get_window", "no elements are a window too", when=lambda case, c: case["n"] == 0, instead="np.zeros(0)")
    d("unique_counts", "all NaN are one", when=has("nan_vector"), instead="np.unique(x, return_counts=True)")
    d("unique_inverse", "all NaN are one", when=has("nan_vector"), instead="np.unique(x, return_inverse=True)")
    d("unique_all", "all NaN are one", when=has("nan_vector"), instead="np.unique(x, return_index=True, return_inverse=True, return_counts=True)")
    d("unique_values", "all NaN are one", when=has("nan_vector"), instead="np.unique(x)")
    d("setxor1d", "all NaN are one", when=has("nan_vector"), instead="np.unique(np.setxor1d(x, y))")
    d("ix_", "positions are int64", when=lambda case, c: "x" in case, instead="np.ix_(m, x.astype(np.int64), i)")
    d("polyfit polyint", "floats keep their type", ["float32"])
    d("histogram", "edges are float64", ["float16", "float32"])
    d("fft ifft rfft fft2 ifft2 fftn ifftn rfft2 rfftn irfft2 irfftn ihfft", "which elements a NaN reaches depends on the library", when=has("nans", "nan_vector"))
    # What is refused
    d("choose", "an index out of range is index_error", when=has("far", "far_below"))
    d("average", "weights that sum to zero give NaN or infinities", when=lambda case, c: case.get("w") == "zeros")
    d("diff", "the axis is checked also for no differences, and numbers before and behind are of the array's type", when=lambda case, c: case.get("n") == 0 and is_outside(case, c))
    d("diff trapezoid", "a single number has no neighbours, value_error", when=has("scalar"))
    d("flip fliplr flipud rot90", "an axis that is not there is index_error also where the function names it", when=has("scalar", "vector", "one", "none"))
    d("rot90", "an axis that is not there is index_error", when=lambda case, c: max(case.get("s", [0])) >= rank_of(case["x"]))
    d("topk", "it is not NumPy's: more elements than there are is value_error", when=has("no_rows"))
    d("argwhere", "a single number has no positions, value_error", when=has("scalar"))
    d("argsort argpartition partition lexsort unstack zscore sem skew kurtosis", "a single number has no axis, index_error", when=has("scalar"))
    d("take operator()", "an index is checked where an element is read", when=lambda case, c: case.get("i") in ("far", "far_below", "places", "places_matrix") and case["x"] in ("no_cube", "no_rows"))
    d("put putmask place fill_diagonal", "no values for some positions is value_error", when=lambda case, c: case.get("y") == "none")
    d("operator() take_along_axis scatter_add scatter_max scatter_min", "index arrays that do not broadcast are shape_error",
      when=lambda case, c: (case.get("i"), case.get("j")) in (("places", "far"), ("places", "places_matrix")) or (case.get("y") == "vector2" and case.get("i") == "far") or case["x"] == "no_rows" and case.get("i") == "along1")
    d("operator()=", "values of one element broadcast to one place", when=lambda case, c: case.get("y") == "one" and case.get("i") == "place")
    d("operator()=", "what does not broadcast to a mask is shape_error", when=lambda case, c: case.get("y") == "column" and "m" in case)
    d("tri tril_indices triu_indices rfftfreq", "a negative size is value_error", when=lambda case, c: case["n"] < 0)
    d("pad", "widths are checked for the axes that there are", when=lambda case, c: case.get("n") == -1 and case["x"] == "scalar")
    d("fftshift ifftshift", "a single number stays as it is", when=has("scalar"))
    d("irfftn", "without an axis there is nothing to transform, value_error", when=has("scalar"))
    d("geomspace", "ends of different signs are value_error", when=lambda case, c: case.get("p", 1) * case.get("q", 1) < 0)
    d("reshape", "only -1 stands for a size", when=lambda case, c: -2 in case["s"])
    d("median nanmedian quantile percentile nanquantile nanpercentile", "no element to rank is NaN for medians and value_error for quantiles", when=has("none", "no_rows", "no_cube", "no_columns"))
    d("polyfit", "points that do not fit are shape_error or value_error", when=has("none", "vector"))
    d("poly polyder polyint roots polyval cross tensordot histogram2d correlate fftn ifftn rfftn", "a single number has no axis: shape_error, value_error or index_error", when=has("scalar"))
    d("polydiv", "operands without coefficients are shape_error", when=has("none"))
    d("polymul", "leading zeros of a factor stay", when=has("zeros"))
    d("polydiv", "a dividend with more axes is shape_error", when=has("matrix"))
    d("poly", "no roots give a vector, and complex roots complex coefficients", when=lambda case, c: case["x"] in ("none", "zeros"),
      instead="np.atleast_1d(np.poly(x)).astype(x.dtype if x.dtype.kind in 'fc' else float)")
    d("unpackbits", "bits behind no bytes are zeros, which NumPy leaves undefined", when=lambda case, c: case["x"] == "none" and case.get("n", 0) > 0)
    d("tensorinv", "an empty tensor has an empty inverse", when=has("no_square"))
    d("tensorsolve", "an axis that is not there is index_error", when=lambda case, c: max(case.get("t", [0])) >= len(case["s"]))
    d("bincount", "weights of nothing give the type that is asked for", when=lambda case, c: case.get("w") == "none")
    d("eigh", "elements that are not finite are linalg_error", when=has("not_finite"))
    d("norm", "of two mistakes the axis is told first", when=lambda case, c: "a" in case and is_outside(case, c))
    d("stack concatenate append", "of two mistakes the axis is told first", when=lambda case, c: "a" in case and not -2 <= case["a"] < 1)
