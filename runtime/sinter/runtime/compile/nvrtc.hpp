// NVRTC, found at run time: CUDA C++ text in, machine code out; must not need a device or the driver.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/base/library.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// Whether NVRTC is installed; otherwise `why` says where it was sought. Loads it (0.3 s) only when it is not found in
/// the usual folders.
bool nvrtc_available(std::string* why = nullptr);

/// NVRTC's file and the options it is given, a part of disk cache keys, found without loading it; without NVRTC, those
/// of the one used last, or an empty text.
std::string nvrtc_identity();

/// The architecture that code for compute capability `major.minor` is compiled for: `sm_90`, or `compute_XY` (PTX) when
/// NVRTC is older than the device; throws device_error without NVRTC, or when the device is too old for it.
std::string cuda_target(int major, int minor);

/// A module image for compute capability `major.minor`, with contraction off unless the options say otherwise, and
/// counts one compiled kernel; throws compile_error with log and numbered source, device_error without NVRTC.
std::string compile_cuda(const std::string& source, int major, int minor,
                         codegen::span<const std::string> options = {});

/// The same with `--Ofast-compile=mid`: half the time for code of the same bits that takes twice as long on average.
/// Empty where NVRTC has no such option, or could not be stopped in the middle of the full compilation that follows.
std::string compile_cuda_quickly(const std::string& source, int major, int minor,
                                 codegen::span<const std::string> options = {});

/// The same for text that users wrote as CUDA C++, with NVRTC's own defaults, C++20 and CUDA's headers where there are
/// some: the compiled name of a kernel, which may be a template's instance, a line break, and the image.
std::string compile_users_cuda(const std::string& source, const std::string& kernel,
                               codegen::span<const std::string> options, int major, int minor);

/// What has been loaded.
library_report nvrtc_report();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/nvrtc.ipp>
#endif
