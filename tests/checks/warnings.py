#!/usr/bin/env python3
"""Compiles all documented headers with all bodies, these behind all declarations too, and a program that instantiates much, by -I and
with more warnings than sinter's own build has; each warning is an error. The program is compiled as C++23 as well where the compiler knows
that."""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    compiler = shlex.split(parser.parse_args().compiler)
    roots_of_bodies = [ROOT / name for name in ("include", "runtime", "codegen")]
    roots = [f"-I{root}" for root in roots_of_bodies]
    program = ROOT / "tests" / "consumer" / "much.cpp"

    def compiles(name, *options):
        done = subprocess.run([*compiler, *WARNINGS, *roots, *(str(o) for o in options)], capture_output=True, text=True, errors="replace",
                              env={**os.environ, "LC_ALL": "C"})
        return name, done.returncode, done.stderr

    def knows(standard):
        return subprocess.run([*compiler, standard, "-fsyntax-only", "-x", "c++", os.devnull], capture_output=True).returncode == 0

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        headers = pathlib.Path(folder) / "headers.cpp"
        headers.write_text("".join(f"#include <sinter/{h.name}>\n" for h in sorted((ROOT / "include" / "sinter").glob("*.hpp"))))
        # As the library's units have them, where every public name is there for a body to shadow.
        behind = pathlib.Path(folder) / "behind.cpp"
        bodies = sorted(p.relative_to(root) for root in roots_of_bodies for p in root.rglob("*.ipp"))
        behind.write_text(headers.read_text() + "".join(f"#include <{b}>\n" for b in bodies))
        jobs = [("documented headers and bodies", "-std=c++20", "-fsyntax-only", headers),
                ("bodies behind all declarations", "-std=c++20", "-DSINTER_COMPILED", "-fsyntax-only", behind),
                ("a program of much", "-std=c++20", "-DSINTER_COMPILED", "-c", "-O0", "-o", pathlib.Path(folder) / "much.o", program)]
        if knows("-std=c++23"):
            jobs.append(("a program of much, as C++23", "-std=c++23", "-DSINTER_COMPILED", "-fsyntax-only", program))
        results = list(pool.map(lambda job: compiles(*job), jobs))
    for name, status, log in results:
        if status != 0:
            print(f"FAILED {name}\n" + "\n".join(log.splitlines()[:40]))
    failed = sum(status != 0 for _, status, _ in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
