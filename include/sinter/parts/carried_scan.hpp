// A scan part by part, each part behind what stands for all elements before it; must not know where parts are.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/record.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// A running sum or the like along an axis, of parts that follow each other along it. Parts end where groups of the
/// scan's order do, so that results have the bits of the scan of all parts in one place.
class carried_scan {
public:
    /// Of an array of a shape.
    carried_scan(codegen::reduction how, dtype type, const dims& shape, int axis);
    /// False for types that accumulate in one that a scan of its own accumulates in yet another one.
    bool is_possible() const;
    /// Elements of the axis in a group: a part has a number of those, the last one what is left.
    std::int64_t group() const { return group_; }
    /// The scan's results for the next part, computed.
    handle next(const handle& part, bool is_last);

private:
    codegen::sequence<handle> between(const handle& part, bool is_last) const;

    codegen::reduction how_;
    dtype wide_, result_;
    int axis_;
    std::int64_t group_;
    handle carry_;  ///< what all elements before make, in the type that accumulates
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parts/carried_scan.ipp>
#endif
