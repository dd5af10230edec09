// libcublasmp.so.0 of an emulated machine, for tests: products of matrices over ranks that are threads of one process,
// by the host's BLAS; it records its calls.
#include <library_types.h>

#include "rank_grid.hpp"

using namespace cuda_emulation;

namespace {

constexpr int execution_failed = 5, compute_32 = 68, compute_64 = 70;

call_record& record() {
    static call_record r;
    return r;
}

struct product {
    matrix_part a, b, c;
    const void *alpha, *beta;
};

template <class T>
void multiply(const std::vector<product*>& all) {
    auto parts = [&](matrix_part product::*which) {
        std::vector<matrix_part> p;
        for (product* one : all) p.push_back(one->*which);
        return whole_matrix<T>(std::move(p));
    };
    whole_matrix<T> a = parts(&product::a), b = parts(&product::b), c = parts(&product::c);
    const int m = static_cast<int>(c.rows()), n = static_cast<int>(c.columns()), k = static_cast<int>(a.columns());
    const char none = 'N';
    lapack<T>("gemm", &none, &none, &m, &n, &k, static_cast<const T*>(all[0]->alpha), a.data(), &m, b.data(), &k,
              static_cast<const T*>(all[0]->beta), c.data(), &m);
    c.write();
}

}  // namespace

extern "C" {

int cublasMpCreate(void** handle, cudaStream_t stream) {
    return record().make("Create", handle, new library_handle{stream});
}

int cublasMpDestroy(void* handle) { return record().destroy<library_handle>("Destroy", handle); }

int cublasMpGridCreate(std::int64_t rows, std::int64_t columns, int by_rows, void* comm, void** grid) {
    return record().make("GridCreate", grid, new_grid(comm, rows, columns, by_rows));
}

int cublasMpGridDestroy(void* grid) { return record().destroy<process_grid>("GridDestroy", grid); }

int cublasMpMatrixDescriptorCreate(std::int64_t m, std::int64_t n, std::int64_t mb, std::int64_t nb, std::int64_t,
                                   std::int64_t, std::int64_t leading, cudaDataType type, void* grid, void** matrix) {
    auto* g = static_cast<process_grid*>(grid);
    return record().make_matrix("MatrixDescriptorCreate", matrix,
                                {g, type, {m, mb, g->rows}, {n, nb, g->columns}, leading});
}

int cublasMpMatrixDescriptorDestroy(void* matrix) {
    return record().destroy<matrix_description>("MatrixDescriptorDestroy", matrix);
}

const char* cublasMpGetStatusString(int status) {
    return status == success ? "success" : status == invalid_value ? "invalid value" : "execution failed";
}

int cublasMpGemm_bufferSize(void*, int, int, std::int64_t m, std::int64_t n, std::int64_t, const void*, const void*,
                            std::int64_t, std::int64_t, void*, const void*, std::int64_t, std::int64_t, void*,
                            const void*, void*, std::int64_t, std::int64_t, void*, int, std::size_t* device,
                            std::size_t* host) {
    record().add("Gemm_bufferSize");
    *device = work_of(m, n).device;
    *host = work_of(m, n).host;
    return success;
}

int cublasMpGemm(void* handle, int transpose_a, int transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                 const void* alpha, void* a, std::int64_t, std::int64_t, void* of_a, void* b, std::int64_t,
                 std::int64_t, void* of_b, const void* beta, void* c, std::int64_t, std::int64_t, void* of_c,
                 int compute, void* device_work, std::size_t device, void* host_work, std::size_t host) {
    record().add("Gemm");
    auto *da = static_cast<matrix_description*>(of_a), *db = static_cast<matrix_description*>(of_b),
         *dc = static_cast<matrix_description*>(of_c);
    const bool is_double = da->type == CUDA_R_64F || da->type == CUDA_C_64F;
    if (transpose_a || transpose_b || compute != (is_double ? compute_64 : compute_32)) return invalid_value;
    if (da->columns.block != db->rows.block || da->rows.n != m || db->columns.n != n || db->rows.n != k)
        return invalid_value;
    require_work("Gemm", work_of(m, n), device_work, device, host_work, host);
    if (!static_cast<library_handle*>(handle)->drain()) return execution_failed;
    product mine{{da, a}, {db, b}, {dc, c}, alpha, beta};
    together(*da->grid, "Gemm", mine, [&](const std::vector<product*>& all) {
        with_elements(static_cast<cudaDataType>(da->type), 0, [&](auto* null) {
            multiply<std::remove_pointer_t<decltype(null)>>(all);
            return 0;
        });
    });
    return success;
}

/// The calls so far, and how many objects were not given back; no functions of cuBLASMp's.
const char* emulated_cublasmp_calls() { return record().names.c_str(); }
long long emulated_cublasmp_objects() { return record().objects; }

}  // extern "C"
