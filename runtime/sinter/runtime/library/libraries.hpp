// The libraries that sinter calls: where each is looked up, and what was found; must not know their functions.
#pragma once

#include <sinter/codegen/ops/routine.hpp>
#include <sinter/runtime/base/library.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Each is opened at its first use and stays open; it may be absent.
const shared_library& cublas_library();
const shared_library& cusolver_library();
const shared_library& cufft_library();
const shared_library& curand_library();
const shared_library& cutensor_library();
const shared_library& host_lapack_library();
const shared_library& fftw_library(bool is_single);  ///< with threads where there are
const shared_library& zlib_library();
const shared_library& png_library();
const shared_library& nccl_library();
const shared_library& cublasmp_library();
const shared_library& cusolvermp_library();
const shared_library& scalapack_library(bool is_mpich);  ///< of one implementation of MPI

/// Begins to open, on a thread of its own, what a routine calls on CUDA devices, once for each library. A fork, or the
/// process's end, waits while one is being opened.
void open_in_background(codegen::routine what);

/// All libraries that sinter may load, loaded to ask for their versions.
codegen::sequence<library_report> library_reports();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/libraries.ipp>
#endif
