// How each linear algebra routine calls cuSOLVER and cuBLAS.
#pragma once

#include <sinter/runtime/library/linalg/linalg_cuda_run.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

/// One run of any routine.
struct cuda_routine : cuda_run {
    /// Asks how much memory it needs.
    void size();
    void run() const;
    /// Before: marks matrices that have a number that is not finite, and makes them zeros.
    void clear_not_finite() const;
    /// After: marks matrices whose results are not finite.
    void mark_overflows() const;

private:
    void factor_small() const;
    void rotate_small() const;
    /// Of a real matrix's eigenvectors as the library leaves them the complex columns.
    void unpack_vectors(char* values, char* columns) const;
#define SINTER_LINALG_ROUTINE(name, ...)  \
    void size_##name(cuda_work& w) const; \
    void run_##name() const;
#include <sinter/codegen/ops/routines.def>
};

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_routines.ipp>
#endif
