// Singular values and vectors on GPUs: of one matrix by cuSOLVER, of stacks by kernels of our own, in as many launches
// whatever the stack.
#pragma once

#include <sinter/runtime/library/linalg/linalg_cuda_qr.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

/// Finds the kernels of a stack and how much memory they need: clusters of as many blocks as a GPU has for each matrix.
void prepare_svd_stack(prepared_linalg& p, device where);

/// Where things lie in the room of a stack's singular values: of p rows and q columns, or of the adjoints where there
/// are more columns, factors q r; the columns that rotate, as given for polar decompositions, the rotations, these
/// columns with length one.
struct cuda_svd_layout {
    std::int64_t p, q;
    std::int64_t given = 0, factors, tau, columns, rotations = 0, units = 0, unit_tau = 0, order, exponents, lengths,
                 turned, bytes = 0;

    explicit cuda_svd_layout(const linalg_task& t);
};

/// Runs of gesvd.
struct cuda_svd : cuda_qr {
    void size_gesvd(cuda_work& w) const;
    void run_gesvd() const;

private:
    int ld_of_v() const { return leading(r.task.n); }
    void run_gesvdj(int first, char* const* matrix, void* workspace, int elements, int* status) const;
    void run_gesvdp(char* const* matrix, int* status) const;
    void run_svd_stack() const;
    void rotate_columns(const cuda_svd_layout& l) const;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_svd.ipp>
#endif
