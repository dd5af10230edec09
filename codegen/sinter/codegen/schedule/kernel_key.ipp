// Bodies of kernel_key.hpp.
#pragma once

#include <sinter/codegen/schedule/facts/access_moves.hpp>
#include <sinter/codegen/schedule/approximations.hpp>
#include <sinter/codegen/schedule/kernel_key.hpp>
#include <sinter/codegen/schedule/facts/windows.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

template <class T>
void append_bytes(std::string& s, const T& v) {
    s.append(reinterpret_cast<const char*>(&v), sizeof v);
}

// How operands are walked over, as far as texts tell it apart.
SINTER_INLINE void append_accesses(std::string& s, const kernel& k) {
    for (std::size_t i = 0; i < k.accesses.size(); ++i) {
        append_bytes(s, k.accesses[i].operand);
        const std::uint32_t a = static_cast<std::uint32_t>(i);
        const int across = transposed_step(k, a);
        s += {static_cast<char>(k.accesses[i].step), static_cast<char>(across ? 0 : k.accesses[i].known_step),
              static_cast<char>(across)};
    }
    for (std::uint32_t a = 0; k.how.tile > 0 && a < k.accesses.size(); ++a)
        for (std::uint32_t b = 0; b < k.accesses.size(); ++b)
            if (is_mirrored(k, a, b)) s += {'m', static_cast<char>(a), static_cast<char>(b)};
    for (std::uint32_t a = 0; k.how.outer_rows && a < k.accesses.size(); ++a)
        s += static_cast<char>(repeats_along_outer(k, a));
    if (k.is(mapping::windows)) {
        for (int axis = k.kept; axis < k.space.size(); ++axis) s += static_cast<char>(k.space[axis]);
        for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
            for (int axis = 0; axis < k.space.size(); ++axis) s += static_cast<char>(step_along(k, k.how, a, axis));
    }
    for (std::uint32_t a = 0; k.is(mapping::joined_rows) && a < k.accesses.size(); ++a)
        s += static_cast<char>(move_of(k, a));
    if (k.is(mapping::elements))
        for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
            s += {static_cast<char>(move_of(k, a)), static_cast<char>(k.how.packs > 1 && repeats_along_rows(k, a)),
                  static_cast<char>(walks_like(k, a)), static_cast<char>(walks_like(k, a) >> 8)};
}

SINTER_INLINE std::string key(const kernel& k) {
    std::string s;
    s.reserve(64 + 16 * k.body.size());
    s += key(k.how);
    s += {static_cast<char>(k.space.size()), static_cast<char>(k.kept),
          static_cast<char>(k.reduces() | (k.tree == reduce_tree::columns) << 1 | k.scans << 2 | k.selects << 3 |
                            k.scalars_in_memory << 4),
          static_cast<char>(k.count_operand)};
    for (const operand& o : k.operands) s += {static_cast<char>(o.type), static_cast<char>(o.written)};
    s += '|';
    append_accesses(s, k);
    s += '|';
    for (const instruction& i : k.body) {
        s += {static_cast<char>(i.kind), static_cast<char>(i.operation), static_cast<char>(i.stage),
              static_cast<char>(i.type), static_cast<char>(i.common),    static_cast<char>(i.args.size())};
        append_bytes(s, i.payload);
        for (std::uint32_t a : i.args) append_bytes(s, a);
    }
    for (std::size_t i = 0; i < k.indexed.size(); ++i) {
        const indexed_axis& x = k.indexed[i];
        const std::size_t alike = first_index_alike(k, i);
        s += {'x',
              static_cast<char>(x.instruction),
              static_cast<char>(x.instruction >> 8),
              static_cast<char>(alike),
              static_cast<char>(alike >> 8),
              static_cast<char>(k.is(mapping::elements) && is_gathered_by_packs(k, x.instruction, k.how.vector_width))};
    }
    for (const reduction_step& r : k.reductions) {
        s += {'r', static_cast<char>(r.how), static_cast<char>(r.type), static_cast<char>(r.stage)};
        append_bytes(s, r.argument);
    }
    for (const store& st : k.stores) {
        s += {'s', static_cast<char>(st.stage)};
        append_bytes(s, st.value);
        append_bytes(s, st.access);
        if (is_staged(k, st)) s += 'd';
    }
    for (const invocation* f : k.invocations) append_bytes(s, f->number);
    for (const scalar_value& v : k.literals) {
        s += static_cast<char>(v.type);
        append_bytes(s, v.bytes);
    }
    return s;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
