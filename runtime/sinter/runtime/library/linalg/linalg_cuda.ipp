// Bodies of linalg_cuda.hpp: one batched call for a stack; the libraries are loaded at the first of them.
#pragma once

#include <climits>
#include <memory>
#include <mutex>
#include <string>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda.hpp>
#include <sinter/codegen/kernels/linalg/factor_cuda.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/svd_cuda.hpp>
#include <sinter/codegen/kernels/linalg/qr_cuda.hpp>
#include <sinter/codegen/kernels/linalg/polar_cuda.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/library/blas_cuda.hpp>
#include <sinter/runtime/library/linalg/lapack.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_eig.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_factor.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_inverse.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_routines.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_stacks.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_svd.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda_tridiagonal.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

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

// Where things lie in a routine's room.
struct cuda_linalg_layout {
    std::int64_t info, marks, lists[2], pivots, copy, moves, identities, vectors, work, bytes = 0;

    explicit cuda_linalg_layout(const prepared_linalg& r) {
        const linalg_task& t = r.task;
        const bool polar = t.call.what == codegen::routine::gesvd && !is_jacobi(t) && !is_svd_stack(t);
        const bool inverts = t.call.what == codegen::routine::inverse && !is_small(t);
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
        vectors = take(has_packed_vectors(t) ? std::int64_t{t.n} * t.n * codegen::size_of(t.type) : 0);
        work = take(r.work[0]);
    }
};

/// The kernel of small matrices of a routine, and its text.
struct small_kernel {
    const char* name;
    codegen::kernel_source text;
};

SINTER_INLINE small_kernel kernel_of_small(const linalg_task& t) {
    switch (t.call.what) {
        case codegen::routine::syevd: return {"rotate_small", codegen::rotate_small_cuda(t.type, t.n)};
        case codegen::routine::potrf: return {"factor_small", codegen::factor_small_cuda(t.type, lanes_of_small(t))};
        default: return {"invert_small", codegen::invert_small_cuda(t.type, lanes_of_small(t))};
    }
}

/// A kernel beside the library's calls, where it is kept, and whether a routine launches it.
struct linalg_kernel {
    const char* name;
    cuda_kernel prepared_linalg::*at;
    bool (*is_needed)(const linalg_task&);
};

SINTER_INLINE bool is_inverse_by_factors(const linalg_task& t) {
    return t.call.what == codegen::routine::inverse && t.batch == 1 && !is_small(t);
}

SINTER_INLINE codegen::span<const linalg_kernel> kernels_beside_library() {
    using enum codegen::routine;
    static constexpr linalg_kernel table[] = {
        {"check_info", &prepared_linalg::check_info,
         [](const linalg_task& t) { return t.call.can_fail() || t.call.what == geev; }},
        {"list_matrices", &prepared_linalg::list_matrices,
         [](const linalg_task& t) { return !is_small(t) && (t.batch > 1 || t.call.what == inverse); }},
        {"mark_not_finite", &prepared_linalg::mark_not_finite, is_checked_before},
        {"clear_marked", &prepared_linalg::clear_marked, is_checked_before},
        {"mark_overflows", &prepared_linalg::mark_overflows,
         [](const linalg_task& t) { return codegen::wants_finite(t.call.what); }},
        {"keep_nan", &prepared_linalg::keep_nan, keeps_nan},
        {"unpack_vectors", &prepared_linalg::unpack_vectors, has_packed_vectors},
        {"order_rows", &prepared_linalg::order_rows,
         [](const linalg_task& t) {
             return is_inverse_by_factors(t) || (t.call.what == getrf && t.call.has(codegen::call_info::rows));
         }},
        {"take_upper", &prepared_linalg::take_upper, is_inverse_by_factors},
        {"order_columns", &prepared_linalg::order_columns, is_inverse_by_factors}};
    return table;
}

// Those that take a compiler longest come first.
SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_cuda_linalg(const linalg_task& t) {
    if (t.call.what == codegen::routine::gtsv) return {codegen::tridiagonal_cuda(t.type)};
    if (t.call.what == codegen::routine::geev && codegen::is_eig_stack(codegen::is_complex(t.type), t.n, t.batch))
        return {codegen::eig_cuda(t.type), codegen::linalg_cuda("check_info")};
    codegen::sequence<codegen::kernel_source> texts;
    if (is_svd_stack(t) || is_geqrf_stack(t)) texts.push_back(codegen::svd_cuda(t.type));
    if (is_by_panels(t)) texts.push_back(codegen::qr_cuda(t.type));
    if (has_lu(t) && !is_lu_stack(t) && !is_small(t)) add_panel_texts(texts, t);
    for (const linalg_kernel& k : kernels_beside_library())
        if (k.is_needed(t)) texts.push_back(codegen::linalg_cuda(k.name));
    if (is_polar_stack(t)) texts.push_back(codegen::polar_cuda(t.type));
    if (is_orgqr_stack(t) || is_svd_stack(t)) texts.push_back(codegen::form_q_cuda(t.type));
    if (is_small(t)) texts.push_back(kernel_of_small(t).text);
    return texts;
}

SINTER_INLINE prepared_linalg prepare_library_linalg(const linalg_task& t, device where) {
    prepared_linalg p;
    p.task = t;
    if (t.batch > INT_MAX) throw value_error("[linalg] more than 2147483647 matrices: " + to_string(t.stack));
    std::string_view names = names_in_cuda(t);
    if (names.empty())
        throw device_error(
            codegen::joined({"[linalg] ", codegen::info(t.call.what).name, " has no implementation on GPUs"}));
    cusolver_handle& solver = cusolver_of(where);
    if (is_small(t)) {
        const small_kernel k = kernel_of_small(t);
        p.small = find_text(k.text, where).kernel(k.name);
    }
    for (int i = 0; !names.empty() && !calls_no_library(t); ++i)
        p.functions[i] = cuda_function(t, codegen::take_word(names));
    for (const linalg_kernel& k : kernels_beside_library())
        if (k.is_needed(t)) p.*k.at = find_text(codegen::linalg_cuda(k.name), where).kernel(k.name);
    if (has_lu(t) && !is_lu_stack(t) && !is_small(t)) prepare_panels(p, where);
    if (is_by_panels(t)) prepare_panels_of_q(p, where);
    if (is_svd_stack(t)) prepare_svd_stack(p, where);
    if (is_geqrf_stack(t)) prepare_geqrf_stack(p, where);
    if (is_orgqr_stack(t) || is_svd_stack(t))
        p.form_q = find_text(codegen::form_q_cuda(t.type), where).kernel("form_q");
    cuda_routine{{.r = p, .own = solver, .solver = solver.handle, .params = solver.params, .where = where}}.size();
    p.workspace = cuda_linalg_layout(p).bytes;
    return p;
}

SINTER_INLINE prepared_linalg prepare_cuda_linalg(const linalg_task& t, device where) {
    if (t.call.what == codegen::routine::gtsv) return prepare_cuda_tridiagonal(t, where);
    return has_eig_kernel(t) ? prepare_cuda_eig(t, where) : prepare_library_linalg(t, where);
}

SINTER_INLINE void run_cuda_linalg(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                                   codegen::sequence<index_check>& checks) {
    const linalg_task& t = r.task;
    if (t.call.what == codegen::routine::gtsv) return run_cuda_tridiagonal(r, where, arrays, workspace, checks);
    if (r.eig.solve) return run_cuda_eig(r, where, arrays, workspace, checks);
    const cuda_linalg_layout l(r);
    cusolver_handle& solver = cusolver_of(where);
    std::lock_guard lock(solver.guard);
    const cublas_session blas(where);
    const bool checked = t.call.can_fail();
    // Not every routine writes what it has nothing to say about.
    if (checked) fill_zero(where, workspace + l.info, static_cast<std::size_t>(l.lists[0] - l.info));
    const cuda_routine run{{.r = const_cast<prepared_linalg&>(r),
                            .own = solver,
                            .solver = solver.handle,
                            .params = solver.params,
                            .where = where,
                            .blas = blas.handle(),
                            .at = arrays,
                            .info = workspace + l.info,
                            .marks = is_checked_before(t) ? workspace + l.marks : nullptr,
                            .lists = {workspace + l.lists[0], workspace + l.lists[1]},
                            .pivots = workspace + l.pivots,
                            .copy = workspace + l.copy,
                            .moves = workspace + l.moves,
                            .identities = workspace + l.identities,
                            .vectors = workspace + l.vectors,
                            .work = workspace + l.work}};
    if (run.marks) run.clear_not_finite();
    run.run();
    if (!checked) return;
    if (codegen::wants_finite(t.call.what)) run.mark_overflows();
    auto words = std::make_shared<const error_words>(where, 1);
    void *info = run.info, *marks = run.marks, *error = words->address();
    checks.push_back({words, 0, "linalg", index_check::in_matrix, 0, t.stack, t.call});
    const bool inverts = t.call.what == codegen::routine::inverse && !is_small(t);
    void* factors = !is_lu_stack(t) || is_small(t) ? nullptr : inverts ? workspace + l.copy : arrays[0];
    std::int64_t count = t.batch, n = t.n, element = codegen::size_of(t.type) / 4,
                 number = codegen::size_of(codegen::real_of(t.type)) / 4;
    void* arguments[] = {&info, &marks, &count, &error, &factors, &n, &element, &number};
    launch_cuda(where, r.check_info, {1}, {checking_threads(t)}, 0, arguments);
}

#else

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_cuda_linalg(const linalg_task&) { return {}; }
SINTER_INLINE prepared_linalg prepare_cuda_linalg(const linalg_task&, device) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE void run_cuda_linalg(const prepared_linalg&, device, char* const*, char*,
                                   codegen::sequence<index_check>&) {
    throw device_error("[cuda] built without CUDA headers");
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HAS_CUDA && !SINTER_HEADER_ONLY && __has_include(<cusolverDn.h>)
#include <sinter/runtime/library/linalg/linalg_check.hpp>
#endif
