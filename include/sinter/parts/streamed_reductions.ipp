// Bodies of streamed_reductions.hpp.
#pragma once

#include <algorithm>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/parts/reduced_blocks.hpp>
#include <sinter/parts/streamed_reductions.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/parts/value_parts.hpp>
#include <sinter/runtime/memory/absent_buffer.hpp>

namespace sinter::inline SINTER_ABI::detail {

using codegen::reduction;

/// A reduction that is computed part by part: of its operand's outermost axis all parts' blocks are combined at the end
/// where it is reduced, and the parts' results stand behind each other where it is not.
class streamed_reduction {
public:
    explicit streamed_reduction(runtime::value* v) : result_(v), operand_(v->pending->inputs[0]) {
        how_ = v->pending->reduce.how;
        axes_ = v->pending->reduce.axes;
        while (axis_ < operand_->shape.size() && operand_->shape[axis_] == 1) ++axis_;
    }
    runtime::value* result() const { return result_.get(); }
    const runtime::value& operand() const { return *operand_; }
    std::int64_t length() const { return operand_->shape[axis_]; }
    /// Elements of the axis that are whole blocks, so that none have to be passed on.
    std::int64_t elements_of_blocks() const {
        if (!combines()) return 1;
        std::int64_t inner = 1, elements = distributed::block_size(codegen::tree_of(operand_->shape, axes_));
        for (int i = axis_ + 1; i < operand_->shape.size(); ++i) inner *= axes_ >> i & 1 ? operand_->shape[i] : 1;
        for (; elements > 1 && inner % 2 == 0; inner /= 2) elements /= 2;  // blocks have powers of two
        return elements;
    }
    /// False where the operand has no parts.
    bool begin(absent_reader& reader, codegen::span<const range> parts) {
        bytes_.clear();
        const handle part = part_of(reader, operand_, axis_, parts[0]);
        if (!part) return false;
        const bool squares = how_ == reduction::squares_from_first;
        if (combines() && (squares || how_ == reduction::first)) {
            first_ = record_reduce(reduction::first, take_part(part, axis_, {0, 1}), axes_, squares);
            evaluate({&first_, 1}, runtime::policy::only);
        }
        if (combines() && how_ != reduction::first)
            blocks_ =
                begin_blocks(squares ? reduction::sum : how_, operand_->type, operand_->shape, axes_, axis_, parts);
        return true;
    }
    /// What is to be computed for a part.
    void record_part(absent_reader& reader, std::size_t which, range of, codegen::sequence<handle>& values) {
        if (is_first()) return;
        handle part = part_of(reader, operand_, axis_, of);
        if (!combines()) {
            auto reduce = [&](const handle& x) { return record_reduce(how_, x, axes_, false); };
            blocks_.body = in_order_of(operand_->shape, axes_, false, part, reduce);
        } else {
            if (first_) part = apply(codegen::op::square, term(part) - term(first_));
            record_blocks(blocks_, part, operand_->shape, axes_, axis_, which);
        }
        for (handle* h : {&blocks_.head, &blocks_.body, &blocks_.position, &blocks_.tail}) {
            if (!*h || (*h)->bytes() == 0) continue;
            const auto* s = (*h)->pending.get();
            if (!s || s->kind == runtime::statement_kind::view) *h = contiguous_copy(*h);
            values.push_back(*h);
        }
    }
    void keep_part() {
        if (is_first()) return;
        if (combines()) append_rows(bytes_, blocks_, {0, blocks_.rows});
        else append_elements(bytes_, blocks_.body);
    }
    /// Stores the result, which may fail for want of memory; the value is what it was.
    void store_result() {
        stored_ = is_first()
                      ? first_
                      : store(result_->type, result_->shape, (combines() ? combined() : std::move(bytes_)).data());
    }
    void finish() { runtime::materialise(*result_, stored_->memory, stored_->at); }

private:
    bool combines() const { return axes_ >> axis_ & 1; }
    // The first element of all is that of the first part.
    bool is_first() const { return combines() && how_ == reduction::first; }
    std::vector<char> combined() const {
        codegen::sequence<distributed::block_contribution> parts;
        const char* at = bytes_.data();
        for (std::size_t i = 0; i < blocks_.pieces.size(); ++i)
            parts.push_back(contribution_at(blocks_, static_cast<int>(i), blocks_.rows, at));
        return combined_rows(blocks_, parts, blocks_.rows);
    }

    runtime::handle result_;
    handle operand_, first_, stored_;
    reduction how_{};
    std::uint8_t axes_ = 0;
    int axis_ = 0;
    blocked_reduction blocks_{};
    std::vector<char> bytes_;
};

/// Reductions of operands of one length that are computed in one pass.
class streaming_pass {
public:
    explicit streaming_pass(device where) : where_(where), reader_(where, true) {}

    /// By parts of so many bytes; false where one of them has no parts.
    bool run(codegen::span<streamed_reduction> all, std::int64_t bytes) {
        const device_scope on(where_);
        const codegen::sequence<range> parts = parts_of(all, bytes);
        for (streamed_reduction& r : all)
            if (!r.begin(reader_, parts)) return false;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            codegen::sequence<handle> values;
            for (streamed_reduction& r : all) r.record_part(reader_, i, parts[i], values);
            reader_.read_ahead();
            if (!values.empty()) evaluate(values, runtime::policy::only);
            for (streamed_reduction& r : all) r.keep_part();
        }
        // A pass that fails is repeated, so that none is finished before all are stored.
        for (streamed_reduction& r : all) r.store_result();
        for (streamed_reduction& r : all) r.finish();
        return true;
    }

private:
    std::int64_t bytes_moved(const streamed_reduction& r) const {
        return std::max(reader_.bytes_behind(r.operand()), r.operand().bytes());
    }
    codegen::sequence<range> parts_of(codegen::span<const streamed_reduction> all, std::int64_t bytes) const {
        std::int64_t unit = 1, least = 1, each = all[0].length();
        for (const streamed_reduction& r : all) {
            least = std::max(least, reader_.elements_for_scans(r.operand(), r.length()));
            unit = std::max({unit, least, r.elements_of_blocks()});
            each = std::min(each, elements_in_bytes(r.length(), bytes_moved(r), bytes));
        }
        if (each > unit) each -= each % unit;
        else if (least > 1) each = least;
        codegen::sequence<range> parts;
        for (std::int64_t at = 0; at < all[0].length(); at += each)
            parts.push_back({at, std::min(at + each, all[0].length())});
        return parts;
    }

    device where_;
    absent_reader reader_;
};

namespace streaming {

/// The reductions of too large operands that need no other one first, of one length and device; none of `refused`.
SINTER_INLINE codegen::sequence<streamed_reduction> next_group(codegen::span<runtime::value* const> roots,
                                                               const codegen::sequence<runtime::value*>& refused) {
    codegen::sequence<runtime::value*> order, waiting;
    for (runtime::value* root : roots) add_pending_behind(root, order);
    codegen::sequence<streamed_reduction> group;
    auto contains = [](const auto& list, const runtime::value* v) {
        return codegen::find(list.begin(), list.end(), v) != list.end();
    };
    for (runtime::value* v : order) {
        bool waits = contains(refused, v);
        for (const runtime::value* input : v->pending->inputs) waits = waits || contains(waiting, input);
        const bool is_large =
            !waits && v->pending->kind == runtime::statement_kind::reduce && absent_reader(v->where, true).is_for(*v);
        if (waits || is_large) waiting.push_back(v);
        if (!is_large) continue;
        streamed_reduction r(v);
        if (r.operand().bytes() == 0) continue;
        if (group.empty() || (group[0].operand().where == v->where && group[0].length() == r.length()))
            group.push_back(std::move(r));
    }
    return group;
}

/// Computes reductions in one pass; where memory does not suffice by smaller parts, and then fewer of them at a time.
/// False where one of them has no parts.
SINTER_INLINE bool run_pass(codegen::sequence<streamed_reduction>& group) {
    const device where = group[0].operand().where;
    const std::int64_t least = std::max<std::int64_t>(1, bytes_of_part(where) / 16);
    for (std::int64_t bytes = bytes_of_part(where);;) {
        try {
            return streaming_pass(where).run(group, bytes);
        } catch (const out_of_memory& e) {
            if (bytes <= least && group.size() == 1) runtime::throw_needs_parts(e);
        }
        if (bytes <= least) group.erase(group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2), group.end());
        else bytes = bytes / 4;
    }
}

}  // namespace streaming

SINTER_INLINE void stream_reductions(codegen::span<runtime::value* const> roots) {
    codegen::sequence<runtime::value*> refused;
    for (;;) {
        codegen::sequence<streamed_reduction> group = streaming::next_group(roots, refused);
        if (group.empty()) return;
        if (streaming::run_pass(group)) continue;
        for (const streamed_reduction& r : group) refused.push_back(r.result());
    }
}

}  // namespace sinter::inline SINTER_ABI::detail
