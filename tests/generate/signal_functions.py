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
              "parzen", "bohman", "barthann", "lanczos", "exponential", ("exponential", None, 2.5), ("general_hamming", 0.6),
              ("kaiser", 6.5), ("gaussian", 2.5), ("tukey", 0.4)):
        name = w if isinstance(w, str) else w[0] if w[0] != "exponential" else "exponential of 2.5"
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


def chebyshev():
    for name, design, n, decibels in (("cheby1", signal.cheby1, 4, 0.5), ("cheby1 odd", signal.cheby1, 5, 2),
                                      ("cheby2", signal.cheby2, 4, 40), ("cheby2 odd", signal.cheby2, 5, 30)):
        for btype, wn in (("lowpass", 0.2), ("highpass", 0.4), ("bandpass", [0.2, 0.5]), ("bandstop", [0.3, 0.45])):
            b, a = design(n, decibels, wn, btype)
            case(f"{name} {btype} b", b)
            case(f"{name} {btype} a", a)
            sos = design(n, decibels, wn, btype, output="sos")
            case(f"{name} {btype} sos", signal.freqz_sos(sos, worN=25)[1])


def decimations():
    x, rows = data("f8", (211,)), data("f8", (2, 97, 3), 4)
    for ftype in ("iir", "fir"):
        for zero_phase in (True, False):
            case(f"decimate {ftype} {zero_phase}", signal.decimate(x, 4, ftype=ftype, zero_phase=zero_phase))
    case("decimate axis", signal.decimate(rows, 3, 5, axis=1))
    case("decimate taps", signal.decimate(rows, 2, 12, "fir", axis=1))
    case("decimate int32", signal.decimate(data("i4", (100,)), 2))


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
    case("sosfilt_zi", signal.sosfilt_zi(sos))
    case("sosfilt", thinned(signal.sosfilt(sos, long)))
    y, z = signal.sosfilt(sos, rows, axis=1, zi=data("f8", (3, 3, 2, 2), 1))
    case("sosfilt state", y)
    case("sosfilt last state", z)
    case("filtfilt", signal.filtfilt(b, a, x))
    for kind in ("even", "constant"):
        case(f"filtfilt {kind}", signal.filtfilt(b, a, rows, axis=1, padtype=kind, padlen=5)[0])
    case("filtfilt none", signal.filtfilt(b, a, x, padtype=None))
    case("sosfiltfilt", signal.sosfiltfilt(sos, x))
    case("sosfiltfilt even", signal.sosfiltfilt(sos, rows, axis=1, padtype="even", padlen=5))
    case("sosfiltfilt of zeros", signal.sosfiltfilt([[1, 0.5, 0, 1, -0.5, 0], [0.5, 0, 0, 1, -0.2, 0.3]], x))


def spectra():
    x, rows = data("f8", (101,)), data("f8", (2, 67, 3), 4)
    for name, given, options in (
        ("plain", x, {"nperseg": 16}),
        ("odd", x, {"nperseg": 15, "noverlap": 9, "nfft": 20, "fs": 8, "window": "hamming", "scaling": "psd"}),
        ("even", x, {"nperseg": 16, "boundary": "even", "padded": False, "detrend": "linear"}),
        ("constant", x, {"nperseg": 16, "boundary": "constant", "return_onesided": False}),
        ("none", rows, {"nperseg": 16, "boundary": None, "detrend": "constant", "axis": 1}),
        ("complex", data("c16", (50,)), {"nperseg": 16, "return_onesided": False}),
    ):
        f, t, z = signal.stft(given, **options)
        case(f"stft {name} f", f)
        case(f"stft {name} t", t)
        case(f"stft {name}", z)
    z = signal.stft(x, nperseg=16, noverlap=11)[2]
    t, y = signal.istft(z, noverlap=11, fs=4)
    case("istft t", t)
    case("istft", y)
    z = signal.stft(rows, nperseg=15, axis=1, scaling="psd", fs=3)[2]
    case("istft axes", signal.istft(z, nperseg=15, freq_axis=1, scaling="psd", fs=3)[1])
    z = signal.stft(data("c16", (50,)), nperseg=16, return_onesided=False)[2]
    case("istft complex", signal.istft(z, input_onesided=False)[1])
    for mode in ("psd", "magnitude", "angle"):
        f, t, s = signal.spectrogram(x, fs=8, nperseg=17, mode=mode)
        case(f"spectrogram {mode}", s[1:] if mode == "angle" else s)
    case("spectrogram f", f)
    case("spectrogram t", t)
    f, p = signal.welch(x, fs=8, nperseg=16)
    case("welch f", f)
    case("welch", p)
    case("welch median", signal.welch(rows, nperseg=15, axis=1, average="median", scaling="spectrum")[1])


def two_signals():
    x, y, rows, w = data("f8", (101,)), data("f8", (101,), 5), data("f8", (2, 67, 3), 4), data("c16", (50,))
    f, p = signal.periodogram(x, fs=8)
    case("periodogram f", f)
    case("periodogram", p)
    case("periodogram fewer", signal.periodogram(rows, nfft=32, axis=1, window="hann", scaling="spectrum")[1])
    case("periodogram more", signal.periodogram(w, nfft=64, detrend=False)[1])
    f, p = signal.csd(x, y, fs=8, nperseg=16)
    case("csd f", f)
    case("csd", p)
    case("csd median", signal.csd(x, y, nperseg=15, average="median", noverlap=9, nfft=20)[1])
    case("csd lengths", signal.csd(x, y[:61], nperseg=16, scaling="spectrum")[1])
    case("csd axes", signal.csd(rows, rows[:1, :, ::-1], nperseg=16, axis=1)[1])
    case("csd complex", signal.csd(w, y[:50], nperseg=16, return_onesided=False)[1])
    case("coherence", signal.coherence(x, y, nperseg=16)[1])
    case("coherence axes", signal.coherence(rows, rows[:1, :, ::-1], nperseg=15, axis=1, window="hamming")[1])


def responses():
    b, a = signal.butter(3, 0.25)
    sos = signal.butter(5, 0.1, output="sos")
    for name, options in (("plain", {"worN": 17}), ("whole", {"worN": 16, "whole": True, "fs": 8}),
                          ("nyquist", {"worN": 9, "include_nyquist": True}), ("given", {"worN": [0.1, 1, 3], "fs": 7})):
        w, h = signal.freqz(b, a, **options)
        case(f"freqz {name} w", w)
        case(f"freqz {name}", h)
        case(f"freqz_sos {name}", np.prod([signal.freqz(row[:3], row[3:], **options)[1] for row in sos], axis=0)
             if name == "nyquist" else signal.freqz_sos(sos, **options)[1])
    case("freqz taps", signal.freqz(data("f8", (101,)), worN=13)[1])
    for name, design in (("iirnotch", signal.iirnotch), ("iirpeak", signal.iirpeak)):
        b, a = design(60, 30, fs=1000)
        case(f"{name} b", b)
        case(f"{name} a", a)
    t = data("f8", (41,)) / 20
    for method in ("linear", "quadratic", "logarithmic", "hyperbolic"):
        case(f"chirp {method}", signal.chirp(t, 2, 3, 0.5, method, 30))
        case(f"chirp {method} level", signal.chirp(t, 2, 3, 2, method))
    case("chirp vertex", signal.chirp(t, 2, 3, 0.5, "quadratic", vertex_zero=False))
    for n, m in ((7, 4), (4, 7), (6, 6), (5, 2)):
        for mode in ("full", "same", "valid"):
            case(f"lags {n} {m} {mode}", signal.correlation_lags(n, m, mode))
    case("medfilt", signal.medfilt(data("f8", (37,)), 5))
    case("medfilt image", signal.medfilt(data("i4", (5, 7)), (3, 5)))


def transforms():
    rows = data("f8", (2, 9, 3), 4)
    for n in (8, 9):
        case(f"hilbert {n}", signal.hilbert(data("f8", (n,))))
        for kind in (1, 2, 3, 4):
            for norm in ("backward", "ortho", "forward"):
                case(f"dct {kind} {norm} {n}", scipy.fft.dct(data("f8", (n,)), kind, norm=norm))
            case(f"idct {kind} {n}", scipy.fft.idct(data("f8", (n,)), kind))
    case("hilbert axis", signal.hilbert(rows, 12, axis=1))
    case("dct axis", scipy.fft.dct(rows, n=11, axis=1))
    case("dct float32", scipy.fft.dct(data("f4", (9,))))
    case("detrend", signal.detrend(rows, axis=1))
    case("detrend constant", signal.detrend(rows, axis=0, type="constant"))
    case("detrend breaks", signal.detrend(data("f8", (31,)), bp=[7, 20]))
    for n in (12, 13):
        for count in (8, 9, 12, 19, 20):
            case(f"resample {n} {count}", signal.resample(data("f8", (n,)), count))
    case("resample axis", signal.resample(rows, 6, axis=1))
    case("resample complex", signal.resample(data("c16", (12,)), 7))
    for up, down in ((3, 1), (1, 4), (4, 6), (7, 5)):
        case(f"resample_poly {up} {down}", signal.resample_poly(data("f8", (61,)), up, down))
    case("resample_poly axis", signal.resample_poly(rows, 2, 3, axis=1))
    case("resample_poly taps", signal.resample_poly(data("f8", (20,)), 3, 2, window=np.array([1.0, 2, 3, 2, 0.5])))


def smoothing():
    x, rows = data("f8", (37,)), data("f8", (3, 11, 2), 4)
    for mode in ("interp", "mirror", "nearest", "wrap", "constant"):
        case(f"savgol {mode}", signal.savgol_filter(x, 7, 3, mode=mode, cval=1.5))
    for deriv in (1, 2, 5):
        case(f"savgol derivative {deriv}", signal.savgol_filter(x, 9, 4, deriv=deriv, delta=0.5))
    case("savgol axis", signal.savgol_filter(rows, 11, 2, axis=1))
    case("savgol line", signal.savgol_filter(data("f4", (5,)), 1, 0))
    case("savgol integers", signal.savgol_filter(np.arange(12) * 7 % 11, 5, 2))
    case("savgol long", thinned(signal.savgol_filter(data("f8", (1009,), 2), 31, 3)))


def peaks():
    x = np.sin(np.arange(200) * 0.37) * 8 + np.arange(200) * 5 % 23
    x = np.round(x / 2) * 2
    case("peaks operand", x)
    for name, options in (("plain", {}), ("height", {"height": 14}), ("range", {"height": (10, 18)}), ("threshold", {"threshold": 4}),
                          ("distance", {"distance": 6}), ("prominence", {"prominence": 9}), ("plateau", {"plateau_size": (2, 3)}),
                          ("width", {"width": 1.5, "rel_height": 0.7}), ("window", {"prominence": (3, 12), "wlen": 9}),
                          ("several", {"height": 8, "distance": 5.5, "prominence": 4, "width": (0.5, 9)})):
        found, properties = signal.find_peaks(x, **options)
        case(f"peaks {name}", found)
        if name in ("width", "several"):
            for key in ("prominences", "left_bases", "right_bases", "widths", "width_heights", "left_ips", "right_ips"):
                case(f"peaks {name} {key}", properties[key])


    places = np.array([2, 5, 9, 30, 199])
    for name, options in (("all", {}), ("window", {"wlen": 9})):
        for key, value in zip(("prominences", "left_bases", "right_bases"), signal.peak_prominences(x, places, **options)):
            case(f"peak_prominences {name} {key}", value)
        for key, value in zip(("widths", "width_heights", "left_ips", "right_ips"), signal.peak_widths(x, places, 0.7, **options)):
            case(f"peak_widths {name} {key}", value)
    case("peaks below", signal.find_peaks(x, height=(None, 14))[0])


def waves():
    t = data("f8", (41,)) / 5
    for name, wave in (("square", signal.square), ("sawtooth", signal.sawtooth)):
        case(name, wave(t))
        case(f"{name} part", wave(t, 0.3))
        case(f"{name} parts", wave(t, data("f8", (41,), 1) / 20))
        case(f"{name} float32", wave(t.astype("f4"), 0.25).astype("f4"))
    case("gausspulse", signal.gausspulse(t, fc=0.5, bw=0.4, bwr=-5))
    case("gausspulse cutoff", signal.gausspulse("cutoff", fc=5, tpr=-50))
    for name in ("boxcar triang bartlett hann hamming blackman blackmanharris nuttall flattop cosine parzen bohman barthann lanczos").split():
        case(f"windows {name}", getattr(signal.windows, name)(11))
        case(f"windows {name} period", getattr(signal.windows, name)(10, sym=False))
    for name, value in (("kaiser", 4.5), ("gaussian", 1.5), ("general_hamming", 0.7), ("tukey", 0.3)):
        case(f"windows {name}", getattr(signal.windows, name)(11, value))
        case(f"windows {name} period", getattr(signal.windows, name)(10, value, sym=False))
    case("windows exponential", signal.windows.exponential(11, None, 3))
    case("window of a number", signal.get_window(4.5, 9))


def states():
    b, a, x = [0.1, 0.3, 0.2], [1, -0.5, 0.1], data("f8", (37,))
    case("lfiltic", signal.lfiltic(b, a, [0.5, 2], [1, 2, 3]))
    case("lfiltic long", signal.lfiltic(b, [2, 1], [3, 1, 7]))
    y, zf = signal.lfilter(b, a, x, zi=signal.lfiltic(b, a, [0.5, 2], [1, 2, 3]))
    case("lfilter state", y)
    case("lfilter last state", zf)


def main():
    peaks()
    waves()
    states()
    convolutions()
    designs()
    linear()
    spectra()
    chebyshev()
    decimations()
    two_signals()
    responses()
    transforms()
    smoothing()
    out = [f"# SciPy {scipy.__version__}, NumPy {np.__version__}\n"]
    for name, a in cases.items():
        shape = "".join(f" {n}" for n in a.shape)
        out.append(f"{name}\n{a.dtype} {a.ndim}{shape}\n{np.ascontiguousarray(a).tobytes().hex()}\n")
    (TESTS / "data/golden/signal.txt").write_text("".join(out))


if __name__ == "__main__":
    main()
