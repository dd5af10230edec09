#!/usr/bin/env python3
"""How long first calls take: each in a process of its own whose caches are empty, beside CuPy, JAX and torch.compile where they are installed.

usage: first_calls.py [--device cpu|cuda] [--runs 5] [--rows softmax …] [--build build] [--before BUILD] [--python PYTHON]

Milliseconds from the call to its result, medians; the libraries take turns. Of sinter also what compilers took, all of them together,
how long they and libraries were waited for, and how many kernels were compiled; `again` is a second process, which finds them on disk.
With --before, another build of bench/first_calls is measured in the same turns."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS = {
    "gaussian": "xp.exp(-0.5 * ((x - 0.25) / 1.5) ** 2) / 3.76",
    "sum": "x.sum()",
    "cumsum": "xp.cumsum(x.reshape(-1), 0)",
    "softmax": "xp.exp(x - xp.amax(x, 1)[:, None]) / xp.exp(x - xp.amax(x, 1)[:, None]).sum(1)[:, None]",
    "moments": "(x.mean(0), x.var(0), xp.amax(x, 1), xp.argmax(x, 1), (x * x).sum())",
    "solve": "xp.linalg.solve(x + 1000.0 * xp.eye(1000, dtype=x.dtype, **on), x)",
    "cholesky": "xp.linalg.cholesky(x + x.T + 2000.0 * xp.eye(1000, dtype=x.dtype, **on))",
}
MAKERS = {
    "CuPy": "import cupy as xp; on = {}; compiled = lambda f: f; x = xp.asarray(values); wait = lambda r: xp.cuda.Device().synchronize()",
    "JAX": "import jax; import jax.numpy as xp; on = {}; compiled = jax.jit; x = xp.asarray(values); wait = jax.block_until_ready",
    "torch.compile": "import torch as xp; on = {'device': DEVICE}; compiled = xp.compile; x = xp.asarray(values, device=DEVICE); "
                     "wait = lambda r: xp.cuda.synchronize() if DEVICE == 'cuda' else None",
}
PEER = """import time
import numpy
DEVICE = {device!r}
values = (numpy.arange(1000 * 1000) % 1013 * 0.001).astype('float32').reshape(1000, 1000)
{maker}
wait(x + 1)
f = compiled(lambda x: {call})
begin = time.perf_counter()
wait(f(x))
print((time.perf_counter() - begin) * 1e3)
"""


def run(command, cache, more=None):
    """The words that a process prints; None where it fails."""
    caches = {name: str(cache / name) for name in ("SINTER_CACHE_DIR", "CUPY_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "CUDA_CACHE_PATH")}
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **caches, **(more or {})}, check=False)
    return done.stdout.split() if done.returncode == 0 and done.stdout else None


def peers_of(python, device):
    """The libraries that compute on the device, with what begins their programs."""
    found = {}
    for name, maker in MAKERS.items():
        if name == "CuPy" and device == "cpu":
            continue
        with tempfile.TemporaryDirectory() as cache:
            text = PEER.format(device=device, maker=maker, call="x + 2")
            if run([python, "-c", text], pathlib.Path(cache), {"JAX_PLATFORMS": device}):
                found[name] = maker
    return found


def one_turn(arguments, builds, peers, row):
    """By column: the words of one run."""
    words = {}
    for name, build in builds.items():
        with tempfile.TemporaryDirectory() as cache:
            command = [build / "bench" / "first_calls", row, arguments.device]
            words[name] = run(command, pathlib.Path(cache))
            words[f"{name}, again"] = run(command, pathlib.Path(cache))
    for name, maker in peers.items():
        if row in CALLS:
            with tempfile.TemporaryDirectory() as cache:
                text = PEER.format(device=arguments.device, maker=maker, call=CALLS[row])
                words[name] = run([arguments.python, "-c", text], pathlib.Path(cache), {"JAX_PLATFORMS": arguments.device})
    return words


def median(all_words, which):
    values = [float(w[which]) for w in all_words if w and w[which] != "-"]
    return statistics.median(values) if values else None


def text_of(value):
    return "" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", nargs="+")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    arguments = parser.parse_args()
    builds = {**({"before": arguments.before} if arguments.before else {}), "sinter": arguments.build}
    rows = arguments.rows or subprocess.run([arguments.build / "bench" / "first_calls", "--rows"], capture_output=True, text=True,
                                            check=True).stdout.split()
    peers = peers_of(arguments.python, arguments.device)
    timed = [c for name in builds for c in (name, f"{name}, again")] + list(peers)
    columns = timed + ["compilers", "waiting", "libraries", "kernels"]
    print(f"| first call on {arguments.device}, ms | " + " | ".join(columns) + " |\n|---" + "|---" * len(columns) + "|", flush=True)
    for row in rows:
        turns = [one_turn(arguments, builds, peers, row) for _ in range(arguments.runs)]
        values = [median([t.get(c) for t in turns], 0) for c in timed] + [median([t["sinter"] for t in turns], i) for i in (1, 2, 3, 4)]
        print(f"| {row} | " + " | ".join(map(text_of, values)) + " |", flush=True)


if __name__ == "__main__":
    main()
