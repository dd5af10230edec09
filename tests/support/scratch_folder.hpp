// A folder for one test's files, removed at the end; must not know sinter or doctest.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

/// Empty, for nobody else, below TMPDIR or /tmp; SINTER_KEEP leaves it there. A process that was forked leaves its
/// parent's folder alone.
struct scratch_folder {
    std::string path;

    scratch_folder() {
        const char* below = std::getenv("TMPDIR");
        path = std::string(below && *below ? below : "/tmp") + "/sinter-test-XXXXXX";
        if (!::mkdtemp(path.data())) throw std::runtime_error("no folder can be made: " + path);
    }
    ~scratch_folder() {
        std::error_code ignored;
        if (::getpid() == owner_ && !std::getenv("SINTER_KEEP")) std::filesystem::remove_all(path, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

private:
    pid_t owner_ = ::getpid();
};
