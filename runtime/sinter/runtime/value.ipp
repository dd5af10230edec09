// Bodies of value.hpp.
#pragma once

#include <sinter/runtime/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE std::recursive_mutex& runtime_lock() {
    static std::recursive_mutex& m = *new std::recursive_mutex;
    return m;
}

/// A thread's queue: values may outlive their thread, so a later thread goes on with the queue and what is left in it.
struct queue_lease {
    pending_queue* queue = nullptr;

    static codegen::sequence<pending_queue*>& idle() {
        static codegen::sequence<pending_queue*>& q = *new codegen::sequence<pending_queue*>;
        return q;
    }
    queue_lease() {
        std::lock_guard lock(runtime_lock());
        if (idle().empty()) idle().push_back(new pending_queue);
        queue = idle().back();
        idle().pop_back();
    }
    ~queue_lease() {
        std::lock_guard lock(runtime_lock());
        idle().push_back(queue);
    }
};

SINTER_INLINE pending_queue& this_queue() {
    static thread_local queue_lease lease;
    return *lease.queue;
}

SINTER_INLINE std::atomic<std::int64_t>& bytes_kept_alive() {
    static std::atomic<std::int64_t>& n = *new std::atomic<std::int64_t>(0);
    return n;
}

SINTER_INLINE void unlink_pending(value& v) {
    if (!v.queue) return;
    (v.previous ? v.previous->next : v.queue->first) = v.next;
    (v.next ? v.next->previous : v.queue->last) = v.previous;
    --v.queue->count;
    v.queue->nodes -= v.pending->codes.size() + 1;
    v.queue = nullptr;
    v.previous = v.next = nullptr;
}

SINTER_INLINE void link_pending(value& v, pending_queue& q) {
    v.queue = &q;
    v.sequence = q.next_sequence++;
    v.previous = q.last;
    (q.last ? q.last->next : q.first) = &v;
    q.last = &v;
    ++q.count;
    q.nodes += v.pending->codes.size() + 1;
}

SINTER_INLINE void note_kept_alive(value& v, bool kept) {
    if (v.kept_alive == kept) return;
    v.kept_alive = kept;
    bytes_kept_alive() += kept ? v.bytes() : -v.bytes();
}

// Frees values without recursion: a chain of a million pending values is one loop.
SINTER_INLINE void destroy_values(codegen::sequence<value*> dead) {
    while (!dead.empty()) {
        value* v = dead.back();
        dead.pop_back();
        if (v->pending) {
            unlink_pending(*v);
            for (value* input : v->pending->inputs) {
                if (input->references.fetch_sub(1, std::memory_order_acq_rel) == 1) dead.push_back(input);
            }
        }
        note_kept_alive(*v, false);
        delete v;
    }
}

SINTER_INLINE void hold(value* v) noexcept { v->references.fetch_add(1, std::memory_order_relaxed); }

SINTER_INLINE void let_go(value* v) noexcept {
    if (v->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    std::lock_guard lock(runtime_lock());
    destroy_values({v});
}

SINTER_INLINE handle::handle(value* v) noexcept : value_(v) {
    if (!v) return;
    v->references.fetch_add(1, std::memory_order_relaxed);
    v->handles.fetch_add(1, std::memory_order_relaxed);
}

SINTER_INLINE void handle::release() noexcept {
    value* v = std::exchange(value_, nullptr);
    if (v->handles.fetch_sub(1, std::memory_order_acq_rel) == 1 && v->references.load(std::memory_order_acquire) > 1) {
        std::lock_guard lock(runtime_lock());
        if (v->is_stored() && v->handles.load() == 0) note_kept_alive(*v, true);
        if (v->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_values({v});
        return;
    }
    let_go(v);
}

// Every value passes here, so that sizes and byte counts fit in 64 bits everywhere else.
SINTER_INLINE void check_shape(dtype type, const dims& shape) {
    for (std::int64_t n : shape)
        if (n < 0) throw shape_error("[shape] a size is negative: " + to_string(shape));
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(shape.product(), static_cast<std::int64_t>(codegen::size_of(type)), &bytes))
        throw shape_error("[shape] too many bytes for an array of " + std::string(to_string(type)) + ": " + to_string(shape));
}

SINTER_INLINE handle make_stored(dtype type, const dims& shape, buffer_ref memory, const codegen::layout& at) {
    check_shape(type, shape);
    value* v = new value;
    v->type = type;
    v->shape = shape;
    v->where = memory->where;
    v->memory = std::move(memory);
    v->at = at;
    return handle(v);
}

SINTER_INLINE std::uint16_t symbolic_size(const statement& s) {
    if (s.kind != statement_kind::expression && s.kind != statement_kind::index && s.kind != statement_kind::view) return 0;
    std::size_t words = s.codes.size() + 1;
    for (const value* input : s.inputs) {
        if (!input->pending || input->symbolic == 0) return 0;
        words += input->symbolic;
    }
    return words <= value::most_symbolic ? static_cast<std::uint16_t>(words) : 0;
}

SINTER_INLINE handle make_pending(dtype type, const dims& shape, device where, statement s) {
    check_shape(type, shape);
    auto v = std::make_unique<value>();
    v->type = type;
    v->shape = shape;
    v->where = where;
    std::lock_guard lock(runtime_lock());
    v->pending = std::make_unique<statement>(std::move(s));
    for (value* input : v->pending->inputs) hold(input);
    handle h(v.release());
    h->symbolic = symbolic_size(*h->pending);
    if (h->symbolic) return h;
    before_recording(*h);
    link_pending(*h, this_queue());
    return h;
}

SINTER_INLINE void drop_statement(value& v) {
    unlink_pending(v);
    std::unique_ptr<statement> s = std::move(v.pending);
    codegen::sequence<value*> dead;
    for (value* input : s->inputs)
        if (input->references.fetch_sub(1, std::memory_order_acq_rel) == 1) dead.push_back(input);
    destroy_values(std::move(dead));
}

SINTER_INLINE void settle(value& v, buffer_ref memory, const codegen::layout& at) {
    v.memory = std::move(memory);
    v.at = at;
    drop_statement(v);
    if (v.handles.load() == 0) note_kept_alive(v, true);
}

SINTER_INLINE void fail(value& v, std::exception_ptr why) {
    v.failure = std::move(why);
    drop_statement(v);
}

}  // namespace sinter::inline SINTER_ABI::runtime
