// Bodies of raw_kernel.hpp.
#pragma once

#include <sinter/user/raw_kernel.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI {

namespace detail {

SINTER_INLINE void raw_launch::require_here(const handle& x) const {
    if (!(x->where == where_))
        throw device_error("[raw_kernel] " + kernel_ + " runs on " + to_string(where_) + ", but an array of shape " +
                           to_string(x->shape) + " lives on " + to_string(x->where) + ": move it with a.to(device)");
}

SINTER_INLINE void* raw_launch::address(const handle& x, bool writes) {
    held_.push_back({x, writes});
    return static_cast<char*>(x->memory->data) + x->at.offset * codegen::size_of(x->type);
}

SINTER_INLINE void* raw_launch::read(const handle& x) {
    require_here(x);
    const handle h = computed_rows(x);
    runtime::require_valid(*h);
    return address(h, false);
}

SINTER_INLINE handle raw_launch::written(const handle& x, bool keep) const {
    require_here(x);
    std::lock_guard lock(runtime::runtime_lock());
    if (keep) {
        runtime::evaluate(x.alone());
        runtime::require_valid(*x);
    }
    if (x->is_stored() && x->references() == 1 && x->memory->references.load() == 1 && is_row_major(*x) &&
        !x->memory->imported)
        return x;
    if (!keep)
        return runtime::make_stored(x->type, x->shape,
                                    runtime::allocate_buffer(where_, static_cast<std::size_t>(x->bytes())),
                                    codegen::contiguous(x->shape));
    handle copy = contiguous_copy(x);
    runtime::evaluate(copy.alone());
    return copy;
}

SINTER_INLINE void raw_launch::launch(const runtime::cuda_kernel& k, runtime::launch_extent grid,
                                      runtime::launch_extent block, std::size_t shared_bytes, void* const* addresses) {
    std::lock_guard lock(runtime::runtime_lock());
    runtime::stream_work work(where_);
    for (const argument& a : held_) {
        if (a.writes) work.writes(*a.array->memory);
        else work.reads(*a.array->memory);
    }
    runtime::timed_work event("launch", where_);
    runtime::launch_cuda(where_, k, grid, block, shared_bytes, addresses);
    if (event) event.end(kernel_);
    work.finish();
    launched_ = true;
}

}  // namespace detail

SINTER_INLINE device raw_kernel::require_device() const {
    device where = runtime::current_device();
    if (!where.is_cuda())
        throw device_error("[raw_kernel] " + name_ + " is CUDA C++ and needs a GPU, but the current device is " +
                           to_string(where) + ": elementwise_kernel and SINTER_FUNCTION run everywhere");
    return where;
}

SINTER_INLINE runtime::cuda_kernel raw_kernel::find(runtime::launch_extent grid, runtime::launch_extent block,
                                                    std::size_t shared_bytes) const {
    auto text = [](const runtime::launch_extent& e) {
        return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
    };
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
        throw value_error("[raw_kernel] " + name_ + " is launched with a grid of " + text(grid) + " blocks of " +
                          text(block) + " threads");
    const device where = runtime::current_device();
    std::lock_guard lock(runtime::runtime_lock());
    runtime::cuda_kernel k = runtime::find_users_kernel(text_, name_, options_, where);
    if (shared_bytes > 48 * 1024) runtime::allow_shared_memory(where, k, shared_bytes);
    return k;
}

}  // namespace sinter::inline SINTER_ABI
