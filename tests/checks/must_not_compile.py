#!/usr/bin/env python3
"""Compiles each file of tests/must_not_compile, which must fail with the text that its first lines name."""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def expected_texts(path):
    """The texts of the leading `// error: …` lines."""
    texts = []
    for line in path.read_text().splitlines():
        if not line.startswith("// error:"):
            break
        texts.append(" ".join(line.removeprefix("// error:").split()))
    return texts


class Compiler:
    """A compiler that has read sinter.hpp once, for the files that begin with it."""

    HEADER = "#include <sinter/sinter.hpp>\n"

    def __init__(self, command, folder):
        roots = [f"-I{ROOT / name}" for name in ("include", "runtime", "codegen")]
        clang = "clang" in command
        self.command = [*shlex.split(command), "-std=c++20", "-DSINTER_COMPILED", *(["-ferror-limit=0"] if clang else []), *roots]
        header = pathlib.Path(folder) / "precompiled.hpp"
        image = header.with_suffix(".hpp.pch" if clang else ".hpp.gch")
        header.write_text(self.HEADER)
        self.run("-x", "c++-header", str(header), "-o", str(image))
        self.precompiled = ["-include-pch", str(image)] if clang else ["-include", str(header)]

    def run(self, *arguments):
        return subprocess.run([*self.command, *arguments], capture_output=True, text=True, errors="replace",
                              env={**os.environ, "LC_ALL": "C"})

    def compile(self, path):
        precompiled = self.precompiled if self.HEADER in path.read_text() else []
        done = self.run("-fsyntax-only", *precompiled, str(path))
        return done.returncode, " ".join((done.stdout + done.stderr).split()), done.stderr


def judge(compiler, path):
    """None when the file fails as it says, else what is wrong."""
    texts = expected_texts(path)
    if not texts:
        return "the first line must read `// error: <text>`"
    status, message, log = compiler.compile(path)
    if status == 0:
        return "it compiles"
    for text in texts:
        if text not in message:
            return f"the message lacks: {text}\n" + "\n".join(log.splitlines()[:12])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    arguments = parser.parse_args()
    files = sorted((ROOT / "tests" / "must_not_compile").glob("*.cpp"))
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(arguments.compiler, folder)
        # Unless correct code compiles, failures prove nothing.
        control = ROOT / "tests" / "consumer" / "header_only_twin.cpp"
        status, _, log = compiler.compile(control)
        if status != 0:
            print(log)
            print(f"FAILED {control.name}: the control must compile\n0 passed, {len(files) + 1} failed")
            return 1
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            results = list(pool.map(lambda path: judge(compiler, path), files))
    failed = 0
    for path, wrong in zip(files, results):
        if wrong:
            failed += 1
            print(f"FAILED {path.name}: {wrong}")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
