// Linear algebra routines by the system's LAPACK: a loop over the stack, which threads share when its matrices are
// small.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/library/linalg/lapack.hpp>
#include <sinter/runtime/library/linalg/lapack_types.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/library/linalg/linalg_task.hpp>
#include <sinter/runtime/library/linalg/small_matrix.hpp>
#include <sinter/runtime/base/thread_team.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

inline constexpr lapack_names lapack_table[] = {
#define SINTER_ROUTINE(...) {},
#define SINTER_LINALG_ROUTINE(name, operands, results, base, misfit, failure, work, lapack, of_complex, ...) \
    {lapack, of_complex, lapack_names::work},
#include <sinter/codegen/ops/routines.def>
};

SINTER_INLINE const lapack_names& names_in_lapack(codegen::routine r) { return lapack_table[static_cast<int>(r)]; }

// One matrix: where its arrays are, and memory to work in.
struct lapack_run {
    const prepared_linalg& r;
    char* at[linalg_task::most_arrays];
    char *work, *real_work;
    int* integers;
    int lwork, lrwork, liwork;

    template <class Function>
    Function* function(int i) const {
        return reinterpret_cast<Function*>(r.functions[i]);
    }
    bool has(std::uint8_t option) const { return r.task.call.has(option); }
    bool is_complex() const { return codegen::is_complex(r.task.type); }
    int leading(int n) const { return std::max(n, 1); }
    const char* trans() const {
        return has(codegen::call_info::adjoint) ? "C" : has(codegen::call_info::transposed) ? "T" : "N";
    }
    const char* uplo() const { return has(codegen::call_info::upper) ? "U" : "L"; }
    const char* job() const { return has(codegen::call_info::vectors) ? "V" : "N"; }

    int run() const;
#define SINTER_LINALG_ROUTINE(name, ...) int run_##name() const;
#include <sinter/codegen/ops/routines.def>
    template <class T>
    void join_pairs(const T* wr, const T* wi, const T* vr) const;
};

SINTER_INLINE int lapack_run::run_getrf() const {
    const int m = r.task.m, n = r.task.n, ld = leading(m);
    int *pivots = reinterpret_cast<int*>(at[1]), *rows = reinterpret_cast<int*>(at[2]), info = 0;
    function<lapack_types::getrf>(0)(&m, &n, at[0], &ld, pivots, &info);
    if (!has(codegen::call_info::rows)) return info;
    for (int i = 0; i < m; ++i) rows[i] = i;
    for (int i = 0; i < std::min(m, n); ++i) std::swap(rows[i], rows[pivots[i] - 1]);
    return info;
}

SINTER_INLINE int lapack_run::run_inverse() const {
    using l = lapack_types;
    const int n = r.task.n, ld = leading(n);
    int info = 0;
    std::memcpy(at[1], at[0], static_cast<std::size_t>(r.task.stride[0]));
    function<l::getrf>(0)(&n, &n, at[1], &ld, integers, &info);
    if (info == 0) function<l::getri>(1)(&n, at[1], &ld, integers, work, &lwork, &info);
    return info;
}

// It overwrites the diagonals, of which only copies are ours to give.
SINTER_INLINE int lapack_run::run_gtsv() const {
    const linalg_task& t = r.task;
    const std::size_t size = static_cast<std::size_t>(codegen::size_of(t.type)), rows = static_cast<std::size_t>(t.m);
    char* copies[3];
    for (std::size_t i = 0; i < 3; ++i) {
        copies[i] = work + i * rows * size;
        if (std::size_t bytes = (rows - (i != 1)) * size) std::memcpy(copies[i], at[1 + i], bytes);
    }
    int info = 0;
    function<lapack_types::gtsv>(0)(&t.m, &t.n, copies[0], copies[1], copies[2], at[0], &t.m, &info);
    return info;
}

SINTER_INLINE int lapack_run::run_trsm() const {
    const linalg_task& t = r.task;
    const bool right = has(codegen::call_info::right);
    const int ld = leading(right ? t.n : t.m), ldb = leading(t.m);
    const double one[2] = {1, 0};
    const float one_f[2] = {1, 0};
    const void* alpha = codegen::real_of(t.type) == dtype::float64 ? static_cast<const void*>(one) : one_f;
    function<lapack_types::trsm>(0)(right ? "R" : "L", uplo(), trans(), has(codegen::call_info::unit) ? "U" : "N", &t.m,
                                    &t.n, alpha, at[1], &ld, at[0], &ldb, 1, 1, 1, 1);
    return 0;
}

SINTER_INLINE int lapack_run::run_getrs() const {
    const int m = r.task.m, n = r.task.n, ld = leading(m);
    int info = 0;
    function<lapack_types::getrs>(0)(trans(), &m, &n, at[1], &ld, reinterpret_cast<int*>(at[2]), at[0], &ld, &info, 1);
    return info;
}

SINTER_INLINE int lapack_run::run_potrf() const {
    const int n = r.task.n, ld = leading(n);
    int info = 0;
    function<lapack_types::potrf>(0)(uplo(), &n, at[0], &ld, &info, 1);
    return info;
}

SINTER_INLINE int lapack_run::run_geqrf() const {
    const int m = r.task.m, n = r.task.n, ld = leading(m);
    int info = 0;
    function<lapack_types::geqrf>(0)(&m, &n, at[0], &ld, at[1], work, &lwork, &info);
    return info;
}

SINTER_INLINE int lapack_run::run_orgqr() const {
    const int m = r.task.m, n = r.task.n, ld = leading(m);
    int info = 0;
    function<lapack_types::orgqr>(0)(&m, &n, &r.task.k, at[0], &ld, at[1], work, &lwork, &info);
    return info;
}

SINTER_INLINE int lapack_run::run_ormqr() const {
    const linalg_task& t = r.task;
    const bool right = has(codegen::call_info::right);
    const int ld = leading(right ? t.n : t.m), ldc = leading(t.m);
    int info = 0;
    function<lapack_types::ormqr>(0)(right ? "R" : "L", trans(), &t.m, &t.n, &t.k, at[1], &ld, at[2], at[0], &ldc, work,
                                     &lwork, &info, 1, 1);
    return info;
}

SINTER_INLINE int lapack_run::run_syevd() const {
    const int n = r.task.n, ld = leading(n);
    int info = 0;
    if (is_complex())
        function<lapack_types::heevd>(0)(job(), uplo(), &n, at[0], &ld, at[1], work, &lwork, real_work, &lrwork,
                                         integers, &liwork, &info, 1, 1);
    else
        function<lapack_types::syevd>(0)(job(), uplo(), &n, at[0], &ld, at[1], work, &lwork, integers, &liwork, &info,
                                         1, 1);
    return info;
}

SINTER_INLINE int lapack_run::run_gesvd() const {
    const linalg_task& t = r.task;
    const char* jobz = !has(codegen::call_info::vectors) ? "N" : has(codegen::call_info::full) ? "A" : "S";
    const int ld = leading(t.m), ldvt = leading(has(codegen::call_info::full) ? t.n : std::min(t.m, t.n));
    int info = 0;
    if (is_complex())
        function<lapack_types::complex_gesdd>(0)(jobz, &t.m, &t.n, at[0], &ld, at[2], at[1], &ld, at[3], &ldvt, work,
                                                 &lwork, real_work, integers, &info, 1);
    else
        function<lapack_types::gesdd>(0)(jobz, &t.m, &t.n, at[0], &ld, at[2], at[1], &ld, at[3], &ldvt, work, &lwork,
                                         integers, &info, 1);
    return info;
}

// Complex values and vectors from LAPACK's pairs of real ones: a conjugated pair of vectors is v ± iw.
template <class T>
SINTER_COMPARES void lapack_run::join_pairs(const T* wr, const T* wi, const T* vr) const {
    const int n = r.task.n;
    T *w = reinterpret_cast<T*>(at[1]), *v = reinterpret_cast<T*>(at[2]);
    for (int j = 0; j < n; ++j) {
        w[2 * j] = wr[j];
        w[2 * j + 1] = wi[j];
    }
    for (std::int64_t j = 0; vr && j < n; ++j) {
        const bool first = wi[j] > 0, second = wi[j] < 0;
        for (std::int64_t i = 0; i < n; ++i) {
            v[2 * (j * n + i)] = vr[(second ? j - 1 : j) * n + i];
            v[2 * (j * n + i) + 1] = first ? vr[(j + 1) * n + i] : second ? -vr[j * n + i] : T(0);
        }
    }
}

SINTER_INLINE int lapack_run::run_geev() const {
    const int n = r.task.n, ld = leading(n);
    int info = 0;
    if (is_complex()) {
        function<lapack_types::complex_geev>(0)("N", job(), &n, at[0], &ld, at[1], nullptr, &ld, at[2], &ld, work,
                                                &lwork, real_work, &info, 1, 1);
        return info;
    }
    const std::int64_t size = codegen::size_of(r.task.type);
    char *wr = real_work, *wi = wr + n * size, *vr = wi + n * size;
    function<lapack_types::geev>(0)("N", job(), &n, at[0], &ld, wr, wi, nullptr, &ld, vr, &ld, work, &lwork, &info, 1,
                                    1);
    auto join = [&]<class T>(const T* values, const T* others, const T* vectors) {
        join_pairs<T>(values, others, has(codegen::call_info::vectors) ? vectors : nullptr);
    };
    if (lwork < 0) return info;
    if (r.task.type == dtype::float64)
        join(reinterpret_cast<double*>(wr), reinterpret_cast<double*>(wi), reinterpret_cast<double*>(vr));
    else join(reinterpret_cast<float*>(wr), reinterpret_cast<float*>(wi), reinterpret_cast<float*>(vr));
    return info;
}

// Runs the routine; with lwork < 0 it only writes how much memory it wants.
SINTER_INLINE int lapack_run::run() const {
    switch (r.task.call.what) {
#define SINTER_LINALG_ROUTINE(name, ...) \
    case codegen::routine::name: return run_##name();
#include <sinter/codegen/ops/routines.def>
        default: throw internal_error("[linalg] a routine is none of LAPACK's");
    }
}

// Memory that LAPACK works in for one matrix, by asking it.
SINTER_INLINE void size_lapack_work(prepared_linalg& p) {
    using enum codegen::routine;
    const linalg_task& t = p.task;
    const std::int64_t size = codegen::size_of(t.type), real = codegen::size_of(codegen::real_of(t.type)), n = t.n,
                       least = std::min(t.m, t.n), most = std::max(t.m, t.n);
    if (t.call.what == inverse) p.work[2] = rounded_up(4 * n);
    if (t.call.what == gesvd) {
        p.work[2] = rounded_up(8 * least * 4);
        if (codegen::is_complex(t.type))
            p.work[1] = rounded_up(
                real *
                (std::max(5 * least * least + 5 * least, 2 * most * least + 2 * least * least + least) + 7 * least));
    }
    if (t.call.what == geev)
        p.work[1] = rounded_up(codegen::is_complex(t.type)
                                   ? 2 * n * real
                                   : 2 * n * size + (t.call.has(codegen::call_info::vectors) ? n * n * size : 0));
    if (t.call.what == gtsv) p.work[0] = rounded_up(3 * t.m * size);
    if (names_in_lapack(t.call.what).wants == lapack_names::none) return;
    alignas(16) char wanted[16] = {}, wanted_real[16] = {};
    int wanted_integers[2] = {};
    lapack_run query{p, {}, wanted, wanted_real, wanted_integers, -1, -1, -1};
    if (t.call.what == inverse) {
        const int columns = t.n, ld = query.leading(columns);
        int info = 0;
        query.function<lapack_types::getri>(1)(&columns, nullptr, &ld, nullptr, wanted, &query.lwork, &info);
    } else {
        query.run();
    }
    auto number = [&](const char* from) {
        double d = 0;
        codegen::convert(codegen::real_of(t.type), dtype::float64, from, &d, 1);
        // A float may have lost a little of a large number.
        return static_cast<std::int64_t>(real == 4 ? d * 1.0001 + 1 : d);
    };
    p.work[0] = rounded_up(std::max<std::int64_t>(number(wanted), 1) * size);
    if (t.call.what != syevd) return;
    p.work[2] = rounded_up(4 * static_cast<std::int64_t>(std::max(wanted_integers[0], 1)));
    if (codegen::is_complex(t.type)) p.work[1] = rounded_up(std::max<std::int64_t>(number(wanted_real), 1) * real);
}

// Matrices of a stack that a thread takes at least: small ones are shared out, the library's own threads are for large
// ones, and what takes less time than a thread needs to begin is none's.
SINTER_INLINE std::int64_t least_of_part(const prepared_linalg& p) {
    constexpr std::int64_t small = 128, multiplications_of_part = 1 << 16;
    const std::int64_t side = std::max(p.task.m, p.task.n);
    if (p.small_matrix) return std::max<std::int64_t>(4, multiplications_of_part / (side * side * side + 16));
    return side <= small || p.task.call.what == codegen::routine::gtsv ? 4 : INT64_MAX;
}

SINTER_INLINE prepared_linalg prepare_lapack(const linalg_task& t) {
    prepared_linalg p;
    p.task = t;
    std::string why;
    if (!blas_available(device::cpu(), &why)) throw device_error("[linalg] " + why);
    const lapack_names& names = names_in_lapack(t.call.what);
    std::string_view list = codegen::is_complex(t.type) ? names.complex : names.real;
    for (int i = 0; !list.empty(); ++i) {
        const std::string name = codegen::joined({letter_of(t.type), codegen::take_word(list), "_"});
        p.functions[i] = host_lapack_library().symbol(name.c_str());
        if (!p.functions[i])
            throw device_error(codegen::joined(
                {"[linalg] ", host_lapack_library().path(), " has no ", name, ": install libopenblas0"}));
    }
    p.small_matrix = small_matrix_function_of(t);
    p.parts = std::max<std::int64_t>(1, std::min<std::int64_t>(thread_count(), t.batch / least_of_part(p)));
    size_lapack_work(p);
    p.workspace = p.parts * (p.work[0] + p.work[1] + p.work[2]);
    return p;
}

// Whether what a routine reads of a matrix is finite: by the bits of exponents, as -ffast-math leaves comparisons out.
template <class Real>
bool is_finite(const linalg_task& t, const Real* a) {
    using word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
    constexpr word exponent = static_cast<word>(sizeof(Real) == 8 ? 0x7FF0000000000000 : 0x7F800000);
    const std::int64_t m = t.m, parts = codegen::is_complex(t.type) ? 2 : 1;
    const bool half = t.call.what == codegen::routine::syevd, upper = t.call.has(codegen::call_info::upper);
    for (std::int64_t j = 0; j < t.n; ++j) {
        const std::int64_t first = half && !upper ? j : 0, end = half && upper ? j + 1 : m;
        for (std::int64_t i = (j * m + first) * parts; i < (j * m + end) * parts; ++i)
            if ((std::bit_cast<word>(a[i]) & exponent) == exponent) return false;
    }
    return true;
}

SINTER_INLINE bool can_run(const linalg_task& t, const void* a) {
    if (!codegen::wants_finite(t.call.what)) return true;
    if (codegen::real_of(t.type) == dtype::float64) return is_finite(t, static_cast<const double*>(a));
    return is_finite(t, static_cast<const float*>(a));
}

// Whether one of so many numbers is NaN: by the bits as well.
template <class Real>
bool has_nan(const Real* numbers, std::int64_t count) {
    using word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
    constexpr word infinity = static_cast<word>(sizeof(Real) == 8 ? 0x7FF0000000000000 : 0x7F800000);
    for (std::int64_t i = 0; i < count; ++i)
        if ((std::bit_cast<word>(numbers[i]) & (word(-1) >> 1)) > infinity) return true;
    return false;
}

SINTER_INLINE bool has_overflowed(const linalg_task& t, char* const* arrays) {
    if (!codegen::wants_finite(t.call.what)) return false;
    const int array = codegen::array_of_values(t.call.what);
    const char* values = arrays[array];
    if (codegen::real_of(t.type) == dtype::float64)
        return has_nan(reinterpret_cast<const double*>(values), t.stride[array] / 8);
    return has_nan(reinterpret_cast<const float*>(values), t.stride[array] / 4);
}

struct lapack_stack {
    const prepared_linalg* r;
    char* const* arrays;
    char* workspace;
    std::atomic<std::int64_t> failed;  ///< the first matrix, and why: its number << 32 | info
};

SINTER_INLINE void run_lapack_part(lapack_stack& s, std::int64_t part) {
    const prepared_linalg& r = *s.r;
    const linalg_task& t = r.task;
    char* workspace = s.workspace + part * (r.work[0] + r.work[1] + r.work[2]);
    const std::int64_t size = codegen::size_of(t.type), real = codegen::size_of(codegen::real_of(t.type));
    auto count = [](std::int64_t n) { return static_cast<int>(std::min<std::int64_t>(n, INT_MAX)); };
    lapack_run run{r,
                   {},
                   workspace,
                   workspace + r.work[0],
                   reinterpret_cast<int*>(workspace + r.work[0] + r.work[1]),
                   count(r.work[0] / size),
                   count(r.work[1] / real),
                   count(r.work[2] / 4)};
    for (std::int64_t i = part * t.batch / r.parts; i < (part + 1) * t.batch / r.parts; ++i) {
        for (int a = 0; a < t.arrays; ++a) run.at[a] = s.arrays[a] + i * t.stride[a];
        int info = r.small_matrix ? r.small_matrix(t, run.at) : can_run(t, run.at[0]) ? run.run() : codegen::not_finite;
        if (info >= 0 && info != codegen::not_finite && has_overflowed(t, run.at)) info = codegen::overflowed;
        if (info == 0 || !t.call.can_fail()) continue;
        std::int64_t word = i << 32 | static_cast<std::uint32_t>(info), known = s.failed.load();
        while (word < known && !s.failed.compare_exchange_weak(known, word)) {
        }
        return;
    }
}

// Threads that wait for each other at every step of a factorisation cost more than they save where each has little to
// do: on two cores a solution of 400 equations took one thread 2.4 ms and two 4.7 ms of processor time, and not less on
// the clock; of 200 0.6 ms and 4.8.
SINTER_INLINE int library_threads(const linalg_task& t) {
    using enum codegen::routine;
    constexpr double multiplications_of_thread = 400. * 400 * 400;
    const double m = t.m, n = t.n;
    const bool applies = t.call.what == getrs || t.call.what == trsm || t.call.what == ormqr;
    const double work = m * n * (applies ? std::max(m, n) : std::min(m, n));
    return static_cast<int>(std::clamp(work / multiplications_of_thread, 1., double(thread_count())));
}

SINTER_INLINE void run_lapack(const prepared_linalg& r, char* const* arrays, char* workspace) {
    const linalg_task& t = r.task;
    count_library_call();
    lapack_stack s{&r, arrays, workspace, INT64_MAX};
    const host_blas_threads own(r.parts > 1 ? 1 : library_threads(t));
    parallel_for(
        r.parts, 1,
        [](void* context, std::int64_t begin, std::int64_t end) {
            for (; begin < end; ++begin) run_lapack_part(*static_cast<lapack_stack*>(context), begin);
        },
        &s);
    if (s.failed != INT64_MAX) throw linalg_error(codegen::failure_text(t.call, t.stack, s.failed));
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END
