// Linear algebra routines on GPUs by cuSOLVER, cuBLAS and kernels of our own; must not include the libraries' headers.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct index_check;
struct linalg_task;
struct prepared_linalg;

/// What is compiled for a routine, but for what depends on answers of the device or of a library.
codegen::sequence<codegen::kernel_source> texts_of_cuda_linalg(const linalg_task& t);

/// Finds the functions and kernels of a routine, and asks how much memory they need. Throws device_error naming what to
/// install.
prepared_linalg prepare_cuda_linalg(const linalg_task& t, device where);

/// Enqueues a routine on the arrays at these addresses; what has to hold is appended to `checks`.
void run_cuda_linalg(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                     codegen::sequence<index_check>& checks);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda.ipp>
#endif
