// Bodies of costs.hpp that count; those that advise are in hints.ipp, the drawing in dot.ipp.
#pragma once

#include <sinter/codegen/report/costs.hpp>
#include <sinter/codegen/ops/ieee.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::int64_t bytes_moved(const plan& p, const kernel& k, std::size_t number) {
    const operand& of = k.operands[number];
    auto is_same = [&](std::size_t o) { return k.operands[o].slot == of.slot && k.operands[o].written == of.written; };
    for (std::size_t o = 0; o < number; ++o)
        if (is_same(o)) return 0;
    std::int64_t sum = 0, low = 0, high = -1;
    for (const instruction& i : k.body)
        if (i.kind == instruction_kind::whole && is_same(i.payload)) return p.slots[of.slot].size * size_of(of.type);
    for (const access& a : k.accesses) {
        if (a.operand == access::own_number || !is_same(static_cast<std::size_t>(a.operand)) ||
            a.at.shape.product() == 0)
            continue;
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
    return std::min({p.slots[of.slot].size, sum, high - low + 1}) * size_of(of.type);
}

SINTER_INLINE bool computes(const kernel& k, node_id n) {
    for (node_id own : k.nodes)
        if (own == n) return true;
    return false;
}

// The type in which an instruction computes.
SINTER_INLINE dtype computed_in(const instruction& i) {
    if (i.kind != instruction_kind::apply || i.operation == op::cast) return i.type;
    return operand_type(i.operation, info(i.operation).typing == rule::select ? 1 : 0, i.common);
}

SINTER_INLINE bool is_float64(dtype t) { return real_of(t) == dtype::float64; }

SINTER_INLINE bool has_float64(const invocation& f) {
    for (const sequence<dtype>* list : {&f.parameters, &f.results})
        for (dtype t : *list)
            if (is_float64(t)) return true;
    return false;
}

// By instruction: whether it has the same value for all elements, so that computing it once will do.
SINTER_INLINE sequence<char> uniform_instructions(const kernel& k) {
    sequence<char> is_uniform(k.body.size(), 0);
    for (std::size_t n = 0; n < k.body.size(); ++n) {
        const instruction& i = k.body[n];
        using enum instruction_kind;
        bool same = is_given(i) || i.kind == apply || i.kind == invoke || i.kind == component;
        if (i.kind == load) {
            same = true;
            const layout& at = k.accesses[i.payload].at;
            for (int axis = 0; axis < at.shape.size(); ++axis)
                same = same && (at.strides[axis] == 0 || at.shape[axis] == 1);
        }
        for (std::uint32_t a : i.args) same = same && is_uniform[a];
        is_uniform[n] = same;
    }
    return is_uniform;
}

SINTER_INLINE arithmetic arithmetic_of(const kernel& k) {
    arithmetic sum;
    const double rows = static_cast<double>(k.kept_size()), elements = rows * static_cast<double>(k.reduced_size());
    auto add = [&](double cost, bool is_wide, double times) {
        sum.all += cost * times;
        if (is_wide) sum.float64 += cost * times;
    };
    const sequence<char> is_uniform = uniform_instructions(k);
    for (std::size_t n = 0; n < k.body.size(); ++n) {
        const instruction& i = k.body[n];
        const double times = is_uniform[n] ? 1 : k.reduces() && is_row_stage(i.stage) && !k.scans ? rows : elements;
        if (i.kind == instruction_kind::apply) {
            const dtype t = computed_in(i);
            add(cost_of(i.operation, t) * (is_complex(t) ? 4 : 1), is_float64(t) && i.operation != op::cast, times);
        }
        if (i.kind == instruction_kind::invoke) {
            const invocation& f = *k.invocations[i.payload];
            add(f.function->cost, has_float64(f), times);
        }
    }
    for (const reduction_step& r : k.reductions) {
        const dtype t = r.accumulator();
        const reduced_element element = info(r.how).element;
        const int own = element == reduced_element::first ? 0 : element == reduced_element::square ? 3 : 1;
        add(is_complex(t) ? 2 : own, is_float64(t), elements);
    }
    return sum;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
