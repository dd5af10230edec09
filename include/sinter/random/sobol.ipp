// Bodies of sobol.hpp.
#pragma once

#include <bit>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/random/sobol.hpp>

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
        int degree = std::bit_width(polynomial) - 1;
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

SINTER_INLINE handle record_sobol(dtype type, std::int64_t n, std::int64_t dimensions, std::int64_t first) {
    if (dimensions < 1 || dimensions > 1024)
        throw value_error("[sobol] the number of dimensions is not between 1 and 1024: " + std::to_string(dimensions));
    if (n < 0) throw value_error("[sobol] the number of points is negative: " + std::to_string(n));
    if (first < 0) throw value_error("[sobol] the first point is negative: " + std::to_string(first));
    if (n == 0) return record_empty(type, dims(0, dimensions));
    // In steps of eight, so that there are eight kernels at most.
    const std::uint64_t last = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(n - 1);
    const int bits = last < 2 ? 8 : (std::bit_width(last) + 7) / 8 * 8;
    const handle directions = store(dtype::uint64, dims(bits, dimensions), sobol_directions(bits, dimensions).data());
    const handle number = record_index(dims(n, 1));
    codegen::sequence<handle> rows;
    recorder r;
    auto add_number = [&] {
        r.add_input(number);
        r.add_cast(dtype::uint64);
        if (r.scalars.empty()) r.add_scalar(codegen::scalar_value::of(static_cast<std::uint64_t>(first)));
        else r.add_scalar_again(0);
        r.add_op(codegen::op::add);
    };
    for (int i = 0; i < bits; ++i) {
        // All ones where bit i of the number's Gray code is set.
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
        rows.push_back(record_part(directions, 0, i, i + 1));
        r.add_input(rows.back());
        r.add_op(codegen::op::bitwise_and);
        if (i > 0) r.add_op(codegen::op::bitwise_xor);
    }
    if (type == dtype::float32) {
        r.add_literal(dtype::uint64, 32);
        r.add_op(codegen::op::right_shift);
        r.add_cast(dtype::uint32);
    }
    r.add_op(type == dtype::float32 ? codegen::op::unit_float : codegen::op::unit_double);
    return record(r, type, dims(n, dimensions));
}

}  // namespace sinter::inline SINTER_ABI::detail
