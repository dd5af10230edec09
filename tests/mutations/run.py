#!/usr/bin/env python3
"""Plants each bug of *.faults into a copy of the library and shows which test notices it; at least 19 of 20 have to be noticed.

The test that noticed.json names, where a bug was noticed or is expected to be, is tried first; then every ring, each until its first failure.
It works in an unpacked archive as well as in a repository.
usage: run.py [--build FOLDER] [--jobs N] [--only NAME] [--resume] [--remember] [--programs 240] [--limit 300]"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import shlex
import shutil
import queue
import re
import subprocess
import sys
import threading
import time

import faults
from faults import HERE, LAYERS, ROOT

NOTICED = os.path.join(HERE, "noticed.json")
# What tests the machine rather than the compiler is slow and meets no mutation.
OTHERS = "*disk_cache*,*thread_team*,*host_compiler*,*memory_pool*,*environment*,*sha256*,*blas_test*,*npy*,*processes*"
# Kernels' texts, which are compiled: after everything else.
SLOW = "*cuda_compile*,*text_test*,*nvrtc*,*function_test*"
RANDOM, RINGS = "sinter_random_programs", ["sinter_test_pure", "sinter_test_host", "sinter_test_device"]
EMULATED = re.compile(r"^(sinter_emulated_\w+): ", re.M)  # the targets that stand in for a GPU's libraries


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def must(command, **options):
    r = run(command, **options)
    if r.returncode:
        sys.exit(f"$ {shlex.join(command)}\n{r.stdout[-4000:]}\n0 passed, 1 failed")


def digest_of(folders):
    """What a verdict depends on besides the bug."""
    h = hashlib.sha256()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(ROOT, folder, "**"), recursive=True)):
            if path.endswith((".hpp", ".ipp", ".def", ".cuh", ".hxx", ".cpp", ".txt")):
                with open(path, "rb") as f:
                    h.update(path.encode() + hashlib.sha256(f.read()).digest())
    return h.hexdigest()


class Workshop:
    """The unharmed tests, compiled once; what is planted is compiled and linked anew."""

    def __init__(self, arguments):
        self.build, self.limit, self.programs = os.path.abspath(arguments.build), arguments.limit, arguments.programs
        self.work = os.path.join(self.build, "planted")
        os.makedirs(self.work, exist_ok=True)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
            must(["cmake", "-S", ROOT, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O0 -g0",
                  "-DSINTER_BUILD_EXAMPLES=OFF", "-DSINTER_BUILD_BENCH=OFF"] + cache)
        emulated = EMULATED.findall(run(["ninja", "-C", self.build, "-t", "targets", "all"]).stdout)
        self.has_device = bool(emulated)
        must(["cmake", "--build", self.build, "-j", str(arguments.jobs), "--target", RANDOM] + RINGS + emulated)
        with open(os.path.join(self.build, "compile_commands.json")) as f:
            self.commands = {os.path.normpath(e["file"]): shlex.split(e["command"]) for e in json.load(f)}
        self.library = next(f for f in self.commands if f.startswith(os.path.join(self.build, "compiled") + os.sep))
        self.unharmed, self.lock = {}, threading.Lock()
        self.plain = {layer: os.path.join(self.work, f"plain_{layer}.o") for layer in LAYERS}
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for wrong in pool.map(lambda layer: self.compile_bodies(ROOT, layer, self.plain[layer]), LAYERS):
                if wrong:
                    sys.exit(f"{wrong}\n0 passed, 1 failed")

    def compile(self, source, of, tree, to):
        """A source with the flags of another, against the headers of a tree; without optimisation. None, or what is wrong."""
        words = self.commands[of]
        words = words[: words.index("-o")]
        words = [w.replace(ROOT + "/", tree + "/", 1) if w.startswith("-I" + ROOT + "/") and w[2 + len(ROOT) + 1:] in LAYERS else w
                 for w in words]
        # What is compiled once must call what is planted, not a function of its own beside it.
        r = run(words + ["-O0", "-g0", "-fsemantic-interposition", "-o", to, "-c", source])
        return r.stdout[-1500:] if r.returncode else None

    def compile_bodies(self, tree, layer, to, bodies=()):
        """Some bodies of an include root, or all, as one object."""
        base = os.path.join(tree, layer)
        if not bodies:
            bodies = sorted(os.path.relpath(os.path.join(d, f), base) for d, _, files in os.walk(base) for f in files if f.endswith(".ipp"))
        source = to.removesuffix(".o") + ".cpp"
        with open(source, "w") as f:
            f.writelines(f"#include <{b}>\n" for b in bodies)
        return self.compile(source, self.library, tree, to)

    def objects_of(self, target):
        """What a test program is linked of, besides the library."""
        link = run(["ninja", "-C", self.build, "-t", "commands", "-s", f"tests/{target}"]).stdout
        return [os.path.join(self.build, word) for word in shlex.split(link) if word.endswith(".o")]

    def fails_unharmed(self, bench, target, options):
        """What fails of a test without a mutation, or None; found out once."""
        key = (target, tuple(options))
        with self.lock:
            is_first = key not in self.unharmed
            answer = self.unharmed.setdefault(key, concurrent.futures.Future())
        if is_first:
            try:
                answer.set_result(bench.failure(target, options, list(self.plain.values()), 10 * self.limit))
            except BaseException as e:
                answer.set_exception(e)
        return answer.result()


class Bench:
    """A place in the workshop with a folder and cores of its own, where one mutation at a time is planted and tested."""

    def __init__(self, shop, number, count):
        self.shop, self.folder = shop, os.path.join(shop.work, str(number))
        os.makedirs(self.folder, exist_ok=True)
        cores = sorted(os.sched_getaffinity(0))
        share = max(2, len(cores) // count)
        self.cores = sorted({cores[(number * share + i) % len(cores)] for i in range(share)})

    def link(self, target, objects, replaced=None):
        own = [o for o in self.shop.objects_of(target) if not replaced or not o.endswith("/" + replaced + ".o")]
        program = os.path.join(self.folder, target)
        compiler = next(w for w in self.shop.commands[self.shop.library] if "ccache" not in w)
        linker = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
        # The first of several functions is taken: what is compiled anew stands first.
        must([compiler, "-o", program, "-Wl,--allow-multiple-definition"] + linker + objects + own + ["-ldl", "-lpthread"])
        return program

    def failure(self, target, options, objects, limit, replaced=None):
        """What failed first, or None; a test that does not end in time has noticed nothing."""
        program = self.link(target, objects, replaced)
        environment = dict(os.environ, SINTER_CACHE_DIR=os.path.join(self.shop.work, "cache"))
        for name in ("SINTER_TEST_FULL", "SINTER_REQUIRE_DEVICE"):  # the emulated driver is no device that is required
            environment.pop(name, None)
        if target == RINGS[2]:
            home = os.path.join(self.shop.build, "emulated")
            environment.update(CUDA_HOME=home, LD_LIBRARY_PATH=home + "/lib64", SINTER_EMULATED_CACHE=self.folder + "/emulated")
        if target == RANDOM:
            options = options + ["--jobs", str(len(self.cores))]
        pin = ["taskset", "-c", ",".join(map(str, self.cores))] if shutil.which("taskset") else []
        r = run(pin + ["timeout", "--kill-after=5", str(limit), program] + options, env=environment)
        os.remove(program)
        if r.returncode in (0, 124):
            return None if r.returncode == 0 or limit == self.shop.limit else f"no end within {limit} s"
        return first_failure(r.stdout) or f"status {r.returncode}"

    def noticed(self, target, options, objects, replaced=None):
        """What failed first, and fails only with the bug."""
        failed = self.failure(target, options, objects, self.shop.limit, replaced)
        if failed:
            alone = only(failed, options)
            unharmed = self.shop.fails_unharmed(self, target, alone)
            if unharmed:
                sys.exit(f"{target} {shlex.join(alone)} fails without a mutation: {unharmed}\n0 passed, 1 failed")
        return failed

    def plant(self, fault, tree):
        """The objects with a bug, or what is wrong with it."""
        for layer in LAYERS:
            shutil.copytree(os.path.join(ROOT, layer), os.path.join(tree, layer))
        try:
            files = faults.plant(fault, tree)
        except faults.DoesNotFit as e:
            return None, str(e)
        objects, changed = dict(self.shop.plain), []
        for layer in LAYERS:
            bodies = [f[len(layer) + 1:] for f in files if f.startswith(layer + "/")]
            if not bodies:
                continue
            planted = os.path.join(tree, layer + ".o")
            # A body by itself is compiled faster, where it does not need what others declare.
            if all(b.endswith(".ipp") for b in bodies) and not self.shop.compile_bodies(tree, layer, planted, bodies):
                changed.append(planted)
                continue
            wrong = self.shop.compile_bodies(tree, layer, planted)
            if wrong:
                return None, wrong
            objects[layer] = planted
        return changed + list(objects.values()), None

    def find_killer(self, objects, known, tree):
        if known:
            options, first, replaced = known_options(known), [], None
            if "compiled_again" in known:  # the test has inline functions of its own that the bug is in
                source = os.path.join(ROOT, "tests", known["compiled_again"])
                first, replaced = [os.path.join(tree, "test.o")], os.path.basename(source)
                if self.shop.compile(source, source, tree, first[0]):
                    return None, None
            failed = self.noticed(known["program"], options, first + objects, replaced)
            if failed or replaced:
                return known["program"], failed
        tests = [(RINGS[0], ["--abort-after=1", "--source-file-exclude=" + SLOW]),
                 (RANDOM, ["--brief", "--step", "64", "--count", str(self.shop.programs)])]
        tests += [(r, ["--abort-after=1", "--source-file-exclude=" + OTHERS]) for r in RINGS if self.shop.has_device or r != RINGS[2]]
        for target, options in tests:
            failed = self.noticed(target, options, objects)
            if failed:
                return target, failed
        return None, None

    def verdict(self, name, fault, known):
        """The program that noticed the bug and what failed in it; without one, what is wrong with the bug, if anything."""
        tree = os.path.join(self.shop.work, "tree_" + name)
        shutil.rmtree(tree, ignore_errors=True)
        try:
            objects, wrong = self.plant(fault, tree)
            return self.find_killer(objects, known, tree) if objects else (None, "does not fit or compile:\n" + wrong)
        finally:
            shutil.rmtree(tree, ignore_errors=True)


def first_failure(output):
    """The random program or the test case that failed first; cases that only had something to say are named as well."""
    case = None
    for line in output.splitlines():
        if line.startswith("TEST CASE:"):
            case = line.strip()
        elif line.startswith("program ") or (case and " ERROR: " in line):
            return case or line.strip()
    return None


def only(failed, options):
    """The options that run just what failed."""
    if failed.startswith("TEST CASE:"):
        return ["--test-case=" + failed[len("TEST CASE:"):].strip().replace(",", "?")]
    if failed.startswith("program "):
        return ["--brief", "--first", failed.split()[1].rstrip(":"), "--count", "1"]
    return options


def known_options(known):
    """The options that run what noticed.json names: a test case, or a random program by its number."""
    if known["program"] == RANDOM:
        return ["--brief", "--first", str(known["case"]), "--count", "1"]
    return ["--abort-after=1", "--test-case=" + known["case"].replace(",", "?")]


def entry_of(by, what):
    """What noticed.json has to say of a bug, or None where no single test noticed it."""
    if what.startswith("TEST CASE:"):
        return {"program": by, "case": what.removesuffix(" (earlier)")[len("TEST CASE:"):].strip()}
    if what.startswith("program "):
        return {"program": by, "case": int(what.split()[1].rstrip(":"))}
    return None


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        return json.load(f)


def store(path, content):
    with open(path, "w") as f:
        json.dump(content, f, indent=1, sort_keys=True)
        f.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build/mutations"), help="may be a build folder that is there")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="of the build, and mutations tested side by side")
    parser.add_argument("--only", default="", help="parts of mutations' names, separated by commas")
    parser.add_argument("--resume", action="store_true", help="keep the verdicts of an earlier run of the same sources")
    parser.add_argument("--remember", action="store_true", help="write the test that noticed each bug to noticed.json")
    parser.add_argument("--programs", type=int, default=240)
    parser.add_argument("--limit", type=int, default=300, help="seconds per test program")
    arguments = parser.parse_args()
    start = time.time()
    shop = Workshop(arguments)
    print(f"built in {time.time() - start:.0f} s", flush=True)
    sources, verdicts = digest_of(LAYERS + ["tests"]), os.path.join(shop.work, "verdicts.json")
    earlier, known = load(verdicts) if arguments.resume else {}, load(NOTICED)
    benches = queue.SimpleQueue()
    for i in range(arguments.jobs):
        benches.put(Bench(shop, i, arguments.jobs))

    def judge(item):
        """Name, digest, the program that noticed it, what failed there, and the time that took."""
        begin, (name, fault) = time.time(), item
        digest = hashlib.sha256((repr(fault) + sources).encode()).hexdigest()
        if earlier.get(name, {}).get("of") == digest and earlier[name]["by"]:
            return name, digest, earlier[name]["by"], earlier[name]["what"].removesuffix(" (earlier)") + " (earlier)", 0
        bench = benches.get()
        try:
            by, what = bench.verdict(name, fault, known.get(name))
        finally:
            benches.put(bench)
        return name, digest, by, what, time.time() - begin

    chosen = [item for item in sorted(faults.read().items()) if any(part in item[0] for part in arguments.only.split(","))]
    killed = survived = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, digest, by, what, seconds in pool.map(judge, chosen):
            noticed = bool(by and what)
            killed += noticed
            survived += not noticed
            text = f"{by}: {what[:90]}" if noticed else what or "SURVIVED"
            print(f"{name:36} {text}  ({seconds:.0f} s; {killed} killed, {survived} survived)", flush=True)
            earlier[name] = {"of": digest, "by": by if what else None, "what": what}
            store(verdicts, earlier)
            if noticed and entry_of(by, what) and "compiled_again" not in known.get(name, {}):
                known[name] = entry_of(by, what)
    if arguments.remember:
        store(NOTICED, {name: known[name] for name in sorted(known)})
    print(f"{killed} killed, {survived} survived in {time.time() - start:.0f} s\n{killed} passed, {survived} failed")
    return survived * 20 > killed + survived


sys.exit(main())
