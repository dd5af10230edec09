// Bodies of trace.hpp.
#pragma once

#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/rewrite/simplify.hpp>
#include <sinter/runtime/lazy/lower_words.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/report/trace.hpp>
#include <utility>

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
    v->failure = codegen::make_kept(
        type_error("[" + std::string(name_) +
                   "] the state was read while the loop was recorded: in a condition and a body it has no value yet"));
    loop_.turn.add_input(static_cast<std::uint32_t>(states_.size()), type, {});
    loop_.inputs.push_back(type);
    states_.push_back(h);
    return h;
}

// The value's place among those that have been looked at, behind what it reads: depth first without recursion.
SINTER_INLINE std::uint32_t loop_trace::look_at(value* root) {
    auto key = [](const value* v) { return reinterpret_cast<std::uintptr_t>(v); };
    if (seen_.empty())
        for (const handle& s : states_) {
            places_.add(key(s.get()), static_cast<std::uint32_t>(seen_.size()));
            seen_.push_back({s.get(), true, no_traced_node});
        }
    codegen::sequence<std::pair<value*, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
        auto& [v, next] = stack.back();
        if (places_.find(key(v)) == codegen::number_map::none) {
            if (v->pending && next < v->pending->inputs.size()) {
                value* const input = v->pending->inputs[next++];
                stack.push_back({input, 0});
                continue;
            }
            bool depends = false;
            if (v->pending)
                for (const value* input : v->pending->inputs)
                    depends = depends || seen_[places_.find(key(input))].depends;
            places_.add(key(v), static_cast<std::uint32_t>(seen_.size()));
            seen_.push_back({v, depends, no_traced_node});
        }
        stack.pop_back();
    }
    return places_.find(key(root));
}

SINTER_INLINE bool loop_trace::depends_on_state(value* v) { return seen_[look_at(v)].depends; }

SINTER_INLINE codegen::node_id loop_trace::add_constant(constant c, dtype type) {
    constexpr std::size_t most_inputs = 65536;  // which words of expressions can name
    if (loop_.inputs.size() == most_inputs)
        throw value_error(codegen::joined({"[", name_, "] a loop over single elements reads at most ", most_inputs,
                                           " numbers and arrays, those of its state among them"}));
    auto slot = static_cast<std::uint32_t>(loop_.inputs.size());
    constants_.push_back(std::move(c));
    loop_.inputs.push_back(type);
    return loop_.turn.add_input(slot, type, {});
}

// Whether each element is computed from those at its place.
SINTER_INLINE bool is_elementwise(const statement& s) {
    if (s.kind != statement_kind::expression) return false;
    return codegen::none_of(s.form->codes.begin(), s.form->codes.end(), [](const code& c) {
        return c.kind == code::what::invoke && !invocation_of(c.number).ranks.empty();
    });
}

SINTER_INLINE bool loop_trace::is_elementwise(const handle& condition, codegen::span<const handle> next) {
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

SINTER_INLINE recorded_turn loop_trace::turn(codegen::span<const handle> results) const {
    return recorded_turn({states_.data(), states_.size()}, results);
}

SINTER_INLINE void loop_trace::require_nothing_kept() {
    std::lock_guard lock(runtime_lock());
    seen_.clear();  // some of it may be gone
    places_.clear();
    auto refuse = [&](const value& v) {
        throw type_error(
            codegen::joined({"[", name_, "] a condition or a body keeps a value of shape ", to_string(v.shape),
                             " outside that depends on the state: return it as a part of the state"}));
    };
    for (const handle& s : states_)
        if (s->handles() > 1) refuse(*s);
    for (value* v = this_queue().last; v && v->sequence >= begin_; v = v->previous)
        if (v->handles() > 0 && depends_on_state(v)) refuse(*v);
}

SINTER_INLINE codegen::node_id loop_trace::lower(const value& v) {
    const statement& s = *v.pending;
    const codegen::sequence<code>& words = s.form->codes;
    auto input = [&](std::uint16_t number) { return seen_[look_at(s.inputs[number])].node; };
    auto scalar = [&](std::size_t at) {
        const codegen::scalar_value& number = s.scalars[words[at].number];
        // An exponent is part of the program.
        bool exponent = at + 1 < words.size() && words[at + 1].kind == code::what::apply &&
                        static_cast<codegen::op>(words[at + 1].detail) == codegen::op::power;
        return exponent ? loop_.turn.add_literal(number) : add_constant({{}, number}, number.type);
    };
    return loop_.turn.add_cast(lower_words(loop_.turn, words, {}, input, scalar), v.type);
}

// What the value reads is lowered first, in the order in which it was looked at.
SINTER_INLINE codegen::node_id loop_trace::node_of(value* root) {
    const std::uint32_t at = look_at(root);
    codegen::sequence<char> needed(at + 1, 0);
    needed[at] = 1;
    for (std::uint32_t i = at + 1; i-- > 0;)
        if (needed[i] && seen_[i].depends && i >= states_.size() && seen_[i].node == no_traced_node)
            for (value* input : seen_[i].v->pending->inputs) needed[look_at(input)] = 1;
    for (std::uint32_t i = 0; i <= at; ++i) {
        if (!needed[i] || seen_[i].node != no_traced_node) continue;
        value* const v = seen_[i].v;
        codegen::node_id n = 0;
        if (i < states_.size()) n = loop_.turn.add_input(i, v->type, {});
        else n = seen_[i].depends ? lower(*v) : add_constant({handle(v), {}}, v->type);
        seen_[i].node = n;
    }
    return seen_[at].node;
}

SINTER_INLINE loop_trace::traced loop_trace::finish(const handle& condition, codegen::span<const handle> next) {
    std::lock_guard lock(runtime_lock());
    loop_.states = static_cast<std::uint32_t>(states_.size());
    codegen::sequence<codegen::node_id> roots = {loop_.turn.add_cast(node_of(condition.get()), dtype::bool_)};
    for (const handle& h : next) roots.push_back(node_of(h.get()));
    for (std::size_t i = 0; i < next.size(); ++i) roots[i + 1] = loop_.turn.add_cast(roots[i + 1], states_[i]->type);
    loop_.turn.roots = roots;
    loop_.turn = codegen::simplify(loop_.turn);
    codegen::verify(loop_.turn);
    auto d = codegen::owner(new codegen::definition(codegen::function_of(loop_, name_)));
    auto l = codegen::owner(new codegen::loop(loop_));
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
