// Streams, events and memory pools as users see them.
#pragma once

#include <cstdint>
#include <memory>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/device/stream_order.hpp>

namespace sinter::inline SINTER_ABI {

class event;

/// A queue of work on a device (cupy.cuda.Stream): work of one stream runs in order, that of several at the same time.
/// Arrays may be written on one and read on another: who needs what another stream writes waits for it by itself. On
/// the CPU there are streams too, whose work is done when it is enqueued. Copies are the same stream, and so
/// is one that has been moved from.
class stream {
public:
    /// A new stream, which waits for no other (Stream(non_blocking=True)); throws device_error.
    explicit stream(device where = runtime::current_device());
    /// A CUstream that somebody else made and destroys, after this (cupy.cuda.ExternalStream).
    static stream wrap(device where, void* native);
    stream(const stream&) = default;
    stream& operator=(const stream&) = default;

    device where() const { return runtime::device_of(*state_); }
    /// The CUstream, for other libraries; nullptr on the CPU (Stream.ptr).
    void* native() const { return runtime::native_of(*state_); }
    /// Runs what this thread has recorded and waits for the work of this stream; throws device_error when some of it
    /// failed.
    void synchronize() const;
    /// Whether everything that was enqueued is done (Stream.done).
    bool query() const;
    /// What is enqueued from now on waits for the event (Stream.wait_event); nothing when it has not been recorded.
    void wait(const event& e) const;

private:
    friend class stream_scope;
    friend class event;
    explicit stream(runtime::stream_state* s);
    std::shared_ptr<runtime::stream_state> state_;
};

/// This thread's work on the stream's device goes to the stream while this lives (`with stream:`). What was recorded
/// before is run before, on the stream it was recorded for, and what is recorded inside is run at the end; throws
/// value_error inside a step of a `graph`.
class stream_scope {
public:
    explicit stream_scope(const stream& s);
    ~stream_scope();
    stream_scope(const stream_scope&) = delete;
    stream_scope& operator=(const stream_scope&) = delete;

private:
    stream kept_;
    runtime::stream_state* previous_;
};

/// A place in a stream's work that can be waited for and that has a time (cupy.cuda.Event). Copies are the same event,
/// and so is one that has been moved from.
class event {
public:
    event();
    event(const event&) = default;
    event& operator=(const event&) = default;
    /// Runs what this thread has recorded and marks the end of what its stream on the current device, or a given one,
    /// has to do.
    void record();
    void record(const stream& s);
    /// Waits until the place has been reached; returns at once when nothing was recorded.
    void synchronize() const;
    /// Whether it has been reached (Event.done); true when nothing was recorded.
    bool query() const;
    /// The CUevent; nullptr on the CPU and before the first recording (Event.ptr).
    void* native() const;

    /// Milliseconds from one event to another (cupy.cuda.get_elapsed_time); throws value_error when one of them has not
    /// been recorded or reached, or when they belong to different devices.
    friend float elapsed(const event& begin, const event& end);

private:
    friend class stream;
    struct state;
    void record_on(runtime::stream_state& s);
    std::shared_ptr<state> state_;
};
float elapsed(const event& begin, const event& end);

/// The memory of arrays on a device (cupy.cuda.MemoryPool): blocks that arrays gave back are kept for the next ones.
class memory_pool_reference {
public:
    explicit memory_pool_reference(device where) : where_(where) {}
    /// Bytes in arrays (used_bytes), and bytes taken from the system: used, or kept for later (total_bytes).
    std::int64_t used() const;
    std::int64_t held() const;
    /// The largest `used` so far, or since reset_peak().
    std::int64_t peak() const;
    void reset_peak() const;
    /// The most that is taken from the system (get_limit): the device's memory, or what set_limit says (set_limit); 0
    /// takes the limit away. Arrays beyond it throw out_of_memory, after what is kept for later has been given back.
    /// Throws value_error for a negative number.
    std::int64_t limit() const;
    void set_limit(std::int64_t bytes) const;
    /// Gives what is kept for later back to the system (free_all_blocks).
    void trim() const;

private:
    device where_;
};

/// The pool of a device, by default of the current one (cupy.get_default_memory_pool).
inline memory_pool_reference memory_pool(device where = runtime::current_device()) {
    return memory_pool_reference(where);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/stream.ipp>
#endif
