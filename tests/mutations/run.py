#!/usr/bin/env python3
"""Plants each bug of *.patch into a copy of the library and shows which test notices it; at least 19 of 20 have to be noticed.

The test that noticed.json names, where a bug was noticed or is expected to be, is tried first; then every ring, each until its first failure.
usage: run.py [--build FOLDER] [--only NAME] [--resume] [--remember] [--programs 240] [--limit 300]"""
import argparse
import glob
import hashlib
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
NOTICED = os.path.join(HERE, "noticed.json")
# What tests the machine rather than the compiler is slow and meets no mutation.
OTHERS = "*disk_cache*,*thread_team*,*host_compiler*,*memory_pool*,*environment*,*sha256*,*blas_test*,*npy*,*processes*"
# Kernels' texts, which are compiled: after everything else.
SLOW = "*cuda_compile*,*text_test*,*nvrtc*,*function_test*"
RANDOM, RINGS = "sinter_random_programs", ["sinter_test_pure", "sinter_test_host", "sinter_test_device"]
EMULATED = ["sinter_emulated_driver", "sinter_emulated_nvrtc"]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)


def must(command, **options):
    r = run(command, **options)
    if r.returncode:
        sys.exit(f"$ {shlex.join(command)}\n{r.stdout[-4000:]}\n0 passed, 1 failed")


def digest_of(folders):
    """What a verdict depends on besides the patch."""
    h = hashlib.sha256()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(ROOT, folder, "**"), recursive=True)):
            if path.endswith((".hpp", ".ipp", ".def", ".cpp", ".txt")):
                with open(path, "rb") as f:
                    h.update(path.encode() + hashlib.sha256(f.read()).digest())
    return h.hexdigest()


class Workshop:
    """The unharmed tests, compiled once; bugs are planted in the library's bodies, which are compiled and linked anew."""

    def __init__(self, arguments):
        self.build, self.limit, self.programs = os.path.abspath(arguments.build), arguments.limit, arguments.programs
        self.work = os.path.join(self.build, "planted")
        os.makedirs(self.work, exist_ok=True)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
            must(["cmake", "-S", ROOT, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-O0 -g0",
                  "-DSINTER_BUILD_EXAMPLES=OFF", "-DSINTER_BUILD_BENCH=OFF"] + cache)
        self.has_device = "sinter_emulated_driver" in run(["ninja", "-C", self.build, "-t", "targets", "all"]).stdout
        emulated = EMULATED if self.has_device else []
        must(["cmake", "--build", self.build, "-j", str(arguments.jobs), "--target", RANDOM] + RINGS + emulated)
        with open(os.path.join(self.build, "compile_commands.json")) as f:
            self.commands = {os.path.normpath(e["file"]): shlex.split(e["command"]) for e in json.load(f)}
        self.plain = {}
        self.unharmed = {}
        for layer in LAYERS:
            self.plain[layer] = os.path.join(self.work, f"plain_{layer}.o")
            self.compile_bodies(ROOT, layer, self.plain[layer])

    def compile(self, source, of, tree, to):
        """A source with the flags of another, against the headers of a tree; without optimisation. None, or what is wrong."""
        words = self.commands[of]
        words = words[: words.index("-o")]
        words = [w.replace(ROOT + "/", tree + "/", 1) if w.startswith("-I" + ROOT + "/") and w[2 + len(ROOT) + 1:] in LAYERS else w
                 for w in words]
        r = run(words + ["-O0", "-g0", "-o", to, "-c", source])
        return r.stdout[-1500:] if r.returncode else None

    def compile_bodies(self, tree, layer, to, bodies=()):
        """Some bodies of an include root, or all, as one object."""
        base = os.path.join(tree, layer)
        if not bodies:
            bodies = sorted(os.path.relpath(os.path.join(d, f), base) for d, _, files in os.walk(base) for f in files if f.endswith(".ipp"))
        source = os.path.join(self.work, layer + ".cpp")
        with open(source, "w") as f:
            f.writelines(f"#include <{b}>\n" for b in bodies)
        return self.compile(source, os.path.join(self.build, "compiled/sinter.cpp"), tree, to)

    def link(self, target, objects, folder):
        own = []
        for t in [target] + (["sinter_test_main"] if "test_" in target else []) + (
                ["sinter_test_shared"] if target in RINGS[1:] else []):
            own += glob.glob(os.path.join(self.build, "tests/CMakeFiles", t + ".dir", "**/*.o"), recursive=True)
        program = os.path.join(folder, target)
        compiler = next(w for w in self.commands[os.path.join(self.build, "compiled/sinter.cpp")] if "ccache" not in w)
        linker = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
        # The first of several functions is taken: what is compiled anew stands first.
        must([compiler, "-o", program, "-Wl,--allow-multiple-definition"] + linker + objects + own + ["-ldl", "-lpthread"])
        return program

    def failure(self, target, options, objects, limit):
        """What failed first, or None; a test that does not end in time has noticed nothing."""
        program = self.link(target, objects, self.work)
        environment = dict(os.environ, SINTER_CACHE_DIR=os.path.join(self.work, "cache"))
        environment.pop("SINTER_TEST_FULL", None)
        if target == RINGS[2]:
            home = os.path.join(self.build, "emulated")
            environment.update(CUDA_HOME=home, LD_LIBRARY_PATH=home + "/lib64", SINTER_EMULATED_CACHE=self.work + "/emulated",
                               SINTER_REQUIRE_DEVICE="1")
        r = run(["timeout", "--kill-after=5", str(limit), program] + options, env=environment)
        os.remove(program)
        if r.returncode in (0, 124):
            return None if r.returncode == 0 or limit == self.limit else f"no end within {limit} s"
        lines = [l for l in r.stdout.splitlines() if l.startswith(("program ", "TEST CASE:"))]
        return lines[0].strip() if lines else f"status {r.returncode}"

    def require_unharmed(self, target, options):
        key = (target, tuple(options))
        if key not in self.unharmed:
            self.unharmed[key] = self.failure(target, options, list(self.plain.values()), 10 * self.limit)
        if self.unharmed[key]:
            sys.exit(f"{target} {shlex.join(options)} fails without a mutation: {self.unharmed[key]}\n0 passed, 1 failed")

    def noticed(self, target, options, objects):
        """What failed first, and fails only with the bug."""
        failed = self.failure(target, options, objects, self.limit)
        if failed:
            self.require_unharmed(target, only(failed, options))
        return failed

    def plant(self, patch):
        """The objects with a bug, or what is wrong with it."""
        tree = os.path.join(self.work, "tree")
        shutil.rmtree(tree, ignore_errors=True)
        for layer in LAYERS:
            shutil.copytree(os.path.join(ROOT, layer), os.path.join(tree, layer))
        # Outside of a repository `git apply` changes files wherever they are.
        r = run(["git", "apply", patch], cwd=tree, env=dict(os.environ, GIT_CEILING_DIRECTORIES=self.work))
        if r.returncode:
            return None, r.stdout
        objects = dict(self.plain)
        with open(patch) as f:
            files = [line[len("+++ b/"):].strip() for line in f if line.startswith("+++ b/")]
        changed = []
        for layer in LAYERS:
            bodies = [f[len(layer) + 1:] for f in files if f.startswith(layer + "/")]
            if not bodies:
                continue
            planted = os.path.join(self.work, layer + ".o")
            # A body by itself is compiled faster, where it does not need what others declare.
            if all(b.endswith(".ipp") for b in bodies) and not self.compile_bodies(tree, layer, planted, bodies):
                changed.append(planted)
                continue
            wrong = self.compile_bodies(tree, layer, planted)
            if wrong:
                return None, wrong
            objects[layer] = planted
        return changed + list(objects.values()), None

    def find_killer(self, objects, known):
        if known:
            options, first = ["--abort-after=1", "--test-case=" + known["case"].replace(",", "?")], []
            if "compiled_again" in known:  # the test has inline functions of its own that the bug is in
                source = os.path.join(ROOT, "tests", known["compiled_again"])
                first = [os.path.join(self.work, "test.o")]
                if self.compile(source, source, os.path.join(self.work, "tree"), first[0]):
                    return None, None
                return known["program"], self.noticed_in_part(known["program"], options, first + objects, source)
            failed = self.noticed(known["program"], options, objects)
            if failed:
                return known["program"], failed
        tests = [(RINGS[0], ["--abort-after=1", "--source-file-exclude=" + SLOW]), (RANDOM, ["--brief", "--step", "64", "--count", str(self.programs)])]
        tests += [(ring, ["--abort-after=1", "--source-file-exclude=" + OTHERS]) for ring in RINGS if self.has_device or ring != RINGS[2]]
        for target, options in tests:
            failed = self.noticed(target, options, objects)
            if failed:
                return target, failed
        return None, None

    def noticed_in_part(self, target, options, objects, source):
        """As noticed, of a program whose object of that source is replaced."""
        replaced = glob.glob(os.path.join(self.build, "tests/CMakeFiles", target + ".dir", "**", os.path.basename(source) + ".o"),
                             recursive=True)[0]
        os.rename(replaced, replaced + ".kept")
        try:
            failed = self.failure(target, options, objects, self.limit)
        finally:
            os.rename(replaced + ".kept", replaced)
        if failed:
            self.require_unharmed(target, only(failed, options))
        return failed


def only(failed, options):
    """The options that run just what failed."""
    if failed.startswith("TEST CASE:"):
        return ["--test-case=" + failed[len("TEST CASE:"):].strip().replace(",", "?")]
    if failed.startswith("program "):
        return ["--brief", "--only", failed.split()[1].rstrip(":")]
    return options


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
    parser.add_argument("--only", default="", help="part of a mutation's name")
    parser.add_argument("--resume", action="store_true", help="keep the verdicts of an earlier run of the same sources")
    parser.add_argument("--remember", action="store_true", help="write the test that noticed each bug to noticed.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of the build")
    parser.add_argument("--programs", type=int, default=240)
    parser.add_argument("--limit", type=int, default=300, help="seconds per test program")
    arguments = parser.parse_args()
    start = time.time()
    shop = Workshop(arguments)
    print(f"built in {time.time() - start:.0f} s", flush=True)
    sources, verdicts = digest_of(LAYERS + ["tests"]), os.path.join(shop.work, "verdicts.json")
    earlier, known = load(verdicts) if arguments.resume else {}, load(NOTICED)
    killed = survived = 0
    for patch in sorted(glob.glob(os.path.join(HERE, "*.patch"))):
        name = os.path.basename(patch)[:-6]
        if arguments.only not in name:
            continue
        begin = time.time()
        with open(patch, "rb") as f:
            digest = hashlib.sha256(f.read() + sources.encode()).hexdigest()
        if earlier.get(name, {}).get("of") == digest and earlier[name]["by"]:
            by, what = earlier[name]["by"], earlier[name]["what"] + " (earlier)"
        else:
            objects, wrong = shop.plant(patch)
            by, what = shop.find_killer(objects, known.get(name)) if objects else (None, "does not apply or compile:\n" + wrong)
            earlier[name] = {"of": digest, "by": by if what else None, "what": what}
            store(verdicts, earlier)
        noticed = bool(by and what)
        killed += noticed
        survived += not noticed
        print(f"{name:36} {by + ': ' + what[:90] if noticed else what or 'SURVIVED'}  ({time.time() - begin:.0f} s)", flush=True)
        if noticed and what.startswith("TEST CASE:") and "compiled_again" not in known.get(name, {}):
            known[name] = {"program": by, "case": what.removesuffix(" (earlier)")[len("TEST CASE:"):].strip()}
    if arguments.remember:
        store(NOTICED, {name: known[name] for name in sorted(known)})
    print(f"{killed} passed, {survived} failed")
    return survived * 20 > killed + survived


sys.exit(main())
