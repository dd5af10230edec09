"""Windows, filters along an axis and moments, which are SciPy's."""
from table import *

WINDOWS = ("boxcar", "hann", "hamming", "blackman", "blackmanharris", "nuttall", "flattop", "parzen", "bohman", "barthann", "lanczos", "exponential", "bartlett", "cosine", "tukey", "triang")
SHAPED = (("kaiser", 5.5), ("tukey", 0.25), ("gaussian", 2.5), ("general_hamming", 0.6))


def add_windows(t):
    add = lambda numpy, sinter, sizes=(8, 13): t.add("windows", "get_window", numpy, sinter, ["float64"], [dict(n=n) for n in sizes], 64, True)
    for name in WINDOWS:
        add(f"scipy.signal.get_window('{name}', n)", f"signal::get_window(\"{name}\", n)")
        add(f"scipy.signal.get_window('{name}', n, fftbins=False)", f"signal::get_window(\"{name}\", n, {{.fftbins = false}})", (0, 1, 3, 8))
    for name, value in SHAPED:
        add(f"scipy.signal.get_window(('{name}', {value}), n)", f"signal::get_window({{\"{name}\", {value}}}, n)")


def add_filters(t):
    add = lambda name, numpy, sinter, cases, types=WIDE: t.add("filters", name, numpy, sinter, types, cases, 64, True)
    for window, degree, more in ((3, 1, ""), (3, 2, "deriv=1"), (5, 2, "mode='mirror'"), (5, 3, "mode='wrap'"), (3, 0, "mode='constant', cval=2"), (5, 4, "deriv=2, delta=0.5, mode='nearest'")):
        options = "".join(f", .{o.strip()}".replace("=", " = ").replace("'", '"') for o in more.split(",") if o)
        add("savgol_filter", f"scipy.signal.savgol_filter(x, {window}, {degree}, axis=a{', ' if more else ''}{more})", f"signal::savgol_filter(x, {window}, {degree}, {{{in_order(options)}}})",
            *((along("vector long matrix cube scalar"), WIDE) if not more else (along("vector matrix", outside=False), ["float64"])))
    add("savgol_filter", "scipy.signal.savgol_filter(x, 3, 1, mode='nearest')", "signal::savgol_filter(x, 3, 1, {.mode = \"nearest\"})", over("nan_vector none no_rows"))
    for mode in "reflect", "constant", "nearest", "mirror", "wrap":
        cases = (along("vector matrix cube scalar"), WIDE) if mode == "reflect" else (along("vector matrix", outside=False), ["float64"])
        add("gaussian_filter1d", f"scipy.ndimage.gaussian_filter1d(x, 0.8, axis=a, mode='{mode}')", f"ndimage::gaussian_filter1d(x, 0.8, {{.axis = static_cast<int>(a), .mode = \"{mode}\"}})", *cases)
        add("uniform_filter1d", f"scipy.ndimage.uniform_filter1d(x, 3, axis=a, mode='{mode}')", f"ndimage::uniform_filter1d(x, 3, {{.axis = static_cast<int>(a), .mode = \"{mode}\"}})", *cases)
    add("gaussian_filter1d", "scipy.ndimage.gaussian_filter1d(x, p)", "ndimage::gaussian_filter1d(x, p)", times(over("vector matrix nan_vector none no_rows"), p=[1.5, 0.6, -1.0]))
    for order in 1, 2:
        add("gaussian_filter1d", f"scipy.ndimage.gaussian_filter1d(x, p, order={order})", f"ndimage::gaussian_filter1d(x, p, {{.order = {order}}})", times(over("vector matrix nan_vector none no_rows"), p=[1.5]))
    add("gaussian_filter1d", "scipy.ndimage.gaussian_filter1d(x, p, radius=2)", "ndimage::gaussian_filter1d(x, p, {.radius = 2})", times(over("vector none"), p=[0.6]))
    add("uniform_filter1d", "scipy.ndimage.uniform_filter1d(x, n)", "ndimage::uniform_filter1d(x, n)", times(over("vector matrix none no_rows"), n=[3, 1, 2, 5, 9]))
    add("uniform_filter1d", "scipy.ndimage.uniform_filter1d(x, 4, origin=1)", "ndimage::uniform_filter1d(x, 4, {.origin = 1})", over("vector matrix"))


def in_order(options):
    """Options as the structure has them, the axis in its place."""
    parts = [p.strip() for p in options.split(",") if p.strip()]
    before = [p for p in parts if p.split()[0] in (".deriv", ".delta")]
    return ", ".join(before + [".axis = a"] + [p for p in parts if p not in before])


def add_moments(t):
    types = ["int32", "float64"]
    add = lambda name, numpy, sinter, cases: t.add("moments", name, numpy, sinter, types, cases, 8192 if name == "kurtosis" else 256, True)
    for name, options in (("zscore", ("", "ddof=1")), ("sem", ("", "ddof=0")), ("skew", ("", "bias=False")), ("kurtosis", ("", "bias=False", "fisher=False"))):
        for o in options:
            word = {"": "", "ddof=1": ", {.ddof = 1}", "ddof=0": ", {.ddof = 0}", "bias=False": ", {.bias = false}", "fisher=False": ", {.fisher = false}"}[o]
            more = f", {o}" if o else ""
            add(name, f"scipy.stats.{name}(x, axis=a{more})", f"stats::{name}(x, a{word})", along("vector matrix cube nans one scalar", outside=not o))
        add(name, f"scipy.stats.{name}(x)", f"stats::{name}(x)", over("long wide nan_vector all_nan no_columns"))


def add_to(t):
    add_windows(t)
    add_filters(t)
    add_moments(t)
