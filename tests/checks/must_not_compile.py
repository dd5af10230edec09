#!/usr/bin/env python3
"""Compiles each file of tests/must_not_compile, which must fail with the text that its first lines name."""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
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


def compile_file(compiler, path):
    roots = [f"-I{ROOT / folder}" for folder in ("include", "runtime", "codegen")]
    every_error = ["-ferror-limit=0"] if "clang" in compiler else []
    command = [*shlex.split(compiler), "-std=c++20", "-fsyntax-only", *every_error, "-DSINTER_COMPILED", *roots, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env={**os.environ, "LC_ALL": "C"})
    return done.returncode, " ".join((done.stdout + done.stderr).split()), done.stderr


def judge(compiler, path):
    """None when the file fails as it says, else what is wrong."""
    texts = expected_texts(path)
    if not texts:
        return "the first line must read `// error: <text>`"
    status, message, log = compile_file(compiler, path)
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
    folder = ROOT / "tests" / "must_not_compile"
    files = sorted(folder.glob("*.cpp"))

    # Unless correct code compiles, failures prove nothing.
    control = ROOT / "tests" / "consumer" / "header_only_twin.cpp"
    status, _, log = compile_file(arguments.compiler, control)
    if status != 0:
        print(log)
        print(f"FAILED {control.name}: the control must compile\n0 passed, {len(files) + 1} failed")
        return 1

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(lambda path: judge(arguments.compiler, path), files))
    failed = 0
    for path, wrong in zip(files, results):
        if wrong:
            failed += 1
            print(f"FAILED {path.name}: {wrong}")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
