// Bodies of trace.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/rewrite/simplify.hpp>
#include <sinter/runtime/lazy/lower_words.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/report/trace.hpp>

namespace sinter::inline SINTER_ABI::runtime {

inline constexpr codegen::node_id no_traced_node = ~codegen::node_id{0};

SINTER_INLINE loop_trace::loop_trace(const char* name) : name_(name) {
    std::lock_guard lock(runtime_lock());
    pending_queue& q = this_queue();
    ++q.traces;
    begin_ = q.next_sequence;
}

SINTER_INLINE loop_trace::~loop_trace() {
    std::lock_guard lock(runtime_lock());
    --this_queue().traces;
}

SINTER_INLINE handle loop_trace::add_state(dtype type, const dims& shape, device where) {
    auto* v = new value;
    handle h(v);
    v->type = type;
    v->shape = shape;
    v->where = where;
    v->at = codegen::contiguous(shape);
    v->failure = std::make_exception_ptr(
        type_error("[" + std::string(name_) +
                   "] the state was read while the loop was recorded: in a condition and a body it has no value yet"));
    loop_.turn.add_input(static_cast<std::uint32_t>(states_.size()), type, {});
    loop_.inputs.push_back(type);
    states_.push_back(h);
    return h;
}

SINTER_INLINE bool loop_trace::depends_on_state(value* v) {
    for (const handle& s : states_)
        if (s.get() == v) return true;
    if (!v->pending) return false;
    for (const seen& s : seen_)
        if (s.v == v) return s.depends;
    bool depends = false;
    for (value* input : v->pending->inputs) depends = depends || depends_on_state(input);
    seen_.push_back({v, depends, no_traced_node});
    return depends;
}

SINTER_INLINE codegen::node_id loop_trace::add_constant(constant c, dtype type) {
    auto slot = static_cast<std::uint32_t>(loop_.inputs.size());
    constants_.push_back(std::move(c));
    loop_.inputs.push_back(type);
    return loop_.turn.add_input(slot, type, {});
}

// Whether each element is computed from those at its place.
SINTER_INLINE bool is_elementwise(const statement& s) {
    if (s.kind != statement_kind::expression) return false;
    return std::none_of(s.form->codes.begin(), s.form->codes.end(), [](const code& c) {
        return c.kind == code::what::invoke && !invocation_of(c.number).ranks.empty();
    });
}

SINTER_INLINE bool loop_trace::is_elementwise(const handle& condition, std::span<const handle> next) {
    std::lock_guard lock(runtime_lock());
    const std::uint64_t serial = new_serial();
    codegen::sequence<value*> behind{condition.get()};
    for (const handle& h : next) behind.push_back(h.get());
    while (!behind.empty()) {
        value* const v = behind.back();
        behind.pop_back();
        if (!v->pending || v->seen_by == serial) continue;
        v->seen_by = serial;
        if (!depends_on_state(v)) continue;
        if (!runtime::is_elementwise(*v->pending)) return false;
        behind.append(v->pending->inputs.begin(), v->pending->inputs.end());
    }
    return true;
}

SINTER_INLINE recorded_turn loop_trace::turn(std::span<const handle> results) const {
    return recorded_turn({states_.data(), states_.size()}, results);
}

SINTER_INLINE void loop_trace::require_nothing_kept() {
    std::lock_guard lock(runtime_lock());
    seen_.clear();  // some of it may be gone
    for (value* v = this_queue().last; v && v->sequence >= begin_; v = v->previous)
        if (v->handles() > 0 && depends_on_state(v))
            throw type_error("[" + std::string(name_) + "] a condition or a body keeps a value of shape " +
                             to_string(v->shape) +
                             " outside that depends on the state: return it as a part of the state");
}

SINTER_INLINE codegen::node_id loop_trace::lower(const value& v) {
    const statement& s = *v.pending;
    const codegen::sequence<code>& words = s.form->codes;
    auto input = [&](std::uint16_t number) { return node_of(s.inputs[number]); };
    auto scalar = [&](std::size_t at) {
        const codegen::scalar_value& number = s.scalars[words[at].number];
        // An exponent is part of the program.
        bool exponent = at + 1 < words.size() && words[at + 1].kind == code::what::apply &&
                        static_cast<codegen::op>(words[at + 1].detail) == codegen::op::power;
        return exponent ? loop_.turn.add_literal(number) : add_constant({{}, number}, number.type);
    };
    return loop_.turn.add_cast(lower_words(loop_.turn, words, {}, input, scalar), v.type);
}

SINTER_INLINE codegen::node_id loop_trace::node_of(value* v) {
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (states_[i].get() == v) return loop_.turn.add_input(static_cast<std::uint32_t>(i), v->type, {});
    bool depends = depends_on_state(v);
    auto remembered = [&] {
        std::size_t i = 0;
        while (i < seen_.size() && seen_[i].v != v) ++i;
        if (i == seen_.size()) seen_.push_back({v, depends, no_traced_node});
        return i;
    };
    std::size_t at = remembered();
    if (seen_[at].node != no_traced_node) return seen_[at].node;
    codegen::node_id n = depends ? lower(*v) : add_constant({handle(v), {}}, v->type);
    seen_[at].node = n;
    return n;
}

SINTER_INLINE loop_trace::traced loop_trace::finish(const handle& condition, std::span<const handle> next) {
    std::lock_guard lock(runtime_lock());
    loop_.states = static_cast<std::uint32_t>(states_.size());
    codegen::sequence<codegen::node_id> roots = {loop_.turn.add_cast(node_of(condition.get()), dtype::bool_)};
    for (const handle& h : next) roots.push_back(node_of(h.get()));
    for (std::size_t i = 0; i < next.size(); ++i) roots[i + 1] = loop_.turn.add_cast(roots[i + 1], states_[i]->type);
    loop_.turn.roots = roots;
    loop_.turn = codegen::simplify(loop_.turn);
    codegen::verify(loop_.turn);
    auto d = std::make_unique<codegen::definition>(codegen::function_of(loop_, name_));
    auto l = std::make_unique<codegen::loop>(loop_);
    codegen::invocation wanted;
    wanted.function = d.get();
    wanted.parameters = loop_.inputs;
    wanted.results.append(loop_.inputs.begin(), loop_.inputs.begin() + states_.size());
    wanted.is_bundle = states_.size() > 1;
    wanted.traced = l.get();
    const codegen::invocation* found = &find_invocation(wanted);
    // An equal loop that was recorded before has what this one would have.
    if (found->function == d.get()) {
        d.release();
        l.release();
    }
    return {found, std::move(constants_)};
}

}  // namespace sinter::inline SINTER_ABI::runtime
