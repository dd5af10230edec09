// Whole processes: a warm disk cache without a compiler, many processes on a cold one, and backends that cannot run.
#include "support/child_process.hpp"
#include "support/scratch_folder.hpp"

#include <doctest/doctest.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sinter/runtime/base/cache_entry.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/disk_cache.hpp>
#include <sinter/runtime/compile/host_toolchain.hpp>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

using namespace sinter;

namespace {

struct cache_folder : scratch_folder {
    std::string variable() const { return "SINTER_CACHE_DIR=" + path; }
};

std::string search_path() {
    const char* p = std::getenv("PATH");
    return std::string("PATH=") + (p ? p : "/usr/bin:/bin");
}

}  // namespace

TEST_CASE("what a child process computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    try {
        array<float> x = arange<float>(1000.0f);
        double got = sum(astype<double>(sqrt(x * 0.25f) + 1.0f)).item();
        counters_t c = counters();
        std::printf("result %.6f compiled %lld disk %lld launches %lld\n", got,
                    static_cast<long long>(c.kernels_compiled), static_cast<long long>(c.disk_hits),
                    static_cast<long long>(c.launches));
    } catch (const error& e) {
        std::printf("threw %s\n", e.what());
        if (dynamic_cast<const device_error*>(&e)) std::printf("device_error\n");
    }
    std::fflush(stdout);
}

TEST_CASE("a second process works from the disk cache without a compiler") {
    if (!runtime::host_compiler_available()) return;
    cache_folder cache;
    finished first = child_process({"SINTER_BACKEND=host", cache.variable(), search_path()}).wait();
    CAPTURE(first.output);
    REQUIRE(has(first, "result 11532.9"));
    finished second =
        child_process({"SINTER_BACKEND=host", cache.variable(), "SINTER_CXX=/nonexistent/c++", "PATH="}).wait();
    CAPTURE(second.output);
    CHECK(has(second, "result 11532.9"));
    CHECK(has(second, "compiled 0"));
    CHECK_FALSE(has(second, "interpreter"));
    CHECK_FALSE(has(second, "disk 0"));
}

// A compiler that runs these lines of a shell before the true one.
static std::string compiler_of(const scratch_folder& folder, const std::string& lines) {
    const std::string script = folder.path + "/compiler";
    std::ofstream(script) << "#!/bin/sh\ncase \"$*\" in *--version*) echo 'g++ (wrapped) 12'; exit 0;; esac\n"
                          << lines << "\nexec '" << runtime::find_host_toolchain()->compiler << "' \"$@\"\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    return "SINTER_CXX=" + script;
}

TEST_CASE("an image that cannot be loaded is not kept, and one that was kept is made anew") {
    if (!runtime::host_compiler_available()) return;
    cache_folder cache;
    scratch_folder tools;
    const std::vector<std::string> with{"SINTER_BACKEND=host", cache.variable(), search_path()};
    auto run = [&](const std::string& lines) {
        std::vector<std::string> all = with;
        all.push_back(compiler_of(tools, lines));
        return child_process(all).wait();
    };
    const std::string broken =
        "for a; do before=$last; last=$a; [ \"$before\" = -o ] && printf '\\177ELFgarbage' > \"$a\"; done; exit 0";
    finished first = run(broken);
    CAPTURE(first.output);
    CHECK(has(first, "cannot be loaded"));
    finished second = run("");
    CAPTURE(second.output);
    CHECK(has(second, "result 11532.9"));
    CHECK(has(second, "disk 0"));

    // What an earlier version stored untried: every entry of an image is replaced by one that is whole and no image.
    runtime::disk_cache entries(cache.path);
    int replaced = 0;
    for (const auto& file : std::filesystem::directory_iterator(cache.path)) {
        std::string text;
        REQUIRE(runtime::read_file(file.path().c_str(), text));
        const std::string payload = text.substr(sizeof(runtime::cache_header));
        if (!runtime::is_shared_object(payload)) continue;
        const std::string bad = "\177ELF" + payload.substr(0, 40);
        const runtime::cache_header header = runtime::make_cache_header(file.path().stem().string(), bad);
        std::ofstream(file.path(), std::ios::binary) << runtime::bytes_of_header(header) << bad;
        ++replaced;
    }
    CHECK(replaced > 0);
    finished third = run("");
    CAPTURE(third.output);
    CHECK(has(third, "result 11532.9"));
    CHECK(has(third, "disk 0"));
    finished fourth = run("");
    CAPTURE(fourth.output);
    CHECK(has(fourth, "compiled 0"));
}

TEST_CASE("a compiler that hangs is stopped and the error says so") {
    if (!runtime::host_compiler_available()) return;
    cache_folder cache;
    scratch_folder tools;
    const std::string hangs = "case \"$*\" in *kernel.cpp*) exec sleep 60;; *) exit 1;; esac";
    finished f = child_process({"SINTER_BACKEND=host", cache.variable(), search_path(), compiler_of(tools, hangs),
                                "SINTER_COMPILE_TIMEOUT=1"})
                     .wait();
    CAPTURE(f.output);
    CHECK(has(f, "within 1 s (SINTER_COMPILE_TIMEOUT)"));
    CHECK_FALSE(has(f, "result"));
}

TEST_CASE("what a child process without descriptors computes") {
    if (!std::getenv("SINTER_TEST_CHILD")) return;
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit none{0, before.rlim_max};
    int failed = 0;
    for (bool lacks : {true, true, false}) {
        REQUIRE(setrlimit(RLIMIT_NOFILE, lacks ? &none : &before) == 0);
        try {
            array<float> x = arange<float>(1000.0f);
            std::printf("result %.1f after %d failures\n", double(sum(exp(x * 0.0f)).item()), failed);
        } catch (const error&) {
            ++failed;
        }
    }
    std::fflush(stdout);
}

TEST_CASE("a first compilation that lacks descriptors is tried again the next time") {
    if (!runtime::host_compiler_available()) return;
    cache_folder cache;
    finished f = child_process({"SINTER_BACKEND=host", cache.variable(), search_path()},
                               "what a child process without descriptors computes")
                     .wait();
    CAPTURE(f.output);
    CHECK(has(f, "result 1000.0 after 2 failures"));
}

// Whether a set-user-id program that root makes in this folder would be one.
static bool may_set_user(const std::string& folder) {
    struct statvfs s;
    return geteuid() == 0 && statvfs(folder.c_str(), &s) == 0 && !(s.f_flag & ST_NOSUID) &&
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
}

TEST_CASE("a set-user-id program runs and writes nothing that its environment names") {
    scratch_folder folder;
    if (!may_set_user(folder.path)) return;
    const std::string program = folder.path + "/program", ran = folder.path + "/ran", evil = folder.path + "/g++";
    std::filesystem::copy_file("/proc/self/exe", program);
    std::ofstream(evil) << "#!/bin/sh\necho \"$0\" >> '" << ran << "'\n";
    // Shells give up what their user has not got, and must be able to write nevertheless.
    REQUIRE(chmod(folder.path.c_str(), 0777) == 0);
    REQUIRE(chmod(evil.c_str(), 0755) == 0);
    REQUIRE(chmod(program.c_str(), 04755) == 0);
    const std::vector<std::string> environments[] = {
        {"SINTER_CXX=" + evil},
        {"PATH=" + folder.path},
        {"SINTER_CACHE_DIR=" + folder.path + "/cache", "HOME=" + folder.path, "XDG_CACHE_HOME=" + folder.path,
         "SINTER_PACK=" + folder.path + "/no pack", "SINTER_RECORD=" + folder.path + "/record",
         "COMPILER_PATH=" + folder.path}};
    for (const std::vector<std::string>& environment : environments) {
        finished f = child_process(environment, "what a child process computes", program, 65534).wait();
        CAPTURE(f.output);
        CHECK(has(f, "result 11532.9"));
    }
    CHECK(access(ran.c_str(), F_OK) != 0);
    for (const char* made : {"/cache", "/.cache", "/sinter", "/record"})
        CHECK(access((folder.path + made).c_str(), F_OK) != 0);
}

TEST_CASE("sixteen processes on one cold cache all get right results") {
    if (!runtime::host_compiler_available()) return;
    cache_folder cache;
    std::vector<child_process> children;
    for (int i = 0; i < 16; ++i)
        children.emplace_back(std::vector<std::string>{"SINTER_BACKEND=host", cache.variable(), search_path()});
    for (child_process& c : children) {
        finished f = c.wait();
        CAPTURE(f.output);
        CHECK(f.status == 0);
        CHECK(has(f, "result 11532.9"));
    }
}

TEST_CASE("the host backend by name without compiler and cache says where it looked") {
    cache_folder cache;
    finished f =
        child_process({"SINTER_BACKEND=host", cache.variable(), "SINTER_CXX=/nonexistent/c++", "PATH="}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "device_error"));
    CHECK(has(f, "/nonexistent/c++"));
    CHECK_FALSE(has(f, "result"));
}

TEST_CASE("the CUDA backend by name without a device gives the reason") {
    if (device_count() > 0) return;
    finished f = child_process({"SINTER_BACKEND=cuda", search_path()}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "device_error"));
    bool says_why = has(f, "driver") || has(f, "libcuda") || has(f, "CUDA headers");
    CHECK(says_why);
    CHECK_FALSE(has(f, "result"));
}

TEST_CASE("without a compiler the interpreter computes after one warning") {
    if (device_count() > 0) return;
    cache_folder cache;
    finished f = child_process({cache.variable(), "SINTER_CXX=/nonexistent/c++", "PATH="}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "result 11532.9"));
    CHECK(has(f, "launches 0"));
    std::size_t first = f.output.find("interpreter");
    CHECK(first != std::string::npos);
    CHECK(f.output.find("interpreter", first + 1) == std::string::npos);
}

TEST_CASE("an unknown backend's name is refused") {
    finished f = child_process({"SINTER_BACKEND=abacus", search_path()}).wait();
    CAPTURE(f.output);
    CHECK(has(f, "abacus"));
    CHECK_FALSE(has(f, "result"));
}
