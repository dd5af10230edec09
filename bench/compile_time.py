#!/usr/bin/env python3
"""What including sinter costs, for each compiler that is present, as Markdown tables: compile times of a small program in each way of
including it, beside those of other libraries that are installed, and at -O0 of parts of it.

usage: compile_time.py [--repeats 5] [--compiler g++ …] [--cuda FOLDER]"""
import argparse
import os
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
# Small programs of others, by what they include; of each the first that compiles is measured.
PEERS = {
    "iostream": ["#include <iostream>\nint main() { std::cout << 1; }\n"],
    "Eigen": ["#include <Eigen/Dense>\n#include <iostream>\nint main() {\n"
              "    Eigen::ArrayXf x = Eigen::ArrayXf::Random(1000), y = (-0.5f * x.square()).exp();\n    std::cout << y;\n}\n"],
    "xtensor": [f"#include <{folder}xarray.hpp>\n#include <{io}xio.hpp>\n#include <{math}xmath.hpp>\n#include <iostream>\nint main() {{\n"
                "    xt::xarray<float> x = xt::ones<float>({1000}), y = xt::exp(-0.5f * xt::square(x));\n    std::cout << y;\n}\n"
                for folder, io, math in (("xtensor/containers/", "xtensor/io/", "xtensor/core/"), ("xtensor/",) * 3)],
}
PEER_FLAGS = ["-I/usr/include/eigen3", "-I/usr/local/include/eigen3"]


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


def processor_time(command, **options):
    """That of a command and all that it starts; unlike the clock's, it hardly depends on what else runs. And what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def seconds(compiler, flags, text, repeats, folder, level="-O0"):
    """Median processor time of a compilation."""
    source = folder / "program.cpp"
    source.write_text(text)
    command = [compiler, "-std=c++20", level, "-c", *flags, str(source), "-o", str(folder / "program.o")]
    return statistics.median(processor_time(command)[0] for _ in range(repeats))


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


def peer(compiler, texts, folder):
    """The first of some programs that compiles; None where the library is not installed."""
    source = folder / "peer.cpp"
    for text in texts:
        source.write_text(text)
        command = [compiler, "-std=c++20", "-fsyntax-only", *PEER_FLAGS, str(source)]
        if subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0:
            return text
    return None


def measure_ways(compiler, flags, cuda, repeats, folder):
    """Times at -O0 and -O2 of the small program in each way, those of others, and of what is compiled once."""
    levels, rows = ("-O0", "-O2"), {}

    def times(text, flags):
        return [seconds(compiler, flags, text, repeats, folder, level) for level in levels]

    for name, texts in PEERS.items():
        text = peer(compiler, texts, folder)
        if text:
            rows[name] = times(text, PEER_FLAGS)
    environment = {**os.environ, "SINTER_CACHE_DIR": str(folder / "cache")}
    config = [str(ROOT / "include" / "sinter-config"), "--cxx", compiler, *(["--cuda", cuda] if cuda else [])]
    library = [processor_time([*config, "--libs", "--opt", level], env=environment)[0] for level in levels]
    rows["sinter's declarations: `sinter-config --flags`, `sinter::sinter`, `SINTER_COMPILED`"] = times(HELLO, [*flags, "-DSINTER_COMPILED"])
    made, precompiled = [], []
    for level in levels:
        seconds_made, printed = processor_time([*config, "--pch", level], env=environment)
        made.append(seconds_made)
        options = [word for word in printed.split() if not word.startswith(("-l", "-L"))]
        precompiled.append(seconds(compiler, options, HELLO, repeats, folder, level))
    rows["the same with `sinter-config --pch`"] = precompiled
    rows["sinter in every file: `sinter::header_only`, no macro"] = times(HELLO, flags)
    rows["once: the file with `SINTER_IMPLEMENTATION`"] = times("#define SINTER_IMPLEMENTATION\n" + UMBRELLA, flags)
    rows["once: the library of `sinter-config --opt`, in parts side by side"] = library
    rows["once: the precompiled header"] = made
    return rows


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
            rows = measure_ways(compiler, flags, arguments.cuda, arguments.repeats, pathlib.Path(folder))
            print(f"\n| {version} | -O0 | -O2 |\n|---|---|---|")
            for name, times in rows.items():
                print(f"| {name} | {' | '.join(map(shown, times))} |", flush=True)
            table = measure(compiler, flags, arguments.repeats, pathlib.Path(folder))
        print(f"\n| {version}, -O0 | `sinter::sinter`: compiled once | `sinter::header_only` |\n|---|---|---|")
        for name, (compiled, header_only) in table.items():
            print(f"| {name} | {shown(compiled)} | {shown(header_only)} |", flush=True)


if __name__ == "__main__":
    main()
