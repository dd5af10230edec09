// The libraries that sinter calls: where each is looked up, and what was found; must not know their functions.
#pragma once

#include <sinter/runtime/library.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Each is opened at its first use and stays open; it may be absent.
const shared_library& cublas_library();
const shared_library& cusolver_library();
const shared_library& cufft_library();
const shared_library& host_lapack_library();
const shared_library& fftw_library(bool is_single);  ///< with threads where there are
const shared_library& zlib_library();
const shared_library& png_library();

/// Where one of CUDA's libraries, named as NVIDIA does, was looked for, and what to install.
std::string missing_cuda_library(const std::string& name, const shared_library& l);

/// A library as show_config() tells of it.
struct library_report {
    std::string name;
    std::string version;  ///< empty: it does not tell, or was not found
    std::string path;     ///< empty: it was not found
    std::string why;      ///< where it was looked for then
};

/// What nvrtc.hpp has loaded.
library_report nvrtc_report();

/// All libraries that sinter may load, loaded to ask for their versions.
codegen::sequence<library_report> library_reports();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/libraries.ipp>
#endif
