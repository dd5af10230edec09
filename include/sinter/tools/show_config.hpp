// show_config: versions, devices, libraries and settings as sinter finds them.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <iosfwd>
#include <string>
#include <utility>

namespace sinter::inline SINTER_ABI {

/// What show_config() found; prints as text.
class configuration {
public:
    explicit configuration(std::string text) : text_(std::move(text)) {}
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

std::ostream& operator<<(std::ostream& out, const configuration& c);

/// What sinter runs with, to be printed: `std::cout << show_config();`. Versions of sinter, of CUDA's headers, driver
/// and libraries, of OpenBLAS, FFTW, NCCL, cuBLASMp, the program's MPI with its ScaLAPACK and the compiler of CPU
/// kernels; the GPUs, the CPU, threads and memory; which library was found where, or where it was looked for; the cache
/// folder; every environment variable. Libraries are loaded to ask for their versions; no device is opened. Throws
/// value_error for a malformed variable. numpy.show_config, cupy.show_config.
[[nodiscard]] configuration show_config();

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/tools/show_config.ipp>
#endif
