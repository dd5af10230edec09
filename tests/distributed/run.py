#!/usr/bin/env python3
"""Random programs on ranks that are threads and, where it is there, on MPI, with linear algebra; ranks that fail; examples with one
rank and four.

usage: run.py --build FOLDER [--full | --programs N --ranks P… | --programs N --gpus P | --faults N]"""
import argparse
import ctypes.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

COUNTED = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
# What a rank does, and what has to be said; the launcher says it of one that was killed.
FAULTS = {"throw": ("rank 1 threw: [mine] a rank that throws", {}),
          "skip": ("[max] all_gather: waited 1 s for other ranks", {}),
          "other": ("[barrier] barrier number 2 of 0 bytes on rank 1 meets [max] all_gather number 2", {"SINTER_CHECK": "1"}),
          "shape": ("[max] rank 1 has (4, 3) float64 split(0) along (0, 1), rank 0 (1000,) float64 split(0) along (0,)", {"SINTER_CHECK": "1"}),
          "kill": ("signal 9", {})}
FAULTS_OF_NCCL = {**FAULTS, **{way: ("[max] all_gather: rank 1 has ended", {}) for way in ("throw", "kill")}}


class Run:
    def __init__(self, build):
        self.build, self.passed, self.failed = build, 0, 0
        self.mpirun = shutil.which("mpirun")
        self.programs = os.path.join(build, "tests/sinter_distributed_programs")
        self.faults = os.path.join(build, "tests/sinter_distributed_faults")
        self.linalg = os.path.join(build, "tests/sinter_distributed_linalg")

    def verdict(self, name, right, output=""):
        self.passed, self.failed = self.passed + bool(right), self.failed + (not right)
        print(f"{name}: {'ok' if right else 'FAILED'}")
        if not right:
            print(output[-3000:])

    def start(self, command, timeout=600, **more):
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **more)
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=timeout, errors="replace")
            return done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired as e:
            return None, f"not done after {timeout} s: {e.stdout}"

    def on_ranks(self, ranks):
        return [self.mpirun, "--oversubscribe", "-n", str(ranks)]

    def random_programs(self, name, command, **more):
        self.count(f"random programs, {name}", *self.start(command, **more))

    def count(self, name, status, output):
        counts = COUNTED.findall(output)
        for p, f in counts[-1:]:
            self.passed, self.failed = self.passed + int(p), self.failed + int(f)
        self.verdict(name, status == 0 and counts, output)

    def on_gpus(self, ranks, command, timeout=600, **more):
        """A process for each GPU, as torchrun starts them, between which NCCL moves bytes: status and output of each."""
        world = dict(os.environ, WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1", MASTER_PORT="29500", SINTER_BACKEND="cuda", **more)
        started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                    env=dict(world, RANK=str(r), LOCAL_RANK=str(r))) for r in range(ranks)]
        ended = []
        for rank in started:
            try:
                output = rank.communicate(timeout=timeout)[0]
            except subprocess.TimeoutExpired:
                rank.kill()
                output = f"not done after {timeout} s: {rank.communicate()[0]}"
            ended.append((rank.returncode, output))
        return ended

    def programs_on_gpus(self, ranks, count):
        (status, output), *others = self.on_gpus(ranks, [self.programs, count, "1", "gpus"])
        self.count(f"random programs, NCCL, {ranks} GPUs", status, output)
        for rank, (status, output) in enumerate(others, 1):
            self.verdict(f"rank {rank} of NCCL", status == 0, output)

    def fault_on_gpus(self, ranks, way):
        """Nobody but a launcher ends the other ranks: each waits no longer than it was told to."""
        wanted, more = FAULTS_OF_NCCL[way]
        begin = time.monotonic()
        ended = self.on_gpus(ranks, [self.faults, way], timeout=60, **more)
        took = time.monotonic() - begin
        output = "".join(f"rank {r} ended with {status}: {said}" for r, (status, said) in enumerate(ended))
        right = all(status or (way == "skip" and rank == 1) for rank, (status, _) in enumerate(ended))
        self.verdict(f"a rank with a GPU that fails: {way}, ended in {took:.1f} s", right and took < 20 and wanted in output, output)

    def linear_algebra(self, ranks, full):
        status, output = self.start(self.on_ranks(ranks) + [self.linalg] + ["full"] * full, OPENBLAS_NUM_THREADS="1",
                                    SINTER_BACKEND="interpreter", timeout=1200)
        for p, f in COUNTED.findall(output)[-1:]:
            self.passed, self.failed = self.passed + int(p), self.failed + int(f)
        self.verdict(f"linear algebra, {ranks} ranks", status == 0 and COUNTED.search(output), output)

    def fault(self, way):
        wanted, more = FAULTS[way]
        begin = time.monotonic()
        status, output = self.start(self.on_ranks(3) + [self.faults, way], timeout=60, **more)
        took = time.monotonic() - begin
        self.verdict(f"a rank that fails: {way}, ended in {took:.1f} s", status and took < 10 and wanted in output, output)

    def compiled(self, ranks, **more):
        """Of so many ranks that begin with nothing: kernels that they compile, those quickly, and codes of others that they load."""
        with tempfile.TemporaryDirectory() as folder:
            status, output = self.start(self.on_ranks(ranks) + [self.faults, "none"], timeout=60, SINTER_BACKEND="host",
                                        SINTER_CACHE_DIR=folder, **more)
        counts = re.findall(r"which compiled (\d+) kernels, (\d+) quickly, and loaded (\d+) codes", output)
        if status != 0 or len(counts) != ranks:
            return None, output
        return [sum(map(int, of_ranks)) for of_ranks in zip(*counts)], output

    def compiles_once(self):
        """Quick code, and the full code that replaces it: one rank makes each, all others load it."""
        (few, _), (many, output) = self.compiled(2, SINTER_TIERS="quick"), self.compiled(4, SINTER_TIERS="quick")
        self.verdict(f"one rank of a machine compiles, the others load: {few} kernels, quickly, loaded by two ranks, {many} by four",
                     few and many and few[0] == many[0], output)
        both, output = self.compiled(4)
        self.verdict(f"so of full code: {both} kernels, quickly, loaded by four",
                     many and both and both[1] > 0 and both[2] == many[2] + 3 * both[1], output)

    def example(self, path, ways):
        """However it is run, the files that it writes have to be equal."""
        files, name = [], os.path.basename(path)
        for said, run in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                status, output = run(["env", "-C", folder], path)
                files.append({n: open(os.path.join(folder, n), "rb").read() for n in sorted(os.listdir(folder))})
                self.verdict(f"{name} with {said}", status == 0, output)
        self.verdict(f"{name} writes the same with any number of ranks", all(f == files[0] for f in files))

    def examples(self, ways):
        folder = os.path.join(self.build, "examples/distributed")
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                self.example(path, ways)

    def examples_by_mpi(self):
        if not self.mpirun:
            print("not run: examples/distributed, which need mpirun for more than one rank")
            return
        self.examples({f"{p} rank(s)": lambda at, path, p=p: self.start(at + self.on_ranks(p) + [path]) for p in (1, 4)})

    def examples_on_gpus(self, ranks):
        def start(at, path, p):
            ended = self.on_gpus(p, at + [path])
            return next((e for e in ended if e[0] != 0), ended[0])

        self.examples({f"{p} GPU(s)": lambda at, path, p=p: start(at, path, p) for p in (1, ranks)})


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", required=True)
    options.add_argument("--full", action="store_true", help="5,000 programs for each number of ranks, each fault 50 times")
    options.add_argument("--programs", type=int, help="so many programs and nothing else")
    options.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 3, 4, 8], help="of threads")
    options.add_argument("--gpus", type=int, help="on so many GPUs of this machine and nothing else")
    options.add_argument("--faults", type=int, help="each fault so many times and nothing else")
    given = options.parse_args()
    count, times = str(given.programs or (5000 if given.full else 200)), 50 if given.full else 3
    run = Run(os.path.abspath(given.build))
    if given.faults:
        for way in FAULTS:
            for _ in range(given.faults):
                run.fault(way)
        print(f"{run.passed} passed, {run.failed} failed")
        return run.failed != 0 or run.passed == 0
    if given.gpus:
        run.programs_on_gpus(given.gpus, count)
        ended = run.on_gpus(given.gpus, [run.faults, "none"])
        run.verdict("messages of all sizes", all(status == 0 and "right on rank" in said for status, said in ended), str(ended))
        for way in FAULTS_OF_NCCL:
            run.fault_on_gpus(given.gpus, way)
        run.examples_on_gpus(given.gpus)
    for ranks in given.ranks if not given.gpus else []:
        run.random_programs(f"{ranks} threads", [run.programs, count, "1", str(ranks)], SINTER_BACKEND="interpreter", timeout=3600)
    if given.programs or given.gpus:
        print(f"{run.passed} passed, {run.failed} failed")
        return run.failed != 0 or run.passed == 0
    run.random_programs("3 threads, compiled", [run.programs, "3", "1", "3"], SINTER_BACKEND="host")
    if run.mpirun and os.path.exists(run.linalg):
        for ranks in (2, 3, 4):
            run.random_programs(f"MPI, {ranks} ranks", run.on_ranks(ranks) + [run.programs, count], SINTER_BACKEND="interpreter",
                                timeout=3600)
        status, output = run.start(run.on_ranks(4) + [run.faults, "none"], timeout=60)
        run.compiles_once()
        run.verdict("messages of all sizes", status == 0 and output.count("right on rank") == 4, output)
        if ctypes.util.find_library("scalapack-openmpi"):
            for ranks in (1, 2, 3, 4, 6, 8) if given.full else (3, 4):
                run.linear_algebra(ranks, given.full)
        else:
            print("not run: linear algebra over ranks, for which libscalapack-openmpi2.2 is needed")
        for way in FAULTS:
            for _ in range(times):
                run.fault(way)
    else:
        print("not run: MPI, which openmpi-bin and libopenmpi-dev have")
    run.examples_by_mpi()
    print(f"{run.passed} passed, {run.failed} failed")
    return run.failed != 0 or run.passed == 0


sys.exit(main())
