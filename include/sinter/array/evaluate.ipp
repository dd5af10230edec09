// Bodies of evaluate.hpp.
#pragma once

#include <sinter/array/evaluate.hpp>
#include <sinter/runtime/lazy/compile_ahead.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void precompile(codegen::span<const handle> values) {
    runtime::require_no_step("kernels are compiled");
    std::lock_guard lock(runtime::runtime_lock());
    runtime::kernels_ahead kernels;
    for (const handle& h : values) kernels.add(*h.get());
    kernels.compile();
}

SINTER_INLINE int count_inside(const recorder& r, const handle& h) {
    int n = 0;
    for (const runtime::code& c : r.codes) n += c.kind == runtime::code::what::input && r.inputs[c.number] == h.get();
    return n;
}

// Moves a buffer's contents to new memory, and gives the old memory, with who knows its address, to a new buffer.
SINTER_INLINE runtime::buffer_ref taken_over(runtime::buffer& shared) {
    runtime::buffer_ref taken = runtime::allocate_buffer(shared.where, shared.bytes);
    runtime::stream_work work(shared.where);
    work.reads(shared);
    work.writes(*taken);
    if (shared.bytes) runtime::copy_between(shared.where, taken->data, shared.where, shared.data, shared.bytes);
    work.finish();
    std::swap(shared.data, taken->data);
    std::swap(shared.uses, taken->uses);
    std::swap(shared.exported, taken->exported);
    std::swap(shared.release_owner, taken->release_owner);
    std::swap(shared.owner, taken->owner);
    return taken;
}

// A view of others' elements has none of its own that could be written, and gets memory: nobody else sees it.
SINTER_INLINE handle with_own_memory(const handle& view) {
    if (view->memory->exported)
        throw value_error(
            "[out] the array is a view, whose elements do not lie side by side, and its address is given away: write a "
            "= a.copy() first, or a = e");
    auto bytes = static_cast<std::size_t>(view->bytes());
    return runtime::make_stored(view->type, view->shape, runtime::allocate_buffer(view->where, bytes),
                                codegen::contiguous(view->shape));
}

// The memory of a target as that of a value which nobody else holds; see written_into.
SINTER_INLINE handle alone_in_memory(const handle& target, int inside) {
    if (target->memory->imported)
        throw value_error(
            "[out] the array's memory is another library's, which is never written: write a = a.copy() first, or a = "
            "e");
    if (!is_row_major(*target)) return with_own_memory(target);
    // Formulas of nothing but numbers wait on, and read it later. Two handles are the array's and written_into's.
    const bool is_read_later = target->references() != target->handles(),
               is_shared = target->memory->references.load() != 1 || target->handles() > 2 + inside;
    if (!is_shared && !is_read_later) return target;
    if (is_shared && (target->memory->exported || target->memory->release_owner))
        throw value_error(
            "[out] the array's memory is shared and its address given away, so that nothing can move: write a = "
            "a.copy() first, or a = e");
    const codegen::layout at = target->at;
    return runtime::make_stored(target->type, target->shape, taken_over(*target->memory), at);
}

SINTER_INLINE handle written_into(const handle& target, const handle& value, int inside) {
    if (target->shape != value->shape)
        throw shape_error("[out] an expression of shape " + to_string(value->shape) +
                          " does not fit an array of shape " + to_string(target->shape));
    std::lock_guard lock(runtime::runtime_lock());
    handle result = value->is_stored() ? contiguous_copy(value) : value;
    const handle both[] = {target, result};
    evaluate(both);
    runtime::synchronize_all();  // what still reads the old contents reads them now
    if (!is_row_major(*result)) {
        result = contiguous_copy(result);
        runtime::evaluate(result.alone());
    }
    runtime::require_valid(*result);
    handle written = alone_in_memory(target, inside);
    auto bytes = static_cast<std::size_t>(written->bytes());
    auto address = [](const handle& h) {
        return static_cast<char*>(h->memory->data) + h->at.offset * codegen::size_of(h->type);
    };
    runtime::stream_work work(written->where);
    work.reads(*result->memory);
    work.writes(*written->memory);
    if (bytes) runtime::copy_between(written->where, address(written), result->where, address(result), bytes);
    return written;
}

}  // namespace sinter::inline SINTER_ABI::detail
