#!/usr/bin/env python3
"""Measures rows of single functions beside SciPy, CuPy, PyTorch, torch.compile and JAX and prints a table: functions.py [--device cuda] [--rows NAME …].

Inputs are equal in all libraries, results are compared by a sum of all elements, and the limit of a row is its operands and results moved
once as fast as the row `copy` moves them. The libraries take turns, and make their first calls side by side; a call that takes longer than
--patience is given up. `bench/run --functions` builds what it needs and calls it."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

import workers

HERE = pathlib.Path(__file__).resolve().parent
PEERS = {"cpu": ["numpy", "torch", "torch.compile", "jax"], "cuda": ["cupy", "torch", "torch.compile", "jax"]}
AHEAD = 1.03  # of times in turns, which vary as much


def start(options):
    environment = workers.environment_of(len(os.sched_getaffinity(0)), 64e6)
    team = [workers.Worker("sinter", [options.build / "bench" / "functions"], options.device, environment)]
    for name in options.peers or PEERS[options.device]:
        team.append(workers.Worker(name, [options.python, HERE / "peers" / "peer.py", name], options.device, environment))
    for worker in team:
        if worker.missing:
            print(f"{worker.name}: left out: {worker.missing}", file=sys.stderr)
    return [worker for worker in team if not worker.missing]


def measure(team, row, options, patience):
    """By worker: an answer's fields. First calls, which compile, are made side by side; what is measured, in turns."""
    answers = {}
    for worker in team:
        answers[worker.name] = worker.ask(row, options.divisor, 0)
    for worker in team:
        answers[worker.name] = answers[worker.name] or worker.read(patience)
    for worker in team:
        first = answers[worker.name]
        if "missing" not in first and first["microseconds"][0] < 5e5:
            answers[worker.name] = {**first, **worker.measure(row, options.divisor, options.seconds, options.patience)}
            answers[worker.name]["first_ms"] = first["first_ms"]
    for answer in answers.values():
        if "microseconds" in answer:
            answer["taken"] = answer["busy"] if options.busy else statistics.median(answer["microseconds"])
    return answers


def time_of(answer):
    return answer.get("taken")


def differs(own, other):
    """Whether two checksums are of different results."""
    if "sum" not in own or "sum" not in other:
        return False
    return not abs(own["sum"] - other["sum"]) <= 1e-3 * max(own["magnitude"], other["magnitude"])


def cell(own, answer):
    if "missing" in answer:
        text = answer["missing"]
        return "" if text.startswith("Missing: ") else text[:40].replace("|", "/")
    text = f"{time_of(answer):.1f}"
    return text + f" (sum {answer['sum']:.6g}, not {own['sum']:.6g})" if differs(own, answer) else text


class Table:
    """Prints a line for each row, and at the end what is behind."""

    def __init__(self, team):
        self.names = [worker.name for worker in team]
        self.bandwidth = None  # bytes in a microsecond
        self.behind, self.wrong, self.absent = [], [], []
        columns = ["row, µs", *self.names, "÷ best", "limit", "÷ limit", "first ms", "launches"]
        print("| " + " | ".join(columns) + " |\n|---" + "|---" * (len(columns) - 1) + "|", flush=True)

    def add(self, row, answers):
        own = answers["sinter"]
        taken = time_of(own)
        if row == "copy" and taken:
            self.bandwidth = own["bytes"] / taken
        peers = {name: time_of(answers[name]) for name in self.names[1:]}
        best = min((t for name, t in peers.items() if t and not differs(own, answers[name])), default=None)
        line = [row] + [cell(own, answers[name]) for name in self.names]
        if taken is None:
            self.absent.append(f"{row}: {own['missing']}")
            line += [""] * 5
        else:
            limit = own["bytes"] / self.bandwidth if self.bandwidth else None
            line += [f"{taken / best:.2f}" if best else "", f"{limit:.1f}" if limit else "", f"{taken / limit:.2f}" if limit else "",
                     f"{own['first_ms']:.0f}", str(own["launches"])]
            if best and taken > AHEAD * best:
                self.behind.append((taken / best, row))
            self.wrong += [f"{row} ({name})" for name in self.names[1:] if differs(own, answers[name])]
        print("| " + " | ".join(line) + " |", flush=True)

    def end(self):
        print(f"\nbehind the best other library by more than {AHEAD - 1:.0%}: "
              + (", ".join(f"{row} {ratio:.2f}" for ratio, row in sorted(self.behind, reverse=True)) or "none"))
        print("results that differ: " + (", ".join(self.wrong) or "none"))
        if self.absent:
            print("no result: " + "; ".join(self.absent))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--rows", nargs="*", default=[], help="only rows whose names begin so")
    parser.add_argument("--peers", nargs="*", default=[], help="only these libraries")
    parser.add_argument("--divisor", type=float, help="divides all sizes; default: 1 on a GPU, 50 on a CPU")
    parser.add_argument("--seconds", type=float, default=0.15, help="how long each row is measured")
    parser.add_argument("--busy", action="store_true", help="compare processor time, as on cores that others use too")
    parser.add_argument("--patience", type=float, default=30, help="seconds after which a call is given up")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no row after so long")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the peers")
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build")
    options = parser.parse_args()
    options.divisor = options.divisor or (1 if options.device == "cuda" else 50)
    return options


def main():
    options = arguments()
    names = subprocess.run([options.build / "bench" / "functions", "--rows"], capture_output=True, text=True, check=True).stdout.split()
    chosen = [n for n in names if n == "copy" or not options.rows or n.startswith(tuple(options.rows))]
    begin = time.time()
    team = start(options)
    if not team or team[0].name != "sinter":
        return 1
    table = Table(team)
    for row in chosen:
        if time.time() - begin > 60 * options.minutes:
            print(f"no time left for {row} and what follows")
            break
        # The first compilation starts a compiler's own processes, too.
        table.add(row, measure(team, row, options, options.patience * (4 if row == chosen[0] else 1)))
    for worker in team:
        worker.stop()
    table.end()
    print(f"in {time.time() - begin:.0f} s")
    return 1 if table.wrong or table.absent else 0


if __name__ == "__main__":
    sys.exit(main())
