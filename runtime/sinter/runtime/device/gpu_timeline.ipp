// Bodies of gpu_timeline.hpp: pairs of the driver's events, which are asked for their times when all is done.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/device/stream_order.hpp>

#include <mutex>
#include <utility>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

/// Work of a stream between two events.
struct gpu_span {
    std::string name;
    const char* category;
    CUevent begin, end;
    int stream;
    std::int64_t bytes;
};

/// What is known of a device's time. Its clock is compared with the host's again and again, because the driver's
/// differences are floats, exact to a microsecond for some seconds only, and because the two drift apart.
struct gpu_clock {
    static constexpr long long most_age = 1'000'000'000;  ///< nanoseconds
    static constexpr std::size_t most_spans = 4096;
    CUevent anchor = nullptr;
    long long anchor_time = -1;  ///< of the host's clock; -1: not known
    codegen::sequence<gpu_span> spans;
    codegen::sequence<CUevent> idle;
    codegen::sequence<int> named;  ///< streams whose tracks have names in what follows
    std::string events;            ///< of spans whose times are known
};

/// The clocks of all devices.
struct gpu_timeline {
    std::mutex guard;
    codegen::sequence<gpu_clock*> clocks;
};

SINTER_INLINE gpu_timeline& the_gpu_timeline() {
    static gpu_timeline& t = *new gpu_timeline;
    return t;
}

SINTER_INLINE gpu_clock& gpu_clock_of(device where) {
    codegen::sequence<gpu_clock*>& clocks = the_gpu_timeline().clocks;
    while (clocks.size() <= static_cast<std::size_t>(where.index())) clocks.push_back(new gpu_clock);
    return *clocks[static_cast<std::size_t>(where.index())];
}

SINTER_INLINE CUevent take_event(gpu_clock& c) {
    CUevent e = nullptr;
    if (c.idle.empty()) return check(driver().cuEventCreate(&e, CU_EVENT_DEFAULT), "cuEventCreate"), e;
    e = c.idle.back();
    c.idle.pop_back();
    return e;
}

SINTER_INLINE void record_event(CUevent e, CUstream stream) {
    check(driver().cuEventRecord(e, stream), "cuEventRecord");
}

// A track is a thread that no system has: threads' numbers end before 2^22.
SINTER_INLINE long track_of(device where, int stream) { return (1L << 30) + where.index() * 65536L + stream; }

SINTER_INLINE void name_track(gpu_clock& c, device where, int stream) {
    for (int n : c.named)
        if (n == stream) return;
    c.named.push_back(stream);
    c.events += track_name_text(track_of(where, stream), "GPU " + std::to_string(where.index()) + " (" +
                                                             properties(where.index()).name + ") stream " +
                                                             std::to_string(stream));
}

// Asks for the times of all spans, once they are over.
SINTER_INLINE void resolve_spans(gpu_clock& c, device where) {
    auto since_anchor = [&](CUevent e) {
        float milliseconds = 0;
        check(driver().cuEventSynchronize(e), "cuEventSynchronize");
        check(driver().cuEventElapsedTime(&milliseconds, c.anchor, e), "cuEventElapsedTime");
        return c.anchor_time + static_cast<long long>(1e6 * static_cast<double>(milliseconds));
    };
    const codegen::sequence<gpu_span> spans = std::exchange(c.spans, {});
    for (const gpu_span& s : spans) {
        c.idle.push_back(s.begin);
        c.idle.push_back(s.end);
    }
    for (const gpu_span& s : spans) {
        name_track(c, where, s.stream);
        c.events += event_text(std::string("gpu,") + s.category, s.name, since_anchor(s.begin), since_anchor(s.end),
                               track_of(where, s.stream), s.bytes);
    }
}

// The host's time just before an idle stream was asked for an event, so that no work seems to end after somebody has
// waited for it; of a few attempts the one that took least.
SINTER_INLINE void set_anchor(gpu_clock& c, CUstream stream) {
    constexpr int attempts = 3;
    c.anchor_time = -1;
    check(driver().cuStreamSynchronize(stream), "cuStreamSynchronize");
    long long best = -1, taken = 0;
    for (int i = 0; i < attempts; ++i) {
        CUevent e = take_event(c);
        const long long before = timeline_clock();
        record_event(e, stream);
        check(driver().cuEventSynchronize(e), "cuEventSynchronize");
        const long long took = timeline_clock() - before;
        if (best < 0 || took < taken) {
            best = before;
            taken = took;
            std::swap(c.anchor, e);
        }
        if (e) c.idle.push_back(e);
    }
    c.anchor_time = best;
}

// What a trace lacks because of it must not stop the program: a device that has failed says so where its results are
// wanted.
SINTER_INLINE void timed_work::begin() noexcept {
    try {
        std::lock_guard lock(the_gpu_timeline().guard);
        gpu_clock& c = gpu_clock_of(where_);
        use_device(where_.index());
        auto* stream = static_cast<CUstream>(native_stream(where_));
        const bool is_old = c.anchor_time >= 0 && (c.spans.size() >= gpu_clock::most_spans ||
                                                   timeline_clock() - c.anchor_time > gpu_clock::most_age);
        if (is_old) resolve_spans(c, where_);
        if (is_old || c.anchor_time < 0) set_anchor(c, stream);
        CUevent e = take_event(c);
        record_event(e, stream);
        begin_ = e;
    } catch (...) {
    }
}

SINTER_INLINE void timed_work::mark_end() noexcept {
    try {
        std::lock_guard lock(the_gpu_timeline().guard);
        CUevent e = take_event(gpu_clock_of(where_));
        record_event(e, static_cast<CUstream>(native_stream(where_)));
        end_ = e;
    } catch (...) {
    }
}

SINTER_INLINE void timed_work::drop() noexcept {
    try {
        std::lock_guard lock(the_gpu_timeline().guard);
        for (void* e : {begin_, end_})
            if (e) gpu_clock_of(where_).idle.push_back(static_cast<CUevent>(e));
    } catch (...) {
    }
}

SINTER_INLINE void timed_work::end(std::string_view name, std::int64_t bytes) {
    if (begin_ && !end_ && is_timed()) mark_end();
    if (end_ && is_timed()) try {
            std::lock_guard lock(the_gpu_timeline().guard);
            gpu_clock_of(where_).spans.push_back({std::string(name), category_, static_cast<CUevent>(begin_),
                                                  static_cast<CUevent>(end_), stream_number(where_), bytes});
            begin_ = end_ = nullptr;
        } catch (...) {
        }
    host_.end(name, bytes);
}

SINTER_INLINE std::string take_gpu_events() noexcept {
    std::string events;
    std::lock_guard lock(the_gpu_timeline().guard);
    for (std::size_t i = 0; i < the_gpu_timeline().clocks.size(); ++i) {
        gpu_clock& c = *the_gpu_timeline().clocks[i];
        try {
            if (!c.spans.empty()) {
                use_device(static_cast<int>(i));
                resolve_spans(c, device::from_id(static_cast<int>(i)));
            }
            events += c.events;
        } catch (...) {
        }
        c.events.clear();
        c.named.clear();
        c.anchor_time = -1;
    }
    return events;
}

#else

SINTER_INLINE void timed_work::begin() noexcept {}
SINTER_INLINE void timed_work::mark_end() noexcept {}
SINTER_INLINE void timed_work::drop() noexcept {}
SINTER_INLINE void timed_work::end(std::string_view name, std::int64_t bytes) { host_.end(name, bytes); }
SINTER_INLINE std::string take_gpu_events() noexcept { return {}; }

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END
