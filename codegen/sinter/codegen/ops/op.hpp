// The operations that ops.def lists: enum, per-row facts and type rules; must not know arrays or source text.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>

namespace sinter::inline SINTER_ABI::codegen {

enum class op : std::uint8_t {
#define SINTER_OP(name, ...) name,
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
    cast,  ///< conversion to the node's own type
    count_
};

inline constexpr int op_count = static_cast<int>(op::count_);

/// How operands convert and what the result is. C is the common type of the operands as given.
enum class rule : std::uint8_t {
    arithmetic,  ///< C -> C, integers wrap
    same,        ///< C -> C
    rounding,    ///< C -> C; integers are their own result
    floating,    ///< C, integers as float64 -> the same
    compare,     ///< C -> bool
    logical,     ///< bool -> bool, anything nonzero is true
    real,        ///< C -> C, of a complex type its parts' type
    angle,       ///< floating C -> its parts' type
    select,      ///< bool, C, C -> C
    scale,       ///< floating C, int32 -> C
    exponent,    ///< floating C -> int32
    count,       ///< C -> uint8
    random_32,   ///< uint64 -> uint32
    random_64,   ///< uint64 -> uint64
    unit_32,     ///< uint32 -> float32
    unit_64,     ///< uint64 -> float64
    cast
};

struct op_info {
    const char* name;
    std::uint8_t arity;
    rule typing;
    const char* kinds;
    std::uint8_t cost;
    const char* domain;
    const char* form;
};

inline constexpr op_info op_table[op_count] = {
#define SINTER_OP(name, arity, typing, kinds, cost, domain, ...) \
    {#name, arity, rule::typing, kinds, cost, #domain, #__VA_ARGS__},
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
    {"cast", 1, rule::cast, "biufc", 1, "any", "R(a)"},
};

constexpr const op_info& info(op o) { return op_table[static_cast<int>(o)]; }

/// Arithmetic per element for operands of this type: the absolute value of a complex number is a hypot.
constexpr int cost_of(op o, dtype common) { return info(o == op::absolute && is_complex(common) ? op::hypot : o).cost; }

/// Whether the operation accepts operands of this type after conversion.
constexpr bool accepts(op o, dtype t) {
    for (const char* k = info(o).kinds; *k; ++k)
        if (*k == kind_of(t)) return true;
    return false;
}

/// What operands of a type are computed as: bool as the smallest integers, as NumPy does, by arithmetic of two that has
/// no bool.
constexpr dtype computed_type(op o, dtype common) {
    const bool lacks_bool = info(o).typing == rule::same && info(o).arity == 2 && !accepts(o, dtype::bool_);
    return common == dtype::bool_ && lacks_bool ? dtype::int8 : common;
}

/// The common type of operands as given (for where: of its last two).
constexpr dtype common_type(op o, const dtype* args) {
    int first = info(o).typing == rule::select ? 1 : 0;
    int last = info(o).typing == rule::scale ? 1 : info(o).arity;
    dtype t = args[first];
    for (int i = first + 1; i < last; ++i) t = promote(t, args[i]);
    return computed_type(o, t);
}

/// The type that operand `which` converts to before the operation, from the operands' common type.
constexpr dtype operand_type(op o, int which, dtype common) {
    switch (info(o).typing) {
        case rule::floating:
        case rule::angle:
        case rule::exponent: return floating_of(common);
        case rule::logical: return dtype::bool_;
        case rule::select: return which == 0 ? dtype::bool_ : common;
        case rule::scale: return which == 1 ? dtype::int32 : floating_of(common);
        case rule::random_32:
        case rule::random_64:
        case rule::unit_64: return dtype::uint64;
        case rule::unit_32: return dtype::uint32;
        default: return common;
    }
}

/// Whether the operation takes half precision as it is stored; others compute it in float32.
constexpr bool computes_on_bits(op o) {
    return o == op::positive || o == op::where || o == op::nextafter || o == op::spacing;
}

/// The result's type, from the operands' common type.
constexpr dtype result_type(op o, dtype common) {
    switch (info(o).typing) {
        case rule::floating:
        case rule::scale: return floating_of(common);
        case rule::compare:
        case rule::logical: return dtype::bool_;
        case rule::real: return real_of(common);
        case rule::angle: return real_of(floating_of(common));
        case rule::exponent: return dtype::int32;
        case rule::count: return dtype::uint8;
        case rule::random_32: return dtype::uint32;
        case rule::random_64: return dtype::uint64;
        case rule::unit_32: return dtype::float32;
        case rule::unit_64: return dtype::float64;
        default: return common;
    }
}

/// Whether the operation accepts operands of this common type.
constexpr bool defined_for(op o, dtype common) {
    if (info(o).typing == rule::rounding && kind_rank(common) < 2) return true;
    int which = info(o).typing == rule::select ? 1 : 0;
    return accepts(o, operand_type(o, which, common));
}

}  // namespace sinter::inline SINTER_ABI::codegen
