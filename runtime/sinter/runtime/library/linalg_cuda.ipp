// Linear algebra routines by cuSOLVER and cuBLAS, one batched call for a stack; both are loaded at the first of them.
#pragma once

#include <climits>
#include <sinter/codegen/kernels/linalg/factor_cuda.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/svd_cuda.hpp>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/library/linalg.hpp>
#include <sinter/runtime/library/linalg_cuda.hpp>
#include <sinter/runtime/library/linalg_cuda_eig.ipp>
#include <sinter/runtime/library/linalg_cuda_stacks.ipp>
#include <sinter/runtime/library/linalg_cuda_tridiagonal.ipp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

/// A stream's cuSOLVER, and memory on the host that its functions work in.
struct cusolver_handle {
    std::mutex guard;
    void* handle = nullptr;
    void* stream = nullptr;  ///< that it has been told of
    void* params = nullptr;
    void* jacobi = nullptr;  ///< how gesvdj iterates
    double shift = 0;        ///< what gesvdp had to add to the singular values
    codegen::sequence<char> host_work;
};

SINTER_INLINE void check_cusolver(int status, const char* what) {
    if (status == 0) return;
    const std::string text = std::string("[linalg] ") + what + ": cuSOLVER status " + std::to_string(status);
    if (status == linalg_constants::cusolver_alloc_failed) throw out_of_memory(text);
    throw device_error(text);
}

template <class Function>
Function* cusolver_function(const char* name) {
    auto* f = cusolver_library().function<Function>(name);
    if (!f)
        throw device_error("[linalg] " + (cusolver_library() ? cusolver_library().path() + " has no " + name +
                                                                   ": a later cuSOLVER is needed"
                                                             : missing_cuda_library("cuSOLVER", cusolver_library())));
    return f;
}

SINTER_INLINE cusolver_handle& cusolver_of(device where) {
    cusolver_handle& h = own_of_stream<cusolver_handle>(where);
    std::lock_guard lock(h.guard);
    void* stream = cuda_stream(where);
    auto tell = [&](void* handle) {
        if (h.stream == stream) return;
        check_cusolver(cusolver_function<cusolver_types::set_stream>("cusolverDnSetStream")(handle, stream),
                       "cusolverDnSetStream");
        h.stream = stream;
    };
    if (h.handle) return tell(h.handle), h;
    void *handle = nullptr, *params = nullptr, *jacobi = nullptr;
    check_cusolver(cusolver_function<cusolver_types::create>("cusolverDnCreate")(&handle), "cusolverDnCreate");
    tell(handle);
    check_cusolver(cusolver_function<cusolver_types::create_params>("cusolverDnCreateParams")(&params),
                   "cusolverDnCreateParams");
    check_cusolver(cusolver_function<cusolver_types::create_info>("cusolverDnCreateGesvdjInfo")(&jacobi),
                   "cusolverDnCreateGesvdjInfo");
    h.params = params;
    h.jacobi = jacobi;
    h.handle = handle;
    return h;
}

/// What routines.def says of a routine on GPUs: the functions that it calls for one matrix and for stacks.
struct cuda_names {
    std::string_view one, stack;
};

inline constexpr cuda_names cuda_table[] = {
#define SINTER_ROUTINE(...) {},
#define SINTER_LINALG_ROUTINE(name, operands, results, base, misfit, failure, work, lapack, of_complex, cuda, \
                              of_stacks)                                                                      \
    {cuda, of_stacks},
#include <sinter/codegen/ops/routines.def>
};

// Those that stacks and small matrices call instead: see linalg_cuda_stacks.ipp; none where it is the table's.
SINTER_INLINE std::string_view other_names_in_cuda(const linalg_task& t) {
    if (t.call.what == codegen::routine::getrf && is_lu_stack(t)) return "|getrfBatched";
    if (is_geqrf_stack(t) || is_orgqr_stack(t)) return "|gemmStridedBatched";
    if (t.call.what == codegen::routine::geqrf && is_small_qr_stack(t)) return "|geqrfBatched";
    if (t.call.what != codegen::routine::gesvd) return {};
    if (is_polar_stack(t)) return "|gemmStridedBatched XsyevBatched XsyevBatched_bufferSize";
    if (is_svd_stack(t)) return "|gemmStridedBatched";
    if (is_jacobi_stack(t)) return "gesvdjBatched gesvdjBatched_bufferSize";
    return is_jacobi(t) ? "gesvdj gesvdj_bufferSize" : std::string_view();
}

SINTER_INLINE std::string_view names_in_cuda(const linalg_task& t) {
    const std::string_view other = other_names_in_cuda(t);
    const cuda_names& names = cuda_table[static_cast<int>(t.call.what)];
    return !other.empty() ? other : t.batch > 1 ? names.stack : names.one;
}

SINTER_INLINE void* cuda_function(const linalg_task& t, std::string_view word) {
    const std::string letter(1, static_cast<char>(letter_of(t.type) - 'a' + 'A'));
    const lapack_names& known = names_in_lapack(t.call.what);
    std::string name(word);
    if (codegen::is_complex(t.type) && word.starts_with(known.real)) name.replace(0, known.real.size(), known.complex);
    if (name[0] != '|')
        return reinterpret_cast<void*>(
            cusolver_function<void()>(("cusolverDn" + (name[0] == 'X' ? "" : letter) + name).c_str()));
    return cublas_function("cublas" + letter + name.substr(1));
}

// The memory that a library's function asks for.
struct cuda_work {
    int elements = 0;
    std::size_t on_device = 0, on_host = 0;
};

// Wide panels as far as their rows have room, tall ones beyond; where neither is enough long ones for stacks, the
// library's routine for one matrix.
SINTER_INLINE void prepare_panels(prepared_linalg& p, device where) {
    for (const bool tall : {false, true}) {
        const codegen::panel_source source = codegen::factor_cuda(p.task.type, tall);
        const cuda_module& text = find_text(source.source, where).cuda;
        panel_kernels& k = p.panels[tall];
        k.factor = text.kernel("factor_panel"), k.exchange = text.kernel("exchange_rows");
        k.width = source.width, k.threads = source.threads;
        k.blocks = allow_cluster(where, k.factor, {static_cast<std::uint32_t>(k.threads)}, codegen::most_panel_blocks);
        if (k.takes(p.task.m)) return;
        k.long_panels = tall && p.task.batch > 1;
        if (!k.long_panels) continue;
        k.factor = text.kernel("factor_long_panel");
        k.blocks = allow_cluster(where, k.factor, {static_cast<std::uint32_t>(k.threads)}, codegen::most_panel_blocks);
    }
}

SINTER_INLINE bool has_panels(const prepared_linalg& p) {
    return p.panels[0].takes(p.task.m) || p.panels[1].takes(p.task.m);
}

// Of n columns in two parts those in the first, whole blocks.
SINTER_INLINE int first_part(int n) {
    int half = codegen::inverse_block;
    while (2 * half < n) half *= 2;
    return half;
}

// Elements of the largest product that invert_upper makes.
SINTER_INLINE std::int64_t largest_above(int n) {
    if (n <= codegen::inverse_block) return 0;
    const int half = first_part(n), rest = n - half;
    return std::max({std::int64_t{half} * rest, largest_above(half), largest_above(rest)});
}

struct lu_factors;
struct cuda_svd_layout;

// What `form_q` makes columns of for each matrix of a stack, see codegen::form_q_cuda.
struct q_factors {
    const char* reflectors;
    std::int64_t apart;  ///< elements from one matrix of reflectors to the next
    const char *tau, *from = nullptr, *order = nullptr;
    char* to;
    std::int64_t m, n, k;
    bool signs = false;
};

struct stack_product;
struct qr_block;
struct qr_layout;

void prepare_svd_stack(prepared_linalg& p, device where);
void prepare_polar(prepared_linalg& p, device where);
void prepare_panels_of_q(prepared_linalg& p, device where);
void prepare_geqrf_stack(prepared_linalg& p, device where);

// One run of a routine on a device; with `query` only the memory that it works in is asked for.
struct cuda_run {
    prepared_linalg& r;
    cusolver_handle& own;
    void *solver, *params;
    device where;
    void* blas = nullptr;
    char* const* at = nullptr;
    char *info = nullptr, *marks = nullptr, *lists[2] = {}, *pivots = nullptr, *copy = nullptr, *moves = nullptr,
         *identities = nullptr, *work = nullptr;

    template <class Function>
    Function* function(int i) const {
        return reinterpret_cast<Function*>(r.functions[i]);
    }
    bool has(std::uint8_t option) const { return r.task.call.has(option); }
    int leading(int n) const { return std::max(n, 1); }
    int trans() const { return has(codegen::call_info::adjoint) ? 2 : has(codegen::call_info::transposed) ? 1 : 0; }
    int uplo() const { return has(codegen::call_info::upper) ? linalg_constants::upper : linalg_constants::lower; }
    int batch() const { return static_cast<int>(r.task.batch); }
    int* infos() const { return reinterpret_cast<int*>(info); }
    int* pivots_at(int array) const { return reinterpret_cast<int*>(at[array]); }
    int lwork() const { return static_cast<int>(r.work[0] / codegen::size_of(r.task.type)); }
    int element() const;
    int real_element() const;

    void** list(int which, char* first, std::int64_t stride, std::int64_t count) const;
    void** list(int which, char* first, std::int64_t stride) const { return list(which, first, stride, r.task.batch); }
    void size();
    void clear_not_finite() const;
    void mark_overflows() const;
    void run() const;
#define SINTER_LINALG_ROUTINE(name, ...)  \
    void size_##name(cuda_work& w) const; \
    void run_##name() const;
#include <sinter/codegen/ops/routines.def>
    void run_order_rows() const;
    void factor(const lu_factors& lu) const;
    int factor_panel(const lu_factors& lu, int first, int end) const;
    void subtract_product(const lu_factors& lu, int first, int next, int end) const;
    void solve_rows(const lu_factors& lu, int first, int end) const;
    void invert_small() const;
    void invert_by_factors() const;
    void invert_blocks() const;
    void invert_upper(int first, int n) const;
    void divide_by_lower(int first, int n) const;
    char* element_of(char* matrix, int row, int column) const {
        return matrix + (row + std::int64_t{column} * r.task.n) * codegen::size_of(r.task.type);
    }
    const void* number(int value) const;
    void solve_with(int side, int triangle, int m, int n, const void* a, void* b) const;
    void multiply(int m, int n, int k, int factor, const void* a, int lda, const void* b, int ldb, int kept, void* c,
                  int ldc) const;
    // It lies before all else that a routine works in.
    char* qr_room() const { return work; }
    void form_q(const q_factors& f) const;
    void run_orgqr_stack() const;
    void run_svd_stack() const;
    void rotate_columns(const cuda_svd_layout& l) const;
    void polarise_columns(const cuda_svd_layout& l) const;
    void multiply_stack(const stack_product& p) const;
    void form_block(const qr_block& b, const qr_layout& l, char* room) const;
    void multiply_block(const qr_block& b, bool adjoint, const qr_layout& l, char* room, char* c, std::int64_t apart,
                        std::int64_t columns) const;
    void reflect_by_panels(char* matrices, char* factors, std::int64_t m, std::int64_t n, char* room) const;
    void form_q_by_panels(const q_factors& f, char* room) const;
    void reflect_columns(char* matrices, char* factors, std::int64_t m, std::int64_t n) const;
    void run_gesvdj(int first, char* const* matrix, void* room, int elements, int* status) const;
    void run_gesvdp(char* const* matrix, int* status) const;
    void* host_work() const;
    int ld_of_v() const { return leading(r.task.n); }
    void asked(int status) const { check_cusolver(status, codegen::info(r.task.call.what).name); }
    void solved(int status) const {
        check_cusolver(status, codegen::info(r.task.call.what).name), count_library_call();
    }
    void multiplied(int status) const {
        check_cublas(status, codegen::info(r.task.call.what).name), count_library_call();
    }
};

// Where things lie in a routine's room.
struct cuda_linalg_layout {
    std::int64_t info, marks, lists[2], pivots, copy, moves, identities, work, bytes = 0;

    explicit cuda_linalg_layout(const prepared_linalg& r) {
        const linalg_task& t = r.task;
        const bool polar = t.call.what == codegen::routine::gesvd && !is_jacobi(t) && !is_svd_stack(t);
        const bool inverts = t.call.what == codegen::routine::inverse && !is_small_inverse(t);
        auto take = [&](std::int64_t size) { return std::exchange(bytes, bytes + rounded_up(size)); };
        info = take(4 * t.batch + 4);
        marks = take(is_checked_before(t) ? 4 * t.batch : 0);
        // The blocks along the diagonal of one inverse are a stack, too.
        const std::int64_t blocks = inverts && t.batch == 1 ? t.n / codegen::inverse_block : 0;
        for (std::int64_t& l : lists) l = take(8 * std::max(t.batch, blocks));
        // Of one matrix also which row each row becomes.
        pivots = take(inverts ? 4 * (t.batch + 1) * t.n : 0);
        copy = take(inverts || is_orgqr_stack(t) ? t.stride[0] * t.batch : polar ? t.stride[0] : 0);
        moves = take(has_panels(r) ? 4 * codegen::panel_moves * t.batch : 0);
        identities = take(blocks > 0 ? std::int64_t{t.n} * codegen::inverse_block * codegen::size_of(t.type) : 0);
        work = take(r.work[0]);
    }
};

SINTER_INLINE std::int64_t cuda_linalg_room(const prepared_linalg& r) {
    if (r.eig.solve) return cuda_eig_room(r);
    return r.task.call.what == codegen::routine::gtsv ? r.work[0] : cuda_linalg_layout(r).bytes;
}

SINTER_INLINE prepared_linalg prepare_cuda_linalg(const linalg_task& t, device where) {
    if (t.call.what == codegen::routine::gtsv) return prepare_cuda_tridiagonal(t, where);
    if (has_eig_kernel(t)) return prepare_cuda_eig(t, where);
    prepared_linalg p;
    p.task = t;
    if (t.batch > INT_MAX) throw value_error("[linalg] more than 2147483647 matrices: " + to_string(t.stack));
    std::string_view names = names_in_cuda(t);
    if (names.empty())
        throw device_error(std::string("[linalg] ") + codegen::info(t.call.what).name +
                           " has no implementation on GPUs");
    cusolver_handle& solver = cusolver_of(where);
    if (is_small_inverse(t))
        p.invert_small = find_text(codegen::invert_small_cuda(t.type), where).cuda.kernel("invert_small");
    for (int i = 0; !names.empty() && !calls_no_library(t); ++i)
        p.functions[i] = cuda_function(t, codegen::take_word(names));
    const codegen::kernel_source source = codegen::linalg_cuda();
    const compiled_text& text = find_text(source, where);
    p.list_matrices = text.cuda.kernel("list_matrices");
    if (is_checked_before(t)) {
        p.mark_not_finite = text.cuda.kernel("mark_not_finite");
        p.clear_marked = text.cuda.kernel("clear_marked");
    }
    if (codegen::wants_finite(t.call.what)) p.mark_overflows = text.cuda.kernel("mark_overflows");
    p.check_info = text.cuda.kernel("check_info");
    p.take_upper = text.cuda.kernel("take_upper");
    p.order_rows = text.cuda.kernel("order_rows");
    p.order_columns = text.cuda.kernel("order_columns");
    if (has_lu(t) && !is_lu_stack(t) && !is_small_inverse(t)) prepare_panels(p, where);
    if (is_by_panels(t)) prepare_panels_of_q(p, where);
    if (is_svd_stack(t)) prepare_svd_stack(p, where);
    if (is_geqrf_stack(t)) prepare_geqrf_stack(p, where);
    if (is_orgqr_stack(t) || is_svd_stack(t))
        p.form_q = find_text(codegen::form_q_cuda(t.type), where).cuda.kernel("form_q");
    cuda_run{.r = p, .own = solver, .solver = solver.handle, .params = solver.params, .where = where}.size();
    return p;
}

SINTER_INLINE void run_cuda_linalg(const prepared_linalg& r, device where, char* const* arrays, char* room,
                                   codegen::sequence<index_check>& checks) {
    const linalg_task& t = r.task;
    if (t.call.what == codegen::routine::gtsv) return run_cuda_tridiagonal(r, where, arrays, room, checks);
    if (r.eig.solve) return run_cuda_eig(r, where, arrays, room, checks);
    const cuda_linalg_layout l(r);
    cusolver_handle& solver = cusolver_of(where);
    std::lock_guard lock(solver.guard);
    const cublas_session blas(where);
    const bool checked = t.call.can_fail();
    // Not every routine writes what it has nothing to say about.
    if (checked) fill_zero(where, room + l.info, static_cast<std::size_t>(l.lists[0] - l.info));
    const cuda_run run{.r = const_cast<prepared_linalg&>(r),
                       .own = solver,
                       .solver = solver.handle,
                       .params = solver.params,
                       .where = where,
                       .blas = blas.handle(),
                       .at = arrays,
                       .info = room + l.info,
                       .marks = is_checked_before(t) ? room + l.marks : nullptr,
                       .lists = {room + l.lists[0], room + l.lists[1]},
                       .pivots = room + l.pivots,
                       .copy = room + l.copy,
                       .moves = room + l.moves,
                       .identities = room + l.identities,
                       .work = room + l.work};
    if (run.marks) run.clear_not_finite();
    run.run();
    if (!checked) return;
    if (codegen::wants_finite(t.call.what)) run.mark_overflows();
    auto words = std::make_shared<const error_words>(where, 1);
    void *info = run.info, *marks = run.marks, *error = words->address();
    checks.push_back({words, 0, "linalg", index_check::in_matrix, 0, t.stack, t.call});
    const bool inverts = t.call.what == codegen::routine::inverse && !is_small_inverse(t);
    void* factors = !is_lu_stack(t) || is_small_inverse(t) ? nullptr : inverts ? room + l.copy : arrays[0];
    std::int64_t count = t.batch, n = t.n, element = codegen::size_of(t.type) / 4,
                 number = codegen::size_of(codegen::real_of(t.type)) / 4;
    void* arguments[] = {&info, &marks, &count, &error, &factors, &n, &element, &number};
    launch_cuda(where, r.check_info, {1}, {256}, 0, arguments);
}

#else

SINTER_INLINE std::int64_t cuda_linalg_room(const prepared_linalg&) { return 0; }
SINTER_INLINE prepared_linalg prepare_cuda_linalg(const linalg_task&, device) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE void run_cuda_linalg(const prepared_linalg&, device, char* const*, char*,
                                   codegen::sequence<index_check>&) {
    throw device_error("[cuda] built without CUDA headers");
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

#include <sinter/runtime/library/linalg_cuda_factor.ipp>
#include <sinter/runtime/library/linalg_cuda_inverse.ipp>
#include <sinter/runtime/library/linalg_cuda_qr.ipp>
#include <sinter/runtime/library/linalg_cuda_run.ipp>
#include <sinter/runtime/library/linalg_cuda_svd.ipp>
#include <sinter/runtime/library/linalg_cuda_polar.ipp>

#if SINTER_HAS_CUDA && !SINTER_HEADER_ONLY && __has_include(<cusolverDn.h>)
#include <sinter/runtime/library/linalg_check.hpp>
#endif
