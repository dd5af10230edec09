#!/usr/bin/env python3
"""Checks every source of a configured build folder, or each header alone, with a compiler: syntax only, warnings are errors."""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def command_for(entry, compiler):
    words = shlex.split(entry["command"])[1:]
    kept = []
    skip = False
    for word in words:
        if skip or word in ("-c", "-Winvalid-pch"):
            skip = False
        elif word in ("-o", "-include"):  # what is included so is precompiled, for one compiler
            skip = True
        else:
            kept.append(word)
    return [*shlex.split(compiler), *kept, "-fsyntax-only", "-Werror"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="clang++")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--headers", action="store_true", help="each header alone, as users of the compiled library see it")
    arguments = parser.parse_args()
    # Each header's own translation unit would repeat what the sources include.
    entries = [entry for entry in json.loads((arguments.build / "compile_commands.json").read_text())
               if ("_verify_interface_header_sets" in entry["file"]) == arguments.headers and "cmake_pch" not in entry["file"]]
    more = ["-DSINTER_COMPILED"] if arguments.headers else []

    def check(entry):
        done = subprocess.run(command_for(entry, arguments.compiler) + more, cwd=entry["directory"], capture_output=True, text=True,
                              errors="replace", env={**os.environ, "LC_ALL": "C"})
        return done.returncode, done.stderr

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(check, entries))
    failed = 0
    for entry, (status, log) in zip(entries, results):
        if status != 0:
            failed += 1
            print(f"FAILED {os.path.relpath(entry['file'], ROOT)}\n" + "\n".join(log.splitlines()[:15]))
    print(f"{len(entries) - failed} passed, {failed} failed")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
