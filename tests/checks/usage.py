#!/usr/bin/env python3
"""Builds and runs a user's program in each documented way: installed package, subdirectory, bare compiler, sinter-config, kernels linked in,
single header; and one that is compiled with -ffast-math, which changes nothing of what sinter computes. `--part P --of 2` leaves out every second of
those that compile all of sinter."""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSUMER = ROOT / "tests" / "consumer"
# The linker names threads and dl explicitly for the C libraries where they are libraries of their own.
LIBRARIES = ["-pthread", "-ldl"]


class Checks:
    def __init__(self, compiler, build, options):
        self.compiler = compiler
        self.options = options
        self.build = build
        self.work = build / "usage"
        self.library = None  # the options of sinter-config's
        self.plain = []  # the objects of a header-only program
        self.passed = self.failed = 0

    def run(self, *command, cwd=None, environment=None):
        done = subprocess.run([str(word) for word in command], cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
        if done.returncode != 0:
            raise RuntimeError(f"$ {shlex.join(str(word) for word in command)}\n" + done.stdout[-4000:])
        return done.stdout

    def check(self, name, steps):
        begin = time.monotonic()
        try:
            steps()
            self.passed += 1
            print(f"ok      {name}, {time.monotonic() - begin:.0f} s", flush=True)
        except (RuntimeError, OSError) as wrong:
            self.failed += 1
            print(f"FAILED  {name}\n{wrong}", flush=True)

    # With -ffast-math throughout, for a program that shows what that does.
    def configure(self, source, build, *options, flags="-O0 -ffast-math"):
        shutil.rmtree(build, ignore_errors=True)
        self.run("cmake", "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={self.compiler}",
                 "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=" + " ".join([flags, *self.options]), "-DCMAKE_CXX_FLAGS_DEBUG=", *options)

    def installed(self):
        prefix = self.work / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        self.run("cmake", "--install", self.build, "--prefix", prefix)
        self.configure(CONSUMER / "find_package", self.work / "find_package", f"-DCMAKE_PREFIX_PATH={prefix}")

    def found(self):
        build = self.work / "find_package"
        self.run("cmake", "--build", build)
        self.run(build / "compiled")
        self.under_fast_math(build, "header_only")

    def fetched(self):
        self.configure(CONSUMER / "fetch_content", self.work / "fetch_content", f"-DSINTER_SOURCE={ROOT}")

    def pkg_config(self):
        prefix = self.work / "prefix_of_pkg_config"
        shutil.rmtree(prefix, ignore_errors=True)
        self.run("cmake", "--install", self.build, "--prefix", prefix)
        environment = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "share" / "pkgconfig")}
        flags = self.run("pkg-config", "--cflags", "--libs", "sinter", environment=environment).split()
        self.run(self.compiler, "-std=c++20", "-fsyntax-only", "-DSINTER_COMPILED", CONSUMER / "main.cpp", *flags)
        self.run("cmake", "--build", self.build, "--target", "uninstall")
        left = [path for path in prefix.rglob("*") if path.is_file() or path.name == "sinter"]
        if left:
            raise RuntimeError(f"uninstall leaves {len(left)}, such as {left[0]}")

    def subdirectory(self):
        build = self.work / "add_subdirectory"
        self.configure(CONSUMER / "add_subdirectory", build, f"-DSINTER_SOURCE={ROOT}")
        self.run("cmake", "--build", build)
        self.run(build / "consumer")
        self.under_fast_math(build, "fast_math")

    def under_fast_math(self, build, program):
        for backend in ("host", "interpreter"):
            shown = self.run(build / program, self.work / "fast_math.txt", environment={**os.environ, "SINTER_BACKEND": backend})
            if "this thread flushes subnormal numbers" not in shown:
                raise RuntimeError(f"{program} was not linked with -ffast-math, so that it shows nothing")

    def without_boost(self):
        roots = [f"-I{ROOT / name}" for name in ("include", "runtime", "codegen")]
        headers = sorted(h.name for h in (ROOT / "include" / "sinter").glob("*.hpp"))
        need_it = ["distributed_records.hpp", "parameters.hpp", "records.hpp"]
        for chosen in ([h for h in headers if h not in need_it], need_it):
            source = self.work / "headers.cpp"
            source.write_text("".join(f"#include <sinter/{h}>\n" for h in chosen))
            opens = "/boost/" in self.run(self.compiler, "-std=c++20", *roots, "-M", source)
            if opens != (chosen == need_it):
                raise RuntimeError(f"{', '.join(chosen)}: headers of Boost are {'opened' if opens else 'not found: install libboost-dev'}")

    # Two at once of which one compiles; what is installed finds the same library, by the sources' texts.
    def config(self):
        folder = self.work / "config"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        environment = {**os.environ, "SINTER_CACHE_DIR": str(folder / "cache")}
        options = ["--cxx", self.compiler, "--opt", "-O0"]
        command = [ROOT / "include" / "sinter-config", "--libs", *options]
        both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        (first, log), (second, other_log) = (process.communicate() for process in both)
        if first != second or (log + other_log).count("] compiling sinter") != 1:
            raise RuntimeError(f"two at once printed\n{first}{second}and said\n{log}{other_log}")
        installed = self.work / "prefix" / "bin" / "sinter-config"
        strict = ["-O1", "-Wall", "-Wextra", "-Werror", "-Winvalid-pch"]
        for own in ([], strict):
            shown = self.run(installed, "--pch" if own else "--flags", *options, *own, environment=environment)
            if "] compiling sinter" in shown or first.split()[0] not in shown:
                raise RuntimeError(f"the installed sinter-config printed\n{shown}and not the library of the source tree's")
            flags = shown.splitlines()[-1].split()
            self.run(self.compiler, CONSUMER / "main.cpp", "-o", folder / "program", *flags)
            self.run(folder / "program")
        spaced = folder / "a path with a space"
        for name in ("include", "runtime", "codegen"):
            shutil.copytree(ROOT / name, spaced / name)
        shown = self.run(spaced / "include" / "sinter-config", "--flags", *options, environment=environment)
        if "] compiling sinter" in shown or first.split()[0] not in shown:
            raise RuntimeError(f"sinter-config in {spaced} printed\n{shown}and not the library of the source tree's")
        self.run(self.compiler, CONSUMER / "main.cpp", "-o", folder / "program", *shown.split())
        self.library = shown.split()
        for wrong, words in ((["--cxx", "/nonexistent/c++"], "no compiler"), (["--cuda", "/nonexistent"], "are not there"), (["x"], "no option")):
            done = subprocess.run([installed, "--flags", *wrong], env=environment, capture_output=True, text=True)
            if done.returncode == 0 or done.stdout or "[sinter-config]" not in done.stderr or words not in done.stderr:
                raise RuntimeError(f"sinter-config {wrong} printed {done.stdout!r} and said {done.stderr!r}")

    def packed(self):
        folder = self.work / "packed"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        host = {"SINTER_BACKEND": "host", "SINTER_CACHE_DIR": str(folder / "cache")}
        program = self.work / "config" / "program"
        self.run(program, environment={**host, "PATH": os.environ["PATH"], "SINTER_RECORD": str(folder / "pack.bin")})
        self.run("ld", "-r", "-b", "binary", "-z", "noexecstack", "-o", "pack.o", "pack.bin", cwd=folder)
        compiled = self.library or ["-std=c++20", *(f"-I{ROOT / name}" for name in ("include", "runtime", "codegen")), *LIBRARIES]
        self.run(self.compiler, CONSUMER / "packed.cpp", folder / "pack.o", "-o", folder / "packed", "-Wall", "-Wextra", *compiled)
        none = {**host, "SINTER_CACHE_DIR": str(folder / "empty"), "PATH": "", "SINTER_CXX": "/nonexistent/c++"}
        self.run(folder / "packed", environment=none)
        if subprocess.run([program], env=none, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            raise RuntimeError("the program without a pack needs no compiler either")

    def compiled_of_single(self, source, name, *options):
        folder = self.work / "single"
        self.run(self.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{folder}", *self.options, *options, "-c", CONSUMER / source,
                 "-o", folder / name)
        return folder / name

    def linked_of_single(self, *objects):
        self.run(self.compiler, *objects, "-o", self.work / "single" / "program", *LIBRARIES)

    def header_only(self):
        folder = self.work / "single"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "sinter").mkdir(parents=True)
        self.run(sys.executable, ROOT / "tests" / "single_header.py", folder / "sinter" / "sinter.hpp")
        self.plain = [self.compiled_of_single("header_only_twin.cpp", "twin.o")]

    # Beside the object that the single header has made, with all bodies in both: what is defined twice and is not inline would show.
    def bare(self):
        if not self.plain:
            raise RuntimeError("not without the object of the single header")
        folder = self.work / "one_line"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        roots = [f"-I{name}" for name in ("include", "runtime", "codegen")]
        self.run(self.compiler, "-std=c++20", "-save-temps=obj", *self.options, *roots, CONSUMER / "header_only.cpp", *self.plain, "-o",
                 folder / "program", *LIBRARIES, cwd=ROOT)
        self.run(folder / "program")
        self.plain = [*folder.glob("*header_only.o"), *self.plain]

    # Bodies in one file for others of declarations; files of both ways, or of other bodies, are refused.
    def single(self):
        compiled = self.compiled_of_single
        if len(self.plain) != 2:
            raise RuntimeError("not without what is compiled header-only")

        def refused(words, *objects):
            try:
                self.linked_of_single(*objects)
            except RuntimeError as wrong:
                if words not in str(wrong):
                    raise
            else:
                raise RuntimeError(f"files that do not fit were linked: {shlex.join(map(str, objects))}")

        declared = [compiled("header_only.cpp", "declared_main.o", "-DSINTER_COMPILED"),
                    compiled("header_only_twin.cpp", "declared_twin.o", "-DSINTER_COMPILED")]
        bodies = compiled("implementation.cpp", "implementation.o")
        self.linked_of_single(*declared, bodies)
        self.run(self.work / "single" / "program")
        refused("sinter_bodies_are_in_every_file_or_compiled_once", self.plain[0], declared[1], bodies)
        refused("sinter_bodies_are_in_every_file_or_compiled_once", declared[0], self.plain[1], bodies)
        other = compiled("header_only_twin.cpp", "other_twin.o", "-DSINTER_COMPILED", "-D_GLIBCXX_DEBUG")
        refused("sinter_bodies_", declared[0], other, bodies)

    def readme(self):
        folders = [word.removeprefix("-L") for word in self.library or [] if word.startswith("-L")]
        library = [f"--library={folders[0]}/libsinter.a"] if folders else []
        self.run(sys.executable, ROOT / "tests" / "checks" / "readme", "--compiler", shlex.join([self.compiler, *self.options]), *library)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="a configured build folder of sinter")
    parser.add_argument("--options", type=shlex.split, default=[], help="more of the compiler's, which change nothing of what it makes")
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--of", type=int, default=1)
    arguments = parser.parse_args()
    checks = Checks(arguments.compiler, arguments.build.resolve(), arguments.options)
    checks.work.mkdir(parents=True, exist_ok=True)
    for name, steps, part in (
            ("cmake --install and a project that is configured with it", checks.installed, None),
            ("find_package(sinter), compiled once and header-only, under -ffast-math", checks.found, 0),
            ("pkg-config and uninstall", checks.pkg_config, None),
            ("FetchContent brings nothing else", checks.fetched, None),
            ("add_subdirectory(sinter), under -ffast-math", checks.subdirectory, 1),
            ("the single header: bodies in every file", checks.header_only, 1),
            ("one g++ line with three -I, beside a file of the single header", checks.bare, 1),
            ("headers of Boost are opened for records and sets of parameters alone", checks.without_boost, None),
            ("one g++ line with sinter-config", checks.config, None),
            ("kernels linked in and no compiler", checks.packed, None),
            ("the single header: bodies in one file", checks.single, 1),
            ("the code of the README files", checks.readme, None)):
        if part is None or part % arguments.of == arguments.part:
            checks.check(name, steps)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
