// What filters of images share: numbers for each axis, how images go on beyond their borders, sums over shifted copies.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/host.hpp>
#include <sinter/analysis/padding.hpp>
#include <sinter/functions/any_operand.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/functions/term.hpp>

#include <concepts>
#include <initializer_list>
#include <vector>

namespace sinter::inline SINTER_ABI::ndimage {

/// A value for all axes, or one for each of them: `2`, `{2, 1}`.
template <class T>
class per_axis {
public:
    // No constructor takes a list, because g++ 12 would take {.order = 1} for one.
    template <class... N>
        requires(sizeof...(N) > 0 && (std::convertible_to<N, T> && ...))
    per_axis(N... each) : values_{static_cast<T>(each)...} {}
    per_axis(std::vector<T> each) : values_(std::move(each)) {}

    const T& operator[](int axis) const { return values_[values_.size() == 1 ? 0 : static_cast<std::size_t>(axis)]; }
    std::size_t size() const { return values_.size(); }

private:
    std::vector<T> values_;
};

/// Axes: a list in braces, one number, or all.
class axis_list {
public:
    axis_list() = default;
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    axis_list(I... items) : given_(true), items_(items...) {}
    /// Counted from 0; throws index_error and value_error.
    dims of(std::string_view operation, int rank) const;

private:
    bool given_ = false;
    dims items_;
};

/// Numbers of objects: one, whose result has no axis for it, or several, in braces, a vector or an array, which is
/// read.
struct object_numbers : std::vector<std::int64_t> {
    object_numbers() = default;
    object_numbers(std::initializer_list<std::int64_t> numbers) : vector(numbers) {}
    object_numbers(std::vector<std::int64_t> numbers) : vector(std::move(numbers)) {}
    template <std::integral I>
    object_numbers(I number) : vector{static_cast<std::int64_t>(number)}, is_one(true) {}
    template <expression E>
    object_numbers(const E& e) : vector(to_vector(array<std::int64_t>(e))) {}

    bool is_one = false;
};

namespace detail {

using namespace sinter::detail;

/// What lies beyond the borders: SciPy's mode, and the number of mode constant.
struct border {
    std::string_view mode = "reflect";
    double cval = 0;
};

[[noreturn]] void throw_count(std::string_view operation, std::string_view what, std::size_t count, int axes);
template <class T>
void require_count(std::string_view operation, std::string_view what, const per_axis<T>& given, int axes) {
    if (given.size() != 1 && given.size() != static_cast<std::size_t>(axes))
        throw_count(operation, what, given.size(), axes);
}

/// That of a mode of SciPy's; throws value_error.
extension extension_of(std::string_view operation, std::string_view mode);
/// The type that a filter computes in: floating types their own, half as float, all others float64.
constexpr dtype working_type(dtype type) {
    switch (type) {
        case dtype::float16:
        case dtype::bfloat16: return dtype::float32;
        case dtype::complex32: return dtype::complex64;
        case dtype::float32:
        case dtype::complex64:
        case dtype::complex128: return type;
        default: return dtype::float64;
    }
}

/// An image that goes on by so much beyond its borders; pending, so that its slices fuse.
handle record_extended(std::string_view operation, const handle& x, const dims& before, const dims& after,
                       const border& b);

/// How many elements of a window stand before its middle: size / 2 + origin; throws value_error when the middle would
/// lie outside.
std::int64_t elements_before(std::string_view operation, std::int64_t size, std::int64_t origin);

/// The same of windows of an image's rank, and of flipped ones, whose middle lies on the other side: how many elements
/// stand before and behind it along each axis. Throws value_error for origins that are not as many, too.
struct window_reach {
    dims before, after;
};
window_reach reach_of(std::string_view operation, const dims& window, const per_axis<std::int64_t>& origin,
                      bool flips = false);

/// Which elements of a window count: those of a footprint that are not zero, which is read. Throws value_error where
/// none does.
std::vector<bool> read_footprint(std::string_view operation, const handle& footprint);

/// One of the shifted copies that an extended image holds.
term shifted_copy(const handle& extended, const dims& start, const dims& shape);
/// All of them for a window of the image's rank, in row-major order.
codegen::sequence<term> shifted_copies(const handle& extended, const dims& window, const dims& shape);

/// The sums of the elements along one axis times weights that are known here, in SciPy's order.
handle record_correlate1d(std::string_view operation, const handle& x, codegen::span<const double> weights, int axis,
                          std::int64_t origin, const border& b);
/// The same over a window of the image's rank, by weights on the device, flipped for a convolution.
handle record_correlate_window(std::string_view operation, const handle& x, const handle& weights,
                               const per_axis<std::int64_t>& origin, const border& b, bool flip);

}  // namespace detail

}  // namespace sinter::inline SINTER_ABI::ndimage

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/neighbourhood.ipp>
#endif
