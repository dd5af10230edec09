// Products by cuBLASLt, which can add a vector, apply relu or gelu and take a factor; must not include its header.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/runtime/device/device.hpp>

#if SINTER_HAS_CUDA

namespace sinter::inline SINTER_ABI::runtime {

class cublas_session;
struct gemm_mode;
struct gemm_shape;
struct matrix_operand;

/// A real product by the algorithm that cuBLASLt has for a product of the same sizes with the largest epilogue, so that
/// no bit depends on the epilogue, or with gelu_tanh where that is asked for; false when there is none, and nothing has
/// been done. Sets the factor to 1 where the product has been multiplied by it.
bool multiply_lt(const cublas_session& session, device where, dtype type, const gemm_shape& s, const matrix_operand& a,
                 const matrix_operand& b, void* c, gemm_mode& mode);

}  // namespace sinter::inline SINTER_ABI::runtime

#endif

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/blas_lt.ipp>
#endif
