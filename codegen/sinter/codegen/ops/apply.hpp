// The meaning of one operation on rows of elements: the interpreter's and the constant folder's inner loop.
#pragma once

#include <sinter/codegen/ops/op.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Applies an operation to n elements: args[i] points to elements of type operand_type(o, i, common), steps[i] is 1, or
/// 0 for one scalar; out, which may be args[i] of the same element size, gets result_type(o, common). op::cast:
/// convert. half and bfloat16 compute as float32. Throws type_error when the operation is not defined for the type.
void apply(op o, dtype common, const void* const* args, const std::int64_t* steps, void* out, std::int64_t n);

/// Converts n elements as C++ does; number to bool is `!= 0`, floating to integer saturates and takes NaN to 0, complex
/// to real keeps the real part; to half and bfloat16 by way of float32, but float64 to half at once, as NumPy.
void convert(dtype from, dtype to, const void* in, void* out, std::int64_t n);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/ops/apply.ipp>
#endif
