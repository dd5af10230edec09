#!/usr/bin/env python3
"""Writes tests/data/golden/ndimage.txt: what scipy.ndimage gives for small images that tests/shared/ndimage makes too.

usage: ndimage.py (it needs NumPy 2.4 and SciPy 1.17)
"""
import pathlib

import numpy as np
import scipy
from scipy import ndimage as nd

TESTS = pathlib.Path(__file__).resolve().parents[1]
MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]
cases = {}


def case(name, value):
    assert name not in cases, name
    cases[name] = np.asarray(value)


def data(dtype, shape, k=0):
    """The operand of golden::data."""
    x = (np.arange(np.prod(shape, dtype=int)) * 37 + k * 11) % 101
    kind = np.dtype(dtype).kind
    values = {"b": x % 3 == 0, "f": (x - 50) * 0.25, "i": x - 50, "u": x, "c": (x - 50) * 0.25 + 1j * (x % 7)}[kind]
    return values.astype(dtype).reshape(shape)


def filters():
    x, cube = data("f8", (5, 7)), data("f8", (3, 4, 5), 3)
    w, even, deep = data("f8", (3, 3), 1), data("f8", (2, 4), 2), data("f8", (3, 2, 3), 5)
    for mode in MODES:
        case(f"gaussian {mode}", nd.gaussian_filter(x, 1.5, mode=mode, cval=2.5))
        case(f"uniform {mode}", nd.uniform_filter(x, (3, 4), mode=mode, cval=2.5))
        case(f"correlate {mode}", nd.correlate(x, w, mode=mode, cval=2.5))
        case(f"convolve {mode}", nd.convolve(x, even, mode=mode, cval=-1))
        case(f"median {mode}", nd.median_filter(x, 3, mode=mode, cval=2.5))
        case(f"sobel {mode}", nd.sobel(x, 0, mode=mode, cval=2.5))
        case(f"laplace {mode}", nd.laplace(x, mode=mode, cval=2.5))
        case(f"tiny {mode}", nd.correlate1d(data("f8", (2,)), [1, 2, 3, 4, 5, 6, 7], mode=mode, cval=2.5))
    case("gaussian derivatives", nd.gaussian_filter(x, (1, 0.8), order=(1, 2), truncate=3))
    case("gaussian of one axis", nd.gaussian_filter(cube, 1, axes=(1,), radius=2))
    case("gaussian float32", nd.gaussian_filter(data("f4", (5, 7)), 1.5))
    case("gaussian uint8", nd.gaussian_filter(data("u1", (5, 7)), 0.9))
    case("gaussian complex", nd.gaussian_filter(data("c16", (5, 7)), 0.9))
    case("uniform int32", nd.uniform_filter(data("i4", (5, 7)), 3))
    case("gaussian 1d", nd.gaussian_filter1d(x, 1.5, axis=0, order=1, mode="wrap"))
    case("uniform 1d", nd.uniform_filter1d(data("i4", (5, 7)), 3, axis=0, origin=-1))
    case("uniform origin", nd.uniform_filter(x, 4, origin=(1, -2)))
    case("correlate origin", nd.correlate(x, even, origin=(-1, 1)))
    case("convolve origin", nd.convolve(x, even, origin=(-1, 1)))
    case("convolve cube", nd.convolve(cube, deep, mode="mirror"))
    case("correlate int16", nd.correlate(data("i2", (5, 7)), w))
    case("convolve1d", nd.convolve1d(x, [1, 2, -3, 4], 0, mode="wrap", origin=1))
    case("many taps", nd.gaussian_filter1d(data("f8", (400,)), 20, mode="nearest"))
    case("median 5", nd.median_filter(x, (5, 4), mode="nearest"))
    case("median 9", nd.median_filter(x, (9, 8)))
    case("median int16", nd.median_filter(data("i2", (5, 7)), (2, 3)))
    case("rank", nd.rank_filter(x, -2, 3, mode="wrap"))
    case("minimum", nd.minimum_filter(x, (3, 4), mode="constant", cval=-3))
    case("maximum", nd.maximum_filter(x, (2, 3), origin=(0, 1)))
    case("prewitt", nd.prewitt(cube, 1))
    case("sobel cube", nd.sobel(cube))


SPLINE_MODES = ["constant", "grid-constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap"]


def interpolation():
    x, cube = data("f8", (5, 7)), data("f8", (3, 4, 5), 3)
    places = data("f8", (2, 4, 3), 2)
    # SciPy's reflect begins its recursion z^(2 n - 1) from the right.
    large = data("f8", (23, 24))
    for mode in SPLINE_MODES:
        x = large if mode == "reflect" else data("f8", (5, 7))
        case(f"map_coordinates {mode}", nd.map_coordinates(x, places, mode=mode, cval=2.5))
        case(f"map_coordinates linear {mode}", nd.map_coordinates(x, places, order=1, mode=mode, cval=2.5))
        case(f"shift {mode}", nd.shift(x, (1.3, -2.6), order=2, mode=mode, cval=2.5)[:5])
    x = data("f8", (5, 7))
    for order in (0, 2, 4, 5):
        case(f"map_coordinates order {order}", nd.map_coordinates(large, places, order=order, mode="reflect"))
    case("map_coordinates cube", nd.map_coordinates(cube, data("f8", (3, 6), 1), mode="mirror"))
    case("map_coordinates coefficients", nd.map_coordinates(x, places, prefilter=False, mode="mirror"))
    case("map_coordinates uint8", nd.map_coordinates(data("u1", (5, 7)), places, mode="mirror"))
    case("map_coordinates int16", nd.map_coordinates(data("i2", (5, 7)), places, mode="nearest"))
    case("map_coordinates float32", nd.map_coordinates(data("f4", (5, 7)), places, mode="nearest"))
    case("map_coordinates complex", nd.map_coordinates(data("c16", (5, 7)), places, mode="mirror"))
    case("shift far", nd.shift(large, (30.5, -41), order=5, mode="nearest")[::5])
    case("spline_filter", nd.spline_filter(x))
    case("spline_filter 5", nd.spline_filter(large, 5, mode="reflect")[:2])
    matrix = np.array([[0.9, 0.2], [-0.3, 1.1]])
    case("affine", nd.affine_transform(x, matrix, offset=(0.5, -0.25), output_shape=(4, 6)))
    case("affine diagonal", nd.affine_transform(x, [0.7, 1.2], offset=0.3, mode="nearest"))
    case("affine homogeneous", nd.affine_transform(x, [[0.9, 0.2, 0.5], [-0.3, 1.1, 1]], order=1, mode="mirror"))
    case("zoom", nd.zoom(x, (2, 0.6)))
    case("zoom grid", nd.zoom(x, 1.7, grid_mode=True, mode="grid-constant"))
    case("zoom cube", nd.zoom(cube, (1, 1.5, 2), order=1, mode="nearest"))
    case("rotate", nd.rotate(x, 30))
    case("rotate same shape", nd.rotate(large, -100, reshape=False, mode="reflect", order=2)[:3])
    case("rotate cube", nd.rotate(cube, 45, axes=(2, 0), mode="nearest"))
    case("rotate right angle", nd.rotate(x, 90))


def blobs(shape, k=0):
    """The image of bool of blobs in objects_test.cpp."""
    return (np.arange(np.prod(shape, dtype=int)) * 7919 + k) % 1009 % 5 < 3


def growing(m, cube):
    few, few_of_cube, sparse = m & (np.arange(17) % 7 == 2), cube & (np.arange(6) == 1), blobs((13, 17), 5).reshape(13, 17)
    structures = {"default": None, "full": nd.generate_binary_structure(2, 2), "rows": [[0, 0, 0], [1, 1, 1], [0, 0, 0]],
                  "flat": [[1, 1, 1]], "diagonal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "lopsided": [[0, 1, 0], [0, 1, 1], [0, 0, 0]],
                  "wide": [[1, 0, 1, 0, 1]], "even": [[1, 1]]}
    for name, structure in structures.items():
        for border in (0, 1):
            case(f"grown {name} {border}", nd.binary_dilation(few, structure, -1, sparse, border_value=border))
            case(f"worn {name} {border}", nd.binary_erosion(m, structure, 0, sparse, border_value=border))
    case("grown cube", nd.binary_dilation(few_of_cube, None, -1, cube))
    case("grown cube border", nd.binary_propagation(few_of_cube, mask=cube, border_value=1))
    case("grown everywhere", nd.binary_dilation(few, None, -1))
    case("worn everywhere", nd.binary_erosion(m | (np.arange(17) > 3), None, -1, border_value=1))
    case("propagation origin", nd.binary_propagation(few, mask=sparse, origin=(0, 1)))
    case("opening until stable", nd.binary_opening(m, iterations=-1, mask=sparse))
    rings = np.zeros((13, 17), bool)
    rings[1:12, 1:16], rings[2:11, 2:15], rings[4:9, 5], rings[0, 3:6], rings[4, 5:9] = True, False, True, True, True
    rings[11, 15] = False
    case("rings", rings)
    for name, image, structure in (("rings", rings, None), ("full", rings, structures["full"]), ("cube", cube, None),
                                   ("lopsided", rings, structures["lopsided"])):
        case(f"filled {name}", nd.binary_fill_holes(image, structure))


def objects():
    m, cube = blobs((13, 17)).reshape(13, 17), blobs((4, 5, 6), 3).reshape(4, 5, 6)
    full, odd = nd.generate_binary_structure(2, 2), data("?", (2, 3), 1)
    for name, image, structure in (("image", m, None), ("full", m, full), ("cube", cube, None),
                                   ("line", m[0], None), ("rows", m, [[0, 0, 0], [1, 1, 1], [0, 0, 0]])):
        labels, n = nd.label(image, structure)
        case(f"label {name}", labels)
        case(f"label {name} number", np.int64(n))
    snake = np.zeros((15, 15), bool)
    snake[::2] = snake[1:9:4, -1] = snake[3:9:4, 0] = True
    case("snake", snake)
    case("label snake", nd.label(snake)[0])
    case("structure", nd.generate_binary_structure(3, 2))
    case("erosion", nd.binary_erosion(m))
    case("erosion border", nd.binary_erosion(m, full, iterations=2, border_value=1))
    case("erosion odd", nd.binary_erosion(m, odd, origin=(0, 1)))
    case("erosion masked", nd.binary_erosion(m, mask=data("?", (13, 17), 2)))
    case("dilation", nd.binary_dilation(m))
    case("dilation odd", nd.binary_dilation(m, odd, origin=(-1, 0), border_value=1))
    case("dilation cube", nd.binary_dilation(cube, iterations=2))
    case("dilation all", nd.binary_dilation(blobs((13, 17), 1).reshape(13, 17) & (np.arange(17) < 2), iterations=0,
                                            mask=m))
    growing(m, cube)
    case("opening", nd.binary_opening(m))
    case("closing", nd.binary_closing(m, full))
    near = m | (np.arange(17) % 6 > 0)
    for name, image, sampling in (("image", m, None), ("large", near, None), ("cube", cube, (1, 0.5, 2)),
                                  ("line", m[1], None)):
        case(f"distance {name}", nd.distance_transform_edt(image, sampling))
    x, labels = data("f8", (13, 17)) + 20, nd.label(m)[0]
    case("centre", nd.center_of_mass(x))
    case("centre of labels", nd.center_of_mass(x, labels))
    case("centres", nd.center_of_mass(x, labels, [3, 1, 2]))


def statistics():
    x, labels = data("f8", (13, 17)) + 20, nd.label(blobs((13, 17)).reshape(13, 17))[0]
    whole, rows = data("i4", (13, 17)), np.arange(13)[:, None] % 4
    index = [3, 1, 2, 1000]
    for name in ("sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum"):
        f = getattr(nd, name)
        case(f"{name} of objects", f(x, labels, index))
        case(f"{name} of all objects", np.float64(f(x, labels)))
        case(f"{name} of an image", np.float64(f(x)))
        case(f"{name} of integers", f(whole, rows, [0, 2, 3]))
    for name, given in (("few", labels), ("cube", nd.label(blobs((4, 5, 6), 3).reshape(4, 5, 6))[0]), ("gaps", rows * 2 + 0 * whole)):
        boxes = nd.find_objects(given)
        case(f"boxes {name}", [[[s.start, s.stop] for s in b] if b else [[-1, -1]] * given.ndim for b in boxes])


def grey():
    x, whole, cube = data("f8", (5, 7)), data("i4", (5, 7)), data("f8", (3, 4, 5), 3)
    heights, odd = data("f8", (3, 2), 1), data("?", (2, 3), 1)
    for name in ("grey_erosion", "grey_dilation"):
        f = getattr(nd, name)
        case(name, f(x, (3, 4), mode="constant", cval=-3))
        case(f"{name} origin", f(whole, (2, 3), origin=(-1, 1)))
        case(f"{name} footprint", f(x, footprint=odd, mode="wrap", origin=(0, 1)))
        case(f"{name} structure", f(x, structure=heights, mode="nearest"))
        case(f"{name} both", f(x, footprint=odd, structure=data("f8", (2, 3), 2)))
        case(f"{name} cube", f(cube, 2))
    for percentile in (0, 20, 50, 75.5, 100, -30):
        case(f"percentile {percentile}", nd.percentile_filter(x, percentile, 3, mode="wrap"))
    case("percentile large", nd.percentile_filter(whole, 35, (5, 4)))


def positions():
    x, labels = ((np.arange(221.0) * 37) % 223).reshape(13, 17), nd.label(blobs((13, 17)).reshape(13, 17))[0]
    index = [3, 1, 2]
    for name in ("minimum_position", "maximum_position", "median"):
        f = getattr(nd, name)
        case(f"{name} of objects", f(x, labels, index))
        case(f"{name} of one object", f(x, labels, 2))
        case(f"{name} of all objects", f(x, labels))
        case(f"{name} of an image", f(x))


def footprints():
    x, whole, odd = data("f8", (5, 7)), data("i4", (5, 7)), data("?", (2, 3), 1)
    large = data("?", (5, 7), 2) | data("?", (5, 7), 4)
    for name, footprint in (("few", odd), ("many", large)):
        for f in (nd.minimum_filter, nd.maximum_filter, nd.median_filter):
            case(f"{f.__name__} {name}", f(x, footprint=footprint, mode="wrap", origin=(0, 1)))
        case(f"rank_filter {name}", nd.rank_filter(x, -2, footprint=footprint, mode="constant", cval=2.5))
        case(f"percentile_filter {name}", nd.percentile_filter(whole, 30, footprint=footprint))
    case("grey_opening", nd.grey_opening(x, (3, 4)))
    case("grey_closing", nd.grey_closing(whole, (2, 3), mode="nearest"))
    case("grey_opening footprint", nd.grey_opening(x, footprint=odd))
    case("grey_closing structure", nd.grey_closing(x, structure=data("f8", (3, 2), 1)))
    for mode in ("reflect", "constant", "wrap"):
        case(f"gaussian_laplace {mode}", nd.gaussian_laplace(x, (1, 1.5), mode=mode, cval=2.5))
        case(f"gaussian_gradient_magnitude {mode}", nd.gaussian_gradient_magnitude(x, 1.2, mode=mode, cval=2.5))
    for n in (1, 2, 4):
        case(f"iterate_structure {n}", nd.iterate_structure(nd.generate_binary_structure(2, 1), n))
        case(f"iterate_structure odd {n}", nd.iterate_structure(odd, n))


def main():
    filters()
    positions()
    footprints()
    interpolation()
    objects()
    statistics()
    grey()
    out = [f"# SciPy {scipy.__version__}, NumPy {np.__version__}\n"]
    for name, a in cases.items():
        shape = "".join(f" {n}" for n in a.shape)
        out.append(f"{name}\n{a.dtype} {a.ndim}{shape}\n{np.ascontiguousarray(a).tobytes().hex()}\n")
    (TESTS / "data/golden/ndimage.txt").write_text("".join(out))


if __name__ == "__main__":
    main()
