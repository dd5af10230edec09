// Products of stacks of small matrices as text: a thread computes a row; pure, must not know who runs it.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Up to so many columns and terms a thread for each row is worth more than what libraries do with a stack of at least
/// so many matrices, or with at least so many rows. One H200, products of 4 x 4 floats: 2·10⁶ by cuBLAS 3.8 ms, 10⁶ so
/// 63 µs, as long as their bytes take at 3 TB/s; 4·10⁶ rows of 3 with 3 x 3: by cuBLAS 186 µs, so 39.
inline constexpr std::int64_t small_product = 8, least_small_products = 1024, least_small_rows = 8192;

/// Whether products of m x k by k x n matrices, `count` of them, are computed so: of float32 and float64, with fewer
/// rows in all than 32-bit numbers count.
bool takes_small_products(dtype t, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k);

/// A kernel `multiply` of blocks of 256 threads, one for each row of the products of at most `columns` columns: terms
/// are added in their order, each product rounded with its sum.
kernel_source small_products_cuda(dtype t, std::int64_t columns);

/// Elements from one matrix, row and column to the next.
struct matrix_walk {
    long long matrix, row, column;
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/linalg/small_products.ipp>
#endif
