#!/usr/bin/env python3
"""Plants each bug of *.patch into a copy of the library and shows which test notices it; every one has to be noticed."""
import argparse
import glob
import json
import os
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LAYERS = ["codegen", "runtime", "include"]
# What tests the machine rather than the compiler is slow and meets no mutation.
OTHERS = "*disk_cache*,*thread_team*,*host_compiler*,*memory_pool*,*environment*,*sha256*,*blas_test*,*npy*"
TARGETS = ["sinter_random_programs", "sinter_test_pure", "sinter_test_host"]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def build_tests(build):
    """The unharmed tests without optimisation; bugs are planted in bodies only, so that tests are compiled once."""
    configure = ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O0 -g0",
                 "-DSINTER_BUILD_EXAMPLES=OFF", "-DSINTER_BUILD_BENCH=OFF"]
    for command in (configure, ["cmake", "--build", build, "--target"] + TARGETS):
        r = run(command)
        if r.returncode:
            sys.exit(r.stdout[-4000:] + "\n0 passed, 1 failed")


def compile_command(build):
    with open(os.path.join(build, "compile_commands.json")) as f:
        for entry in json.load(f):
            if entry["file"].endswith("compiled/sinter.cpp"):
                words = shlex.split(entry["command"])
                return words[: words.index("-o")]
    sys.exit("no command for sinter::compiled")


def compile_layer(words, tree, layer, folder):
    """The bodies of one include root as one object."""
    base = os.path.join(tree, layer)
    bodies = sorted(os.path.relpath(os.path.join(d, f), base) for d, _, files in os.walk(base) for f in files if f.endswith(".ipp"))
    source = os.path.join(folder, layer + ".cpp")
    with open(source, "w") as f:
        f.writelines(f"#include <{b}>\n" for b in bodies)
    words = [w.replace(ROOT + "/", tree + "/", 1) if w.startswith("-I" + ROOT + "/") else w for w in words]
    return run(words + ["-o", os.path.join(folder, layer + ".o"), "-c", source])


def link(words, build, target, objects, folder):
    own = glob.glob(os.path.join(build, "tests/CMakeFiles", target + ".dir", "**/*.o"), recursive=True)
    if "test_" in target:
        own += glob.glob(os.path.join(build, "tests/CMakeFiles/sinter_test_main.dir", "**/*.o"), recursive=True)
    program = os.path.join(folder, target)
    r = run([words[0], "-o", program] + own + objects + ["-ldl", "-lpthread"])
    if r.returncode:
        sys.exit(r.stdout[-4000:])
    return program


def tests_of(arguments):
    return [("random programs", TARGETS[0], ["--brief", "--step", "64", "--count", str(arguments.programs)]),
            ("pure ring", TARGETS[1], ["--abort-after=1"]),
            ("host ring", TARGETS[2], ["--abort-after=1", "--source-file-exclude=" + OTHERS])]


def noticed_by(arguments, words, folder, objects, environment, limit):
    """What failed first; a test that does not end in time has noticed nothing."""
    for name, target, options in tests_of(arguments):
        program = link(words, arguments.build, target, objects, folder)
        try:
            r = run(["timeout", "--kill-after=5", str(limit), program] + options, env=environment)
        finally:
            os.remove(program)
        if r.returncode == 124 and limit > arguments.limit:
            return f"{name}: no end within {limit} s"
        if r.returncode not in (0, 124):
            lines = [l for l in r.stdout.splitlines() if l.startswith(("program ", "TEST CASE:"))]
            return f"{name}: {lines[0].strip()[:90]}" if lines else f"{name}: status {r.returncode}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build/mutations"))
    parser.add_argument("--only", default="", help="part of a mutation's name")
    parser.add_argument("--programs", type=int, default=240)
    parser.add_argument("--limit", type=int, default=300, help="seconds per test program")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    start = time.time()
    build_tests(arguments.build)
    words = compile_command(arguments.build)
    plain = os.path.join(arguments.build, "plain")
    os.makedirs(plain, exist_ok=True)
    for layer in LAYERS:
        r = compile_layer(words, ROOT, layer, plain)
        if r.returncode:
            sys.exit(r.stdout[-4000:] + "\n0 passed, 1 failed")
    objects = {layer: os.path.join(plain, layer + ".o") for layer in LAYERS}
    environment = dict(os.environ, SINTER_CACHE_DIR=os.path.join(arguments.build, "cache"))
    environment.pop("SINTER_TEST_FULL", None)
    trouble = noticed_by(arguments, words, plain, list(objects.values()), environment, 10 * arguments.limit)
    if trouble:
        sys.exit(f"the tests fail without a mutation: {trouble}\n0 passed, 1 failed")
    print(f"without mutation: every test passes, {time.time() - start:.0f} s", flush=True)
    killed = survived = 0
    for patch in sorted(glob.glob(os.path.join(HERE, "*.patch"))):
        name = os.path.basename(patch)[:-6]
        if arguments.only not in name:
            continue
        begin = time.time()
        tree = os.path.join(arguments.build, "tree")
        shutil.rmtree(tree, ignore_errors=True)
        for layer in LAYERS:
            shutil.copytree(os.path.join(ROOT, layer), os.path.join(tree, layer))
        # Outside of a repository `git apply` changes files wherever they are.
        r = run(["git", "apply", patch], cwd=tree, env=dict(os.environ, GIT_CEILING_DIRECTORIES=arguments.build))
        touched = [layer for layer in LAYERS if f"a/{layer}/" in open(patch).read()]
        for layer in touched if r.returncode == 0 else []:
            r = compile_layer(words, tree, layer, tree)
        if r.returncode:
            print(f"{name:36} does not apply or compile:\n{r.stdout[-1500:]}", flush=True)
            survived += 1
            continue
        mixed = [os.path.join(tree, l + ".o") if l in touched else objects[l] for l in LAYERS]
        killer = noticed_by(arguments, words, tree, mixed, environment, arguments.limit)
        killed += killer is not None
        survived += killer is None
        print(f"{name:36} {killer or 'SURVIVED'}  ({time.time() - begin:.0f} s)", flush=True)
    print(f"{killed} passed, {survived} failed")
    return survived != 0


sys.exit(main())
