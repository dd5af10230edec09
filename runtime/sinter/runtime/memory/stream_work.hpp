// Orders work that uses buffers after what other streams did with them; must not know arrays.
#pragma once

#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Work that this thread is about to enqueue on its stream of a device, and the buffers that it reads and writes: it
/// comes after the work of other streams on them, and what they do with them after `finish` comes after it. Nothing on
/// the CPU or while there is one stream.
class stream_work {
public:
    explicit stream_work(device where);
    ~stream_work();
    stream_work(const stream_work&) = delete;
    stream_work& operator=(const stream_work&) = delete;
    void reads(buffer& b) {
        if (stream_) add(b, false);
    }
    void writes(buffer& b) {
        if (stream_) add(b, true);
    }
    void finish() {
        if (stream_) mark();
    }

private:
    void add(buffer& b, bool writes);
    void mark();
    struct use {
        buffer* memory;
        bool writes;
    };
    stream_state* stream_ = nullptr;
    codegen::sequence<use> uses_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/stream_work.ipp>
#endif
