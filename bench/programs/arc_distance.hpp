// Great-circle distances of pairs of points: arc_distance of npbench, originally of Pythran's benchmarks.
#pragma once

#include "sizes.hpp"

namespace programs {

struct arc_distance {
    array<double> theta_1, phi_1, theta_2, phi_2, distance;

    static array<double> kernel(const array<double>& theta_1, const array<double>& phi_1, const array<double>& theta_2,
                                const array<double>& phi_2) {
        array<double> temp =
            square(sin((theta_2 - theta_1) / 2)) + cos(theta_1) * cos(theta_2) * square(sin((phi_2 - phi_1) / 2));
        return 2 * arctan2(sqrt(temp), sqrt(1 - temp));
    }

    static arc_distance initialize(const std::string& size) {
        int64_t n = sized<int64_t>(size, 100'000, 1'000'000, 10'000'000, 10'000'000);
        return {uniform<double>({n}), uniform<double>({n}), uniform<double>({n}), uniform<double>({n}), {}};
    }
    void drop_results() { distance = {}; }
    void run() { distance = kernel(theta_1, phi_1, theta_2, phi_2).eval(); }
};

}  // namespace programs
