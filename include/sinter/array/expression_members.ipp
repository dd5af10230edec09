// Bodies of expression_members.hpp.
#pragma once

#include <sinter/array/expression_members.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::int64_t count_rows(const dims& shape) {
    if (shape.empty()) throw value_error("[iteration] an array without axes has no rows");
    return shape[0];
}

SINTER_INLINE handle transposed_all(const handle& h) {
    dims order;
    for (int i = h->shape.size() - 1; i >= 0; --i) order.push_back(i);
    return record_view(h, codegen::transposed(codegen::contiguous(h->shape), order));
}

SINTER_INLINE handle transposed_last(const handle& h) {
    dims order;
    int n = h->shape.size();
    if (n < 2) throw value_error("[mT] an array of shape " + to_string(h->shape) + " has fewer than two axes");
    for (int i = 0; i < n; ++i) order.push_back(i < n - 2 ? i : 2 * n - 3 - i);
    return record_view(h, codegen::transposed(codegen::contiguous(h->shape), order));
}

SINTER_INLINE handle copied(const handle& h) {
    runtime::evaluate(h.alone());
    handle c = contiguous_copy(h);
    runtime::evaluate(c.alone());
    return c;
}

SINTER_INLINE handle moved(const handle& h, device to) {
    if (h->where == to) return h;
    handle c = is_row_major(*h) && h->is_stored() ? h : contiguous_copy(h);
    runtime::evaluate(c.alone());
    auto bytes = static_cast<std::size_t>(c->bytes());
    runtime::buffer_ref memory = runtime::allocate_buffer(to, bytes);
    const char* from = static_cast<const char*>(c->memory->data) + c->at.offset * codegen::size_of(c->type);
    if (bytes) {
        runtime::stream_work reading(h->where), writing(to);
        reading.reads(*c->memory);
        writing.writes(*memory);
        runtime::copy_between(to, memory->data, h->where, from, bytes);
    }
    runtime::require_valid(*c);
    return runtime::make_stored(c->type, c->shape, std::move(memory), codegen::contiguous(c->shape));
}

}  // namespace sinter::inline SINTER_ABI::detail
