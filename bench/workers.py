"""Processes that measure rows on request, one per library, so that they can take turns; must not know rows."""
import json
import os
import pathlib
import selectors
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Worker:
    """One process; `missing` says why it cannot measure, or is empty."""

    def __init__(self, name, command, device, environment):
        self.name, self.command, self.device = name, command, device
        self.environment = {**os.environ, **environment}
        self.missing = self.version = self.about = ""
        self.process = None
        self.log = tempfile.TemporaryFile()
        self.start()

    def start(self):
        try:
            self.process = subprocess.Popen([*map(str, self.command), self.device], stdin=subprocess.PIPE, text=True,
                                            stdout=subprocess.PIPE, stderr=self.log, env=self.environment)
        except OSError as e:
            self.missing = str(e)
            return
        hello = self.read(120)
        self.missing = hello.get("missing", "")
        self.version, self.about = hello.get("version", ""), hello.get("about", "")

    def read(self, seconds):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                self.stop()
                return {"missing": f"no answer in {seconds} s"}
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.stop()
        self.log.seek(0)
        end = self.log.read().decode(errors="replace").strip().splitlines()
        return {"missing": "died: " + (end[-1][:200] if end else f"status {self.process.returncode}")}

    def measure(self, row, size, seconds, patience):
        """An answer's fields: microseconds, first_ms and counts, or missing."""
        refused = self.ask(row, size, seconds)
        return refused or self.read(patience)

    def ask(self, row, size, seconds):
        """Begins a measurement, whose answer read() gives; what it returns says why there is none."""
        if self.missing:
            return {"missing": self.missing}
        if self.process.poll() is not None:
            self.start()
            if self.missing:
                return {"missing": self.missing}
        try:
            self.process.stdin.write(f"{row} {size} {seconds}\n")
            self.process.stdin.flush()
        except OSError:
            pass  # read() says why
        return None

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()


def environment_of(threads, cache):
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMEXPR_MAX_THREADS")
    # Times are those of full code, also of what is called but a few times.
    return {"SINTER_TIERS": "0", **{name: str(threads) for name in names}, "BENCH_CACHE_BYTES": str(int(cache)), "PYTHONWARNINGS": "ignore"}


def start(build, device, peers, python, threads, cache):
    """sinter, the limits and the peers on a device, in this order."""
    environment = environment_of(threads, cache)
    workers = [Worker("sinter", [build / "bench" / "sinter"], device, environment),
               Worker("by hand", [build / "bench" / "limits"], device, environment)]
    for peer in peers:
        print(f"  starting {peer}", file=sys.stderr, flush=True)
        workers.append(Worker(peer, [python, HERE / "peers" / "peer.py", peer], device, environment))
    return workers
