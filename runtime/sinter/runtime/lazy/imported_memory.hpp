// Values in memory of someone else: where such memory is, how it is described, and when it is given back.
#pragma once

#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// The device whose memory a pointer is: a CUDA device when the driver says so, else the CPU.
device place_of_pointer(const void* data);

/// Elements of someone else.
struct imported_memory {
    dtype type;
    dims shape;
    dims strides;      ///< in elements, of any sign
    const char* data;  ///< the first element
    device where;
    void (*release)(void*) noexcept;  ///< called with `owner` once, without locks, when nothing refers to the memory
                                      ///< any more; may be null
    void* owner;
    const char* operation;  ///< for messages
};

/// A stored value of such memory, once the device has done what other streams of it were asked for. Throws value_error
/// for memory that is null, misaligned or overflows; then nothing is released.
handle make_imported(const imported_memory& m);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/imported_memory.ipp>
#endif
