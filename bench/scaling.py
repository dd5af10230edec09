#!/usr/bin/env python3
"""What more ranks cost where each has as much to do: measured on this machine's cores, and reckoned for GPUs into scaling.md.

usage: scaling.py --build FOLDER [--ranks P…] [--rounds N] [--gpus]    medians of N runs of bench/scaling, one number of ranks after the
                                                                       other, under mpirun or with a GPU for each rank
       scaling.py --reckon | --check                          writes the table of scaling.md, or says whether it is what would be written"""
import argparse
import csv
import math
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MEASURED = HERE / "results/nvidia-h200-2026-11-26-quick.csv"
BEGIN, END = "<!-- reckoned by scaling.py -->\n", "<!-- end -->\n"
# Published: NVLink 4 of eight GPUs, 450 GB/s each way, and a port of InfiniBand NDR for each GPU, 400 Gbit/s; a message takes µs.
NVLINK, NETWORK, LATENCY_NVLINK, LATENCY_NETWORK = 450e9, 50e9, 5e-6, 20e-6
RANKS = 8, 64, 256, 1024
# What a rank's processor takes to receive and combine one number of another rank's: 2.6 to 3.6 ns on one core, 2026-11.
COMBINE = 3e-9


def measured(row, size):
    """Seconds of a call on one GPU."""
    with open(MEASURED) as f:
        for line in csv.DictReader(f):
            if (line["row"], line["size"], line["who"]) == (row, size, "sinter"):
                return float(line["median_us"]) * 1e-6
    raise SystemExit(f"{MEASURED} has no {row} of {size}")


def link(ranks):
    return (NVLINK, LATENCY_NVLINK) if ranks <= 8 else (NETWORK, LATENCY_NETWORK)


def of_long_rows(ranks, elements):
    """A sum of so many floats of each rank: blocks of 4096 elements and groups of as many blocks combine on its GPU. Less than a
    block, and less than a group of results, goes to one neighbour, a result for each group to all ranks in as many steps as P has
    digits. Of these each processor combines its own and theirs."""
    speed, latency = link(ranks)
    group, rest = min(elements / 4096, 4096), 4096
    groups = elements / 4096 / 4096 + 1
    messages = 2 * latency + (4 + 8) * rest / speed + latency * math.log2(ranks) + (ranks - 1) * 8 * groups / speed
    return messages + (group + 2 * rest + ranks * groups) * COMBINE


def of_columns(ranks, columns, rows):
    """Sums of columns: chunks of 512 go to the rank that combines the column, and results to all."""
    results = columns * rows / 512
    return exchanged(ranks, 8 * results) + exchanged(ranks, 8 * columns) + results * COMBINE


def exchanged(ranks, bytes_of_rank):
    """All to all: within eight by NVLink, beyond by the network."""
    speed, latency = link(ranks)
    return latency * math.log2(ranks) + bytes_of_rank * (ranks - 1) / ranks / speed


def rows():
    """Name, seconds that each GPU computes, seconds of messages for P ranks; as much for each GPU whatever P is."""
    fft = measured("fft", "16777216")
    return [
        ("a mean of a map, 1e8 floats each", measured("sum_of_squares", "1e8"), lambda p: of_long_rows(p, 1e8)),
        ("means of 16,384 columns, 16,384 rows each", measured("column_sums", "16384x16384"),
         lambda p: of_columns(p, 16384, 16384)),
        ("a gradient, as `matmul(x.T(), e)` of 15,000 × 15,000, added over ranks", measured("matmul", "15000x15000"),
         lambda p: 2 * exchanged(p, 15000 * 15000 * 4)),
        ("a Fourier transform of 16,777,216 elements each along two axes", fft, lambda p: 2 * exchanged(p, 16777216 * 8)),
        ("a product of square matrices in blocks, 15,000² floats of each operand", measured("matmul", "15000x15000"),
         lambda p: 2 * 15000 * 15000 * 4 / link(p)[0]),
    ]


def table():
    lines = ["| With as much for each GPU | computes | " + " | ".join(f"{p:,} GPUs" for p in RANKS) + " |",
             "|---|---|" + "---|" * len(RANKS)]
    for name, computes, messages in rows():
        cells = [f"{1e3 * messages(p):.3g} ms, {computes / (computes + messages(p)):.0%}" for p in RANKS]
        lines.append(f"| {name} | {1e3 * computes:.3g} ms | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def with_table(text):
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


def summary(runs):
    """The median of medians, and the least of all."""
    return statistics.median(median for median, _ in runs), min(least for _, least in runs)


def on_cores(program, ranks):
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OPENBLAS_NUM_THREADS="1", SINTER_NUM_THREADS="1")
    return subprocess.run(["mpirun", "--oversubscribe", "-n", str(ranks), program], capture_output=True, text=True, env=env,
                          timeout=300, check=True).stdout


def on_gpus(program, ranks):
    """A process for each GPU, as torchrun starts them; 64 times the rows, so that a GPU has something to do."""
    world = dict(os.environ, WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1", MASTER_PORT="29600", SINTER_BACKEND="cuda", SINTER_TIERS="0")
    all_ranks = [subprocess.Popen([program, "64"], stdout=subprocess.PIPE, text=True, env=dict(world, RANK=str(r), LOCAL_RANK=str(r)))
                 for r in range(ranks)]
    said = [p.communicate(timeout=300)[0] for p in all_ranks]
    if any(p.returncode for p in all_ranks):
        raise SystemExit(f"a rank of {ranks} failed")
    return said[0]


def measure(build, ranks, rounds, run):
    program, found = os.path.join(build, "bench/scaling"), {}
    for _ in range(rounds):
        for p in ranks:
            for line in run(program, p).splitlines():
                name, count, median, least = line.rsplit(",", 3)
                found.setdefault((name, int(count)), []).append((float(median), float(least)))
    for name in dict.fromkeys(n for n, _ in found):
        first, first_least = summary(found[name, ranks[0]])
        for p in ranks:
            own, least = summary(found[name, p])
            print(f"{name:40} {p:3} rank(s) {own:10.1f} us  {first / own:.2f}   least {least:10.1f} us  {first_least / least:.2f}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build")
    options.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--gpus", action="store_true")
    options.add_argument("--reckon", action="store_true")
    options.add_argument("--check", action="store_true")
    given = options.parse_args()
    if given.build:
        return measure(os.path.abspath(given.build), given.ranks, given.rounds, on_gpus if given.gpus else on_cores)
    page = HERE / "scaling.md"
    text = page.read_text()
    if given.reckon:
        page.write_text(with_table(text))
    return given.check and with_table(text) != text


sys.exit(main())
