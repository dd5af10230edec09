// Linear algebra of matrices that lie in square blocks over a grid of ranks: what a library for it has to do, and one
// that does, ScaLAPACK; must not know arrays or placements.
#pragma once

#include <memory>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/runtime/distributed/communicator.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::distributed {

/// A matrix of which each rank has its blocks, by columns; `elements`: those of this rank.
struct blocked_matrix {
    std::int64_t rows = 0, columns = 0;
    char* elements = nullptr;
};

/// A number in the elements' type.
struct number_of_type {
    double wide[2];
    float narrow[2];
    dtype type;

    number_of_type(double value, dtype t) : wide{value, 0}, narrow{static_cast<float>(value), 0}, type(t) {}
    const void* data() const {
        return codegen::real_of(type) == dtype::float64 ? static_cast<const void*>(wide) : narrow;
    }
};

/// Routines of one type of elements and one size of blocks. All ranks of the grid call them together; none waits no
/// longer than a timeout. Those that return a number give LAPACK's info on all ranks alike: 0, or which pivot, minor or
/// iteration failed.
class matrix_engine {
public:
    struct kind {
        dtype type;
        std::int64_t block;
    };
    virtual ~matrix_engine() = default;
    virtual std::string_view name() const = 0;
    /// The block that `eigenvalues` wants instead of another one.
    virtual std::int64_t block_of_eigenvalues(std::int64_t wanted) const { return wanted; }

    /// c = a @ b.
    virtual void multiply(const kind& k, const blocked_matrix& a, const blocked_matrix& b, blocked_matrix& c) = 0;
    /// x with a @ x = b, in b's place; a is overwritten by its factors.
    virtual int solve(const kind& k, blocked_matrix& a, blocked_matrix& b) = 0;
    /// Factors in a's place, and of each row whose element of the diagonal this rank has which row it was exchanged
    /// with, counted from 1.
    virtual int factor(const kind& k, blocked_matrix& a, int* pivots) = 0;
    /// The factor in one triangle of a; the other one stays.
    virtual int cholesky(const kind& k, blocked_matrix& a, bool upper) = 0;
    /// r on and above a's diagonal, and q as many columns of `q` as the smaller size, which begins as large as a.
    virtual void orthogonalize(const kind& k, blocked_matrix& a, blocked_matrix& q) = 0;
    /// All eigenvalues, ascending, on the ranks that have part of the matrix, and eigenvectors as columns; a is
    /// overwritten.
    virtual int eigenvalues(const kind& k, blocked_matrix& a, bool lower, void* values, blocked_matrix& vectors) = 0;
    /// All singular values, descending, on such ranks, u of (m, k) and vh of (k, n) where k is the smaller size; a is
    /// overwritten.
    virtual int singular_values(const kind& k, blocked_matrix& a, void* values, blocked_matrix& u,
                                blocked_matrix& vh) = 0;
};

/// The routines on the grid of a communicator's ranks, the same that grid_of gives: cuSOLVERMp's and cuBLASMp's where
/// NCCL links the ranks, ScaLAPACK's where they are processes of MPI, also where NCCL links those and the others are
/// not there. Throws device_error where the ranks are neither, and where a library is not there, with what to install.
std::shared_ptr<matrix_engine> make_matrix_engine(std::string_view operation, communicator& link);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/runtime/distributed/matrix_engine.ipp>
#endif
