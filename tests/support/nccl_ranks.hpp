// Ranks between which NCCL moves bytes: one for each GPU, or as many as are wanted where NCCL and the GPU are emulated;
// must not know what they do.
#pragma once

#include <cstdlib>
#include <sinter/runtime/distributed/thread_communicator.hpp>
#include <sinter/runtime/library/libraries.hpp>

#include "backends.hpp"
#include "ranks.hpp"

namespace nccl_ranks {

using namespace sinter;
using namespace test_ranks;

using count_calls = void(long long*);

inline count_calls* counter() { return runtime::nccl_library().function<count_calls>("emulated_nccl_calls"); }

/// Whether some ranks can meet here: NCCL refuses two on one GPU.
inline bool can_run(int ranks) {
    if (!runtime::nccl_library()) return false;
    return counter() || device_count() >= ranks;
}

/// Runs a body on ranks that NCCL links, each on its GPU; what they throw is thrown again.
template <class Body>
void on_nccl(int ranks, Body body, const distributed::session_options& o = {}) {
    // GPUs of one process would look into each other's memory, which was not allocated for that.
    ::setenv("NCCL_P2P_DIRECT_DISABLE", "1", 0);
    distributed::run(ranks, [&](distributed::session& outer) {
        const device_scope on(device::cuda(outer.rank() % device_count()));
        const std::shared_ptr<distributed::communicator> over(&outer.link(), [](distributed::communicator*) {});
        distributed::session s(distributed::make_nccl_communicator(over), o);
        body(s, outer);
    });
}

/// The same where `check` of what a rank found is called when all is over.
template <class Body>
void check_on_nccl(std::initializer_list<int> ranks, Body body, const distributed::session_options& o = {}) {
    for (int p : ranks) {
        if (!can_run(p)) {
            MESSAGE("not run: ", p, " ranks, which need as many GPUs and NCCL");
            continue;
        }
        std::vector<std::string> wrong(static_cast<std::size_t>(p));
        on_nccl(
            p,
            [&](distributed::session& s, distributed::session&) {
                body(s, [&](bool right, const char* what) {
                    if (!right) wrong[static_cast<std::size_t>(s.rank())] += std::string(what) + "; ";
                });
            },
            o);
        for (const std::string& own : wrong) CHECK(own == "");
    }
}

}  // namespace nccl_ranks
