"""The recipe for Spack 1.0 and newer, for a repository of one's own: copy it into packages/sinter there.

SINTER_REPOSITORY is sinter's address."""
import os

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage


class Sinter(CMakePackage):
    """C++20 arrays with NumPy's names, fused into single kernels on GPU and CPU."""

    git = os.environ.get("SINTER_REPOSITORY", "")
    license("BSL-1.0")

    version("main", branch="main")

    variant("cuda", default=True, description="Headers of CUDA, for programs that use a GPU")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cuda@12:", when="+cuda")
    depends_on("openblas threads=pthreads", type="run")
    depends_on("fftw precision=float,double", type="run")
    conflicts("%gcc@:11", msg="C++20 of g++ 12 or newer")
    conflicts("%clang@:13", msg="C++20 of clang 14 or newer")

    def cmake_args(self):
        parts = [self.define(f"SINTER_BUILD_{part}", False) for part in ("TESTS", "EXAMPLES", "BENCH")]
        return parts + [self.define_from_variant("SINTER_CUDA", "cuda")]
