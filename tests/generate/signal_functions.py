#!/usr/bin/env python3
"""Writes tests/data/golden/signal.txt: what scipy.signal gives for short signals that tests/shared/signal makes too.

usage: signal_functions.py (it needs NumPy 2.4 and SciPy 1.17)
"""
import pathlib

import numpy as np
import scipy
from ndimage import data
from scipy import signal

TESTS = pathlib.Path(__file__).resolve().parents[1]
cases = {}


def case(name, value):
    assert name not in cases, name
    cases[name] = np.asarray(value)


def thinned(x):
    return x if len(x) <= 101 else x[:: len(x) // 64]


def convolutions():
    x, v, cube = data("f8", (37,)), data("f8", (6,), 1), data("f8", (3, 4, 5), 3)
    for mode in ("full", "same", "valid"):
        case(f"fftconvolve {mode}", signal.fftconvolve(x, v, mode))
        case(f"fftconvolve two axes {mode}", signal.fftconvolve(cube, data("f8", (1, 2, 3), 2), mode, axes=(1, 2)))
        case(f"oaconvolve {mode}", signal.oaconvolve(data("f8", (211,)), v, mode)[:64])
    case("fftconvolve swapped", signal.fftconvolve(v, x, "valid"))
    case("fftconvolve complex", signal.fftconvolve(data("c16", (7, 9)), data("f8", (3, 2)), "same"))
    case("oaconvolve axis", signal.oaconvolve(data("f8", (2, 97)), data("f8", (2, 5), 2), "same", axes=1))


def designs():
    for w in ("boxcar", "triang", "bartlett", "hann", "hamming", "blackman", "blackmanharris", "nuttall", "flattop", "cosine",
              ("kaiser", 6.5), ("gaussian", 2.5), ("tukey", 0.4)):
        name = w if isinstance(w, str) else w[0]
        case(f"window {name}", signal.get_window(w, 10))
        case(f"symmetric window {name}", signal.get_window(w, 9, fftbins=False))
    case("firwin", signal.firwin(11, 0.3))
    case("firwin band", signal.firwin(12, [0.2, 0.45], pass_zero=False, window="hann"))
    case("firwin stop", signal.firwin(13, [100, 200], pass_zero="bandstop", fs=1000, width=80))
    case("firwin high", signal.firwin(9, 0.6, pass_zero="highpass", scale=False))
    for name, n, wn, btype in (("low", 4, 0.2, "lowpass"), ("odd", 5, 0.3, "lowpass"), ("high", 3, 0.4, "highpass"),
                               ("band", 3, [0.2, 0.5], "bandpass"), ("stop", 2, [0.3, 0.35], "bandstop")):
        b, a = signal.butter(n, wn, btype)
        case(f"butter {name} b", b)
        case(f"butter {name} a", a)
        case(f"butter {name} sos", signal.butter(n, wn, btype, output="sos"))


def linear():
    x, rows, long = data("f8", (37,)), data("f8", (3, 70, 2), 4), data("f8", (5000,), 2)
    b, a = signal.butter(3, 0.25)
    case("lfilter", signal.lfilter(b, a, x))
    case("lfilter axis", signal.lfilter([0.5, 0.25], [2, -1.5, 0.4], rows, axis=1))
    case("lfilter first order", thinned(signal.lfilter([1], [1, -0.999], long)))
    case("lfilter long", thinned(signal.lfilter(b, a, long)))
    case("lfilter finite", signal.lfilter([1, 2, 3, -4], [2], rows, axis=0))
    case("lfilter long numerator", signal.lfilter([1, 2, 3, -4, 0.5], [1, -0.5], x))
    case("lfilter complex", signal.lfilter(b, a, data("c16", (41,))))
    case("lfilter float32", signal.lfilter(b, a, data("f4", (100,))).astype("f4"))
    case("lfilter int32", signal.lfilter(b, a, data("i4", (33,))))
    case("lfilter_zi", signal.lfilter_zi(b, a))
    for n in (1, 2, 32, 71):
        y, z = signal.lfilter(b, a, long[:n], zi=[1, -2, 0.5])
        case(f"lfilter state {n}", y)
        case(f"lfilter last state {n}", z)
    sos = signal.butter(5, 0.1, output="sos")
    case("sosfilt", thinned(signal.sosfilt(sos, long)))
    y, z = signal.sosfilt(sos, rows, axis=1, zi=data("f8", (3, 3, 2, 2), 1))
    case("sosfilt state", y)
    case("sosfilt last state", z)
    case("filtfilt", signal.filtfilt(b, a, x))
    for kind in ("even", "constant"):
        case(f"filtfilt {kind}", signal.filtfilt(b, a, rows, axis=1, padtype=kind, padlen=5)[0])
    case("filtfilt none", signal.filtfilt(b, a, x, padtype=None))


def main():
    convolutions()
    designs()
    linear()
    out = [f"# SciPy {scipy.__version__}, NumPy {np.__version__}\n"]
    for name, a in cases.items():
        shape = "".join(f" {n}" for n in a.shape)
        out.append(f"{name}\n{a.dtype} {a.ndim}{shape}\n{np.ascontiguousarray(a).tobytes().hex()}\n")
    (TESTS / "data/golden/signal.txt").write_text("".join(out))


if __name__ == "__main__":
    main()
