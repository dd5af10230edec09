// Bodies of matrix_engine.hpp.
#pragma once

#include <algorithm>
#include <climits>
#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/distributed/cuda_matrix_engine.hpp>
#include <sinter/runtime/distributed/matrix_engine.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <vector>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::distributed {

/// ScaLAPACK's functions as Fortran passes their arguments: a matrix is its elements, the row and column where it
/// begins, and its descriptor; the lengths of characters come last.
struct scalapack_types {
    using in = const int*;
    using gemm = void(const char*, const char*, in m, in n, in k, const void* alpha, const void* a, in, in, in,
                      const void* b, in, in, in, const void* beta, void* c, in, in, in);
    using gesv = void(in n, in nrhs, void* a, in, in, in, int* pivots, void* b, in, in, in, int* info);
    using getrf = void(in m, in n, void* a, in, in, in, int* pivots, int* info);
    using potrf = void(const char* uplo, in n, void* a, in, in, in, int* info, std::size_t);
    using geqrf = void(in m, in n, void* a, in, in, in, void* tau, void* work, in lwork, int* info);
    using orgqr = void(in m, in n, in k, void* a, in, in, in, const void* tau, void* work, in lwork, int* info);
    using syevd = void(const char* jobz, const char* uplo, in n, void* a, in, in, in, void* w, void* z, in, in, in,
                       void* work, in lwork, int* iwork, in liwork, int* info, std::size_t, std::size_t);
    using heevd = void(const char* jobz, const char* uplo, in n, void* a, in, in, in, void* w, void* z, in, in, in,
                       void* work, in lwork, void* rwork, in lrwork, int* iwork, in liwork, int* info, std::size_t,
                       std::size_t);
    using gesvd = void(const char* jobu, const char* jobvt, in m, in n, void* a, in, in, in, void* s, void* u, in, in,
                       in, void* vt, in, in, in, void* work, in lwork, int* info, std::size_t, std::size_t);
    using complex_gesvd = void(const char* jobu, const char* jobvt, in m, in n, void* a, in, in, in, void* s, void* u,
                               in, in, in, void* vt, in, in, in, void* work, in lwork, void* rwork, int* info,
                               std::size_t, std::size_t);
};

class scalapack_engine final : public matrix_engine {
public:
    scalapack_engine(const runtime::shared_library& library, const mpi_link& mpi, int ranks, int rank)
        : library_(library), grid_(grid_of(ranks)), rank_(rank), can_free_(mpi.can_free) {
        int communicator = mpi.communicator;
        context_ = system_ = function<int(int*)>("sys2blacs_handle_")(&communicator);
        function<void(int*, const char*, const int*, const int*, std::size_t)>("blacs_gridinit_")(
            &context_, "R", &grid_.rows, &grid_.columns, 1);
    }
    scalapack_engine(const scalapack_engine&) = delete;
    scalapack_engine& operator=(const scalapack_engine&) = delete;
    // The grid has communicators of its own, which all ranks give back.
    ~scalapack_engine() override {
        if (!can_free_ || !can_free_()) return;
        if (auto* end = library_.function<void(const int*)>("blacs_gridexit_")) end(&context_);
        if (auto* free = library_.function<void(const int*)>("free_blacs_system_handle_")) free(&system_);
    }
    std::string_view name() const override { return "ScaLAPACK"; }

    void multiply(const kind& k, const blocked_matrix& a, const blocked_matrix& b, blocked_matrix& c) override;
    int solve(const kind& k, blocked_matrix& a, blocked_matrix& b) override;
    int factor(const kind& k, blocked_matrix& a, int* pivots) override;
    int cholesky(const kind& k, blocked_matrix& a, bool upper) override;
    void orthogonalize(const kind& k, blocked_matrix& a, blocked_matrix& q) override;
    int eigenvalues(const kind& k, blocked_matrix& a, bool lower, void* values, blocked_matrix& vectors) override;
    int singular_values(const kind& k, blocked_matrix& a, void* values, blocked_matrix& u, blocked_matrix& vh) override;

private:
    using types = scalapack_types;
    static constexpr int one_ = 1;

    /// What ScaLAPACK has to know of a matrix beside its elements.
    struct descriptor {
        int words[9];
    };
    descriptor descriptor_of(const kind& k, const blocked_matrix& m) const {
        return {{1, context_, whole(m.rows), whole(m.columns), whole(k.block), whole(k.block), 0, 0,
                 std::max(1, rows_of(k, m.rows))}};
    }
    int rows_of(const kind& k, std::int64_t n) const {
        return whole(cyclic_count(n, k.block, grid_.row_of(rank_), grid_.rows));
    }
    int columns_of(const kind& k, std::int64_t n) const {
        return whole(cyclic_count(n, k.block, grid_.column_of(rank_), grid_.columns));
    }
    static int whole(std::int64_t n) {
        if (n > INT_MAX)
            throw value_error(codegen::joined({"[ScaLAPACK] a size of ", n, " is more than its integers hold"}));
        return static_cast<int>(n);
    }
    static int forgotten(const kind& k, int n) {
        return whole(std::min<std::int64_t>(4 * k.block * (k.block + 2) + 4 * std::int64_t{n}, INT_MAX / 2));
    }
    template <class F>
    F* function(const std::string& name) const {
        if (F* f = library_.function<F>(name.c_str())) return f;
        throw device_error(codegen::joined({"[ScaLAPACK] ", library_.path(), " has no ", name}));
    }
    // The function of a type, such as pdgesv_.
    template <class F>
    F* routine(const kind& k, const char* real, const char* complex) const {
        const bool is_complex = codegen::is_complex(k.type);
        const bool is_double = codegen::real_of(k.type) == dtype::float64;
        const char letter = is_complex ? (is_double ? 'z' : 'c') : (is_double ? 'd' : 's');
        return function<F>(std::string("p") + letter + (is_complex ? complex : real) + "_");
    }
    template <class F>
    F* routine(const kind& k, const char* name) const {
        return routine<F>(k, name, name);
    }
    static int done(const char* name, int info) {
        if (info < 0)
            throw internal_error(codegen::joined({"[ScaLAPACK] argument ", -info, " of ", name, " is wrong"}));
        return info;
    }
    /// Memory to work in, of elements of a type; asked for with one element.
    class workspace {
    public:
        explicit workspace(dtype type) : type_(type) { resize(1); }
        void resize(int count) {
            count_ = count;
            bytes_.assign(static_cast<std::size_t>(count) * static_cast<std::size_t>(codegen::size_of(type_)), 0);
        }
        // As large as the first element says, and what the answers forget where a rank has no rows.
        void grow(int forgotten) {
            double wanted = 0;
            if (codegen::real_of(type_) == dtype::float64) std::memcpy(&wanted, bytes_.data(), sizeof wanted);
            else {
                float single = 0;
                std::memcpy(&single, bytes_.data(), sizeof single);
                wanted = static_cast<double>(single) * (1 + 1e-6) + 1;
            }
            resize(static_cast<int>(std::min(wanted + forgotten, double{INT_MAX})));
        }
        void* data() { return bytes_.data(); }
        const int* count() const { return &count_; }

    private:
        dtype type_;
        int count_ = 0;
        std::vector<char> bytes_;
    };

    const runtime::shared_library& library_;
    rank_grid grid_;
    int rank_, context_ = 0, system_ = 0;
    bool (*can_free_)();
};

SINTER_INLINE void scalapack_engine::multiply(const kind& k, const blocked_matrix& a, const blocked_matrix& b,
                                              blocked_matrix& c) {
    const int m = whole(a.rows), n = whole(b.columns), inner = whole(a.columns);
    const descriptor da = descriptor_of(k, a), db = descriptor_of(k, b), dc = descriptor_of(k, c);
    const number_of_type one(1, k.type), zero(0, k.type);
    routine<types::gemm>(k, "gemm")("N", "N", &m, &n, &inner, one.data(), a.elements, &one_, &one_, da.words,
                                    b.elements, &one_, &one_, db.words, zero.data(), c.elements, &one_, &one_,
                                    dc.words);
}

SINTER_INLINE int scalapack_engine::solve(const kind& k, blocked_matrix& a, blocked_matrix& b) {
    const int n = whole(a.rows), count = whole(b.columns);
    const descriptor da = descriptor_of(k, a), db = descriptor_of(k, b);
    std::vector<int> pivots(static_cast<std::size_t>(rows_of(k, n) + k.block));
    int info = 0;
    routine<types::gesv>(k, "gesv")(&n, &count, a.elements, &one_, &one_, da.words, pivots.data(), b.elements, &one_,
                                    &one_, db.words, &info);
    return done("gesv", info);
}

SINTER_INLINE int scalapack_engine::factor(const kind& k, blocked_matrix& a, int* pivots) {
    const int m = whole(a.rows), n = whole(a.columns);
    const descriptor da = descriptor_of(k, a);
    std::vector<int> all(static_cast<std::size_t>(rows_of(k, m) + k.block));
    int info = 0;
    routine<types::getrf>(k, "getrf")(&m, &n, a.elements, &one_, &one_, da.words, all.data(), &info);
    std::copy_n(all.begin(), rows_of(k, m), pivots);
    return done("getrf", info);
}

SINTER_INLINE int scalapack_engine::cholesky(const kind& k, blocked_matrix& a, bool upper) {
    const int n = whole(a.rows);
    const descriptor da = descriptor_of(k, a);
    int info = 0;
    routine<types::potrf>(k, "potrf")(upper ? "U" : "L", &n, a.elements, &one_, &one_, da.words, &info, 1);
    return done("potrf", info);
}

SINTER_INLINE void scalapack_engine::orthogonalize(const kind& k, blocked_matrix& a, blocked_matrix& q) {
    const int m = whole(a.rows), n = whole(a.columns), least = std::min(m, n), query = -1;
    const descriptor da = descriptor_of(k, a), dq = descriptor_of(k, q);
    workspace tau(k.type), work(k.type);
    tau.resize(columns_of(k, n) + static_cast<int>(k.block));
    int info = 0;
    auto* factor = routine<types::geqrf>(k, "geqrf");
    factor(&m, &n, a.elements, &one_, &one_, da.words, tau.data(), work.data(), &query, &info);
    work.grow(forgotten(k, std::max(m, n)));
    factor(&m, &n, a.elements, &one_, &one_, da.words, tau.data(), work.data(), work.count(), &info);
    done("geqrf", info);
    const auto bytes = static_cast<std::size_t>(rows_of(k, m)) * static_cast<std::size_t>(columns_of(k, n)) *
                       static_cast<std::size_t>(codegen::size_of(k.type));
    if (bytes > 0) std::memcpy(q.elements, a.elements, bytes);
    auto* form = routine<types::orgqr>(k, "orgqr", "ungqr");
    work.resize(1);
    form(&m, &least, &least, q.elements, &one_, &one_, dq.words, tau.data(), work.data(), &query, &info);
    work.grow(forgotten(k, std::max(m, n)));
    form(&m, &least, &least, q.elements, &one_, &one_, dq.words, tau.data(), work.data(), work.count(), &info);
    done("orgqr", info);
}

SINTER_INLINE int scalapack_engine::eigenvalues(const kind& k, blocked_matrix& a, bool lower, void* values,
                                                blocked_matrix& vectors) {
    const int n = whole(a.rows), query = -1;
    const descriptor da = descriptor_of(k, a), dz = descriptor_of(k, vectors);
    const char* uplo = lower ? "L" : "U";
    workspace work(k.type), real_work(codegen::real_of(k.type));
    std::vector<int> integers(1);
    int info = 0, count = -1;
    auto run = [&](const int* lwork, const int* lrwork) {
        if (codegen::is_complex(k.type))
            routine<types::heevd>(k, "heevd")("V", uplo, &n, a.elements, &one_, &one_, da.words, values,
                                              vectors.elements, &one_, &one_, dz.words, work.data(), lwork,
                                              real_work.data(), lrwork, integers.data(), &count, &info, 1, 1);
        else
            routine<types::syevd>(k, "syevd")("V", uplo, &n, a.elements, &one_, &one_, da.words, values,
                                              vectors.elements, &one_, &one_, dz.words, work.data(), lwork,
                                              integers.data(), &count, &info, 1, 1);
    };
    run(&query, &query);
    done("syevd", info);
    work.grow(forgotten(k, n));
    real_work.grow(forgotten(k, n));
    integers.resize(static_cast<std::size_t>(std::max(integers[0], 8 * n + 64)));
    count = static_cast<int>(integers.size());
    run(work.count(), real_work.count());
    return done("syevd", info);
}

SINTER_INLINE int scalapack_engine::singular_values(const kind& k, blocked_matrix& a, void* values, blocked_matrix& u,
                                                    blocked_matrix& vh) {
    const int m = whole(a.rows), n = whole(a.columns), query = -1;
    const descriptor da = descriptor_of(k, a), du = descriptor_of(k, u), dv = descriptor_of(k, vh);
    workspace work(k.type), real_work(codegen::real_of(k.type));
    real_work.resize(1 + 4 * std::max(m, n));
    int info = 0;
    auto run = [&](const int* lwork) {
        if (codegen::is_complex(k.type))
            routine<types::complex_gesvd>(k, "gesvd")("V", "V", &m, &n, a.elements, &one_, &one_, da.words, values,
                                                      u.elements, &one_, &one_, du.words, vh.elements, &one_, &one_,
                                                      dv.words, work.data(), lwork, real_work.data(), &info, 1, 1);
        else
            routine<types::gesvd>(k, "gesvd")("V", "V", &m, &n, a.elements, &one_, &one_, da.words, values, u.elements,
                                              &one_, &one_, du.words, vh.elements, &one_, &one_, dv.words, work.data(),
                                              lwork, &info, 1, 1);
    };
    run(&query);
    done("gesvd", info);
    work.grow(forgotten(k, std::max(m, n)));
    run(work.count());
    return done("gesvd", info);
}

SINTER_INLINE std::shared_ptr<matrix_engine> make_matrix_engine(std::string_view operation, communicator& link) {
    const std::string who = codegen::joined({"[", operation, "] "});
    const mpi_link mpi = link.mpi();
    // One rank's machine may lack what another one's has.
    const auto all_have_cuda = [&] {
        const char own = runtime::cublasmp_library() && runtime::cusolvermp_library();
        const std::vector<std::int64_t> sizes(static_cast<std::size_t>(link.size()), 1);
        std::vector<char> all(sizes.size(), own);
        if (link.size() > 1) link.all_gather(&own, sizes, all.data());
        return codegen::find(all.begin(), all.end(), char{0}) == all.end();
    };
    if (link.nccl().communicator && (mpi.implementation.empty() || all_have_cuda()))
        return make_cuda_matrix_engine(operation, link);
    if (mpi.implementation.empty())
        throw device_error(
            codegen::joined({who, "a matrix over ranks needs ScaLAPACK, which needs processes of MPI; these are ",
                             link.name(), ": gather first"}));
    const runtime::shared_library& library = runtime::scalapack_library(mpi.implementation == "MPICH");
    if (!library)
        throw device_error(codegen::joined(
            {who, "a matrix over ranks needs ScaLAPACK (libscalapack-openmpi2.2 or libscalapack-mpich2.2): ",
             library.why()}));
    return std::make_shared<scalapack_engine>(library, mpi, link.size(), link.rank());
}

}  // namespace sinter::inline SINTER_ABI::distributed

SINTER_IEEE_END
