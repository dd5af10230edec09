#!/usr/bin/env python3
"""Runs the array API standard's own tests against sinter, by a module of Python's that is built for them, and compares the list
of what fails with failures.txt: run.py [--build FOLDER] [--suite FOLDER] [--backend host|interpreter] [--only WORDS] [--update] [--examples N]."""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PUBLISHED = "https://github.com/data-apis/array-api-tests"
PACKAGES = ["nanobind==3.1.0", "numpy==2.4.6", "pytest==9.2.0", "hypothesis==6.170.17", "ndindex==1.10.1",
            "pytest-json-report==1.5.0"]
MODULE = "sinter_array_api_parts"

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
parser.add_argument("--suite", type=pathlib.Path, help="the tests themselves; also by the variable ARRAY_API_TESTS")
parser.add_argument("--backend", choices=["host", "interpreter"], action="append", help="by default both")
parser.add_argument("--only", help="tests with these words, as pytest's -k; nothing is compared")
parser.add_argument("--examples", type=int, default=20, help="of each test; another number than 20 finds other failures")
parser.add_argument("--update", action="store_true", help="write what fails to failures.txt, new lines without a reason")
parser.add_argument("--module", choices=["sinter", "numpy"], default="sinter", help="numpy: what NumPy passes, for comparison")
options = parser.parse_args()
work = options.build.resolve() / "array_api"


def suite():
    """The folder of the tests, or none."""
    named = [options.suite, os.environ.get("ARRAY_API_TESTS"), work / "array-api-tests"]
    for folder in named:
        if folder and (pathlib.Path(folder) / "array_api_tests").is_dir():
            return pathlib.Path(folder).resolve()


def environment():
    """The interpreter of an environment with the packages, of these versions."""
    python, stamp = work / "venv" / "bin" / "python", work / "venv" / "packages.txt"
    if not stamp.exists() or stamp.read_text().split() != PACKAGES:
        subprocess.run([sys.executable, "-m", "venv", "--clear", work / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES], check=True)
        stamp.write_text("\n".join(PACKAGES))
    return python


def compiling():
    """How the library's own build compiles a shared library that uses it, but for the file's names."""
    for command in json.loads((options.build / "compile_commands.json").read_text()):
        if command["file"].endswith("tests/exchange/library.cpp"):
            words = shlex.split(command["command"])
            return words[:words.index("-o")]
    sys.exit("The build folder is not configured with tests.")


def build(python):
    """The compiled module beside its face in Python."""
    package = subprocess.run([python, "-c", "import nanobind; print(nanobind.__path__[0])"], check=True, text=True,
                             capture_output=True).stdout.strip()
    command = compiling()
    includes = [f"-isystem{d}" for d in (sysconfig.get_path("include"), f"{package}/include", f"{package}/ext/robin_map/include")]
    own = [*command, *includes, "-fvisibility=hidden", "-DNDEBUG"]
    sources = sorted(HERE.glob("*.cpp"))
    compiler = next(word for word in command if pathlib.Path(word).name.split("-")[0] in ("g++", "c++", "clang++", "clang"))
    lines = ["rule compile", "  command = $flags -MMD -MF $out.d -o $out -c $in", "  depfile = $out.d", "rule link",
             f"  command = {compiler} -shared -o $out $in -pthread -ldl"]
    objects = []
    for source in [*sources, pathlib.Path(package) / "src" / "nb_combined.cpp"]:
        objects.append(f"{source.stem}.o")
        flags = [*own, "-fno-strict-aliasing", "-w"] if source.stem == "nb_combined" else own
        lines += [f"build {source.stem}.o: compile {source}", f"  flags = {shlex.join(flags)}"]
    lines.append(f"build {MODULE}.so: link {' '.join(objects)} {options.build.resolve() / 'libsinter.a'}")
    (work / "build.ninja").write_text("\n".join(lines) + "\n")
    subprocess.run(["ninja", "-C", work, "--quiet", "-k", "0", "-j", str(min(2, os.cpu_count() or 1))], check=True)


def fails(python, folder, backend):
    """How many tests passed, and the names of those that did not."""
    report = work / f"{backend}.xml"
    report.unlink(missing_ok=True)
    # What hypothesis remembers of other runs would be other examples.
    shutil.rmtree(work / ".hypothesis", ignore_errors=True)
    module = {"sinter": "sinter_array_api", "numpy": "numpy"}[options.module]
    variables = {**os.environ, "PYTHONPATH": f"{HERE}:{work}", "ARRAY_API_TESTS_MODULE": module, "PYTHONDONTWRITEBYTECODE": "1",
                 "PYTHONHASHSEED": "0",
                 "ARRAY_API_TESTS_VERSION": "2024.12", "SINTER_BACKEND": backend}
    words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "repeatable", "--disable-deadline", f"--max-examples={options.examples}",
             "--hypothesis-seed=0", f"--junitxml={report}", f"--rootdir={folder}", f"-c{folder}/pytest.ini"]
    if options.only:
        words += ["-k", options.only]
    with open(work / f"{backend}.txt", "w") as log:
        subprocess.run([*words, folder / "array_api_tests"], env=variables, stdout=log, stderr=subprocess.STDOUT, cwd=work)
    if not report.exists():
        sys.exit(f"pytest wrote no report: {work / f'{backend}.txt'}")
    passed, failed = 0, []
    for case in xml.parse(report).getroot().iter("testcase"):
        wrong = case.find("failure") is not None or case.find("error") is not None
        if wrong:
            failed.append(f"{case.get('classname').removeprefix('array_api_tests.')}::{case.get('name')}")
        passed += not wrong and case.find("skipped") is None
    return passed, sorted(failed)


def listed():
    """The failures that are known: names, for which backends, and why."""
    known = {}
    for line in (HERE / "failures.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(" | ")
            known[name] = reason
    return known


def belongs(reason, backend):
    return not re.match(r"(host|interpreter): ", reason) or reason.startswith(backend + ": ")


def main():
    folder = suite()
    if folder is None:
        print(f"The array API standard's tests are not on this machine: they are published at {PUBLISHED}; name their folder by "
              "--suite or ARRAY_API_TESTS. Not run.")
        return 0
    work.mkdir(parents=True, exist_ok=True)
    python = environment()
    if options.module == "sinter":
        build(python)
    known, wrong, total, found = listed(), 0, 0, {}
    for backend in options.backend or ["interpreter", "host"]:
        passed, failed = fails(python, folder, backend)
        print(f"{backend}: {passed} tests pass, {len(failed)} fail")
        found[backend] = failed
        total += passed
        if options.only or options.module == "numpy":
            print("\n".join(failed))
            continue
        expected = [name for name, reason in known.items() if belongs(reason, backend)]
        for name in sorted(set(failed) ^ set(expected)):
            wrong += 1
            print(f"FAILED {backend}: {name} " + ("fails and is not in failures.txt" if name in failed else "is in failures.txt and passes"))
        for name in expected:
            if not known[name]:
                wrong += 1
                print(f"FAILED {backend}: {name} has no reason in failures.txt")
    if options.update:
        head = [line for line in (HERE / "failures.txt").read_text().splitlines() if line.startswith("#")]
        names = sorted(set().union(*found.values()))
        (HERE / "failures.txt").write_text("\n".join(head + [f"{name} | {known.get(name, '')}" for name in names]) + "\n")
    print(f"{total} passed, {wrong} failed")
    return wrong != 0


sys.exit(main())
