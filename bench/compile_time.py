#!/usr/bin/env python3
"""What including sinter costs: compile times at -O0 as a Markdown table, for each compiler that is present.

usage: compile_time.py [--repeats 5] [--compiler g++ …] [--cuda FOLDER]"""
import argparse
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / folder for folder in ("include", "runtime", "codegen")]
# Distinct operators, so that no two nodes of an expression have the same type.
OPERATORS = ["exp({})", "{} * x", "sqrt({})", "{} + 2.0f", "-{}", "{} - x", "abs({})", "x / {}", "sin({})", "maximum({}, x)"]
UMBRELLA = "#include <sinter/sinter.hpp>\n"
HELLO = UMBRELLA + """#include <iostream>
using namespace sinter;
int main() {
    array<float> x = random::uniform<float>(-3, 3, {1000});
    array<float> y = exp(-0.5f * square(x));
    std::cout << y;
}
"""


def standard_headers(text):
    """The standard headers that preprocessing the umbrella has opened, as includes."""
    names = re.findall(r'^# \d+ "[^"]*/c\+\+/(?:v1/|\d+/)([a-z_]+)" 1', text, re.M)
    return "".join(f"#include <{name}>\n" for name in dict.fromkeys(names))


def expressions(nodes):
    """A program of statements of ten operator nodes; each statement's types occur nowhere else."""
    lines = []
    for first in range(0, nodes, 10):
        text = "x"
        for i in range(10):
            text = OPERATORS[(first // 10 * (i + 1) + i) % len(OPERATORS)].format(text)
        lines.append(f"    array<float> y{first} = {text};\n")
    return UMBRELLA + "using namespace sinter;\nvoid f(array<float> x) {\n    array<float> y = x * x;\n" + "".join(lines) + "}\n"


def seconds(compiler, flags, text, repeats, folder):
    """Median processor time of a compilation: unlike the clock's, it hardly depends on what else runs."""
    source = folder / "program.cpp"
    source.write_text(text)
    command = [compiler, "-std=c++20", "-O0", "-c", *flags, str(source), "-o", str(folder / "program.o")]
    times = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def slope(xs, ys):
    return statistics.linear_regression(xs, ys).slope


def measure(compiler, flags, repeats, folder):
    compiled = [*flags, "-DSINTER_COMPILED"]
    preprocess = [compiler, "-std=c++20", "-E", *compiled, "-x", "c++", "-"]
    opened = subprocess.run(preprocess, input=UMBRELLA, text=True, stdout=subprocess.PIPE, check=True).stdout
    empty = "int main() {}\n"

    def time(text, flags):
        return seconds(compiler, flags, text, repeats, folder)

    counts = [0, 50, 100]
    return {
        "empty main": (time(empty, []), None),
        "the standard headers the umbrella opens": (time(standard_headers(opened) + empty, []), None),
        "umbrella header": (time(UMBRELLA + empty, compiled), time(UMBRELLA + empty, flags)),
        "hello world, one expression": (time(HELLO, compiled), time(HELLO, flags)),
        "each operator node": tuple(slope(counts, [time(expressions(n), f) for n in counts]) for f in (compiled, flags)),
    }


def shown(seconds):
    return "" if seconds is None else f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--compiler", nargs="+", default=[c for c in ("g++", "clang++") if shutil.which(c)])
    parser.add_argument("--cuda", help="folder of cuda.h and nvrtc.h, when it is not one of the compiler's own")
    arguments = parser.parse_args()
    flags = [f"-I{folder}" for folder in FOLDERS] + (["-isystem", arguments.cuda] if arguments.cuda else [])
    for compiler in arguments.compiler:
        version = subprocess.run([compiler, "--version"], text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines()[0]
        with tempfile.TemporaryDirectory() as folder:
            table = measure(compiler, flags, arguments.repeats, pathlib.Path(folder))
        print(f"\n| {version}, -O0 | `sinter::sinter`: compiled once | `sinter::header_only` |\n|---|---|---|")
        for name, (compiled, header_only) in table.items():
            print(f"| {name} | {shown(compiled)} | {shown(header_only)} |", flush=True)


if __name__ == "__main__":
    main()
