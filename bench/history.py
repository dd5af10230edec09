#!/usr/bin/env python3
"""The figures of all runs in one table, bench/results/history.csv, of which the files of older runs can go; must not measure.

usage: history.py           adds the runs of bench/results that the table lacks
       history.py --prune   removes the files of runs that are in the table and older than the newest of their device"""
import csv
import pathlib
import re
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
COLUMNS = ["date", "device", "driver", "run", "row", "size", "unit", "sinter", "by hand", "best peer", "peer"]
RUN = re.compile(r"(?P<device>.+)-(?P<date>\d{4}-\d\d-\d\d)(?:-(?P<run>.+))?\.csv")


def run_of(path):
    """(date, device, run) by the name of a run's file; a run that is not quick is `full`; None for other files."""
    named = RUN.fullmatch(path.name)
    return named and (named["date"], named["device"], named["run"] or "full")


def figures(path):
    """A run's lines of the table: medians of sinter, the kernel by hand and the fastest other library."""
    about = path.with_suffix(".md").read_text() if path.with_suffix(".md").exists() else ""
    driver = re.search(r"^- sinter .*\bdriver (\d+)", about, re.M)
    date, device, run = run_of(path)
    medians = {}
    with open(path, newline="") as file:
        for line in csv.DictReader(file):
            if line["median_us"]:
                medians.setdefault((line["row"], line["size"]), {})[line["who"]] = float(line["median_us"])
    for (row, size), times in medians.items():
        if "sinter" not in times:  # what was measured as the limit of another row
            continue
        peers = {who: time for who, time in times.items() if who not in ("sinter", "by hand")}
        peer = min(peers, key=peers.get, default="")
        shown = [f"{t:.6g}" if t is not None else "" for t in (times["sinter"], times.get("by hand"), peers.get(peer))]
        yield {"date": date, "device": device, "driver": driver[1] if driver else "", "run": run, "row": row, "size": size, "unit": "µs",
               "sinter": shown[0], "by hand": shown[1], "best peer": shown[2], "peer": peer}


def read(table):
    if not table.exists():
        return []
    with open(table, newline="") as file:
        return list(csv.DictReader(file))


def key(line):
    return line["date"], line["device"], line["run"]


def add(paths, table=None):
    """Adds runs to the table, in place of earlier figures of runs of the same name."""
    table = table or paths[0].parent / "history.csv"
    fresh = [line for path in paths for line in figures(path)]
    replaced = set(map(key, fresh))
    lines = sorted([line for line in read(table) if key(line) not in replaced] + fresh, key=key)
    with open(table, "w", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(lines)


def main():
    runs = {run_of(path): path for path in sorted(RESULTS.glob("*.csv")) if run_of(path)}
    known = set(map(key, read(RESULTS / "history.csv")))
    if missing := [path for run, path in runs.items() if run not in known]:
        add(missing)
    newest = {device: max(date for date, other, _ in runs if other == device) for _, device, _ in runs}
    for (date, device, _), path in runs.items():
        if "--prune" in sys.argv[1:] and date < newest[device]:
            for file in [path, path.with_suffix(".md"), *RESULTS.glob(path.stem + "-*.svg")]:
                file.unlink(missing_ok=True)
                print(f"removed {file.name}")


if __name__ == "__main__":
    main()
