// Bodies of value_parts.hpp.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <sinter/codegen/base/search.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/parts/carried_scan.hpp>
#include <sinter/parts/value_parts.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

namespace sinter::inline SINTER_ABI::detail {

using runtime::statement_kind;

SINTER_INLINE handle take_part(const handle& h, int axis, range of) {
    return of == range{0, h->shape[axis]} ? h : record_part(h, axis, of.begin, of.end);
}

SINTER_INLINE dims with_size(dims shape, int axis, std::int64_t n) {
    shape[axis] = n;
    return shape;
}

SINTER_INLINE absent_reader::~absent_reader() {
    thread_.join();
    ahead_.clear();
    if (stream_) runtime::give_back_stream(stream_);
}

SINTER_INLINE bool absent_reader::wanted::holds(const wanted& w) const {
    if (from != w.from || runs.begin != w.runs.begin || runs.count != w.runs.count) return false;
    return runs.count == 1 ? runs.run >= w.runs.run : runs.run == w.runs.run && runs.stride == w.runs.stride;
}

SINTER_INLINE runtime::buffer_ref absent_reader::read(const wanted& w) const {
    runtime::buffer_ref memory = runtime::allocate_buffer(where_, w.runs.bytes());
    runtime::stream_work work(where_);
    work.writes(*memory);
    w.from->copy(w.runs, where_, memory->data);
    return memory;
}

SINTER_INLINE runtime::buffer_ref absent_reader::take(const runtime::buffer& from, const runtime::byte_runs& runs,
                                                      std::size_t step, std::size_t end) {
    thread_.join();
    wanted w{from.origin, runs, step, end, {}};
    for (const codegen::sequence<wanted>* known : {&ahead_, &taken_})
        for (const wanted& k : *known)
            if (!w.memory && k.holds(w)) w.memory = k.memory;
    if (!w.memory) w.memory = read(w);
    taken_.push_back(w);
    return w.memory;
}

// What has been too large once is so to the end, whatever memory is given back meanwhile.
SINTER_INLINE bool absent_reader::wants(const runtime::buffer& b) const {
    if (!runtime::is_absent(b)) return false;
    if (!only_large_) return true;
    for (const auto& [buffer, is_large] : known_)
        if (buffer == &b) return is_large;
    known_.push_back({&b, runtime::is_too_large(b)});
    return known_.back().second;
}

SINTER_INLINE std::int64_t absent_reader::bytes_behind(const runtime::value& v) const {
    codegen::sequence<const runtime::value*> behind{&v};
    codegen::sequence<const runtime::buffer*> buffers;
    std::int64_t bytes = 0;
    auto add = [](auto& list, auto* x) {
        const bool is_new = codegen::find(list.begin(), list.end(), x) == list.end();
        if (is_new) list.push_back(x);
        return is_new;
    };
    for (std::size_t i = 0; i < behind.size(); ++i) {
        const runtime::value& x = *behind[i];
        if (x.pending) {
            for (const runtime::value* input : x.pending->inputs) add(behind, input);
            continue;
        }
        if (x.memory && wants(*x.memory) && add(buffers, x.memory.get()))
            bytes += static_cast<std::int64_t>(x.memory->bytes);
    }
    return bytes;
}

// A stream of its own, so that copies do not wait for what this thread's computes.
SINTER_INLINE void absent_reader::open() {
    // What runs meanwhile runs on the only stream, and orders nothing.
    std::lock_guard lock(runtime::runtime_lock());
    if (!stream_) stream_ = runtime::open_stream(where_);
}

SINTER_INLINE void* absent_reader::enter(void* self) {
    absent_reader& r = *static_cast<absent_reader*>(self);
    runtime::stream_state* const before = runtime::exchange_stream(r.where_, r.stream_);
    for (wanted& w : r.ahead_) try {
            w.memory = r.read(w);
        } catch (...) {  // there may be memory for it, and an error that is told, when it is taken
        }
    runtime::exchange_stream(r.where_, before);
    return nullptr;
}

SINTER_INLINE void absent_reader::read_ahead() {
    thread_.join();
    ahead_.clear();
    for (wanted& w : std::exchange(taken_, {})) {
        w.runs.begin += w.step;
        w.memory.reset();
        if (w.step == 0 || w.runs.begin >= w.end) continue;
        w.runs.run = std::min(w.runs.run, w.end - w.runs.begin);
        // Bytes that several values use are read once.
        if (codegen::any_of(ahead_.begin(), ahead_.end(), [&](const wanted& k) { return k.holds(w); })) continue;
        for (wanted* k = ahead_.begin(); k != ahead_.end();)
            if (w.holds(*k)) ahead_.erase(k);
            else ++k;
        ahead_.push_back(std::move(w));
    }
    if (ahead_.empty()) return;
    open();
    if (!thread_.start(enter, this)) ahead_.clear();
}

SINTER_INLINE handle absent_reader::part_of_scan(const handle& x, int axis, range of) {
    const codegen::reduce_info scan = x->pending->reduce;
    const handle operand(x->pending->inputs[0]);
    if (!(scan.axes >> axis & 1)) {
        int along = 0;
        while (!(scan.axes >> along & 1)) ++along;
        const handle part = part_of(*this, operand, axis, of);
        if (!part) return part;
        return in_order_of(x->shape, scan.axes, true, part,
                           [&](const handle& h) { return record_scan(scan.how, h, along); });
    }
    auto known = codegen::find_if(scans_.begin(), scans_.end(),
                                  [&](const running_scan& r) { return r.results.get() == x.get(); });
    if (known == scans_.end()) {
        const auto carried = std::make_shared<carried_scan>(scan.how, operand->type, x->shape, axis);
        scans_.push_back({x, carried, {}, {}});
        known = scans_.end() - 1;
    }
    const std::size_t which = static_cast<std::size_t>(known - scans_.begin());
    if (known->part && known->last == of) return known->part;
    const bool is_last = of.end == x->shape[axis], is_next = of.begin == known->last.end;
    const std::shared_ptr<carried_scan> carried = known->scan;
    if (!carried->is_possible() || !is_next || (!is_last && of.size() % carried->group() != 0)) return handle();
    const handle part = part_of(*this, operand, axis, of);  // which may add scans
    if (!part) return part;
    scans_[which].part = handle();
    const handle results = carried->next(part, is_last);
    scans_[which].last = of;
    scans_[which].part = results;
    return results;
}

SINTER_INLINE std::int64_t absent_reader::elements_for_scans(const runtime::value& v, std::int64_t n) const {
    codegen::sequence<runtime::value*> behind;
    add_pending_behind(const_cast<runtime::value*>(&v), behind);
    std::int64_t elements = 1;
    for (const runtime::value* x : behind) {
        if (x->pending->kind != statement_kind::scan) continue;
        for (int i = 0; i < x->shape.size(); ++i)
            if ((x->pending->reduce.axes >> i & 1) && x->shape[i] == n)
                elements = std::max(
                    elements, carried_scan(x->pending->reduce.how, x->pending->inputs[0]->type, x->shape, i).group());
    }
    return elements;
}

namespace parts {

/// How a part of a view's axis lies in what is viewed: whole rows of it, one for each element of the axis.
struct rows_of_view {
    std::int64_t row = 0;    ///< elements
    std::int64_t first = 0;  ///< row of the axis's first element
    layout inside;           ///< the view counted from that row
};

// Of an axis whose elements have a row each; 0 elements where it is no such axis.
SINTER_INLINE rows_of_view find_rows(const layout& at, int axis) {
    const std::int64_t row = at.strides[axis];
    if (row <= 0) return {};
    std::int64_t first = at.offset, reach = 0;
    for (int i = 0; i < at.shape.size(); ++i) {
        if (i == axis || at.shape[i] <= 1) continue;
        const std::int64_t own = (at.shape[i] - 1) * at.strides[i];
        if (own < 0) first += own;
        reach += std::abs(own);
    }
    if (first % row + reach >= row) return {};
    rows_of_view r{row, first / row, at};
    r.inside.offset -= r.first * row;
    return r;
}

SINTER_INLINE layout cut(layout inside, int axis, range of) {
    inside.shape[axis] = of.size();
    return inside;
}

// A part of what is stored in an absent buffer.
SINTER_INLINE handle part_of_stored(absent_reader& reader, const runtime::value& v, int axis, range of) {
    const auto item = static_cast<std::size_t>(codegen::size_of(v.type));
    const auto bytes_of = [&](std::int64_t elements) { return static_cast<std::size_t>(elements) * item; };
    const std::size_t whole = v.memory->bytes;
    if (const rows_of_view rows = find_rows(v.at, axis); rows.row > 0) {
        const std::size_t begin = bytes_of((rows.first + of.begin) * rows.row), step = bytes_of(of.size() * rows.row);
        const runtime::byte_runs runs{begin, std::min(step, whole - begin), 0, 1};
        return runtime::make_stored(v.type, with_size(v.shape, axis, of.size()),
                                    reader.take(*v.memory, runs, step, whole), cut(rows.inside, axis, of));
    }
    if (!codegen::is_contiguous(v.at) ||
        v.shape.product() * static_cast<std::int64_t>(item) != static_cast<std::int64_t>(v.memory->bytes))
        return handle();
    std::int64_t inner = 1, outer = 1;
    for (int i = 0; i < v.shape.size(); ++i)
        if (i != axis) (i < axis ? outer : inner) *= v.shape[i];
    const std::size_t line = bytes_of(v.shape[axis] * inner), step = bytes_of(of.size() * inner);
    const runtime::byte_runs runs{bytes_of(of.begin * inner), step, line, static_cast<std::size_t>(outer)};
    const dims shape = with_size(v.shape, axis, of.size());
    return runtime::make_stored(v.type, shape, reader.take(*v.memory, runs, step, line), codegen::contiguous(shape));
}

// A view of rows of what is computed.
SINTER_INLINE handle part_of_view(absent_reader& reader, const runtime::value& v, int axis, range of) {
    const rows_of_view rows = find_rows(v.pending->where, axis);
    const handle base(v.pending->inputs[0]);
    int outer = 0;
    while (outer < base->shape.size() && base->shape[outer] == 1) ++outer;
    if (rows.row == 0 || outer == base->shape.size()) return handle();
    if (rows.row * base->shape[outer] != base->shape.product()) return handle();
    const handle part = part_of(reader, base, outer, {rows.first + of.begin, rows.first + of.end});
    return part ? record_view(part, cut(rows.inside, axis, of)) : part;
}

// An expression of parts; operands that broadcast along the axis are taken whole.
SINTER_INLINE handle part_of_expression(absent_reader& reader, const runtime::value& v, int axis, range of) {
    codegen::sequence<handle> parts;
    codegen::sequence<runtime::value*> inputs;
    for (runtime::value* input : v.pending->inputs) {
        const handle x(input);
        const int own = axis - (v.shape.size() - x->shape.size());
        const bool is_cut = own >= 0 && x->shape[own] == v.shape[axis] && v.shape[axis] != 1;
        parts.push_back(is_cut ? part_of(reader, x, own, of) : x);
        if (!parts.back()) return handle();
        inputs.push_back(parts.back().get());
    }
    return runtime::make_pending(v.type, with_size(v.shape, axis, of.size()), v.where, v.pending->form->codes, inputs,
                                 v.pending->scalars);
}

}  // namespace parts

SINTER_INLINE handle part_of(absent_reader& reader, const handle& x, int axis, range of) {
    std::lock_guard lock(runtime::runtime_lock());
    const runtime::value& v = *x;
    const bool is_absent = reader.is_for(v), is_cut = is_absent || reader.is_for_all();
    handle part;
    if (!v.pending) {
        if (is_absent) part = parts::part_of_stored(reader, v, axis, of);
    } else if (is_cut && v.pending->kind == statement_kind::view) part = parts::part_of_view(reader, v, axis, of);
    else if (is_cut && v.pending->kind == statement_kind::expression)
        part = parts::part_of_expression(reader, v, axis, of);
    else if (is_absent && v.pending->kind == statement_kind::scan) part = reader.part_of_scan(x, axis, of);
    return part || is_absent ? part : take_part(x, axis, of);
}

SINTER_INLINE void add_pending_behind(runtime::value* v, codegen::sequence<runtime::value*>& order) {
    if (!v->pending || codegen::find(order.begin(), order.end(), v) != order.end()) return;
    for (runtime::value* input : v->pending->inputs) add_pending_behind(input, order);
    order.push_back(v);
}

SINTER_INLINE std::int64_t elements_in_bytes(std::int64_t length, std::int64_t all, std::int64_t bytes) {
    return length == 0 ? 1 : std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, all / length));
}

SINTER_INLINE std::int64_t bytes_of_part(device where) {
    const runtime::pool_statistics_result now = runtime::pool_statistics(where);
    return std::min<std::int64_t>(std::int64_t{1} << 28, (now.limit - now.used) / 8);
}

}  // namespace sinter::inline SINTER_ABI::detail
