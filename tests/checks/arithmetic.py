#!/usr/bin/env python3
"""Checks, with g++, that what sinter's bodies and templates compute with floating numbers is IEEE 754's under a user's -ffast-math too."""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOTS = [str(ROOT / name) for name in ("include", "runtime", "codegen")]
# Functions of these are compiled as the user asks: their twins are in codegen/sinter/codegen/ops/ieee.hpp.
OTHERS = re.compile(r"/(cmath|complex|bits/std_abs\.h)$")

FLOATING = re.compile(r"^  (?:const )?(?:long double|double|float) ([^;]*);")
PARAMETER = re.compile(r"\b(?:long double|double|float) ([\w.]+)(?=[,)])")
STATEMENT = re.compile(r"^ +\[([^\]]*):(\d+):\d+(?: discrim \d+)?\] (?:if \(|\S+ = )(.*)")
OPERATION = re.compile(r"^([\w.()+-]+) (<|<=|>|>=|==|!=|[-+*/]) ([\w.()+-]+)\)?;?")
NEGATION = re.compile(r"^-([\w.()]+);")
BUILTIN = re.compile(r"^(?:__builtin_)?(?:a?(?:sin|cos|tan)h?|atan2|ceil|floor|trunc|rint|round|sqrt|cbrt|exp|exp2|expm1|log|log2|log10|log1p|pow|fmod|"
                     r"fma|fabs|hypot|copysign|nextafter|ldexp|frexp|isnan|isinf|isfinite|signbit|erfc?|[tl]gamma)[fl]? \(")


def command_of(build, source, dump, compiler):
    entry = next(e for e in json.loads((build / "compile_commands.json").read_text()) if pathlib.Path(e["file"]).parent.name == "compiled")
    words = shlex.split(entry["command"])
    system = [w for at, word in enumerate(words) if word == "-isystem" for w in ("-isystem", words[at + 1])]
    roots = [f"-I{root}" for root in ROOTS]
    return [*shlex.split(compiler), "-std=c++20", "-O0", "-ffast-math", "-w", "-DSINTER_COMPILED", *roots, *system, "-S", "-o", os.devnull,
            f"-fdump-tree-optimized-lineno={dump}", str(source)]


class Function:
    def __init__(self):
        self.attributes = ""
        self.floating = set()

    def is_floating(self, operand):
        name = re.sub(r"\(D\)$", "", operand.strip("()"))
        return name in self.floating or re.sub(r"_\d+$", "", name) in self.floating or bool(re.match(r"-?\d+\.\d*(e[-+]\d+)?$", name))

    def fault(self, what):
        """What is wrong with a statement of this function: nothing, as a rule."""
        call, negation, operation = BUILTIN.match(what), NEGATION.match(what), OPERATION.match(what)
        if negation and not self.is_floating(negation[1]):
            return None
        if operation and not (self.is_floating(operation[1]) or self.is_floating(operation[3])):
            return None
        if not (call or negation or operation):
            return None
        if "no-fast-math" not in self.attributes:
            return "stands outside of SINTER_IEEE_BEGIN and SINTER_IEEE_END"
        if operation and operation[2] in ("<", "<=", ">", ">=") and "ieee-fp" not in self.attributes:
            return "is a comparison in a function without SINTER_COMPARES"
        return None


def faults_of(dump):
    """Lines of sinter's that are computed as -ffast-math has it."""
    found = {}
    function = Function()
    with open(dump, errors="replace") as lines:
        for line in lines:
            if line.startswith(";; Function"):
                function = Function()
            elif line.startswith("__attribute__"):
                function.attributes += line
            elif declared := FLOATING.match(line):
                function.floating.update(name.strip() for name in declared[1].split(",") if name[0] not in "*&")
            elif line[0] not in " <{};\n":
                function.floating.update(PARAMETER.findall(line))
            elif statement := STATEMENT.match(line):
                path = os.path.normpath(statement[1])
                is_own = any(path.startswith(root + "/") for root in ROOTS)
                fault = function.fault(statement[3]) if is_own or OTHERS.search(path) else None
                if fault:
                    where = f"{os.path.relpath(path, ROOT)}:{statement[2]}" if is_own else f"<{OTHERS.search(path)[1]}>, which somebody calls,"
                    found.setdefault(where, f"{where} {fault}: {statement[3]}")
    return list(found.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="a configured build folder of sinter")
    parser.add_argument("--part", type=int, default=0, help="which part of the units of bodies")
    parser.add_argument("--of", type=int, default=1, help="how many parts they have")
    arguments = parser.parse_args()
    folder = arguments.build.resolve() / "arithmetic"
    folder.mkdir(exist_ok=True)

    def check(source):
        dump = folder / (source.stem + ".txt")
        done = subprocess.run(command_of(arguments.build, source, dump, arguments.compiler), capture_output=True, text=True, errors="replace")
        faults = [done.stderr[-4000:]] if done.returncode else faults_of(dump)
        dump.unlink(missing_ok=True)
        return faults

    units = sorted((arguments.build.resolve() / "compiled").glob("*.cpp"))[arguments.part::arguments.of]
    sources = [*units, ROOT / "tests" / "consumer" / "fast_math.cpp"]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(check, sources))
    for source, faults in zip(sources, results):
        print(f"{'FAILED' if faults else 'ok'}  {source.name}")
        print("".join(f"  {fault}\n" for fault in faults), end="")
    failed = sum(bool(faults) for faults in results)
    print(f"{len(sources) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
