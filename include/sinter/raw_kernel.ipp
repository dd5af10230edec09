// Bodies of raw_kernel.hpp.
#pragma once

#include <sinter/raw_kernel.hpp>
#include <sinter/runtime/kernel_cache.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

SINTER_INLINE void raw_launch::require_here(const handle& x) const {
    if (!(x->where == where_))
        throw device_error("[raw_kernel] " + kernel_ + " runs on " + to_string(where_) + ", but an array of shape " + to_string(x->shape) +
                           " lives on " + to_string(x->where) + ": move it with a.to(device)");
}

SINTER_INLINE void* raw_launch::read(const handle& x) {
    require_here(x);
    handle h = x;
    evaluate({&h, 1});
    if (!is_row_major(*h)) {
        h = contiguous_copy(h);
        evaluate({&h, 1});
    }
    runtime::require_valid(*h);
    held_.push_back(h);
    return static_cast<char*>(h->memory->data) + h->at.offset * codegen::size_of(h->type);
}

SINTER_INLINE void* raw_launch::write(handle& x, bool keep) {
    require_here(x);
    std::lock_guard lock(runtime::runtime_lock());
    if (keep) {
        evaluate({&x, 1});
        runtime::require_valid(*x);
    }
    bool own = x->is_stored() && x->references() == 1 && x->memory->references.load() == 1 && is_row_major(*x) && !x->memory->imported;
    if (!own && keep) {
        x = contiguous_copy(x);
        evaluate({&x, 1});
    } else if (!own) {
        x = runtime::make_stored(x->type, x->shape, runtime::allocate_buffer(where_, static_cast<std::size_t>(x->bytes())),
                                 codegen::contiguous(x->shape));
    }
    held_.push_back(x);
    return static_cast<char*>(x->memory->data) + x->at.offset * codegen::size_of(x->type);
}

}  // namespace detail

SINTER_INLINE device raw_kernel::require_device() const {
    device where = runtime::current_device();
    if (!where.is_cuda())
        throw device_error("[raw_kernel] " + name_ + " is CUDA C++ and needs a GPU, but the current device is " + to_string(where) +
                           ": elementwise_kernel and SINTER_FUNCTION run everywhere");
    return where;
}

SINTER_INLINE void raw_kernel::run(runtime::launch_extent grid, runtime::launch_extent block, std::size_t shared_bytes,
                                   void* const* addresses) const {
    device where = runtime::current_device();
    auto text = [](const runtime::launch_extent& e) {
        return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
    };
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
        throw value_error("[raw_kernel] " + name_ + " is launched with a grid of " + text(grid) + " blocks of " + text(block) + " threads");
    std::lock_guard lock(runtime::runtime_lock());
    runtime::cuda_kernel k = runtime::find_users_kernel(text_, name_, options_, where);
    if (shared_bytes > 48 * 1024) runtime::allow_shared_memory(where, k, shared_bytes);
    runtime::launch_cuda(where, k, grid, block, shared_bytes, addresses);
}

}  // namespace sinter::inline SINTER_ABI
