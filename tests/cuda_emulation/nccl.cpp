// libnccl.so.2 of an emulated machine, for tests: ranks that are threads of one process, whose messages are copied when
// both sides are there; it counts its calls, and ends where the sizes of two sides differ.
#include <driver_types.h>
#include <library_types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "library_calls.hpp"

using namespace cuda_emulation;

namespace {

constexpr int success = 0, system_error = 2, invalid_argument = 4, byte_type = 1;

struct unique_id {
    char bytes[128];
};

/// The ranks that have met by one id.
struct group_of_ranks {
    std::mutex mutex;
    std::condition_variable changed;
    int come = 0, ranks = 0;
    bool is_aborted = false;
    std::map<std::pair<int, int>, std::deque<std::vector<char>>> messages;

    template <class Ready>
    bool wait(std::unique_lock<std::mutex>& lock, Ready ready) {
        const auto limit = std::chrono::seconds(10);
        return changed.wait_for(lock, limit, [&] { return is_aborted || ready(); }) && !is_aborted;
    }
};

struct communicator {
    std::shared_ptr<group_of_ranks> group;
    int rank;
};

struct operation {
    communicator* comm;
    bool is_send;
    char* address;
    std::size_t count;
    int peer;
    cudaStream_t stream;
};

thread_local int depth = 0;
thread_local std::vector<operation> queued;
std::atomic<long long> calls{0}, groups{0}, bytes_sent{0};
std::atomic<unsigned> ids{0};

std::shared_ptr<group_of_ranks> group_of(const unique_id& id) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<group_of_ranks>> all;
    const std::lock_guard lock(mutex);
    std::shared_ptr<group_of_ranks>& g = all[std::string(id.bytes, sizeof id.bytes)];
    if (!g) g = std::make_shared<group_of_ranks>();
    return g;
}

bool drain(cudaStream_t stream) {
    static auto* synchronize = driver_function<int(cudaStream_t)>("cuStreamSynchronize");
    return synchronize && synchronize(stream) == 0;
}

int post(const operation& o) {
    if (!drain(o.stream)) return system_error;
    const char* from = device_elements<char>(o.address, static_cast<std::int64_t>(o.count));
    group_of_ranks& g = *o.comm->group;
    const std::lock_guard lock(g.mutex);
    g.messages[{o.comm->rank, o.peer}].emplace_back(from, from + o.count);
    bytes_sent += static_cast<long long>(o.count);
    g.changed.notify_all();
    return success;
}

int take(const operation& o) {
    if (!drain(o.stream)) return system_error;
    group_of_ranks& g = *o.comm->group;
    std::unique_lock lock(g.mutex);
    auto& queue = g.messages[{o.peer, o.comm->rank}];
    if (!g.wait(lock, [&] { return !queue.empty(); })) return system_error;
    if (queue.front().size() != o.count) {
        std::fprintf(stderr, "emulated library: NCCL's rank %d sends %zu bytes to rank %d, which wants %zu\n", o.peer,
                     queue.front().size(), o.comm->rank, o.count);
        std::abort();
    }
    std::memcpy(device_elements<char>(o.address, static_cast<std::int64_t>(o.count)), queue.front().data(), o.count);
    queue.pop_front();
    return success;
}

// What is in a group is begun together: all sends, then what comes.
int run_group() {
    std::vector<operation> all;
    all.swap(queued);
    for (const operation& o : all)
        if (const int status = o.is_send ? post(o) : success) return status;
    for (const operation& o : all)
        if (const int status = o.is_send ? success : take(o)) return status;
    return success;
}

int add(const operation& o, int type) {
    ++calls;
    if (!o.comm || type != byte_type || o.peer < 0 || o.peer >= o.comm->group->ranks) return invalid_argument;
    queued.push_back(o);
    return depth > 0 ? success : run_group();
}

}  // namespace

extern "C" {

int ncclGetUniqueId(unique_id* id) {
    *id = {};
    std::snprintf(id->bytes, sizeof id->bytes, "emulated %u", ids++);
    return success;
}

int ncclCommInitRank(void** comm, int ranks, unique_id id, int rank) {
    auto c = std::make_unique<communicator>(communicator{group_of(id), rank});
    std::unique_lock lock(c->group->mutex);
    c->group->ranks = ranks;
    ++c->group->come;
    c->group->changed.notify_all();
    if (!c->group->wait(lock, [&] { return c->group->come >= ranks; })) return system_error;
    lock.unlock();
    *comm = c.release();
    return success;
}

int ncclCommDestroy(void* comm) {
    delete static_cast<communicator*>(comm);
    return success;
}

int ncclCommAbort(void* comm) {
    {
        group_of_ranks& g = *static_cast<communicator*>(comm)->group;
        const std::lock_guard lock(g.mutex);
        g.is_aborted = true;
        g.changed.notify_all();
    }
    return ncclCommDestroy(comm);
}

int ncclCommGetAsyncError(void*, int* status) {
    *status = success;
    return success;
}

int ncclCommUserRank(void* comm, int* rank) {
    *rank = static_cast<communicator*>(comm)->rank;
    return success;
}

int ncclCommCount(void* comm, int* ranks) {
    *ranks = static_cast<communicator*>(comm)->group->ranks;
    return success;
}

const char* ncclGetErrorString(int status) {
    return status == success ? "no error" : status == invalid_argument ? "invalid argument" : "unhandled system error";
}

int ncclGroupStart() {
    ++depth;
    return success;
}

int ncclGroupEnd() {
    ++groups;
    return --depth > 0 ? success : run_group();
}

int ncclSend(const void* from, std::size_t count, int type, int peer, void* comm, cudaStream_t stream) {
    char* address = const_cast<char*>(static_cast<const char*>(from));
    return add({static_cast<communicator*>(comm), true, address, count, peer, stream}, type);
}

int ncclRecv(void* to, std::size_t count, int type, int peer, void* comm, cudaStream_t stream) {
    return add({static_cast<communicator*>(comm), false, static_cast<char*>(to), count, peer, stream}, type);
}

int ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root, void* comm, cudaStream_t stream) {
    auto* c = static_cast<communicator*>(comm);
    ++calls;
    if (c->rank != root) return add({c, false, static_cast<char*>(to), count, root, stream}, type);
    ncclGroupStart();
    for (int r = 0; r < c->group->ranks; ++r)
        if (r != root) ncclSend(from, count, type, r, comm, stream);
    return ncclGroupEnd();
}

/// What the ranks of a communicator have in common; no function of NCCL's.
void* emulated_nccl_group(void* comm) { return static_cast<communicator*>(comm)->group.get(); }

/// Calls, groups and bytes sent so far; no function of NCCL's.
void emulated_nccl_calls(long long* out) {
    out[0] = calls;
    out[1] = groups;
    out[2] = bytes_sent;
}

}  // extern "C"
