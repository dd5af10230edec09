// Bodies of turn_repetition.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <sinter/codegen/base/search.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/execute/replay.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/steps/turn_repetition.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/runtime/memory/stream_work.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void turn_repetition::begin(codegen::span<const handle> state, std::int64_t most) {
    old_.clear();
    for (const handle& h : state) old_.push_back(h.get());
    most_ = most;
    repeated_ = 0;
    ++turns_;
}

SINTER_INLINE void turn_repetition::close(codegen::span<const handle> state, const handle* condition,
                                          std::int64_t times) {
    state_ = state;
    condition_ = condition;
    handed_on_.clear();
    for (const handle& h : state)
        if (h.get() && h->is_stored() && h->handles() == times * times_of(*h)) handed_on_.push_back(h.get());
}

/// A row-major array in memory.
struct array_place {
    void* data;
    std::size_t bytes;
};

SINTER_INLINE std::optional<array_place> place_of_stored(const value& v) {
    if (!is_whole(v)) return {};
    return array_place{v.memory->data, static_cast<std::size_t>(v.bytes())};
}

// Where a plan has left one of its program's roots.
SINTER_INLINE std::optional<array_place> place_of_root(const program& p, const prepared_plan& r, const value& v) {
    for (std::size_t i = 0; i < p.roots.size(); ++i) {
        if (p.roots[i] != &v) continue;
        const codegen::layout& at = r.plan.roots[i].at;
        if (at.shape != v.shape || !codegen::is_contiguous(at)) return {};
        return array_place{p.data[r.roots[i].block], static_cast<std::size_t>(v.bytes())};
    }
    return {};
}

// How often the turn's results hold a value.
SINTER_INLINE std::int64_t turn_repetition::times_of(const value& v) const {
    return codegen::count_if(state_.begin(), state_.end(), [&](const handle& h) { return h.get() == &v; });
}

SINTER_INLINE bool turn_repetition::is_handed_on(const value& v) const {
    return codegen::find(handed_on_.begin(), handed_on_.end(), &v) != handed_on_.end();
}

// Whether nothing but the turn and its results holds the memory of what it reads.
SINTER_INLINE bool turn_repetition::is_own(const program& p, const value& v) const {
    const buffer& b = *v.memory;
    if (b.imported || b.exported) return false;
    std::int64_t holders = 0;
    for (const value* other : p.order) {
        if (other->memory.get() != &b || other->pending) continue;
        const program::facts& f = p.known[other->number];
        if (other->handles() != 0 && !is_handed_on(*other)) return false;
        if (other->references() - other->handles() != f.edges) return false;
        ++holders;
    }
    return b.references.load() == holders;
}

// Puts copies in an order in which none writes what a later one reads; false where there is none.
SINTER_INLINE bool put_in_order(codegen::sequence<repeated_copy>& copies) {
    codegen::sequence<repeated_copy> left = std::move(copies);
    copies = {};
    while (!left.empty()) {
        auto is_read = [&](const repeated_copy& c) {
            return codegen::any_of(left.begin(), left.end(),
                                   [&](const repeated_copy& other) { return other.from == c.to; });
        };
        const auto next =
            codegen::find_if(left.begin(), left.end(), [&](const repeated_copy& c) { return !is_read(c); });
        if (next == left.end()) return false;
        copies.push_back(*next);
        left.erase(next);
    }
    return true;
}

// What makes the results of a turn the operands of the next one.
SINTER_INLINE bool turn_repetition::find_copies(const program& p, const prepared_plan& r, repetition& how) const {
    for (std::size_t i = 0; i < state_.size(); ++i) {
        const auto read = codegen::find_if(p.order.begin(), p.order.end(),
                                           [&](const value* v) { return v == old_[i] && !v->pending; });
        const value* const now = state_[i].get();
        const bool is_stored = now && !now->pending;
        if (read == p.order.end()) {
            // What is handed on, and not read, would have to be known as well.
            if (is_stored) return false;
            continue;
        }
        if (*read == now) continue;
        const std::optional<array_place> to = place_of_stored(**read),
                                         from = is_stored ? place_of_stored(*now) : place_of_root(p, r, *now);
        if (!to || !from || to->bytes != from->bytes || !is_own(p, **read)) return false;
        if (is_stored && codegen::find(old_.begin(), old_.end(), now) == old_.end())
            return false;  // each turn the same
        const repeated_copy copy{to->data, from->data, to->bytes};
        if (copy.to == copy.from || codegen::find(how.copies.begin(), how.copies.end(), copy) != how.copies.end())
            continue;
        for (const repeated_copy& other : how.copies)
            if (other.to == copy.to) return false;
        how.copies.push_back(copy);
    }
    return put_in_order(how.copies);
}

SINTER_INLINE void turn_repetition::repeat(program& p, const prepared_plan& r, stream_work& order) {
    // Recording a loop takes as long as some turns, which a loop that was recorded before is spared. A GPU takes 3.5 us
    // to go round, and 0.5 to 0.7 for each launch.
    constexpr std::int64_t first = 4, most_times = 4096, counted_at_once = 8;
    const std::int64_t at_once = condition_ ? 1 : counted_at_once;
    if (most_ < at_once || (turns_ < first && r.loops.empty()) || !is_repeatable(r)) return;
    for (const prepared_kernel& k : r.kernels)
        if (!k.kernel->indexed.empty()) return;
    for (const buffer* b : p.inputs)
        if (b->unchecked) return;
    repetition how;
    how.at_once = static_cast<std::uint32_t>(at_once);
    if (condition_) {
        const value* const go = condition_->get();
        const std::optional<array_place> at = go->pending ? place_of_root(p, r, *go) : std::nullopt;
        if (!at) return;
        how.condition = at->data;
    }
    if (!find_copies(p, r, how)) return;
    for (buffer* b : p.inputs)
        for (const repeated_copy& c : how.copies)
            if (c.to == b->data) order.writes(*b);
    const std::int64_t times = std::min(most_ / how.at_once, most_times);
    if (!runtime::repeat(r, p.data, how, static_cast<std::uint32_t>(times), p.fresh)) return;
    repeated_ = times * at_once;
    if (!condition_) count_step_replayed(repeated_);
}

}  // namespace sinter::inline SINTER_ABI::runtime
