// Horizontal diffusion of a weather model, with its limiter of fluxes: hdiff of npbench, originally of COSMO.
#pragma once

#include "sizes.hpp"

namespace programs {

struct hdiff {
    array<double> in_field, out_field, coeff;

    static void kernel(const array<double>& in, array<double>& out_field, const array<double>& coeff) {
        int64_t I = coeff.shape(0), J = coeff.shape(1);
        auto rows = [](int64_t from, int64_t to) { return slice(from, to); };
        array<double> lap = 4.0 * in(rows(1, I + 3), rows(1, J + 3)) -
                            (in(rows(2, I + 4), rows(1, J + 3)) + in(rows(0, I + 2), rows(1, J + 3)) +
                             in(rows(1, I + 3), rows(2, J + 4)) + in(rows(1, I + 3), rows(0, J + 2)));
        const array<double> lap_field = lap;

        array<double> res = lap_field(rows(1, I + 2), rows(1, J + 1)) - lap_field(rows(0, I + 1), rows(1, J + 1));
        const array<double> flx_field =
            where(res * (in(rows(2, I + 3), rows(2, J + 2)) - in(rows(1, I + 2), rows(2, J + 2))) > 0, 0.0, res);

        res = lap_field(rows(1, I + 1), rows(1, J + 2)) - lap_field(rows(1, I + 1), rows(0, J + 1));
        const array<double> fly_field =
            where(res * (in(rows(2, I + 2), rows(2, J + 3)) - in(rows(2, I + 2), rows(1, J + 2))) > 0, 0.0, res);

        out_field =
            in(rows(2, I + 2), rows(2, J + 2)) - coeff * (flx_field(rows(1, I + 1)) - flx_field(rows(0, I)) +
                                                          fly_field(all, rows(1, J + 1)) - fly_field(all, rows(0, J)));
    }

    static hdiff initialize(const std::string& size) {
        struct extents {
            int64_t I, J, K;
        };
        auto [I, J, K] = sized<extents>(size, {64, 64, 60}, {128, 128, 160}, {384, 384, 160}, {256, 256, 160});
        return {uniform<double>({I + 4, J + 4, K}), {}, uniform<double>({I, J, K})};
    }
    void drop_results() { out_field = {}; }
    void run() {
        kernel(in_field, out_field, coeff);
        out_field.eval();
    }
};

}  // namespace programs
