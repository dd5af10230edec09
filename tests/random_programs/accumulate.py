#!/usr/bin/env python3
"""Runs random programs that have not been run yet, and adds to tests/results/random_programs.csv what has been, so that counts accumulate.

usage: accumulate.py --build FOLDER [--backend host|cuda|interpreter] [--minutes 10] [--chunk 2000] [--seed N] [--results FILE]

A row of the table is a run of programs without a gap: the generator by the hash of its sources, where they ran, their seed, numbers and
how many differed. A run goes on behind the last number of its generator, backend and seed."""
import argparse
import csv
import hashlib
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIELDS = ["generator", "backend", "seed", "first", "count", "failed"]


def generator():
    text = hashlib.sha256()
    for path in sorted(pathlib.Path(__file__).parent.glob("*.[ch]pp")):
        text.update(path.read_bytes())
    return text.hexdigest()[:12]


def read_rows(path):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{**row, **{n: int(row[n]) for n in ("seed", "first", "count", "failed")}} for row in csv.DictReader(file)]


def add(rows, new):
    same = [r for r in rows if all(r[f] == new[f] for f in ("generator", "backend", "seed")) and r["first"] + r["count"] == new["first"]]
    if same:
        same[0]["count"] += new["count"]
        same[0]["failed"] += new["failed"]
    else:
        rows.append(new)


def write_rows(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--backend", default="host", choices=["host", "cuda", "interpreter"])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--chunk", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "tests/results/random_programs.csv")
    o = parser.parse_args()
    rows, name, end = read_rows(o.results), generator(), time.time() + 60 * o.minutes
    passed = failed = 0
    while time.time() < end:
        mine = [r for r in rows if (r["generator"], r["backend"], r["seed"]) == (name, o.backend, o.seed)]
        first = max((r["first"] + r["count"] for r in mine), default=0)
        run = subprocess.run([o.build / "tests/sinter_random_programs", "--backend", o.backend, "--seed", str(o.seed), "--first", str(first),
                              "--count", str(o.chunk)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        counts = re.findall(r"^(\d+) passed, (\d+) failed$", run.stdout, re.M)
        if not counts:
            print(run.stdout[-4000:], f"ended with {run.returncode}: no counts", sep="\n")
            failed += 1
            break
        # A chunk need not hold every operation, which the program counts as a failure of its own.
        p = int(counts[-1][0])
        f = o.chunk - p
        if f:
            print(run.stdout[-8000:])
        passed, failed = passed + p, failed + f
        add(rows, dict(zip(FIELDS, [name, o.backend, o.seed, first, o.chunk, f])))
        write_rows(o.results, rows)
        print(f"programs {first} to {first + o.chunk - 1}: {f} differ", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
