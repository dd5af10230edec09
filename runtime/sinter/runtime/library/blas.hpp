// Matrix products by cuBLAS on CUDA devices and by OpenBLAS on the CPU, one signature for both; must not know arrays.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/routine.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/device.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// One operand of a product: matrices stored row-major with rows `leading` elements apart, the next of a batch `stride`
/// elements further (0 repeats the same one). `transposed` and `conjugated` say how the stored matrix is read.
struct matrix_operand {
    const void* data = nullptr;
    std::int64_t leading = 1;
    std::int64_t stride = 0;
    bool transposed = false;
    bool conjugated = false;  ///< only together with transposed
};

/// A batch whose operands repeat matrices along different axes, so that no stride leads from each to the next.
struct matrix_stack {
    dims shape, a, b;           ///< its axes, and how many elements apart the operands' matrices lie along each
    cuda_kernel list = {};      ///< on a GPU: that of codegen::matrix_lists_cuda()
    void* workspace = nullptr;  ///< on a GPU: memory for three addresses of each matrix
};

/// How a product is computed and what becomes of it.
struct gemm_mode {
    precision in = precision::highest;  ///< on a GPU, of float32 and complex64
    /// c itself, or a dense array of c's shape, to which the rounded product is added; the CPU adds parts of it in
    /// turn.
    const void* added = nullptr;
    const void* bias =
        nullptr;  ///< n elements that are added to each row: of float32 on a GPU, with nothing else added
    codegen::activation last = codegen::activation::none;  ///< of float32 on a GPU; gelu_tanh in tf32 and bf16
    double factor = 1;  ///< of the rounded product: of float32 or float64 on a GPU, with nothing else
};

/// How long sums are that tensor cores form for precision::tf32x3, where all of them have k terms: they cut what does
/// not fit, where float32 rounds. On an H200 the largest error of products of 4096 x 4096 normals grows with it, from
/// 0.8 of float32's for 1024 to 1.1 for 1536 and 1.7 for 2048; 15000 x 15000 take 66 ms in ten parts, 64 to 65 in
/// eight. Multiples of 128 bytes.
std::int64_t tensor_sum_of(std::int64_t k);

/// c[i] = a[i] @ b[i] for i < batch: (m, k) x (k, n) -> (m, n), row-major; float32, float64, complex64 or complex128,
/// on a GPU float16 and bfloat16 too, whose sums are float32. k == 0 writes zeros, or what they are added to. A stack
/// stands for the operands' strides, and on a GPU wants matrices at multiples of codegen::alignment_in_list; c's follow
/// one another. Throws device_error when the library is missing.
void gemm_strided_batched(device where, dtype type, std::int64_t m, std::int64_t n, std::int64_t k,
                          const matrix_operand& a, const matrix_operand& b, void* c, std::int64_t c_leading,
                          std::int64_t c_stride, std::int64_t batch, gemm_mode mode = {},
                          const matrix_stack* stack = nullptr);

/// Sizes of a batch of products and where their results lie.
struct gemm_shape {
    std::int64_t m, n, k, c_leading, c_stride, batch;
    const matrix_stack* stack = nullptr;  ///< in place of the operands' strides
    std::int64_t whole = 0;               ///< terms of the sums of which these are a part; 0: they are no part
};

/// Whether a product's results lie without gaps.
bool is_dense(const gemm_shape& s);
/// For what only adds to c: gives it the contents of what is added to.
void begin_with(device where, dtype type, const gemm_shape& s, const void*& added, void* c);

/// While one lives, the host's BLAS runs on that many threads; 0 changes nothing.
class host_blas_threads {
public:
    explicit host_blas_threads(int count);
    ~host_blas_threads();
    host_blas_threads(const host_blas_threads&) = delete;
    host_blas_threads& operator=(const host_blas_threads&) = delete;

private:
    int count_;
};

/// Whether products can run on a device; otherwise `why` says which library is missing and where it was sought.
bool blas_available(device where, std::string* why = nullptr);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/blas.ipp>
#endif
