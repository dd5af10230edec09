"""Fourier transforms."""
from table import *

COMPLEX = ["int32", "float32", "float64", "complex128"]
REALS = ["int32", "float32", "float64"]
TO_FLOAT = 64


def add_to(t):
    for name, types, shapes in (("fft", COMPLEX, "vector matrix cube one long nan_vector"), ("ifft", COMPLEX, "vector matrix cube one long"), ("rfft", REALS, "vector matrix cube one long nan_vector"),
                                ("irfft", ["complex128"], "spectrum spectra"), ("hfft", ["complex128"], "spectrum spectra"), ("ihfft", REALS, "vector matrix one")):
        add = lambda numpy, sinter, cases: t.add("fft", name, numpy, sinter, types, cases, TO_FLOAT, True)
        add(f"np.fft.{name}(x)", f"fft::{name}(x)", over(shapes + " none scalar no_rows"))
        add(f"np.fft.{name}(x, n)", f"fft::{name}(x, n)", times(over(shapes.replace(" nan_vector", "")), n=[0, 1, 4, 8, 9] if name not in ("irfft", "hfft") else [0, 4, 8, 9]))
        if name in ("irfft", "hfft"):
            add(f"np.fft.{name}(x, axis=a)", f"fft::{name}(x, {{.axis = static_cast<int>(a)}})", [dict(x=x, a=a) for x, a in (("spectra", -1), ("spectra", 1), ("spectrum", 0), ("spectrum", -1), ("spectrum", 1), ("spectra", 2))])
        else:
            add(f"np.fft.{name}(x, axis=a)", f"fft::{name}(x, {{.axis = static_cast<int>(a)}})", along("vector matrix cube no_cube"))
        for norm in "ortho", "forward":
            add(f"np.fft.{name}(x, norm='{norm}')", f"fft::{name}(x, {{.norm = fft::norm::{norm}}})", over(shapes.split()[0] + " " + shapes.split()[1]))
    for name, types in (("fft2", COMPLEX), ("ifft2", COMPLEX), ("fftn", COMPLEX), ("ifftn", COMPLEX), ("rfft2", REALS), ("rfftn", REALS)):
        add = lambda numpy, sinter, cases: t.add("fft", name, numpy, sinter, types, cases, TO_FLOAT, True)
        add(f"np.fft.{name}(x)", f"fft::{name}(x)", over("matrix cube single nans no_rows scalar vector none"))
        add(f"np.fft.{name}(x, s, axes=t)", f"fft::{name}(x, s, t)", [dict(x="matrix", s=(2, 4), t=(0, 1)), dict(x="cube", s=(4, 2), t=(-1, 0)), dict(x="matrix", s=(3, 4), t=(0, 5)), dict(x="cube", s=(3, 3), t=(-2, -1)), dict(x="cube", s=(3, -1), t=(1, 2))])
    for name in "irfft2", "irfftn":
        forward = name.replace("irfft", "rfft")
        t.add("fft", name, f"np.fft.{name}(np.fft.{forward}(x))", f"fft::{name}(fft::{forward}(x))", WIDE, over("matrix cube square wide vector scalar no_rows nans"), TO_FLOAT, True)
        t.add("fft", name, f"np.fft.{name}(np.fft.{forward}(x), s, axes=t)", f"fft::{name}(fft::{forward}(x), s, t)", ["float64"], [dict(x="matrix", s=(3, 4), t=(0, 1)), dict(x="wide", s=(4, 5), t=(0, 1)), dict(x="cube", s=(3, 4), t=(-2, -1))], TO_FLOAT, True)
    for name in "fftshift", "ifftshift":
        t.add("fft", name, f"np.fft.{name}(x)", f"fft::{name}(x)", ALL, over("scalar one none vector matrix cube no_cube nans"))
        t.add("fft", name, f"np.fft.{name}(x, axes=a)", f"fft::{name}(x, {{a}})", ALL, along("vector matrix cube"))
    for name in "fftfreq", "rfftfreq":
        t.add("fft", name, f"np.fft.{name}(n)", f"fft::{name}(n)", ["float64"], [dict(n=n) for n in (1, 2, 5, 8, 9, 0, -1)], 4)
        t.add("fft", name, f"np.fft.{name}(n, p)", f"fft::{name}(n, p)", ["float64"], [dict(n=n, p=p) for n in (1, 4, 7) for p in (0.1, 2)], 4)
