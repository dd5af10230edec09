// Bodies of draws.hpp.
#pragma once

#include <sinter/codegen/schedule/draws.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// How many words of an operation a block of the generator has; 0 for other operations.
SINTER_INLINE int words_of_draw(const kernel& k, std::uint32_t i) {
    const instruction& v = k.body[i];
    if (v.kind != instruction_kind::apply) return 0;
    return v.operation == op::philox_32 ? 4 : v.operation == op::philox_64 ? 2 : 0;
}

// Finds the words that are drawn at the element's own number, or at the even or the odd one of its pair.
SINTER_INLINE sequence<draw> shared_draws(const kernel& k, int vector_width) {
    sequence<draw> found(k.body.size(), draw{});
    auto own_number = [&](std::uint32_t i) -> std::int32_t {
        const instruction& v = k.body[i];
        if (v.kind != instruction_kind::apply || v.operation != op::cast || v.type != dtype::uint64) return -1;
        const instruction& from = k.body[v.args[0]];
        bool aligned = from.kind == instruction_kind::load && k.accesses[from.payload].step == stride_class::aligned;
        return aligned ? static_cast<std::int32_t>(from.payload) : -1;
    };
    auto is_literal = [&](std::uint32_t i, std::uint64_t x) {
        return k.body[i].kind == instruction_kind::literal && k.literals[k.body[i].payload].as<std::uint64_t>() == x;
    };
    bool any = false;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        const instruction& v = k.body[i];
        int words = words_of_draw(k, i);
        if (words == 0 || vector_width % words != 0 || is_row_stage(v.stage)) continue;
        const instruction& counter = k.body[v.args[0]];
        draw& d = found[i];
        d.number = own_number(v.args[0]);
        bool pairs = counter.kind == instruction_kind::apply && counter.type == dtype::uint64;
        for (std::size_t a = 0; a < 2 && pairs && d.number < 0 && counter.args.size() == 2; ++a) {
            if (counter.operation == op::bitwise_and && is_literal(counter.args[a], ~std::uint64_t{1})) d.parity = 0;
            if (counter.operation == op::bitwise_or && is_literal(counter.args[a], 1)) d.parity = 1;
            if (d.parity >= 0) d.number = own_number(counter.args[1 - a]);
        }
        for (d.block = 0; d.block < i; ++d.block) {
            const instruction& w = k.body[d.block];
            if (found[d.block].number == d.number && words_of_draw(k, d.block) == words && w.args[1] == v.args[1] &&
                w.args[2] == v.args[2])
                break;
        }
        any = any || d.number >= 0;
    }
    if (!any) return {};
    for (const store& s : k.stores) found[s.value].needed = true;
    for (const reduction_step& r : k.reductions) found[r.argument].needed = true;
    for (std::size_t i = k.body.size(); i-- > 0;)
        if (found[i].needed && found[i].number < 0)
            for (std::uint32_t a : k.body[i].args) found[a].needed = true;
    return found;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
