// Bodies of assign_memory.hpp.
#pragma once

#include <sinter/runtime/execute/assign_memory.hpp>
#include <sinter/runtime/execute/prepared_plan.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

/// The slots that a step of a plan touches.
SINTER_INLINE codegen::sequence<std::uint32_t> slots_of(const codegen::plan& p, const codegen::step& s) {
    codegen::sequence<std::uint32_t> used;
    switch (s.kind) {
        case codegen::step_kind::kernel:
            for (const codegen::operand& o : p.kernels[s.index].operands) used.push_back(o.slot);
            break;
        case codegen::step_kind::call:
            used = p.calls[s.index].results;
            for (const codegen::place& a : p.calls[s.index].args) used.push_back(a.slot);
            break;
        case codegen::step_kind::copy: used = {p.copies[s.index].from, p.copies[s.index].to};
    }
    return used;
}

/// Gives every slot a block.
struct memory_assignment {
    prepared_plan& r;
    const codegen::sequence<bool>& consumable;  ///< by input: nothing else will read it
    codegen::sequence<std::size_t> last_use;    ///< by slot: a step, or behind all where the slot is a root
    codegen::sequence<std::uint32_t> idle;      ///< blocks of temporaries whose last reader has run

    std::size_t bytes_of(std::uint32_t s) const {
        const codegen::slot& slot = r.plan.slots[s];
        return static_cast<std::size_t>(slot.size) * static_cast<std::size_t>(codegen::size_of(slot.type));
    }

    void take(std::uint32_t s) {
        const std::size_t bytes = bytes_of(s);
        for (std::uint32_t& b : idle)
            if (b != no_block && r.fresh_bytes[b - consumable.size()] == bytes) {
                r.memory_of[s] = b;
                b = no_block;
                return;
            }
        r.memory_of[s] = static_cast<std::uint32_t>(consumable.size() + r.fresh_bytes.size());
        r.fresh_bytes.push_back(bytes);
    }

    // Whether a map walks over two operands in step, so that each element of one is read before that of the other is
    // written.
    static bool walks_alike(const codegen::kernel& k, std::uint32_t a, std::uint32_t b) {
        for (const codegen::instruction& i : k.body)
            if (i.kind == codegen::instruction_kind::whole &&
                (k.operands[i.payload].slot == a || k.operands[i.payload].slot == b))
                return false;
        const codegen::layout* first = nullptr;
        for (const codegen::access& x : k.accesses) {
            if (x.operand < 0) continue;
            const std::uint32_t slot = k.operands[static_cast<std::size_t>(x.operand)].slot;
            if (slot != a && slot != b) continue;
            if (first && !(*first == x.at)) return false;
            first = &x.at;
        }
        return true;
    }

    // A map's result may lie where an operand lay that nothing reads later.
    bool take_over(std::uint32_t s, std::size_t step) {
        if (r.plan.steps[step].kind != codegen::step_kind::kernel) return false;
        const codegen::kernel& k = r.plan.kernels[r.plan.steps[step].index];
        if (k.reduces() || k.how.tile || !k.indexed.empty()) return false;
        for (const codegen::operand& o : k.operands) {
            const std::int32_t input = r.plan.slots[o.slot].input;
            if (o.written || last_use[o.slot] != step || bytes_of(o.slot) != bytes_of(s)) continue;
            if (input != codegen::slot::fresh && !consumable[static_cast<std::size_t>(input)]) continue;
            if (codegen::size_of(r.plan.slots[o.slot].type) != codegen::size_of(r.plan.slots[s].type)) continue;
            if (!walks_alike(k, o.slot, s)) continue;
            r.memory_of[s] = r.memory_of[o.slot];
            last_use[o.slot] = r.plan.steps.size();
            return true;
        }
        return false;
    }

    void run() {
        const codegen::plan& p = r.plan;
        r.memory_of.assign(p.slots.size(), no_block);
        last_use.assign(p.slots.size(), 0);
        for (std::size_t i = 0; i < p.steps.size(); ++i)
            for (std::uint32_t s : slots_of(p, p.steps[i])) last_use[s] = i;
        for (std::size_t s = 0; s < p.slots.size(); ++s)
            if (p.slots[s].input != codegen::slot::fresh) r.memory_of[s] = static_cast<std::uint32_t>(p.slots[s].input);
        for (const codegen::place& root : p.roots) last_use[root.slot] = p.steps.size();
        for (std::size_t i = 0; i < p.steps.size(); ++i) {
            codegen::sequence<std::uint32_t> used = slots_of(p, p.steps[i]);
            for (std::uint32_t s : used)
                if (r.memory_of[s] == no_block && !take_over(s, i)) take(s);
            for (std::size_t k = 0; k < used.size(); ++k) {
                bool again = false;
                for (std::size_t e = 0; e < k; ++e) again = again || used[e] == used[k];
                const std::uint32_t block = r.memory_of[used[k]];
                if (!again && last_use[used[k]] == i && block >= consumable.size() && block != no_block)
                    idle.push_back(block);
            }
        }
        for (const codegen::place& root : p.roots)
            if (r.memory_of[root.slot] == no_block) take(root.slot);
    }
};

SINTER_INLINE void assign_memory(prepared_plan& r, const codegen::sequence<bool>& consumable) {
    memory_assignment{r, consumable, {}, {}}.run();
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END
