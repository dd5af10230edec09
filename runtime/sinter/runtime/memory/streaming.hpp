// Moves bytes between streams and device memory in pieces, so that the host never holds all of them; must not know
// formats.
#pragma once

#include <cstddef>
#include <sinter/runtime/base/byte_stream.hpp>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Bytes of a piece: pieces begin at multiples of it.
inline constexpr std::size_t streamed_piece = std::size_t{8} << 20;

/// The next `bytes` of a source to device memory: on a CUDA device through two pinned pieces, of which one is copied
/// while the other is read.
void read_to_device(device to, void* destination, std::size_t bytes, byte_source& from);

/// Device memory to a sink, in the same way.
void write_from_device(device from, const void* source, std::size_t bytes, byte_sink& to);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/streaming.ipp>
#endif
