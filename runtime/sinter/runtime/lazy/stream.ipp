// Bodies of stream.hpp.
#pragma once

#include <chrono>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/execute/plan_ref.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/lazy/evaluate.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/lazy/stream.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE stream::stream(runtime::stream_state* s)
    : state_(s, [](runtime::stream_state* p) { runtime::give_back_stream(p); }) {}

SINTER_INLINE stream::stream(device where)
    : stream([&] {
          // What runs meanwhile runs on the only stream, and orders nothing.
          std::lock_guard lock(runtime::runtime_lock());
          return runtime::open_stream(where);
      }()) {}

SINTER_INLINE stream stream::wrap(device where, void* native) {
    if (where.is_cuda() != (native != nullptr))
        throw value_error(std::string("[stream] wrap: ") +
                          (native ? "the CPU has no native streams"
                                  : "the native stream is null: the default stream of CUDA cannot be wrapped"));
    std::lock_guard lock(runtime::runtime_lock());
    return stream(runtime::open_stream(where, native));
}

SINTER_INLINE void stream::synchronize() const {
    runtime::run_recorded("a stream is waited for");
    runtime::wait_for_stream(*state_);
}

SINTER_INLINE bool stream::query() const { return runtime::is_stream_idle(*state_); }

SINTER_INLINE stream_scope::stream_scope(const stream& s) : kept_(s) {
    runtime::run_recorded("the stream is changed");
    previous_ = runtime::exchange_stream(s.where(), s.state_.get());
}

SINTER_INLINE stream_scope::~stream_scope() {
    // Errors belong to the values that are being computed and are thrown where those are read.
    try {
        runtime::run_recorded("the stream is changed");
    } catch (...) {
    }
    runtime::exchange_stream(kept_.where(), previous_);
}

struct event::state {
    runtime::stream_mark mark;
    device where;
    void* native = nullptr;
    bool recorded = false;
    std::chrono::steady_clock::time_point time;  ///< on the CPU

    state() = default;
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() { release(); }
    void release() noexcept;
    void wait() const;
    bool is_reached() const;
};

#if SINTER_HAS_CUDA

SINTER_INLINE void event::state::release() noexcept {
    if (!native) return;
    try {
        runtime::use_device(where.index());
        runtime::driver().cuEventDestroy(static_cast<CUevent>(native));
    } catch (...) {
    }
    native = nullptr;
}

SINTER_INLINE void event::state::wait() const {
    if (!recorded || !native) return;
    runtime::use_device(where.index());
    runtime::check(runtime::driver().cuEventSynchronize(static_cast<CUevent>(native)), "cuEventSynchronize");
    runtime::note_done(mark);
}

SINTER_INLINE bool event::state::is_reached() const {
    if (!recorded || !native) return true;
    runtime::use_device(where.index());
    const CUresult result = runtime::driver().cuEventQuery(static_cast<CUevent>(native));
    if (result == CUDA_ERROR_NOT_READY) return false;
    runtime::check(result, "cuEventQuery");
    return true;
}

SINTER_INLINE void event::record_on(runtime::stream_state& s) {
    state& e = *state_;
    const device where = runtime::device_of(s);
    if (e.native && !(e.where == where)) e.release();
    e.where = where;
    if (where.is_cuda()) {
        runtime::use_device(where.index());
        if (!e.native) {
            CUevent fresh = nullptr;
            runtime::check(runtime::driver().cuEventCreate(&fresh, CU_EVENT_DEFAULT), "cuEventCreate");
            e.native = fresh;
        }
        e.mark = runtime::has_several_streams() ? runtime::mark_stream(s) : runtime::stream_mark{};
        auto* on = static_cast<CUstream>(runtime::native_of(s));
        runtime::check(runtime::driver().cuEventRecord(static_cast<CUevent>(e.native), on), "cuEventRecord");
    }
    e.time = std::chrono::steady_clock::now();
    e.recorded = true;
}

SINTER_INLINE void stream::wait(const event& e) const {
    const event::state& s = *e.state_;
    runtime::run_recorded("a stream is told to wait");
    if (!s.recorded || !s.native) return;
    if (where().is_cpu()) return s.wait();
    runtime::use_device(where().index());
    auto* here = static_cast<CUstream>(native());
    runtime::check(runtime::driver().cuStreamWaitEvent(here, static_cast<CUevent>(s.native), 0), "cuStreamWaitEvent");
    if (s.mark.stream && s.where == where()) runtime::note_after(*state_, s.mark);
}

SINTER_INLINE float elapsed(const event& begin, const event& end) {
    const event::state &b = *begin.state_, &e = *end.state_;
    if (!b.recorded || !e.recorded)
        throw value_error(codegen::joined(
            {"[event] elapsed: the ", b.recorded ? "second" : "first", " event has not been recorded"}));
    if (!(b.where == e.where))
        throw value_error(
            codegen::joined({"[event] elapsed: events of ", to_string(b.where), " and ", to_string(e.where)}));
    if (b.where.is_cpu()) return std::chrono::duration<float, std::milli>(e.time - b.time).count();
    if (!b.is_reached() || !e.is_reached())
        throw value_error(codegen::joined({"[event] elapsed: the ", b.is_reached() ? "second" : "first",
                                           " event has not been reached: synchronize it"}));
    float milliseconds = 0;
    runtime::use_device(b.where.index());
    runtime::check(runtime::driver().cuEventElapsedTime(&milliseconds, static_cast<CUevent>(b.native),
                                                        static_cast<CUevent>(e.native)),
                   "cuEventElapsedTime");
    return milliseconds;
}

#else

SINTER_INLINE void event::state::release() noexcept {}
SINTER_INLINE void event::state::wait() const {}
SINTER_INLINE bool event::state::is_reached() const { return true; }
SINTER_INLINE void event::record_on(runtime::stream_state&) {
    state_->time = std::chrono::steady_clock::now();
    state_->recorded = true;
}
SINTER_INLINE void stream::wait(const event&) const { runtime::run_recorded("a stream is told to wait"); }
SINTER_INLINE float elapsed(const event& begin, const event& end) {
    const event::state &b = *begin.state_, &e = *end.state_;
    if (!b.recorded || !e.recorded)
        throw value_error(codegen::joined(
            {"[event] elapsed: the ", b.recorded ? "second" : "first", " event has not been recorded"}));
    return std::chrono::duration<float, std::milli>(e.time - b.time).count();
}

#endif

SINTER_INLINE event::event() : state_(std::make_shared<state>()) {}

SINTER_INLINE void event::record() {
    runtime::run_recorded("an event is recorded");
    record_on(runtime::current_stream(runtime::current_device()));
}

SINTER_INLINE void event::record(const stream& s) {
    runtime::run_recorded("an event is recorded");
    record_on(*s.state_);
}

SINTER_INLINE void event::synchronize() const { state_->wait(); }
SINTER_INLINE bool event::query() const { return state_->is_reached(); }
SINTER_INLINE void* event::native() const { return state_->native; }

SINTER_INLINE std::int64_t memory_pool_reference::used() const { return runtime::pool_statistics(where_).used; }
SINTER_INLINE std::int64_t memory_pool_reference::held() const { return runtime::pool_statistics(where_).held; }
SINTER_INLINE std::int64_t memory_pool_reference::peak() const { return runtime::pool_statistics(where_).peak; }
SINTER_INLINE std::int64_t memory_pool_reference::limit() const { return runtime::pool_statistics(where_).limit; }
SINTER_INLINE void memory_pool_reference::reset_peak() const { runtime::reset_pool_peak(where_); }
SINTER_INLINE void memory_pool_reference::trim() const { runtime::memory_pool_trim(where_); }
SINTER_INLINE void memory_pool_reference::set_limit(std::int64_t bytes) const {
    if (bytes < 0) throw value_error(codegen::joined({"[memory_pool] a limit is not negative: ", bytes}));
    runtime::set_pool_limit(where_, bytes ? bytes : INT64_MAX);
}

}  // namespace sinter::inline SINTER_ABI
