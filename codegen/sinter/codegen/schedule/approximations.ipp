// Bodies of approximations.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/scalar.hpp>
#include <sinter/codegen/schedule/approximations.hpp>

#include <iterator>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Whether the rows of an access follow each other in memory without gaps.
SINTER_INLINE bool is_dense(const kernel& k, std::uint32_t access) {
    const codegen::access& x = k.accesses[access];
    std::int64_t step = 1;
    for (int i = k.space.size(); i-- > 0; step *= k.space[i])
        if (k.space[i] != 1 && x.at.strides[i] != step) return false;
    return x.operand != access::own_number;
}

SINTER_INLINE bool is_staged(const kernel& k, const store& s) {
    return k.how.short_rows && k.how.close_capacity && k.how.vector_width == 1 && !is_row_stage(s.stage) &&
           is_dense(k, s.access);
}

SINTER_INLINE bool divides_by_inverse(const kernel& k, const schedule& s, std::uint32_t instruction) {
    const auto& v = k.body[instruction];
    if (!s.flat || s.vector_width == 1 || s.packs > 1 || v.kind != instruction_kind::apply) return false;
    if (v.operation != op::divide || v.common != dtype::float32 || v.type != dtype::float32) return false;
    const auto &x = k.body[v.args[0]], &y = k.body[v.args[1]];
    if (x.kind == instruction_kind::scalar || x.kind == instruction_kind::literal) return false;
    if (y.kind == instruction_kind::scalar) return true;
    if (y.kind != instruction_kind::literal) return false;
    float inverse = scalar::exact_inverse(k.literals[y.payload].as<float>());
    return inverse == inverse;
}

// Whether an instruction divides elements of a row, in a stage over these, by what the row has computed.
SINTER_INLINE bool divides_row(const kernel& k, std::uint32_t instruction) {
    const auto& v = k.body[instruction];
    if (!k.is_row_kernel() || v.kind != instruction_kind::apply || v.operation != op::divide || v.common != v.type)
        return false;
    const auto &x = k.body[v.args[0]], &y = k.body[v.args[1]];
    return !is_row_stage(v.stage) && !is_row_stage(x.stage) && !is_given(x) && is_row_stage(y.stage) && !is_given(y);
}

// Whether a stage does little but store quotients of a row's elements by one number.
SINTER_INLINE bool may_divide_by_inverse(const kernel& k, const instruction& v) {
    if (k.tree != reduce_tree::rows || k.how.rows_per_thread > 1 || k.body.size() > unrolled_body ||
        combined_reductions(k, v.stage) > 0)
        return false;
    int operations = 0;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        if (k.body[i].stage != v.stage) continue;
        if (divides_row(k, i) && k.body[i].args[1] != v.args[1]) return false;
        // What the stage loads by itself may lie where it stores, and is not there a second time.
        if (k.body[i].kind == instruction_kind::load || k.body[i].kind == instruction_kind::gather) return false;
        operations += k.body[i].kind == instruction_kind::apply;
    }
    const int elements = k.how.short_rows ? k.how.row_capacity / k.how.lanes : 4 * row_block / row_lanes;
    return elements * operations <= reduction_schedules.inverse_work;
}

SINTER_INLINE row_division division_of_row(const kernel& k, std::uint32_t instruction) {
    const auto& v = k.body[instruction];
    if (!divides_row(k, instruction)) return row_division::none;
    if (v.type == dtype::float64) return row_division::fixed;
    if (v.type != dtype::float32 || !half_approximation(k, instruction).empty()) return row_division::none;
    if (may_divide_by_inverse(k, v)) return row_division::by_inverse;
    return is_cooperative(k.how.map) ? row_division::fixed : row_division::none;
}

SINTER_INLINE std::string_view approximation(const kernel& k, const schedule& s, std::uint32_t number) {
    const auto& v = k.body[number];
    if (v.kind != instruction_kind::apply || v.common != dtype::float32 || v.type != dtype::float32) return "";
    if (v.operation == op::sqrt) return "approximate_root";
    if (v.operation == op::log) return "approximate_log";
    if (v.operation == op::erf) return "approximate_erf";
    if (v.operation != op::divide || divides_by_inverse(k, s, number)) return "";
    for (const instruction& w : k.body)
        if (w.kind == instruction_kind::apply && w.operation == op::log && w.common == dtype::float32 &&
            w.args[0] == number)
            return "approximate_ratio";
    return "approximate_quotient";
}

// The type of 16 bits to which a float32 rounds wherever it is used, or float32.
SINTER_INLINE dtype rounded_type(const kernel& k, std::uint32_t number) {
    dtype to = dtype::float32;
    for (const store& s : k.stores)
        if (s.value == number) return dtype::float32;
    for (const reduction_step& r : k.reductions)
        if (r.argument == number) return dtype::float32;
    for (const instruction& v : k.body) {
        if (codegen::find(v.args.begin(), v.args.end(), number) == v.args.end()) continue;
        const bool rounds =
            v.kind == instruction_kind::apply && v.operation == op::cast && is_half(v.type) && !is_complex(v.type);
        if (!rounds || (to != dtype::float32 && to != v.type)) return dtype::float32;
        to = v.type;
    }
    return to;
}

/// The functions of fewer steps that an operation of float32 has where its result rounds to 16 bits.
struct half_form {
    op operation;
    std::string_view of_float16, of_bfloat16;
};
inline constexpr half_form half_forms[] = {{op::exp, "half_exp", "bfloat16_exp"},
                                           {op::divide, "half_quotient", ""},
                                           {op::gelu, "half_gelu", "half_gelu"},
                                           {op::gelu_tanh, "half_gelu_tanh", "half_gelu_tanh"},
                                           {op::expit, "half_expit", "half_expit"}};

SINTER_INLINE std::string_view half_approximation(const kernel& k, std::uint32_t number) {
    const auto& v = k.body[number];
    if (v.kind != instruction_kind::apply || v.common != dtype::float32 || v.type != dtype::float32) return "";
    const auto form = codegen::find_if(std::begin(half_forms), std::end(half_forms),
                                       [&](const half_form& f) { return f.operation == v.operation; });
    if (form == std::end(half_forms)) return "";
    const dtype to = rounded_type(k, number);
    if (to == dtype::float32) return "";
    if (v.operation != op::divide) return to == dtype::float16 ? form->of_float16 : form->of_bfloat16;
    auto was_half = [&](std::uint32_t a) {
        const instruction& x = k.body[a];
        return x.kind == instruction_kind::apply && x.operation == op::cast && x.common == dtype::float16;
    };
    const bool is_of_halves = to == dtype::float16 && was_half(v.args[0]) && was_half(v.args[1]);
    return is_of_halves ? form->of_float16 : form->of_bfloat16;
}

// Operations whose result is not a number where an operand is not.
SINTER_INLINE bool keeps_nan(op o) {
    for (op keeper : {op::add, op::subtract, op::multiply, op::divide, op::negative, op::square, op::sqrt, op::exp})
        if (o == keeper) return true;
    return false;
}

SINTER_INLINE bool ends_approximations(const kernel& k, std::uint32_t number) {
    auto is_noticed = [&](std::uint32_t i) {
        std::string_view form = approximation(k, i);
        return form == "approximate_quotient" || form == "approximate_root";
    };
    if (!is_noticed(number)) return false;
    sequence<char> reached;
    reached.resize(k.body.size());
    reached[number] = 1;
    for (std::uint32_t i = number + 1; i < k.body.size(); ++i) {
        const auto& v = k.body[i];
        if (v.kind != instruction_kind::apply || v.common != dtype::float32 || v.type != dtype::float32 ||
            !keeps_nan(v.operation))
            continue;
        for (std::uint32_t a : v.args) reached[i] = reached[i] || reached[a];
        if (reached[i] && is_noticed(i)) return false;
    }
    return true;
}

SINTER_INLINE bool has_approximations(const kernel& k, const schedule& s) {
    if (k.reduces() || k.selects || s.tile > 0 || !s.flat || s.vector_width == 1 || s.packs > 1) return false;
    if (s.calls || k.body.size() > longest_approximated || work_of(k) <= heavy_work) return false;
    int count = 0;
    for (std::uint32_t i = 0; i < k.body.size(); ++i) {
        std::string_view form = approximation(k, s, i);
        count += !form.empty() && form != "approximate_erf";
    }
    return count > 1;
}

SINTER_INLINE sequence<std::uint32_t> inverse_scalars(const kernel& k) {
    sequence<std::uint32_t> found;
    for (std::uint32_t c = 0; c < k.scalars.size(); ++c) {
        bool divides = false;
        for (std::uint32_t i = 0; i < k.body.size() && !divides; ++i) {
            if (!divides_by_inverse(k, k.how, i)) continue;
            const auto& y = k.body[k.body[i].args[1]];
            divides = y.kind == instruction_kind::scalar && y.payload == c;
        }
        if (divides) found.push_back(c);
    }
    return found;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
