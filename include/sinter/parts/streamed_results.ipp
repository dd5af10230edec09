// Bodies of streamed_results.hpp.
#pragma once

#include <algorithm>
#include <sinter/array/reading.hpp>
#include <sinter/parts/streamed_results.hpp>
#include <sinter/parts/value_parts.hpp>
#include <sinter/runtime/memory/absent_buffer.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// A value whose parts along its outermost axis follow each other in memory of their own.
class streamed_result {
public:
    explicit streamed_result(runtime::value& v) : value_(&v), reader_(v.where, true) {
        while (axis_ < v.shape.size() && v.shape[axis_] == 1) ++axis_;
    }
    bool has_axis() const { return axis_ < value_->shape.size() && value_->shape.product() > 0; }
    /// By parts of so many bytes; false where it has none.
    bool run(std::int64_t bytes) {
        const runtime::buffer_ref memory =
            runtime::allocate_buffer(value_->where, static_cast<std::size_t>(value_->bytes()));
        const std::int64_t n = value_->shape[axis_];
        std::int64_t each = elements_in_bytes(n, std::max(value_->bytes(), reader_.bytes_behind(*value_)), bytes);
        const std::int64_t unit = reader_.elements_for_scans(*value_, n);
        each = std::max(unit, each - each % unit);
        std::size_t at = 0;
        for (std::int64_t begin = 0; begin < n; begin += each) {
            handle part = part_of(reader_, value_, axis_, {begin, std::min(begin + each, n)});
            if (!part) return false;
            reader_.read_ahead();
            evaluate({&part, 1}, runtime::policy::only);
            part = computed_rows(part);
            runtime::stream_work work(value_->where);
            work.reads(*part->memory);
            work.writes(*memory);
            const auto item = static_cast<std::size_t>(codegen::size_of(part->type));
            const auto* const from =
                static_cast<const char*>(part->memory->data) + static_cast<std::size_t>(part->at.offset) * item;
            runtime::copy_between(value_->where, static_cast<char*>(memory->data) + at, value_->where, from,
                                  static_cast<std::size_t>(part->bytes()));
            work.finish();
            at += static_cast<std::size_t>(part->bytes());
        }
        const layout at_all = codegen::contiguous(value_->shape);
        if (value_->pending) runtime::materialise(*value_, memory, at_all);
        value_->memory = memory;
        value_->at = at_all;
        return true;
    }

private:
    handle value_;
    absent_reader reader_;
    int axis_ = 0;
};

namespace streaming {

/// Where memory does not suffice by smaller parts. False where there are none.
SINTER_INLINE bool stream_result(runtime::value& v) {
    const device_scope on(v.where);
    if (!streamed_result(v).has_axis()) return false;
    const std::int64_t most = bytes_of_part(v.where), least = std::max<std::int64_t>(1, most / 16);
    for (std::int64_t bytes = most;; bytes = bytes / 4) {
        try {
            return streamed_result(v).run(bytes);
        } catch (const out_of_memory& e) {
            if (bytes <= least) runtime::throw_needs_parts(e);
        }
    }
}

SINTER_INLINE bool is_large(const runtime::value& v) { return absent_reader(v.where, true).is_for(v); }

/// Whether a value may have parts: what is computed element by element, and of what lies in a file less than half.
SINTER_INLINE bool has_parts(const runtime::value& v) {
    using runtime::statement_kind;
    if (!v.pending) return v.bytes() * 2 <= static_cast<std::int64_t>(v.memory->bytes);
    const statement_kind kind = v.pending->kind;
    return kind == statement_kind::expression || kind == statement_kind::view || kind == statement_kind::scan;
}

}  // namespace streaming

SINTER_INLINE void stream_results(codegen::span<runtime::value* const> roots) {
    for (runtime::value* root : roots) {
        if (!streaming::is_large(*root)) continue;
        if (streaming::has_parts(*root) && streaming::stream_result(*root)) continue;
        codegen::sequence<runtime::value*> behind;
        add_pending_behind(root, behind);
        for (runtime::value* v : behind)
            if (v->pending && v->pending->kind == runtime::statement_kind::scan && streaming::is_large(*v))
                streaming::stream_result(*v);
    }
}

}  // namespace sinter::inline SINTER_ABI::detail
