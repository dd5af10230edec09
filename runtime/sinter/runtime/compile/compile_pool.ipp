// Bodies of compile_pool.hpp.
#pragma once

#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/compile/compile_pool.hpp>

#include <algorithm>
#include <atomic>
#include <optional>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void compilation::run() noexcept {
    const counted_time time(counter_table.compile_us);
    std::optional<stoppable_scope> again;
    if (stops) again.emplace(*stops);
    try {
        if (is_quick && backend->compile_quickly) image = backend->compile_quickly(*source, where);
        is_quick = !image.empty();
        if (is_quick) count(counter_table.kernels_quick);
        else image = backend->compile(*source, where);
    } catch (...) {
        failure = std::current_exception();
    }
}

/// How many more threads may compile beside those that have asked for it.
struct compile_helpers {
    std::atomic<int> idle{std::max(thread_count(), 2) - 1};

    static compile_helpers& all() {
        static compile_helpers& h = *new compile_helpers;
        // A child has none of its parent's threads.
        static const int registered =
            pthread_atfork(nullptr, nullptr, [] { all().idle.store(std::max(thread_count(), 2) - 1); });
        static_cast<void>(registered);
        return h;
    }
    bool take() {
        int n = idle.load(std::memory_order_relaxed);
        while (n > 0 && !idle.compare_exchange_weak(n, n - 1, std::memory_order_relaxed)) {
        }
        return n > 0;
    }
    void give_back() { idle.fetch_add(1, std::memory_order_relaxed); }
};

/// Compilations that threads take in turn; all of them have ended when it does.
class compile_batch {
public:
    explicit compile_batch(std::span<compilation* const> all) : all_(all) {
        threads_.reserve(all.size());
        while (threads_.size() + 1 < all_.size() && compile_helpers::all().take()) {
            pthread_t thread;
            const auto enter = [](void* self) -> void* {
                static_cast<compile_batch*>(self)->work();
                return nullptr;
            };
            if (!start_thread(thread, enter, this)) {
                compile_helpers::all().give_back();
                return;
            }
            threads_.push_back(thread);
        }
    }
    ~compile_batch() {
        for (pthread_t thread : threads_) {
            pthread_join(thread, nullptr);
            compile_helpers::all().give_back();
        }
    }
    compile_batch(const compile_batch&) = delete;
    compile_batch& operator=(const compile_batch&) = delete;

    void work() noexcept {
        while (!is_refused_.load(std::memory_order_relaxed)) {
            const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
            if (i >= all_.size()) return;
            all_[i]->run();
            if (all_[i]->failure) is_refused_.store(true, std::memory_order_relaxed);
        }
    }

private:
    std::span<compilation* const> all_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> is_refused_{false};
    codegen::sequence<pthread_t> threads_;
};

SINTER_INLINE void compile_all(std::span<compilation* const> all) {
    if (all.empty()) return;
    const uncancelled_scope whole;
    const counted_time time(counter_table.wait_us);
    if (all.size() == 1) all[0]->run();
    else compile_batch(all).work();
    last_compilation.store(counted_time::now(), std::memory_order_relaxed);
}

}  // namespace sinter::inline SINTER_ABI::runtime
