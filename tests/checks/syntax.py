#!/usr/bin/env python3
"""Checks every source of a configured build folder, or each header alone, with a compiler: syntax only, warnings are errors. The units of
the library are left to tests/checks/shuffled, which reads them all as one."""
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
        if word in ("-o", "-x"):
            words.pop(0)
        elif word == "-include":
            header = words.pop(0)
        elif word not in ("-c", "-Winvalid-pch", entry["file"]):
            kept.append(word)
    return kept, header


def sources_of(entry):
    """An entry's own source, or those that one stands for which tests/together.py has written."""
    path = pathlib.Path(entry["directory"]) / entry["file"]
    if path.parent.parent.name != "together":
        return [str(path)]
    return re.findall(r'^namespace source_\d+ \{\n#include "(.*)"$', path.read_text(), re.MULTILINE)


def changed_lately(commits=40):
    """The files that the last commits changed, where their history is here."""
    for count in (commits, commits // 4, 1):
        done = subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, "diff", "--name-only", f"HEAD~{count}"],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return {str(ROOT / name) for name in done.stdout.split("\n") if name}
    return set()


def by_themselves(entry, new):
    """A source that stands for others with some new ones among them: those alone, each of which takes twice its share of the whole."""
    sources = [source for source in sources_of(entry) if source in new]
    if 2 * len(sources) >= len(sources_of(entry)):
        return [entry]
    return [{**entry, "file": source, "command": entry["command"].replace(entry["file"], source)} for source in sources]


def chosen(entries, part, of):
    """What users have, what changed lately, and one of several parts of the tests and the benchmarks."""
    new = changed_lately() if of > 1 else set()

    def is_users(entry):
        build = pathlib.Path(entry["directory"])
        return not {ROOT / "tests", ROOT / "bench", build / "tests"}.intersection((build / entry["file"]).parents)

    others = [entry["file"] for entry in entries if not is_users(entry)]
    found = []
    for entry in entries:
        found += [entry] if is_users(entry) or entry["file"] in others[part::of] else by_themselves(entry, new)
    return found


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
    """The files that one includes whatever is defined, itself or through others; by their names those that are not in the folders."""
    depth = 0
    for directive, name in re.findall(r'^#\s*(if|endif|include [<"]([^>"]*))', path.read_text(errors="replace"), re.MULTILINE):
        depth += {"if": 1, "endif": -1}.get(directive, 0)
        if not name or depth > 0:
            continue
        there = next((folder / name for folder in (path.parent, *folders) if (folder / name).is_file()), name)
        if there not in seen:
            seen.add(there)
            if there != name:
                reached(there, folders, seen)
    return seen


class Header:
    """One header, as sources with some options include it."""

    def __init__(self, path, options):
        self.path, self.options = path, options
        self.folders = [pathlib.Path(option[2:]) for option in options if option.startswith("-I")]
        self.includes = reached(path, self.folders, set())

    def asks_for(self, other):
        return self.options == other.options and (other.path == self.path or other.path in self.includes)


def header_of(entry):
    """The only one that an entry's source includes."""
    options, _ = options_of(entry)
    name = re.search(r"<(.*)>", pathlib.Path(entry["file"]).read_text())[1]
    roots = [pathlib.Path(option[2:]) for option in options if option.startswith("-I")]
    return Header(next(root / name for root in roots if (root / name).is_file()), options)


class Chain:
    """Headers of which each includes all behind it: one source for them, in which none is read after what it does not ask for itself."""

    def __init__(self, header):
        self.headers, self.base = [header], None

    def saved_by(self, header):
        """How many files are not read again where a header is precompiled in place of the base that there is."""
        saved = len(header.includes) - (len(self.base.includes) if self.base else 0)
        return saved if saved > 0 and self.headers[-1].asks_for(header) else 0

    def text(self):
        return "".join(f'#include "{header.path}"\n' for header in reversed(self.headers))


def chained(headers):
    chains = []
    left = sorted(headers, key=lambda header: -len(header.includes))
    while left:
        chains.append(Chain(left.pop(0)))
        for header in list(left):
            if chains[-1].headers[-1].asks_for(header):
                chains[-1].headers.append(header)
                left.remove(header)
    return chains


def choose_bases(chains):
    """Gives chains the headers that they are to find precompiled, as long as another one saves more than it takes: reading it thrice."""
    paths = {(path, tuple(chain.headers[-1].options)) for chain in chains for path in (chain.headers[-1].path, *chain.headers[-1].includes)}
    candidates = [Header(path, list(options)) for path, options in sorted(paths, key=str) if isinstance(path, pathlib.Path) and path.suffix == ".hpp"]
    while True:
        gains = [sum(chain.saved_by(header) for chain in chains) - 3 * len(header.includes) for header in candidates]
        if not gains or max(gains) <= 0:
            return
        best = candidates[gains.index(max(gains))]
        for chain in chains:
            if chain.saved_by(best):
                chain.base = best


class Compiler:
    """Reads sources and makes nothing of them but headers that it precompiles."""

    def __init__(self, command, folder):
        self.command = shlex.split(command)
        self.by_clang = "clang" in self.command[0]
        self.folder = pathlib.Path(folder)

    def run(self, options, directory, *words):
        """Only g++ knows --param."""
        options = [option for option in options if not (self.by_clang and option.startswith("--param="))]
        return subprocess.run([*self.command, *options, *map(str, words)], cwd=directory, capture_output=True, text=True, errors="replace",
                              env={**os.environ, "LC_ALL": "C"})

    def precompile(self, number, text, options, directory):
        """The options with which sources find it; none where it does not compile."""
        header = self.folder / f"precompiled{number}.hpp"
        header.write_text(text)
        image = header.with_suffix(".hpp.gch")
        quiet = ["-Wno-pragma-system-header-outside-header"] if self.by_clang else []
        done = self.run(options, directory, *quiet, "-x", "c++-header", header, "-o", image)
        if done.returncode != 0:
            print(f"not precompiled: {text}{done.stderr[:1000]}")
            return []
        return ["-include-pch", str(image)] if self.by_clang else ["-Winvalid-pch", "-include", str(header)]


class Unit:
    """What is read at once: a source, or several headers, with what is to be precompiled for it."""

    def __init__(self, name, source, options, directory, begins=""):
        self.name, self.source, self.options, self.directory, self.begins = name, source, options, directory, begins

    def key(self):
        return self.begins, *self.options


def units_of_headers(chains, folder):
    """As users of the compiled library see them."""
    choose_bases(chains)
    units = []
    for number, chain in enumerate(chains):
        source = folder / f"chain{number}.cpp"
        source.write_text(chain.text())
        named = ("one of " if len(chain.headers) > 1 else "") + ", ".join(os.path.relpath(header.path, ROOT) for header in chain.headers)
        begins = f'#include "{chain.base.path}"\n' if chain.base else ""
        units.append(Unit(named, source, [*chain.headers[-1].options, "-DSINTER_COMPILED"], folder, begins))
    return units


def units_of_sources(entries, by_clang):
    """The headers that the build precompiles are made for another compiler than its own too, and of them only what a source asks for itself:
    read once for all sources that ask for the same."""
    lists = {header for _, header in map(options_of, entries) if header is not None and by_clang}
    names = (re.findall(r"^#include (<.*>)", pathlib.Path(path).read_text(errors="replace"), re.MULTILINE) for path in lists)
    precompiled = sorted(set().union(*names))
    units = []
    for entry in entries:
        options, _ = options_of(entry)
        folders = [pathlib.Path(option[2:]) for option in options if option.startswith("-I")]
        asked = included(pathlib.Path(entry["directory"]) / entry["file"], folders)
        begins = "".join(f"#include {name}\n" for name in precompiled if name in asked)
        units.append(Unit(os.path.relpath(entry["file"], ROOT), entry["file"], options, entry["directory"], begins))
    uses = collections.Counter(unit.key() for unit in units)
    for unit in units:
        if uses[unit.key()] < 3 or "sinter/sinter.hpp" not in unit.begins:
            unit.begins = ""
    return units


def checked(units, compiler, pool):
    """Of each unit whether it compiles, and what the compiler says."""
    keys = list({unit.key(): unit for unit in units if unit.begins}.items())
    made = pool.map(lambda item: compiler.precompile(item[0], item[1][1].begins, item[1][1].options, item[1][1].directory), enumerate(keys))
    found = dict(zip((key for key, _ in keys), made))

    def check(unit):
        done = compiler.run([*found.get(unit.key(), []), *unit.options], unit.directory, unit.source, "-fsyntax-only", "-Werror")
        return done.returncode == 0, done.stderr

    return list(pool.map(check, units))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="clang++")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--headers", action="store_true", help="each header alone, as users of the compiled library see it")
    parser.add_argument("--part", type=int, default=0, help="which part of the headers, or of the sources of tests and benchmarks")
    parser.add_argument("--of", type=int, default=1, help="how many parts they have")
    arguments = parser.parse_args()
    # Each header's own translation unit would repeat what the sources include.
    entries = [entry for entry in json.loads((arguments.build / "compile_commands.json").read_text())
               if ("_verify_interface_header_sets" in entry["file"]) == arguments.headers and "cmake_pch" not in entry["file"] and
               pathlib.Path(entry["file"]).parent.name != "compiled"]
    with tempfile.TemporaryDirectory(dir=arguments.build.resolve()) as folder, ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        compiler = Compiler(arguments.compiler, folder)
        if arguments.headers:
            new = changed_lately() if arguments.of > 1 else set()
            chains = chained(list(map(header_of, entries)))
            chains = [chain for number, chain in enumerate(chains) if number % arguments.of == arguments.part or
                      any(str(header.path) in new for header in chain.headers)]
            units, count = units_of_headers(chains, compiler.folder), sum(len(chain.headers) for chain in chains)
        else:
            entries = chosen(entries, arguments.part, arguments.of)
            units, count = units_of_sources(entries, compiler.by_clang), len(entries)
        results = checked(units, compiler, pool)
    failed = 0
    for unit, (compiles, log) in zip(units, results):
        if not compiles:
            failed += 1
            print(f"FAILED {unit.name}\n" + "\n".join(log.splitlines()[:15]))
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed or not units else 0


if __name__ == "__main__":
    sys.exit(main())
