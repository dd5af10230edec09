// The numbers that functions are tried with: every k-th of a type, or numbers of all sizes and near hard cases; must
// not know references.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

namespace accuracy {

/// Words that depend on their number alone (Steele, Lea and Flood 2014).
inline std::uint64_t random_word(std::uint64_t n) {
    std::uint64_t z = (n + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/// Where operations of a domain of ops.def change: zeros, poles, ends of results, and where methods of computing them
/// meet.
inline std::span<const double> hard_points(std::string_view domain) {
    static const double ends[] = {1, -1, 0.5, -0.5, 2, 0.25, 0.75, 1.5, 0.85, 0.15, 0.425};
    static const double exponents[] = {709.782712893384,
                                       -745.1332191019412,
                                       -708.3964185322641,
                                       710.4758600739439,
                                       88.72283905206835,
                                       -103.97207708399179,
                                       -87.33654475055310,
                                       89.41598629223294,
                                       1024,
                                       -1022,
                                       -1074,
                                       128,
                                       -126,
                                       -149,
                                       22,
                                       9,
                                       -37,
                                       -17,
                                       0.34657359027997264};
    static const double normals[] = {
        26.5432581735, 27.2262930172, -38.4674056172, -37.5193793471, 9.1949494,   10.0541948, -13.0, -14.1698,
        5.9,           3.92,          0.84375,        1.25,           2.857142857, 6,          28};
    static const double gammas[] = {1,
                                    2,
                                    1.4616321449683623,
                                    171.62437695630272,
                                    35.04010009765625,
                                    170,
                                    10,
                                    -0.504083008264455,
                                    -1.573498473162390,
                                    -2.610720868444145,
                                    -2.457024738220801,
                                    -2.747682646727413,
                                    -3.143580888349980,
                                    -3.955294284858598,
                                    -4.039361839740536,
                                    -184.5,
                                    -41.5};
    static const double bessels[] = {2.404825557695773,
                                     5.520078110286311,
                                     8.653727912911013,
                                     3.831705970207512,
                                     7.015586669815619,
                                     10.17346813506272,
                                     8,
                                     20,
                                     60,
                                     5,
                                     2,
                                     713.98,
                                     91.9};
    static const double powers[] = {1, -1, 2, 0.5, 3, -2, 10};
    if (domain == "exponent") return exponents;
    if (domain == "normal") return normals;
    if (domain == "gamma") return gammas;
    if (domain == "bessel") return bessels;
    if (domain == "power") return powers;
    return ends;
}

/// One multiple of a quarter turn, in radians or in turns of two, of any size; and of half a step, where Bessel
/// functions have zeros.
inline double hard_angle(std::uint64_t word) {
    const double k = std::floor(std::ldexp(static_cast<double>(word >> 11), -static_cast<int>(word % 53)));
    const long double quarter = 3.14159265358979323846L / 2;
    switch (word >> 8 & 3) {
        case 0: return k / 2;
        case 1: return static_cast<double>((k + 0.5L) * quarter);
        default: return static_cast<double>(k * quarter);
    }
}

/// Argument n of float64 for an operation of a domain: a third of any bits, a third of ordinary size, a third near hard
/// cases.
inline double argument(std::string_view domain, std::uint64_t n) {
    const std::uint64_t word = random_word(2 * n), more = random_word(2 * n + 1);
    const double unit = static_cast<double>(more >> 11) * 0x1p-53, sign = more & 1 ? 1.0 : -1.0;
    if (n % 3 == 0) {
        double any;
        std::memcpy(&any, &word, sizeof any);
        return any;
    }
    if (n % 3 == 1) {
        static const double sizes[] = {1, 2, 30, 1000};
        return sign * unit * sizes[word & 3];
    }
    const std::span<const double> points = hard_points(domain);
    const bool turns = (domain == "angle" || domain == "bessel" || domain == "gamma") && (word & 16);
    const double point = turns ? hard_angle(more) : points[static_cast<std::size_t>(word >> 32) % points.size()];
    if ((word & 15) == 0) return sign * point;
    const double away = std::ldexp(sign * unit, -static_cast<int>(word >> 8 & 63));
    return (word & 32 ? -point : point) * (1 + away);
}

/// One of two arguments: of the whole type, or such that results are ordinary.
inline double paired_argument(std::string_view domain, std::uint64_t n, bool second) {
    const std::uint64_t word = random_word(4 * n + (second ? 3 : 2));
    if (domain == "beta") return std::exp2(static_cast<double>(word >> 11) * 0x1p-53 * 25 - 10);
    const double unit = static_cast<double>(word >> 11) * 0x1p-52 - 1;
    if (domain == "power" && n % 3 != 0) return second ? unit * 300 : std::exp2(unit * (n % 3 == 1 ? 1 : 8));
    if (n % 3 == 2 && second) {  // near the first one
        const double first = argument(domain, n);
        return (word & 1 ? first : -first) * (1 + std::ldexp(unit, -static_cast<int>(word & 31)));
    }
    return argument(domain, second ? n + 3 * (word % 1000003) : n);
}

}  // namespace accuracy
