// Derivative by temperature of sea water's dynamic enthalpy, from a density of 48 terms (IOC et al., 2010):
// equation_of_state of pyhpc-benchmarks, whose names the steps keep.
#pragma once

#include "sizes.hpp"

#include <cmath>

namespace programs {

struct equation_of_state {
    array<double> sa, ct, p;  // salinity in g/kg, temperature in °C, pressure in dbar
    array<double> result;

    // clang-format off
    static constexpr double v[49] = {0,
        9.998420897506056e+2,  2.839940833161907e0,   -3.147759265588511e-2,  1.181805545074306e-3,  -6.698001071123802e0,
        -2.986498947203215e-2, 2.327859407479162e-4,  -3.988822378968490e-2,  5.095422573880500e-4,  -1.426984671633621e-5,
        1.645039373682922e-7,  -2.233269627352527e-2, -3.436090079851880e-4,  3.726050720345733e-6,  -1.806789763745328e-4,
        6.876837219536232e-7,  -3.087032500374211e-7, -1.988366587925593e-8,  -1.061519070296458e-11, 1.550932729220080e-10,
        1.0,                   2.775927747785646e-3,  -2.349607444135925e-5,  1.119513357486743e-6,  6.743689325042773e-10,
        -7.521448093615448e-3, -2.764306979894411e-5, 1.262937315098546e-7,   9.527875081696435e-10, -1.811147201949891e-11,
        -3.303308871386421e-5, 3.801564588876298e-7,  -7.672876869259043e-9,  -4.634182341116144e-11, 2.681097235569143e-12,
        5.419326551148740e-6,  -2.742185394906099e-5, -3.212746477974189e-7,  3.191413910561627e-9,  -1.931012931541776e-12,
        -1.105097577149576e-7, 6.211426728363857e-10, -1.119011592875110e-10, -1.941660213148725e-11, -1.864826425365600e-14,
        1.119522344879478e-14, -1.200507748551599e-15, 6.057902487546866e-17};
    // clang-format on

    template <class field>
    static field gsw_dHdT(const field& sa, const field& ct, const field& p) {
        field t1 = v[45] * ct, t2 = 2 * t1, t3 = v[46] * sa, t5 = v[14] * ct, t7 = ct * (v[13] + t5);
        field t11 = sa * (v[15] + v[16] * ct);
        const double t4 = 0.5 * v[12], t25 = 0.5 * v[13];
        field t8 = 0.5 * t7, t12 = 0.5 * t11, t13 = t4 + t8 + t12, t15 = v[19] * ct;
        field t19 = v[17] + ct * (v[18] + t15) + v[20] * sa, t20 = 1 / t19;
        field t24 = v[47] + v[48] * ct, t26 = 1.0 * t5, t27 = sa * v[16], t28 = 0.5 * t27, t29 = t25 + t26 + t28;
        field t33 = t24 * t13, t35 = 1 / square(t19), t37 = v[18] + 2 * t15, t38 = t35 * t37;
        field t48 = ct * (v[44] + t1 + t3), t57 = v[40] * ct, t59 = ct * (v[39] + t57);
        field t64 = square(t13), t68 = t20 * t29, t71 = t24 * t64;
        field t74 = v[4] * ct, t76 = ct * (v[3] + t74), t79 = v[7] * ct, t82 = sqrt(sa);
        field t83 = v[11] * ct, t85 = ct * (v[10] + t83);
        field t92 = v[1] + ct * (v[2] + t76) + sa * (v[5] + ct * (v[6] + t79) + t82 * (v[8] + ct * (v[9] + t85)));
        field t93 = v[48] * t92;
        field t105 =
            v[2] + t76 + ct * (v[3] + 2 * t74) + sa * (v[6] + 2 * t79 + t82 * (v[9] + t85 + ct * (v[10] + 2 * t83)));
        field t106 = t24 * t105, t107 = v[44] + t2 + t3, t110 = v[43] + t48, t117 = t24 * t92;
        field t120 = 4 * t71 * t20 - t117 - 2 * t110 * t13;
        field t123 =
            v[38] + t59 + ct * (v[39] + 2 * t57) + sa * v[42] +
            (4 * v[48] * t64 * t20 + 8 * t33 * t68 - 4 * t71 * t38 - t93 - t106 - 2 * t107 * t13 - 2 * t110 * t29) *
                t20 -
            t120 * t35 * t37;
        field t128 = t19 * p, t130 = p * (1.0 * v[12] + 1.0 * t7 + 1.0 * t11 + t128), t131 = 1 / t92;
        field t133 = 1 + t130 * t131, t134 = log(t133);
        field t143 = v[37] + ct * (v[38] + t59) + sa * (v[41] + v[42] * ct) + t120 * t20;
        field t152 = t37 * p, t156 = square(t92);
        field t165 = v[25] * ct, t167 = ct * (v[24] + t165), t169 = ct * (v[23] + t167);
        field t175 = v[30] * ct, t177 = ct * (v[29] + t175), t179 = ct * (v[28] + t177);
        field t185 = v[35] * ct, t187 = ct * (v[34] + t185), t189 = ct * (v[33] + t187);
        field t199 = t13 * t20, t217 = 2 * t117 * t199 - t110 * t92;
        field t234 = v[21] + ct * (v[22] + t169) +
                     sa * (v[26] + ct * (v[27] + t179) + v[36] * sa + t82 * (v[31] + ct * (v[32] + t189))) + t217 * t20;
        field t241 = t64 - t92 * t19, t242 = sqrt(t241), t243 = 1 / t242;
        field t244 = t4 + t8 + t12 - t242, t245 = 1 / t244, t247 = t4 + t8 + t12 + t242 + t128, t248 = 1 / t247;
        field t249 = t242 * t245 * t248, t252 = 1 + 2 * t128 * t249, t253 = log(t252), t254 = t243 * t253;
        field t259 = t234 * t19 - t143 * t13, t264 = t259 * t20;
        field t272 = 2 * t13 * t29 - t105 * t19 - t92 * t37, t282 = t128 * t242;
        field t283 = square(t244), t287 = t243 * t272 / 2, t292 = square(t247);

        field by_virial =
            1e4 * p *
                (v[44] + t2 + t3 - 2 * v[48] * t13 * t20 - 2 * t24 * t29 * t20 + 2 * t33 * t38 + 0.5 * v[48] * p) *
                t20 -
            1e4 * p * (v[43] + t48 - 2 * t33 * t20 + 0.5 * t24 * p) * t38;
        field by_first_log =
            5e3 * t123 * t20 * t134 - 5e3 * t143 * t35 * t134 * t37 +
            5e3 * t143 * t20 * (p * (1.0 * v[13] + 2 * t5 + 1.0 * t27 + t152) * t131 - t130 / t156 * t105) / t133;
        field t234_by_t = v[22] + t169 + ct * (v[23] + t167 + ct * (v[24] + 2 * t165)) +
                          sa * (v[27] + t179 + ct * (v[28] + t177 + ct * (v[29] + 2 * t175)) +
                                t82 * (v[32] + t189 + ct * (v[33] + t187 + ct * (v[34] + 2 * t185)))) +
                          (2 * t93 * t199 + 2 * t106 * t199 + 2 * t117 * t68 - 2 * t117 * t13 * t35 * t37 - t107 * t92 -
                           t110 * t105) *
                              t20 -
                          t217 * t35 * t37;
        field by_second_log = 5e3 * (t234_by_t * t19 + t234 * t37 - t123 * t13 - t143 * t29) * t20 * t254 -
                              5e3 * t259 * t35 * t254 * t37 - 2.5e3 * t264 / t242 / t241 * t253 * t272;
        field by_ratio =
            5e3 * t264 * t243 *
            (2 * t152 * t249 + t128 * t243 * t245 * t248 * t272 - 2 * t282 / t283 * t248 * (t25 + t26 + t28 - t287) -
             2 * t282 * t245 / t292 * (t25 + t26 + t28 + t287 + t152)) /
            t252;
        return by_virial + by_first_log + by_second_log + by_ratio;
    }

    /// Of about `size` points, such as "1e6".
    static equation_of_state initialize(const std::string& size) {
        double side = std::cbrt(std::stod(size));
        auto horizontal = static_cast<int64_t>(std::ceil(std::sqrt(2.0) * side)),
             depth = static_cast<int64_t>(std::ceil(0.5 * side));
        auto draw = [](double low, double high, const dims& shape) {
            return random::uniform<double>(low, high, shape).eval();
        };
        dims shape{horizontal, horizontal, depth};
        return {draw(1e-2, 10, shape), draw(-12, 20, shape), draw(0, 1000, {1, 1, depth}), {}};
    }
    void drop_results() { result = {}; }
    void run() { result = gsw_dHdT(sa, ct, p).eval(); }
};

}  // namespace programs
