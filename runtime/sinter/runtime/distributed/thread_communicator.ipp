// Bodies of thread_communicator.hpp.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/distributed/thread_communicator.hpp>

namespace sinter::inline SINTER_ABI::distributed {

/// What the threads of one group share: where they meet, what they show each other there, and their messages.
class thread_group {
public:
    /// What a rank shows the others in a collective.
    struct shown {
        const char* data = nullptr;
        codegen::span<const std::int64_t> sizes;
        int color = 0;
    };

    explicit thread_group(int ranks) : shown_(static_cast<std::size_t>(ranks)), present_(shown_.size()) {}
    int size() const { return static_cast<int>(shown_.size()); }
    const shown& of(int rank) const { return shown_[static_cast<std::size_t>(rank)]; }
    void set_timeout(std::int64_t milliseconds);
    /// Waits for all ranks to make this call, `words` in errors; throws where another has made another one.
    void meet(std::string_view call, const std::string& words, int rank);
    /// The end of a collective, in which others may still look at what this rank has shown: nothing ends it early.
    void leave();
    void show(std::string_view call, const std::string& words, int rank, const shown& s) {
        shown_[static_cast<std::size_t>(rank)] = s;
        meet(call, words, rank);
    }
    void post(int from, int to, std::vector<char> data);
    std::vector<char> take(const std::string& call, int from, int to);
    void abort(const std::string& why) noexcept;
    std::string ended() {
        const std::lock_guard lock(mutex_);
        return why_;
    }
    /// The communicators that the groups of a split have, by rank.
    std::vector<std::shared_ptr<communicator>> made;

private:
    template <class Ready>
    bool wait(std::unique_lock<std::mutex>& lock, Ready ready);
    [[noreturn]] void throw_late(const std::string& words, int rank);
    [[noreturn]] void throw_ended(const std::string& why);
    void require_alive() const {
        if (!why_.empty()) throw rank_ended(why_);
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<shown> shown_;
    std::vector<char> present_;
    std::int64_t round_ = 0;
    int count_ = 0;
    std::string_view first_call_;  ///< of the round, and whose it is
    int first_rank_ = 0;
    std::int64_t timeout_ = 60000;  ///< milliseconds
    std::string why_;
    struct message {
        int from, to;
        std::vector<char> data;
    };
    codegen::sequence<message> messages_;  ///< that are still to be taken, in the order in which they were sent
};

SINTER_INLINE void thread_group::set_timeout(std::int64_t milliseconds) {
    const std::lock_guard lock(mutex_);
    timeout_ = milliseconds;
}

// False when the time is over.
template <class Ready>
bool thread_group::wait(std::unique_lock<std::mutex>& lock, Ready ready) {
    auto come = [&] { return !why_.empty() || ready(); };
    if (timeout_ > 0) return changed_.wait_for(lock, std::chrono::milliseconds(timeout_), come);
    changed_.wait(lock, come);
    return true;
}

SINTER_INLINE void thread_group::throw_ended(const std::string& why) {
    why_ = why;
    changed_.notify_all();
    throw device_error(why_);
}

SINTER_INLINE void thread_group::throw_late(const std::string& words, int rank) {
    std::string missing;
    for (std::size_t r = 0; r < present_.size(); ++r)
        if (!present_[r]) missing += (missing.empty() ? "" : ", ") + std::to_string(r);
    throw_ended(words + " rank " + std::to_string(rank) + " waited " + time_words(timeout_) + " for rank " + missing);
}

// Whoever makes another call would look at what is not shown, and could leave others behind in theirs.
SINTER_INLINE void thread_group::meet(std::string_view call, const std::string& words, int rank) {
    std::unique_lock lock(mutex_);
    require_alive();
    if (count_ == 0) {
        first_call_ = call;
        first_rank_ = rank;
    } else if (call != first_call_) {
        throw_ended(words + " rank " + std::to_string(rank) + " meets " + std::string(first_call_) + " of rank " +
                    std::to_string(first_rank_) + ": all ranks make the same calls in the same order");
    }
    present_[static_cast<std::size_t>(rank)] = 1;
    if (++count_ == size()) {
        count_ = 0;
        present_.assign(present_.size(), 0);
        ++round_;
        changed_.notify_all();
        return;
    }
    const std::int64_t round = round_;
    if (!wait(lock, [&] { return round_ != round; })) throw_late(words, rank);
    if (round_ == round) require_alive();
}

SINTER_INLINE void thread_group::leave() {
    std::unique_lock lock(mutex_);
    if (++count_ == size()) {
        count_ = 0;
        ++round_;
        changed_.notify_all();
        return;
    }
    const std::int64_t round = round_;
    changed_.wait(lock, [&] { return round_ != round; });
}

SINTER_INLINE void thread_group::post(int from, int to, std::vector<char> data) {
    const std::lock_guard lock(mutex_);
    require_alive();
    messages_.push_back({from, to, std::move(data)});
    changed_.notify_all();
}

SINTER_INLINE std::vector<char> thread_group::take(const std::string& call, int from, int to) {
    std::unique_lock lock(mutex_);
    message* first = nullptr;
    const auto has_come = [&] {
        first = codegen::find_if(messages_.begin(), messages_.end(),
                                 [&](const message& m) { return m.from == from && m.to == to; });
        return first != messages_.end();
    };
    if (!wait(lock, has_come)) {
        present_.assign(present_.size(), 1);
        present_[static_cast<std::size_t>(from)] = 0;
        throw_late(call, to);
    }
    require_alive();
    std::vector<char> data = std::move(first->data);
    messages_.erase(first);
    return data;
}

SINTER_INLINE void thread_group::abort(const std::string& why) noexcept {
    const std::lock_guard lock(mutex_);
    if (why_.empty()) why_ = why;
    changed_.notify_all();
}

/// One thread's end of a group.
class thread_communicator final : public communicator {
public:
    thread_communicator(std::shared_ptr<thread_group> group, int rank) : group_(std::move(group)), rank_(rank) {}
    std::string_view name() const override { return "threads"; }
    int rank() const override { return rank_; }
    int size() const override { return group_->size(); }
    void set_timeout(std::int64_t milliseconds) override { group_->set_timeout(milliseconds); }
    void all_gather(const char* mine, codegen::span<const std::int64_t> sizes, char* all) override;
    void all_to_all(const char* out, codegen::span<const std::int64_t> out_sizes, char* in,
                    codegen::span<const std::int64_t> in_sizes) override;
    void broadcast(char* data, std::int64_t size, int root) override;
    void send(const char* data, std::int64_t size, int to) override {
        group_->post(rank_, to, std::vector<char>(data, data + size));
    }
    void recv(char* data, std::int64_t size, int from) override;
    void barrier() override { group_->meet("barrier", named("barrier"), rank_); }
    std::shared_ptr<communicator> split(int color) override;
    void abort(const std::string& why) noexcept override { group_->abort(why); }
    std::string ended() const override { return group_->ended(); }

private:
    static void copy(char* to, const char* from, std::int64_t size) {
        if (size > 0) std::memcpy(to, from, static_cast<std::size_t>(size));
    }
    // Leaves a collective in which ranks have shown each other bytes; throws where one had others than were expected.
    void leave(const char* call, const std::string& unlike) {
        group_->leave();
        if (!unlike.empty()) throw device_error(codegen::joined({named(call), " ", unlike}));
    }
    // Takes what a rank has shown, if it is of that size; else says what it is.
    static void take(char* to, const char* from, int rank, std::int64_t shown, std::int64_t size, std::string& unlike) {
        if (shown == size) return copy(to, from, size);
        unlike = "rank " + std::to_string(rank) + " has " + std::to_string(shown) + " bytes, not " +
                 std::to_string(size) + ": all ranks make the same calls with arrays that are alike";
    }

    std::shared_ptr<thread_group> group_;
    int rank_;
};

SINTER_INLINE void thread_communicator::all_gather(const char* mine, codegen::span<const std::int64_t> sizes,
                                                   char* all) {
    group_->show("all_gather", named("all_gather"), rank_, {mine, sizes, 0});
    std::string unlike;
    for (int r = 0; r < size(); ++r) {
        const auto i = static_cast<std::size_t>(r);
        take(all, group_->of(r).data, r, group_->of(r).sizes[i], sizes[i], unlike);
        all += sizes[i];
    }
    leave("all_gather", unlike);
}

SINTER_INLINE void thread_communicator::all_to_all(const char* out, codegen::span<const std::int64_t> out_sizes,
                                                   char* in, codegen::span<const std::int64_t> in_sizes) {
    group_->show("all_to_all", named("all_to_all"), rank_, {out, out_sizes, 0});
    std::string unlike;
    for (int r = 0; r < size(); ++r) {
        const thread_group::shown& other = group_->of(r);
        const char* from = other.data;
        for (int before = 0; before < rank_; ++before) from += other.sizes[static_cast<std::size_t>(before)];
        const std::int64_t expected = in_sizes[static_cast<std::size_t>(r)];
        take(in, from, r, other.sizes[static_cast<std::size_t>(rank_)], expected, unlike);
        in += expected;
    }
    leave("all_to_all", unlike);
}

SINTER_INLINE void thread_communicator::broadcast(char* data, std::int64_t size, int root) {
    group_->show("broadcast", named("broadcast"), rank_, {data, {&size, 1}, 0});
    std::string unlike;
    if (rank_ != root) take(data, group_->of(root).data, root, group_->of(root).sizes[0], size, unlike);
    leave("broadcast", unlike);
}

SINTER_INLINE void thread_communicator::recv(char* data, std::int64_t size, int from) {
    const std::vector<char> message = group_->take(named("recv"), from, rank_);
    if (static_cast<std::int64_t>(message.size()) != size)
        throw device_error(codegen::joined({"[recv] rank ", from, " sent ", message.size(), " bytes, not ", size}));
    copy(data, message.data(), size);
}

SINTER_INLINE std::shared_ptr<communicator> thread_communicator::split(int color) {
    group_->show("split", named("split"), rank_, {nullptr, {}, color});
    if (rank_ == 0) {
        group_->made.assign(static_cast<std::size_t>(size()), nullptr);
        for (int r = 0; r < size(); ++r) {
            std::vector<int> members;
            for (int q = 0; q < size(); ++q)
                if (group_->of(q).color == group_->of(r).color) members.push_back(q);
            if (members[0] != r) continue;
            const auto own = make_thread_communicators(static_cast<int>(members.size()));
            for (std::size_t i = 0; i < members.size(); ++i)
                group_->made[static_cast<std::size_t>(members[i])] = own[i];
        }
    }
    group_->leave();
    std::shared_ptr<communicator> mine = group_->made[static_cast<std::size_t>(rank_)];
    group_->leave();
    return mine;
}

SINTER_INLINE std::vector<std::shared_ptr<communicator>> make_thread_communicators(int ranks) {
    if (ranks < 1) throw value_error(codegen::joined({"[run] at least one rank is wanted, not ", ranks}));
    auto group = std::make_shared<thread_group>(ranks);
    std::vector<std::shared_ptr<communicator>> all;
    for (int r = 0; r < ranks; ++r) all.push_back(std::make_shared<thread_communicator>(group, r));
    return all;
}

}  // namespace sinter::inline SINTER_ABI::distributed
