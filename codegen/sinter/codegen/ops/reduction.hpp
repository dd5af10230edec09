// The reductions that reductions.def lists: enum, per-row facts and type rules; must not know graphs or source text.
#pragma once

#include <sinter/codegen/ops/dtype.hpp>

#include <limits>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

enum class reduction : std::uint8_t {
#define SINTER_REDUCTION(name, ...) name,
#include <sinter/codegen/ops/reductions.def>
    count_
};

inline constexpr int reduction_count = static_cast<int>(reduction::count_);

/// In what a reduction accumulates: see reductions.def.
enum class accumulation : std::uint8_t { wide, same, logical, indexed };

/// What a reduction combines: see reductions.def.
enum class reduced_element : std::uint8_t { every, first, square };

/// A row of reductions.def.
struct reduction_info {
    static constexpr int none = std::numeric_limits<int>::min();

    std::string_view name, running;
    accumulation accumulate;
    std::string_view kinds;
    int identity;
    reduced_element element;
    reduction value;
    const char* form;

    static const reduction_info table[reduction_count];
};

inline constexpr reduction_info reduction_info::table[reduction_count] = {
#define SINTER_SPECIAL_REDUCTION(name, accumulate, kinds, identity, element, value, ...)                         \
    {#name,       "none", accumulation::accumulate, kinds, identity, reduced_element::element, reduction::value, \
     #__VA_ARGS__},
#define SINTER_REDUCTION(name, running, accumulate, kinds, identity, ...) \
    {#name, #running, accumulation::accumulate, kinds, identity, reduced_element::every, reduction::name, #__VA_ARGS__},
#include <sinter/codegen/ops/reductions.def>
};

constexpr const reduction_info& info(reduction how) { return reduction_info::table[static_cast<int>(how)]; }

/// Name of a reduction, as users call it.
constexpr std::string_view to_string(reduction how) { return info(how).name; }

/// Name of the scan that keeps a reduction's partial results, as users call it: cumsum of sum; "none" where there is
/// none.
constexpr std::string_view running_name(reduction how) { return info(how).running; }

/// Whether no elements have a result.
constexpr bool has_identity(reduction how) { return info(how).identity != reduction_info::none; }

/// Whether the reduction's value comes with its position.
constexpr bool is_indexed(reduction how) { return info(how).accumulate == accumulation::indexed; }

/// Whose value an indexed reduction has beside the position.
constexpr reduction value_of(reduction indexed) { return info(indexed).value; }

/// Whether an indexed reduction prefers the lower one of two whole numbers, by its own condition.
constexpr bool prefers_lower(reduction indexed) {
    switch (indexed) {
#define SINTER_REDUCTION(name, running, accumulate, kinds, identity, ...) \
    case reduction::name: {                                               \
        constexpr int x = 1, y = 0;                                       \
        const int wins = __VA_ARGS__;                                     \
        return wins && x > y;                                             \
    }
#include <sinter/codegen/ops/reductions.def>
        default: return false;
    }
}

/// Whether the reduction chooses among its elements, of equal ones the first: so it counts which of two comes first.
constexpr bool chooses(reduction how) { return std::string_view(info(how).form).find('?') != std::string_view::npos; }

/// Whether the reduction wants the first element of a row, and so float64, and is zero where there is none.
constexpr bool wants_first(reduction how) { return info(how).element != reduced_element::every; }

/// The type that operands convert to before the reduction.
constexpr dtype operand_type(reduction how, dtype given) {
    if (info(how).accumulate == accumulation::logical) return dtype::bool_;
    return wants_first(how) ? dtype::float64 : given;
}

/// Whether the reduction accepts operands of this type.
constexpr bool accepts(reduction how, dtype given) {
    return info(how).kinds.find(kind_of(given)) != std::string_view::npos;
}

/// The result type of a reduction of elements of this type (NumPy's: integers sum in 64 bits).
constexpr dtype reduce_type(reduction how, dtype operand) {
    switch (info(how).accumulate) {
        case accumulation::wide:
            if (kind_rank(operand) > 1) return operand;
            return kind_of(operand) == 'u' ? dtype::uint64 : dtype::int64;
        case accumulation::logical: return dtype::bool_;
        case accumulation::indexed: return dtype::int64;
        default: return operand;
    }
}

/// The type in which a reduction accumulates.
constexpr dtype accumulator_type(reduction how, dtype operand) {
    if (info(how).accumulate != accumulation::wide) return operand;
    const dtype result = widened(reduce_type(how, operand));
    return result == dtype::float32 ? dtype::float64 : result == dtype::complex64 ? dtype::complex128 : result;
}

/// Whether elements combine to the same bits in any order: whole numbers, of which no positions are asked for.
constexpr bool is_exact(reduction how, dtype operand) {
    const char kind = kind_of(accumulator_type(how, operand));
    return !is_indexed(how) && !wants_first(how) && (kind == 'b' || kind == 'i' || kind == 'u');
}

/// Whether the result is combined with the identity at last: a sum of negative zeros is zero, as NumPy's, which starts
/// there.
constexpr bool ends_with_identity(reduction how, dtype operand) {
    const reduction_info& r = info(how);
    return r.accumulate == accumulation::wide && r.identity == 0 && kind_rank(operand) > 1;
}

/// Whether some hundred elements add up in 32 bits, although the reduction accumulates in 64.
constexpr bool adds_narrow(reduction how, dtype operand) {
    return how == reduction::sum && is_exact(how, operand) && size_of(operand) <= 2;
}

}  // namespace sinter::inline SINTER_ABI::codegen
