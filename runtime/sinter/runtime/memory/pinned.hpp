// Host memory that devices copy from and to while the host goes on.
#pragma once

#include <cstddef>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Memory that does not move, 64-byte aligned: page-locked through a CUDA device, of use to all of them, or ordinary
/// for the CPU; throws out_of_memory.
void* allocate_pinned(std::size_t bytes, device where);
/// Gives it back once the copies from and to it are done.
void release_pinned(void* data) noexcept;

/// Whether a range lies in such memory; a copy between it and the device is then waited for before it is given back.
bool note_pinned_use(const void* data, std::size_t bytes, device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/pinned.ipp>
#endif
