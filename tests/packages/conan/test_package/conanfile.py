"""Builds and runs the program of all packages with Conan's."""
import pathlib

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy


class Program(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        copy(self, "*", pathlib.Path(self.recipe_folder).resolve().parents[1] / "program", pathlib.Path(self.build_folder) / "source")
        cmake = CMake(self)
        cmake.configure(build_script_folder=str(pathlib.Path(self.build_folder) / "source"))
        cmake.build()

    def test(self):
        if can_run(self):
            self.run("./program", env="conanrun", cwd=self.build_folder)
