// Bodies of cuda_matrix_engine.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/distributed/cuda_matrix_engine.hpp>
#include <sinter/runtime/distributed/cuda_matrix_library.hpp>
#include <sinter/runtime/distributed/cuda_matrix_types.hpp>
#include <sinter/runtime/distributed/matrix_engine.hpp>
#include <sinter/runtime/distributed/staging.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <vector>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::distributed {

#if SINTER_HAS_CUDA

class cuda_matrix_engine final : public matrix_engine {
public:
    explicit cuda_matrix_engine(communicator& link)
        : link_(link),
          grid_(grid_of(link.size())),
          products_("cuBLASMp", "cublasMp", runtime::cublasmp_library()),
          solvers_("cuSOLVERMp", "cusolverMp", runtime::cusolvermp_library()) {
        try {
            open(link.nccl());
        } catch (...) {
            close();
            throw;
        }
    }
    cuda_matrix_engine(const cuda_matrix_engine&) = delete;
    cuda_matrix_engine& operator=(const cuda_matrix_engine&) = delete;
    // Grids have communicators of their own, which all ranks give back; those that NCCL has aborted are gone.
    ~cuda_matrix_engine() override {
        if (link_.nccl().communicator) close();
    }
    std::string_view name() const override { return "cuSOLVERMp"; }
    // Its divide and conquer may fail for others.
    std::int64_t block_of_eigenvalues(std::int64_t wanted) const override {
        return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
    }

    void multiply(const kind& k, const blocked_matrix& a, const blocked_matrix& b, blocked_matrix& c) override;
    int solve(const kind& k, blocked_matrix& a, blocked_matrix& b) override;
    int factor(const kind& k, blocked_matrix& a, int* pivots) override;
    int cholesky(const kind& k, blocked_matrix& a, bool upper) override;
    void orthogonalize(const kind& k, blocked_matrix& a, blocked_matrix& q) override;
    int eigenvalues(const kind& k, blocked_matrix& a, bool lower, void* values, blocked_matrix& vectors) override;
    int singular_values(const kind& k, blocked_matrix& a, void* values, blocked_matrix& u, blocked_matrix& vh) override;

private:
    using blas = cublasmp_types;
    using lapack = cusolvermp_types;
    using is = cuda_matrix_constants;
    using size = std::size_t;

    void open(const nccl_link& l) {
        runtime::use_device(l.device);
        device_ = l.device;
        solvers_.check(solvers_.function<lapack::create>("Create")(&solver_handle_, l.device, l.stream), "Create");
        solvers_.check(solvers_.function<lapack::create_grid>("CreateDeviceGrid")(
                           solver_handle_, &solver_grid_, l.communicator, grid_.rows, grid_.columns, is::by_rows),
                       "CreateDeviceGrid");
        products_.check(products_.function<blas::create>("Create")(&product_handle_, l.stream), "Create");
        products_.check(products_.function<blas::create_grid>("GridCreate")(grid_.rows, grid_.columns, is::by_rows,
                                                                            l.communicator, &product_grid_),
                        "GridCreate");
    }
    void close() noexcept {
        try {
            if (device_ >= 0) runtime::use_device(device_);
        } catch (...) {
            return;  // objects of a device that is gone are gone with it
        }
        products_.destroy("GridDestroy", product_grid_);
        products_.destroy("Destroy", product_handle_);
        solvers_.destroy("DestroyGrid", solver_grid_);
        solvers_.destroy("Destroy", solver_handle_);
    }
    CUstream stream() const { return static_cast<CUstream>(link_.nccl().stream); }
    std::int64_t rows_of(const kind& k, std::int64_t n) const {
        return cyclic_count(n, k.block, grid_.row_of(link_.rank()), grid_.rows);
    }
    std::int64_t columns_of(const kind& k, std::int64_t n) const {
        return cyclic_count(n, k.block, grid_.column_of(link_.rank()), grid_.columns);
    }
    std::int64_t leading(const kind& k, const blocked_matrix& m) const {
        return std::max<std::int64_t>(1, rows_of(k, m.rows));
    }
    std::int64_t bytes_of(const kind& k, const blocked_matrix& m) const {
        return rows_of(k, m.rows) * columns_of(k, m.columns) * codegen::size_of(k.type);
    }
    static int type_of(dtype t) {
        const bool is_double = codegen::real_of(t) == dtype::float64;
        if (codegen::is_complex(t)) return is_double ? is::complex128 : is::complex64;
        return is_double ? is::float64 : is::float32;
    }
    matrix_descriptor described(const kind& k, const blocked_matrix& m) const {
        void* d = nullptr;
        solvers_.check(solvers_.function<lapack::create_matrix>("CreateMatrixDesc")(
                           &d, solver_grid_, type_of(k.type), m.rows, m.columns, k.block, k.block, 0, 0, leading(k, m)),
                       "CreateMatrixDesc");
        return {solvers_, "DestroyMatrixDesc", d};
    }
    matrix_descriptor described_for_product(const kind& k, const blocked_matrix& m) const {
        void* d = nullptr;
        products_.check(
            products_.function<blas::create_matrix>("MatrixDescriptorCreate")(
                m.rows, m.columns, k.block, k.block, 0, 0, leading(k, m), type_of(k.type), product_grid_, &d),
            "MatrixDescriptorCreate");
        return {products_, "MatrixDescriptorDestroy", d};
    }

    /// A matrix's elements on the device; ranks without any have memory too, as many columns as the leading dimension
    /// says, which the libraries want.
    class device_matrix {
    public:
        device_matrix(CUstream stream, const blocked_matrix& m, std::int64_t bytes, std::int64_t least)
            : memory_(stream, std::max({bytes, least, std::int64_t{16}})), bytes_(bytes) {
            memory_.fill(0, m.elements, bytes);
        }
        void* data() const { return memory_.at(0); }
        void take(blocked_matrix& m) const { memory_.take(m.elements, bytes_); }
        /// Of a square on the diagonal: its own diagonal, where its first element and the next one lie.
        void take_diagonal(char* to, std::int64_t first, std::int64_t size, std::int64_t apart,
                           std::int64_t count) const {
            memory_.take_pieces(to, first, size, apart, count);
        }

    private:
        staging memory_;
        std::int64_t bytes_;
    };
    // The program may have chosen another device since.
    device_matrix on_device(const kind& k, const blocked_matrix& m) const {
        runtime::use_device(link_.nccl().device);
        return {stream(), m, bytes_of(k, m), leading(k, m) * columns_of(k, m.columns) * codegen::size_of(k.type)};
    }

    /// Runs a routine with as much memory to work in as it asks for: `ask(&device, &host)`, `run(device memory, device,
    /// host memory, host, info)`.
    template <class Ask, class Run>
    int solved(const char* name, Ask ask, Run run) {
        size device = 0, host = 0;
        solvers_.check(ask(&device, &host), std::string(name) + "_bufferSize");
        const staging work(stream(), static_cast<std::int64_t>(std::max<size>(device, 16)));
        const staging answer(stream(), sizeof(int));
        std::vector<char> host_work(std::max<size>(host, 16));
        int info = 0;
        answer.fill(0, &info, sizeof info);
        const int status = run(work.at(0), device, host_work.data(), host, static_cast<int*>(answer.at(0)));
        answer.take(&info, sizeof info);
        // What is wrong with the matrix is an error of the library's to some routines.
        if (info <= 0) solvers_.check(status, name);
        return agreed(name, info);
    }
    /// The same of one that asks and runs with the same arguments.
    template <class Size, class Run, class... Arguments>
    int solved_with(const char* name, Arguments... a) {
        return solved(
            name,
            [&](size* device, size* host) {
                return solvers_.function<Size>(std::string(name) + "_bufferSize")(solver_handle_, a..., device, host);
            },
            [&](void* work, size device, void* host_work, size host, int* info) {
                return solvers_.function<Run>(name)(solver_handle_, a..., work, device, host_work, host, info);
            });
    }
    int agreed(const char* name, int own);
    template <class F>
    void visit_diagonal(const kind& k, const blocked_matrix& a, F f) const;
    int first_zero_pivot(const kind& k, const blocked_matrix& a, const device_matrix& factors);
    // Pivots lie with the matrix's columns.
    staging pivots_for(const kind& k, const blocked_matrix& a) const {
        return {stream(), (columns_of(k, a.columns) + k.block) * std::int64_t{sizeof(std::int64_t)}};
    }
    int factor_on_device(const kind& k, const blocked_matrix& a, const device_matrix& elements, void* descriptor,
                         const staging& pivots);

    communicator& link_;
    rank_grid grid_;
    int device_ = -1;
    cuda_matrix_library products_, solvers_;
    void *solver_handle_ = nullptr, *solver_grid_ = nullptr, *product_handle_ = nullptr, *product_grid_ = nullptr;
};

// The first that went wrong on any rank: LAPACK's info is that of all.
SINTER_INLINE int cuda_matrix_engine::agreed(const char* name, int own) {
    const std::vector<std::int64_t> sizes(static_cast<size>(link_.size()), sizeof own);
    std::vector<int> all(sizes.size(), own);
    if (link_.size() > 1)
        link_.all_gather(reinterpret_cast<const char*>(&own), sizes, reinterpret_cast<char*>(all.data()));
    int first = 0;
    for (int info : all) {
        if (info < 0)
            throw internal_error(codegen::joined({"[cuSOLVERMp] argument ", -info, " of ", name, " is wrong"}));
        if (info > 0 && (first == 0 || info < first)) first = info;
    }
    return first;
}

// The blocks of the diagonal that this rank has: row and column here, which row it is, and how many elements of the
// diagonal are in it.
template <class F>
void cuda_matrix_engine::visit_diagonal(const kind& k, const blocked_matrix& a, F f) const {
    const std::int64_t least = std::min(a.rows, a.columns);
    for (std::int64_t b = 0; b * k.block < least; ++b)
        if (b % grid_.rows == grid_.row_of(link_.rank()) && b % grid_.columns == grid_.column_of(link_.rank()))
            f(b / grid_.rows * k.block, b / grid_.columns * k.block, b * k.block,
              std::min(k.block, least - b * k.block));
}

// cuSOLVERMp goes on behind a pivot of zero and does not tell.
SINTER_INLINE int cuda_matrix_engine::first_zero_pivot(const kind& k, const blocked_matrix& a,
                                                       const device_matrix& factors) {
    const std::int64_t rows = leading(k, a), bytes = codegen::size_of(k.type);
    std::vector<char> pivots(static_cast<size>(k.block * bytes));
    auto is_zero = [&](const char* at) {
        double real[2] = {0, 0};
        float single[2] = {0, 0};
        const bool is_double = codegen::real_of(k.type) == dtype::float64;
        std::memcpy(is_double ? static_cast<void*>(real) : single, at, static_cast<size>(bytes));
        return real[0] == 0 && real[1] == 0 && single[0] == 0 && single[1] == 0;
    };
    int first = 0;
    visit_diagonal(k, a, [&](std::int64_t i, std::int64_t j, std::int64_t row, std::int64_t count) {
        if (first != 0) return;
        factors.take_diagonal(pivots.data(), (j * rows + i) * bytes, bytes, (rows + 1) * bytes, count);
        for (std::int64_t n = 0; n < count && first == 0; ++n)
            if (is_zero(pivots.data() + n * bytes)) first = static_cast<int>(row + n) + 1;
    });
    return agreed("Getrf", first);
}

SINTER_INLINE void cuda_matrix_engine::multiply(const kind& k, const blocked_matrix& a, const blocked_matrix& b,
                                                blocked_matrix& c) {
    const device_matrix x = on_device(k, a), y = on_device(k, b), z = on_device(k, c);
    const matrix_descriptor dx = described_for_product(k, a), dy = described_for_product(k, b),
                            dz = described_for_product(k, c);
    const number_of_type one(1, k.type), zero(0, k.type);
    const int compute = codegen::real_of(k.type) == dtype::float64 ? is::compute_64 : is::compute_32;
    size device = 0, host = 0;
    products_.check(
        products_.function<blas::gemm_size>("Gemm_bufferSize")(
            product_handle_, is::as_it_is, is::as_it_is, c.rows, c.columns, a.columns, one.data(), x.data(), 1, 1,
            dx.get(), y.data(), 1, 1, dy.get(), zero.data(), z.data(), 1, 1, dz.get(), compute, &device, &host),
        "Gemm_bufferSize");
    const staging work(stream(), static_cast<std::int64_t>(std::max<size>(device, 16)));
    std::vector<char> host_work(std::max<size>(host, 16));
    products_.check(products_.function<blas::gemm>("Gemm")(
                        product_handle_, is::as_it_is, is::as_it_is, c.rows, c.columns, a.columns, one.data(), x.data(),
                        1, 1, dx.get(), y.data(), 1, 1, dy.get(), zero.data(), z.data(), 1, 1, dz.get(), compute,
                        work.at(0), device, host_work.data(), host),
                    "Gemm");
    z.take(c);
}

SINTER_INLINE int cuda_matrix_engine::factor_on_device(const kind& k, const blocked_matrix& a,
                                                       const device_matrix& elements, void* descriptor,
                                                       const staging& pivots) {
    auto* at = static_cast<std::int64_t*>(pivots.at(0));
    return solved_with<lapack::getrf_size, lapack::getrf>("Getrf", a.rows, a.columns, elements.data(), 1, 1, descriptor,
                                                          at, type_of(k.type));
}

SINTER_INLINE int cuda_matrix_engine::solve(const kind& k, blocked_matrix& a, blocked_matrix& b) {
    const device_matrix x = on_device(k, a), y = on_device(k, b);
    const matrix_descriptor dx = described(k, a), dy = described(k, b);
    const staging pivots = pivots_for(k, a);
    if (const int info = factor_on_device(k, a, x, dx.get(), pivots)) return info;
    if (const int info = first_zero_pivot(k, a, x)) return info;
    auto* at = static_cast<std::int64_t*>(pivots.at(0));
    // Some versions take one right-hand side alone.
    size device = 0, host = 0;
    const int takes_all = solvers_.function<lapack::getrs_size>("Getrs_bufferSize")(
        solver_handle_, is::as_it_is, a.rows, b.columns, x.data(), 1, 1, dx.get(), at, y.data(), 1, 1, dy.get(),
        type_of(k.type), &device, &host);
    const std::int64_t step = takes_all == is::success ? b.columns : 1;
    for (std::int64_t first = 1; first <= b.columns; first += step)
        solved_with<lapack::getrs_size, lapack::getrs>("Getrs", is::as_it_is, a.rows, step, x.data(), 1, 1, dx.get(),
                                                       at, y.data(), 1, first, dy.get(), type_of(k.type));
    y.take(b);
    return 0;
}

SINTER_INLINE int cuda_matrix_engine::factor(const kind& k, blocked_matrix& a, int* pivots) {
    const device_matrix x = on_device(k, a);
    const matrix_descriptor dx = described(k, a);
    const staging exchanged = pivots_for(k, a);
    const int info = factor_on_device(k, a, x, dx.get(), exchanged);
    std::vector<std::int64_t> of_columns(static_cast<size>(columns_of(k, a.columns)) + 1);
    exchanged.take(of_columns.data(), columns_of(k, a.columns) * std::int64_t{sizeof(std::int64_t)});
    visit_diagonal(k, a, [&](std::int64_t i, std::int64_t j, std::int64_t, std::int64_t count) {
        for (std::int64_t n = 0; n < count; ++n) pivots[i + n] = static_cast<int>(of_columns[static_cast<size>(j + n)]);
    });
    x.take(a);
    return info ? info : first_zero_pivot(k, a, x);
}

SINTER_INLINE int cuda_matrix_engine::cholesky(const kind& k, blocked_matrix& a, bool upper) {
    const device_matrix x = on_device(k, a);
    const matrix_descriptor dx = described(k, a);
    const int info = solved_with<lapack::potrf_size, lapack::potrf>("Potrf", upper ? is::upper : is::lower, a.rows,
                                                                    x.data(), 1, 1, dx.get(), type_of(k.type));
    x.take(a);
    return info;
}

SINTER_INLINE void cuda_matrix_engine::orthogonalize(const kind& k, blocked_matrix& a, blocked_matrix& q) {
    const std::int64_t m = a.rows, n = a.columns, least = std::min(m, n);
    const device_matrix x = on_device(k, a);
    const matrix_descriptor dx = described(k, a), dq = described(k, q);
    const staging tau(stream(), (columns_of(k, n) + k.block) * codegen::size_of(k.type));
    solved(
        "Geqrf",
        [&](size* device, size* host) {
            return solvers_.function<lapack::geqrf_size>("Geqrf_bufferSize")(solver_handle_, m, n, x.data(), 1, 1,
                                                                             dx.get(), type_of(k.type), device, host);
        },
        [&](void* work, size device, void* host_work, size host, int* info) {
            return solvers_.function<lapack::geqrf>("Geqrf")(solver_handle_, m, n, x.data(), 1, 1, dx.get(), tau.at(0),
                                                             type_of(k.type), work, device, host_work, host, info);
        });
    x.take(a);
    solved_with<lapack::orgqr_size, lapack::orgqr>("Orgqr", m, least, least, x.data(), 1, 1, dq.get(), tau.at(0),
                                                   type_of(k.type));
    x.take(q);
}

SINTER_INLINE int cuda_matrix_engine::eigenvalues(const kind& k, blocked_matrix& a, bool lower, void* values,
                                                  blocked_matrix& vectors) {
    const device_matrix x = on_device(k, a), z = on_device(k, vectors);
    const matrix_descriptor dx = described(k, a), dz = described(k, vectors);
    const std::int64_t bytes = a.rows * codegen::size_of(codegen::real_of(k.type));
    const staging numbers(stream(), bytes);
    char job[] = "V";
    const int info = solved_with<lapack::syevd_size, lapack::syevd>("Syevd", job, lower ? is::lower : is::upper, a.rows,
                                                                    x.data(), 1, 1, dx.get(), numbers.at(0), z.data(),
                                                                    1, 1, dz.get(), type_of(k.type));
    numbers.take(values, bytes);
    z.take(vectors);
    return info;
}

// Without options the matrices are as thin as wanted here.
SINTER_INLINE int cuda_matrix_engine::singular_values(const kind& k, blocked_matrix& a, void* values, blocked_matrix& u,
                                                      blocked_matrix& vh) {
    const device_matrix x = on_device(k, a), left = on_device(k, u), right = on_device(k, vh);
    const matrix_descriptor dx = described(k, a), dl = described(k, u), dr = described(k, vh);
    const std::int64_t bytes = std::min(a.rows, a.columns) * codegen::size_of(codegen::real_of(k.type));
    const staging numbers(stream(), bytes);
    const int info = solved_with<lapack::gesvd_size, lapack::gesvd>(
        "Gesvd", nullptr, is::vectors, is::vectors, a.rows, a.columns, x.data(), 1, 1, dx.get(), numbers.at(0),
        left.data(), 1, 1, dl.get(), right.data(), 1, 1, dr.get(), type_of(k.type));
    numbers.take(values, bytes);
    left.take(u);
    right.take(vh);
    return info;
}

#endif

SINTER_INLINE std::shared_ptr<matrix_engine> make_cuda_matrix_engine(std::string_view operation, communicator& link) {
    const std::string who = codegen::joined({"[", operation, "] a matrix over ranks needs "});
#if SINTER_HAS_CUDA
    auto require = [&](const char* name, const char* package, const runtime::shared_library& l) {
        if (!l) throw device_error(codegen::joined({who, name, " (", package, " of PyPI): ", l.why()}));
    };
    if (!link.nccl().communicator)
        throw device_error(codegen::joined({who, "NCCL for cuSOLVERMp, and these ranks are ", link.name()}));
    require("cuBLASMp", "nvidia-cublasmp-cu13", runtime::cublasmp_library());
    require("cuSOLVERMp", "nvidia-cusolvermp-cu13", runtime::cusolvermp_library());
    return std::make_shared<cuda_matrix_engine>(link);
#else
    static_cast<void>(link);
    throw device_error(who + "cuSOLVERMp: built without CUDA headers");
#endif
}

}  // namespace sinter::inline SINTER_ABI::distributed

SINTER_IEEE_END
