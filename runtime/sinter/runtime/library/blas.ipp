// Checks and normalises products, and runs those of the CPU through the system's CBLAS; must not include cuBLAS's
// headers.
#pragma once

#include <algorithm>
#include <climits>
#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/library/blas_cuda.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/base/thread_team.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

/// The gemm of CBLAS with scalars passed as Scalar: by value for real types, by address for complex ones.
template <class T, class Scalar>
using cblas_gemm_t = void(int order, int transpose_a, int transpose_b, int m, int n, int k, Scalar alpha, const T* a,
                          int lda, const T* b, int ldb, Scalar beta, T* c, int ldc);

/// The gemv of CBLAS, likewise.
template <class T, class Scalar>
using cblas_gemv_t = void(int order, int transpose, int rows, int columns, Scalar alpha, const T* a, int lda,
                          const T* x, int x_step, Scalar beta, T* y, int y_step);

/// The CBLAS that was found.
struct host_blas {
    cblas_gemm_t<float, float>* sgemm = nullptr;
    cblas_gemm_t<double, double>* dgemm = nullptr;
    cblas_gemm_t<void, const void*>* cgemm = nullptr;
    cblas_gemm_t<void, const void*>* zgemm = nullptr;
    cblas_gemv_t<float, float>* sgemv = nullptr;
    cblas_gemv_t<double, double>* dgemv = nullptr;
    cblas_gemv_t<void, const void*>* cgemv = nullptr;
    cblas_gemv_t<void, const void*>* zgemv = nullptr;
    void (*set_threads)(int) = nullptr;
    std::string why;  ///< not empty: none was found
};

SINTER_INLINE void load_host_blas(host_blas& b) {
    const shared_library& library = host_lapack_library();
    b.sgemm = library.function<cblas_gemm_t<float, float>>("cblas_sgemm");
    b.dgemm = library.function<cblas_gemm_t<double, double>>("cblas_dgemm");
    b.cgemm = library.function<cblas_gemm_t<void, const void*>>("cblas_cgemm");
    b.zgemm = library.function<cblas_gemm_t<void, const void*>>("cblas_zgemm");
    b.sgemv = library.function<cblas_gemv_t<float, float>>("cblas_sgemv");
    b.dgemv = library.function<cblas_gemv_t<double, double>>("cblas_dgemv");
    b.cgemv = library.function<cblas_gemv_t<void, const void*>>("cblas_cgemv");
    b.zgemv = library.function<cblas_gemv_t<void, const void*>>("cblas_zgemv");
    if (b.sgemm && b.dgemm && b.cgemm && b.zgemm && b.sgemv && b.dgemv && b.cgemv && b.zgemv) {
        b.set_threads = library.function<void(int)>("openblas_set_num_threads");
        if (b.set_threads) b.set_threads(thread_count());
        return;
    }
    b.why = "OpenBLAS was not found; install libopenblas0 (" +
            (library ? library.path() + " has no cblas functions" : library.why()) + ")";
}

SINTER_INLINE const host_blas& loaded_host_blas() { return loaded_once<host_blas, load_host_blas>(); }

SINTER_INLINE host_blas_threads::host_blas_threads(int count) : count_(loaded_host_blas().set_threads ? count : 0) {
    if (count_) loaded_host_blas().set_threads(count_);
}

SINTER_INLINE host_blas_threads::~host_blas_threads() {
    if (count_) loaded_host_blas().set_threads(thread_count());
}

SINTER_INLINE bool blas_available(device where, std::string* why) {
    if (where.is_cuda()) return cublas_available(why);
    if (why) *why = loaded_host_blas().why;
    return loaded_host_blas().why.empty();
}

// How many elements the matrix of an operand that belongs to matrix i of the result lies from the first.
SINTER_INLINE std::int64_t offset_of(const gemm_shape& s, std::int64_t stride, dims matrix_stack::*steps,
                                     std::int64_t i) {
    if (!s.stack) return i * stride;
    const dims& shape = s.stack->shape;
    std::int64_t at = 0;
    for (int axis = shape.size(); axis-- > 0; i /= shape[axis]) at += i % shape[axis] * (s.stack->*steps)[axis];
    return at;
}

// A product with a vector reads its matrix once, which gemm copies first.
struct matrix_by_vector {
    bool applies = false;
    bool by_rows = false;  // the vector stands right
    int transpose = 0, rows = 0, columns = 0, leading = 0, from_step = 1, to_step = 1;
};

inline constexpr int cblas_row_major = 101, cblas_plain = 111, cblas_transposed = 112, cblas_adjoint = 113;

SINTER_INLINE matrix_by_vector vector_form_of(const gemm_shape& s, const matrix_operand& a, const matrix_operand& b) {
    matrix_by_vector v;
    v.by_rows = s.n == 1;
    const matrix_operand &matrix = v.by_rows ? a : b, &vector = v.by_rows ? b : a;
    // Of what stands left the product takes rows, and columns of what stands right: that one is transposed once more.
    const bool transposed = matrix.transposed == v.by_rows;
    v.applies = (v.by_rows || s.m == 1) && !vector.conjugated && (!matrix.conjugated || v.by_rows);
    v.transpose = !transposed ? cblas_plain : matrix.conjugated ? cblas_adjoint : cblas_transposed;
    v.rows = static_cast<int>(transposed ? s.k : v.by_rows ? s.m : s.n);
    v.columns = static_cast<int>(transposed ? (v.by_rows ? s.m : s.n) : s.k);
    v.leading = static_cast<int>(matrix.leading);
    // A vector lies along the rows of its operand or across them.
    const bool across = v.by_rows != vector.transposed;
    v.from_step = across ? static_cast<int>(vector.leading) : 1;
    v.to_step = v.by_rows ? static_cast<int>(s.c_leading) : 1;
    return v;
}

// Memory that nothing was written to may hold NaN, which some versions of the library multiply by a zero.
SINTER_INLINE void clear_vector(char* c, std::int64_t count, std::int64_t step, std::int64_t size) {
    const std::int64_t pieces = step == 1 ? 1 : count, bytes = size * count / pieces;
    for (std::int64_t i = 0; i < pieces; ++i) std::memset(c + i * step * size, 0, static_cast<std::size_t>(bytes));
}

SINTER_INLINE void host_gemm(dtype type, const gemm_shape& s, const matrix_operand& a, const matrix_operand& b, void* c,
                             gemm_mode mode) {
    const host_blas& blas = loaded_host_blas();
    if (!blas.why.empty()) throw device_error("[matmul] " + blas.why);
    if (std::max({s.m, s.n, s.k, a.leading, b.leading, s.c_leading}) > INT_MAX)
        throw value_error("[matmul] a dimension exceeds 2147483647, the largest that OpenBLAS takes");
    const int ta = a.conjugated ? cblas_adjoint : a.transposed ? cblas_transposed : cblas_plain;
    const int tb = b.conjugated ? cblas_adjoint : b.transposed ? cblas_transposed : cblas_plain;
    const int m = static_cast<int>(s.m), n = static_cast<int>(s.n), k = static_cast<int>(s.k);
    const int lda = static_cast<int>(a.leading), ldb = static_cast<int>(b.leading), ldc = static_cast<int>(s.c_leading);
    const std::int64_t size = codegen::size_of(type);
    const bool adds = mode.added != nullptr;
    const matrix_by_vector v = vector_form_of(s, a, b);
    // A second thread takes longer to begin than such a product.
    const host_blas_threads own(v.applies && s.m * s.n * s.k < 1 << 17 ? 1 : 0);
    auto run = [&]<class T>(auto* gemm, auto* gemv, auto alpha, auto beta, T*) {
        for (std::int64_t i = 0; i < s.batch; ++i) {
            const T* ai = reinterpret_cast<const T*>(static_cast<const char*>(a.data) +
                                                     offset_of(s, a.stride, &matrix_stack::a, i) * size);
            const T* bi = reinterpret_cast<const T*>(static_cast<const char*>(b.data) +
                                                     offset_of(s, b.stride, &matrix_stack::b, i) * size);
            char* ci = static_cast<char*>(c) + i * s.c_stride * size;
            T* const to = reinterpret_cast<T*>(ci);
            if (!v.applies) {
                gemm(cblas_row_major, ta, tb, m, n, k, alpha, ai, lda, bi, ldb, beta, to, ldc);
                continue;
            }
            if (!adds) clear_vector(ci, std::max(m, n), v.to_step, size);
            gemv(cblas_row_major, v.transpose, v.rows, v.columns, alpha, v.by_rows ? ai : bi, v.leading,
                 v.by_rows ? bi : ai, v.from_step, beta, to, v.to_step);
        }
    };
    const double one[2] = {1, 0}, kept[2] = {double(adds), 0};
    const float one_f[2] = {1, 0}, kept_f[2] = {float(adds), 0};
    auto address = [](const auto* scalar) { return static_cast<const void*>(scalar); };
    void* const untyped = nullptr;
    if (type == dtype::float32) run(blas.sgemm, blas.sgemv, 1.0f, kept_f[0], static_cast<float*>(untyped));
    else if (type == dtype::float64) run(blas.dgemm, blas.dgemv, 1.0, kept[0], static_cast<double*>(untyped));
    else if (type == dtype::complex64) run(blas.cgemm, blas.cgemv, address(one_f), address(kept_f), untyped);
    else run(blas.zgemm, blas.zgemv, address(one), address(kept), untyped);
}

/// A single row may come with any distance to the next; libraries insist that it is at least the row's length.
SINTER_INLINE matrix_operand checked_operand(matrix_operand o, std::int64_t rows, std::int64_t columns,
                                             const char* name) {
    if (o.transposed) std::swap(rows, columns);
    if (o.conjugated && !o.transposed)
        throw internal_error(codegen::joined({"[matmul] operand ", name, " is conjugated but not transposed"}));
    if (rows <= 1 || columns == 0) o.leading = std::max<std::int64_t>(columns, 1);
    if (o.leading < columns)
        throw internal_error(codegen::joined(
            {"[matmul] rows of operand ", name, " overlap: leading ", o.leading, ", columns ", columns}));
    return o;
}

SINTER_INLINE bool is_dense(const gemm_shape& s) {
    return s.c_leading == s.n && (s.batch == 1 || s.c_stride == s.m * s.n);
}

SINTER_INLINE void begin_with(device where, dtype type, const gemm_shape& s, const void*& added, void* c) {
    if (!added || added == c) return;
    if (!is_dense(s)) throw internal_error("[matmul] a product is added to an array with gaps");
    copy_between(where, c, where, added, static_cast<std::size_t>(s.batch * s.m * s.n * codegen::size_of(type)));
    added = c;
}

SINTER_INLINE void zero_matrices(device where, dtype type, const gemm_shape& s, void* c) {
    const std::int64_t size = codegen::size_of(type);
    const bool dense = is_dense(s);
    const std::int64_t rows = dense ? 1 : s.m, length = dense ? s.m * s.n * s.batch : s.n;
    for (std::int64_t i = 0; i < (dense ? 1 : s.batch); ++i)
        for (std::int64_t row = 0; row < rows; ++row)
            fill_zero(where, static_cast<char*>(c) + (i * s.c_stride + row * s.c_leading) * size,
                      static_cast<std::size_t>(length * size));
}

// An operand from a row or a column on.
SINTER_INLINE matrix_operand part_of(matrix_operand o, bool by_rows, std::int64_t at, std::int64_t size) {
    o.data = static_cast<const char*>(o.data) + at * (by_rows ? o.leading : 1) * size;
    return o;
}

SINTER_INLINE std::int64_t tensor_sum_of(std::int64_t k) {
    constexpr std::int64_t longest = 1888, shortest = 1024, step = 32;
    auto divided = [](std::int64_t x, std::int64_t by) { return (x + by - 1) / by; };
    const std::int64_t parts = std::max<std::int64_t>(divided(k, longest), k > shortest ? 2 : 1);
    return divided(divided(k, parts), step) * step;
}

SINTER_INLINE void check_mode(device where, dtype type, std::int64_t k, const gemm_mode& mode) {
    const bool has_epilogue = mode.bias || mode.last != codegen::activation::none;
    const bool has_none = where.is_cpu() || type != dtype::float32 || k == 0 || (mode.bias && mode.added);
    const bool in_parts = mode.bias && mode.in == precision::tf32x3;  // each of which would add it
    if ((has_epilogue && has_none) || in_parts || !codegen::has_call(mode.last, mode.in, type))
        throw internal_error("[matmul] no library product with this epilogue");
    const bool is_plain = k > 0 && !has_epilogue && !mode.added && mode.in != precision::tf32x3;
    if (mode.factor != 1 && (where.is_cpu() || !is_plain || (type != dtype::float32 && type != dtype::float64)))
        throw internal_error(
            codegen::joined({"[matmul] no library product with this factor: ", std::to_string(mode.factor)}));
}

SINTER_INLINE void gemm_strided_batched(device where, dtype type, std::int64_t m, std::int64_t n, std::int64_t k,
                                        const matrix_operand& a_given, const matrix_operand& b_given, void* c,
                                        std::int64_t c_leading, std::int64_t c_stride, std::int64_t batch,
                                        gemm_mode mode, const matrix_stack* stack) {
    const dtype part = codegen::real_of(type);
    if (part != dtype::float32 && part != dtype::float64 && (where.is_cpu() || !codegen::is_half(type)))
        throw type_error("[matmul] no library product for " + std::string(to_string(type)));
    if (m == 0 || n == 0 || batch == 0) return;
    matrix_operand a = checked_operand(a_given, m, k, "a"), b = checked_operand(b_given, k, n, "b");
    gemm_shape s{m, n, k, m == 1 ? n : c_leading, c_stride, batch, stack};
    if (s.c_leading < n) throw internal_error("[matmul] rows of the result overlap");
    check_mode(where, type, k, mode);
    if (k == 0) return mode.added ? begin_with(where, type, s, mode.added, c) : zero_matrices(where, type, s, c);
    // One product of a tall matrix does the work of a batch that shares b.
    const bool is_one_for_library = where.is_cuda() || m <= INT_MAX / batch;
    if (batch > 1 && !stack && b.stride == 0 && !a.transposed && a.stride == m * a.leading &&
        c_stride == m * s.c_leading && is_one_for_library) {
        s.m *= batch;
        s.batch = 1;
    }
    if (where.is_cpu()) {
        begin_with(where, type, s, mode.added, c);
        host_gemm(type, s, a, b, c, mode);
        return count_library_call();
    }
    const std::int64_t longest = mode.in == precision::tf32x3 ? tensor_sum_of(k) : k, size = codegen::size_of(type);
    for (std::int64_t at = 0; at < k; at += longest, mode.added = c) {
        s.k = std::min(longest, k - at);
        if (longest < k) s.whole = k;
        gemm_mode piece = mode;
        if (at + s.k < k) piece.last = codegen::activation::none;
        cuda_gemm(where, type, s, part_of(a, a.transposed, at, size), part_of(b, !b.transposed, at, size), c, piece);
        count_library_call();
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END
