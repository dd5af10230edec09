// What moves bytes between the ranks of a program: one small interface for threads, MPI and one process alone; must not
// know arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/device/device.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::distributed {

/// What the calls of a rank throw when another one has failed.
struct rank_ended : device_error {
    using device_error::device_error;
};

/// What a library that speaks MPI by itself has to know: the communicator as Fortran has it, and whose MPI it is.
struct mpi_link {
    int communicator = 0;
    std::string_view implementation;  ///< "OpenMPI", "MPICH"; empty where the ranks are none of MPI's
    bool (*can_free)() = nullptr;     ///< whether all ranks still come to give communicators back together
};

/// What a library that speaks NCCL by itself has to know: NCCL's communicator, this rank's GPU and its stream.
struct nccl_link {
    void* communicator = nullptr;  ///< nullptr where NCCL does not link the ranks, or did
    int device = -1;
    void* stream = nullptr;
};

/// A piece of memory that goes to a rank, or comes from one: bytes from where all pieces begin.
struct transfer {
    std::int64_t begin, size;
    int rank;
    std::int64_t end() const { return begin + size; }
};

/// The calls of a library of messages that distributed arrays need, over bytes in host memory. All ranks make the same
/// calls in the same order, except for send and recv. Sums and the like are made of these by kernels, in the order of
/// ranks, so that they do not depend on a library's algorithm.
/// Each throws device_error when another rank has ended or does not come within the timeout.
class communicator {
public:
    virtual ~communicator() = default;

    virtual std::string_view name() const = 0;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// How long a call waits for other ranks; 0: for ever.
    virtual void set_timeout(std::int64_t milliseconds) = 0;

    /// Bytes of each rank, as many as `sizes` has for it, one behind the other.
    virtual void all_gather(const char* mine, codegen::span<const std::int64_t> sizes, char* all) = 0;
    /// From what lies one behind the other in `out` each rank gets its piece; `in` gets the pieces of all ranks.
    virtual void all_to_all(const char* out, codegen::span<const std::int64_t> out_sizes, char* in,
                            codegen::span<const std::int64_t> in_sizes) = 0;
    virtual void broadcast(char* data, std::int64_t size, int root) = 0;
    /// A message, which waits for nobody, and its receipt; messages of one rank arrive in order.
    virtual void send(const char* data, std::int64_t size, int to) = 0;
    virtual void recv(char* data, std::int64_t size, int from) = 0;
    /// The same as all_to_all, where few ranks have something for each other: single messages.
    virtual void exchange(const char* out, codegen::span<const std::int64_t> out_sizes, char* in,
                          codegen::span<const std::int64_t> in_sizes);
    virtual void barrier() = 0;
    /// Whether bytes in memory of a device are moved from there to there, by the next call.
    virtual bool moves_on(device where) const { return static_cast<void>(where), false; }
    /// Pieces of device memory, after what this thread has enqueued; they are there when it returns. A rank that calls
    /// this and one that calls all_gather, all_to_all or exchange move the same messages.
    virtual void move_on_device(const char* out, codegen::span<const transfer> to, char* in,
                                codegen::span<const transfer> from);
    /// A communicator of the ranks that give the same color, in their order.
    virtual std::shared_ptr<communicator> split(int color) = 0;
    /// Makes the calls of all other ranks fail with these words, or ends the processes where that cannot be.
    virtual void abort(const std::string& why) noexcept = 0;
    /// Why the next call would throw rank_ended; empty where no other rank is known to have ended. Waits for nothing.
    virtual std::string ended() const { return {}; }
    virtual mpi_link mpi() const { return {}; }
    virtual nccl_link nccl() const { return {}; }
    /// Told when a session is left by an exception: other ranks may wait for this one.
    virtual void leave_by_exception() noexcept {}

    /// For which operation of a program the next calls are, as messages name it.
    void set_operation(std::string_view name) { operation_ = name; }

protected:
    /// A call that did not end, in words.
    std::string named(std::string_view call) const {
        std::string words = "[";
        words.append(operation_.empty() ? call : operation_).append("]");
        if (!operation_.empty()) words.append(" ").append(call).append(":");
        return words;
    }

private:
    std::string operation_;
};

/// `5 s`, `200 ms`.
std::string time_words(std::int64_t milliseconds);

/// The one rank of a program that runs alone.
std::shared_ptr<communicator> make_single_communicator();

/// What makes the communicator of a session that is given none, such as MPI's of a program that includes its header;
/// nullptr where there is none.
using communicator_factory = std::shared_ptr<communicator> (*)();
/// The factory for this process, replaced by another unless that is nullptr.
communicator_factory use_factory(communicator_factory f);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/runtime/distributed/communicator.ipp>
#endif
