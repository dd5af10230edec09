// Bodies of stream_work.hpp.
#pragma once

#include <mutex>
#include <sinter/runtime/base/light_mutex.hpp>
#include <sinter/runtime/memory/stream_work.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE stream_work::stream_work(device where) {
    if (where.is_cuda() && has_several_streams()) stream_ = &current_stream(where);
}

SINTER_INLINE stream_work::~stream_work() {
    try {
        if (stream_) mark();
    } catch (...) {  // a device that has failed says so at the next call that may throw
    }
}

SINTER_INLINE void stream_work::add(buffer& b, bool writes) {
    std::lock_guard lock(order_lock());
    order_after(*stream_, b.uses.written);
    for (const stream_mark& m : b.uses.read)
        if (writes) order_after(*stream_, m);
    uses_.push_back({&b, writes});
}

SINTER_INLINE void note_read(memory_uses& u, const stream_mark& by) {
    for (stream_mark& m : u.read)
        if (m.stream == by.stream) {
            m = by;
            return;
        }
    u.read.push_back(by);
}

SINTER_INLINE void stream_work::mark() {
    std::lock_guard lock(order_lock());
    const stream_mark now = mark_stream(*std::exchange(stream_, nullptr));
    for (const use& u : uses_) {
        if (!u.writes) note_read(u.memory->uses, now);
        else u.memory->uses = {now, {}};
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime
