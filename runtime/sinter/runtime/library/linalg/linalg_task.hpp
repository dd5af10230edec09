// A linear algebra routine for a stack of matrices, and what is prepared for its runs; must not know who runs it.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/ops/routine.hpp>
#include <sinter/runtime/device/cuda_module.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A routine for a stack: sizes, and where its arrays lie. The arrays are: the first result where it is the base, the
/// operands that are only read, the other results.
struct linalg_task {
    static constexpr int most_arrays = 4;

    codegen::call_info call;
    dtype type;
    int m = 0, n = 0;  ///< rows and columns of the base
    int k = 0;         ///< reflectors
    std::int64_t batch = 1;
    dims stack;
    int arrays = 0;
    std::int64_t stride[most_arrays] = {};  ///< bytes from one matrix of an array to the next
};

/// Runs a routine for the matrix whose arrays lie at these addresses, and gives LAPACK's info.
using small_matrix_function = int(const linalg_task& t, char* const* at);

/// The kernels of LU factors' panels of one kind, see codegen::factor_cuda.
struct panel_kernels {
    cuda_kernel factor, exchange;
    int width = 0;             ///< columns of a panel
    int threads = 0;           ///< rows that a block takes at most
    int blocks = 0;            ///< that may share a panel
    bool long_panels = false;  ///< that have any number of rows
    bool takes(int rows) const { return long_panels || std::int64_t{blocks} * threads >= rows; }
};

/// The kernels of singular values of stacks, see codegen::svd_cuda, and how columns go round in them.
struct svd_kernels {
    cuda_kernel scale, reflect, rotate, order;
    int width = 0, groups = 0;
    int blocks = 1;  ///< that share a matrix
    std::size_t shared_bytes = 0;
};

/// The kernels between the products of a stack's polar decomposition, see codegen::polar_cuda.
struct polar_kernels {
    cuda_kernel take_adjoint, divide_by_norm, add_diagonal;
};

/// The kernels of QR factors by panels, see codegen::qr_cuda.
struct qr_kernels {
    cuda_kernel reflect_panel, take_reflectors, form_triangle, begin_q;
    int blocks = 1;  ///< that share a panel at most
};

/// The kernel of eigenvalues of stacks, see codegen::eig_cuda.
struct eig_kernel {
    cuda_kernel solve;
    int window = 0, threads = 0;
    int blocks = 1;  ///< of a matrix
    std::size_t shared_bytes = 0;
};

/// What every run of a routine shares.
struct prepared_linalg {
    linalg_task task;
    void* functions[5] = {};  ///< of the library, as the routine needs them
    std::int64_t work[3] =
        {};  ///< bytes that one matrix or the stack is worked on in: work, real work, integers; or device, host
    std::int64_t parts = 1;                         ///< on the host: the threads that share the stack
    small_matrix_function* small_matrix = nullptr;  ///< on the host: in the place of the library's functions
    std::int64_t workspace = 0;                     ///< bytes of memory that it needs besides its arrays
    cuda_kernel list_matrices, mark_not_finite, clear_marked, mark_overflows, keep_nan, check_info, take_upper,
        order_rows, order_columns, unpack_vectors, solve_tridiagonal, report_matrix, form_q, small;
    svd_kernels svd;
    polar_kernels polar;
    qr_kernels qr;
    eig_kernel eig;
    panel_kernels panels[2];  ///< of LU factors, wide ones and tall ones; none where the library finds the factors
};

/// The letter of a type in the names of LAPACK's functions.
constexpr char letter_of(dtype t) {
    return t == dtype::float32 ? 's' : t == dtype::float64 ? 'd' : t == dtype::complex64 ? 'c' : 'z';
}

/// Whether eigenvectors of a real matrix come as LAPACK packs them: of a conjugate pair the real and imaginary parts.
inline bool has_packed_vectors(const linalg_task& t) {
    return t.call.what == codegen::routine::geev && !codegen::is_complex(t.type) &&
           t.call.has(codegen::call_info::vectors);
}

/// Bytes with those up to where the next array may begin.
constexpr std::int64_t rounded_up(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace sinter::inline SINTER_ABI::runtime
