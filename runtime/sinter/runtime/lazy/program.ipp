// Bodies of program.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/runtime/execute/replay.hpp>
#include <sinter/runtime/lazy/program.hpp>
#include <sinter/runtime/lazy/value.hpp>

#include <algorithm>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE program::facts& program::of(const value* v) { return known[v->number]; }

inline constinit program* idle_programs = nullptr;

SINTER_INLINE program_lease::program_lease(program* given) : program_(given), is_given_(given != nullptr) {
    if (given) return;
    if (!idle_programs) idle_programs = new program;
    program_ = std::exchange(idle_programs, idle_programs->next_idle);
}

SINTER_INLINE program_lease::~program_lease() {
    program_->fresh.clear();
    program_->data.clear();
    if (!is_given_) program_->next_idle = std::exchange(idle_programs, program_);
}

SINTER_INLINE std::uint64_t new_serial() {
    static std::uint64_t last = 0;
    return ++last;
}

SINTER_INLINE void start(program& p) {
    p.serial = new_serial();
    p.order.clear();
    p.known.clear();
    p.roots.clear();
    p.inlined.clear();
    p.scalars.clear();
    p.key.clear();
    p.first_equal.clear();
    p.inputs.clear();
    p.consumable.clear();
    p.has_whole.clear();
    p.holders.clear();
    p.stack.clear();
    p.has_power = false;
    p.components = 0;
}

// Makes room for what is known about a value; false when that has been done.
SINTER_INLINE bool reach(program& p, value* v) {
    if (v->seen_by == p.serial) return false;
    v->seen_by = p.serial;
    v->number = static_cast<std::uint32_t>(p.known.size());
    p.known.push_back({});
    return true;
}

// Depth first without recursion: a statement follows its inputs.
SINTER_INLINE void collect_behind(program& p, value* root) {
    if (reach(p, root)) p.stack.push_back({root, 0});
    while (!p.stack.empty()) {
        auto& [v, next] = p.stack.back();
        if (v->failure) std::rethrow_exception(v->failure);
        if (!v->pending || next == v->pending->inputs.size()) {
            p.order.push_back(v);
            p.stack.pop_back();
            continue;
        }
        value* input = v->pending->inputs[next++];
        bool is_new = reach(p, input);
        ++p.of(input).edges;
        if (is_new) p.stack.push_back({input, 0});
    }
}

SINTER_INLINE bool is_wanted_later(program& p, const value& v) {
    return v.handles() > 0 || v.references() - v.handles() > p.of(&v).edges;
}

// Whether a value is stored along with the roots, because it would be computed again otherwise.
SINTER_INLINE bool is_worth_storing(program& p, const value& v) {
    const program::facts& f = p.of(&v);
    statement_kind k = v.pending->kind;
    if (v.symbolic || k == statement_kind::view || k == statement_kind::empty) return false;
    if (k == statement_kind::reduce || k == statement_kind::scan || k == statement_kind::call ||
        k == statement_kind::update || v.pending->is_expensive())
        return f.needed_later || is_wanted_later(p, v);
    return v.computed_before && is_wanted_later(p, v);
}

// Users before their inputs: what is stored no longer needs its inputs, what is not and is wanted still does.
SINTER_INLINE void choose_stored(program& p) {
    for (std::size_t i = p.order.size(); i-- > 0;) {
        value& v = *p.order[i];
        if (!v.pending) continue;
        program::facts& f = p.of(&v);
        f.is_stored = f.is_stored || is_worth_storing(p, v);
        if (f.is_stored || !(f.needed_later || is_wanted_later(p, v))) continue;
        for (value* input : v.pending->inputs) p.of(input).needed_later = true;
    }
}

SINTER_INLINE bool is_whole(const value& v) { return v.at.shape == v.shape && codegen::is_contiguous(v.at); }

// Gives each buffer among the stored values one slot. An update or a map may overwrite it when all that holds the
// buffer are values that only this program reads, and that no value left pending reads again.
SINTER_INLINE void add_inputs(program& p) {
    for (value* v : p.order) {
        if (v->pending) continue;
        buffer& b = *v->memory;
        if (b.seen_by != p.serial) {
            b.seen_by = p.serial;
            b.number = static_cast<std::uint32_t>(p.inputs.size());
            p.inputs.push_back(&b);
            p.consumable.push_back(p.may_consume && (p.updates || b.bytes >= least_taken_over) && !b.imported &&
                                   !b.exported);
            p.has_whole.push_back(false);
            p.holders.push_back(0);
        }
        ++p.holders[b.number];
        const program::facts& f = p.of(v);
        if (v->handles() != 0 || v->references() != f.edges || f.needed_later) p.consumable[b.number] = false;
        p.has_whole[b.number] = p.has_whole[b.number] || is_whole(*v);
    }
    for (std::size_t i = 0; i < p.inputs.size(); ++i)
        if (!p.has_whole[i] || p.inputs[i]->references.load() != p.holders[i]) p.consumable[i] = false;
}

// Finds the first scalar that each of the program's equals, bit for bit; two with the same hash are not looked at
// closer.
SINTER_INLINE void find_equal_scalars(program& p) {
    p.scalar_numbers.clear();
    for (std::uint32_t i = 0; i < p.scalars.size(); ++i) {
        const codegen::scalar_value& v = p.scalars[i];
        std::uint64_t words[2];
        std::memcpy(words, v.bytes, sizeof words);
        const std::uint64_t hash =
            codegen::mix_hash(codegen::mix_hash(static_cast<std::uint64_t>(v.type), words[0]), words[1]);
        const std::uint32_t first = p.scalar_numbers.add(hash, i);
        p.first_equal.push_back(p.scalars[first] == v ? first : i);
    }
}

// Whether both are results of one call: the same function with the same arguments.
SINTER_INLINE bool is_same_call(const statement& a, const statement& b) {
    const codegen::sequence<code>&x = a.form->codes, &y = b.form->codes;
    return x.size() == y.size() && x.back().number == y.back().number &&
           std::equal(x.begin(), x.end() - 1, y.begin()) &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end()) && a.scalars == b.scalars;
}

// Lets results of one call share its numbers, so that it stays one call: of few scalars no others are compared, for
// which a kernel would be compiled whenever two happen to be equal.
SINTER_INLINE void share_scalars_of_calls(program& p) {
    std::uint32_t first = 0;
    codegen::sequence<std::pair<const statement*, std::uint32_t>> calls;  // and their first scalars
    for (const value* v : p.order) {
        if (!v->pending || !v->pending->form) continue;
        const statement& s = *v->pending;
        std::uint32_t from = first;
        if (s.form->is_component && !s.scalars.empty()) {
            std::size_t i = 0;
            while (i < calls.size() && !is_same_call(*calls[i].first, s)) ++i;
            if (i < calls.size()) from = calls[i].second;
            else calls.push_back({&s, first});
        }
        for (std::uint32_t i = 0; i < s.scalars.size(); ++i) p.first_equal.push_back(from + i);
        first += static_cast<std::uint32_t>(s.scalars.size());
    }
}

/// Writes the key: every word that planning, compiling or launching depends on, save scalars that are only arguments.
struct key_writer {
    program& p;

    void add(std::uint64_t word) { p.key.push_back(word); }
    void add(const dims& d) {
        for (std::int64_t n : d) add(static_cast<std::uint64_t>(n));
    }
    void add(const codegen::layout& l) {
        add(static_cast<std::uint64_t>(l.shape.size()));
        add(l.shape);
        add(l.strides);
        add(static_cast<std::uint64_t>(l.offset));
    }
    // What every value begins with; `detail` has 32 bits.
    void add_head(const value& v, std::uint64_t kind, std::uint64_t detail) {
        add(kind | static_cast<std::uint64_t>(v.type) << 8 | static_cast<std::uint64_t>(v.shape.size()) << 16 |
            detail << 32);
        add(v.shape);
    }
    void add_stored(const value& v) {
        bool whole = is_whole(v);
        add_head(v, whole ? 0x80 : 0x81, v.memory->number);
        add(static_cast<std::uint64_t>(v.number) << 1 | static_cast<std::uint64_t>(p.consumable[v.memory->number]));
        add(v.memory->bytes);
        if (!whole) add(v.at);
    }
    void add_pending(const value& v) {
        const statement& s = *v.pending;
        const std::uint64_t stored = p.of(&v).is_stored ? 0x40 : 0;
        add_head(v, static_cast<std::uint64_t>(s.kind) | stored, s.form ? s.form->number : 0);
        add(static_cast<std::uint64_t>(v.number) << 32 | s.inputs.size());
        for (const value* input : s.inputs) add(input->number);
        switch (s.kind) {
            case statement_kind::expression:
                p.has_power = p.has_power || s.form->has_power;
                p.components += s.form->is_component;
                p.scalars.append(s.scalars.begin(), s.scalars.end());
                break;
            case statement_kind::view:
            case statement_kind::update: add(s.where); break;
            case statement_kind::reduce:
            case statement_kind::scan: add(static_cast<std::uint64_t>(s.reduce.how) << 8 | s.reduce.axes); break;
            case statement_kind::gather:
                add(static_cast<std::uint64_t>(s.gather.why) << 40 | static_cast<std::uint64_t>(s.gather.axes) << 32 |
                    static_cast<std::uint32_t>(s.gather.position));
                break;
            case statement_kind::call: add(s.call.packed()); break;
            case statement_kind::select:
            case statement_kind::index:
            case statement_kind::empty:
            case statement_kind::loop: break;  // the last behind a state without elements, which is refused
        }
    }
    // They choose the form of a power.
    void add_exponents() {
        for (const codegen::scalar_value& v : p.scalars) {
            if (!p.has_power) break;
            std::uint64_t words[2];
            std::memcpy(words, v.bytes, sizeof words);
            add(words[0]);
            add(words[1]);
        }
    }
    void add_scalars() {
        add_exponents();
        if (p.scalars.size() >= many_scalars) find_equal_scalars(p);
        else if (p.components > 1) share_scalars_of_calls(p);
        for (std::uint32_t first : p.first_equal) add(first);
    }
    void write_memory() {
        for (const value* v : p.order)
            if (!v->pending) add_stored(*v);
        add_exponents();
    }
    void write() {
        add(static_cast<std::uint64_t>(p.order.back()->where.id() + 1) << 1 | static_cast<std::uint64_t>(p.of_step));
        for (const value* v : p.order) {
            if (v->pending) add_pending(*v);
            else add_stored(*v);
        }
        add_scalars();
        p.hash = 0;
        for (std::uint64_t w : p.key) p.hash = codegen::mix_hash(p.hash, w);
    }
};

// Whether the data decides if it can be computed.
SINTER_INLINE bool can_fail(const statement& s) {
    return s.kind == statement_kind::gather || (s.kind == statement_kind::call && s.call.can_fail());
}

// A routine computes all its results at once: those that are wanted are stored with the first one.
SINTER_INLINE void collect_siblings(program& p) {
    for (std::size_t i = 0; i < p.order.size(); ++i) {
        const value& v = *p.order[i];
        if (!v.pending || v.pending->kind != statement_kind::call || codegen::info(v.pending->call.what).results == 1)
            continue;
        for (value* o = v.queue ? v.queue->first : nullptr; o; o = o->next) {
            const statement& s = *o->pending;
            if (o->seen_by == p.serial || s.kind != statement_kind::call || !s.call.is_sibling(v.pending->call))
                continue;
            if (s.inputs != v.pending->inputs) continue;
            collect_behind(p, o);
            p.of(o).is_stored = true;
        }
    }
}

// Whether bad data that the host finds while it computes leaves a root that somebody could ask for: where all roots
// depend on all statements that could find some, none is computed again from what they have left.
SINTER_INLINE bool fails_apart(program& p) {
    constexpr int most = 64;
    std::uint64_t each = 0;
    int count = 0;
    for (value* v : p.order) {
        if (!v->pending) continue;
        std::uint64_t& failing = p.of(v).failing;
        for (const value* input : v->pending->inputs) failing |= p.of(input).failing;
        if (!v->where.is_cpu() || !can_fail(*v->pending)) continue;
        if (count == most) return true;
        failing |= std::uint64_t{1} << count++;
        each |= failing;
    }
    return codegen::any_of(p.roots.begin(), p.roots.end(), [&](const value* r) { return p.of(r).failing != each; });
}

SINTER_INLINE void collect(program& p, codegen::span<value* const> roots, overwriting allowed) {
    start(p);
    for (value* r : roots) collect_behind(p, r);
    for (value* r : roots) p.of(r).is_stored = true;
    collect_siblings(p);
    choose_stored(p);
    p.updates = false;
    bool can_fail = false;
    for (value* v : p.order) {
        if (!v->pending) continue;
        (p.of(v).is_stored ? p.roots : p.inlined).push_back(v);
        p.updates = p.updates || v->pending->kind == statement_kind::update || v->pending->kind == statement_kind::call;
        can_fail = can_fail || (v->where.is_cpu() && runtime::can_fail(*v->pending));
    }
    // The host finds bad data while it computes: whoever tries again must find its inputs. A GPU's is found when
    // nothing can be run again.
    p.may_consume = allowed == overwriting::operands ||
                    (allowed == overwriting::of_what_cannot_fail && !(can_fail && fails_apart(p)));
    p.of_step = is_step() && p.order.back()->where.is_cuda();
    add_inputs(p);
    key_writer{p}.write();
}

SINTER_INLINE void collect_memory(program& p) {
    p.serial = new_serial();
    p.inputs.clear();
    p.consumable.clear();
    p.has_whole.clear();
    p.holders.clear();
    p.key.clear();
    add_inputs(p);
    key_writer{p}.write_memory();
}

SINTER_INLINE bool has_equal_scalars(const program& p) {
    for (std::size_t i = 0; i < p.first_equal.size(); ++i)
        if (p.first_equal[i] != i && !(p.scalars[i] == p.scalars[p.first_equal[i]])) return false;
    return true;
}

}  // namespace sinter::inline SINTER_ABI::runtime
