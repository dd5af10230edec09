// Host arrays as Eigen's matrices and back. Not part of the umbrella; it uses Eigen where that is installed.
#pragma once

#include <sinter/array/host.hpp>
#include <sinter/tools/rank.hpp>

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#elif __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#endif

#if defined(EIGEN_WORLD_VERSION)

namespace sinter::inline SINTER_ABI {

template <class T>
using eigen_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using eigen_vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// A host_array of two axes as a matrix of Eigen's, without a copy: `auto h = to_host(x); auto m = to_eigen(h);`.
/// Throws shape_error for other arrays. The host_array has to stay.
template <class T>
Eigen::Map<eigen_matrix<T>> to_eigen(host_array<T>& h) {
    detail::require_rank("to_eigen", h.shape(), 2);
    return {h.data(), static_cast<Eigen::Index>(h.shape(0)), static_cast<Eigen::Index>(h.shape(1))};
}
template <class T>
Eigen::Map<const eigen_matrix<T>> to_eigen(const host_array<T>& h) {
    detail::require_rank("to_eigen", h.shape(), 2);
    return {h.data(), static_cast<Eigen::Index>(h.shape(0)), static_cast<Eigen::Index>(h.shape(1))};
}
template <class T>
void to_eigen(host_array<T>&&) = delete;

/// A host_array of one axis as a vector of Eigen's, without a copy.
template <class T>
Eigen::Map<eigen_vector<T>> to_eigen_vector(host_array<T>& h) {
    detail::require_rank("to_eigen", h.shape(), 1);
    return {h.data(), static_cast<Eigen::Index>(h.shape(0))};
}
template <class T>
Eigen::Map<const eigen_vector<T>> to_eigen_vector(const host_array<T>& h) {
    detail::require_rank("to_eigen", h.shape(), 1);
    return {h.data(), static_cast<Eigen::Index>(h.shape(0))};
}
template <class T>
void to_eigen_vector(host_array<T>&&) = delete;

/// A copy of a matrix or an expression of Eigen's: (rows, columns), or (n,) of what is a vector by its type.
template <class Derived>
array<typename Derived::Scalar> asarray(const Eigen::DenseBase<Derived>& e) {
    using T = typename Derived::Scalar;
    const auto rows = static_cast<std::int64_t>(e.rows()), columns = static_cast<std::int64_t>(e.cols());
    host_array<T> h(Derived::IsVectorAtCompileTime ? dims(rows * columns) : dims(rows, columns));
    using whole = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<whole>(h.data(), e.rows(), e.cols()) = e.derived().array();
    return asarray(h.data(), h.shape());
}

}  // namespace sinter::inline SINTER_ABI

#endif
