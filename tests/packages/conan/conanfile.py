"""Conan's recipe: sinter's headers with their CMake package; conan create tests/packages/conan"""
import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy


class Sinter(ConanFile):
    name = "sinter"
    license = "BSL-1.0"
    description = "C++20 arrays with NumPy's names, fused into single kernels on GPU and CPU"
    topics = ("arrays", "numpy", "cuda", "gpu", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"cuda": [True, False]}
    default_options = {"cuda": True}

    def set_version(self):
        text = (self.root() / "codegen/sinter/codegen/base/config.hpp").read_text()
        self.version = re.search(r'#define SINTER_VERSION "(.*)"', text).group(1)

    def root(self):
        return pathlib.Path(self.recipe_folder).resolve().parents[2]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "codegen/*", "runtime/*", "include/*", "tests/single_header.py"):
            copy(self, pattern, self.root(), self.export_sources_folder)

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCH"):
            toolchain.variables[f"SINTER_BUILD_{part}"] = False
        toolchain.variables["SINTER_CUDA"] = bool(self.options.cuda)
        toolchain.variables["CMAKE_INSTALL_LIBDIR"] = "lib"
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        # The package's own configuration defines sinter::sinter and sinter::header_only.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/sinter"]
        self.cpp_info.bindirs = ["bin"]
        self.cpp_info.system_libs = ["pthread", "dl"]
