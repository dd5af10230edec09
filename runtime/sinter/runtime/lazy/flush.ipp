// Bodies of flush.hpp.
#pragma once

#include <sinter/runtime/execute/replay.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/runtime/lazy/flush.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void flush(pending_queue& q) {
    q.flushed = true;
    q.turn = {};
    // Whoever lets go of one of them meanwhile waits for the lock before it is freed.
    codegen::sequence<value*> roots;
    for (value* v = q.first; v; v = v->next)
        if (v->handles() > 0) roots.push_back(v);
    try {
        if (!roots.empty()) evaluate(roots, policy::unasked);
    } catch (const error&) {
        // It is thrown where a value that it belongs to is read; the others are computed.
        for (value* r : roots) try {
                evaluate({&r, 1}, policy::unasked);
            } catch (const error&) {
            }
    }
}

SINTER_INLINE std::uint64_t signature_of(const value& v, const pending_queue& q) {
    const statement& s = *v.pending;
    std::uint64_t h = static_cast<std::uint64_t>(s.kind) * 31 + static_cast<std::uint64_t>(v.type);
    if (s.form) h = codegen::mix_hash(h, s.form->hash);
    // A statement that is used again keeps what its kind has no use for.
    if (s.kind == statement_kind::reduce || s.kind == statement_kind::scan)
        h = codegen::mix_hash(h, static_cast<std::uint64_t>(s.reduce.how) << 8 | s.reduce.axes);
    if (s.kind == statement_kind::call) h = codegen::mix_hash(h, s.call.packed());
    // How far back an input was recorded is what repeats in a loop; what is older than any loop body, or than the last
    // read, is a constant.
    for (const value* input : s.inputs) {
        std::uint64_t back = input->sequence >= q.last_read && input->sequence ? q.next_sequence - input->sequence : 0;
        h = codegen::mix_hash(h, back < 64 ? back : 0);
    }
    return h;
}

// The rolling hash of the last statements' signatures: equal at equal places of a loop's body, whatever repeats inside
// it.
SINTER_INLINE std::uint64_t push_signature(pending_queue& q, std::uint64_t signature) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ull;
    constexpr std::uint64_t oldest_factor = [] {
        std::uint64_t power = 1;
        for (int i = 0; i < pending_queue::window; ++i) power *= factor;
        return power;
    }();
    std::uint64_t& slot = q.signatures[q.next_sequence % pending_queue::window];
    const bool counts = q.next_sequence - q.last_read >= pending_queue::window;
    q.rolling = q.rolling * factor + signature - (counts ? slot * oldest_factor : 0);
    slot = signature;
    return q.rolling;
}

// After how many statements a loop has come to the same place again; 0 when it has not, or too few are pending to tell.
SINTER_INLINE std::uint64_t turn_length(const pending_queue& q, std::uint64_t context) {
    if (q.count < 64) return 0;
    bool repeats = false;
    for (const value* v = q.first; v && !repeats && q.next_sequence - v->sequence >= 32; v = v->next)
        repeats = v->context == context;
    for (const value* v = q.last; v && repeats; v = v->previous)
        if (v->context == context) return q.next_sequence - v->sequence;
    return 0;
}

// What a flush would store: in the middle of a loop's body that is also what only the rest of it reads.
SINTER_INLINE std::int64_t bytes_alive(const pending_queue& q) {
    std::int64_t bytes = 0;
    for (const value* v = q.first; v; v = v->next)
        if (v->handles() > 0) bytes += v->bytes();
    return bytes;
}

// Whether to flush here because a loop has come round: where it was flushed before, else at the best place of its body.
SINTER_INLINE bool comes_round(pending_queue& q, std::uint64_t context) {
    constexpr std::uint64_t longest_turn = 64;
    if (q.count >= 32 && q.first->context == context) return true;
    const std::uint64_t length = turn_length(q, context);
    if (length == 0 || length > longest_turn) return length > 0;
    const std::int64_t alive = bytes_alive(q);
    if (q.turn.end == 0) q.turn = {q.next_sequence + length, context, alive};
    else if (alive < q.turn.alive) q.turn = {q.turn.end, context, alive};
    return q.next_sequence >= q.turn.end && context == q.turn.context;
}

SINTER_INLINE void before_recording(value& next) {
    pending_queue& q = this_queue();
    next.context = push_signature(q, signature_of(next, q));
    // What a loop's recording makes never runs: nor is it looked at again and again while it becomes long.
    if (q.traces) return;
    bool kept = q.count > 0 && bytes_kept_alive().load() > pool_capacity(next.where) / 8;
    // A step is planned as a whole: how often its own loops come round is the same each time.
    bool round = !this_step() && comes_round(q, next.context);
    if (!round && q.count < 256 && q.nodes < 4096 && !kept) return;
    if (!this_step()) return flush(q);
    replay_scope replayed;
    flush(q);
}

SINTER_INLINE bool lacks_elements(value& v) {
    const std::uint64_t serial = new_serial();
    codegen::sequence<value*> behind{&v};
    while (!behind.empty()) {
        value* const next = behind.back();
        behind.pop_back();
        if (next->failure) return true;
        if (!next->pending || next->seen_by == serial) continue;
        next->seen_by = serial;
        behind.append(next->pending->inputs.begin(), next->pending->inputs.end());
    }
    return false;
}

SINTER_INLINE void run_imported(value& recorded) {
    bool reads_imported = false;
    for (const value* input : recorded.pending->inputs)
        reads_imported = reads_imported || (input->memory && input->memory->imported);
    if (!reads_imported || lacks_elements(recorded)) return;
    value* root = &recorded;
    try {
        evaluate({&root, 1}, policy::unasked);
    } catch (const data_error&) {
        return;  // thrown where the value is read
    }
    host_synchronize(recorded.where);
}

}  // namespace sinter::inline SINTER_ABI::runtime
