#!/usr/bin/env python3
"""Writes what the table of calls gives: calls.def, what NumPy answers in tests/data/conformance, and the pages include/numpy.md
and examples/guide/examples.md.

    generate.py           writes what has changed
    generate.py --check   writes nothing; fails where a committed file differs from the table

Needs NumPy 2.4.6 and SciPy 1.17.1: python3 -m venv v && v/bin/pip install numpy==2.4.6 scipy==1.17.1
"""
import io
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import examples  # noqa: E402
import pool  # noqa: E402
import page  # noqa: E402
from calls import analysis, axes, differences, elements, fourier, joins, linear, operators, order, picks, rearranging, shapes, signals  # noqa: E402
from table import ARRAYS, TYPED, TYPES, ask, operands, table, type_of_operand  # noqa: E402

ROOT = HERE.parent.parent
DATA = ROOT / "tests/data/conformance"
NUMPY = "2.4.6"
ROOMS = (axes, elements, order, shapes, joins, picks, linear, fourier, analysis, operators, rearranging, signals, differences)


def whole_table():
    t = table()
    for room in ROOMS:
        room.add_to(t)
    for number, c in enumerate(t.calls):
        c.number = number
    return t


def calls_def(t):
    """The calls as rows of C++, those for the same types together."""
    lines = ["// The calls of the table, by the types that they are compiled for; written by generate.py."]
    sets = {}
    for c in t.calls:
        if not c.operation:
            sets.setdefault(tuple(x for x in TYPED if x in c.types), []).append(c)
    for types, calls in sets.items():
        bits = sum(1 << TYPES.index(x) for x in types)
        lines.append(f"#if CALLS_TYPE & {bits:#x}  // {' '.join(types)}")
        lines += [f"CALL({c.number}, \"{c.name}\", {c.sinter})" for c in calls]
        lines.append("#endif")
    return "\n".join(lines) + "\n"


def word_of(value):
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    return str(value)


def words_of(case):
    return ";".join(f"{k}={word_of(v)}" for k, v in case.items())


def shape_text(a):
    return f"{a.dtype.name}:{','.join(map(str, a.shape))}"


class answers:
    """What NumPy answers to the calls of one type: lines of text, the results' bytes, and the operands'."""

    def __init__(self, t, dtype):
        self.lines, self.values, self.used, self.asked = [], [], {}, []
        for c, case in cases_of(t, dtype):
            self.add(t, c, case, dtype)
        self.operands = [(key, pool.make(key[1], key[0])) for key in self.used]

    def add(self, t, c, case, dtype):
        difference = t.difference_of(c, case, dtype)
        if difference:
            t.met.add(difference[:2])
            if not difference[4]:
                return
            c = call_like(c, difference[4])
        r = ask(c, case, dtype)
        for letter, value in case.items():
            if letter in ARRAYS:
                self.used[type_of_operand(letter, dtype, value)] = True
        told = "!" + r.error if r.error else " ".join(shape_text(a) for a in r.results)
        name = c.name if c.operation else str(c.number)
        tolerance = f"{'s' if c.scaled else 'e'}{c.tolerance}" if c.tolerance else "="
        self.lines.append(f"{name}|{words_of(case)}|{told}|{tolerance}")
        self.values += [] if r.error else [np.ascontiguousarray(a) for a in r.results]
        self.asked.append((c, case, r))

    def file(self):
        pool_lines = [f"{t}:{name} {shape_text(a)}" for (t, name), a in self.operands]
        return {"cases": text_array(self.lines), "values": byte_array(self.values),
                "pool": text_array(pool_lines), "pool_values": byte_array([a for _, a in self.operands])}


class call_like:
    """A call whose deliberate difference is that NumPy is asked something else."""

    def __init__(self, c, code):
        self.__dict__.update(c.__dict__)
        self.code = code


def cases_of(t, dtype):
    """Cases that stand beside each other have the same operands, so that the runner computes them together."""
    all_cases = [(c, case) for c in t.calls if dtype in c.types for case in c.cases]
    return sorted(all_cases, key=lambda p: (p[0].group, words_of({k: v for k, v in p[1].items() if k in ARRAYS}), words_of(p[1]), p[0].number))


def text_array(lines):
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def byte_array(arrays):
    return np.frombuffer(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays), np.uint8)


def packed(file):
    out = io.BytesIO()
    np.savez_compressed(out, **file)
    return out.getvalue()


def is_near(c, found, expected):
    """What another machine's NumPy may answer: last digits differ."""
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    if expected.dtype.kind not in "fc":
        return np.array_equal(found, expected)
    eps = float(np.finfo(expected.dtype).eps)
    with np.errstate(all="ignore"):
        scale = np.abs(expected[np.isfinite(expected)]).max(initial=0)
        return np.allclose(found, expected, max(c.tolerance, 8) * eps, max(c.tolerance, 8) * eps * float(scale), equal_nan=True)


def check_answers(a, path):
    """The first line that the committed file has otherwise, or nothing."""
    if not path.exists():
        return "is not there"
    with np.load(path) as stored:
        fresh = a.file()
        for name in "cases", "pool":
            ours, theirs = (bytes(f[name]).decode().split("\n") for f in (fresh, stored))
            different = [(x, y) for x, y in zip(ours, theirs) if x != y]
            if different or len(ours) != len(theirs):
                return f"{name} differ: {different[:1] or (len(ours), len(theirs))}"
        if bytes(fresh["pool_values"]) != bytes(stored["pool_values"]):
            return "operands differ"
        at, raw = 0, bytes(stored["values"])
        for c, case, r in a.asked:
            for result in r.results or []:
                old = np.frombuffer(raw[at:at + result.nbytes], result.dtype).reshape(result.shape)
                at += result.nbytes
                if not is_near(c, result, old):
                    return f"{c.numpy} of {case}: NumPy gives\n{result}\nand not\n{old}"
    return None


def main():
    check = "--check" in sys.argv
    if np.__version__ != NUMPY:
        sys.exit(f"NumPy {NUMPY} is needed, not {np.__version__}")
    t = whole_table()
    faults, passed = [], 0
    texts = {HERE / "calls.def": calls_def(t), ROOT / "include/numpy.md": page.text(t), ROOT / "examples/guide/examples.md": examples.text(t)}
    for path, text in texts.items():
        same = path.exists() and path.read_text() == text
        if not same and check:
            faults.append(f"{path.relative_to(ROOT)} differs from the table: run tests/conformance/generate.py")
        elif not same:
            path.write_text(text)
        passed += same
    count = 0
    for dtype in TYPES:
        a, path = answers(t, dtype), DATA / f"{dtype}.npz"
        count += len(a.lines)
        fault = check_answers(a, path)
        if fault and check:
            faults.append(f"{path.relative_to(ROOT)}: {fault}")
        elif fault:
            DATA.mkdir(parents=True, exist_ok=True)
            path.write_bytes(packed(a.file()))
        passed += not fault
    faults += [f"{d[0]}: no case is left out because {d[1]}" for d in t.differences if d[:2] not in t.met]
    for fault in faults:
        print(fault)
    size = sum(p.stat().st_size for p in DATA.glob("*.npz"))
    print(f"{count} cases, {len(t.calls)} calls, {size} bytes\n{passed} passed, {len(faults)} failed")
    return bool(faults) and check


if __name__ == "__main__":
    sys.exit(main())
