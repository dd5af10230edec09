// Bodies of absent_views.hpp.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/parts/absent_views.hpp>
#include <sinter/parts/value_parts.hpp>

namespace sinter::inline SINTER_ABI::detail {

namespace parts {

/// What a view looks at of a buffer, in elements: lines of so many, one behind the other, and the view of these alone.
struct seen_lines {
    std::int64_t first = 0, line = 0, stride = 0, count = 1;
    layout at;

    std::int64_t elements() const { return line * count; }
};

// All from the first element to the last.
SINTER_INLINE seen_lines seen_in_one(const layout& at) {
    seen_lines seen{at.offset, 1, 0, 1, at};
    seen.at.offset = 0;
    for (int i = 0; i < at.shape.size(); ++i) {
        const std::int64_t reach = (at.shape[i] - 1) * at.strides[i];
        seen.line += std::abs(reach);
        if (reach >= 0) continue;
        seen.first += reach;
        seen.at.offset -= reach;
    }
    return seen;
}

// A line for each element of the axis whose elements lie farthest apart; nothing where these are not apart.
SINTER_INLINE std::optional<seen_lines> seen_in_lines(const layout& at) {
    int outer = -1;
    for (int i = 0; i < at.shape.size(); ++i)
        if (at.shape[i] > 1 && (outer < 0 || std::abs(at.strides[i]) > std::abs(at.strides[outer]))) outer = i;
    if (outer < 0) return std::nullopt;
    seen_lines seen = seen_in_one(at);
    const std::int64_t stride = std::abs(at.strides[outer]), last = at.shape[outer] - 1;
    seen.line -= last * stride;
    if (seen.line > stride) return std::nullopt;
    seen.stride = stride;
    seen.count = at.shape[outer];
    const bool is_reversed = at.strides[outer] < 0;
    if (is_reversed) seen.at.offset += last * (seen.line - stride);
    seen.at.strides[outer] = is_reversed ? -seen.line : seen.line;
    return seen;
}

// What is to be read for a view, of no more than so many elements.
SINTER_INLINE std::optional<seen_lines> seen_elements(const layout& at, std::int64_t most) {
    if (at.shape.product() == 0) return seen_lines{0, 0, 0, 1, codegen::contiguous(at.shape)};
    std::optional<seen_lines> seen = seen_in_one(at);
    if (seen->elements() > most) seen = seen_in_lines(at);
    return seen && seen->elements() <= most ? seen : std::nullopt;
}

SINTER_INLINE void read_view(absent_reader& reader, runtime::value& v, std::int64_t bytes) {
    const std::int64_t item = codegen::size_of(v.type);
    const std::optional<seen_lines> seen = seen_elements(v.at, bytes / item);
    if (!seen) return;
    auto in_bytes = [&](std::int64_t elements) { return static_cast<std::size_t>(elements * item); };
    const runtime::byte_runs runs{in_bytes(seen->first), in_bytes(seen->line), in_bytes(seen->stride),
                                  static_cast<std::size_t>(seen->count)};
    v.memory = reader.take(*v.memory, runs, 0, 0);
    v.at = seen->at;
}

// A view of what is computed: of the rows of it that the view looks at.
SINTER_INLINE void compute_view(absent_reader& reader, runtime::value& v, std::int64_t bytes) {
    const handle base(v.pending->inputs[0]);
    int outer = 0;
    while (outer < base->shape.size() && base->shape[outer] == 1) ++outer;
    if (outer == base->shape.size() || v.shape.product() == 0) return;
    const std::int64_t row = base->shape.product() / base->shape[outer];
    seen_lines seen = seen_in_one(v.pending->where);
    const range rows{seen.first / row, (seen.first + seen.line - 1) / row + 1};
    if (rows.size() * std::max(base->bytes(), reader.bytes_behind(*base)) / base->shape[outer] > bytes) return;
    const handle part = part_of(reader, base, outer, rows);
    if (!part) return;
    seen.at.offset += seen.first - rows.begin * row;
    const handle view = contiguous_copy(record_view(part, seen.at));
    runtime::evaluate(view.alone(), runtime::policy::only);
    runtime::materialise(v, view->memory, view->at);
}

}  // namespace parts

SINTER_INLINE void read_views(codegen::span<runtime::value* const> roots) {
    codegen::sequence<runtime::value*> behind;
    auto add = [&](runtime::value* v) {
        if (codegen::find(behind.begin(), behind.end(), v) == behind.end()) behind.push_back(v);
    };
    for (runtime::value* root : roots) add(root);
    for (std::size_t i = 0; i < behind.size(); ++i)
        if (behind[i]->pending)
            for (runtime::value* input : behind[i]->pending->inputs) add(input);
    // Each behind what it is a view of.
    for (std::size_t i = behind.size(); i-- > 0;) {
        runtime::value& v = *behind[i];
        absent_reader reader(v.where, true);
        if (!reader.is_for(v)) continue;
        const runtime::pool_statistics_result now = runtime::pool_statistics(v.where);
        const std::int64_t bytes = (now.limit - now.used) / 2;
        const device_scope on(v.where);
        if (v.pending && v.pending->kind == runtime::statement_kind::view) {
            runtime::value& base = *v.pending->inputs[0];
            const auto at = base.is_stored() ? codegen::composed(base.at, v.pending->where) : std::nullopt;
            if (at) runtime::materialise(v, base.memory, *at);
            else if (base.pending) parts::compute_view(reader, v, bytes);
        }
        if (!v.pending && v.memory && runtime::is_absent(*v.memory)) parts::read_view(reader, v, bytes);
    }
}

}  // namespace sinter::inline SINTER_ABI::detail
