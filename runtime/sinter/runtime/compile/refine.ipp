// Bodies of refine.hpp.
#pragma once

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <optional>
#include <utility>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/fork.hpp>
#include <sinter/runtime/base/process/process_end.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/compile/compile_pool.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/compile/refine.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// How long full code that has been begun is waited for.
inline constexpr int most_wait_ms = 20'000;

SINTER_INLINE void pause_for(int milliseconds) {
    const timespec pause{0, milliseconds * 1'000'000};
    nanosleep(&pause, nullptr);
}

/// What the background has to do and has done. Its thread lives as long as there is something to do.
class refiner {
public:
    static refiner& the() {
        static refiner& r = *new refiner;
        return r;
    }

    void add(refinable_code& c);
    void forget();
    void ask(refinable_code& c);
    /// Compiles these, which have been asked for, or waits for who does.
    void finish(codegen::span<refinable_code* const> all);
    void ask_for_all();
    void take();
    /// Whether the thread has come to its end within so many milliseconds.
    bool ends_within(std::int64_t milliseconds);

private:
    struct refined {
        refinable_code* of;
        std::string image;  ///< empty: it could not be made
    };

    refiner();
    static void stop();
    void work() noexcept;
    void compile(refinable_code& c) noexcept;
    void compile_here(codegen::span<refinable_code* const> all);
    bool is_compiling(codegen::span<refinable_code* const> all);
    void keep(refinable_code& c, std::string&& image, bool is_stored) noexcept;
    void replace(const refined& r);
    void warn(const char* why) noexcept;

    std::mutex guard_;                          ///< of what follows
    codegen::sequence<refinable_code*> quick_;  ///< all that there have been
    codegen::sequence<refinable_code*> asked_;
    codegen::sequence<refined> done_;
    refinable_code* current_ = nullptr;  ///< what the thread compiles
    background_thread thread_;
    bool works_ = false;
    std::atomic<id_t> worker_{0};  ///< the thread's number while it works
    std::atomic<bool> stops_{false};
    std::atomic<bool> has_warned_{false};
};

SINTER_INLINE refiner::refiner() {
    constexpr auto lock = [] { the().guard_.lock(); };
    constexpr auto unlock = [] { the().guard_.unlock(); };
    // A child has no thread that works, and goes on with what there is.
    constexpr auto begin_child = [] {
        the().thread_.forget();
        the().works_ = false;
        the().worker_.store(0);
        the().current_ = nullptr;
        the().asked_ = {};
        the().guard_.unlock();
    };
    handle_forks(fork_order::refining, {lock, unlock, begin_child});
}

// Whoever is in a compiler's library is waited for, so that it is not destroyed below it; beside much other work that
// takes long where the thread may not be given its priority back. All handlers that call this wait but once.
SINTER_INLINE void refiner::stop() {
    static std::atomic<bool> has_waited{false};
    the().stops_.store(true);
    if (const id_t worker = the().worker_.load()) setpriority(PRIO_PROCESS, worker, getpriority(PRIO_PROCESS, 0));
    if (!the().ends_within(has_waited.exchange(true) ? 0 : 60'000)) return;
    std::lock_guard lock(the().guard_);
    the().thread_.join();
}

SINTER_INLINE void refiner::warn(const char* why) noexcept {
    if (stops_ || has_warned_.exchange(true)) return;
    const std::string_view first = std::string_view(why).substr(0, std::string_view(why).find('\n'));
    std::fprintf(stderr, "sinter: a kernel stays as it was compiled quickly: %.*s\n", static_cast<int>(first.size()),
                 first.data());
}

SINTER_INLINE void refiner::add(refinable_code& c) {
    std::lock_guard lock(guard_);
    quick_.push_back(&c);
}

SINTER_INLINE void refiner::forget() {
    std::lock_guard lock(guard_);
    codegen::sequence<refinable_code*> kept;
    for (refinable_code* c : quick_)
        if (c->is_held()) kept.push_back(c);
    quick_.swap(kept);
}

SINTER_INLINE void refiner::ask_for_all() {
    codegen::sequence<refinable_code*> all;
    {
        std::lock_guard lock(guard_);
        all.swap(quick_);
    }
    for (refinable_code* c : all)
        if (c->quick) ask(*c);
}

SINTER_INLINE void refiner::ask(refinable_code& c) {
    if (std::exchange(c.quick->is_asked_for, true)) return;
    c.quick->asked_at = counted_time::now();
    static const bool ends = (close_at_end(stop), true);
    static_cast<void>(ends);
    std::lock_guard lock(guard_);
    asked_.push_back(&c);
    if (works_) return;
    const auto enter = [](void* self) -> void* {
        static_cast<refiner*>(self)->work();
        return nullptr;
    };
    works_ = thread_.start(enter, this);
}

SINTER_INLINE void refiner::work() noexcept {
    // Of this thread alone, and of what it starts.
    worker_.store(static_cast<id_t>(syscall(SYS_gettid)));
    setpriority(PRIO_PROCESS, worker_, 19);
    const stoppable_scope stoppable(stops_);
    for (;;) {
        refinable_code* next = nullptr;
        {
            std::lock_guard lock(guard_);
            current_ = nullptr;
            works_ = !stops_ && !asked_.empty();
            if (!works_) return worker_.store(0);
            next = current_ = asked_.front();
            asked_.erase(asked_.begin());
        }
        compile(*next);
        // Compilers' libraries register handlers while they work, too.
        static const bool is_before_them = (close_before_libraries(), true);
        static_cast<void>(is_before_them);
    }
}

// What another process that takes turns with this one has compiled since the quick code was made; else empty.
SINTER_INLINE std::string full_code_of_others(const refinable_code& c, const compiling_turn& turn) {
    if (!turn.is_taken()) return {};
    std::optional<std::string> stored = kernel_cache().load(c.quick->disk_key);
    if (!stored) return {};
    count_disk_hit();
    return std::move(*stored);
}

SINTER_INLINE void refiner::keep(refinable_code& c, std::string&& image, bool is_stored) noexcept {
    try {
        if (!image.empty()) {
            if (!is_stored) kernel_cache().store(c.quick->disk_key, image);
            kernel_cache().remove(quick_disk_key(c.quick->disk_key));
        }
        std::lock_guard lock(guard_);
        done_.push_back({&c, std::move(image)});
        has_refined_code.store(true, std::memory_order_relaxed);
    } catch (const std::bad_alloc& e) {
        warn(e.what());
    }
}

SINTER_INLINE void refiner::compile(refinable_code& c) noexcept {
    std::optional<compiling_turn> turn;
    std::string image;
    bool is_stored = false;
    try {
        turn.emplace(turn_of::full_code, &stops_);
        image = full_code_of_others(c, *turn);
        is_stored = !image.empty();
        const counted_time time(counter_table.compile_us);
        if (!is_stored) image = c.quick->backend->compile(c.source, c.quick->where);
    } catch (const std::exception& e) {
        warn(e.what());
    }
    keep(c, std::move(image), is_stored);
}

// One that is refused keeps others from being compiled: they are asked for anew.
SINTER_INLINE void refiner::compile_here(codegen::span<refinable_code* const> all) {
    if (all.empty()) return;
    const compiling_turn turn(turn_of::full_code, &stops_);
    codegen::sequence<compilation> full;
    codegen::sequence<refinable_code*> missing;
    for (refinable_code* c : all) {
        std::string stored = full_code_of_others(*c, turn);
        if (!stored.empty()) keep(*c, std::move(stored), true);
        else missing.push_back(c);
    }
    for (refinable_code* c : missing)
        full.push_back({c->quick->backend, &c->source, c->quick->where, false, {}, {}, &stops_});
    codegen::sequence<compilation*> each;
    for (compilation& f : full) each.push_back(&f);
    compile_all(each);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        if (full[i].failure) try {
                std::rethrow_exception(full[i].failure);
            } catch (const std::exception& e) {
                warn(e.what());
            }
        if (full[i].failure || !full[i].image.empty()) keep(*missing[i], std::move(full[i].image), false);
        else missing[i]->quick->is_asked_for = false;
    }
}

SINTER_INLINE bool refiner::is_compiling(codegen::span<refinable_code* const> all) {
    std::lock_guard lock(guard_);
    return codegen::find(all.begin(), all.end(), current_) != all.end();
}

SINTER_INLINE void refiner::finish(codegen::span<refinable_code* const> all) {
    codegen::sequence<refinable_code*> waiting;
    {
        std::lock_guard lock(guard_);
        for (refinable_code* c : all) {
            const auto at = codegen::find(asked_.begin(), asked_.end(), c);
            if (at == asked_.end()) continue;
            asked_.erase(at);
            waiting.push_back(c);
        }
    }
    compile_here(waiting);
    const counted_time time(counter_table.wait_us);
    // A compiler that hangs is waited for once.
    for (int i = 0; i < most_wait_ms && !stops_ && is_compiling(all); ++i) pause_for(1);
    take();
    for (refinable_code* c : all)
        if (c->quick) c->quick->asked_at = INT64_MAX;
}

// Where the full code does not fit, nothing leads to it.
SINTER_INLINE void refiner::replace(const refined& r) {
    compiled_text fresh = r.of->quick->backend->load(r.image, r.of->quick->where);
    bool fits = false;
    try {
        fits = r.of->move_to(fresh);
    } catch (...) {
        fresh.unload();
        throw;
    }
    if (!fits) return fresh.unload();
    r.of->code.push_back(std::move(fresh));
    ++refined_count;
}

SINTER_INLINE void refiner::take() {
    codegen::sequence<refined> done;
    {
        std::lock_guard lock(guard_);
        done.swap(done_);
        has_refined_code.store(false, std::memory_order_relaxed);
    }
    for (const refined& r : done) {
        try {
            if (!r.image.empty()) replace(r);
        } catch (const std::exception& e) {
            warn(e.what());
        }
        r.of->quick = nullptr;
    }
}

SINTER_INLINE bool refiner::ends_within(std::int64_t milliseconds) {
    for (;; --milliseconds) {
        {
            std::lock_guard lock(guard_);
            if (!works_) return true;
        }
        if (milliseconds <= 0) return false;
        pause_for(1);
    }
}

// NVRTC takes 0.3 to 1 s for texts of so many lines, reductions in stages that thread blocks share.
SINTER_INLINE std::int64_t patience_for(const codegen::kernel_source& source) {
    constexpr std::ptrdiff_t long_text = 500;
    const std::ptrdiff_t lines = codegen::count(source.text.begin(), source.text.end(), '\n');
    return lines < long_text ? refine_patience : long_refine_patience;
}

SINTER_INLINE void keep_refinable(refinable_code& c, quick_code&& of) {
    of.patience = patience_for(c.source);
    c.quick = codegen::owner(new quick_code(std::move(of)));
    refiner::the().add(c);
}

SINTER_INLINE void forget_refinable() { refiner::the().forget(); }

SINTER_COLD_END

SINTER_INLINE bool refine_used(codegen::span<const refinable_code* const> all) {
    codegen::sequence<refinable_code*> late;
    bool is_any_quick = false;
    for (const refinable_code* c : all) {
        if (!c->quick) continue;
        is_any_quick = true;
        auto* const kernel = const_cast<refinable_code*>(c);
        const std::int64_t since = std::max(c->quick->asked_at, last_compilation.load(std::memory_order_relaxed));
        const bool is_late = c->quick->is_asked_for && counted_time::now() - since > c->quick->patience;
        if (is_late) late.push_back(kernel);
        else if (++c->quick->runs >= 2) refiner::the().ask(*kernel);
    }
    if (!late.empty()) refiner::the().finish(late);
    return is_any_quick;
}

SINTER_INLINE void refine_now(codegen::span<const refinable_code* const> all) {
    codegen::sequence<refinable_code*> quick;
    for (const refinable_code* c : all)
        if (c->quick) quick.push_back(const_cast<refinable_code*>(c));
    for (refinable_code* c : quick) refiner::the().ask(*c);
    if (!quick.empty()) refiner::the().finish(quick);
}

SINTER_INLINE void take_refined_code() { refiner::the().take(); }

SINTER_INLINE void refine_all() {
    refiner& r = refiner::the();
    r.ask_for_all();
    const counted_time time(counter_table.wait_us);
    const std::int64_t seconds = env().compile_timeout;
    r.ends_within(seconds > 0 ? 1000 * seconds : INT64_MAX);
    take_refined();
}

}  // namespace sinter::inline SINTER_ABI::runtime
