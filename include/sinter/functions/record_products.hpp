// What products of arrays record: which axes are contracted, in which order, and which of it is a matrix product.
#pragma once

#include <sinter/array/record.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// numpy.einsum of operands of one type; throws value_error for malformed subscripts, shape_error where sizes differ.
handle record_einsum(std::string_view operation, std::string_view subscripts, codegen::span<const handle> operands,
                     precision in);

/// numpy.tensordot over axes in order; throws value_error or shape_error.
handle record_tensordot(std::string_view operation, const handle& a, const handle& b, const dims& axes_a,
                        const dims& axes_b, precision in);

/// numpy.kron.
handle record_kron(const handle& a, const handle& b);

/// The product of several matrices in the order that multiplies least (numpy.linalg.multi_dot).
handle record_multi_dot(codegen::span<const handle> matrices);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/functions/record_products.ipp>
#endif
