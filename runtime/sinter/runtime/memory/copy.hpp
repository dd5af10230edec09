// Copies between and within devices, the only functions that move array data; must not know dtypes or shapes.
#pragma once

#include <cstddef>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Copies from a device into host memory and waits until it is there.
void copy_to_host(void* destination, device from, const void* source, std::size_t bytes);

/// The same without waiting when the destination is pinned memory: it is written in stream order.
void copy_to_pinned(void* destination, device from, const void* source, std::size_t bytes);

/// Copies host memory to a device; the source may be reused when this returns, or, when it is pinned, in stream order.
void copy_to_device(device to, void* destination, const void* source, std::size_t bytes);

/// Copies between any two devices, or within one, in stream order; what involves the CPU is complete on return.
void copy_between(device to, void* destination, device from, const void* source, std::size_t bytes);

/// Sets bytes on a device to zero, in stream order.
void fill_zero(device where, void* destination, std::size_t bytes);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/copy.ipp>
#endif
