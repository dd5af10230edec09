// Streams of a device, and what waits for what; must not know what memory is for.
#pragma once

#include <atomic>
#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/base/light_mutex.hpp>

namespace sinter::inline SINTER_ABI {
class device;
}

namespace sinter::inline SINTER_ABI::runtime {

struct stream_state;

/// A place in a stream's work: what was enqueued up to it. Without a stream, the device's first stream before there
/// were others.
struct stream_mark {
    stream_state* stream = nullptr;
    std::uint64_t tick = 0;
    friend bool operator==(const stream_mark&, const stream_mark&) = default;
};

/// Who used memory last.
struct memory_uses {
    stream_mark written;
    codegen::sequence<stream_mark> read;  ///< after that, the last of each stream
};

// Constant-initialised, because it is looked at before every launch.
inline constinit std::atomic<bool> several_streams{false};

/// Whether there has ever been a second stream on a CUDA device: without one nothing has to be ordered.
inline bool has_several_streams() { return several_streams.load(std::memory_order_acquire); }

/// Guards streams, marks and the uses of all memory.
light_recursive_mutex& order_lock();

/// The stream that this thread's work on a device goes to, with its number on the device; 0 is the first one.
stream_state& current_stream(device where);
int stream_number(device where);
/// Its CUstream; nullptr on the CPU.
void* native_stream(device where);
/// Makes a stream this thread's, nullptr for the first one; returns the previous one.
stream_state* exchange_stream(device where, stream_state* s);

/// A stream of its own until it is given back, over a CUstream of someone else's when `native` is one.
stream_state* open_stream(device where, void* native = nullptr);
/// Its work goes on; that of a foreign stream is waited for.
void give_back_stream(stream_state* s) noexcept;
void* native_of(const stream_state& s);
device device_of(const stream_state& s);

/// Waits for the work of one stream, or of all that this process knows of on the device.
void wait_for_stream(stream_state& s);
void wait_for_streams(device where);
/// Whether the work of a stream is done.
bool is_stream_idle(stream_state& s);

/// Notes that what is enqueued so far can be waited for.
stream_mark mark_stream(stream_state& s);
/// Work that a stream does from now on comes after the mark.
void order_after(stream_state& s, const stream_mark& m);
/// Whether that is so already, or what the mark stands for is done.
bool is_ordered_after(stream_state& s, const stream_mark& m);
/// It is ordered so by somebody else; or what the mark stands for is known to be done.
void note_after(stream_state& s, const stream_mark& m);
void note_done(const stream_mark& m);

/// The mark of what this thread is about to enqueue.
stream_mark coming_mark(device where);
/// Whether this thread's stream may write over memory without waiting for others.
bool may_reuse(device where, const memory_uses& u);
/// The device's first stream comes after all uses of some memory.
void order_first_after(device where, const memory_uses& u);

/// Something that each stream has for itself, made at its first use and never destroyed: the T of this thread's stream.
void* own_of_stream(device where, const void* which, void* (*make)());
template <class T>
T& own_of_stream(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

// Whose bodies use what is declared above.
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

template <class T>
T& own_of_stream(device where) {
    static const char which = 0;
    return *static_cast<T*>(own_of_stream(where, &which, [] { return static_cast<void*>(new T()); }));
}

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/stream_order.ipp>
#endif
