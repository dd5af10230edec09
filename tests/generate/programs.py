#!/usr/bin/env python3
"""Writes tests/data/golden/programs.txt: inputs of the programs of bench/programs, tiny ones, and what NumPy makes of them.

usage: programs.py (it needs NumPy 2.4); the programs themselves are those of bench/peers/programs.py.
"""
import pathlib
import sys

import numpy as np

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS.parent / "bench" / "peers"))
import programs  # noqa: E402

SIZES = {
    "arc_distance": dict(n=101), "azimint_naive": dict(n=997), "covariance": dict(mn=(7, 11)), "gesummv": dict(n=23),
    "go_fast": dict(n=37), "hdiff": dict(extents=(5, 6, 3)), "jacobi_2d": dict(steps_n=(9, 13)),
    "mandelbrot1": dict(settings=(-1.75, 0.25, -1.0, 1.0, 11, 13, 40)), "mlp": dict(extents=(3, 4, 15, 10, 5)),
    "program_softmax": dict(shape=(2, 3, 4, 17)), "equation_of_state": dict(size="60"),
}


def entry(name, a):
    a = np.ascontiguousarray(a)
    shape = "".join(f" {n}" for n in a.shape)
    return f"{name}\n{a.dtype} {a.ndim}{shape}\n{a.tobytes().hex()}\n"


def main():
    out = [f"# NumPy {np.__version__}\n"]
    programs.AzimintNaive.npt = 10
    for name, size in SIZES.items():
        program = programs.PROGRAMS[name]
        inputs = program.initialize(np.random.default_rng(42), **size)
        for i, a in enumerate(inputs):
            if isinstance(a, np.ndarray):
                out.append(entry(f"{name} input {i}", a))
        results = program.kernel(np, *map(np.copy, inputs))
        for i, a in enumerate(results if isinstance(results, tuple) else (results,)):
            out.append(entry(f"{name} result {i}", a))
    (TESTS / "data/golden/programs.txt").write_text("".join(out))


if __name__ == "__main__":
    main()
