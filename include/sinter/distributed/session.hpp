// The ranks of a program that work together, and what they say to each other: the session that distributed arrays
// belong to.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <sinter/array/record.hpp>
#include <sinter/codegen/distributed/placement.hpp>
#include <sinter/runtime/distributed/communicator.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::inline SINTER_ABI {

class device_scope;

namespace distributed {

/// What a rank has sent and received since its session began or reset_counters().
struct message_counters {
    std::int64_t collectives = 0;
    std::int64_t messages = 0;  ///< to other ranks
    std::int64_t bytes_sent = 0;
    std::int64_t bytes_received = 0;
};

/// Options of sessions and of run.
struct session_options {
    double timeout = 60;  ///< seconds that a rank waits for others before all end; 0: for ever
    /// Whether one rank alone calls the library of matrices over ranks too, for what is not replicated.
    bool engine_of_one = false;
    /// Whether ranks tell each other what they are about to do before they move something, so that calls that differ
    /// throw and do not wait or mix up their bytes; SINTER_CHECK=1 has all sessions do so.
    bool check = false;
};

}  // namespace distributed

namespace distributed {

class matrix_engine;

}  // namespace distributed

namespace detail {

/// For what ranks move something: an operation, and what it is of in words, which have to be the same on all ranks and
/// are given where calls are checked.
struct call_reason {
    std::string_view operation;
    std::string subject = {};

    call_reason(std::string_view name, std::string of = {}) : operation(name), subject(std::move(of)) {}
    call_reason(const std::string& name) : operation(name) {}
    call_reason(const char* name) : operation(name) {}
};

/// What all ranks call together.
enum class collective : std::uint8_t { all_gather, all_to_all, exchange, broadcast, barrier };
std::string_view word_of(collective c);

struct distributed_value;
using distributed_ref = std::shared_ptr<distributed_value>;

/// The state of a session, which its arrays share: collectives in one order, counted, and checked where SINTER_CHECK=1
/// says so.
class session_core {
public:
    session_core(std::shared_ptr<distributed::communicator> link, const distributed::session_options& o);

    int rank() const { return link_->rank(); }
    int ranks() const { return link_->size(); }
    distributed::communicator& link() const { return *link_; }
    distributed::message_counters& counters() { return counters_; }

    /// Whether ranks tell each other what they are about to do before they do it.
    bool is_checked() const { return is_checked_; }
    /// Collectives for a reason, which is that of all ranks. They tell what they moved in words
    /// that `explain` shows.
    std::vector<char> all_gather(const call_reason& why, const std::vector<char>& mine,
                                 codegen::span<const std::int64_t> sizes, std::string& moved);
    std::vector<char> all_to_all(const call_reason& why, const std::vector<char>& out,
                                 codegen::span<const std::int64_t> out_sizes,
                                 codegen::span<const std::int64_t> in_sizes, std::string& moved);
    /// The same between few ranks: messages to those that get something, and from those that send something.
    std::vector<char> exchange(const call_reason& why, const std::vector<char>& out,
                               codegen::span<const std::int64_t> out_sizes, codegen::span<const std::int64_t> in_sizes,
                               std::string& moved);
    /// Any of these over memory of a device, where link().moves_on() it: from rank to rank, in the order of ranks.
    void move_on_device(collective call, const call_reason& why, const char* out,
                        codegen::span<const distributed::transfer> to, char* in,
                        codegen::span<const distributed::transfer> from, std::string& moved);
    void broadcast(const call_reason& why, std::vector<char>& data, int root, std::string& moved);
    void barrier(const call_reason& why);
    /// The library of matrices over these ranks, which all of them are about to call; throws device_error.
    distributed::matrix_engine& engine(const call_reason& why);
    /// Whether matrices that are not replicated are that library's.
    bool has_engine() const { return ranks() > 1 || engine_of_one_; }

    /// A reduction that waits for its parts; those that nobody has read are combined together.
    void add_pending(const distributed_ref& v);
    std::vector<distributed_ref> take_pending();

private:
    void begin(std::string_view call, const call_reason& why, std::int64_t bytes);
    /// A rank alone has moved nothing, and nobody is sent a message without bytes.
    std::string count(collective call, std::string_view operation, codegen::span<const std::int64_t> out_sizes,
                      codegen::span<const std::int64_t> in_sizes);

    std::shared_ptr<distributed::communicator> link_;
    bool engine_of_one_, is_checked_;
    std::shared_ptr<distributed::matrix_engine> engine_;
    distributed::message_counters counters_;
    std::int64_t number_ = 0;
    std::vector<std::weak_ptr<distributed_value>> pending_;
};
using session_ref = std::shared_ptr<session_core>;

/// This thread's session; throws value_error naming the operation where there is none.
const session_ref& current_session(std::string_view operation);

}  // namespace detail

namespace distributed {

/// The ranks of a program, from its beginning to its end: of mpirun where the program includes mpi.h before
/// <sinter/distributed.hpp>, of torchrun on GPUs, which NCCL links and of which each rank has the one of LOCAL_RANK, of
/// `run`, or this process alone; value_error where a launcher has started several that do not know each other. What is
/// distributed while it lives belongs to it. One for each thread; an inner one replaces the outer one while it lives.
/// Where it begins the ranks' random numbers are set to those of rank 0, so that all draw the same.
class session {
public:
    explicit session(const session_options& o = {});
    explicit session(std::shared_ptr<communicator> link, const session_options& o = {});
    ~session();
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    int rank() const { return core_->rank(); }
    int ranks() const { return core_->ranks(); }
    /// Whether this is rank 0, which prints.
    bool is_root() const { return rank() == 0; }
    std::string_view communicator_name() const { return core_->link().name(); }
    communicator& link() const { return core_->link(); }
    void barrier() { core_->barrier("barrier"); }
    /// Messages and bytes of this rank.
    message_counters counters() const { return core_->counters(); }
    void reset_counters() { core_->counters() = {}; }

private:
    /// What a session begins with: the GPU that it chooses, if it does, and what links the ranks.
    struct start {
        std::shared_ptr<const device_scope> on;
        std::shared_ptr<communicator> link;
    };
    static start of_environment();
    session(start from, const session_options& o);

    std::shared_ptr<const device_scope> on_;
    detail::session_ref core_, outer_;
    int exceptions_;  ///< that were being handled when it began
};

/// Runs a function on so many ranks that are threads of this process, each with its session, on the caller's device
/// and backend, with its random numbers, which go on behind it. What all ranks throw alike is thrown again; where one
/// fails the others end too, and an error of the first one's words is thrown with its rank.
void run(int ranks, const std::function<void(session&)>& f, const session_options& o = {});

}  // namespace distributed
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/distributed/session.ipp>
#endif
