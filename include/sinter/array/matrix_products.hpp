// Products of stacks of matrices as statements, by a library or in fused kernels; must not know expressions.
#pragma once

#include <sinter/array/record.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Whether a library multiplies matrices of this type, half precision with sums in float32.
bool has_products(dtype type, device where);

/// Whether a GPU multiplies `count` matrices of integers or bool, (m, k) x (k, n), by tiles.
bool has_tiles(dtype type, device where, std::int64_t count, std::int64_t m, std::int64_t n, std::int64_t k);

/// The shape of a product of stacks of matrices, or vectors; throws shape_error with both shapes.
dims product_shape(std::string_view operation, const dims& a, const dims& b);

/// numpy.matmul of arrays of one type: by the library or tiles; with vectors, and few integers, by record_products.
handle record_matmul(const handle& a, const handle& b, precision in = precision::highest,
                     std::string_view operation = "matmul");

/// The same by sums of products in a fused kernel, for any type.
handle record_products(const handle& a, const handle& b, std::string_view operation = "matmul");

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/matrix_products.ipp>
#endif
