// Parts of values along an axis whose operands may be absent: what a part needs of these is read alone, ahead of its
// use; must not know files.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/record.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/codegen/graph/reduce_tree.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/memory/absent_buffer.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::detail {

using distributed::range;

/// A part of an axis, a view; the value itself where that is all of it.
handle take_part(const handle& h, int axis, range of);
/// A shape with another size of one axis.
dims with_size(dims shape, int axis, std::int64_t n);

/// What a reduction along axes, or a scan, which keeps them, makes of a part. Orders of both look at shapes: where the
/// part has one element of the last axis of which the whole has more, it is taken twice along that. The result may have
/// axes in front of those of the part.
template <class F>
handle in_order_of(const dims& whole, std::uint8_t axes, bool keeps_axes, const handle& part, F f, int in_front = 0) {
    if (part->shape.product() == 0 || codegen::tree_of(part->shape, axes) == codegen::tree_of(whole, axes))
        return f(part);
    int last = whole.size() - 1, of_result = in_front;
    while (whole[last] == 1) --last;
    for (int i = 0; i < last; ++i) of_result += keeps_axes || !(axes >> i & 1);
    return take_part(f(record_broadcast("reduce", part, with_size(part->shape, last, 2))), of_result, {0, 1});
}

class carried_scan;

/// Bytes of absent buffers, each copied to memory of its own; what comes next is read by a thread beside this one.
class absent_reader {
public:
    /// Of all absent buffers, or of those alone that are too large to be brought in.
    absent_reader(device where, bool only_large) : where_(where), only_large_(only_large) {}
    ~absent_reader();
    absent_reader(const absent_reader&) = delete;
    absent_reader& operator=(const absent_reader&) = delete;

    bool is_for_all() const { return !only_large_; }
    /// Bytes of such buffers that a value is computed from.
    std::int64_t bytes_behind(const runtime::value& v) const;
    bool is_for(const runtime::value& v) const { return bytes_behind(v) > 0; }
    /// Memory with these bytes at its beginning. What follows them in the same way goes on by `step` bytes and ends at
    /// `end` at the latest.
    runtime::buffer_ref take(const runtime::buffer& from, const runtime::byte_runs& runs, std::size_t step,
                             std::size_t end);
    /// Begins to read what follows all that was taken since the last call. What cannot be read now is read when it is
    /// taken.
    void read_ahead();
    /// A part of a scan's results that follows the part before, or is that once more; an empty handle of others.
    handle part_of_scan(const handle& x, int axis, range of);
    /// Of how many elements a part of an axis of n has to be a multiple, unless it is the last one, for the scans along
    /// such axes that a value is computed from.
    std::int64_t elements_for_scans(const runtime::value& v, std::int64_t n) const;

private:
    struct running_scan {
        handle results;
        std::shared_ptr<carried_scan> scan;
        range last;
        handle part;
    };
    struct wanted {
        std::shared_ptr<const runtime::buffer_origin> from;  ///< which the buffer may lose meanwhile
        runtime::byte_runs runs;
        std::size_t step = 0, end = 0;
        runtime::buffer_ref memory;

        /// Whether its bytes begin with another's.
        bool holds(const wanted& w) const;
    };
    bool wants(const runtime::buffer& b) const;
    static void* enter(void* self);
    runtime::buffer_ref read(const wanted& w) const;
    void open();

    device where_;
    bool only_large_;
    runtime::stream_state* stream_ = nullptr;
    codegen::sequence<wanted> taken_, ahead_;
    codegen::sequence<running_scan> scans_;
    mutable codegen::sequence<std::pair<const runtime::buffer*, bool>> known_;
    runtime::background_thread thread_;
};

/// A part of an axis, of which no more is computed or read: of expressions it is the expression of parts, of views
/// whose axis is the outermost one of what they view the view of a part, of scans what follows the part before. Of
/// other values it is a view, or an empty handle where that needed what the reader is for as a whole. A reader for
/// large buffers cuts nothing else.
handle part_of(absent_reader& reader, const handle& x, int axis, range of);

/// The pending values that a value is computed from, and itself, each behind what it needs; those that are there stay.
void add_pending_behind(runtime::value* v, codegen::sequence<runtime::value*>& order);

/// How many elements of an axis have so many bytes of all that has so many, at least one.
std::int64_t elements_in_bytes(std::int64_t length, std::int64_t all, std::int64_t bytes);
/// Bytes of a part where nobody says how many: a quarter of a gibibyte, or an eighth of what the device has left.
std::int64_t bytes_of_part(device where);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/parts/value_parts.ipp>
#endif
