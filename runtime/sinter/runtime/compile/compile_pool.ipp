// Bodies of compile_pool.hpp.
#pragma once

#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/compile/compile_pool.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

SINTER_COLD_BEGIN

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

SINTER_INLINE int compilation::company() const {
    return is_quick && !stops && backend->company ? backend->company(*source) : 0;
}

/// Compilations of which a thread makes all, by one run of a compiler if there are several.
using compile_group = codegen::sequence<compilation*>;

// Those that are refused or late together are compiled one by one, so that each has its own error.
SINTER_INLINE void run_group(compile_group& group) noexcept {
    codegen::sequence<std::string> images;
    if (group.size() > 1) try {
            const counted_time time(counter_table.compile_us);
            codegen::sequence<const codegen::kernel_source*> sources;
            for (const compilation* c : group) sources.push_back(c->source);
            images = group[0]->backend->compile_together({sources.data(), sources.size()});
        } catch (...) {
            images.clear();
        }
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (images.empty()) {
            group[i]->run();
            if (group[i]->failure) return;
            continue;
        }
        group[i]->image = std::move(images[i]);
        count(counter_table.kernels_quick);
    }
}

// A run of a compiler saves little by more than so many, and others wait for it.
SINTER_INLINE void add_groups(codegen::sequence<compile_group>& groups, const compile_group& together,
                              std::size_t processors) {
    constexpr std::size_t most_together = 5;
    const std::size_t runs = std::max(processors, (together.size() + most_together - 1) / most_together);
    const std::size_t first = groups.size();
    for (std::size_t i = 0; i < together.size(); ++i) {
        if (i < runs) groups.emplace_back();
        groups[first + i % runs].push_back(together[i]);
    }
}

SINTER_INLINE codegen::sequence<compile_group> groups_of(codegen::span<compilation* const> all) {
    const auto processors = static_cast<std::size_t>(std::max(thread_count(), 2));
    codegen::sequence<compile_group> groups, companies;
    for (compilation* c : all) {
        const int company = all.size() > processors ? c->company() : 0;
        while (companies.size() < static_cast<std::size_t>(company)) companies.emplace_back();
        if (company) companies[static_cast<std::size_t>(company) - 1].push_back(c);
        else groups.push_back({c});
    }
    for (const compile_group& together : companies) add_groups(groups, together, processors);
    return groups;
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
    explicit compile_batch(codegen::span<compile_group> all) : all_(all) {
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
            run_group(all_[i]);
            for (const compilation* c : all_[i])
                if (c->failure) is_refused_.store(true, std::memory_order_relaxed);
        }
    }

private:
    codegen::span<compile_group> all_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> is_refused_{false};
    codegen::sequence<pthread_t> threads_;
};

SINTER_INLINE void compile_all(codegen::span<compilation* const> all) {
    if (all.empty()) return;
    const uncancelled_scope whole;
    const counted_time time(counter_table.wait_us);
    if (all.size() == 1) all[0]->run();
    else {
        codegen::sequence<compile_group> groups = groups_of(all);
        compile_batch({groups.data(), groups.size()}).work();
    }
    last_compilation.store(counted_time::now(), std::memory_order_relaxed);
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END
