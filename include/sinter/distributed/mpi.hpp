// Ranks that are processes of MPI, for programs that include mpi.h before <sinter/distributed.hpp>: what MPI's types
// are differs from library to library, so that this is compiled with the program.
#pragma once

#if defined(MPI_VERSION)

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/distributed/communicator.hpp>
#include <thread>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

/// Whether a session of this process was left by an exception: it then ends all ranks where it ends.
inline bool& left_by_exception_of_mpi() {
    static bool left = false;
    return left;
}

/// The ranks of a communicator of MPI's, which is duplicated. Calls do not block inside of MPI, so that they can end in
/// time; messages beyond 2^31 bytes are described by types.
class mpi_communicator final : public communicator {
public:
    /// `largest`: bytes that are sent by a count, more are by a type.
    explicit mpi_communicator(MPI_Comm of, std::int64_t largest = std::int64_t{1} << 30) : largest_(largest) {
        MPI_Comm_dup(of, &comm_);
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
    }
    mpi_communicator(const mpi_communicator&) = delete;
    mpi_communicator& operator=(const mpi_communicator&) = delete;
    ~mpi_communicator() override {
        if (!can_free()) return;
        for (sent_message& m : sent_) MPI_Wait(&m.request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm_);
    }

    std::string_view name() const override { return "MPI"; }
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void set_timeout(std::int64_t milliseconds) override { timeout_ = std::chrono::milliseconds(milliseconds); }

    void all_gather(const char* mine, codegen::span<const std::int64_t> sizes, char* all) override {
        std::int64_t total = 0;
        std::vector<int> counts, places;
        for (std::int64_t n : sizes) {
            counts.push_back(static_cast<int>(n));
            places.push_back(static_cast<int>(total));
            total += n;
        }
        if (total > largest_) {
            const std::vector<std::int64_t> own(sizes.size(), 0), out(sizes.size(), sizes[at(rank_)]);
            return exchange_blocks("all_gather", mine, own, out, all, sizes);
        }
        MPI_Request r;
        MPI_Iallgatherv(mine, counts[at(rank_)], MPI_BYTE, all, counts.data(), places.data(), MPI_BYTE, comm_, &r);
        wait("all_gather", r);
    }
    void all_to_all(const char* out, codegen::span<const std::int64_t> out_sizes, char* in,
                    codegen::span<const std::int64_t> in_sizes) override {
        exchange_blocks("all_to_all", out, places_of(out_sizes), out_sizes, in, in_sizes);
    }
    void broadcast(char* data, std::int64_t size, int root) override {
        const block all(data, size, largest_);
        MPI_Request r;
        MPI_Ibcast(all.start(), all.count(), all.type(), root, comm_, &r);
        wait("broadcast", r);
    }
    void send(const char* data, std::int64_t size, int to) override {
        std::erase_if(sent_, [](sent_message& m) { return m.is_done(); });
        sent_message& m = sent_.emplace_back();
        m.bytes.assign(data, data + size);
        const block all(m.bytes.data(), size, largest_);
        MPI_Isend(all.start(), all.count(), all.type(), to, 0, comm_, &m.request);
    }
    void recv(char* data, std::int64_t size, int from) override {
        const block all(data, size, largest_);
        MPI_Request r;
        MPI_Irecv(all.start(), all.count(), all.type(), from, 0, comm_, &r);
        wait("recv", r);
    }
    void barrier() override {
        MPI_Request r;
        MPI_Ibarrier(comm_, &r);
        wait("barrier", r);
    }
    std::shared_ptr<communicator> split(int color) override {
        MPI_Comm part;
        MPI_Comm_split(comm_, color, rank_, &part);
        auto c = std::make_shared<mpi_communicator>(part, largest_);
        MPI_Comm_free(&part);
        return c;
    }
    void abort(const std::string& why) noexcept override {
        std::fprintf(stderr, "sinter: rank %d ends all ranks: %s\n", rank_, why.c_str());
        std::fflush(stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    mpi_link mpi() const override {
#if defined(OPEN_MPI)
        return {static_cast<int>(MPI_Comm_c2f(comm_)), "OpenMPI", can_free};
#else
        return {static_cast<int>(MPI_Comm_c2f(comm_)), "MPICH", can_free};
#endif
    }
    void leave_by_exception() noexcept override { left_by_exception_of_mpi() = true; }

private:
    /// Bytes as a count, or as a type at an address where they are too many for one.
    class block {
    public:
        block(const char* data, std::int64_t size, std::int64_t largest, bool is_absolute = false)
            : data_(const_cast<char*>(data)) {
            if (size == 0 || (size <= largest && !is_absolute)) {
                count_ = static_cast<int>(size);
                return;
            }
            std::vector<int> lengths;
            std::vector<MPI_Aint> places;
            for (std::int64_t i = 0; i < size; i += largest) {
                MPI_Aint address;
                MPI_Get_address(data + i, &address);
                lengths.push_back(static_cast<int>(size - i < largest ? size - i : largest));
                places.push_back(address);
            }
            count_ = 1;
            data_ = static_cast<char*>(MPI_BOTTOM);  // places are addresses
            own(lengths, places);
        }
        block(const block&) = delete;
        block& operator=(const block&) = delete;
        ~block() {
            if (type_ != MPI_BYTE) MPI_Type_free(&type_);
        }
        void* start() const { return data_; }
        int count() const { return count_; }
        MPI_Datatype type() const { return type_; }

    private:
        void own(const std::vector<int>& lengths, const std::vector<MPI_Aint>& places) {
            MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &type_);
            MPI_Type_commit(&type_);
        }
        char* data_;
        int count_ = 0;
        MPI_Datatype type_ = MPI_BYTE;
    };
    struct sent_message {
        std::vector<char> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
        bool is_done() {
            int done = 0;
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            return done != 0;
        }
    };

    // Whether ranks can still give communicators back, which all of them do together.
    static bool can_free() {
        int ended = 0;
        MPI_Finalized(&ended);
        return !ended && !left_by_exception_of_mpi();
    }
    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
    static std::vector<std::int64_t> places_of(codegen::span<const std::int64_t> sizes) {
        std::vector<std::int64_t> places;
        std::int64_t n = 0;
        for (std::int64_t s : sizes) {
            places.push_back(n);
            n += s;
        }
        return places;
    }
    // A message to each rank and from each, of any size.
    void exchange_blocks(const char* call, const char* out, const std::vector<std::int64_t>& out_places,
                         codegen::span<const std::int64_t> out_sizes, char* in,
                         codegen::span<const std::int64_t> in_sizes) {
        std::deque<block> blocks;
        std::vector<int> counts[2];
        std::vector<MPI_Datatype> types[2];
        const std::vector<int> nowhere(at(size_), 0);
        const std::vector<std::int64_t> in_places = places_of(in_sizes);
        auto add = [&](int side, const char* data, std::int64_t size) {
            const block& b = blocks.emplace_back(data, size, largest_, true);
            counts[side].push_back(b.count());
            types[side].push_back(b.type());
        };
        for (int r = 0; r < size_; ++r) {
            add(0, out + out_places[at(r)], out_sizes[at(r)]);
            add(1, in + in_places[at(r)], in_sizes[at(r)]);
        }
        MPI_Request r;
        MPI_Ialltoallw(MPI_BOTTOM, counts[0].data(), nowhere.data(), types[0].data(), MPI_BOTTOM, counts[1].data(),
                       nowhere.data(), types[1].data(), comm_, &r);
        wait(call, r);
    }
    // Until a call is done; ends all ranks when others do not come in time.
    void wait(const char* call, MPI_Request& r) {
        const auto start = std::chrono::steady_clock::now();
        int done = 0;
        for (MPI_Test(&r, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&r, &done, MPI_STATUS_IGNORE)) {
            // Soon by looking again at once, later by leaving the core to ranks that may share it.
            const auto waited = std::chrono::steady_clock::now() - start;
            if (waited < std::chrono::microseconds(50)) std::this_thread::yield();
            else std::this_thread::sleep_for(std::chrono::microseconds(20));
            if (timeout_.count() > 0 && waited > timeout_) {
                const std::string why = named(call) + " waited " + time_words(timeout_.count()) + " for other ranks";
                abort(why);
                throw rank_ended(why);
            }
        }
    }

    MPI_Comm comm_;
    int rank_ = 0, size_ = 1;
    std::int64_t largest_;
    std::chrono::milliseconds timeout_{60000};
    std::deque<sent_message> sent_;
};

/// Says what a rank threw and that nobody caught, and ends all ranks.
[[noreturn]] inline void terminate_mpi() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char* what = "what is no exception";
    try {
        if (const std::exception_ptr e = std::current_exception()) std::rethrow_exception(e);
    } catch (const std::exception& e) {
        what = e.what();
        std::fprintf(stderr, "sinter: rank %d threw: %s\n", rank, what);
    } catch (...) {
        std::fprintf(stderr, "sinter: rank %d threw %s\n", rank, what);
    }
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

inline void finalize_mpi() {
    if (left_by_exception_of_mpi()) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
}

/// All ranks of mpirun; MPI is initialised, and finalised when the process ends, unless the program does so itself.
inline std::shared_ptr<communicator> make_mpi_communicator() {
    int begun = 0;
    MPI_Initialized(&begun);
    if (!begun) {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        std::atexit(finalize_mpi);
    }
    std::set_terminate(terminate_mpi);
    return std::make_shared<mpi_communicator>(MPI_COMM_WORLD);
}

/// Sessions of this program that are given no communicator have MPI's.
inline const bool has_mpi_factory = (use_factory(make_mpi_communicator), true);

}  // namespace sinter::inline SINTER_ABI::distributed

#endif
