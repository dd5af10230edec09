// Bodies of multivariate_normal.hpp.
#pragma once

#include <sinter/random/multivariate_normal.hpp>

namespace sinter::inline SINTER_ABI::random::detail {

SINTER_INLINE void check_multivariate_normal(const dims& mean, const dims& cov, const multivariate_normal_options& o) {
    const std::string name = "[multivariate_normal] ";
    if (mean.size() != 1) throw shape_error(name + "the mean is not a vector: " + to_string(mean));
    if (cov.size() != 2 || cov[0] != cov[1])
        throw shape_error(name + "the covariance is not a square matrix: " + to_string(cov));
    if (cov[0] != mean[0])
        throw shape_error(name + "mean and covariance have different lengths: " + to_string(mean) + " and " +
                          to_string(cov));
    if (o.method != "svd" && o.method != "eigh" && o.method != "cholesky")
        throw value_error(name + "method is svd, eigh or cholesky, not " + std::string(o.method));
    if (o.check_valid != "raise" && o.check_valid != "ignore")
        throw value_error(name + "check_valid is raise or ignore, not " + std::string(o.check_valid));
}

SINTER_INLINE void throw_not_semidefinite() {
    throw value_error("[multivariate_normal] the covariance is not symmetric and positive semidefinite");
}

}  // namespace sinter::inline SINTER_ABI::random::detail
