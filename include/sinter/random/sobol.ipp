// Bodies of sobol.hpp.
#pragma once

#include <bit>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/random/sobol.hpp>
#include <sinter/runtime/library/curand.hpp>

namespace sinter::inline SINTER_ABI::detail {

inline constexpr std::uint16_t sobol_numbers[] = {
#include <sinter/random/sobol.def>
};

// Direction numbers as fractions of 2^64, one row for each bit of a point's number.
SINTER_INLINE std::vector<std::uint64_t> sobol_directions(int bits, std::int64_t dimensions) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(bits * dimensions));
    const std::uint16_t* from = sobol_numbers;
    for (std::int64_t d = 0; d < dimensions; ++d) {
        auto at = [&](int bit) -> std::uint64_t& { return all[static_cast<std::size_t>(bit * dimensions + d)]; };
        unsigned polynomial = d == 0 ? 1 : *from++;
        int degree = static_cast<int>(std::bit_width(polynomial)) - 1;
        for (int i = 0; i < bits; ++i) {
            if (d == 0) at(i) = std::uint64_t{1} << (63 - i);
            else if (i < degree) at(i) = std::uint64_t{from[i]} << (63 - i);
            else {
                std::uint64_t v = at(i - degree) ^ at(i - degree) >> degree;
                for (int k = 1; k < degree; ++k)
                    if (polynomial >> (degree - k) & 1) v ^= at(i - k);
                at(i) = v;
            }
        }
        from += degree;
    }
    return all;
}

SINTER_INLINE void require_sobol(std::int64_t n, std::int64_t dimensions, std::int64_t first, int bits) {
    if (dimensions < 1)
        throw value_error("[sobol] the number of dimensions is not above 0: " + std::to_string(dimensions));
    if (n < 0) throw value_error("[sobol] the number of points is negative: " + std::to_string(n));
    if (first < 0) throw value_error("[sobol] the first point is negative: " + std::to_string(first));
    if (bits != 32 && bits != 64) throw value_error("[sobol] bits is neither 32 nor 64: " + std::to_string(bits));
    constexpr std::int64_t most = std::int64_t{1} << 32;
    if (bits == 32 && (n > most || first > most - n))
        throw value_error("[sobol] there are 2^32 points of 32 bits: " + std::to_string(first) + " and " +
                          std::to_string(n) + " more");
}

/// Computes bit after bit of the number's Gray code what a point is.
struct sobol_recorder {
    recorder r = {};
    handle number;
    std::uint64_t first;

    void add_number() {
        r.add_input(number);
        r.add_cast(dtype::uint64);
        if (r.scalars.empty()) r.add_scalar(codegen::scalar_value::of(first));
        else r.add_scalar_again(0);
        r.add_op(codegen::op::add);
    }
    // All ones where bit i of the number's Gray code is set.
    void add_mask(int i) {
        add_number();
        add_number();
        r.add_literal(dtype::uint64, 1);
        r.add_op(codegen::op::right_shift);
        r.add_op(codegen::op::bitwise_xor);
        r.add_literal(dtype::uint64, static_cast<std::int16_t>(i));
        r.add_op(codegen::op::right_shift);
        r.add_literal(dtype::uint64, 1);
        r.add_op(codegen::op::bitwise_and);
        r.add_op(codegen::op::negative);
    }
};

SINTER_INLINE handle record_sobol(dtype type, std::int64_t n, std::int64_t dimensions, std::int64_t first,
                                  bool scramble, int bits) {
    require_sobol(n, dimensions, first, bits);
    // In steps of eight, so that there are eight kernels at most.
    const std::uint64_t last = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(n) - (n > 0);
    const int rows_of_bits = last < 2 ? 8 : static_cast<int>((std::bit_width(last) + 7) / 8 * 8);
    runtime::curand_directions found;
    if (scramble || dimensions > 1024)
        found = runtime::find_curand_directions(scramble, bits, rows_of_bits, dimensions,
                                                scramble ? "points are scrambled" : "more than 1024 dimensions are");
    if (n == 0) return record_empty(type, dims(0, dimensions));
    const handle directions =
        store(dtype::uint64, dims(rows_of_bits, dimensions),
              found.all.empty() ? sobol_directions(rows_of_bits, dimensions).data() : found.all.begin());
    sobol_recorder s{.number = record_index(dims(n, 1)), .first = static_cast<std::uint64_t>(first)};
    codegen::sequence<handle> rows;
    for (int i = 0; i < rows_of_bits; ++i) {
        s.add_mask(i);
        rows.push_back(record_part(directions, 0, i, i + 1));
        s.r.add_input(rows.back());
        s.r.add_op(codegen::op::bitwise_and);
        if (i > 0) s.r.add_op(codegen::op::bitwise_xor);
    }
    if (!found.first.empty()) {
        rows.push_back(store(dtype::uint64, dims(1, dimensions), found.first.begin()));
        s.r.add_input(rows.back());
        s.r.add_op(codegen::op::bitwise_xor);
    }
    if (type == dtype::float32) {
        s.r.add_literal(dtype::uint64, 32);
        s.r.add_op(codegen::op::right_shift);
        s.r.add_cast(dtype::uint32);
    }
    s.r.add_op(type == dtype::float32 ? codegen::op::unit_float : codegen::op::unit_double);
    return record(s.r, type, dims(n, dimensions));
}

}  // namespace sinter::inline SINTER_ABI::detail
