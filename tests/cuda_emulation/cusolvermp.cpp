// libcusolverMp.so.0 of an emulated machine, for tests: factorisations of matrices over ranks that are threads of one
// process, by the host's LAPACK; it records its calls, and refuses what the real one does not do.
#include <library_types.h>

#include <algorithm>

#include "rank_grid.hpp"

using namespace cuda_emulation;

namespace {

constexpr int execution_failed = 6, internal_error = 7, not_supported = 9;
using number = std::int64_t;

call_record& record() {
    static call_record r;
    return r;
}

/// What a rank brings: matrices, and what lies beside them on its device.
struct solver_call {
    matrix_part a, b{}, c{};
    void* beside = nullptr;
    int* info = nullptr;
    number count = 0;
    bool is_upper = false;
};
using all_ranks = std::vector<solver_call*>;

template <class T>
whole_matrix<T> whole(const all_ranks& all, matrix_part solver_call::*which) {
    std::vector<matrix_part> parts;
    for (solver_call* one : all) parts.push_back(one->*which);
    return whole_matrix<T>(std::move(parts));
}

matrix_description* description(void* d) { return static_cast<matrix_description*>(d); }

/// Runs a routine of all ranks, whose answer each gets on its device.
template <class F>
int run(void* handle, const char* name, work_size wanted, void* device_work, std::size_t device, void* host_work,
        std::size_t host, solver_call mine, F f) {
    record().add(name);
    require_work(name, wanted, device_work, device, host_work, host);
    if (!static_cast<library_handle*>(handle)->drain()) return execution_failed;
    together(*mine.a.of->grid, name, mine, [&](const all_ranks& all) {
        const int info =
            with_elements(static_cast<cudaDataType>(mine.a.of->type), -1, [&](auto* null) { return f(null, all); });
        for (solver_call* one : all) *device_elements<int>(one->info, 1) = info;
    });
    return success;
}

int ask(const char* name, work_size wanted, std::size_t* device, std::size_t* host) {
    record().add(std::string(name) + "_bufferSize");
    *device = wanted.device;
    *host = wanted.host;
    return success;
}

// Numbers beside a matrix lie with its columns, on all ranks that have part of those.
template <class E, class F>
void visit_beside(const all_ranks& all, number count, F f) {
    for (solver_call* one : all) {
        const matrix_description& d = *one->a.of;
        const dealt_axis& axis = d.columns;
        const int own = d.grid->rank % d.grid->columns;
        E* local = device_elements<E>(one->beside, axis.count(own));
        for (number i = 0; i < count; ++i)
            if (axis.owner(i) == own) f(i, local[axis.place(i)]);
    }
}

template <class T>
int factor(T*, const all_ranks& all) {
    whole_matrix<T> a = whole<T>(all, &solver_call::a);
    const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.columns());
    std::vector<int> pivots(static_cast<std::size_t>(std::min(m, n)) + 8);
    int info = 0;
    lapack<T>("getrf", &m, &n, a.data(), &m, pivots.data(), &info);
    a.write();
    visit_beside<number>(all, std::min(m, n), [&](number i, number& p) { p = pivots[static_cast<std::size_t>(i)]; });
    return std::min(info, 0);  // the real one does not tell of pivots that are zero
}

template <class T>
int substitute(T*, const all_ranks& all) {
    whole_matrix<T> a = whole<T>(all, &solver_call::a), b = whole<T>(all, &solver_call::b);
    const int n = static_cast<int>(a.rows()), count = static_cast<int>(all[0]->count);
    std::vector<int> pivots(static_cast<std::size_t>(n) + 8);
    visit_beside<number>(all, n,
                         [&](number i, number& p) { pivots[static_cast<std::size_t>(i)] = static_cast<int>(p); });
    int info = 0;
    const char none = 'N';
    lapack<T>("getrs", &none, &n, &count, a.data(), &n, pivots.data(), b.data(), &n, &info);
    b.write();
    return info;
}

template <class T>
int cholesky(T*, const all_ranks& all) {
    whole_matrix<T> a = whole<T>(all, &solver_call::a);
    const int n = static_cast<int>(a.rows());
    const char triangle = all[0]->is_upper ? 'U' : 'L';
    int info = 0;
    lapack<T>("potrf", &triangle, &n, a.data(), &n, &info);
    a.write();
    return info;
}

template <class T>
int reflect(T*, const all_ranks& all) {
    whole_matrix<T> a = whole<T>(all, &solver_call::a);
    const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.columns()), length = 64 * (m + n);
    std::vector<T> tau(static_cast<std::size_t>(std::min(m, n)) + 8), work(static_cast<std::size_t>(length));
    int info = 0;
    lapack<T>("geqrf", &m, &n, a.data(), &m, tau.data(), work.data(), &length, &info);
    a.write();
    visit_beside<T>(all, std::min(m, n), [&](number i, T& t) { t = tau[static_cast<std::size_t>(i)]; });
    return info;
}

template <class T>
int form(T*, const all_ranks& all) {
    whole_matrix<T> a = whole<T>(all, &solver_call::a);
    const int m = static_cast<int>(a.rows()), k = static_cast<int>(all[0]->count), length = 64 * (m + k);
    std::vector<T> tau(static_cast<std::size_t>(k) + 8), work(static_cast<std::size_t>(length));
    visit_beside<T>(all, k, [&](number i, T& t) { tau[static_cast<std::size_t>(i)] = t; });
    int info = 0;
    lapack<T>(is_complex<T> ? "ungqr" : "orgqr", &m, &k, &k, a.data(), &m, tau.data(), work.data(), &length, &info);
    a.write();
    return info;
}

template <class T>
void write_numbers(const all_ranks& all, const std::vector<typename element<T>::real>& values, number count) {
    using real = typename element<T>::real;
    for (solver_call* one : all) std::copy_n(values.begin(), count, device_elements<real>(one->beside, count));
}

template <class T>
int eigenvalues(T*, const all_ranks& all) {
    using real = typename element<T>::real;
    whole_matrix<T> a = whole<T>(all, &solver_call::a), z = whole<T>(all, &solver_call::b);
    const int n = static_cast<int>(a.rows()), length = 64 * n;
    std::vector<real> values(static_cast<std::size_t>(n) + 8), real_work(static_cast<std::size_t>(3 * n) + 8);
    std::vector<T> work(static_cast<std::size_t>(length));
    const char job = 'V', triangle = all[0]->is_upper ? 'U' : 'L';
    int info = 0;
    if (is_complex<T>)
        lapack<T>("heev", &job, &triangle, &n, a.data(), &n, values.data(), work.data(), &length, real_work.data(),
                  &info);
    else lapack<T>("syev", &job, &triangle, &n, a.data(), &n, values.data(), work.data(), &length, &info);
    std::copy_n(a.data(), static_cast<number>(n) * n, z.data());
    z.write();
    write_numbers<T>(all, values, n);
    return info;
}

template <class T>
int singular_values(T*, const all_ranks& all) {
    using real = typename element<T>::real;
    whole_matrix<T> a = whole<T>(all, &solver_call::a), u = whole<T>(all, &solver_call::b),
                    vh = whole<T>(all, &solver_call::c);
    const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.columns()), k = std::min(m, n);
    const int length = 64 * (m + n);
    std::vector<real> values(static_cast<std::size_t>(k) + 8), real_work(static_cast<std::size_t>(5 * (m + n)));
    std::vector<T> work(static_cast<std::size_t>(length));
    const char job = 'S';
    int info = 0;
    if (is_complex<T>)
        lapack<T>("gesvd", &job, &job, &m, &n, a.data(), &m, values.data(), u.data(), &m, vh.data(), &k, work.data(),
                  &length, real_work.data(), &info);
    else
        lapack<T>("gesvd", &job, &job, &m, &n, a.data(), &m, values.data(), u.data(), &m, vh.data(), &k, work.data(),
                  &length, &info);
    u.write();
    vh.write();
    write_numbers<T>(all, values, k);
    return info > 0 ? 1 : info;
}

}  // namespace

extern "C" {

int cusolverMpCreate(void** handle, int, cudaStream_t stream) {
    if (!stream) return invalid_value;
    return record().make("Create", handle, new library_handle{stream});
}

int cusolverMpDestroy(void* handle) { return record().destroy<library_handle>("Destroy", handle); }

int cusolverMpCreateDeviceGrid(void*, void** grid, void* comm, std::int32_t rows, std::int32_t columns, int by_rows) {
    return record().make("CreateDeviceGrid", grid, new_grid(comm, rows, columns, by_rows));
}

int cusolverMpDestroyGrid(void* grid) { return record().destroy<process_grid>("DestroyGrid", grid); }

int cusolverMpCreateMatrixDesc(void** matrix, void* grid, cudaDataType type, number m, number n, number mb, number nb,
                               std::uint32_t, std::uint32_t, number leading) {
    auto* g = static_cast<process_grid*>(grid);
    return record().make_matrix("CreateMatrixDesc", matrix, {g, type, {m, mb, g->rows}, {n, nb, g->columns}, leading});
}

int cusolverMpDestroyMatrixDesc(void* matrix) {
    return record().destroy<matrix_description>("DestroyMatrixDesc", matrix);
}

int cusolverMpGetrf_bufferSize(void*, number m, number n, void*, number, number, void*, number*, int,
                               std::size_t* device, std::size_t* host) {
    return ask("Getrf", work_of(m, n), device, host);
}

int cusolverMpGetrf(void* handle, number m, number n, void* a, number, number, void* of_a, number* pivots, int,
                    void* work, std::size_t device, void* host_work, std::size_t host, int* info) {
    return run(handle, "Getrf", work_of(m, n), work, device, host_work, host,
               {.a = {description(of_a), a}, .beside = pivots, .info = info},
               [](auto* null, const all_ranks& all) { return factor(null, all); });
}

int cusolverMpGetrs_bufferSize(void*, int transpose, number n, number count, const void*, number, number, void*,
                               const number*, void*, number, number, void*, int, std::size_t* device,
                               std::size_t* host) {
    if (transpose) return not_supported;
    return ask("Getrs", work_of(n, count), device, host);
}

int cusolverMpGetrs(void* handle, int, number n, number count, void* a, number, number, void* of_a, number* pivots,
                    void* b, number, number, void* of_b, int, void* work, std::size_t device, void* host_work,
                    std::size_t host, int* info) {
    return run(
        handle, "Getrs", work_of(n, count), work, device, host_work, host,
        {.a = {description(of_a), a}, .b = {description(of_b), b}, .beside = pivots, .info = info, .count = count},
        [](auto* null, const all_ranks& all) { return substitute(null, all); });
}

int cusolverMpPotrf_bufferSize(void*, int, number n, const void*, number, number, void*, int, std::size_t* device,
                               std::size_t* host) {
    return ask("Potrf", work_of(n, n), device, host);
}

int cusolverMpPotrf(void* handle, int triangle, number n, void* a, number, number, void* of_a, int, void* work,
                    std::size_t device, void* host_work, std::size_t host, int* info) {
    const int status = run(handle, "Potrf", work_of(n, n), work, device, host_work, host,
                           {.a = {description(of_a), a}, .info = info, .is_upper = triangle == 1},
                           [](auto* null, const all_ranks& all) { return cholesky(null, all); });
    return status || *device_elements<int>(info, 1) <= 0 ? status : internal_error;
}

int cusolverMpGeqrf_bufferSize(void*, number m, number n, void*, number, number, void*, int, std::size_t* device,
                               std::size_t* host) {
    return ask("Geqrf", work_of(m, n), device, host);
}

int cusolverMpGeqrf(void* handle, number m, number n, void* a, number, number, void* of_a, void* tau, int, void* work,
                    std::size_t device, void* host_work, std::size_t host, int* info) {
    return run(handle, "Geqrf", work_of(m, n), work, device, host_work, host,
               {.a = {description(of_a), a}, .beside = tau, .info = info},
               [](auto* null, const all_ranks& all) { return reflect(null, all); });
}

int cusolverMpOrgqr_bufferSize(void*, number m, number n, number, const void*, number, number, void*, const void*, int,
                               std::size_t* device, std::size_t* host) {
    return ask("Orgqr", work_of(m, n), device, host);
}

int cusolverMpOrgqr(void* handle, number m, number n, number k, void* a, number, number, void* of_a, void* tau, int,
                    void* work, std::size_t device, void* host_work, std::size_t host, int* info) {
    if (n != k) return not_supported;
    return run(handle, "Orgqr", work_of(m, n), work, device, host_work, host,
               {.a = {description(of_a), a}, .beside = tau, .info = info, .count = k},
               [](auto* null, const all_ranks& all) { return form(null, all); });
}

int cusolverMpSyevd_bufferSize(void*, char* job, int, number n, void*, number, number, void*, void*, void*, number,
                               number, void*, int, std::size_t* device, std::size_t* host) {
    if (*job != 'V') return not_supported;
    return ask("Syevd", work_of(n, n), device, host);
}

int cusolverMpSyevd(void* handle, char*, int triangle, number n, void* a, number, number, void* of_a, void* values,
                    void* q, number, number, void* of_q, int, void* work, std::size_t device, void* host_work,
                    std::size_t host, int* info) {
    return run(handle, "Syevd", work_of(n, n), work, device, host_work, host,
               {.a = {description(of_a), a},
                .b = {description(of_q), q},
                .beside = values,
                .info = info,
                .is_upper = triangle == 1},
               [](auto* null, const all_ranks& all) { return eigenvalues(null, all); });
}

int cusolverMpGesvd_bufferSize(void*, void*, int, int, number m, number n, const void*, number, number, void*,
                               const void*, const void*, number, number, void*, const void*, number, number, void*, int,
                               std::size_t* device, std::size_t* host) {
    return ask("Gesvd", work_of(m, n), device, host);
}

int cusolverMpGesvd(void* handle, void*, int job_u, int job_vh, number m, number n, void* a, number, number, void* of_a,
                    void* values, void* u, number, number, void* of_u, void* vh, number, number, void* of_vh, int,
                    void* work, std::size_t device, void* host_work, std::size_t host, int* info) {
    if (job_u != 1 || job_vh != 1) return not_supported;
    return run(handle, "Gesvd", work_of(m, n), work, device, host_work, host,
               {.a = {description(of_a), a},
                .b = {description(of_u), u},
                .c = {description(of_vh), vh},
                .beside = values,
                .info = info},
               [](auto* null, const all_ranks& all) { return singular_values(null, all); });
}

/// The calls so far, and how many objects were not given back; no functions of cuSOLVERMp's.
const char* emulated_cusolvermp_calls() { return record().names.c_str(); }
long long emulated_cusolvermp_objects() { return record().objects; }

}  // extern "C"
