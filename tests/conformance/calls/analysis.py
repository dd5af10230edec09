"""Statistics, histograms, interpolation, polynomials, convolution, windows."""
from table import *

NONE = "scalar one none vector matrix cube no_rows nans all_nan"


def add_quantiles(t):
    for name, shares in (("quantile", [0.0, 0.3, 0.5, 1.0, -0.1, 1.5]), ("percentile", [0.0, 30.0, 50.0, 100.0, 101.0]), ("nanquantile", [0.0, 0.3, 1.0]), ("nanpercentile", [0.0, 70.0, 100.0])):
        add = lambda numpy, sinter, cases, types=REAL_NUMBERS: t.add("quantiles", name, numpy, sinter, types, cases, 16, True)
        add(f"np.{name}(x, p)", f"{name}(x, p)", times(over(NONE), p=shares))
        add(f"np.{name}(x, p, axis=a)", f"{name}(x, p, a)", times(along("vector matrix cube nans"), p=shares[1:2]))
        add(f"np.{name}(x, p, axis=a, keepdims=True)", f"{name}(x, p, a, keepdims)", times(along("matrix nans"), p=shares[1:2]))
        add(f"np.{name}(x, [p, q])", f"{name}(x, {{p, q}})", [dict(x=x, p=shares[1], q=shares[2]) for x in ("vector", "matrix", "nans", "scalar")], ["float64"])
        if name in ("quantile", "percentile"):
            hundred = "" if name == "quantile" else " * 100"
            add(f"np.{name}(x, w{hundred})", f"{name}(x, w{hundred})", over(NONE, w="share_matrix"))
            add(f"np.{name}(x, w{hundred}, axis=a)", f"{name}(x, w{hundred}, a)", along("vector matrix cube nans", w="share_matrix"))
            add(f"np.{name}(x, w{hundred}, axis=a, keepdims=True)", f"{name}(x, w{hundred}, a, keepdims)", along("matrix nans", w="share_matrix"))
        for method in ("lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"):
            if name in ("quantile", "percentile"):
                add(f"np.{name}(x, p, method='{method}')", f"{name}(x, p, {{.method = \"{method}\"}})", times(over("vector matrix one nans"), p=shares[:4]), ["float64"])


def add_counts(t):
    add = lambda name, numpy, sinter, cases, types, tolerance=0: t.add("counts", name, numpy, sinter, types, cases, tolerance, True)
    add("bincount", "np.bincount(x)", "bincount(x)", over("counts none one wrong_counts matrix scalar repeats"), INTEGERS)
    add("bincount", "np.bincount(x, minlength=n)", "bincount(x, n)", times(over("counts none repeats"), n=[0, 3, 12, -1]), INTEGERS)
    add("bincount", "np.bincount(x, weights=w)", "bincount(x, {.weights = w})", [dict(x="counts", w="weights7"), dict(x="counts", w="weights"), dict(x="none", w="none")], INTEGERS, 4)
    histogram = lambda options: f"[&] {{ auto h = histogram{options}; return std::tuple(h.hist, h.bin_edges); }}()"
    for n in (1, 4, 10):
        add("histogram", f"np.histogram(x, {n})", histogram(f"(x, {n})"), over("scalar one none vector matrix cube no_rows repeats nans infinite"), REAL_NUMBERS, 8)
    add("histogram", "np.histogram(x, 5, range=(-4, 4))", histogram("(x, {.bins = 5, .range = {-4, 4}})"), over("scalar none vector matrix nans infinite special repeats"), REAL_NUMBERS, 8)
    add("histogram", "np.histogram(x, 5, range=(4, -4))", histogram("(x, {.bins = 5, .range = {4, -4}})"), over("vector"), REAL_NUMBERS)
    add("histogram", "np.histogram(x, 0)", histogram("(x, 0)"), over("vector"), REAL_NUMBERS)
    add("histogram", "np.histogram(x, w)", "std::tuple(histogram(x, {.bins = w}).hist, w)", [dict(x=x, w="rising") for x in ("vector", "matrix", "none", "nans", "scalar")] + [dict(x="vector", w="vector")], ["int32", "float64"])
    add("histogram", "tuple(np.histogram(x, [-2.0, 0.5, 1.0, 9.0]))", histogram("(x, {.bins = {-2, 0.5, 1, 9}})"), over("vector matrix none scalar"), ["int32", "float64"])
    add("histogram", "np.histogram(x, 4, density=True)", histogram("(x, {.bins = 4, .density = true})"), over("vector matrix repeats"), REAL_NUMBERS, 16)
    add("histogram", "np.histogram(x, 4, weights=w)", histogram("<double>(x, {.bins = 4, .weights = w})"), [dict(x="vector", w="weights7"), dict(x="row", w="weights"), dict(x="row", w="weights7")], ["int32", "float64"], 16)
    edges = ["int32", "float64"]
    for bins in ("n", "'auto'", "'doane'", "'fd'", "'rice'", "'scott'", "'sqrt'", "'sturges'"):
        cases = over("scalar one none vector matrix no_rows repeats nans sorted cube")
        add("histogram_bin_edges", f"np.histogram_bin_edges(x, {bins})", f"histogram_bin_edges(x, {bins})".replace("'", '"'), times(cases, n=[1, 4]) if bins == "n" else cases, edges, 16)
    add("histogram_bin_edges", "np.histogram_bin_edges(x, 'sqrt', range=(-4, 4))", "histogram_bin_edges(x, {.bins = \"sqrt\", .range = {-4, 4}})", over("vector matrix none infinite"), edges, 8)
    add("histogram_bin_edges", "np.histogram_bin_edges(x, w)", "histogram_bin_edges(x, w)", [dict(x="vector", w="rising"), dict(x="vector", w="vector")], edges)
    hd = lambda options: f"[&] {{ auto h = histogramdd{options}; return std::tuple(h.hist, h.edges); }}()"
    add("histogramdd", "np.histogramdd(x, 3)", hd("(x, {.bins = 3})"), over("scalar none one vector matrix column square no_rows nans repeats_matrix"), edges, 16)
    add("histogramdd", "np.histogramdd(x, (2, 3, 1, 2))", hd("(x, {.bins = {2, 3, 1, 2}})"), over("matrix repeats_matrix vector nans"), edges, 16)
    add("histogramdd", "np.histogramdd(x, (2, w, 2), density=True)", hd("(x, {.bins = {2, w, 2}, .density = true})"), [dict(x="square", w="rising"), dict(x="square2", w="vector")], edges, 16)
    add("histogramdd", "np.histogramdd((x, y), 4, range=[(-4, 4), None])", hd("(std::tuple(x, y), {.bins = 4, .range = {{-4, 4}, {}}})"), [dict(x="vector", y="vector2"), dict(x="none", y="none"), dict(x="row", y="weights")], edges, 16)
    h2 = lambda options: f"[&] {{ auto h = histogram2d{options}; return std::tuple(h.hist, h.xedges, h.yedges); }}()"
    pairs = [dict(x="vector", y="vector2"), dict(x="none", y="none"), dict(x="vector", y="row"), dict(x="repeats", y="repeats"), dict(x="nan_vector", y="sorted"), dict(x="matrix", y="matrix2"), dict(x="scalar", y="scalar")]
    add("histogram2d", "np.histogram2d(x, y, bins=(3, 4))", h2("(x, y, {.bins = {3, 4}})"), pairs, ["int32", "float64"], 16)
    add("histogram2d", "np.histogram2d(x, y, bins=3, range=[[-4, 4], [0, 5]])", h2("(x, y, {.bins = 3, .range = {{-4, 4}, {0, 5}}})"), pairs, ["int32", "float64"], 16)
    bins = [dict(x=x, y=y) for x in ("vector", "scalar", "none", "matrix", "nans", "special") for y in ("sorted", "one", "rising")]
    add("digitize", "np.digitize(x, y)", "digitize(x, y)", bins, REAL_NUMBERS)
    add("digitize", "np.digitize(x, y, right=True)", "digitize(x, y, {.right = true})", bins, REAL_NUMBERS)
    add("digitize", "np.digitize(x, y)", "digitize(x, y)", [dict(x="vector", y="matrix")], ["float64"])


def add_statistics(t):
    for name in "cov", "corrcoef":
        add = lambda numpy, sinter, cases, types=("int32", "float32", "float64", "complex128"): t.add("statistics", name, numpy, sinter, types, cases, 256, True)
        add(f"np.{name}(x)", f"{name}(x)", over("vector matrix wide nans one cube scalar no_columns" + (" none" if name == "cov" else "")))
        add(f"np.{name}(x, rowvar=False)", f"{name}(x, {{.rowvar = false}})", over("matrix wide"))
        add(f"np.{name}(x, y)", f"{name}(x, y)", [dict(x="vector", y="vector2"), dict(x="matrix", y="matrix2"), dict(x="vector", y="row")])
    for options, cpp in (("ddof=0", ".ddof = 0"), ("bias=True", ".bias = true"), ("aweights=w", ".aweights = w"), ("fweights=i", ".fweights = i")):
        t.add("statistics", "cov", f"np.cov(x, {options})", f"cov(x, {{{cpp}}})", ["int32", "float64"], [dict(x="matrix", w="weights", i="rising4")], 256, True)


def add_curves(t):
    add = lambda name, numpy, sinter, cases, types, tolerance=32: t.add("curves", name, numpy, sinter, types, cases, tolerance, True)
    points = [dict(x=x, y="rising", z=z) for x in ("vector", "scalar", "none", "matrix", "nans", "infinite") for z in ("rising", "float64:rising")] + [dict(x="vector", y="rising", z="rising4"), dict(x="vector", y="one", z="one"), dict(x="vector", y="none", z="none")]
    add("interp", "np.interp(x, y, z)", "interp(x, y, z)", points, ["int32", "float32", "float64"])
    add("interp", "np.interp(x, y, z, left=-1, right=5)", "interp(x, y, z, {.left = -1, .right = 5})", points[:8], ["float64"])
    add("interp", "np.interp(x, y, z, period=7)", "interp(x, y, z, {.period = 7})", points[:2] + points[6:7], ["float64"], 64)
    values = [dict(x=x, y=y) for x in ("row", "none", "one", "pair") for y in ("vector", "scalar", "matrix", "none", "nans")] + [dict(x="matrix", y="vector"), dict(x="scalar", y="vector")]
    add("polyval", "np.polyval(x, y)", "polyval(x, y)", values, NUMBERS)
    add("polyval", "np.polyval([3, 0, 1], x)", "polyval({3, 0, 1}, x)", over("scalar none vector matrix"), ["int64", "float64"])
    points = [dict(x="rising4", y="row"), dict(x="rising4", y="weights")]
    for cov, word in (("True", "true"), ("'unscaled'", '"unscaled"')):
        add("polyfit", f"tuple(np.polyfit(x, y, 1, cov={cov}))", f"[&] {{ auto r = polyfit(x, y, 1, {{.cov = {word}}}); return std::tuple(r.p, r.v); }}()", points, ["int32", "float64"], 4096)
    add("polyfit", "tuple(np.polyfit(x, y, 1, full=True)[i] for i in (0, 1, 3))", "[&] { auto r = polyfit(x, y, 1, {.full = true}); return std::tuple(r.p, r.fit.residuals, r.fit.s); }()", points, ["int32", "float64"], 4096)
    for n in (0, 1, 2, 3, -1):
        add("polyfit", f"np.polyfit(x, y, {n})", f"polyfit(x, y, {n})", [dict(x="rising", y="rising"), dict(x="rising4", y="rising4"), dict(x="rising4", y="weights"), dict(x="rising4", y="row"), dict(x="none", y="none"), dict(x="rising4", y="vector")], ["int32", "float32", "float64"], 4096)
    add("gradient", "np.gradient(x, axis=a)", "gradient(x, {.axis = a})", along("vector matrix cube one none"), WIDE)
    add("gradient", "np.gradient(x, 0.5, axis=a, edge_order=2)", "gradient(x, 0.5, {.axis = a, .edge_order = 2})", along("vector matrix cube nans pair"), WIDE)
    add("gradient", "np.gradient(x, y)", "gradient(x, y)", [dict(x="row", y="rising4"), dict(x="row", y="rising"), dict(x="scalar", y="scalar"), dict(x="nan_vector", y="sorted")], ["float64"])
    vectors = [dict(x=x, y=y) for x, y in (("weights3", "weights3"), ("square", "square2"), ("square", "weights3"), ("no_rows", "no_rows"), ("pair", "pair"), ("vector", "vector2"), ("scalar", "scalar"), ("stack", "weights3"), ("pair", "weights3"), ("all_nan", "weights3"))]
    add("cross", "np.cross(x, y)", "cross(x, y)", vectors, NUMBERS, 4)
    add("cross", "np.cross(x, y, axis=a)", "cross(x, y, {.axis = a})", [dict(x="square", y="square2", a=a) for a in (-3, -2, -1, 0, 1, 2)], NUMBERS, 4)
    lines = [dict(x=x, y=y) for x, y in (("vector", "weights3"), ("weights3", "vector"), ("vector", "vector2"), ("one", "one"), ("none", "one"), ("vector", "none"), ("scalar", "vector"), ("matrix", "vector"), ("nan_vector", "pair"), ("long", "row"), ("vector", "scalar"))]
    for mode in "full", "same", "valid":
        for name in "convolve", "correlate":
            add(name, f"np.{name}(x, y, '{mode}')", f"{name}(x, y, \"{mode}\")", lines, NUMBERS, 16)
        for boundary in "fill", "wrap", "symm":
            add("convolve2d", f"scipy.signal.convolve2d(x, y, '{mode}', boundary='{boundary}')", f"convolve2d(x, y, \"{mode}\", {{.boundary = \"{boundary}\"}})", [dict(x="matrix", y="single"), dict(x="wide", y="square"), dict(x="matrix", y="square"), dict(x="vector", y="vector")], ["float32", "float64", "complex128"], 16)
    for name in "hanning", "hamming", "blackman", "bartlett":
        add(name, f"np.{name}(n)", f"{name}(n)", [dict(n=n) for n in (0, 1, 2, 3, 5, 8, 12, 13, 31, 64, -1, 100)], ["float64"])
    add("kaiser", "np.kaiser(n, p)", "kaiser(n, p)", [dict(n=n, p=p) for n in (0, 1, 2, 5, 8, -1) for p in (0, 5.5, 14)], ["float64"], 64)


def add_to(t):
    add_quantiles(t)
    add_counts(t)
    add_statistics(t)
    add_curves(t)
