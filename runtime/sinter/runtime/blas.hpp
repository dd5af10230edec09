// Matrix products by cuBLAS on CUDA devices and by OpenBLAS on the CPU, one signature for both; must not know arrays.
#pragma once

#include <cstdint>
#include <sinter/codegen/dtype.hpp>
#include <sinter/codegen/error.hpp>
#include <sinter/codegen/sequence.hpp>
#include <sinter/runtime/device.hpp>
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

/// c[i] = a[i] @ b[i] for i < batch: (m, k) x (k, n) -> (m, n), row-major; float32, float64, complex64 or complex128,
/// never in lower precision. k == 0 writes zeros. Throws device_error when the library is missing.
void gemm_strided_batched(device where, dtype type, std::int64_t m, std::int64_t n, std::int64_t k,
                          const matrix_operand& a, const matrix_operand& b, void* c, std::int64_t c_leading,
                          std::int64_t c_stride, std::int64_t batch);

/// Where the host's BLAS and LAPACK are looked for.
codegen::sequence<std::string> host_lapack_names();

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
#include <sinter/runtime/blas.ipp>
#endif
