// Bodies of value.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/runtime/base/fork.hpp>
#include <sinter/runtime/base/functions.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>
#include <sinter/runtime/lazy/flush.hpp>
#include <sinter/runtime/base/process/call_place.hpp>
#include <sinter/runtime/lazy/label.hpp>
#include <sinter/runtime/lazy/steps/step_record.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/runtime/library/libraries.hpp>

#include <algorithm>
#include <mutex>
#include <type_traits>
#include <utility>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void postponing_mutex::call_outside(postponed_call& c) noexcept {
    if (!mutex_.is_mine()) return c.run(&c);
    c.next = nullptr;
    (first_ ? last_->next : first_) = &c;
    last_ = &c;
}

SINTER_INLINE void postponing_mutex::unlock_and_call() noexcept {
    postponed_call* c = std::exchange(first_, nullptr);
    mutex_.unlock();
    while (c) {
        postponed_call* next = c->next;
        c->run(c);
        c = next;
    }
}

SINTER_INLINE postponing_mutex& runtime_lock() {
    static_assert(std::is_trivially_destructible_v<postponing_mutex>);  // objects that outlive it may need it
    static constinit postponing_mutex m;
    return m;
}

// A fork in the middle of another thread's work would leave that locked in the child for ever.
SINTER_INLINE void let_work_survive_forks() {
    constexpr auto lock = [] { runtime_lock().lock(); };
    constexpr auto unlock = [] { runtime_lock().unlock(); };
    static const bool registered = handle_forks(fork_order::work, {lock, unlock, unlock});
    static_cast<void>(registered);
}

/// A thread's queue: values may outlive their thread, so a later thread goes on with the queue and what is left in it.
struct queue_lease {
    pending_queue* queue = nullptr;

    static inline constinit pending_queue* idle = nullptr;  ///< guarded by the lock
    queue_lease() {
        let_work_survive_forks();
        std::lock_guard lock(runtime_lock());
        if (!idle) idle = new pending_queue;
        queue = std::exchange(idle, idle->next_idle);
    }
    ~queue_lease() {
        std::lock_guard lock(runtime_lock());
        queue->next_idle = std::exchange(idle, queue);
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

SINTER_INLINE std::size_t words_of(const statement& s) { return s.form ? s.form->codes.size() + 1 : 1; }

SINTER_INLINE void unlink_pending(value& v) {
    if (!v.queue) return;
    (v.previous ? v.previous->next : v.queue->first) = v.next;
    (v.next ? v.next->previous : v.queue->last) = v.previous;
    --v.queue->count;
    v.queue->nodes -= words_of(*v.pending);
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
    q.nodes += words_of(*v.pending);
}

// Views share the memory of what they are views of: it counts once, and not while anything else holds it; `going` of
// its references are about to go.
SINTER_INLINE void count_kept_alive(buffer& b, std::int64_t going) {
    const bool kept = b.unnamed > 0 && b.unnamed == b.references.load(std::memory_order_relaxed) - going;
    if (kept == b.kept_alive) return;
    b.kept_alive = kept;
    bytes_kept_alive() += kept ? static_cast<std::int64_t>(b.bytes) : -static_cast<std::int64_t>(b.bytes);
}

SINTER_INLINE void note_kept_alive(value& v) {
    if (v.kept_alive || !v.memory) return;
    v.kept_alive = true;
    ++v.memory->unnamed;
    count_kept_alive(*v.memory, 0);
}

// The value is about to be freed: what others view of its memory may be all that is left of it.
SINTER_INLINE void give_up_memory(const value& v) {
    if (!v.memory) return;
    if (v.kept_alive) --v.memory->unnamed;
    if (v.kept_alive || v.memory->unnamed > 0) count_kept_alive(*v.memory, 1);
}

/// Statements that are done with keep their lists' memory for the next ones; there is room for all that are kept,
/// because who is done with one cannot fail.
inline constexpr std::size_t most_idle_statements = 256;
SINTER_INLINE codegen::sequence<codegen::owner<statement>>& idle_statements() {
    static auto& idle = []() -> auto& {
        auto room = codegen::owner(new codegen::sequence<codegen::owner<statement>>());
        room->reserve(most_idle_statements);
        return *room.release();
    }();
    return idle;
}

SINTER_INLINE codegen::owner<statement> take_statement() {
    auto& idle = idle_statements();
    if (idle.empty()) return codegen::owner(new statement());
    codegen::owner<statement> s = std::move(idle.back());
    idle.pop_back();
    return s;
}

SINTER_INLINE void give_back(codegen::owner<statement> s) {
    auto& idle = idle_statements();
    if (idle.size() >= most_idle_statements) return;
    s->form = nullptr;
    s->loop = nullptr;
    s->inputs.clear();
    s->scalars.clear();
    idle.push_back(std::move(s));
}

// Whether nothing holds the value any more; the caller gives up one reference, or a handle.
SINTER_INLINE bool drop_count(value& v, std::uint64_t which) {
    // Who holds the only reference needs no atomic subtraction: nobody else can be copying it.
    if (v.counts.load(std::memory_order_acquire) == which) return true;
    return static_cast<std::uint32_t>(v.counts.fetch_sub(which, std::memory_order_acq_rel)) == 1;
}

// Takes a value out of its queue and puts it before others that are to be freed.
SINTER_INLINE void link_dead(value*& first, value* v) {
    unlink_pending(*v);
    v->next = first;
    first = v;
}

// Frees values without recursion, since a chain of a million pending values is one loop, and without memory.
SINTER_INLINE void destroy_values(value* last) {
    value* dead = nullptr;
    for (link_dead(dead, last); dead;) {
        value* const v = dead;
        dead = v->next;
        if (v->pending) {
            for (value* input : v->pending->inputs)
                if (drop_count(*input, value::one_reference)) link_dead(dead, input);
            give_back(std::move(v->pending));
        }
        give_up_memory(*v);
        delete v;
    }
}

SINTER_INLINE void let_go(value* v) noexcept {
    std::lock_guard lock(runtime_lock());
    if (drop_count(*v, value::one_reference)) destroy_values(v);
}

SINTER_INLINE void handle::release_handle(value* v) noexcept {
    std::uint64_t now = v->counts.load(std::memory_order_acquire);
    // While other handles remain, nothing else changes; the first comparison is left to who may be the last one.
    while (now >> 32 > 1)
        if (v->counts.compare_exchange_weak(now, now - value::one_handle, std::memory_order_acq_rel)) return;
    std::lock_guard lock(runtime_lock());
    now = v->counts.load(std::memory_order_acquire);
    // Without other handles nobody copies one, and references change under the lock only.
    if (now >> 32 == 1) v->counts.store(now -= value::one_handle, std::memory_order_release);
    else now = v->counts.fetch_sub(value::one_handle, std::memory_order_acq_rel) - value::one_handle;
    if (now == 0) destroy_values(v);
    else if (now >> 32 == 0 && v->is_stored()) note_kept_alive(*v);
}

// Every value passes here, so that sizes and byte counts fit in 64 bits everywhere else.
SINTER_INLINE void check_shape(dtype type, const dims& shape) {
    codegen::require_sizes("shape", shape);
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(shape.product(), static_cast<std::int64_t>(codegen::size_of(type)), &bytes))
        throw shape_error(
            codegen::joined({"[shape] too many bytes for an array of ", to_string(type), ": ", to_string(shape)}));
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
    if (s.is_expensive()) return 0;
    if (s.kind != statement_kind::expression && s.kind != statement_kind::index && s.kind != statement_kind::view)
        return 0;
    std::size_t words = words_of(s);
    for (const value* input : s.inputs) {
        if (!input->pending || input->symbolic == 0) return 0;
        words += input->symbolic;
    }
    return words <= value::most_symbolic ? static_cast<std::uint16_t>(words) : 0;
}

SINTER_INLINE std::uint64_t hash_of(const codegen::sequence<code>& codes) {
    std::uint64_t h = codes.size(), pair = 0;
    std::size_t i = 0;
    for (; i + 2 <= codes.size(); i += 2) {
        std::memcpy(&pair, &codes[i], sizeof pair);
        h = codegen::mix_hash(h, pair);
    }
    if (i == codes.size()) return h;
    pair = 0;
    std::memcpy(&pair, &codes[i], sizeof(code));
    return codegen::mix_hash(h, pair);
}

struct form_table {
    codegen::sequence<expression_form*> forms;
    codegen::number_map first;  ///< form of a hash, into the forms
    std::uint32_t next_number = 0;

    static form_table& the() {
        static form_table& t = *new form_table;
        return t;
    }
    void add(expression_form* form) {
        const auto fresh = static_cast<std::uint32_t>(forms.size());
        forms.make_room();
        const std::uint32_t head = first.add(form->hash, fresh);
        forms.push_back(form);
        form->next = codegen::number_map::none;
        if (head == fresh) return;
        form->next = forms[head]->next;
        forms[head]->next = fresh;
    }
};

SINTER_INLINE const expression_form& form_of(const codegen::sequence<code>& codes) {
    form_table& t = form_table::the();
    const std::uint64_t h = hash_of(codes);
    for (std::uint32_t i = t.first.find(h); i != codegen::number_map::none; i = t.forms[i]->next)
        if (t.forms[i]->codes.size() == codes.size() &&
            std::memcmp(t.forms[i]->codes.data(), codes.data(), codes.size() * sizeof(code)) == 0)
            return *t.forms[i];
    auto form = codegen::owner(new expression_form());
    form->codes = codes;
    form->hash = h;
    form->number = t.next_number++;
    for (const code& c : codes) {
        form->has_power |= c.kind == code::what::apply && static_cast<codegen::op>(c.detail) == codegen::op::power;
        form->is_expensive |=
            c.kind == code::what::invoke && invocation_of(c.number).function->cost >= codegen::expensive_function;
    }
    form->is_component = codes.back().kind == code::what::invoke && invocation_of(codes.back().number).is_bundle;
    t.add(form.get());
    return *form.release();
}

SINTER_INLINE void forget_forms(std::uint64_t last_run) {
    codegen::sequence<expression_form*> all;
    form_table& t = form_table::the();
    // Nothing behind this takes memory.
    all.reserve(t.forms.size());
    all.swap(t.forms);
    t.first.clear();
    for (expression_form* form : all) {
        hot_plan* const end = std::remove_if(form->recent.begin(), form->recent.end(),
                                             [&](const hot_plan& h) { return h.plan->last_run <= last_run; });
        form->recent.erase(end, form->recent.end());
        if (form->uses == 0 && form->recent.empty()) delete form;
        else t.add(form);
    }
}

// The lock is held.
SINTER_INLINE handle make_pending(dtype type, const dims& shape, device where, codegen::owner<statement> s) {
    check_shape(type, shape);
    value* v = new value;
    handle h(v);
    v->type = type;
    v->shape = shape;
    v->where = where;
    v->pending = std::move(s);
    for (value* input : v->pending->inputs) hold(input);
    v->symbolic = symbolic_size(*v->pending);
    v->label = this_label;
    if (places_are_kept.load(std::memory_order_relaxed)) v->place = this_place();
    // Integers are multiplied by kernels.
    const bool opens = v->pending->kind == statement_kind::call && where.is_cuda() &&
                       (codegen::kind_rank(v->type) > 1 || !codegen::is_product(v->pending->call.what));
    if (opens) open_in_background(v->pending->call.what);
    if (!v->symbolic) {
        before_recording(*v);
        link_pending(*v, this_queue());
        if (imports_exist().load(std::memory_order_relaxed)) run_imported(*v);
    }
    note_statement(*v);
    return h;
}

SINTER_INLINE handle make_pending(dtype type, const dims& shape, device where, statement&& s) {
    std::lock_guard lock(runtime_lock());
    if (handle known = known_statement(type, shape, where, s)) return known;
    codegen::owner<statement> own = take_statement();
    std::swap(*own, s);
    return make_pending(type, shape, where, std::move(own));
}

SINTER_INLINE handle make_pending(statement_kind kind, dtype type, const dims& shape, device where,
                                  codegen::span<value* const> inputs, const codegen::layout& at) {
    if (handle known = known_statement(kind, type, shape, where, inputs, at)) return known;
    codegen::owner<statement> own = take_statement();
    own->kind = kind;
    own->inputs.append(inputs.begin(), inputs.end());
    own->where = at;
    return make_pending(type, shape, where, std::move(own));
}

SINTER_INLINE handle make_pending(dtype type, const dims& shape, device where, const codegen::sequence<code>& codes,
                                  const codegen::sequence<value*>& inputs,
                                  const codegen::sequence<codegen::scalar_value>& scalars) {
    std::lock_guard lock(runtime_lock());
    if (handle known = known_statement(type, shape, where, codes, inputs, scalars)) return known;
    codegen::owner<statement> own = take_statement();
    own->kind = statement_kind::expression;
    own->form = &form_of(codes);
    own->inputs.append(inputs.begin(), inputs.end());
    own->scalars.append(scalars.begin(), scalars.end());
    return make_pending(type, shape, where, std::move(own));
}

SINTER_INLINE void drop_statement(value& v) {
    unlink_pending(v);
    codegen::owner<statement> s = std::move(v.pending);
    for (value* input : s->inputs)
        if (drop_count(*input, value::one_reference)) destroy_values(input);
    give_back(std::move(s));
}

SINTER_INLINE void materialise(value& v) {
    drop_statement(v);
    if (v.handles() == 0) note_kept_alive(v);
    else if (v.memory && v.memory->unnamed > 0) count_kept_alive(*v.memory, 0);
}

SINTER_INLINE void materialise(value& v, buffer_ref memory, const codegen::layout& at) {
    v.memory = std::move(memory);
    v.at = at;
    materialise(v);
}

SINTER_INLINE void fail(value& v, std::exception_ptr why) {
    v.failure = std::move(why);
    drop_statement(v);
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END
