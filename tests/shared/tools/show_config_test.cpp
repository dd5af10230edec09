// show_config tells what there is.
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"

using namespace sinter;

static bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("show_config tells versions, devices, libraries and settings") {
    const std::string text = show_config().text();
    CAPTURE(text);
    CHECK(mentions(text, "sinter                0.1.0, built by "));
    for (const char* name : {"CUDA headers",
                             "CUDA driver",
                             "NVRTC",
                             "cuBLAS",
                             "cuSOLVER",
                             "cuFFT",
                             "cuRAND",
                             "cuTENSOR",
                             "OpenBLAS",
                             "FFTW (double)",
                             "FFTW (float)",
                             "zlib",
                             "libpng",
                             "NCCL",
                             "cuBLASMp",
                             "cuSOLVERMp",
                             "MPI",
                             "ScaLAPACK",
                             "compiler of kernels",
                             "CPU  ",
                             "threads",
                             "memory",
                             "arrays live on",
                             "cache of kernels"})
        CHECK_MESSAGE(mentions(text, "\n" + std::string(name)), name);
    for (const runtime::environment_variable& v : runtime::environment_variables())
        CHECK(mentions(text, "\n  " + std::string(v.name) + " "));
    std::ostringstream out;
    out << show_config();
    CHECK(out.str() == text);
    // Each library either has a file or the places where it was looked for.
    for (const runtime::library_report& l : runtime::library_reports()) {
        CAPTURE(l.name);
        CHECK(l.path.empty() == !l.why.empty());
        CHECK(mentions(text, l.path.empty() ? l.why.substr(0, l.why.find('\n')) : l.path));
    }
    if (is_device_executable) {
        CHECK(mentions(text, "\nGPU 0 "));
        CHECK(mentions(text, "compute capability "));
    }
}
