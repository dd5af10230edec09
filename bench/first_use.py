#!/usr/bin/env python3
"""How long NVRTC takes for CUDA texts: most of the time of a kernel's first use. Needs no GPU.

  first_use.py [FOLDER]       each golden text: milliseconds, registers, bytes spilled, bytes of code; and their sums
  first_use.py BEFORE AFTER   two folders of texts; fails where a text of the second takes more registers, or spills more

Milliseconds are of the processor, the median of several runs in turn, so that what else runs matters less. Registers are the most of
a text's kernels, spills the sum over them."""
import argparse
import glob
import os
import statistics
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/checks"))
from machine_code import Nvrtc, find_nvrtc  # noqa: E402

GOLDEN = os.path.join(ROOT, "tests/data/golden/kernels")


def texts_of(folder):
    paths = glob.glob(os.path.join(folder, "*.cuda.txt"))
    texts = {}
    for path in sorted(paths):
        with open(path, encoding="utf-8") as f:
            texts[os.path.basename(path).removesuffix(".cuda.txt")] = f.read()
    return texts or sys.exit(f"there is no .cuda.txt in {folder}")


def measured(nvrtc, text, architecture):
    """Milliseconds, and what has been compiled."""
    begin = time.process_time()
    code = nvrtc.code(text, architecture)
    spent = (time.process_time() - begin) * 1e3
    return (spent, code) if not code.refused else sys.exit(code.refused)


def size_of(code):
    return sum(len(content) for kind, content in code.sections if kind == b".text")


def is_worse(before, after):
    return after.registers > before.registers or after.spilled > before.spilled


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=[GOLDEN])
    parser.add_argument("--arch", type=int, default=90, help="the GPU that is compiled for")
    parser.add_argument("--also", default="80,100", help="GPUs for which registers and spills of two folders are compared, too")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="texts whose name has this")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="where NVRTC is looked for besides CUDA's own folders")
    arguments = parser.parse_args()
    if len(arguments.folders) > 2:
        parser.error("one folder, or two to compare")
    library = find_nvrtc(arguments.build)
    if not library:
        sys.exit("NVRTC is not here.")
    nvrtc, folders = Nvrtc(library), [texts_of(f) for f in arguments.folders]
    names = [n for n in folders[-1] if arguments.only in n and all(n in f for f in folders)]
    for name in {n for f in folders for n in f if arguments.only in n} - set(names):
        print(f"{name}: only in one of the folders")
    measured(nvrtc, "__global__ void warm_up() {}", arguments.arch)
    sums, worse = [0.0] * len(folders), []
    for name in names:
        runs = [[measured(nvrtc, f[name], arguments.arch) for f in folders] for _ in range(arguments.runs)]
        times = [statistics.median(run[i][0] for run in runs) for i in range(len(folders))]
        codes = [code for _, code in runs[0]]
        sums = [s + t for s, t in zip(sums, times)]
        print(f"{name:36}" + " -> ".join(f"{t:7.1f} ms {c.registers:4} registers {c.spilled:4} spilled {size_of(c):6} bytes" for t, c in zip(times, codes)) +
              (f"  x {times[1] / times[0]:.2f}" if len(times) == 2 else "") + ("  same code" if len(codes) == 2 and codes[0] == codes[1] else ""), flush=True)
        for other in (map(int, filter(None, arguments.also.split(","))) if len(folders) == 2 and folders[0][name] != folders[1][name] else ()):
            of_other = [measured(nvrtc, f[name], other)[1] for f in folders]
            worse += [f"{name}, sm_{other}: {of_other[0]} -> {of_other[1]}"] * is_worse(*of_other)
        worse += [f"{name}, sm_{arguments.arch}"] * is_worse(codes[0], codes[-1])
    print(f"{len(names)} texts: " + " -> ".join(f"{s:.0f} ms" for s in sums) + (f", x {sums[1] / sums[0]:.3f}" if len(sums) == 2 else ""))
    for name in worse:
        print(f"more registers, or more spilled: {name}")
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
