#!/usr/bin/env python3
"""Fails for each public function that neither a row of makers.def or uses.def nor the random programs' table of operations has,
and that other_names.txt does not list as one that makes no array."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PUBLIC = ROOT / "include" / "sinter"
# What a declaration at the start of a line returns, and its name.
FUNCTION = re.compile(r"^(?:inline |constexpr |static |SINTER_[A-Z_]+ |\[\[nodiscard\]\] )*"
                      r"(?:auto|void|bool|double|array<[^()]*?>|std::(?:vector|pair|tuple|string)[^()]*?|[a-z_:]+_(?:result|array|positions)<[^()]*?>) "
                      r"([a-z]\w*)\(", re.M)
MACRO = re.compile(r"^SINTER_(?:JOIN|REDUCTION|SCAN|FFT|FOURIER|AXIS|AXES)\w*\(([a-z]\w*)", re.M)
ROW = re.compile(r"^SINTER_(?:OP|ALIAS|DISTRIBUTION)\((.*)\)$", re.M)


def outside_of_detail(text):
    """The text without what stands in namespaces called detail."""
    kept, inside = [], False
    for line in text.split("\n"):
        inside = inside or line.startswith("namespace detail {") or "::detail {" in line
        if not inside:
            kept.append(line)
        if line.startswith("}  // namespace") and "detail" in line:
            inside = False
    return "\n".join(kept)


def names_of(path):
    text = outside_of_detail(path.read_text())
    return set(FUNCTION.findall(text)) | set(MACRO.findall(text))


def table(path, column=0):
    return {[c.strip() for c in row.split(",")][column] for row in ROW.findall(path.read_text())}


def public_names():
    """Names of functions, and those of operations and their second names."""
    public = set().union(*(names_of(p) for p in sorted(PUBLIC.rglob("*.hpp"))))
    public |= table(PUBLIC / "random/distributions.def", 2)
    operations = table(ROOT / "codegen/sinter/codegen/ops/ops.def") | table(ROOT / "codegen/sinter/codegen/ops/aliases.def")
    return public, operations


def main():
    public, operations = public_names()
    rows = (HERE / "makers.def").read_text() + (HERE / "uses.def").read_text() + (HERE / "helpers.hpp").read_text()
    called = set(re.findall(r"\b([a-z]\w*)(?:<[^()]*?>)?\(", rows))
    lines = (HERE / "other_names.txt").read_text().split("\n")
    others = {name for line in lines if not line.startswith("#") for name in line.split()}
    missing = sorted(public - operations - called - others)
    for name in missing:
        print(f"{name}: no row of makers.def or uses.def has it")
    stale = sorted(others - public)
    for name in stale:
        print(f"{name}: other_names.txt lists what is no public function")
    print(f"{len(public) - len(missing)} passed, {len(missing) + len(stale)} failed")
    return bool(missing or stale)


if __name__ == "__main__":
    sys.exit(main())
