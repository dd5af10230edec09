// Bodies of labels_host.hpp.
#pragma once

#include <sinter/ndimage/labels_host.hpp>
#include <sinter/runtime/base/thread_team.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace sinter::inline SINTER_ABI::ndimage::detail {

// Up to 64 elements as bits, the first one the lowest: a product gathers the bits of eight bytes in its highest one.
SINTER_INLINE std::uint64_t bits_of(const bool* inside, std::int64_t count) {
    std::uint64_t bits = 0;
    for (std::int64_t i = 0; i < count; i += 8) {
        std::uint64_t bytes = 0;
        if (std::endian::native == std::endian::little) {
            std::memcpy(&bytes, inside + i, static_cast<std::size_t>(std::min<std::int64_t>(8, count - i)));
            bits |= (bytes * 0x0102040810204080u >> 56) << i;
            continue;
        }
        for (std::int64_t k = i; k < std::min(i + 8, count); ++k) bits |= std::uint64_t{inside[k]} << k;
    }
    return bits;
}

// Runs begin and end where a bit differs from the one before it. Where neighbours are not connected each is one.
SINTER_INLINE void labelled_runs::find_runs(const bool* row, bool joins) {
    auto add = [&](std::int64_t begin, std::int64_t end) {
        const auto number = static_cast<std::int64_t>(runs_.size());
        runs_.push_back({begin, end, number});
    };
    std::int64_t begin = -1;
    std::uint64_t last = 0;
    for (std::int64_t at = 0; at < width_; at += 64) {
        const std::uint64_t bits = bits_of(row + at, std::min<std::int64_t>(64, width_ - at));
        std::uint64_t marked = joins ? bits ^ (bits << 1 | last) : bits;
        last = bits >> 63;
        for (; marked; marked &= marked - 1) {
            const std::int64_t place = at + std::countr_zero(marked);
            if (!joins) add(place, place + 1);
            else if (begin < 0) begin = place;
            else add(begin, place), begin = -1;
        }
    }
    if (begin >= 0) add(begin, width_);
    starts_.push_back(static_cast<std::int64_t>(runs_.size()));
}

// The rows of a window before its middle one, with ranges of the connected places along the last axis.
SINTER_INLINE std::vector<labelled_runs::neighbour> labelled_runs::neighbours_of(
    const std::vector<bool>& connected) const {
    std::vector<neighbour> found;
    for (std::size_t place = 0; place + 3 <= connected.size() / 2; place += 3) {
        neighbour n{dims::filled(shape_.size() - 1, 0), 0, {}};
        std::size_t rest = place / 3;
        std::int64_t stride = 1;
        for (int axis = shape_.size() - 2; axis >= 0; --axis, rest /= 3) {
            n.steps[axis] = static_cast<std::int64_t>(rest % 3) - 1;
            n.rows += n.steps[axis] * stride;
            stride *= shape_[axis];
        }
        for (std::int64_t d = -1; d <= 1; ++d) {
            if (!connected[place + static_cast<std::size_t>(d + 1)]) continue;
            if (!n.reaches.empty() && n.reaches.back().second == d - 1) n.reaches.back().second = d;
            else n.reaches.push_back({d, d});
        }
        if (!n.reaches.empty()) found.push_back(n);
    }
    return found;
}

SINTER_INLINE labelled_runs::labelled_runs(const bool* inside, const dims& shape, const std::vector<bool>& connected)
    : shape_(shape), width_(shape.back()), rows_(shape.product() / shape.back()) {
    const std::vector<neighbour> neighbours = neighbours_of(connected);
    dims at = dims::filled(shape.size() - 1, 0);
    for (std::int64_t row = 0; row < rows_; ++row) {
        find_runs(inside + row * width_, connected[connected.size() / 2 + 1]);
        for (const neighbour& n : neighbours) {
            bool exists = true;
            for (int axis = 0; axis < at.size(); ++axis) {
                const std::int64_t there = at[axis] + n.steps[axis];
                exists = exists && there >= 0 && there < shape[axis];
            }
            if (!exists) continue;
            for (const auto& [least, most] : n.reaches) join(row, row + n.rows, least, most);
        }
        for (int axis = at.size() - 1; axis >= 0 && ++at[axis] == shape[axis]; --axis) at[axis] = 0;
    }
}

// Runs of a row and of an earlier one that meet when the former reach so far to either side.
SINTER_INLINE void labelled_runs::join(std::int64_t row, std::int64_t before, std::int64_t least, std::int64_t most) {
    std::int64_t i = starts_[static_cast<std::size_t>(row)], j = starts_[static_cast<std::size_t>(before)];
    const std::int64_t end_i = starts_[static_cast<std::size_t>(row) + 1],
                       end_j = starts_[static_cast<std::size_t>(before) + 1];
    while (i < end_i && j < end_j) {
        const run &a = runs_[static_cast<std::size_t>(i)], &b = runs_[static_cast<std::size_t>(j)];
        if (a.begin + least < b.end && b.begin < a.end + most) {
            const std::int64_t p = first_of(i), q = first_of(j);
            runs_[static_cast<std::size_t>(std::max(p, q))].parent = std::min(p, q);
        }
        if (a.end + most <= b.end) ++i;
        else ++j;
    }
}

SINTER_INLINE std::int64_t labelled_runs::first_of(std::int64_t r) {
    while (runs_[static_cast<std::size_t>(r)].parent != r) {
        std::int64_t& parent = runs_[static_cast<std::size_t>(r)].parent;
        parent = runs_[static_cast<std::size_t>(parent)].parent;
        r = parent;
    }
    return r;
}

// A set's first run comes before the others, so that a parent already has the number that they take over.
SINTER_INLINE std::int64_t labelled_runs::write(std::int32_t* labels) {
    std::int64_t count = 0;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
        std::int64_t& parent = runs_[r].parent;
        parent = parent == static_cast<std::int64_t>(r) ? ++count : runs_[static_cast<std::size_t>(parent)].parent;
    }
    struct target {
        const labelled_runs* from;
        std::int32_t* to;
    } context{this, labels};
    auto write_rows = [](void* given, std::int64_t first, std::int64_t last) {
        const target& t = *static_cast<const target*>(given);
        const labelled_runs& l = *t.from;
        for (std::int64_t row = first; row < last; ++row) {
            std::int32_t* to = t.to + row * l.width_;
            std::fill_n(to, l.width_, 0);
            for (std::int64_t r = l.starts_[static_cast<std::size_t>(row)];
                 r < l.starts_[static_cast<std::size_t>(row) + 1]; ++r) {
                const run& here = l.runs_[static_cast<std::size_t>(r)];
                std::fill(to + here.begin, to + here.end, static_cast<std::int32_t>(here.parent));
            }
        }
    };
    runtime::parallel_for(rows_, std::max<std::int64_t>(1, 16384 / width_), write_rows, &context);
    return count;
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail
