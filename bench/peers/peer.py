"""Measures the rows of one library on request: peer.py LIBRARY cpu|cuda; the protocol is that of bench/worker.hpp."""
import json
import sys
import time
import warnings

import functions
import functions_axes  # noqa: F401  they register their rows
import functions_draws  # noqa: F401
import functions_order  # noqa: F401
import functions_signals  # noqa: F401
import programs
import workloads
from libraries import LIBRARIES, Missing

warnings.filterwarnings("ignore")


def prepare(library, row, size):
    """The row's call, and what tells more of a result."""
    library.multiply_in("f32")  # a row that multiplies otherwise says so, and the next one shall not inherit it
    if row in functions.ROWS:
        return functions.prepare(library, row, size)
    call = programs.prepare(library, row, size) if row in programs.PROGRAMS else workloads.WORKLOADS[row](library, workloads.shape_of(size))
    return call, lambda result: {}


def sample(library, call, seconds, single):
    """Microseconds per call: of each batch, and the least that the process's threads together were busy in one."""
    busy = []

    def batch(calls):
        start, start_busy = time.perf_counter(), time.process_time()
        for _ in range(calls):
            result = call()
        library.wait(result)
        elapsed = (time.perf_counter() - start) / calls * 1e6
        busy.append((time.process_time() - start_busy) / calls * 1e6)
        return elapsed

    if single:
        return [batch(1)], 0  # compilers may be other processes
    end = time.perf_counter() + seconds
    once = batch(1)
    if once < 100:  # the wait would count for most of a short call
        once = batch(64)
    if once > 5e6 * seconds:
        return [once], busy[0]
    calls = int(min(max(min(seconds / 50, 0.02) * 1e6 / max(once, 0.01), 1), 10000))
    times = [batch(calls)]
    while time.perf_counter() < end:
        times.append(batch(calls))
    return times, min(busy)


class Server:
    def __init__(self, library):
        self.library = library
        self.kept = None

    def answer(self, row, size, seconds):
        single = row in workloads.SINGLE
        facts = {}
        if self.kept != (row, size):
            self.kept = self.call = None
            self.call, tell = prepare(self.library, row, size)
            start = time.perf_counter()
            result = None if single else self.call()
            self.library.wait(result)
            self.first = (time.perf_counter() - start) * 1e3
            if not single:
                facts = tell(result)
            del result
            if not single and self.first < 5e3:
                self.library.wait(self.call())
            self.kept = row, size
        times, busy = sample(self.library, self.call, seconds, single)
        return {"microseconds": times, "busy": busy, "first_ms": self.first, **facts}


def main():
    try:
        library = LIBRARIES[sys.argv[1]](sys.argv[2])
    except (ImportError, Missing) as e:
        print(json.dumps({"missing": str(e)}))
        return
    print(json.dumps({"version": library.version, "about": ""}), flush=True)
    server = Server(library)
    for line in sys.stdin:
        row, size, seconds = line.split()
        try:
            reply = server.answer(row, size, float(seconds))
        except Exception as e:  # a row that a library cannot do is left out, whatever it raises
            server.kept = server.call = None
            reply = {"missing": f"{type(e).__name__}: {e}".splitlines()[0][:200]}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
