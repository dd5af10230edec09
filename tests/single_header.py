#!/usr/bin/env python3
"""Writes everything reachable from <sinter/sinter.hpp> as one header: single_header.py OUTPUT [HEADER…]"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOTS = [ROOT / "include", ROOT / "runtime", ROOT / "codegen"]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENS = re.compile(r"^\s*#\s*(if|ifdef|ifndef)\b")
CLOSES = re.compile(r"^\s*#\s*endif\b")
ONCE = re.compile(r"^\s*#\s*pragma\s+once\b")
# What this condition guards is a header's bodies. Those of what is included for certain stand behind all declarations, under one such condition.
BODIES = re.compile(r"^\s*#\s*if\s+SINTER_HEADER_ONLY\b")


# Files that are a string literal: what they include, the text includes.
TEXTS = (".cuh", ".hxx")


class Amalgamation:
    """Files with `#pragma once` are written at their first certain inclusion, others (X-macro tables) at every one."""

    def __init__(self):
        self.lines = []
        self.bodies = []
        self.done = set()
        self.guarded = set()
        self.system = set()

    def find(self, name, quoted, includer):
        folders = ([includer.parent] if quoted else []) + ROOTS
        for folder in folders:
            path = (folder / name).resolve()
            if path.is_file() and ROOT in path.parents:
                return path
        if name.startswith("sinter/"):
            sys.exit(f"single_header: {includer.relative_to(ROOT)} includes <{name}>, which does not exist")
        return None

    def add(self, path, certain=True):
        text = path.read_text()
        once = any(ONCE.match(line) for line in text.splitlines())
        if path in self.done:
            return
        guard = None
        if once and (not certain or path in self.guarded):
            guard = "SINTER_SINGLE_" + re.sub(r"\W", "_", str(path.relative_to(ROOT))).upper()
            self.guarded.add(path)
            self.lines += [f"#if !defined({guard})", f"#define {guard}"]
        if once and certain:
            self.done.add(path)
        self.body(path, text, certain)
        if guard:
            self.lines.append(f"#endif  // {guard}")

    def body(self, path, text, certain):
        conditions = []
        if path.suffix in TEXTS:
            self.lines += text.splitlines()
            return
        for line in text.splitlines():
            if ONCE.match(line):
                continue
            if OPENS.match(line):
                conditions.append(bool(BODIES.match(line)))
            elif CLOSES.match(line):
                conditions.pop()
            include = INCLUDE.match(line)
            if not include:
                self.lines.append(line)
                continue
            here = certain and not conditions
            found = self.find(include[2], include[1] == '"', path)
            if found and certain and conditions == [True]:
                self.bodies.append(found)
            elif found:
                self.add(found, here)
            elif include[2] not in self.system:
                self.lines.append(line)
                if here:
                    self.system.add(include[2])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    output = pathlib.Path(sys.argv[1])
    result = Amalgamation()
    for name in sys.argv[2:] or ["sinter/sinter.hpp"]:
        start = next((root / name for root in ROOTS if (root / name).is_file()), None)
        if start is None:
            sys.exit(f"single_header: there is no <{name}>")
        result.add(start.resolve())
    result.lines.append("#if SINTER_HEADER_ONLY")
    # Bodies include headers that nothing else does, whose bodies come last.
    for body in result.bodies:
        result.add(body)
    result.lines.append("#endif")
    licence = "\n".join(("// " + line).rstrip() for line in (ROOT / "LICENSE").read_text().strip().splitlines())
    head = [
        "// sinter in one header, generated from the source tree; do not edit. As it stands, every file that includes it has all of sinter;",
        "// with SINTER_IMPLEMENTATION defined in one file of a program and SINTER_COMPILED in the others only that one does.",
        "//",
        licence,
        "#pragma once",
    ]
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(head + result.lines) + "\n")
    print(f"{output}: {len(result.lines)} lines")


if __name__ == "__main__":
    main()
