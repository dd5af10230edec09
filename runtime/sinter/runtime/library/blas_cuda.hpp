// Products by cuBLAS, and its handles and functions for other calls; must not include its headers.
#pragma once

#include <mutex>
#include <sinter/codegen/ops/routine.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/runtime/device/device.hpp>
#include <sinter/runtime/library/cublas_types.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

struct buffer;
struct gemm_mode;
struct gemm_shape;
struct matrix_operand;

/// Whether cuBLAS and a device are there; otherwise `why` says what is missing.
bool cublas_available(std::string* why);

/// c = a @ b as gemm_strided_batched() says, when the work is enqueued.
void cuda_gemm(device where, dtype type, const gemm_shape& s, const matrix_operand& a, const matrix_operand& b, void* c,
               gemm_mode mode);

#if SINTER_HAS_CUDA

/// cuBLAS's functions, looked up at the first call; `why` is to be looked at.
const cublas_table& loaded_cublas();

/// Throws out_of_memory or device_error that names a call, unless its status is that it was successful.
void check_cublas(int status, const char* what);

/// A function of cuBLAS by name; throws device_error when there is none.
void* cublas_function(const std::string& name);

int cublas_element_type(dtype type);
int cublas_compute_type(dtype type, precision in);

struct cublas_handle;

/// The handle of this thread's stream for this thread alone, opened at its first use.
class cublas_session {
public:
    explicit cublas_session(device where);
    void* handle() const;
    const buffer& workspace() const;

private:
    cublas_handle& handle_;
    std::lock_guard<std::mutex> lock_;
};

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/blas_cuda.ipp>
#endif
