#!/usr/bin/env python3
"""Checks every source of a configured build folder, or each header alone, with a compiler: syntax only, warnings are errors."""
import argparse
import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def options_of(entry):
    """An entry's options without its source, and the header that the build precompiles for it."""
    words = shlex.split(entry["command"])[1:]
    kept = []
    header = None
    while words:
        word = words.pop(0)
        if word == "-o":
            words.pop(0)
        elif word == "-include":
            header = words.pop(0)
        elif word not in ("-c", "-Winvalid-pch", entry["file"]) and not word.startswith("--param="):
            kept.append(word)
    return kept, header


def apart(entry):
    """An entry of a source that tests/together.py has written, as those of the sources that it stands for."""
    path = pathlib.Path(entry["file"])
    if path.parent.parent.name != "together":
        return [entry]
    files = re.findall(r'^namespace source_\d+ \{\n#include "(.*)"$', path.read_text(), re.MULTILINE)
    return [{**entry, "file": file, "command": entry["command"].replace(entry["file"], file)} for file in files]


def included(path, folders, seen=None):
    """What a source includes in angle brackets, itself or through headers beside it that it names in quotes; nothing where it defines a
    macro first, which what follows may mean differently."""
    seen = set() if seen is None else seen
    seen.add(path)
    found = set()
    text = path.read_text(errors="replace")
    if (first := re.search(r"^#(define|include)", text, re.MULTILINE)) and first[1] == "define":
        return found
    for name in re.findall(r'^#include ([<"].*[>"])', text, re.MULTILINE):
        if name[0] == "<":
            found.add(name)
            continue
        beside = next((folder / name[1:-1] for folder in (path.parent, *folders) if (folder / name[1:-1]).is_file()), None)
        if beside and beside not in seen:
            found |= included(beside, folders, seen)
    return found


def reached(path, folders, seen):
    """The files that one includes whatever is defined, itself or through others."""
    depth = 0
    for directive, name in re.findall(r'^#\s*(if|endif|include [<"]([^>"]*))', path.read_text(errors="replace"), re.MULTILINE):
        depth += {"if": 1, "endif": -1}.get(directive, 0)
        there = next((folder / name for folder in (path.parent, *folders) if name and depth == 0 and (folder / name).is_file()), None)
        if there and there not in seen:
            seen.add(there)
            reached(there, folders, seen)
    return seen


def chained(entries, folder):
    """One source for several headers of which each includes all before it: none is read after what it does not ask for itself."""
    found = {}
    for entry in entries:
        options, _ = options_of(entry)
        path = pathlib.Path(entry["file"])
        text = path.read_text()
        names = re.findall(r"<(.*)>", text)
        folders = [pathlib.Path(option[2:]) for option in options if option.startswith("-I")]
        own = next(root / names[0] for root in folders if (root / names[0]).is_file())
        found[entry["file"]] = (options, own, reached(path, folders, set()), text)
    left = sorted(entries, key=lambda entry: -len(found[entry["file"]][2]))
    units = []
    while left:
        chain = [left.pop(0)]
        for entry in list(left):
            options, own, *_ = found[entry["file"]]
            last_options, _, includes, _ = found[chain[-1]["file"]]
            if options == last_options and own in includes:
                chain.append(entry)
                left.remove(entry)
        source = folder / f"chain{len(units)}.cpp"
        source.write_text("".join(found[entry["file"]][3] for entry in reversed(chain)))
        command = chain[0]["command"].replace(chain[0]["file"], str(source))
        named = ", ".join(str(found[entry["file"]][1]) for entry in chain)
        units.append({**chain[0], "file": str(source), "command": command, "headers": f"one of {named}"})
    return units


class PrecompiledHeaders:
    """Those that the build makes for its own compiler, made for another one, and of them only what a source asks for itself: read once for
    all sources that ask for the same."""

    def __init__(self, compiler, folder, entries):
        self.compiler = shlex.split(compiler)
        self.folder = pathlib.Path(folder)
        self.made = {}
        lists = {header for _, header in map(options_of, entries) if header is not None and "clang" in self.compiler[0]}
        names = (re.findall(r"^#include (<.*>)", pathlib.Path(path).read_text(errors="replace"), re.MULTILINE) for path in lists)
        self.names = sorted(set().union(*names))
        self.keys = {entry["file"]: self.key(entry) for entry in entries}
        uses = collections.Counter(self.keys.values())
        for entry in entries:
            if uses[self.keys[entry["file"]]] > 2 and "sinter/sinter.hpp" in self.keys[entry["file"]][0]:
                self.make(entry)

    def key(self, entry):
        options, _ = options_of(entry)
        folders = [pathlib.Path(option[2:]) for option in options if option.startswith("-I")]
        asked = included(pathlib.Path(entry["directory"]) / entry["file"], folders)
        return "".join(f"#include {name}\n" for name in self.names if name in asked), *options

    def make(self, entry):
        key = self.keys[entry["file"]]
        if key in self.made:
            return
        header = self.folder / f"{len(self.made)}.hpp"
        header.write_text(key[0])
        image = header.with_suffix(".pch")
        done = subprocess.run([*self.compiler, *key[1:], "-Wno-pragma-system-header-outside-header", "-x", "c++-header", header, "-o", image],
                              cwd=entry["directory"], capture_output=True)
        self.made[key] = image if done.returncode == 0 else None

    def options(self, entry):
        key = self.keys[entry["file"]]
        image = self.made.get(key)
        return list(key[1:]) if image is None else ["-include-pch", str(image), *key[1:]]

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="clang++")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--headers", action="store_true", help="each header alone, as users of the compiled library see it")
    arguments = parser.parse_args()
    # Each header's own translation unit would repeat what the sources include.
    entries = [entry for written in json.loads((arguments.build / "compile_commands.json").read_text()) for entry in apart(written)
               if ("_verify_interface_header_sets" in entry["file"]) == arguments.headers and "cmake_pch" not in entry["file"]]
    more = ["-DSINTER_COMPILED"] if arguments.headers else []

    def check(headers, entry):
        done = subprocess.run([*headers.compiler, *headers.options(entry), entry["file"], "-fsyntax-only", "-Werror", *more],
                              cwd=entry["directory"], capture_output=True, text=True, errors="replace", env={**os.environ, "LC_ALL": "C"})
        return done.returncode, done.stderr

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        units = chained(entries, pathlib.Path(folder)) if arguments.headers else entries
        headers = PrecompiledHeaders(arguments.compiler, folder, units)
        results = list(pool.map(lambda entry: check(headers, entry), units))
    failed = 0
    for entry, (status, log) in zip(units, results):
        if status != 0:
            failed += 1
            print(f"FAILED {entry.get('headers', os.path.relpath(entry['file'], ROOT))}\n" + "\n".join(log.splitlines()[:15]))
    print(f"{len(entries) - failed} passed, {failed} failed")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
