// What may stand in an array's parentheses: numbers, slices, all, newaxis, ellipsis, index arrays and masks.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/expression.hpp>

#include <vector>

namespace sinter::inline SINTER_ABI {

struct none_t {};
/// A bound of a slice that is not given: `slice(none, none, -1)` reverses.
inline constexpr none_t none{};

struct newaxis_t {};
/// A new axis of size one.
inline constexpr newaxis_t newaxis{};

struct ellipsis_t {};
/// As many whole axes as are needed.
inline constexpr ellipsis_t ellipsis{};

/// A range of an axis, as Python's slice: `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`; `slice()` is
/// all of it.
struct slice {
    /// A whole number, or none.
    struct bound {
        bool given;
        std::int64_t value;
        constexpr bound() : given(false), value(0) {}
        constexpr bound(none_t) : bound() {}
        template <std::integral I>
        constexpr bound(I v) : given(true), value(static_cast<std::int64_t>(v)) {}
        template <std::floating_point F>
        constexpr bound(F) : bound() {
            static_assert(sizeof(F) == 0, "sinter: the bounds of a slice are integers or none");
        }
    };
    bound start, stop, step;
    constexpr slice() = default;
    constexpr explicit slice(bound last) : stop(last) {}
    constexpr slice(bound first, bound last, bound by = bound()) : start(first), stop(last), step(by) {}
};

struct all_t;

namespace detail {

/// One item in an array's parentheses, without its type.
struct index_item {
    enum class what : std::uint8_t { number, slice, newaxis, ellipsis, indices, mask };
    what kind;
    std::int64_t number = 0;
    slice range{none, none, none};
    handle indices = {};
};

/// Where an index leads: a view of the base, or elements picked from such a view by index arrays.
struct selection {
    selection() = default;
    /// The whole of a base.
    explicit selection(const dims& base) : view(codegen::contiguous(base)) {}

    layout view;                        ///< over the base's elements
    codegen::sequence<handle> indices;  ///< of integers; empty for a plain view
    std::vector<int> axes;              ///< of the base: which each of them goes along; -1: a new one
    codegen::gather_info gather{};
    handle mask;  ///< when the index is one mask over the leading axes and nothing else

    /// Whether it is one element, named by numbers.
    bool is_element() const { return view.shape.empty() && indices.empty() && !mask; }
};

/// How many axes an index takes; throws index_error where an array has fewer, and for several ellipses.
int require_axes(const dims& base, codegen::span<const index_item> items);

/// Resolves an index; throws index_error naming it. As in NumPy the axes of index arrays and masks stand in the result
/// where these stand, or first when something stands between them, and a number counts as an index array beside one.
selection select(const dims& base, codegen::span<const index_item> items);
inline selection select(const handle& base, codegen::span<const index_item> items) {
    return select(base->shape, items);
}

/// The same selection with the positions at which its mask holds in place of the mask, if it has one; computes the
/// mask.
selection with_positions(const selection& s);

/// The elements at an index.
handle read_selection(const handle& base, const selection& s);

/// The base with a value assigned at an index.
handle write_selection(const handle& base, const selection& s, const handle& value);

/// Whether a value has been written over one element of a base in place: the base is stored on the CPU, and nobody but
/// so many handles of the caller's can read what stood there.
bool write_element(const handle& base, const selection& s, const handle& value, int handles);

/// The elements of values where a mask of their shape, with at least one axis, holds, in row-major order; computed at
/// once, in one kernel for all of them.
codegen::sequence<handle> select_elements(const handle& mask, codegen::span<const handle> values);

/// Positions of the true elements of a mask, one int64 array per axis, in row-major order; computes the mask.
codegen::sequence<handle> nonzero_positions(const handle& mask);

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/index.ipp>
#endif
