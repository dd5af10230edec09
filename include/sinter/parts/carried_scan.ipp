// Bodies of carried_scan.hpp.
#pragma once

#include <complex>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/graph/reduce_tree.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/parts/carried_scan.hpp>
#include <sinter/parts/value_parts.hpp>

namespace sinter::inline SINTER_ABI::detail {

using codegen::reduction;

SINTER_INLINE carried_scan::carried_scan(reduction how, dtype type, const dims& shape, int axis)
    : how_(how), wide_(codegen::accumulator_type(how, type)), result_(codegen::reduce_type(how, type)), axis_(axis) {
    const auto mask = static_cast<std::uint8_t>(1 << axis);
    const bool by_rows = codegen::tree_of(shape, mask) == codegen::reduce_tree::rows;
    group_ = by_rows ? codegen::scan_group : codegen::column_scan_group;
}

SINTER_INLINE bool carried_scan::is_possible() const {
    const bool is_rotation = how_ == reduction::prod && codegen::is_complex(wide_);  // infinity times 1 is no infinity
    return codegen::accumulator_type(how_, wide_) == wide_ && !is_rotation;
}

SINTER_IEEE_BEGIN
// What changes no element that it is joined to, not even the sign of a zero.
SINTER_INLINE handle neutral_element(reduction how, dtype type) {
    const std::complex<double> zero{-0.0, -0.0};
    const double one = 1;
    if (how == reduction::prod) return record_cast(store(dtype::float64, dims(), &one), type);
    return record_cast(store(codegen::is_complex(type) ? dtype::complex128 : dtype::float64, dims(), &zero), type);
}
SINTER_IEEE_END

// Elements that make nothing of what is before them: of an extremum those that it is made of.
SINTER_INLINE bool is_extremum(reduction how) { return how == reduction::min || how == reduction::max; }

// Before a part a group that makes the carry; behind it an element of the next group, whose result is what all groups
// before that make.
SINTER_INLINE codegen::sequence<handle> carried_scan::between(const handle& part, bool is_last) const {
    auto repeated = [&](const handle& x, std::int64_t n) {
        return record_broadcast(to_string(how_), x, with_size(part->shape, axis_, n));
    };
    const std::int64_t n = part->shape[axis_];
    codegen::sequence<handle> parts;
    if (carry_ && is_extremum(how_)) parts = {repeated(carry_, group_)};
    else if (carry_) parts = {carry_, repeated(neutral_element(how_, wide_), group_ - 1)};
    parts.push_back(part);
    if (!is_last && is_extremum(how_)) parts.push_back(record_part(part, axis_, n - 1, n));
    else if (!is_last) parts.push_back(repeated(neutral_element(how_, wide_), 1));
    return parts;
}

SINTER_INLINE handle carried_scan::next(const handle& part, bool is_last) {
    const handle wide = record_cast(part, wide_);
    const codegen::sequence<handle> parts = between(wide, is_last);
    const handle joined = parts.size() == 1 ? wide : record_concatenate(to_string(how_), parts, wide_, axis_);
    const handle scan = record_scan(how_, joined, axis_);
    const std::int64_t begin = carry_ ? group_ : 0, end = begin + part->shape[axis_];
    // By way of float32 where that is how halves are scanned: twice rounded is not once.
    const handle own = record_cast(take_part(scan, axis_, {begin, end}), codegen::widened(result_));
    codegen::sequence<handle> results{contiguous_copy(record_cast(own, result_))};
    if (!is_last) results.push_back(contiguous_copy(record_part(scan, axis_, end, end + 1)));
    evaluate(results, runtime::policy::only);
    if (!is_last) carry_ = results[1];
    return results[0];
}

}  // namespace sinter::inline SINTER_ABI::detail
