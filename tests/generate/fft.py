#!/usr/bin/env python3
"""Writes tests/data/golden/fft.txt: NumPy's Fourier transforms in double precision of operands that are exact in single.

usage: fft.py (it needs NumPy 2.4)
"""
import pathlib

import numpy as np

TESTS = pathlib.Path(__file__).resolve().parents[1]
SIZES = [1, 2, 3, 5, 8, 31, 33, 97, 100, 1009, 4097, 65536]
NORMS = ["backward", "ortho", "forward"]
cases = {}
operands = set()  # names of what is read as an operand too


def case(name, value, operand=False):
    assert name not in cases, name
    cases[name] = np.asarray(value)
    if operand:
        operands.add(name)


def written(name, a):
    """All elements of what is small or an operand, and otherwise the scattered third that fft_test.cpp compares."""
    flat = a.ravel()
    if a.size <= 64 or name in operands:
        return flat
    return flat[np.arange(a.size) * 2654435761 % 2**32 < 2**32 // 3]


def real(shape, k=0):
    """The operand that fft_test.cpp computes too: a chirp, whose spectrum is flat."""
    i = np.arange(np.prod(shape, dtype=int))
    return (((i * i % 1009) * 7 + i * 37 + k * 11) % 1009 * 0.0625 - 31.5).reshape(shape)


def cplx(shape):
    return real(shape) + 1j * real(shape, 5)


def half(n):
    """Half of a spectrum whose transform is real."""
    x = cplx((n // 2 + 1,))
    i = np.arange(len(x))
    return np.where((i == 0) | (2 * i == n), x.real, x)


def thinned(x):
    return x if len(x) <= 101 else x[:: len(x) // 64]


def one_axis():
    for n in SIZES:
        case(f"fft {n} complex", thinned(np.fft.fft(cplx((n,)))))
        case(f"fft {n} real", thinned(np.fft.fft(real((n,)))))
        case(f"ifft {n} complex", thinned(np.fft.ifft(cplx((n,)))))
        case(f"rfft {n} real", thinned(np.fft.rfft(real((n,)))))
        case(f"irfft {n} complex", thinned(np.fft.irfft(half(n), n)))
        case(f"hfft {n} complex", thinned(np.fft.hfft(half(n), n)))
        case(f"ihfft {n} real", thinned(np.fft.ihfft(real((n,)))))
    for norm in NORMS:
        for n in (33, 100):
            for f in ("fft", "ifft"):
                case(f"{f} {n} complex {norm}", getattr(np.fft, f)(cplx((n,)), norm=norm))
            for f in ("rfft", "ihfft"):
                case(f"{f} {n} real {norm}", getattr(np.fft, f)(real((n,)), norm=norm))
            for f in ("irfft", "hfft"):
                case(f"{f} {n} complex {norm}", getattr(np.fft, f)(half(n), n, norm=norm))
    for n in (1, 8, 31, 33, 100):
        for f in ("fft", "ifft"):
            case(f"{f} 31 complex to {n}", getattr(np.fft, f)(cplx((31,)), n))
            case(f"{f} 31 real to {n}", getattr(np.fft, f)(real((31,)), n))
        for f in ("rfft", "ihfft"):
            case(f"{f} 31 real to {n}", getattr(np.fft, f)(real((31,)), n))
    for n in (1, 9, 31, 40):
        for f in ("irfft", "hfft"):
            case(f"{f} 31 complex to {n}", getattr(np.fft, f)(half(31), n))
    case("irfft default", np.fft.irfft(half(30)))
    case("hfft default", np.fft.hfft(half(30)))
    for axis in (0, 1, 2, -3):
        for f in ("fft", "ifft"):
            case(f"{f} axis {axis} complex", getattr(np.fft, f)(cplx((3, 8, 5)), axis=axis))
        for f in ("rfft", "ihfft"):
            case(f"{f} axis {axis} real", getattr(np.fft, f)(real((3, 8, 5)), axis=axis))
            case(f"{f} axis {axis} real to 6", getattr(np.fft, f)(real((3, 8, 5)), 6, axis))
        x = np.fft.rfft(real((3, 8, 5)), axis=axis)
        case(f"irfft axis {axis} operand", x, operand=True)
        for f in ("irfft", "hfft"):
            case(f"{f} axis {axis} complex", getattr(np.fft, f)(x, axis=axis))
            case(f"{f} axis {axis} complex to 7", getattr(np.fft, f)(x, 7, axis))


AXES = {
    (4, 5, 6): [None, (0,), (1,), (-1, -2), (0, 2), (0, 1), (2, 0, 1), (1, 1), (0, 1, 0)],
    (3, 1, 8): [None, (1,), (2, 1), (0, 1)],
    (2, 3, 4, 5): [None, (0, 1, 2, 3), (1, 2), (1, 3), (-3, 0), (3, 1, 0)],
}


def sizes(shape, axes):
    return tuple(shape[a] + 2 if j % 2 == 0 else max(1, shape[a] - 1) for j, a in enumerate(axes))


def several_axes():
    for shape, lists in AXES.items():
        for axes in lists:
            name = f"{shape} {'all' if axes is None else axes}"
            given = tuple(range(len(shape))) if axes is None else axes
            s = sizes(shape, given)
            x, z = real(shape), cplx(shape)
            case(f"fftn {name}", np.fft.fftn(z, axes=axes))
            case(f"fftn {name} real", np.fft.fftn(x, axes=axes))
            case(f"ifftn {name}", np.fft.ifftn(z, axes=axes))
            case(f"fftn {name} sizes", np.fft.fftn(z, s, given))
            case(f"ifftn {name} sizes", np.fft.ifftn(z, s, given))
            case(f"rfftn {name}", np.fft.rfftn(x, axes=axes), operand=True)
            case(f"rfftn {name} sizes", np.fft.rfftn(x, s, given))
            if len(set(a % len(shape) for a in given)) == len(given):
                half_spectrum = np.fft.rfftn(x, axes=axes)
                if half_spectrum.shape[given[-1]] > 1:
                    case(f"irfftn {name}", np.fft.irfftn(half_spectrum, axes=axes))
                odd = tuple(-1 for _ in given[:-1]) + (2 * half_spectrum.shape[given[-1]] - 1,)
                case(f"irfftn {name} odd", np.fft.irfftn(half_spectrum, odd, given))
    z, x = cplx((3, 6, 8)), real((3, 6, 8))
    for norm in NORMS:
        case(f"fft2 {norm}", np.fft.fft2(z, norm=norm))
        case(f"ifft2 {norm}", np.fft.ifft2(z, norm=norm))
        case(f"rfft2 {norm}", np.fft.rfft2(x, norm=norm))
        case(f"irfft2 {norm}", np.fft.irfft2(np.fft.rfft2(x), norm=norm))
    case("fft2 sizes", np.fft.fft2(z, (7, 5)))
    case("rfft2 axes", np.fft.rfft2(x, axes=(2, 0)))


def frequencies():
    for n in (1, 2, 9, 10):
        case(f"fftfreq {n}", np.fft.fftfreq(n, 0.1))
        case(f"rfftfreq {n}", np.fft.rfftfreq(n, 0.1))
        case(f"fftshift {n}", np.fft.fftshift(np.arange(n)))
        case(f"ifftshift {n}", np.fft.ifftshift(np.arange(n)))
    m = np.arange(60).reshape(3, 4, 5)
    case("fftshift all", np.fft.fftshift(m))
    case("ifftshift all", np.fft.ifftshift(m))
    case("fftshift axes", np.fft.fftshift(m, axes=(0, -1)))
    case("ifftshift axis", np.fft.ifftshift(m, axes=2))


def main():
    one_axis()
    several_axes()
    frequencies()
    out = [f"# NumPy {np.__version__}\n"]
    for name, a in cases.items():
        shape = "".join(f" {n}" for n in a.shape)
        out.append(f"fft {name}\n{a.dtype} {a.ndim}{shape}\n{written(name, a).tobytes().hex()}\n")
    (TESTS / "data/golden/fft.txt").write_text("".join(out))


if __name__ == "__main__":
    main()
