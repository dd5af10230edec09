// Inverses on GPUs: of small matrices by a kernel of our own, of one large matrix by its LU factors, of stacks by
// cuBLAS.
#pragma once

#include <sinter/runtime/library/linalg/linalg_cuda_factor.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

/// Elements of the largest product that the inverse of a triangle of n rows takes.
std::int64_t largest_above(int n);

/// Runs of inverse.
struct cuda_inverse : cuda_lu {
    void run_inverse() const;

private:
    void invert_small() const;
    void invert_by_factors() const;
    void invert_blocks() const;
    void invert_upper(int first, int n) const;
    void divide_by_lower(int first, int n) const;
    char* element_of(char* matrix, int row, int column) const {
        return matrix + (row + std::int64_t{column} * r.task.n) * codegen::size_of(r.task.type);
    }
    void solve_with(int side, int triangle, int m, int n, const void* a, void* b) const;
    void multiply(int m, int n, int k, int factor, const void* a, int lda, const void* b, int ldb, int kept, void* c,
                  int ldc) const;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_inverse.ipp>
#endif
