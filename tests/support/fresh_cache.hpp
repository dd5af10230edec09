// A cache folder of its own for test cases that run as child processes of this executable.
#pragma once

#include <cstdio>
#include <sinter/runtime/base/counters.hpp>
#include <string>

#include "support/backends.hpp"
#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

/// Child processes on this ring's device that find in the folder what those before them have left there.
struct fresh_cache : scratch_folder {
    finished run(const std::string& what, const std::string& more = "SINTER_SEED=1",
                 const std::string& last = "SINTER_TEST_DELAY=0") const {
        return child_process({inherited("PATH"), inherited("HOME"), inherited("CUDA_HOME"),
                              inherited("LD_LIBRARY_PATH"), inherited("SINTER_EMULATED_CACHE"),
                              is_device_executable ? "SINTER_BACKEND=cuda" : "SINTER_BACKEND=host",
                              "SINTER_CACHE_DIR=" + path, more, last},
                             what)
            .wait();
    }
};

/// A line of what has been compiled and what was found on the disk.
inline void print_counts() {
    const sinter::counters_t c = sinter::counters();
    std::printf("compiled %lld quick %lld disk %lld\n", static_cast<long long>(c.kernels_compiled),
                static_cast<long long>(c.kernels_quick), static_cast<long long>(c.disk_hits));
    std::fflush(stdout);
}
