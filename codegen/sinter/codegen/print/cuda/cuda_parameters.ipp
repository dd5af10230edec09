// Bodies of cuda_parameters.hpp.
#pragma once

#include <sinter/codegen/print/cuda/cuda_parameters.hpp>
#include <sinter/codegen/schedule/geometry.hpp>
#include <sinter/codegen/schedule/stages.hpp>

#include <bit>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE sequence<int> divided_axes(const kernel& k) {
    sequence<int> axes;
    const bool divides = k.reduces() || k.scans || k.is(mapping::joined_rows);
    for (int i = 1; i < k.space.size() && !k.how.wide && divides; ++i)
        if (i != k.kept) axes.push_back(i);
    return axes;
}

SINTER_INLINE index_divisor divisor_of(std::int64_t size) {
    if (size < 1) return {};
    const auto bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
    const std::uint64_t power = std::uint64_t{1} << (31 + bits), n = static_cast<std::uint64_t>(size);
    return {static_cast<std::uint32_t>((power + n - 1) / n), 31 + bits};
}

SINTER_INLINE sequence<cuda_parameter> cuda_parameters(const kernel& k) {
    sequence<cuda_parameter> p;
    auto add = [&](cuda_parameter::kind_type kind, std::size_t index, int bytes) {
        p.push_back({kind, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(bytes)});
    };
    for (std::size_t o = 0; o < k.operands.size(); ++o) add(cuda_parameter::operand, o, 8);
    const bool leaves_results = workspace_of(k.how.map) != workspace_kind::none;
    for (std::size_t r = 0; leaves_results && r < k.reductions.size(); ++r) {
        if (!combines(k.reductions[r])) continue;
        add(cuda_parameter::partial, 2 * r, 8);
        if (is_indexed(k.reductions[r].how)) add(cuda_parameter::partial, 2 * r + 1, 8);
    }
    if (takes_counters(k.how.map)) add(cuda_parameter::counters, 0, 8);
    for (std::size_t c = 0; c < k.scalars.size(); ++c)
        add(cuda_parameter::scalar, c, k.scalars_in_memory ? 8 : size_of(scalar_type(k, c)));
    for (std::uint32_t c : inverse_scalars(k)) add(cuda_parameter::inverse, c, k.scalars_in_memory ? 8 : 4);
    for (std::size_t n = 0; n < integers(k).size(); ++n) add(cuda_parameter::integer, n, k.how.wide ? 8 : 4);
    for (int axis : divided_axes(k)) add(cuda_parameter::divisor, static_cast<std::size_t>(axis), 8);
    if (!k.indexed.empty()) add(cuda_parameter::error, 0, 8);
    return p;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
