// Where the elements of a view lie in a row-major numbering of what it views; slices, transposes and broadcasts of it.
#pragma once

#include <sinter/codegen/base/dims.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::codegen {

/// A view: element (i, j, …) is element `offset + i·strides[0] + j·strides[1] + …` of its base, counted row-major.
struct layout {
    dims shape;
    dims strides;  ///< in elements
    std::int64_t offset = 0;

    friend bool operator==(const layout&, const layout&) = default;
};

/// The layout of a row-major array itself.
layout contiguous(const dims& shape);

/// Whether a layout is that of a row-major array starting at offset 0 (axes of size one do not count).
bool is_contiguous(const layout& l);

/// Whether no two elements of a layout lie at one place, as those of broadcasts and of windows that overlap do; some
/// layouts of which none do are taken for such.
bool has_own_places(const layout& l);

/// A layout read through axes `order` (numpy.transpose).
layout transposed(const layout& l, const dims& order);

/// Restricts an axis to `count` elements from `start` in steps of `step`, which may be negative.
void restrict_axis(layout& l, int axis, std::int64_t start, std::int64_t step, std::int64_t count);
/// A layout with such an axis.
layout sliced(const layout& l, int axis, std::int64_t start, std::int64_t step, std::int64_t count);

/// numpy.broadcast_to; the caller has checked that the shapes fit.
layout broadcasted(const layout& l, const dims& shape);

/// The same elements under another shape, if strides can express it.
std::optional<layout> reshaped(const layout& l, const dims& shape);

/// Whether neighbours in memory lie along another axis than the innermost, along which those of the layout lie apart;
/// of axes with at least so many elements.
bool lies_across(const layout& l, std::int64_t least);

/// The axes of `inner` split, as finely as those of an array of shape `outer` that it views ask for; nullopt where
/// nothing is to be split or there would be too many axes.
std::optional<dims> split_axes(const dims& outer, const layout& inner);

/// `outer` read through `inner`, where inner views an array of outer's shape; nullopt if strides cannot express it.
std::optional<layout> composed(const layout& outer, const layout& inner);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/base/layout.ipp>
#endif
