// Bodies of stream_order.hpp: events at the ends of pieces of work, and which stream has waited for which.
#pragma once

#include <mutex>
#include <utility>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/light_mutex.hpp>
#include <sinter/runtime/device/stream_order.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A stream; never destroyed, since marks in buffers name it. All but the constant members are guarded by order_lock().
struct stream_state {
    struct event_mark {
        std::uint64_t tick = 0;
        void* event = nullptr;  ///< a CUevent
    };
    static constexpr std::size_t most_marks = 32;  ///< older ones are taken for the next later one

    device where;
    int number = 0;
    void* native = nullptr;  ///< a CUstream
    bool foreign = false;
    std::uint64_t tick = 0;                  ///< of the last mark
    std::uint64_t done = 0;                  ///< up to here the host knows it to be
    codegen::sequence<std::uint64_t> after;  ///< by stream: up to which mark this one comes after that one
    codegen::sequence<event_mark> marks;     ///< the last ones, in turn
    std::size_t next_mark = 0;
    struct own {
        const void* which;
        void* object;
    };
    codegen::sequence<own> owns;  ///< see own_of_stream
};

/// The streams of a device.
struct stream_table {
    codegen::sequence<stream_state*> all, idle;
    std::atomic<stream_state*> first{nullptr};
    std::uint64_t alone = 0;  ///< the first stream's mark at which it ceased to be the only one
};

SINTER_INLINE light_recursive_mutex& order_lock() {
    static light_recursive_mutex& m = *new light_recursive_mutex;
    return m;
}

inline constexpr int stream_devices = 65;  ///< the CPU is number 0

SINTER_INLINE stream_table& streams_of(device where) {
    static stream_table* tables = new stream_table[stream_devices];
    return tables[where.id() + 1];
}

SINTER_INLINE stream_state*& scoped_stream(device where) {
    static thread_local stream_state* scoped[stream_devices] = {};
    return scoped[where.id() + 1];
}

SINTER_INLINE stream_state& add_stream(stream_table& t, device where, void* native) {
    auto* s = new stream_state;
    s->where = where;
    s->native = native;
    s->number = static_cast<int>(t.all.size());
    t.all.push_back(s);
    return *s;
}

SINTER_INLINE stream_state& first_stream(device where) {
    stream_table& t = streams_of(where);
    if (stream_state* s = t.first.load(std::memory_order_acquire)) return *s;
    void* native = nullptr;
#if SINTER_HAS_CUDA
    if (where.is_cuda()) native = use_device(where.index()).stream;
#endif
    std::lock_guard lock(order_lock());
    if (stream_state* s = t.first.load(std::memory_order_acquire)) return *s;
    stream_state& s = add_stream(t, where, native);
    t.first.store(&s, std::memory_order_release);
    return s;
}

SINTER_INLINE stream_state& current_stream(device where) {
    stream_state* s = scoped_stream(where);
    return s ? *s : first_stream(where);
}

SINTER_INLINE int stream_number(device where) {
    const stream_state* s = scoped_stream(where);
    return s ? s->number : 0;
}

SINTER_INLINE void* native_stream(device where) {
    if (const stream_state* s = scoped_stream(where)) return s->native;
#if SINTER_HAS_CUDA
    if (where.is_cuda()) return use_device(where.index()).stream;
#endif
    return nullptr;
}

SINTER_INLINE stream_state* exchange_stream(device where, stream_state* s) {
    return std::exchange(scoped_stream(where), s);
}

SINTER_INLINE void* native_of(const stream_state& s) { return s.native; }
SINTER_INLINE device device_of(const stream_state& s) { return s.where; }

#if SINTER_HAS_CUDA

SINTER_INLINE stream_mark mark_stream(stream_state& s) {
    std::lock_guard lock(order_lock());
    if (s.where.is_cpu() || !s.native) return {&s, s.done = ++s.tick};
    use_device(s.where.index());
    if (s.marks.size() < stream_state::most_marks) {
        CUevent fresh = nullptr;
        check(driver().cuEventCreate(&fresh, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
        s.marks.push_back({0, fresh});
    }
    stream_state::event_mark& m = s.marks[s.next_mark];
    check(driver().cuEventRecord(static_cast<CUevent>(m.event), static_cast<CUstream>(s.native)), "cuEventRecord");
    m.tick = ++s.tick;
    s.next_mark = (s.next_mark + 1) % stream_state::most_marks;
    return {&s, s.tick};
}

// The first event that comes after a mark.
SINTER_INLINE stream_state::event_mark event_after(const stream_state& s, std::uint64_t tick) {
    stream_state::event_mark best;
    for (const stream_state::event_mark& m : s.marks)
        if (m.tick >= tick && (!best.event || m.tick < best.tick)) best = m;
    return best;
}

// The mark with a stream, whichever stood for it.
SINTER_INLINE stream_mark named(stream_mark m, device where) {
    return m.stream ? m : stream_mark{&first_stream(where), streams_of(where).alone};
}

SINTER_INLINE bool is_known_after(stream_state& s, const stream_mark& m) {
    const auto other = static_cast<std::size_t>(m.stream->number);
    if (m.stream == &s || m.tick <= m.stream->done) return true;
    return other < s.after.size() && m.tick <= s.after[other];
}

SINTER_INLINE void note_done(const stream_mark& m) {
    std::lock_guard lock(order_lock());
    if (m.stream && m.tick > m.stream->done) m.stream->done = m.tick;
}

SINTER_INLINE void note_after(stream_state& s, const stream_mark& m) {
    std::lock_guard lock(order_lock());
    const auto other = static_cast<std::size_t>(m.stream->number);
    if (s.after.size() <= other) s.after.resize(other + 1, 0);
    if (s.after[other] < m.tick) s.after[other] = m.tick;
}

SINTER_INLINE bool is_ordered_after(stream_state& s, const stream_mark& mark) {
    std::lock_guard lock(order_lock());
    const stream_mark m = named(mark, s.where);
    if (is_known_after(s, m)) return true;
    if (m.tick > m.stream->tick) return false;
    const stream_state::event_mark e = event_after(*m.stream, m.tick);
    use_device(s.where.index());
    if (driver().cuEventQuery(static_cast<CUevent>(e.event)) != CUDA_SUCCESS) return false;
    note_done({m.stream, e.tick});
    return true;
}

SINTER_INLINE void order_after(stream_state& s, const stream_mark& mark) {
    std::lock_guard lock(order_lock());
    const stream_mark m = named(mark, s.where);
    if (s.where.is_cpu() || is_known_after(s, m)) return;
    // Memory that was taken for work which has not been marked yet, or never will be.
    if (m.tick > m.stream->tick) mark_stream(*m.stream);
    if (is_known_after(s, m)) return;
    const stream_state::event_mark e = event_after(*m.stream, m.tick);
    use_device(s.where.index());
    check(driver().cuStreamWaitEvent(static_cast<CUstream>(s.native), static_cast<CUevent>(e.event), 0),
          "cuStreamWaitEvent");
    note_after(s, {m.stream, e.tick});
}

SINTER_INLINE void* new_stream(device where) {
    if (where.is_cpu()) return nullptr;
    use_device(where.index());
    CUstream native = nullptr;
    check(driver().cuStreamCreate(&native, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    return native;
}

SINTER_INLINE void wait_for_stream(stream_state& s) {
    if (s.where.is_cpu()) return;
    const stream_mark m = has_several_streams() ? mark_stream(s) : stream_mark{};
    use_device(s.where.index());
    check(driver().cuStreamSynchronize(static_cast<CUstream>(s.native)), "cuStreamSynchronize");
    note_done(m);
}

SINTER_INLINE bool is_stream_idle(stream_state& s) {
    if (s.where.is_cpu()) return true;
    use_device(s.where.index());
    const CUresult result = driver().cuStreamQuery(static_cast<CUstream>(s.native));
    if (result != CUDA_ERROR_NOT_READY) check(result, "cuStreamQuery");
    return result == CUDA_SUCCESS;
}

#else

SINTER_INLINE stream_mark mark_stream(stream_state& s) {
    std::lock_guard lock(order_lock());
    return {&s, s.done = ++s.tick};
}
SINTER_INLINE void note_after(stream_state&, const stream_mark&) {}
SINTER_INLINE void note_done(const stream_mark&) {}
SINTER_INLINE bool is_ordered_after(stream_state&, const stream_mark&) { return true; }
SINTER_INLINE void order_after(stream_state&, const stream_mark&) {}
SINTER_INLINE void* new_stream(device where) {
    if (where.is_cuda()) throw device_error("[cuda] built without CUDA headers");
    return nullptr;
}
SINTER_INLINE void wait_for_stream(stream_state&) {}
SINTER_INLINE bool is_stream_idle(stream_state&) { return true; }

#endif

SINTER_INLINE void wait_for_streams(device where) {
    wait_for_stream(first_stream(where));
    if (!has_several_streams()) return;
    codegen::sequence<stream_state*> others;
    {
        std::lock_guard lock(order_lock());
        for (stream_state* s : streams_of(where).all)
            if (s->number > 0 && (s->native || where.is_cpu())) others.push_back(s);
    }
    for (stream_state* s : others) wait_for_stream(*s);
}

SINTER_INLINE stream_state* open_stream(device where, void* native) {
    stream_table& t = streams_of(where);
    stream_state& first = first_stream(where);
    std::lock_guard lock(order_lock());
    if (where.is_cuda() && t.all.size() == 1) {
        t.alone = mark_stream(first).tick;
        several_streams.store(true, std::memory_order_release);
    }
    for (std::size_t i = t.idle.size(); i-- > 0;) {
        stream_state* s = t.idle[i];
        if (s->foreign != (native != nullptr)) continue;
        t.idle[i] = t.idle.back();
        t.idle.pop_back();
        if (native) s->native = native;
        return s;
    }
    stream_state& s = add_stream(t, where, native ? native : new_stream(where));
    s.foreign = native != nullptr;
    return &s;
}

// Marks of a foreign stream outlive it, so that nothing may remain behind them when it goes.
SINTER_INLINE void give_back_stream(stream_state* s) noexcept {
    try {
        if (s->foreign) wait_for_stream(*s);
    } catch (...) {
    }
    std::lock_guard lock(order_lock());
    if (s->foreign) {
        s->done = s->tick;
        s->native = nullptr;
    }
    streams_of(s->where).idle.push_back(s);
}

SINTER_INLINE stream_mark coming_mark(device where) {
    if (where.is_cpu() || !has_several_streams()) return {};
    std::lock_guard lock(order_lock());
    stream_state& s = current_stream(where);
    return {&s, s.tick + 1};
}

SINTER_INLINE bool may_reuse(device where, const memory_uses& u) {
    if (where.is_cpu() || !has_several_streams()) return true;
    stream_state& s = current_stream(where);
    for (const stream_mark& m : u.read)
        if (!is_ordered_after(s, m)) return false;
    return is_ordered_after(s, u.written);
}

SINTER_INLINE void order_first_after(device where, const memory_uses& u) {
    if (where.is_cpu() || !has_several_streams()) return;
    stream_state& first = first_stream(where);
    order_after(first, u.written);
    for (const stream_mark& m : u.read) order_after(first, m);
}

SINTER_INLINE void* own_of_stream(device where, const void* which, void* (*make)()) {
    std::lock_guard lock(order_lock());
    stream_state& s = current_stream(where);
    for (const stream_state::own& o : s.owns)
        if (o.which == which) return o.object;
    s.owns.push_back({which, make()});
    return s.owns.back().object;
}

}  // namespace sinter::inline SINTER_ABI::runtime
