// Buffers whose contents lie elsewhere, as in a file, until something uses them: brought in whole, or read in parts
// where they would not fit; must not know formats or arrays.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sinter/runtime/base/byte_stream.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// What a buffer holds once it is used, of which any bytes can be had as often as they are wanted.
class buffer_origin {
public:
    virtual ~buffer_origin() = default;
    /// Copies runs, one behind the other, to a device's memory, and waits for that; throws io_error. Several threads
    /// may call it.
    virtual void copy(const byte_runs& runs, device to, void* destination) const = 0;
};

/// A buffer without memory of its own until it is brought in.
buffer_ref make_absent_buffer(device where, std::size_t bytes, std::shared_ptr<const buffer_origin> origin);

inline bool is_absent(const buffer& b) { return b.origin != nullptr; }

/// Whether it would take more than half of what the device's pool may still take.
bool is_too_large(const buffer& b);

/// Throws the error again with what can be done about it.
[[noreturn]] void throw_needs_parts(const out_of_memory& e);

/// Gives it memory and its contents, for good; nothing where it has them. Throws out_of_memory. runtime_lock() is held.
void bring_in(buffer& b);

/// How many there are. Constant-initialised, because it is looked at before every launch.
inline constinit std::atomic<std::int64_t> absent_buffers{0};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/absent_buffer.ipp>
#endif
