// Bodies of evaluate.hpp; lower() is in lower.ipp.
#pragma once

#include <sinter/codegen/interpret.hpp>
#include <sinter/codegen/simplify.hpp>
#include <sinter/runtime/environment.hpp>
#include <sinter/runtime/evaluate.hpp>
#include <sinter/runtime/execute.hpp>
#include <sinter/runtime/lower.ipp>

#include <cstdio>

namespace sinter::inline SINTER_ABI::runtime {

// What a kernel moves of an operand: broadcast axes count once, what several accesses share at most once.
SINTER_INLINE std::int64_t bytes_moved(const codegen::plan& p, const codegen::kernel& k, std::size_t operand) {
    const codegen::operand& of = k.operands[operand];
    std::int64_t sum = 0, low = 0, high = -1;
    for (const codegen::access& a : k.accesses) {
        if (a.operand != static_cast<std::int32_t>(operand) || a.at.shape.product() == 0) continue;
        std::int64_t count = 1, first = a.at.offset, last = a.at.offset;
        for (int i = 0; i < a.at.shape.size(); ++i) {
            if (a.at.strides[i] == 0) continue;
            count *= a.at.shape[i];
            (a.at.strides[i] < 0 ? first : last) += a.at.strides[i] * (a.at.shape[i] - 1);
        }
        bool is_first = sum == 0;
        sum += count;
        low = is_first ? first : std::min(low, first);
        high = is_first ? last : std::max(high, last);
    }
    return std::min({p.slots[of.slot].size, sum, high - low + 1}) * codegen::size_of(of.type);
}

SINTER_INLINE plan_summary describe(const codegen::plan& p, const codegen::graph& g, device where) {
    plan_summary s;
    s.graph = codegen::to_text(g);
    s.kernels = static_cast<std::int64_t>(p.kernels.size());
    s.library_calls = static_cast<std::int64_t>(p.calls.size());
    for (const codegen::kernel& k : p.kernels) {
        for (std::size_t o = 0; o < k.operands.size(); ++o)
            (k.operands[o].written ? s.bytes_written : s.bytes_read) += bytes_moved(p, k, o);
        s.cached = s.cached && is_kernel_cached(k, where);
        s.steps.push_back(codegen::name_of(k) + " over " + to_string(k.space));
        s.sources.push_back(emit(k, where).text);
    }
    for (const codegen::library_call& c : p.calls) s.steps.push_back(std::string(to_string(c.what)) + " to " + to_string(c.shape));
    return s;
}

SINTER_INLINE void interpret_roots(const lowered& l) {
    codegen::sequence<const void*> inputs;
    for (const buffer_ref& b : l.inputs) inputs.push_back(b->data);
    codegen::sequence<buffer_ref> results;
    codegen::sequence<void*> outputs;
    for (const value* v : l.roots) {
        results.push_back(allocate_buffer(device::cpu(), static_cast<std::size_t>(v->bytes())));
        outputs.push_back(results.back()->data);
    }
    codegen::interpret(l.program, inputs, outputs);
    for (std::size_t i = 0; i < l.roots.size(); ++i)
        settle(*l.roots[i], results[i], codegen::contiguous(l.roots[i]->shape));
}

SINTER_INLINE void warn_of_interpreter() {
    static const bool warned = [] {
        std::string why;
        host_compiler_available(&why);
        std::fprintf(stderr, "sinter: no C++ compiler was found (%s): computing with the interpreter, which is slow\n",
                     why.c_str());
        return true;
    }();
    static_cast<void>(warned);
}

// The plan, or null where the interpreter has to compute: without a compiler, unless a backend is named, what the disk
// cache has no kernel for.
SINTER_INLINE std::shared_ptr<const prepared_plan> plan_for(const lowered& l, device where) {
    if (backend_of(where) == backend::interpreter) return nullptr;
    if (where.is_cuda() || is_backend_named()) return prepare(l.program, l.consumable, where);
    try {
        return prepare(l.program, l.consumable, where);
    } catch (const device_error&) {
        if (host_compiler_available()) throw;
        warn_of_interpreter();
        return nullptr;
    }
}

// Which nodes a root is computed from.
SINTER_INLINE codegen::sequence<char> nodes_behind(const codegen::graph& g, codegen::node_id root) {
    codegen::sequence<char> behind(g.nodes.size(), 0);
    behind[root] = 1;
    for (codegen::node_id n = root + 1; n-- > 0;)
        if (behind[n])
            for (codegen::node_id a : g.args(n)) behind[a] = 1;
    return behind;
}

// Lets the memory of each root depend on the indices that it was computed with, in this run and before.
SINTER_INLINE void hang_checks(const prepared_plan& p, const lowered& l, const codegen::sequence<buffer_ref>& memory,
                               const codegen::sequence<launched_check>& checks) {
    bool any = !checks.empty();
    for (const buffer_ref& b : l.inputs) any = any || b->unchecked;
    if (!any) return;
    codegen::sequence<index_checks> of_root(l.roots.size());
    for (std::size_t i = 0; i < l.roots.size(); ++i) {
        codegen::sequence<char> behind = nodes_behind(p.program, p.program.roots[i]);
        for (const launched_check& c : checks)
            if (behind[c.node]) of_root[i].all.push_back(c.check);
        for (codegen::node_id n = 0; n < behind.size(); ++n) {
            const codegen::node& v = p.program.nodes[n];
            if (behind[n] && v.kind == codegen::node_kind::input && l.inputs[v.payload]->unchecked)
                of_root[i].add(*l.inputs[v.payload]->unchecked);
        }
    }
    for (std::size_t i = 0; i < l.roots.size(); ++i) depend_on(*memory[p.plan.roots[i].slot], p.where, std::move(of_root[i]));
}

SINTER_INLINE void run_lowered(lowered& l, device where) {
    if (env().shows("ir")) std::fprintf(stderr, "%s\n", codegen::to_text(l.program).c_str());
    if (env().check) codegen::verify(l.program);
    std::shared_ptr<const prepared_plan> p = plan_for(l, where);
    if (!p) return interpret_roots(l);
    codegen::sequence<launched_check> checks;
    codegen::sequence<buffer_ref> memory = execute(*p, l.program.scalars, l.inputs, checks);
    hang_checks(*p, l, memory, checks);
    // Settling may free what is only inlined.
    for (value* v : l.inlined) v->computed_before = true;
    for (std::size_t i = 0; i < l.roots.size(); ++i) {
        const codegen::place& at = p->plan.roots[i];
        l.roots[i]->plan = p;
        settle(*l.roots[i], memory[at.slot], at.at);
    }
}

// A view of what is stored is stored where that is.
SINTER_INLINE bool settle_view(value& v) {
    if (v.pending->kind != statement_kind::view) return false;
    value& base = *v.pending->inputs[0];
    if (!base.is_stored()) return false;
    std::optional<codegen::layout> at = codegen::composed(base.at, v.pending->where);
    if (!at) return false;
    settle(v, base.memory, *at);
    return true;
}

// Errors of data, such as an index out of range, belong to the values that depend on them: each root is tried alone.
SINTER_INLINE void run_each(std::span<value* const> roots) {
    std::exception_ptr first;
    for (value* r : roots) {
        if (!r->pending) continue;
        try {
            lowered l = lower({&r, 1});
            l.consumable.assign(l.consumable.size(), false);
            run_lowered(l, r->where);
        } catch (const index_error&) {
            if (r->pending) fail(*r, std::current_exception());
            if (!first) first = std::current_exception();
        }
    }
    if (first) std::rethrow_exception(first);
}

SINTER_INLINE bool reads_by_index(const lowered& l) {
    for (const codegen::node& n : l.program.nodes)
        if (n.kind == codegen::node_kind::gather ||
            (n.kind == codegen::node_kind::call && codegen::is_scatter(static_cast<codegen::routine>(n.payload))))
            return true;
    return false;
}

SINTER_INLINE void run_pending(std::span<value* const> roots) {
    try {
        lowered l = lower(roots);
        // A GPU's errors are found when nothing can be run again.
        if (roots[0]->where.is_cpu() && reads_by_index(l)) l.consumable.assign(l.consumable.size(), false);
        run_lowered(l, roots[0]->where);
    } catch (const index_error&) {
        run_each(roots);
    }
}

// Computes what of the values is pending, each device's together.
SINTER_INLINE void run_values(std::span<value* const> roots) {
    codegen::sequence<value*> rest;
    for (value* r : roots) {
        bool listed = false;
        for (value* o : rest) listed = listed || o == r;
        if (r->pending && !listed && !settle_view(*r)) rest.push_back(r);
    }
    while (!rest.empty()) {
        codegen::sequence<value*> together, others;
        for (value* r : rest)
            if (r->pending) (r->where == rest[0]->where ? together : others).push_back(r);
        if (!together.empty()) run_pending(together);
        rest = std::move(others);
    }
}

// What a loop that reads would otherwise carry along from read to read, in ever new constellations: named values that
// have been pending since before the last read, or, after a flush, all.
SINTER_INLINE void add_stale(codegen::sequence<value*>& roots) {
    pending_queue& q = this_queue();
    bool all = q.flushed, any = q.first && (all || q.first->sequence < q.last_read);
    for (value* v = q.first; any && v; v = v->next) {
        v->stale = all || v->sequence < q.last_read;
        for (const value* input : v->pending->inputs) v->stale = v->stale || (input->pending && input->stale);
        if (v->stale && v->handles.load() > 0) roots.push_back(v);
    }
    q.last_read = q.next_sequence;
    q.flushed = false;
}

SINTER_INLINE void evaluate(std::span<value* const> roots) {
    std::lock_guard lock(runtime_lock());
    codegen::sequence<value*> all(roots.begin(), roots.end());
    bool any = false;
    for (value* r : roots) {
        if (r->failure) std::rethrow_exception(r->failure);
        any = any || r->pending;
    }
    if (!any) return;
    add_stale(all);
    try {
        run_values(all);
    } catch (const index_error&) {
        for (value* r : roots)
            if (r->failure) std::rethrow_exception(r->failure);
        if (roots[0]->pending) throw;
    } catch (const error&) {
        // What is not asked for must not keep what is from being computed.
        if (all.size() == roots.size()) throw;
        run_values(roots);
    }
}

SINTER_INLINE void require_valid(value& v) {
    std::lock_guard lock(runtime_lock());
    if (!v.failure && v.memory) v.failure = index_error_of(*v.memory);
    if (v.failure) std::rethrow_exception(v.failure);
}

SINTER_INLINE plan_summary summarize(std::span<value* const> roots) {
    std::lock_guard lock(runtime_lock());
    codegen::sequence<value*> rest;
    for (value* r : roots)
        if (r->pending) rest.push_back(r);
    if (rest.empty()) {
        for (value* r : roots)
            if (r->plan) return describe(r->plan->plan, r->plan->program, r->where);
        return {};
    }
    lowered l = lower(rest);
    codegen::graph g = codegen::simplify(l.program);
    return describe(codegen::fuse(g, l.consumable, limits_of(rest[0]->where)), g, rest[0]->where);
}

// Runs what this thread has recorded and something still names.
SINTER_INLINE void flush(pending_queue& q) {
    q.flushed = true;
    // Whoever lets go of one of them meanwhile waits for the lock before it is freed.
    codegen::sequence<value*> roots;
    for (value* v = q.first; v; v = v->next)
        if (v->handles.load() > 0) roots.push_back(v);
    try {
        if (!roots.empty()) run_values(roots);
    } catch (const error&) {
        // It is thrown where a value that it belongs to is read; the others are computed.
        for (value* r : roots) try {
                run_values({&r, 1});
            } catch (const error&) {
            }
    }
}

SINTER_INLINE std::uint64_t signature_of(const value& v, std::uint64_t sequence) {
    const statement& s = *v.pending;
    std::uint64_t h = static_cast<std::uint64_t>(s.kind) * 31 + static_cast<std::uint64_t>(v.type);
    for (const code& c : s.codes)
        h = codegen::mix_hash(h, static_cast<std::uint64_t>(c.kind) | static_cast<std::uint64_t>(c.detail) << 8 |
                                     static_cast<std::uint64_t>(c.number) << 16);
    h = codegen::mix_hash(h, static_cast<std::uint64_t>(s.reduce.how) << 8 | s.reduce.axes);
    // How far back an input was recorded is what repeats in a loop; what is older than any loop body is a constant.
    for (const value* input : s.inputs) {
        std::uint64_t back = input->sequence ? sequence - input->sequence : 0;
        h = codegen::mix_hash(h, back < 64 ? back : 0);
    }
    return h;
}

// The rolling hash of the last statements' signatures: equal at equal places of a loop's body, whatever repeats inside it.
SINTER_INLINE std::uint64_t push_signature(pending_queue& q, std::uint64_t signature) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ull;
    std::uint64_t oldest_factor = 1;
    for (int i = 0; i < pending_queue::window; ++i) oldest_factor *= factor;
    std::uint64_t& slot = q.signatures[q.next_sequence % pending_queue::window];
    q.rolling = q.rolling * factor + signature - slot * oldest_factor;
    slot = signature;
    return q.rolling;
}

SINTER_INLINE bool comes_round(const pending_queue& q, std::uint64_t context) {
    if (q.count >= 32 && q.first->context == context) return true;
    if (q.count < 64) return false;
    for (const value* v = q.first; v && q.next_sequence - v->sequence >= 32; v = v->next)
        if (v->context == context) return true;
    return false;
}

SINTER_INLINE void before_recording(value& next) {
    pending_queue& q = this_queue();
    next.context = push_signature(q, signature_of(next, q.next_sequence));
    bool kept = q.count > 0 && bytes_kept_alive().load() > pool_capacity(next.where) / 8;
    if (comes_round(q, next.context) || q.count >= 256 || q.nodes >= 4096 || kept) flush(q);
}

SINTER_INLINE void synchronize_all() {
    std::lock_guard lock(runtime_lock());
    flush(this_queue());
    current_device().synchronize();
}

}  // namespace sinter::inline SINTER_ABI::runtime
