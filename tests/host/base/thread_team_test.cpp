// The team of threads: every item once, from several callers, nested, in forked children, and the CPU quota.
#include "support/scratch_folder.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sinter/runtime/base/thread_team.hpp>
#include <thread>
#include <vector>

using namespace sinter::runtime;

struct tally {
    std::vector<int> hits;
    std::int64_t grain;
    std::atomic<int> bad{0};
};

static void hit(void* context, std::int64_t begin, std::int64_t end) {
    tally& t = *static_cast<tally*>(context);
    const std::int64_t n = std::int64_t(t.hits.size());
    if (begin < 0 || end > n || begin >= end || begin % t.grain || (end != n && end % t.grain)) ++t.bad;
    for (std::int64_t i = begin; i < end; ++i) ++t.hits[std::size_t(i)];
}

static bool covers_once(std::int64_t items, std::int64_t grain) {
    tally t{std::vector<int>(std::size_t(items)), grain};
    parallel_for(items, grain, hit, &t);
    for (int h : t.hits)
        if (h != 1) return false;
    return t.bad == 0;
}

TEST_CASE("every item is visited once in chunks that start at multiples of the grain") {
    for (std::int64_t items : {0, 1, 2, 7, 63, 64, 65, 1000, 4097, 100'003})
        for (std::int64_t grain : {1, 2, 3, 16, 64, 1000, 200'000}) {
            CAPTURE(items);
            CAPTURE(grain);
            CHECK(covers_once(items, grain));
        }
}

TEST_CASE("ten thousand loops in a row lose nothing") {
    std::atomic<std::int64_t> sum{0};
    std::int64_t expected = 0;
    for (int n = 0; n < 10'000; ++n) {
        const std::int64_t items = n % 37;
        expected += items * (items - 1) / 2;
        parallel_for(
            items, 1,
            [](void* context, std::int64_t begin, std::int64_t end) {
                std::int64_t part = 0;
                for (std::int64_t i = begin; i < end; ++i) part += i;
                *static_cast<std::atomic<std::int64_t>*>(context) += part;
            },
            &sum);
    }
    CHECK(sum == expected);
}

TEST_CASE("several threads may loop at once and loops may nest") {
    std::atomic<int> failures{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&failures, c] {
            for (int n = 0; n < 200; ++n)
                if (!covers_once(50 + 13 * c + n, 3)) ++failures;
        });
    for (std::thread& t : callers) t.join();
    CHECK(failures == 0);

    std::atomic<int> visits{0};
    parallel_for(
        40, 1,
        [](void* outer, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                parallel_for(
                    25, 1,
                    [](void* inner, std::int64_t b, std::int64_t e) {
                        *static_cast<std::atomic<int>*>(inner) += int(e - b);
                    },
                    outer);
        },
        &visits);
    CHECK(visits == 1000);
}

TEST_CASE("a forked child runs loops by itself") {
    CHECK(covers_once(1000, 1));
    const pid_t child = fork();
    if (child == 0) _exit(covers_once(1000, 1) && covers_once(5, 5) ? 0 : 1);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(covers_once(1000, 1));
}

static void write_file(const std::string& path, const char* text) {
    std::FILE* f = std::fopen(path.c_str(), "w");
    REQUIRE(f);
    std::fputs(text, f);
    std::fclose(f);
}

TEST_CASE("the CPU quota of both versions of cgroups is found and rounded up") {
    const scratch_folder folder;
    const std::string& root = folder.path;
    for (const char* sub : {"/a", "/a/b", "/cpu", "/cpu/c", "/cpu,cpuacct"}) mkdir((root + sub).c_str(), 0700);
    CHECK(cgroup_cpu_quota("0::/a/b\n", root) == 0);
    write_file(root + "/a/b/cpu.max", "max 100000\n");
    CHECK(cgroup_cpu_quota("0::/a/b\n", root) == 0);
    write_file(root + "/a/b/cpu.max", "250000 100000\n");
    CHECK(cgroup_cpu_quota("0::/a/b\n", root) == 3);
    write_file(root + "/a/cpu.max", "150000 100000\n");
    CHECK(cgroup_cpu_quota("0::/a/b\n", root) == 2);
    CHECK(cgroup_cpu_quota("0::/not/visible/here\n", root) == 0);
    write_file(root + "/cpu.max", "400000 100000\n");
    CHECK(cgroup_cpu_quota("0::/not/visible/here\n", root) == 4);
    write_file(root + "/cpu/c/cpu.cfs_quota_us", "50000\n");
    write_file(root + "/cpu/c/cpu.cfs_period_us", "100000\n");
    CHECK(cgroup_cpu_quota("3:cpuset:/c\n1:cpu:/c\n", root) == 1);
    write_file(root + "/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    write_file(root + "/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    CHECK(cgroup_cpu_quota("4:cpu,cpuacct:/docker/x\n", root) == 0);
    write_file(root + "/cpu,cpuacct/cpu.cfs_quota_us", "600000\n");
    CHECK(cgroup_cpu_quota("4:cpu,cpuacct:/docker/x\n", root) == 6);
    CHECK(cgroup_cpu_quota("garbage\n::\n", root) >= 0);
    CHECK(thread_count() >= 1);
    CHECK(std::system(("rm -r " + root).c_str()) == 0);
}
