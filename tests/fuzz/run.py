#!/usr/bin/env python3
"""Feeds inputs that libFuzzer makes by coverage to the readers, one kind of file after the other, each for some minutes.

It builds readers.cpp with clang and all bodies in it, keeps what it has found worth while in BUILD/fuzz/KIND, beside it what made a reader fail,
and goes on from there the next time.
usage: run.py [--build FOLDER] [--minutes 10] [--kinds npy,npz] [--compiler clang++]"""
import argparse
import glob
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# The longest input of each kind: what a reader tells apart stands near the beginning or, of archives, near the end.
KINDS = {"npy": 1000, "npz": 2000, "png": 1000, "pack": 1000, "entry": 300, "text": 400}


def has_libfuzzer(compiler):
    r = subprocess.run([compiler, "-print-resource-dir"], stdout=subprocess.PIPE, text=True)
    return bool(glob.glob(os.path.join(r.stdout.strip(), "lib", "**", "libclang_rt.fuzzer*.a"), recursive=True))


def build(compiler, program):
    roots = [f"-I{os.path.join(ROOT, folder)}" for folder in ("include", "runtime", "codegen", "tests")]
    command = [compiler, "-std=c++20", "-O1", "-g1", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all",
               "-DSINTER_LIBFUZZER", f'-DSINTER_TEST_DATA="{ROOT}/tests/data"', *roots,
               os.path.join(HERE, "readers.cpp"), "-o", program, "-pthread", "-ldl"]
    if subprocess.run(command).returncode:
        sys.exit(f"$ {shlex.join(command)}\n0 passed, 1 failed")


def run_kind(program, folder, kind, seconds):
    """Whether nothing was found; what was is left in the folder."""
    corpus = os.path.join(folder, kind)
    faults = os.path.join(folder, "faults")
    for path in (corpus, faults):
        os.makedirs(path, exist_ok=True)
    environment = {**os.environ, "SINTER_FUZZ_KIND": kind, "SINTER_FUZZ_SEEDS": os.path.join(folder, "seeds", kind)}
    command = [program, f"-max_total_time={seconds}", f"-max_len={KINDS[kind]}", "-timeout=10", "-rss_limit_mb=2000",
               "-malloc_limit_mb=64", "-print_final_stats=1", f"-artifact_prefix={faults}/{kind}-", corpus,
               environment["SINTER_FUZZ_SEEDS"]]
    r = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    executions = re.search(r"stat::number_of_executed_units: *(\d+)", r.stdout)
    coverage = re.findall(r"cov: (\d+)", r.stdout)
    print(f"{kind}: {executions[1] if executions else '?'} executions, {coverage[-1] if coverage else '?'} edges, "
          f"{len(os.listdir(corpus))} inputs kept{'' if r.returncode == 0 else ': FAILED'}", flush=True)
    if r.returncode:
        print(r.stdout[-6000:])
    return r.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--minutes", type=float, default=10, help="for each kind")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--compiler", default="clang++")
    arguments = parser.parse_args()
    if not has_libfuzzer(arguments.compiler):
        print(f"not run: {arguments.compiler} has no libFuzzer, which is in the package libclang-rt-dev of its version\n0 passed, 0 failed")
        return 0
    folder = os.path.join(os.path.abspath(arguments.build), "fuzz")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "readers")
    build(arguments.compiler, program)
    passed = [run_kind(program, folder, kind, int(60 * arguments.minutes)) for kind in arguments.kinds.split(",")]
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return not all(passed)


if __name__ == "__main__":
    sys.exit(main())
