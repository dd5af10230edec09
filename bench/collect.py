#!/usr/bin/env python3
"""Measures sinter, limits and peers in turns and writes bench/results: collect.py [--quick] [--device cpu|cuda] … (see --help)."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

import history
import plots
import report
import rows
import workers

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["numpy", "numexpr", "cupy", "cupy.fuse", "torch", "torch.compile", "jax"]


def read_text(path, pattern, default=""):
    try:
        found = re.search(pattern, pathlib.Path(path).read_text())
    except OSError:
        return default
    return found.group(1).strip() if found else default


def gpu_field(field):
    try:
        out = subprocess.run(["nvidia-smi", f"--query-gpu={field}", "--format=csv,noheader,nounits"], capture_output=True, text=True)
    except OSError:
        return ""
    return out.stdout.splitlines()[0].strip() if out.returncode == 0 and out.stdout else ""


class Machine:
    def __init__(self, device):
        self.cpu = read_text("/proc/cpuinfo", r"model name\s*:\s*(.*)") or platform.machine()
        self.memory = 1024 * int(read_text("/proc/meminfo", r"MemAvailable:\s*(\d+)", "4000000"))
        self.cores = len(os.sched_getaffinity(0))
        self.gpu = gpu_field("name") if device == "cuda" else ""
        if device == "cuda":
            self.memory = 1e6 * float(gpu_field("memory.total") or 8000)

    def name(self):
        return re.sub(r"[^a-z0-9]+", "-", (self.gpu or f"{self.cpu} {self.cores} cores").lower()).strip("-")

    def cache(self, device):
        """Bytes that inputs in turn must exceed; a virtual machine may see more cache than it says, and a GPU has at most 128 MB."""
        if device == "cuda":
            return 64e6
        sizes = [int(read_text(f"/sys/devices/system/cpu/cpu0/cache/index{i}/size", r"(\d+)K", "0")) for i in range(5)]
        return max(1024 * max(sizes), 32e6)


class Collector:
    """Measurements of one run: {(row, size, who): fields}."""

    def __init__(self, team, rounds, seconds, patience, kept=None, facts=None):
        self.team, self.rounds, self.seconds, self.patience, self.kept, self.facts = team, rounds, seconds, patience, kept, facts
        self.results, self.earlier, self.begin = {}, 0.0, time.time()
        if kept and kept.exists():
            saved = json.loads(kept.read_text())
            if saved["facts"] != facts:
                sys.exit(f"{kept} holds measurements of {saved['facts']}, not of {facts}")
            self.earlier = saved["seconds"]
            self.results = {(row, size, who): fields for row, size, who, fields in saved["results"]}

    def spent(self):
        return self.earlier + time.time() - self.begin

    def keep(self):
        """What was measured so far, for a later run with the same file, which goes on from there."""
        if self.kept:
            saved = [[*key, fields] for key, fields in self.results.items()]
            fresh = self.kept.with_suffix(".new")
            fresh.write_text(json.dumps({"facts": self.facts, "seconds": self.spent(), "results": saved}))
            fresh.replace(self.kept)

    def has(self, row, size):
        return "median" in self.results.get((row.name, size, "sinter"), {})

    def measure(self, requests, rounds, alone):
        """Requests of (who's name or None for all but by hand, row, size), each round in order; samples of all rounds together.
        Where inputs are so large that libraries would take each other's memory, each is alone: it stops when it has measured."""
        gathered = {}
        for _ in range(1 if alone else rounds):
            for worker in self.team:
                for who, row, size in requests:
                    if who != worker.name and (who is not None or worker.name == "by hand"):
                        continue
                    key = (row, size, worker.name)
                    # What takes seconds is measured once.
                    if key in gathered and max(gathered[key].get("microseconds", [1e9])) > 1e6:
                        continue
                    answer = worker.measure(row, size, self.seconds, self.patience)
                    kept = gathered.setdefault(key, answer)
                    if kept is not answer and "microseconds" in answer:
                        kept["microseconds"] = kept["microseconds"] + answer["microseconds"]
                        kept["busy"] = min(kept["busy"], answer["busy"])
                if alone:
                    worker.stop()
        for key, fields in gathered.items():
            if "microseconds" in fields:
                fields["median"] = statistics.median(fields["microseconds"])
                fields["best"] = min(fields["microseconds"])
            self.results[key] = fields

    def row(self, row, size, with_limit=True, alone=False):
        if self.has(row, size):
            return
        requests = [(None, row.name, size), ("by hand", row.name, size)]
        limit = limit_of(row, size) if with_limit else None
        if limit:
            requests.append(("by hand", *limit))
        self.measure([r for i, r in enumerate(requests) if r not in requests[:i]], self.rounds * row.turns, alone)
        parts = [f"{w.name} {report.duration(self.results[row.name, size, w.name]['median'])}" for w in self.team
                 if "median" in self.results.get((row.name, size, w.name), {})]
        print(f"  {row.name} {size}: " + ", ".join(parts), flush=True)
        self.keep()


def limit_of(row, size):
    """The request to `by hand` whose time no implementation can beat: the row's own, or as many bytes copied, read or written."""
    if row.limit:
        return (row.limit, size)
    read, written = row.moves(size)
    if read + written < 1000:
        return None
    kind = "copy" if min(read, written) > 0.02 * (read + written) else "read" if read > written else "write"
    n = (read + written) / (8 if kind == "copy" else 4)
    return (kind, str(int(max(4 * round(n / 4), 4))))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes on the CPU, fewer repeats")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--rows", nargs="*", default=[], help="only these rows")
    parser.add_argument("--peers", nargs="*", default=PEERS, help="only these peers")
    parser.add_argument("--no-sweeps", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no row after so long; what was measured is written")
    parser.add_argument("--keep", type=pathlib.Path, help="keeps what was measured in FILE.cpu.json or FILE.cuda.json: a later run measures the rest", metavar="FILE")
    parser.add_argument("--threads", type=int, help="CPU threads of everyone; default: all")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the peers")
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--output", type=pathlib.Path, default=HERE / "results")
    return parser.parse_args()


def main():
    options = arguments()
    if options.threads:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    machine = Machine(options.device)
    threads = len(os.sched_getaffinity(0))
    begin, load = time.time(), os.getloadavg()[0]
    team = workers.start(options.build, options.device, options.peers, options.python, threads, machine.cache(options.device))
    for worker in team:
        print(f"  {worker.name}: " + (f"left out: {worker.missing}" if worker.missing else f"{worker.version} {worker.about}"))
    if team[0].missing:
        return 1
    kept = options.keep and options.keep.with_suffix(f".{options.device}.json")
    collector = Collector(team, *((2, 0.1, 60) if options.quick else (5, 0.4, 300)), kept,
                          {"machine": machine.name(), "device": options.device, "threads": threads, "quick": options.quick})
    chosen = [r for r in rows.WORKLOADS + rows.PROGRAMS if not options.rows or r.name in options.rows]

    def may_begin(row, size):
        in_time = time.time() - begin < 60 * options.minutes or collector.has(row, size)
        if not in_time:
            print(f"  {row.name} {size}: no time left")
        return in_time

    for row in chosen:
        for size in row.sizes_on(options.device, options.quick):
            if may_begin(row, size):
                collector.row(row, size)
    sweeps = {} if options.no_sweeps else {
        r.name: rows.sweep_sizes(r.name, options.device, machine.memory, options.quick) for r in chosen if r.name in rows.SWEEPS}
    for row in chosen:
        for size in sweeps.get(row.name, []):
            if not collector.has(row, size) and may_begin(row, size):
                collector.row(row, size, alone=sum(row.moves(size)) > machine.memory / 24)
    for worker in team:
        worker.stop()

    facts = {"machine": machine, "device": options.device, "threads": threads, "load": (load, os.getloadavg()[0]),
             "seconds": collector.spent(), "date": datetime.date.today().isoformat(), "quick": options.quick}
    options.output.mkdir(parents=True, exist_ok=True)
    stem = options.output / f"{machine.name()}-{facts['date']}{'-quick' if options.quick else ''}"
    report.write(stem, facts, team, chosen, sweeps, collector.results, limit_of)
    plots.write(stem, facts, team, chosen, sweeps, collector.results, limit_of)
    history.add([pathlib.Path(f"{stem}.csv")])
    print(f"Wrote {stem}.md, .csv and plots in {time.time() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
