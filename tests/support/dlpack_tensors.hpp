// DLPack's tensors as a library beside sinter declares, makes and reads them, for tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/sinter.hpp>

// What a consumer's copy of dlpack.h declares.
extern "C" {
struct DLDeviceOfTest {
    std::int32_t device_type, device_id;
};
struct DLTypeOfTest {
    std::uint8_t code, bits;
    std::uint16_t lanes;
};
struct DLTensorOfTest {
    void* data;
    DLDeviceOfTest device;
    std::int32_t ndim;
    DLTypeOfTest dtype;
    std::int64_t *shape, *strides;
    std::uint64_t byte_offset;
};
}
struct DLManagedTensor {
    DLTensorOfTest dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
    std::uint32_t major, minor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned*);
    std::uint64_t flags;
    DLTensorOfTest dl_tensor;
};

namespace test_tensors {

/// Memory of a device that a test fills and hands out as a tensor; counts how often the deleter is called.
struct producer {
    sinter::runtime::buffer_ref memory;
    std::vector<std::int64_t> shape, strides;
    DLManagedTensorVersioned versioned{};
    DLManagedTensor unversioned{};
    int deleted = 0;

    template <class T>
    producer(const std::vector<T>& values, DLTypeOfTest type, std::vector<std::int64_t> n,
             std::vector<std::int64_t> s = {})
        : shape(std::move(n)), strides(std::move(s)) {
        const sinter::device where = sinter::runtime::current_device();
        memory = sinter::runtime::allocate_buffer(where, values.size() * sizeof(T));
        sinter::runtime::copy_to_device(where, memory->data, values.data(), values.size() * sizeof(T));
        DLTensorOfTest t{memory->data,
                         {where.is_cuda() ? 2 : 1, where.index()},
                         static_cast<std::int32_t>(shape.size()),
                         type,
                         shape.data(),
                         strides.empty() ? nullptr : strides.data(),
                         0};
        versioned = {1, 0, this, [](DLManagedTensorVersioned* m) { ++static_cast<producer*>(m->manager_ctx)->deleted; },
                     0, t};
        unversioned = {t, this, [](DLManagedTensor* m) { ++static_cast<producer*>(m->manager_ctx)->deleted; }};
    }
    template <class T>
    void put(std::size_t at, T v) {
        sinter::runtime::copy_to_device(memory->where, static_cast<T*>(memory->data) + at, &v, sizeof v);
    }
};

inline constexpr DLTypeOfTest float32{2, 32, 1}, int64{0, 64, 1};

inline std::vector<float> numbers(int n) {
    std::vector<float> v;
    for (int i = 0; i < n; ++i) v.push_back(static_cast<float>(i));
    return v;
}

template <class T>
std::vector<T> host_copy(const DLTensorOfTest& t, std::size_t count) {
    std::vector<T> v(count);
    const sinter::device where =
        t.device.device_type == 2 ? sinter::device::cuda(t.device.device_id) : sinter::device::cpu();
    sinter::runtime::copy_to_host(v.data(), where, t.data, count * sizeof(T));
    return v;
}

}  // namespace test_tensors
