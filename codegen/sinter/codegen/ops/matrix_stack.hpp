// Products of stacks whose operands repeat matrices along leading axes: which matrices meet, and whether one stride
// leads from each to the next; must not know who multiplies.
#pragma once

#include <sinter/codegen/ops/routine.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Whether operands of these sizes along a leading axis have a product of that size: an operand of size 1 repeats its
/// matrices.
constexpr bool is_repeated(std::int64_t product, std::int64_t a, std::int64_t b) {
    return (a == product || a == 1) && (b == product || b == 1) && (a == product || b == product);
}

/// Whether one stride leads from each matrix to the next in both operands of a product of this shape, without gaps. All
/// have one rank. Where axes differ in who repeats, only a list of addresses says what is multiplied.
bool has_one_stride(const dims& product, const dims& a, const dims& b);

/// Which of an operand's matrices is multiplied for matrix `number` of the product, both counted row-major.
std::int64_t matrix_of_operand(const dims& product, const dims& operand, std::int64_t number);

/// At multiples of how many elements listed matrices begin. cuBLAS reads what is for tensor cores, half precision and
/// what is rounded, 16 bytes at once, and chooses how before it sees an address.
std::int64_t alignment_in_list(dtype type, precision in);

/// Whether (m, k) x (k, n) matrices that lie without gaps can be listed: by libraries, which multiply no integers.
bool is_listable(dtype type, precision in, std::int64_t m, std::int64_t n, std::int64_t k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/ops/matrix_stack.ipp>
#endif
