#!/usr/bin/env python3
"""Fails for each public function with fewer than 12 cases in the table of calls, or without an empty array, a single number, NaN,
a negative axis and keepdims where it takes them; not_in_table.txt lists what need not have them, with the reason."""
import importlib.util
import pathlib
import re
import struct
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEAST = 12
# Operands of the pool with elements that are not numbers.
NAN = {"nans", "nan_vector", "nan_cube", "all_nan", "special", "special_x", "special_y"}
KEEPS = re.compile(r"^SINTER_(?:FUNCTION_OF_AXES|FUNCTION_WITH_OPTIONS|REDUCTION_FUNCTION|QUANTILE_FUNCTION)\((\w+)", re.M)


def bytes_of(archive, name):
    """The elements of an array of bytes in an .npz file."""
    raw = archive.read(name + ".npy")
    length, = struct.unpack_from("<H", raw, 8)
    return raw[10 + length:].decode()


def names_of_calls():
    rows = re.findall(r'^CALL\((\d+), "(.*?)", (.*)\)$', (HERE / "calls.def").read_text(), re.M)
    return {number: (name, text) for number, name, text in rows}


def kinds_of(call, words, shapes, dtype):
    """What a case is an example of."""
    kinds = {"case"}
    for word in words.split(";"):
        letter, value = word[:1], word[2:]
        if letter == "a" and value.startswith("-"):
            kinds.add("negative axis")
        shape = shapes.get(value if ":" in value else f"{dtype_of(letter, dtype)}:{value}")
        if shape is None:
            if letter in "st" and "0" in value.split(","):
                kinds.add("empty")
            if letter == "n" and value == "0":
                kinds.add("empty")
            continue
        if "0" in shape.split(","):
            kinds.add("empty")
        if shape == "":
            kinds.add("single number")
        if value.split(":")[-1] in NAN and (dtype.startswith("float") or dtype.startswith("complex")):
            kinds.add("NaN")
    return kinds | ({"keepdims"} if "keepdims" in call else set())


def dtype_of(letter, dtype):
    return {"i": "int64", "j": "int64", "m": "bool", "w": "float64"}.get(letter, dtype)


def examples():
    """For each name how many cases there are of each kind, over all types."""
    calls, found = names_of_calls(), {}
    for path in sorted((ROOT / "tests/data/conformance").glob("*.npz")):
        with zipfile.ZipFile(path) as archive:
            shapes = {}
            for line in bytes_of(archive, "pool").split("\n"):
                name, shape = line.split(" ")
                shapes[name] = shape.split(":")[1]
            for line in bytes_of(archive, "cases").split("\n"):
                call, words, _, _ = line.split("|")
                name, text = calls.get(call, (call, call))
                counts = found.setdefault(name, {})
                for kind in kinds_of(text, words, shapes, path.stem):
                    counts[kind] = counts.get(kind, 0) + 1
                if re.search(r"\ba\b", text):
                    counts["axis"] = 1
    return found


def exempt():
    """For each name the kinds that it need not have; `all` for what is not in the table."""
    lists = {}
    for line in (HERE / "not_in_table.txt").read_text().split("\n"):
        if line and not line.startswith("#"):
            kinds, listed = line.split(":", 1)
            for name in listed.split():
                lists.setdefault(name, set()).update(k.strip() for k in kinds.split(","))
    return lists


def wanted(name, counts, keeping):
    kinds = {"empty", "single number", "NaN"}
    kinds |= {"negative axis"} if "axis" in counts else set()
    return kinds | ({"keepdims"} if name in keeping else set())


def main():
    spec = importlib.util.spec_from_file_location("matrix_names", ROOT / "tests/matrix/names.py")
    matrix = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(matrix)
    public, operations = matrix.public_names()
    keeping = {n for p in (ROOT / "include/sinter").rglob("*.hpp") for n in KEEPS.findall(p.read_text())}
    found, excused, faults = examples(), exempt(), []
    for name in sorted(public | operations):
        allowed = excused.get(name, set())
        counts = found.get(name, {})
        if "all" in allowed:
            continue
        if counts.get("case", 0) < LEAST and "few" not in allowed:
            faults.append(f"{name}: {counts.get('case', 0)} cases in the table of calls, {LEAST} are wanted")
        missing = wanted(name, counts, keeping) - set(counts) - allowed
        if counts and missing:
            faults.append(f"{name}: no case with {', '.join(sorted(missing))}")
    faults += [f"{name}: not_in_table.txt lists what is no public function" for name in sorted(set(excused) - public - operations)]
    for fault in faults:
        print(fault)
    print(f"{sum(c['case'] for c in found.values())} cases\n{len(public | operations) - len(faults)} passed, {len(faults)} failed")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
