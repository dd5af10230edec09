// Bodies of nccl_communicator.hpp.
#pragma once

#include <chrono>
#include <cstring>
#include <functional>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/library.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/stream_order.hpp>
#include <sinter/runtime/distributed/nccl_communicator.hpp>
#include <sinter/runtime/distributed/nccl_types.hpp>
#include <sinter/runtime/distributed/rendezvous.hpp>
#include <sinter/runtime/distributed/staging.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

#if SINTER_HAS_CUDA

/// NCCL's functions.
struct nccl_table {
    using t = nccl_types;
    t::get_unique_id* get_unique_id = nullptr;
    t::init_rank* init_rank = nullptr;
    t::end *destroy = nullptr, *abort = nullptr;
    t::get_async_error* get_async_error = nullptr;
    t::error_text* error_text = nullptr;
    t::group *group_start = nullptr, *group_end = nullptr;
    t::send* send = nullptr;
    t::recv* recv = nullptr;
    t::broadcast* broadcast = nullptr;
    std::string why;  ///< not empty: it could not be loaded
};

SINTER_INLINE void load_nccl(nccl_table& t) {
    const runtime::shared_library& library = runtime::nccl_library();
    const runtime::function_finder find(library, t.why, "a later NCCL",
                                        "NCCL is not there (libnccl2, or nvidia-nccl-cu13 of PyPI): " + library.why());
    find(t.get_unique_id, "ncclGetUniqueId");
    find(t.init_rank, "ncclCommInitRank");
    find(t.destroy, "ncclCommDestroy");
    find(t.abort, "ncclCommAbort");
    find(t.get_async_error, "ncclCommGetAsyncError");
    find(t.error_text, "ncclGetErrorString");
    find(t.group_start, "ncclGroupStart");
    find(t.group_end, "ncclGroupEnd");
    find(t.send, "ncclSend");
    find(t.recv, "ncclRecv");
    find(t.broadcast, "ncclBroadcast");
}

SINTER_INLINE const nccl_table& loaded_nccl() { return runtime::loaded_or_throw<nccl_table, load_nccl>("[nccl] "); }

SINTER_INLINE void check_nccl(int status, const char* what) {
    if (status == nccl_constants::success || status == nccl_constants::in_progress) return;
    throw device_error(codegen::joined({"[nccl] ", what, ": ", loaded_nccl().error_text(status)}));
}

/// Calls that NCCL starts together. A call that throws between them must not leave the thread's group open.
class nccl_group {
public:
    explicit nccl_group(const nccl_table& nccl) : nccl_(nccl) { check_nccl(nccl_.group_start(), "ncclGroupStart"); }
    nccl_group(const nccl_group&) = delete;
    nccl_group& operator=(const nccl_group&) = delete;
    ~nccl_group() {
        if (is_open_) nccl_.group_end();
    }
    void end() {
        is_open_ = false;
        check_nccl(nccl_.group_end(), "ncclGroupEnd");
    }

private:
    const nccl_table& nccl_;
    bool is_open_ = true;
};

/// Bytes between GPUs: copied to this rank's device, moved, copied back, all in one stream.
class nccl_communicator final : public communicator {
public:
    nccl_communicator(device where, int rank, int ranks, const nccl_types::unique_id& id,
                      std::shared_ptr<communicator> over, std::shared_ptr<lifeline> link)
        : nccl_(loaded_nccl()),
          where_(where),
          rank_(rank),
          size_(ranks),
          over_(std::move(over)),
          lifeline_(std::move(link)) {
        runtime::use_device(where.index());
        stream_ = runtime::open_stream(where);
        const int status = nccl_.init_rank(&comm_, ranks, id, rank);
        if (status != nccl_constants::success) runtime::give_back_stream(stream_);
        check_nccl(status, "ncclCommInitRank");
    }
    nccl_communicator(const nccl_communicator&) = delete;
    nccl_communicator& operator=(const nccl_communicator&) = delete;
    ~nccl_communicator() override {
        if (comm_) nccl_.destroy(comm_);
        runtime::give_back_stream(stream_);
    }

    std::string_view name() const override { return "NCCL"; }
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void set_timeout(std::int64_t milliseconds) override { timeout_ = std::chrono::milliseconds(milliseconds); }
    mpi_link mpi() const override { return over_ ? over_->mpi() : mpi_link{}; }
    nccl_link nccl() const override { return {comm_, where_.index(), stream()}; }

    void all_gather(const char* mine, codegen::span<const std::int64_t> sizes, char* all) override {
        std::vector<transfer> out, in;
        for (int r = 0; r < size_; ++r) {
            out.push_back({0, sizes[at(rank_)], r});
            in.push_back({in.empty() ? 0 : in.back().end(), sizes[at(r)], r});
        }
        run("all_gather", mine, out, all, in);
    }
    void all_to_all(const char* out, codegen::span<const std::int64_t> out_sizes, char* in,
                    codegen::span<const std::int64_t> in_sizes) override {
        run("all_to_all", out, pieces(out_sizes), in, pieces(in_sizes));
    }
    // All of them in one group: ranks that send to each other in turn would wait in a circle.
    void exchange(const char* out, codegen::span<const std::int64_t> out_sizes, char* in,
                  codegen::span<const std::int64_t> in_sizes) override {
        run("send and recv", out, pieces(out_sizes), in, pieces(in_sizes));
    }
    void broadcast(char* data, std::int64_t size, int root) override;
    // A message waits for the next call, which moves it together with its own: a rank that sends and one that receives
    // do not wait for each other in the stream.
    void send(const char* data, std::int64_t size, int to) override {
        sent_.push_back({std::vector<char>(data, data + size), to});
    }
    void recv(char* data, std::int64_t size, int from) override { run("recv", nullptr, {}, data, {{0, size, from}}); }
    void barrier() override {
        const std::vector<std::int64_t> sizes(at(size_), 1);
        std::vector<char> all(at(size_));
        const char mine = 0;
        all_gather(&mine, sizes, all.data());
    }
    bool moves_on(device where) const override { return where == where_; }
    void move_on_device(const char* out, codegen::span<const transfer> to, char* in,
                        codegen::span<const transfer> from) override;
    std::shared_ptr<communicator> split(int color) override;
    void abort(const std::string& why) noexcept override {
        leave_nccl();
        if (over_) over_->abort(why);
        else if (lifeline_) lifeline_->end(why);
    }
    void leave_by_exception() noexcept override {
        leave_nccl();
        if (over_) over_->leave_by_exception();
        else if (lifeline_) lifeline_->end("its session was left by an exception");
    }
    std::string ended() const override {
        return over_ ? over_->ended() : lifeline_ ? lifeline_->ended() : std::string();
    }

private:
    struct message {
        std::vector<char> bytes;
        int to;
    };
    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
    static std::vector<transfer> pieces(codegen::span<const std::int64_t> sizes) {
        std::vector<transfer> all;
        for (std::size_t r = 0; r < sizes.size(); ++r)
            all.push_back({all.empty() ? 0 : all.back().end(), sizes[r], static_cast<int>(r)});
        return all;
    }
    CUstream stream() const { return static_cast<CUstream>(runtime::native_of(*stream_)); }
    // Without waiting for what others do not do any more.
    void leave_nccl() noexcept {
        if (comm_) nccl_.abort(comm_);
        comm_ = nullptr;
    }
    void require_alive(const char* call) const {
        if (!comm_) throw rank_ended(named(call) + " the ranks' communicator was ended before");
    }
    void run(const char* call, const char* out, const std::vector<transfer>& to, char* in,
             const std::vector<transfer>& from);
    void post(const char* out, codegen::span<const transfer> to, char* in, codegen::span<const transfer> from);
    void wait(const char* call);
    [[noreturn]] void end_all(const std::string& why);

    const nccl_table& nccl_;
    device where_;
    int rank_, size_;
    std::shared_ptr<communicator> over_;
    std::shared_ptr<lifeline> lifeline_;  ///< where no other communicator tells of ranks that end
    runtime::stream_state* stream_ = nullptr;
    nccl_types::comm comm_ = nullptr;
    std::chrono::milliseconds timeout_{60000};
    std::vector<message> sent_;
};

SINTER_INLINE void nccl_communicator::run(const char* call, const char* out, const std::vector<transfer>& to, char* in,
                                          const std::vector<transfer>& from) {
    require_alive(call);
    runtime::use_device(where_.index());
    const std::int64_t begin = to.empty() ? 0 : to.back().end();
    std::vector<transfer> posted;
    for (const message& m : sent_)
        posted.push_back(
            {posted.empty() ? begin : posted.back().end(), static_cast<std::int64_t>(m.bytes.size()), m.to});
    const staging there(stream(), posted.empty() ? begin : posted.back().end());
    const staging here(stream(), from.empty() ? 0 : from.back().end());
    there.fill(0, out, begin);
    for (std::size_t i = 0; i < posted.size(); ++i) there.fill(posted[i].begin, sent_[i].bytes.data(), posted[i].size);
    // Messages that were sent before come before those of this call.
    posted.insert(posted.end(), to.begin(), to.end());
    post(static_cast<const char*>(there.at(0)), posted, static_cast<char*>(here.at(0)), from);
    wait(call);
    // Behind wait, which alone looks at the timeout.
    here.take(in, from.empty() ? 0 : from.back().end());
    sent_.clear();
}

// Pieces of device memory, in one group.
SINTER_INLINE void nccl_communicator::post(const char* out, codegen::span<const transfer> to, char* in,
                                           codegen::span<const transfer> from) {
    nccl_group group(nccl_);
    for (const transfer& t : to)
        if (t.size > 0)
            check_nccl(nccl_.send(out + t.begin, static_cast<std::size_t>(t.size), nccl_constants::bytes, t.rank, comm_,
                                  stream()),
                       "ncclSend");
    for (const transfer& t : from)
        if (t.size > 0)
            check_nccl(nccl_.recv(in + t.begin, static_cast<std::size_t>(t.size), nccl_constants::bytes, t.rank, comm_,
                                  stream()),
                       "ncclRecv");
    group.end();
}

SINTER_INLINE void nccl_communicator::move_on_device(const char* out, codegen::span<const transfer> to, char* in,
                                                     codegen::span<const transfer> from) {
    require_alive("exchange");
    runtime::use_device(where_.index());
    if (!sent_.empty()) run("exchange", nullptr, {}, nullptr, {});
    runtime::check(runtime::driver().cuStreamSynchronize(static_cast<CUstream>(runtime::cuda_stream(where_))),
                   "cuStreamSynchronize");
    post(out, to, in, from);
    wait("exchange");
}

SINTER_INLINE void nccl_communicator::broadcast(char* data, std::int64_t size, int root) {
    require_alive("broadcast");
    if (!sent_.empty()) run("broadcast", nullptr, {}, nullptr, {});
    if (size == 0) return;
    runtime::use_device(where_.index());
    const staging bytes(stream(), size);
    if (rank_ == root) bytes.fill(0, data, size);
    check_nccl(nccl_.broadcast(bytes.at(0), bytes.at(0), static_cast<std::size_t>(size), nccl_constants::bytes, root,
                               comm_, stream()),
               "ncclBroadcast");
    wait("broadcast");
    if (rank_ != root) bytes.take(data, size);
}

// NCCL connects two ranks when they first send each other something, and no timeout ends that: all do so here, where
// all have just come.
SINTER_INLINE std::shared_ptr<communicator> connected(std::shared_ptr<communicator> link) {
    link->barrier();
    return link;
}

SINTER_INLINE void nccl_communicator::end_all(const std::string& why) {
    abort(why);
    throw rank_ended(why);
}

// Until the stream has come so far; ends all ranks when NCCL meets an error, another one has ended, or others do not
// come in time.
SINTER_INLINE void nccl_communicator::wait(const char* call) {
    using clock = std::chrono::steady_clock;
    const auto start = clock::now();
    auto next_look = start + std::chrono::milliseconds(2);
    while (!runtime::is_stream_idle(*stream_)) {
        int problem = 0;
        check_nccl(nccl_.get_async_error(comm_, &problem), "ncclCommGetAsyncError");
        if (problem != nccl_constants::success && problem != nccl_constants::in_progress)
            end_all(named(call) + " " + nccl_.error_text(problem));
        const auto now = clock::now();
        if (timeout_.count() > 0 && now - start > timeout_)
            end_all(named(call) + " waited " + time_words(timeout_.count()) + " for other ranks");
        if (now > next_look) {
            next_look = now + std::chrono::milliseconds(10);
            if (const std::string why = ended(); !why.empty()) end_all(named(call) + " " + why);
        }
        if (now - start < std::chrono::microseconds(200)) std::this_thread::yield();
        else std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

SINTER_INLINE std::shared_ptr<communicator> nccl_communicator::split(int color) {
    struct card {
        int color;
        nccl_types::unique_id id;
    };
    card mine{color, {}};
    check_nccl(nccl_.get_unique_id(&mine.id), "ncclGetUniqueId");
    const std::vector<std::int64_t> sizes(at(size_), sizeof(card));
    std::vector<card> all(at(size_));
    all_gather(reinterpret_cast<const char*>(&mine), sizes, reinterpret_cast<char*>(all.data()));
    int rank = 0, ranks = 0, first = -1;
    for (int r = 0; r < size_; ++r) {
        if (all[at(r)].color != color) continue;
        if (first < 0) first = r;
        rank += r < rank_;
        ++ranks;
    }
    return connected(std::make_shared<nccl_communicator>(where_, rank, ranks, all[at(first)].id,
                                                         over_ ? over_->split(color) : nullptr, lifeline_));
}

#endif

/// The bytes of all ranks, as many of each, in their order, and what links them else.
using gather_function = std::function<met_ranks(const std::string& mine)>;

#if SINTER_HAS_CUDA
/// What ranks tell each other before NCCL links them, which waits for all of them for ever.
struct nccl_card {
    nccl_types::unique_id id;  ///< of rank 0
    char why[512];             ///< not empty: this rank cannot
};

SINTER_INLINE nccl_card card_of_rank(int rank, device where) {
    nccl_card card{};
    try {
        if (!where.is_cuda())
            throw device_error(
                "[nccl] ranks need a GPU each, and the current device is the CPU: choose one by device_scope before");
        const nccl_table& nccl = loaded_nccl();
        if (rank == 0) check_nccl(nccl.get_unique_id(&card.id), "ncclGetUniqueId");
    } catch (const error& e) {
        std::strncpy(card.why, e.what(), sizeof card.why - 1);
    }
    return card;
}
#endif

SINTER_INLINE std::shared_ptr<communicator> nccl_over(int rank, int ranks, std::shared_ptr<communicator> over,
                                                      const gather_function& gather) {
#if SINTER_HAS_CUDA
    const device where = runtime::current_device();
    const nccl_card mine = card_of_rank(rank, where);
    met_ranks met = gather(std::string(reinterpret_cast<const char*>(&mine), sizeof mine));
    std::vector<nccl_card> all(static_cast<std::size_t>(ranks));
    std::memcpy(all.data(), met.bytes.data(), met.bytes.size());
    for (std::size_t r = 0; r < all.size(); ++r)
        if (all[r].why[0]) throw device_error(codegen::joined({all[r].why, " (rank ", r, ")"}));
    return connected(
        std::make_shared<nccl_communicator>(where, rank, ranks, all[0].id, std::move(over), std::move(met.link)));
#else
    static_cast<void>(rank + ranks);
    static_cast<void>(over);
    static_cast<void>(gather);
    throw device_error("[nccl] built without CUDA headers");
#endif
}

SINTER_INLINE std::shared_ptr<communicator> make_nccl_communicator(std::shared_ptr<communicator> over) {
    communicator& link = *over;
    return nccl_over(link.rank(), link.size(), std::move(over), [&](const std::string& mine) {
        const auto ranks = static_cast<std::size_t>(link.size());
        const std::vector<std::int64_t> sizes(ranks, static_cast<std::int64_t>(mine.size()));
        std::string all(ranks * mine.size(), '\0');
        link.all_gather(mine.data(), sizes, all.data());
        return met_ranks{std::move(all), nullptr};
    });
}

SINTER_INLINE std::shared_ptr<communicator> make_nccl_communicator() {
    const meeting_place place = meeting_place_of_environment();
    return nccl_over(place.rank, place.ranks, nullptr,
                     [&](const std::string& mine) { return gather_by_address(place, mine); });
}

}  // namespace sinter::inline SINTER_ABI::distributed
