// LU factors of one matrix, or of stacks that are not square, on GPUs by kernels of our own for panels of columns and
// products between them.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_run.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

/// What is compiled for panels: tall ones too where wide ones cannot be enough.
void add_panel_texts(codegen::sequence<codegen::kernel_source>& to, const linalg_task& t);

/// Finds the kernels of panels: wide ones as far as their rows have room, tall ones beyond; where neither is enough
/// long ones for stacks, the library's routine for one matrix.
void prepare_panels(prepared_linalg& p, device where);

/// Whether they find the factors.
bool has_panels(const prepared_linalg& p);

/// A matrix as LAPACK's getrf leaves it, by columns; `rows`, which may be null: which row of the matrix each row was.
/// Those of a stack lie one behind the other.
struct lu_factors {
    char* matrix;
    int m, n;
    int *pivots, *rows, *info;
    int element;  ///< bytes
    std::int64_t count = 1;
    std::int64_t size() const { return std::int64_t{m} * n; }
    char* at(int row, int column) const { return matrix + (row + std::int64_t{column} * m) * element; }
};

/// Runs of getrf.
struct cuda_lu : cuda_run {
    void run_getrf() const;
    void factor(const lu_factors& lu) const;

private:
    int factor_panel(const lu_factors& lu, int first, int end) const;
    void subtract_product(const lu_factors& lu, int first, int next, int end) const;
    void solve_rows(const lu_factors& lu, int first, int end) const;
    void run_order_rows() const;
    void run_keep_nan() const;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg_cuda_factor.ipp>
#endif
