// Products of stacks of matrices as statements, by a library or in fused kernels; must not know expressions.
#pragma once

#include <sinter/array/record.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Whether a library multiplies matrices of this type, half precision with sums in float32.
bool has_products(dtype type, device where);

/// numpy.matmul of arrays of one floating or complex type: by the library, with vectors by record_products.
handle record_matmul(const handle& a, const handle& b, precision in = precision::highest,
                     std::string_view operation = "matmul");

/// The same by sums of products in a fused kernel, for any type.
handle record_products(const handle& a, const handle& b, std::string_view operation = "matmul");

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/matrix_products.ipp>
#endif
