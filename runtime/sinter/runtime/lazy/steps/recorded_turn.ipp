// Bodies of recorded_turn.hpp.
#pragma once

#include <mutex>
#include <sinter/codegen/base/search.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/steps/recorded_turn.hpp>
#include <sinter/runtime/lazy/steps/step_record.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// What is behind the results, inputs before their users.
struct recorded_turn::reached {
    struct facts {
        value* what;
        bool depends;             ///< on a stand-in, or is one
        bool is_needed = false;   ///< by a result or by what is recorded again
        std::uint32_t place = 0;  ///< among the stand-ins, the constants and the steps
    };
    codegen::sequence<facts> order;
    std::uint64_t serial = new_serial();

    facts& of(const value* v) { return order[v->number]; }
    // What numbers alone make is computed where it is read, and memory without values is each turn's own.
    static bool is_step(const facts& f) {
        const value& v = *f.what;
        return v.pending && (f.depends || v.symbolic || v.pending->kind == statement_kind::empty);
    }

    void add(value* v, bool depends) {
        if (v->pending)
            for (const value* input : v->pending->inputs) depends = depends || of(input).depends;
        v->number = static_cast<std::uint32_t>(order.size());
        order.push_back({v, depends});
    }

    // Depth first without recursion: a statement follows its inputs.
    void add_behind(value* root) {
        codegen::sequence<std::pair<value*, std::size_t>> stack;
        auto reach = [&](value* v) {
            if (v->seen_by != serial) stack.push_back({v, 0});
            v->seen_by = serial;
        };
        reach(root);
        while (!stack.empty()) {
            auto& [v, next] = stack.back();
            if (v->pending && next < v->pending->inputs.size()) {
                reach(v->pending->inputs[next++]);
                continue;
            }
            add(v, false);
            stack.pop_back();
        }
    }

    // Users before what they read.
    void mark_needed(codegen::span<const handle> results) {
        for (const handle& h : results) of(h.get()).is_needed = true;
        for (std::size_t i = order.size(); i-- > 0;)
            if (order[i].is_needed && is_step(order[i]))
                for (const value* input : order[i].what->pending->inputs) of(input).is_needed = true;
    }
};

SINTER_INLINE recorded_turn::recorded_turn(codegen::span<const handle> stand_ins, codegen::span<const handle> results) {
    std::lock_guard lock(runtime_lock());
    reached all;
    for (const handle& h : stand_ins) {
        h->seen_by = all.serial;
        all.add(h.get(), true);
    }
    for (const handle& h : results) all.add_behind(h.get());
    all.mark_needed(results);
    std::uint32_t places = 0;
    for (reached::facts& f : all.order) {
        const bool is_stand_in = places < stand_ins.size();
        if (!is_stand_in && (!f.is_needed || reached::is_step(f))) continue;
        f.place = places++;
        if (!is_stand_in) constants_.push_back(handle(f.what));
    }
    for (reached::facts& f : all.order) {
        if (!f.is_needed || !reached::is_step(f)) continue;
        f.place = places++;
        const value& v = *f.what;
        step s{v.type, v.shape, v.where, *v.pending, {}, {}, v.label, v.place};
        s.what.inputs.clear();
        for (const value* input : v.pending->inputs) s.inputs.push_back(all.of(input).place);
        steps_.push_back(std::move(s));
    }
    for (const handle& h : results) results_.push_back(all.of(h.get()).place);
    find_last_readers(places - static_cast<std::uint32_t>(steps_.size()));
}

// What nothing reads any more has no name, so that what runs a long turn in parts does not store it.
SINTER_INLINE void recorded_turn::find_last_readers(std::uint32_t first_step) {
    codegen::sequence<bool> is_read_later(first_step + steps_.size(), false);
    for (std::uint32_t i : results_) is_read_later[i] = true;
    for (std::size_t k = steps_.size(); k-- > 0;)
        for (std::uint32_t i : steps_[k].inputs) {
            if (i >= first_step && !is_read_later[i]) steps_[k].done.push_back(i - first_step);
            is_read_later[i] = true;
        }
}

SINTER_INLINE recorded_turn::~recorded_turn() {
    std::lock_guard lock(runtime_lock());
    steps_.clear();
    loops_.clear();
}

SINTER_INLINE bool recorded_turn::reads(std::uint32_t stand_in) const {
    auto has = [stand_in](const codegen::sequence<std::uint32_t>& places) {
        return codegen::find(places.begin(), places.end(), stand_in) != places.end();
    };
    return has(results_) || codegen::any_of(steps_.begin(), steps_.end(), [&](const step& s) { return has(s.inputs); });
}

SINTER_INLINE handle recorded_turn::record(const step& s) {
    const statement& what = s.what;
    handle made;
    switch (what.kind) {
        case statement_kind::expression:
            made = make_pending(s.type, s.shape, s.where, what.form->codes, what.inputs, what.scalars);
            break;
        case statement_kind::view:
        case statement_kind::update:
        case statement_kind::index:
        case statement_kind::empty:
            made =
                make_pending(what.kind, s.type, s.shape, s.where, {what.inputs.data(), what.inputs.size()}, what.where);
            break;
        default: {
            if (handle known = known_statement(s.type, s.shape, s.where, what)) return known;
            statement again = what;
            made = make_pending(s.type, s.shape, s.where, std::move(again));
        }
    }
    // It stands where it was written, not where the loop runs.
    made->label = s.label;
    made->place = s.place;
    return made;
}

SINTER_INLINE bool recorded_turn::runs_loops() const {
    return codegen::any_of(steps_.begin(), steps_.end(),
                           [](const step& s) { return s.what.kind == statement_kind::loop; });
}

SINTER_INLINE bool recorded_turn::calls_libraries() const {
    return codegen::any_of(steps_.begin(), steps_.end(),
                           [](const step& s) { return s.what.kind == statement_kind::call; });
}

// All parts of a loop's state come from one run, for which others get the lock.
SINTER_INLINE handle recorded_turn::part_of_loop(const step& s, std::unique_lock<postponing_mutex>& lock) {
    const inner_loop* const wanted = s.what.loop;
    loop_run* run = codegen::find_if(loops_.begin(), loops_.end(), [&](const loop_run& r) { return r.loop == wanted; });
    if (run != loops_.end()) return run->state[s.what.part];
    codegen::sequence<handle> inputs, state;
    for (value* v : s.what.inputs) inputs.push_back(handle(v));
    for (std::uint32_t i : s.done) recorded_[i] = handle();
    lock.unlock();
    wanted->run(std::move(inputs), state);
    lock.lock();
    loops_.push_back({wanted, std::move(state)});
    return loops_.back().state[s.what.part];
}

SINTER_INLINE void recorded_turn::over(codegen::span<const handle> values, codegen::sequence<handle>& results) {
    std::unique_lock lock(runtime_lock());
    recorded_.clear();
    loops_.clear();
    now_.clear();
    for (const handle& h : values) now_.push_back(h.get());
    for (const handle& h : constants_) now_.push_back(h.get());
    for (step& s : steps_) {
        s.what.inputs.clear();
        for (std::uint32_t i : s.inputs) s.what.inputs.push_back(now_[i]);
        recorded_.push_back(s.what.kind == statement_kind::loop ? part_of_loop(s, lock) : record(s));
        now_.push_back(recorded_.back().get());
        for (std::uint32_t i : s.done) recorded_[i] = handle();
    }
    for (std::uint32_t i : results_) results.push_back(handle(now_[i]));
    recorded_.clear();
    loops_.clear();
}

}  // namespace sinter::inline SINTER_ABI::runtime
