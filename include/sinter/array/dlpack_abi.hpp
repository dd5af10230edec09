// The structures of DLPack 1.1 (https://dmlc.github.io/dlpack/latest/c_api.html), byte for byte, under names of our
// own; must not know arrays. Their contents are copied in and out, so that programs may read the same bytes by DLPack's
// own header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>

// DLPack's own names, which its header defines where a program includes it.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace sinter::inline SINTER_ABI::detail {

struct dlpack_version {
    std::uint32_t major, minor;
};
struct dlpack_device {
    std::int32_t type;
    std::int32_t id;
};
struct dlpack_type {
    std::uint8_t code, bits;
    std::uint16_t lanes;
};
struct dlpack_tensor {
    void* data;
    dlpack_device device;
    std::int32_t ndim;
    dlpack_type type;
    std::int64_t *shape, *strides;
    std::uint64_t byte_offset;
};
struct dlpack_managed {
    dlpack_tensor tensor;
    void* context;
    void (*deleter)(DLManagedTensor*);
};
struct dlpack_versioned {
    dlpack_version version;
    void* context;
    void (*deleter)(DLManagedTensorVersioned*);
    std::uint64_t flags;
    dlpack_tensor tensor;
};

static_assert(sizeof(dlpack_tensor) == 48 && sizeof(dlpack_managed) == 64 && sizeof(dlpack_versioned) == 80);
static_assert(offsetof(dlpack_tensor, shape) == 24 && offsetof(dlpack_tensor, byte_offset) == 40);
static_assert(offsetof(dlpack_versioned, flags) == 24 && offsetof(dlpack_versioned, tensor) == 32);

inline constexpr std::int32_t dlpack_cpu = 1, dlpack_cuda = 2, dlpack_cuda_host = 3;
enum : std::uint8_t {
    dlpack_int,
    dlpack_uint,
    dlpack_float,
    dlpack_handle,
    dlpack_bfloat,
    dlpack_complex,
    dlpack_bool
};
inline constexpr std::uint64_t dlpack_read_only = 1, dlpack_is_copied = 2;

}  // namespace sinter::inline SINTER_ABI::detail
