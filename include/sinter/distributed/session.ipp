// Bodies of session.hpp.
#pragma once

#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/distributed/session.hpp>
#include <sinter/random/random.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/distributed/matrix_engine.hpp>
#include <sinter/runtime/distributed/nccl_communicator.hpp>
#include <sinter/runtime/distributed/thread_communicator.hpp>
#include <thread>
#include <type_traits>
#include <utility>

namespace sinter::inline SINTER_ABI {

namespace detail {

SINTER_INLINE session_ref& session_of_thread() {
    static thread_local session_ref s;
    return s;
}

SINTER_INLINE const session_ref& current_session(std::string_view operation) {
    const session_ref& s = session_of_thread();
    if (!s)
        throw value_error("[" + std::string(operation) +
                          "] there is no session: construct a distributed::session before");
    return s;
}

SINTER_INLINE std::string_view word_of(collective c) {
    constexpr std::string_view words[] = {"all_gather", "all_to_all", "send and recv", "broadcast", "barrier"};
    return words[static_cast<std::size_t>(c)];
}

SINTER_INLINE std::int64_t sum_of(codegen::span<const std::int64_t> sizes) {
    std::int64_t n = 0;
    for (std::int64_t s : sizes) n += s;
    return n;
}

/// What a rank is about to do, as the others are told where calls are checked: the call, what it is of, as far as there
/// is room, and a hash of all of that; bytes that all ranks move together, or -1.
struct checked_call {
    char call[96] = {};
    char subject[144] = {};
    std::uint64_t hash = 14695981039346656037u;
    std::int64_t bytes = -1;

    checked_call(const std::string& words, const std::string& of, std::int64_t moved) : bytes(moved) {
        words.copy(call, sizeof call - 1);
        of.copy(subject, sizeof subject - 1);
        // FNV-1a.
        for (const char c : words + '\n' + of) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    }
    bool is_like(const checked_call& other) const { return hash == other.hash && bytes == other.bytes; }
    std::string in_words() const {
        return bytes < 0 ? call : std::string(call) + " of " + std::to_string(bytes) + " bytes";
    }
};

// How what a rank is about to do differs from what rank 0 is.
SINTER_INLINE std::string difference_in_words(std::string_view operation, int rank, const checked_call& other,
                                              const checked_call& first) {
    const std::string on = " on rank " + std::to_string(rank);
    if (std::strcmp(other.call, first.call) != 0)
        return other.in_words() + on + " meets " + first.in_words() +
               " on rank 0: all ranks make the same calls in the same order";
    if (std::strcmp(other.subject, first.subject) == 0)
        return other.in_words() + on + " meets " + first.in_words() + " on rank 0, of what else is alike";
    return "[" + std::string(operation) + "] rank " + std::to_string(rank) + " has " + other.subject + ", rank 0 " +
           first.subject + ": all ranks make the same calls with arrays that are alike";
}

SINTER_INLINE session_core::session_core(std::shared_ptr<distributed::communicator> link,
                                         const distributed::session_options& o)
    : link_(std::move(link)),
      engine_of_one_(o.engine_of_one),
      is_checked_((o.check || runtime::env().check) && link_->size() > 1) {}

SINTER_INLINE void session_core::begin(std::string_view call, const call_reason& why, std::int64_t bytes) {
    ++number_;
    link_->set_operation(why.operation);
    if (!is_checked_) return;
    const checked_call own(
        "[" + std::string(why.operation) + "] " + std::string(call) + " number " + std::to_string(number_), why.subject,
        bytes);
    static_assert(std::is_trivially_copyable_v<checked_call>);
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks()), sizeof own);
    std::vector<checked_call> all(sizes.size(), own);
    link_->all_gather(reinterpret_cast<const char*>(&own), sizes, reinterpret_cast<char*>(all.data()));
    for (std::size_t r = 1; r < all.size(); ++r) {
        if (all[r].is_like(all[0])) continue;
        const std::string words = difference_in_words(why.operation, static_cast<int>(r), all[r], all[0]);
        link_->abort(words);
        throw device_error(words);
    }
}

SINTER_INLINE std::string session_core::count(collective call, std::string_view operation,
                                              codegen::span<const std::int64_t> out_sizes,
                                              codegen::span<const std::int64_t> in_sizes) {
    if (ranks() == 1) return {};
    const auto self = static_cast<std::size_t>(rank());
    const std::int64_t sent = sum_of(out_sizes) - out_sizes[self], received = sum_of(in_sizes) - in_sizes[self];
    ++counters_.collectives;
    for (std::size_t r = 0; r < out_sizes.size(); ++r) counters_.messages += r != self && out_sizes[r] > 0;
    counters_.bytes_sent += sent;
    counters_.bytes_received += received;
    return std::string(word_of(call)) + " for " + std::string(operation) + ": " + std::to_string(sent) +
           " bytes sent, " + std::to_string(received) + " received by rank " + std::to_string(rank());
}

SINTER_INLINE std::vector<char> session_core::all_gather(const call_reason& why, const std::vector<char>& mine,
                                                         codegen::span<const std::int64_t> sizes, std::string& moved) {
    const std::int64_t total = sum_of(sizes);
    begin(word_of(collective::all_gather), why, total);
    std::vector<char> all(static_cast<std::size_t>(total));
    if (ranks() == 1) return mine;
    link_->all_gather(mine.data(), sizes, all.data());
    const std::vector<std::int64_t> own(sizes.size(), static_cast<std::int64_t>(mine.size()));
    moved = count(collective::all_gather, why.operation, own, sizes);
    return all;
}

SINTER_INLINE std::vector<char> session_core::all_to_all(const call_reason& why, const std::vector<char>& out,
                                                         codegen::span<const std::int64_t> out_sizes,
                                                         codegen::span<const std::int64_t> in_sizes,
                                                         std::string& moved) {
    begin(word_of(collective::all_to_all), why, -1);
    if (ranks() == 1) return out;
    std::vector<char> in(static_cast<std::size_t>(sum_of(in_sizes)));
    link_->all_to_all(out.data(), out_sizes, in.data(), in_sizes);
    moved = count(collective::all_to_all, why.operation, out_sizes, in_sizes);
    return in;
}

SINTER_INLINE std::vector<char> session_core::exchange(const call_reason& why, const std::vector<char>& out,
                                                       codegen::span<const std::int64_t> out_sizes,
                                                       codegen::span<const std::int64_t> in_sizes, std::string& moved) {
    begin(word_of(collective::exchange), why, -1);
    if (ranks() == 1) return out;
    std::vector<char> in(static_cast<std::size_t>(sum_of(in_sizes)));
    link_->exchange(out.data(), out_sizes, in.data(), in_sizes);
    moved = count(collective::exchange, why.operation, out_sizes, in_sizes);
    return in;
}

SINTER_INLINE void session_core::move_on_device(collective call, const call_reason& why, const char* out,
                                                codegen::span<const distributed::transfer> to, char* in,
                                                codegen::span<const distributed::transfer> from, std::string& moved) {
    std::vector<std::int64_t> out_sizes, in_sizes;
    for (const distributed::transfer& t : to) out_sizes.push_back(t.size);
    for (const distributed::transfer& t : from) in_sizes.push_back(t.size);
    begin(word_of(call), why, call == collective::all_gather ? sum_of(in_sizes) : -1);
    link_->move_on_device(out, to, in, from);
    moved = count(call, why.operation, out_sizes, in_sizes);
}

SINTER_INLINE void session_core::broadcast(const call_reason& why, std::vector<char>& data, int root,
                                           std::string& moved) {
    const auto bytes = static_cast<std::int64_t>(data.size());
    begin(word_of(collective::broadcast), why, bytes);
    if (ranks() == 1) return;
    link_->broadcast(data.data(), bytes, root);
    std::vector<std::int64_t> out_sizes(static_cast<std::size_t>(ranks())), in_sizes(out_sizes);
    if (rank() == root) out_sizes.assign(out_sizes.size(), bytes);
    else in_sizes[static_cast<std::size_t>(root)] = bytes;
    moved = count(collective::broadcast, why.operation, out_sizes, in_sizes);
}

SINTER_INLINE void session_core::barrier(const call_reason& why) {
    begin(word_of(collective::barrier), why, 0);
    link_->barrier();
}

SINTER_INLINE distributed::matrix_engine& session_core::engine(const call_reason& why) {
    if (!engine_) engine_ = distributed::make_matrix_engine(why.operation, *link_);
    begin(engine_->name(), why, -1);
    return *engine_;
}

SINTER_INLINE void session_core::add_pending(const distributed_ref& v) { pending_.push_back(v); }

SINTER_INLINE std::vector<distributed_ref> session_core::take_pending() {
    std::vector<distributed_ref> all;
    for (const auto& weak : pending_)
        if (distributed_ref v = weak.lock()) all.push_back(std::move(v));
    pending_.clear();
    return all;
}

}  // namespace detail

namespace distributed {

/// A launcher that has started several processes, by what it tells them; no name where none has.
struct launcher {
    std::string_view name, ranks;

    static launcher of_environment() {
        // The innermost first: torchrun may run in a task of srun or mpirun.
        constexpr std::pair<const char*, std::string_view> words[] = {{"WORLD_SIZE", "torchrun"},
                                                                      {"OMPI_COMM_WORLD_SIZE", "mpirun"},
                                                                      {"PMI_SIZE", "mpirun"},
                                                                      {"SLURM_STEP_NUM_TASKS", "srun"}};
        for (const auto& [variable, name] : words)
            if (const char* ranks = std::getenv(variable); ranks && std::string_view(ranks) != "1")
                return {name, ranks};
        return {};
    }
};

// The GPU of a rank among those of its machine, where its process sees several.
SINTER_INLINE std::shared_ptr<const device_scope> gpu_of_rank() {
    const char* local = std::getenv("LOCAL_RANK");
    if (!local) return nullptr;
    const int number = std::atoi(local);
    if (number < 0 || number >= runtime::cuda_device_count()) return nullptr;
    return std::make_shared<const device_scope>(device::cuda(number));
}

SINTER_INLINE session::start session::of_environment() {
    const communicator_factory f = use_factory(nullptr);
    start own{nullptr, f ? f() : make_single_communicator()};
    const launcher by = launcher::of_environment();
    if (own.link->size() > 1 || by.name.empty()) return own;
    if (by.name == "torchrun" && runtime::current_device().is_cuda()) {
        own.on = gpu_of_rank();
        own.link = make_nccl_communicator();
        return own;
    }
    const std::string started =
        "[session] " + std::string(by.name) + " started " + std::string(by.ranks) + " processes, ";
    if (by.name == "torchrun")
        throw value_error(started + "which NCCL links on GPUs: choose one by device_scope, or start them by mpirun");
    if (f)
        throw value_error(started + "of which this program's MPI knows one: it is another one than " +
                          std::string(by.name) + "'s");
    throw value_error(started + "but this program has no MPI: include <mpi.h> before <sinter/distributed.hpp>");
}

SINTER_INLINE session::session(const session_options& o) : session(of_environment(), o) {}
SINTER_INLINE session::session(std::shared_ptr<communicator> link, const session_options& o)
    : session(start{nullptr, std::move(link)}, o) {}

SINTER_IEEE_BEGIN
SINTER_INLINE std::int64_t milliseconds_of(double seconds) { return static_cast<std::int64_t>(seconds * 1000); }
SINTER_IEEE_END

// All ranks draw what rank 0 would have drawn: arrays that each makes of random numbers are alike.
SINTER_INLINE void share_generator(communicator& link) {
    random::generator_state state = random::default_generator().state();
    static_assert(std::is_trivially_copyable_v<random::generator_state>);
    link.broadcast(reinterpret_cast<char*>(&state), sizeof state, 0);
    random::default_generator().set_state(state);
}

SINTER_INLINE session::session(start from, const session_options& o)
    : on_(std::move(from.on)),
      core_(std::make_shared<detail::session_core>(std::move(from.link), o)),
      outer_(detail::session_of_thread()),
      exceptions_(std::uncaught_exceptions()) {
    core_->link().set_timeout(milliseconds_of(o.timeout));
    core_->link().set_operation("session");
    share_generator(core_->link());
    if (core_->ranks() > 1 && communicator_name() != "threads") runtime::compiles_in_turns() = true;
    detail::session_of_thread() = core_;
}

SINTER_INLINE session::~session() {
    if (std::uncaught_exceptions() > exceptions_) core_->link().leave_by_exception();
    detail::session_of_thread() = outer_;
}

/// What the ranks of `run` threw, in the order in which they did; those that only found another one ended come last.
struct thrown_by_ranks {
    struct one {
        int rank;
        std::exception_ptr exception;
        std::string words;
    };
    std::mutex mutex;
    std::vector<one> own, others;

    std::string add(int rank, const char* words, bool is_own) {
        const std::lock_guard lock(mutex);
        (is_own ? own : others).push_back({rank, std::current_exception(), words});
        return "[run] rank " + std::to_string(rank) + " threw: " + words;
    }
};

/// What a rank's thread takes over from the one that runs it.
struct surroundings {
    device where = runtime::current_device();
    runtime::backend how = runtime::backend_of(where);
    random::generator_state numbers = random::default_generator().state();
};

SINTER_INLINE void run_rank(const std::shared_ptr<communicator>& link, const std::function<void(session&)>& f,
                            const session_options& o, const surroundings& outer, thrown_by_ranks& thrown) {
    auto fail = [&](const char* what) { link->abort(thrown.add(link->rank(), what, true)); };
    try {
        const device_scope on(outer.where);
        std::optional<runtime::backend_scope> with;
        if (!outer.where.is_cuda()) with.emplace(outer.how);
        random::default_generator().set_state(outer.numbers);
        session s(link, o);
        f(s);
    } catch (const rank_ended& e) {
        thrown.add(link->rank(), e.what(), false);
    } catch (const std::exception& e) {
        fail(e.what());
    } catch (...) {
        fail("what is no exception");
    }
}

SINTER_INLINE void run(int ranks, const std::function<void(session&)>& f, const session_options& o) {
    const auto links = make_thread_communicators(ranks);
    const surroundings outer;
    random::generator_state drawn = outer.numbers;
    thrown_by_ranks thrown;
    std::vector<std::thread> threads;
    threads.reserve(links.size());
    std::string why;
    try {
        for (const auto& link : links)
            threads.emplace_back([&, link] {
                run_rank(link, f, o, outer, thrown);
                if (link->rank() == 0) drawn = random::default_generator().state();
            });
    } catch (const std::exception& e) {
        why = "[run] " + std::to_string(ranks) + " ranks need as many threads, of which " +
              std::to_string(threads.size()) + " could be made: " + e.what();
        links[threads.size()]->abort(why);
    }
    for (std::thread& t : threads) t.join();
    if (!why.empty()) throw device_error(why);
    random::default_generator().set_state(drawn);
    if (thrown.own.empty() && !thrown.others.empty()) std::rethrow_exception(thrown.others[0].exception);
    if (thrown.own.empty()) return;
    const thrown_by_ranks::one& first = thrown.own[0];
    bool alike = static_cast<int>(thrown.own.size()) == ranks;
    for (const thrown_by_ranks::one& t : thrown.own) alike = alike && t.words == first.words;
    if (alike) std::rethrow_exception(first.exception);
    throw error("[run] rank " + std::to_string(first.rank) + " threw: " + first.words);
}

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI
