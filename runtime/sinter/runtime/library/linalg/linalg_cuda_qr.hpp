// QR factors on GPUs: of stacks of large matrices a panel of columns at a time and products of the whole stack between.
#pragma once

#include <sinter/runtime/library/linalg/linalg_cuda_run.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

/// Finds the kernels of panels.
void prepare_panels_of_q(prepared_linalg& p, device where);

/// Finds the kernel that reflects all columns.
void prepare_geqrf_stack(prepared_linalg& p, device where);

/// That share a matrix of n columns: as many as a GPU has, while each has columns for all of its warps.
int reflecting_blocks(const prepared_linalg& p, device where, std::int64_t n);

/// Where things lie in the room of factors, and of products with as many columns as there may be.
struct qr_layout {
    std::int64_t sums, reflectors, squares, triangles, products, products_after, bytes = 0;

    explicit qr_layout(const linalg_task& t);
};

/// What `form_q` makes columns of for each matrix of a stack, see codegen::form_q_cuda.
struct q_factors {
    const char* reflectors;
    std::int64_t apart;  ///< elements from one matrix of reflectors to the next
    const char *tau, *from = nullptr, *order = nullptr;
    char* to;
    std::int64_t m, n, k;
    bool signs = false;
};

/// Matrices by columns, each `leading` elements apart, as the matrices themselves are `apart`.
struct stack_operand {
    void* data;
    std::int64_t leading, apart;
};

/// c = a b + kept c, with `factor` before a b and the adjoint of a where asked for.
struct stack_product {
    int m, n, k;
    stack_operand a, b, c;
    bool adjoint = false;
    double factor = 1, kept = 0;
};

struct qr_block;

/// Runs of geqrf and orgqr, and of what begins with QR factors.
struct cuda_qr : cuda_run {
    void run_geqrf() const;
    void run_orgqr() const;
    void form_q(const q_factors& f) const;
    void reflect_columns(char* matrices, char* factors, std::int64_t m, std::int64_t n) const;
    void multiply_stack(const stack_product& p) const;

private:
    /// It lies before all else that a routine works in.
    char* qr_workspace() const { return work; }
    void run_orgqr_stack() const;
    void form_block(const qr_block& b, const qr_layout& l, char* workspace) const;
    void multiply_block(const qr_block& b, bool adjoint, const qr_layout& l, char* workspace, char* c,
                        std::int64_t apart, std::int64_t columns) const;
    void reflect_by_panels(char* matrices, char* factors, std::int64_t m, std::int64_t n, char* workspace) const;
    void form_q_by_panels(const q_factors& f, char* workspace) const;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_qr.ipp>
#endif
