// Bodies of once_table.hpp.
#pragma once

#include <mutex>
#include <utility>
#include <sinter/runtime/base/fork.hpp>
#include <sinter/runtime/base/once_table.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// All tables of the process, which a fork must not find in the middle of a change.
struct once_values_in_fork {
    std::mutex guard;
    once_values* first = nullptr;
    std::uint64_t forks = 0;

    static once_values_in_fork& all() {
        static once_values_in_fork& t = *new once_values_in_fork;
        return t;
    }
    static void lock() {
        all().guard.lock();
        for (once_values* v = all().first; v; v = v->next_) v->guard_.lock();
    }
    static void unlock() {
        for (once_values* v = all().first; v; v = v->next_) v->guard_.unlock();
        all().guard.unlock();
    }
    static void begin_child() {
        ++all().forks;
        unlock();
    }
    void add(once_values& v) {
        static const bool registered = handle_forks(fork_order::kernels, {lock, unlock, begin_child});
        static_cast<void>(registered);
        std::lock_guard lock(guard);
        v.next_ = first;
        first = &v;
    }
};

SINTER_INLINE once_values::once_values() { once_values_in_fork::all().add(*this); }

SINTER_INLINE once_values::answer once_values::claim(const std::string& key, bool waits) {
    for (;;) {
        const std::uint32_t seen = releases_.load(std::memory_order_acquire);
        {
            std::lock_guard lock(guard_);
            const std::uint64_t now = once_values_in_fork::all().forks + 1;
            std::uint32_t number = numbers_.find(key);
            if (number == codegen::number_map::none) {
                if (free_.empty()) {
                    free_.make_room();
                    entries_.push_back({});
                    free_.push_back(static_cast<std::uint32_t>(entries_.size() - 1));
                }
                number = free_.back();
                numbers_.add(key, number);
                free_.pop_back();
            }
            entry& e = entries_[number];
            if (e.value) return {e.value, number, false};
            if (e.claimed_in != now) {
                e.claimed_in = now;
                return {nullptr, number, true};
            }
            if (!waits) return {nullptr, number, false};
        }
        releases_.wait(seen, std::memory_order_acquire);
    }
}

SINTER_INLINE void once_values::release(std::uint32_t number, const void* value) noexcept {
    {
        std::lock_guard lock(guard_);
        entries_[number] = {value, 0};
        made_ += value != nullptr;
        releases_.fetch_add(1, std::memory_order_release);
    }
    releases_.notify_all();
}

SINTER_INLINE codegen::sequence<const void*> once_values::take_unless(bool (*stays)(const void* value)) {
    std::lock_guard lock(guard_);
    codegen::sequence<const void*> taken;
    codegen::text_map kept;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const entry& e = entries_[numbers_.number_at(i)];
        if (!e.value || stays(e.value)) kept.add(numbers_.key_at(i), numbers_.number_at(i));
        else taken.push_back(e.value);
    }
    // From here on nothing can fail.
    free_.reserve(free_.size() + taken.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        entry& e = entries_[numbers_.number_at(i)];
        if (!e.value || stays(e.value)) continue;
        free_.push_back(numbers_.number_at(i));
        e = {};
    }
    numbers_ = std::move(kept);
    made_ -= taken.size();
    return taken;
}

SINTER_INLINE std::size_t once_values::made() {
    std::lock_guard lock(guard_);
    return made_;
}

SINTER_INLINE const void* once_values::find(const std::string& key) {
    std::lock_guard lock(guard_);
    const std::uint32_t number = numbers_.find(key);
    return number == codegen::number_map::none ? nullptr : entries_[number].value;
}

}  // namespace sinter::inline SINTER_ABI::runtime
