// Normal vectors of a given mean and covariance: independent numbers times a root of the covariance.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/linalg/decompositions.hpp>
#include <sinter/random/draws.hpp>
#include <string_view>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::random {

/// Options of multivariate_normal: how the root is found, and whether a covariance that is not positive semidefinite
/// within `tol` throws ("raise") or is taken as it is ("ignore").
struct multivariate_normal_options {
    std::string_view check_valid = "raise";
    double tol = 1e-8;
    std::string_view method = "svd";
};

namespace detail {

using namespace sinter::detail;

/// Throws shape_error and value_error.
void check_multivariate_normal(const dims& mean, const dims& cov, const multivariate_normal_options& o);
[[noreturn]] void throw_not_semidefinite();

/// An r with r @ r.T = cov: Cholesky's factor, or the symmetric root, which whatever library decomposes finds the same.
template <std::same_as<double> Real>
array<Real> covariance_root(const array<Real>& cov, const multivariate_normal_options& o) {
    constexpr auto why = purpose::multivariate_normal;
    if (o.method == "cholesky") return linalg::detail::cholesky_for(why, cov, false);
    const bool checks = o.check_valid == "raise";
    if (o.method == "eigh") {
        auto [w, v] = linalg::detail::eigh_for(why, cov, 'L');
        if (checks && any(w < -o.tol)) throw_not_semidefinite();
        return matmul(v * sqrt(abs(w)), v.T());
    }
    auto [u, s, vh] = linalg::detail::svd_for(why, cov, {});
    if (checks && !allclose(matmul(vh.T() * s, vh), cov, o.tol, o.tol)) throw_not_semidefinite();
    return matmul(u * sqrt(s), u.T());
}

template <class T, expression M, expression C>
array<T> draw_multivariate_normal(const M& mean, const C& cov, const draw_shape& size,
                                  const multivariate_normal_options& o, random_source from) {
    require_drawn<T, double>();
    check_multivariate_normal(mean.shape(), cov.shape(), o);
    const precision_scope full(precision::highest);
    array<double> covariance = astype<double>(cov);
    using W = typename codegen::cpp_type<codegen::widened(dtype_of<T>)>::type;
    array<W> root = astype<W>(covariance_root(covariance, o));
    dims shape = size.with("multivariate_normal", {});
    shape.push_back(mean.shape().back());
    array<W> z(record_draws(named<distribution::standard_normal>(), dtype_of<W>, {}, shape, from));
    return array<T>(astype<T>(astype<W>(mean) + matmul(z, root.T())));
}

}  // namespace detail

}  // namespace sinter::inline SINTER_ABI::random

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/random/multivariate_normal.ipp>
#endif
