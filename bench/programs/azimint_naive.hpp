// Mean of a detector's data in each ring of radii: azimint_naive of npbench, originally of pyFAI.
#pragma once

#include "sizes.hpp"

namespace programs {

struct azimint_naive {
    array<double> data, radius;
    int64_t npt = 1000;
    array<double> rings;

    // The mean of the selected elements does not need them side by side, as the JAX version of the suite has it too.
    static array<double> kernel(const array<double>& data, const array<double>& radius, int64_t npt) {
        double rmax = double(max(radius));
        array<double> res = zeros({npt});
        for (int64_t i = 0; i < npt; ++i) {
            double r1 = rmax * double(i) / double(npt), r2 = rmax * double(i + 1) / double(npt);
            array<bool> mask_r12 = r1 <= radius && radius < r2;
            res(i) = sum(where(mask_r12, data, 0.0)) / count_nonzero(mask_r12);
        }
        return res;
    }

    static azimint_naive initialize(const std::string& size) {
        int64_t n = sized<int64_t>(size, 400'000, 4'000'000, 40'000'000, 1'000'000);
        return {uniform<double>({n}), uniform<double>({n}), 1000, {}};
    }
    void drop_results() { rings = {}; }
    void run() { rings = kernel(data, radius, npt).eval(); }
};

}  // namespace programs
