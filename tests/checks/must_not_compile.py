#!/usr/bin/env python3
"""Compiles each file of tests/must_not_compile, which must fail with the text that its first lines name, and each of mistakes.txt, of
which the compiler's first error or warning must say in few lines what to write."""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_LINES = 15
# Options that no program of sinter's compiles with.
OPTIONS = {"-std=c++17": "sinter: C++20 is needed: compile with -std=c++20",
           "-fno-exceptions": "sinter: errors are exceptions: compile without -fno-exceptions"}
MISTAKE = """#include <sinter/sinter.hpp>
using namespace sinter;
SINTER_FUNCTION(hypotenuse, (double a, double b) -> double { return sqrt(a * a + b * b); })
void takes_number(double);
void mistake(array<double> x, array<double> y, array<double> m, array<std::complex<double>> z) {
    static_cast<void>(x), static_cast<void>(y), static_cast<void>(m), static_cast<void>(z);
%s
}
"""


def expected_texts(path):
    """The texts of the leading `// error: …` lines."""
    texts = []
    for line in path.read_text().splitlines():
        if not line.startswith("// error:"):
            break
        texts.append(" ".join(line.removeprefix("// error:").split()))
    return texts


class Compiler:
    """A compiler that has read sinter.hpp once, for the files that begin with it."""

    HEADER = "#include <sinter/sinter.hpp>\n"
    OTHERS = "#include <array>\n#include <cmath>\n#include <iostream>\n#include <numeric>\n#include <string>\n#include <vector>\n"

    def __init__(self, command, folder):
        roots = [f"-I{ROOT / name}" for name in ("include", "runtime", "codegen")]
        clang = "clang" in command
        self.folder = pathlib.Path(folder)
        self.command = [*shlex.split(command), "-std=c++20", "-DSINTER_COMPILED", *roots]
        self.all_errors = ["-ferror-limit=0"] if clang else []
        header = pathlib.Path(folder) / "precompiled.hpp"
        image = header.with_suffix(".hpp.pch" if clang else ".hpp.gch")
        header.write_text(self.HEADER + self.OTHERS)
        self.run("-x", "c++-header", str(header), "-o", str(image))
        self.precompiled = ["-include-pch", str(image)] if clang else ["-include", str(header)]

    def run(self, *arguments):
        return subprocess.run([*self.command, *arguments], capture_output=True, text=True, errors="replace",
                              env={**os.environ, "LC_ALL": "C"})

    def compile(self, path):
        precompiled = self.precompiled if self.HEADER in path.read_text() else []
        done = self.run("-fsyntax-only", *self.all_errors, *precompiled, str(path))
        return done.returncode, " ".join((done.stdout + done.stderr).split()), done.stderr

    def compile_mistake(self, number, code, option=None):
        """What is said of a mistake, or of an option, less what names the precompiled header."""
        path = self.folder / f"mistake{number}.cpp"
        path.write_text(MISTAKE % code)
        done = self.run("-fsyntax-only", *([option] if option else self.precompiled), str(path))
        return "\n".join(line for line in done.stderr.splitlines() if "precompiled.hpp" not in line)


def judge(compiler, path):
    """None when the file fails as it says, else what is wrong."""
    texts = expected_texts(path)
    if not texts:
        return "the first line must read `// error: <text>`"
    status, message, log = compiler.compile(path)
    if status == 0:
        return "it compiles"
    for text in texts:
        if text not in message:
            return f"the message lacks: {text}\n" + "\n".join(log.splitlines()[:12])
    return None


def mistakes(is_clang):
    """The sentences and the code of mistakes.txt that the compiler is to be asked for."""
    blocks = (ROOT / "tests" / "must_not_compile" / "mistakes.txt").read_text().split("\n\n")
    marks = ("= ", "=clang ") if is_clang else ("= ",)
    return [block.strip().split(" ", 1)[1].split("\n", 1) for block in blocks if block.startswith(marks)]


def judge_mistake(compiler, number, sentence, code, option=None):
    """None when the first error or warning says the sentence and little is said in all, else what is wrong."""
    log = compiler.compile_mistake(number, code, option)
    said = re.split("(?:error|warning): ", log)
    lines = len(log.splitlines())
    if len(said) < 2:
        return "it compiles without a word"
    if sentence not in said[1]:
        return f"the first message lacks: {sentence}\n{log[:2000]}"
    return f"{lines} lines\n{log[:4000]}" if lines > MOST_LINES else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--part", type=int, default=0, help="which part of the programs, of each kind")
    parser.add_argument("--of", type=int, default=1, help="how many parts they have")
    arguments = parser.parse_args()
    turn = slice(arguments.part, None, arguments.of)
    files = sorted((ROOT / "tests" / "must_not_compile").glob("*.cpp"))[turn]
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(arguments.compiler, folder)
        # Unless correct code compiles, failures prove nothing.
        control = ROOT / "tests" / "consumer" / "header_only_twin.cpp"
        status, _, log = compiler.compile(control)
        if status != 0:
            print(log)
            print(f"FAILED {control.name}: the control must compile\n0 passed, {len(files) + 1} failed")
            return 1
        log = compiler.compile_mistake("", "    // None.")
        if log:
            print(f"{log}\nFAILED mistakes.txt: what stands around the mistakes must compile\n0 passed, 1 failed")
            return 1
        table = mistakes("clang" in arguments.compiler)[turn]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            results = list(pool.map(lambda path: judge(compiler, path), files))
            results += pool.map(lambda each: judge_mistake(compiler, each[0], *each[1]), enumerate(table))
            results += [judge_mistake(compiler, option, text, "", option) for option, text in OPTIONS.items()]
    names = [path.name for path in files] + [code for _, code in table] + list(OPTIONS)
    failed = 0
    for name, wrong in zip(names, results):
        if wrong:
            failed += 1
            print(f"FAILED {name}: {wrong}")
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
