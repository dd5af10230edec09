// Arrays prolonged at their borders: pad in all of NumPy's modes.
#pragma once

#include <sinter/analysis/quantiles.hpp>
#include <sinter/functions/term.hpp>

#include <concepts>
#include <initializer_list>
#include <utility>
#include <vector>

namespace sinter::inline SINTER_ABI {

/// How far to pad: n on all sides, {before, after} on every axis, or {{before, after}, …} for each.
class pad_width {
public:
    template <std::integral N>
    pad_width(N on_all_sides) : pad_width(on_all_sides, on_all_sides) {}
    template <std::integral B, std::integral A>
    pad_width(B before, A after) : before_(before), after_(after) {}
    pad_width(std::initializer_list<std::initializer_list<std::int64_t>> each);
    /// For an array of this rank; throws value_error.
    void widths(int rank, dims& before, dims& after) const;

private:
    dims before_, after_;
};

/// One value on all sides, {before, after} on every axis, or {{before, after}, …} for each.
template <class V>
class on_sides {
public:
    template <class S>
        requires std::convertible_to<const S&, V>
    on_sides(const S& on_all_sides) : each_{{on_all_sides, on_all_sides}} {}
    on_sides(V before, V after) : each_{{before, after}} {}
    on_sides(std::initializer_list<std::pair<V, V>> each) : each_(each) {}

    const V& at(int axis, bool after) const {
        const auto& pair = each_[each_.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
        return after ? pair.second : pair.first;
    }
    /// Whether there is one on all sides or, of so many axes, one for each side.
    bool fits(int rank) const { return each_.size() == 1 || each_.size() == static_cast<std::size_t>(rank); }
    std::size_t size() const { return each_.size(); }

private:
    std::vector<std::pair<V, V>> each_;
};

/// Options of pad. Modes: constant, edge, linear_ramp, maximum, mean, median, minimum, reflect, symmetric, wrap, empty.
struct pad_options {
    std::string_view mode = "constant";
    on_sides<detail::any_number> constant_values = 0;
    on_sides<detail::any_number> end_values = 0;  ///< where linear ramps end
    on_sides<std::int64_t> stat_length = -1;      ///< of how many elements at an end a statistic is, below 0 of all
    std::string_view reflect_type = "even";       ///< or odd: edges less what is reflected, twice the edge being whole
};

namespace detail {
/// Ways to go on beyond a border.
enum class extension : std::uint8_t { constant, edge, symmetric, reflect, wrap };
/// Elements of an axis whose places, and those mirrored at its ends, are numbers of 32 bits.
inline constexpr std::int64_t most_short_index = std::int64_t{1} << 29;
/// Where each element stands along an axis, in 32 bits where they are enough.
term index_along(const dims& shape, int axis);
/// The place inside of an axis of n elements that an integer place stands for, which lies so far beyond the axis at
/// most; for constant ones the nearest.
term extended_index(const term& place, std::int64_t n, std::int64_t beyond, extension how);

handle record_pad(const handle& x, const pad_width& width, const pad_options& o);
}  // namespace detail

/// Prolonged at the borders (numpy.pad), axis by axis: `pad(x, {{1, 1}, {2, 2}}, {.mode = "edge"})`; integers take
/// means and medians rounded and ramps rounded down. Numbers and lengths may differ by side: `{.constant_values = {{1,
/// 2}, {3, 4}}}`, of which a later axis's stand in the corners. Throws value_error for widths, modes, lengths and
/// numbers that do not fit and where an empty axis has nothing to repeat.
template <expression E>
auto pad(const E& e, const pad_width& width, pad_options o = {}) {
    return detail::as_array_of(e, detail::record_pad(detail::as_handle(e), width, o));
}
/// The same with the mode behind the width, as NumPy has it: `pad(x, 1, "edge")`, `pad(x, 1, "constant",
/// {.constant_values = 8})`.
template <expression E, std::convertible_to<std::string_view> M>
auto pad(const E& e, const pad_width& width, const M& mode, pad_options o = {}) {
    o.mode = mode;
    return pad(e, width, o);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/analysis/padding.ipp>
#endif
