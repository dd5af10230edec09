// Bodies of value_facts.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/draws.hpp>
#include <sinter/codegen/schedule/facts/value_facts.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The sine of what a cosine is taken of, or the other way round, in the same stage; or the instruction itself. Their
// common part is computed once then, and sincos has the bits of sin and cos.
SINTER_INLINE std::uint32_t other_of_circle(const kernel& k, std::uint32_t i) {
    const instruction& v = k.body[i];
    const bool round = v.kind == instruction_kind::apply && (v.operation == op::sin || v.operation == op::cos) &&
                       is_floating(v.common);
    for (std::uint32_t j = 0; j < k.body.size() && round; ++j) {
        const instruction& w = k.body[j];
        if (w.kind == instruction_kind::apply && w.operation == (v.operation == op::sin ? op::cos : op::sin) &&
            w.common == v.common && w.stage == v.stage && w.args[0] == v.args[0])
            return j;
    }
    return i;
}

SINTER_INLINE value_facts value_facts_of(const kernel& k) {
    value_facts f;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        f.circle.push_back(other_of_circle(k, i));
        // What rounds to 16 bits has a form of few steps, the same in every kernel.
        f.repeated.push_back(k.how.calls && f.circle[i] == i && repetitions(k, k.body[i]) >= least_repetitions &&
                             half_approximation(k, i).empty());
    }
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        f.by_inverse.push_back(divides_by_inverse(k, k.how, i));
        f.by_row.push_back(division_of_row(k, i));
        f.ends_approximations.push_back(ends_approximations(k, i));
    }
    f.packs = k.how.vector_width > 1 || k.how.items != arrangement::blocked ||
              (k.is(mapping::grid_per_column) && k.how.packs > 1);
    f.unrolls = k.body.size() <= unrolled_body;
    // Of much work a thread's four elements are enough to overlap: more copies would only fill the cache of
    // instructions. So are those for which functions read whole arrays by themselves, behind branches of their own. But
    // the words of random numbers depend on each other: several groups' overlap.
    const bool many = k.is(mapping::multi_output),
               reads = codegen::any_of(k.body.begin(), k.body.end(),
                                       [](const instruction& v) { return v.kind == instruction_kind::whole; }),
               heavy = (reads || work_of(k) > heavy_work) && shared_draws(k, k.how.vector_width).empty();
    f.unrolls_full = f.unrolls && !heavy && !(many && k.body.size() > unrolled_body / 2);
    f.unrolls_part = f.unrolls && !heavy && !many;
    f.unrolls_lanes = f.unrolls || many;  // many accumulators must stay in registers
    return f;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
