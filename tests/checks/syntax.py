#!/usr/bin/env python3
"""Checks every source of a configured build folder, or each header alone, with a compiler: syntax only, warnings are errors."""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def options_of(entry):
    """An entry's options without its source, and the header that the build precompiles for it."""
    words = shlex.split(entry["command"])[1:]
    kept = []
    header = None
    while words:
        word = words.pop(0)
        if word == "-o":
            words.pop(0)
        elif word == "-include":
            header = words.pop(0)
        elif word not in ("-c", "-Winvalid-pch", entry["file"]):
            kept.append(word)
    return kept, header


class PrecompiledHeaders:
    """Those that the build makes for its own compiler, made for another one: read once for all sources that include the same first."""

    def __init__(self, compiler, folder):
        self.compiler = shlex.split(compiler)
        self.folder = pathlib.Path(folder)
        self.made = {}

    def includes(self, path):
        return re.findall(r"^#include (<.*>)", pathlib.Path(path).read_text(errors="replace"), re.MULTILINE)

    def make(self, entries):
        for entry in entries:
            options, header = options_of(entry)
            key = (header, *options)
            if header is None or "clang" not in self.compiler[0] or key in self.made:
                continue
            image = self.folder / f"{len(self.made)}.pch"
            done = subprocess.run([*self.compiler, *options, "-Wno-pragma-system-header-outside-header", "-x", "c++-header", header, "-o",
                                   image], cwd=entry["directory"], capture_output=True)
            self.made[key] = image if done.returncode == 0 else None

    def options(self, entry):
        """A source that does not include what is precompiled has to do without."""
        options, header = options_of(entry)
        image = self.made.get((header, *options))
        if image is None or not set(self.includes(header)) <= set(self.includes(entry["file"])):
            return options
        return ["-include-pch", str(image), *options]


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

    def check(headers, entry):
        done = subprocess.run([*headers.compiler, *headers.options(entry), entry["file"], "-fsyntax-only", "-Werror", *more],
                              cwd=entry["directory"], capture_output=True, text=True, errors="replace", env={**os.environ, "LC_ALL": "C"})
        return done.returncode, done.stderr

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        headers = PrecompiledHeaders(arguments.compiler, folder)
        headers.make(entries)
        results = list(pool.map(lambda entry: check(headers, entry), entries))
    failed = 0
    for entry, (status, log) in zip(entries, results):
        if status != 0:
            failed += 1
            print(f"FAILED {os.path.relpath(entry['file'], ROOT)}\n" + "\n".join(log.splitlines()[:15]))
    print(f"{len(entries) - failed} passed, {failed} failed")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
