// Products by cuBLAS, loaded at the first one, with one handle and one fixed workspace per device.
#pragma once

#include <algorithm>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/print/matrix_lists.hpp>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/library/blas_cuda.hpp>
#include <sinter/runtime/library/blas_lt.hpp>
#include <sinter/runtime/library/cublas_types.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

SINTER_INLINE void load_cublas(cublas_table& t) {
    const shared_library& library = cublas_library();
    t.library = &library;
    const function_finder find(library, t.why, "cuBLAS 12.0 or later", missing_cuda_library("cuBLAS", library));
    find(t.create, "cublasCreate_v2");
    find(t.set_stream, "cublasSetStream_v2");
    find(t.set_workspace, "cublasSetWorkspace_v2");
    find(t.set_atomics, "cublasSetAtomicsMode");
    find(t.set_math, "cublasSetMathMode");
    find(t.gemm, "cublasGemmStridedBatchedEx_64");
    find(t.gemm_of_lists, "cublasGemmBatchedEx_64");
    find(t.status_name, "cublasGetStatusName");
}

SINTER_INLINE const cublas_table& loaded_cublas() { return loaded_once<cublas_table, load_cublas>(); }

SINTER_INLINE bool cublas_available(std::string* why) {
    if (cuda_device_count(why) == 0) return false;
    if (why) *why = loaded_cublas().why;
    return loaded_cublas().why.empty();
}

SINTER_INLINE void check_cublas(int status, const char* what) {
    if (status == cublas_constants::success) return;
    const std::string text = codegen::joined({"[matmul] ", what, ": ", loaded_cublas().status_name(status)});
    if (status == cublas_constants::allocation_failed) throw out_of_memory(text);
    throw device_error(text);
}

/// A stream's handle; cuBLAS wants one thread at a time in it.
struct cublas_handle {
    std::mutex guard;
    void* handle = nullptr;
    void* stream = nullptr;  ///< that it has been told of
    buffer_ref workspace;
};

/// Creates the handle at first use; the workspace is ours, so that results do not depend on cuBLAS's own choice.
SINTER_INLINE void open_cublas_handle(const cublas_table& t, device where, cublas_handle& h) {
    void* handle = nullptr;
    const buffer_ref workspace = allocate_buffer(where, std::size_t(32) << 20);
    check_cublas(t.create(&handle), "cublasCreate");
    check_cublas(t.set_atomics(handle, cublas_constants::atomics_not_allowed), "cublasSetAtomicsMode");
    // Parts of a sum of half precision are added in float32.
    check_cublas(t.set_math(handle, cublas_constants::sums_in_full), "cublasSetMathMode");
    h.workspace = workspace;
    h.handle = handle;
}

// Foreign streams come and go; the workspace goes with the stream.
SINTER_INLINE void tell_cublas(const cublas_table& t, cublas_handle& h, void* stream) {
    if (h.stream == stream) return;
    check_cublas(t.set_stream(h.handle, stream), "cublasSetStream");
    check_cublas(t.set_workspace(h.handle, h.workspace->data, h.workspace->bytes), "cublasSetWorkspace");
    h.stream = stream;
}

SINTER_INLINE cublas_session::cublas_session(device where)
    : handle_(own_of_stream<cublas_handle>(where)), lock_(handle_.guard) {
    use_device(where.index());
    const cublas_table& t = loaded_cublas();
    if (!t.why.empty()) throw device_error("[matmul] " + t.why);
    if (!handle_.handle) open_cublas_handle(t, where, handle_);
    tell_cublas(t, handle_, cuda_stream(where));
}

SINTER_INLINE void* cublas_session::handle() const { return handle_.handle; }
SINTER_INLINE const buffer& cublas_session::workspace() const { return *handle_.workspace; }

SINTER_INLINE void* cublas_function(const std::string& name) {
    const cublas_table& t = loaded_cublas();
    if (!t.why.empty()) throw device_error("[linalg] " + t.why);
    void* f = t.library->symbol(name.c_str());
    if (!f)
        throw device_error(
            codegen::joined({"[linalg] ", t.library->path(), " has no ", name, ": a later cuBLAS is needed"}));
    return f;
}

SINTER_INLINE int cublas_element_type(dtype type) {
    using k = cublas_constants;
    if (codegen::is_half(type)) return type == dtype::float16 ? k::float16 : k::bfloat16;
    const bool wide = codegen::real_of(type) == dtype::float64;
    return codegen::is_complex(type) ? (wide ? k::complex128 : k::complex64) : wide ? k::float64 : k::float32;
}

SINTER_INLINE int cublas_compute_type(dtype type, precision in) {
    using k = cublas_constants;
    if (codegen::real_of(type) == dtype::float64) return k::compute_64;
    return in == precision::highest ? k::compute_32 : in == precision::bf16 ? k::compute_bf16 : k::compute_tf32;
}

/// Where each matrix of a product begins, listed in device memory.
struct matrix_lists {
    const void *const *a, *const *b;
    void* const* c;
};

SINTER_INLINE matrix_lists list_matrices(device where, dtype type, const gemm_shape& s, const matrix_operand& a,
                                         const matrix_operand& b, void* c) {
    const std::int64_t size = codegen::size_of(type);
    const matrix_stack& stack = *s.stack;
    codegen::matrix_steps steps{{}, {}, {}, s.c_stride * size};
    std::fill(std::begin(steps.shape), std::end(steps.shape), 1);
    for (int i = stack.shape.size(), to = codegen::most_stack_axes; i-- > 0;) {
        steps.shape[--to] = stack.shape[i];
        steps.a[to] = stack.a[i] * size;
        steps.b[to] = stack.b[i] * size;
    }
    const void *from_a = a.data, *from_b = b.data;
    void* lists = stack.workspace;
    long long count = s.batch;
    void* parameters[] = {&from_a, &from_b, &c, &lists, &count, &steps};
    launch_cuda(where, stack.list, {static_cast<std::uint32_t>((count + 255) / 256)}, {256}, 0, parameters);
    auto* addresses = static_cast<void**>(lists);
    return {addresses, addresses + count, addresses + 2 * count};
}

SINTER_INLINE void multiply_matrices(device where, dtype type, const gemm_shape& s, const matrix_operand& a,
                                     const matrix_operand& b, void* c, gemm_mode& mode) {
    using k = cublas_constants;
    const cublas_table& t = loaded_cublas();
    const cublas_session h(where);
    if (!s.stack && !codegen::is_complex(type) && !codegen::is_half(type) &&
        multiply_lt(h, where, type, s, a, b, c, mode))
        return;
    if (mode.bias || mode.last != codegen::activation::none)
        throw device_error("[matmul] cuBLASLt has no product of this size with an epilogue");
    begin_with(where, type, s, mode.added, c);
    const bool wide = codegen::real_of(type) == dtype::float64, adds = mode.added != nullptr;
    const int element = cublas_element_type(type);
    const double one[2] = {1, 0}, kept[2] = {double(adds), 0};
    const float one_f[2] = {1, 0}, kept_f[2] = {float(adds), 0};
    const void* alpha = wide ? static_cast<const void*>(one) : one_f;
    const void* beta = wide ? static_cast<const void*>(kept) : kept_f;
    auto operation = [](const matrix_operand& o) {
        return o.conjugated ? k::adjoint : o.transposed ? k::transposed : k::plain;
    };
    // A row-major matrix is the transposed column-major one, and (a b)^T = b^T a^T: so the operands change places.
    if (s.stack) {
        const matrix_lists at = list_matrices(where, type, s, a, b, c);
        return check_cublas(t.gemm_of_lists(h.handle(), operation(b), operation(a), s.n, s.m, s.k, alpha, at.b, element,
                                            b.leading, at.a, element, a.leading, beta, at.c, element, s.c_leading,
                                            s.batch, cublas_compute_type(type, mode.in), k::default_algorithm),
                            "cublasGemmBatchedEx");
    }
    check_cublas(t.gemm(h.handle(), operation(b), operation(a), s.n, s.m, s.k, alpha, b.data, element, b.leading,
                        b.stride, a.data, element, a.leading, a.stride, beta, c, element, s.c_leading, s.c_stride,
                        s.batch, cublas_compute_type(type, mode.in), k::default_algorithm),
                 "cublasGemmStridedBatchedEx");
}

// For products that no library multiplies by a number with the bits of two steps.
SINTER_INLINE void scale(device where, dtype type, const gemm_shape& s, void* c, double factor) {
    if (!is_dense(s)) throw internal_error("[matmul] an array with gaps is multiplied by a number");
    long long count = s.batch * s.m * s.n;
    float single = static_cast<float>(factor);
    void* parameters[] = {&c, type == dtype::float64 ? static_cast<void*>(&factor) : &single, &count};
    const std::int64_t per_block = codegen::scaled_by_block;
    launch_cuda(where, find_text(codegen::scaling_cuda(type), where).kernel("scale"),
                {static_cast<std::uint32_t>((count + per_block - 1) / per_block)}, {256}, 0, parameters);
}

SINTER_INLINE void cuda_gemm(device where, dtype type, const gemm_shape& s, const matrix_operand& a,
                             const matrix_operand& b, void* c, gemm_mode mode) {
    multiply_matrices(where, type, s, a, b, c, mode);
    if (mode.factor != 1) scale(where, type, s, c, mode.factor);
}

#else

SINTER_INLINE bool cublas_available(std::string* why) { return cuda_device_count(why) > 0; }
SINTER_INLINE void cuda_gemm(device, dtype, const gemm_shape&, const matrix_operand&, const matrix_operand&, void*,
                             gemm_mode) {
    throw device_error("[cuda] built without CUDA headers");
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

#if SINTER_HAS_CUDA && !SINTER_HEADER_ONLY && __has_include(<cublasLt.h>)
#include <sinter/runtime/library/cublas_check.hpp>
#endif
