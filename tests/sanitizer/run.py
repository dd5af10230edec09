#!/usr/bin/env python3
"""Runs random programs on a GPU under each tool of compute-sanitizer, and checks that each tool reports the fault planted for it.

usage: run.py --build FOLDER [--programs 200] [--tool NAME …]"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
REPORTED = 77
SILENCE = ["ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"]


def find_sanitizer():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    places = [shutil.which("compute-sanitizer")]
    for home in filter(None, homes):
        places += [f"{home}/bin/compute-sanitizer", f"{home}/compute-sanitizer/compute-sanitizer"]
    return next((place for place in places if place and pathlib.Path(place).exists()), None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--tool", nargs="+", default=TOOLS)
    options = parser.parse_args()
    sanitizer = find_sanitizer()
    if not sanitizer:
        print("compute-sanitizer was not found: set CUDA_HOME\n0 passed, 1 failed")
        return 1
    passed = failed = 0

    def check(name, tool, command, expected):
        nonlocal passed, failed
        # Programs run in processes of their own, which the tool follows.
        run = subprocess.run([sanitizer, "--tool", tool, "--target-processes", "all", "--error-exitcode", str(REPORTED), *map(str, command)],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        quiet = run.returncode == 0 and any(summary in run.stdout for summary in SILENCE)
        right = run.returncode == REPORTED if expected == "report" else quiet
        passed, failed = passed + right, failed + (not right)
        print(f"{name:44} {'ok' if right else 'FAILED'}", flush=True)
        if not right:
            print("\n".join("  " + line for line in run.stdout.splitlines()[-40:]))

    fault = options.build / "tests/sinter_planted_fault"
    programs = options.build / "tests/sinter_random_programs"
    for tool in options.tool:
        check(f"{tool} reports a planted fault", tool, [fault, tool], "report")
        check(f"{tool} is silent without it", tool, [fault, "none"], "silence")
        check(f"{tool} on {options.programs} random programs", tool,
              [programs, "--backend", "cuda", "--count", options.programs, "--jobs", 1], "silence")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
