// Bodies of walks.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/facts/walks.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE walk_class walk_of_access(const access& a) {
    if (a.step == stride_class::broadcast) return walk_class::constant;
    const bool follows = a.step == stride_class::contiguous || a.step == stride_class::aligned;
    return a.operand == access::own_number && follows ? walk_class::straight : walk_class::any;
}

// How sums, differences, lesser and greater numbers, sizes and choices of such numbers walk.
SINTER_INLINE walk_class walk_of_operation(op o, const sequence<walk_class>& args) {
    const auto is_slow = [](walk_class w) { return w <= walk_class::slow; };
    const auto all_are = [&](auto holds) { return codegen::all_of(args.begin(), args.end(), holds); };
    if (all_are([](walk_class w) { return w == walk_class::constant; })) return walk_class::constant;
    switch (o) {
        case op::cast:
        case op::positive: return args[0];
        case op::add:
            if (args[0] == walk_class::constant) return args[1];
            return args[1] == walk_class::constant ? args[0] : walk_class::any;
        case op::subtract:
            if (args[1] == walk_class::constant) return args[0];
            return args[0] == walk_class::constant && is_slow(args[1]) ? walk_class::slow : walk_class::any;
        case op::negative:
        case op::absolute: return is_slow(args[0]) ? walk_class::slow : walk_class::any;
        case op::minimum:
        case op::maximum: return all_are(is_slow) ? walk_class::slow : walk_class::any;
        case op::less:
        case op::less_equal:
        case op::greater:
        case op::greater_equal: {
            const bool once = (args[0] == walk_class::constant && args[1] == walk_class::straight) ||
                              (args[1] == walk_class::constant && args[0] == walk_class::straight);
            return once ? walk_class::switched : walk_class::any;
        }
        case op::where: {
            const bool both = args[1] == walk_class::straight && args[2] == walk_class::straight;
            return args[0] == walk_class::switched && both ? walk_class::switched : walk_class::any;
        }
        default: return walk_class::any;
    }
}

// Whether numbers of a type may walk; a tile whose ends are near its limits is not taken for one.
SINTER_INLINE bool may_walk(dtype t) { return t == dtype::int64 || t == dtype::int32; }

SINTER_INLINE sequence<walk_class> walks_of(const kernel& k) {
    sequence<walk_class> walks;
    for (const instruction& v : k.body) {
        walk_class found = walk_class::any;
        sequence<walk_class> args;
        for (std::uint32_t a : v.args) args.push_back(walks[a]);
        switch (v.kind) {
            case instruction_kind::scalar:
            case instruction_kind::literal: found = walk_class::constant; break;
            case instruction_kind::load: found = walk_of_access(k.accesses[v.payload]); break;
            case instruction_kind::apply: found = walk_of_operation(v.operation, args); break;
            default: break;
        }
        const bool is_cast = v.operation == op::cast && v.kind == instruction_kind::apply;
        // A number that is zero at one place makes a condition that changes twice there.
        const bool may = may_walk(v.type) || (v.type == dtype::bool_ && found == walk_class::switched && !is_cast);
        const bool keeps = !is_cast || may_walk(k.body[v.args[0]].type);
        walks.push_back(found == walk_class::constant || (may && keeps) ? found : walk_class::any);
    }
    return walks;
}

SINTER_INLINE bool gathers_by_walk(const kernel& k, const sequence<walk_class>& walks, std::uint32_t instruction) {
    if (k.body[instruction].kind != instruction_kind::gather || walks.empty()) return false;
    int walking = 0;
    for (std::uint32_t from : k.body[instruction].args) {
        if (walks[from] == walk_class::any) return false;
        walking += walks[from] != walk_class::constant;
    }
    return walking <= 1;
}

SINTER_INLINE sequence<char> needed_beside_walks(const kernel& k, const sequence<char>& gathers_walks) {
    sequence<char> needed(k.body.size(), 0);
    for (const store& s : k.stores) needed[s.value] = 1;
    for (auto i = static_cast<std::uint32_t>(k.body.size()); i-- > 0;)
        if (needed[i] && !gathers_walks[i])
            for (std::uint32_t a : k.body[i].args) needed[a] = 1;
    return needed;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
