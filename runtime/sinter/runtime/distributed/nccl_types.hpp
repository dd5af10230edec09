// NCCL's functions as its header declares them since version 2.8, so that none is needed to compile.
#pragma once

#include <cstddef>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::distributed {

struct nccl_types {
    struct unique_id {
        char bytes[128];
    };
    using comm = void*;
    using stream = void*;
    using get_version = int(int*);
    using get_unique_id = int(unique_id*);
    using init_rank = int(comm*, int ranks, unique_id, int rank);
    using end = int(comm);
    using get_async_error = int(comm, int*);
    using error_text = const char*(int);
    using group = int();
    using send = int(const void*, std::size_t count, int type, int peer, comm, stream);
    using recv = int(void*, std::size_t count, int type, int peer, comm, stream);
    using broadcast = int(const void*, void*, std::size_t count, int type, int root, comm, stream);
};

struct nccl_constants {
    static constexpr int success = 0, in_progress = 7, bytes = 1;
};

}  // namespace sinter::inline SINTER_ABI::distributed
