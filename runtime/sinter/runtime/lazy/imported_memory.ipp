// Bodies of imported_memory.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/lazy/imported_memory.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE device place_of_pointer([[maybe_unused]] const void* data) {
#if SINTER_HAS_CUDA
    const bool may_be_cuda = env().backend.empty() || env().backend == "cuda";
    if (!may_be_cuda || !data || cuda_device_count() == 0) return device::cpu();
    use_device(0);
    const auto address = reinterpret_cast<CUdeviceptr>(data);
    CUmemorytype type{};
    int index = 0;
    // Memory that no call of the driver made is unknown to it.
    if (driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS ||
        type != CU_MEMORYTYPE_DEVICE)
        return device::cpu();
    check(driver().cuPointerGetAttribute(&index, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address),
          "cuPointerGetAttribute");
    return device::cuda(index);
#else
    return device::cpu();
#endif
}

// What others asked of the device has to be done before we read, in a stream that they do not know.
SINTER_INLINE void wait_for_all_streams([[maybe_unused]] device where) {
#if SINTER_HAS_CUDA
    if (where.is_cpu()) return;
    use_device(where.index());
    check(driver().cuCtxSynchronize(), "cuCtxSynchronize");
#endif
}

/// The owner of imported memory, and the device whose work may still read it.
struct imported_owner : postponed_call {
    void (*release)(void*) noexcept;
    void* owner;
    device where;

    imported_owner(void (*r)(void*) noexcept, void* o, device d)
        : postponed_call{tell, nullptr}, release(r), owner(o), where(d) {}

    // The owner's code may wait for a lock that another thread holds while it waits for ours.
    static void give_back(void* self) noexcept { runtime_lock().call_outside(*static_cast<imported_owner*>(self)); }

    static void tell(postponed_call* self) noexcept {
        codegen::owner<imported_owner> own(static_cast<imported_owner*>(self));
        // A device that has failed reads nothing any more.
        try {
            host_synchronize(own->where);
        } catch (...) {
        }
        own->release(own->owner);
    }
};

/// The numbers of the lowest and the highest element that strides reach, from the first one.
struct element_range {
    std::int64_t low = 0, high = 0;
};

SINTER_INLINE element_range range_of(const imported_memory& m) {
    element_range r;
    for (int i = 0; i < m.shape.size(); ++i) {
        std::int64_t far = 0, &end = m.strides[i] < 0 ? r.low : r.high;
        if (__builtin_mul_overflow(m.shape[i] - 1, m.strides[i], &far) || __builtin_add_overflow(end, far, &end) ||
            end > INT64_MAX / 32 || end < -(INT64_MAX / 32))
            throw value_error(codegen::joined({"[", m.operation, "] strides ", to_string(m.strides),
                                               " of an array of shape ", to_string(m.shape), " are too large"}));
    }
    return r;
}

SINTER_INLINE handle make_imported(const imported_memory& m) {
    // Kernels read several elements at once from addresses that are multiples of this, as all memory of our own begins.
    const std::uintptr_t block = m.where.is_cuda() ? 256 : 64;
    const std::int64_t item = codegen::size_of(m.type);
    const bool is_empty = m.shape.product() == 0;
    const auto address = reinterpret_cast<std::uintptr_t>(m.data);
    auto refuse = [&](const std::string& what) { throw value_error(codegen::joined({"[", m.operation, "] ", what})); };
    if (!is_empty && !m.data) refuse("the memory of an array of shape " + to_string(m.shape) + " is null");
    if (address % static_cast<std::uintptr_t>(item) != 0)
        refuse("the memory is not aligned to the " + std::to_string(item) + " bytes of " +
               std::string(to_string(m.type)));
    const element_range r = is_empty ? element_range() : range_of(m);
    wait_for_all_streams(m.where);
    const std::uintptr_t lowest = address + static_cast<std::uintptr_t>(r.low * item), begin = lowest / block * block;
    const auto bytes = static_cast<std::size_t>(lowest - begin) + static_cast<std::size_t>((r.high - r.low + 1) * item);
    const codegen::layout at{m.shape, m.strides, static_cast<std::int64_t>(address - begin) / item};
    codegen::owner<imported_owner> owner(m.release ? new imported_owner(m.release, m.owner, m.where) : nullptr);
    buffer_ref memory =
        import_buffer(m.where, is_empty ? nullptr : reinterpret_cast<void*>(begin), is_empty ? 0 : bytes);
    handle h = make_stored(m.type, m.shape, memory, is_empty ? codegen::contiguous(m.shape) : at);
    if (owner) {
        memory->release_owner = imported_owner::give_back;
        memory->owner = owner.release();
    }
    return h;
}

}  // namespace sinter::inline SINTER_ABI::runtime
