// The pool of the CPU: sizes, reuse, alignment, bounds, threads, forks, and the counting of buffers.
#include "support/scratch_folder.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace sinter;
using runtime::allocate_buffer;
using runtime::buffer_ref;
using runtime::pool_allocate;
using runtime::pool_release;
using runtime::pool_statistics;

namespace {

constexpr std::size_t mebibyte = std::size_t(1) << 20;
const device cpu = device::cpu();

}  // namespace

TEST_CASE("a block wastes at most a quarter and shares its bin with blocks of its size alone") {
    std::map<int, std::size_t> sizes;
    for (std::size_t bytes = 256; bytes < 300 * mebibyte; bytes += 1 + bytes / 37) {
        CAPTURE(bytes);
        const std::size_t block = runtime::pool_block_size(bytes);
        CHECK(block >= bytes);
        CHECK(block % 64 == 0);
        CHECK(block - bytes <= bytes / 4);
        CHECK(runtime::pool_block_size(block) == block);
        if (bytes > 64 * mebibyte) CHECK(block == (bytes + 2 * mebibyte - 1) / (2 * mebibyte) * (2 * mebibyte));
        else CHECK(sizes.emplace(runtime::pool_bin(block), block).first->second == block);
    }
    CHECK(sizes.size() == runtime::pool_bins);
    CHECK(runtime::pool_block_size(1) == 256);
    CHECK(runtime::pool_bin(64 * mebibyte) == runtime::pool_bins - 1);
}

TEST_CASE("released memory is reused for the same size and counted") {
    for (std::size_t bytes : {std::size_t(1), std::size_t(1000), 5 * mebibyte + 3, 70 * mebibyte + 1}) {
        CAPTURE(bytes);
        const auto before = counters();
        void* first = pool_allocate(cpu, bytes);
        CHECK(counters().pool_used - before.pool_used == std::int64_t(runtime::pool_block_size(bytes)));
        std::memset(first, 1, bytes);
        pool_release(cpu, first, bytes);
        CHECK(counters().pool_used == before.pool_used);
        const auto held = counters().pool_held;
        void* second = pool_allocate(cpu, bytes);
        CHECK(second == first);
        CHECK(counters().pool_held == held);
        pool_release(cpu, second, bytes);
    }
    runtime::memory_pool_trim(cpu);
    CHECK(pool_statistics(cpu).held == pool_statistics(cpu).used);
}

TEST_CASE("small blocks are aligned to 64 bytes and big ones to huge pages") {
    for (std::size_t bytes : {1u, 63u, 257u, 70000u}) {
        void* data = pool_allocate(cpu, bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(data) % 64 == 0);
        pool_release(cpu, data, bytes);
    }
    void* data = pool_allocate(cpu, 4 * mebibyte);
    CHECK(reinterpret_cast<std::uintptr_t>(data) % (2 * mebibyte) == 0);
    pool_release(cpu, data, 4 * mebibyte);
}

TEST_CASE("the cache of the host keeps at most a quarter of the memory") {
    const auto limit = runtime::pool_capacity(cpu) / 4;
    const std::size_t each = std::size_t(limit) / 3;
    std::vector<void*> blocks;
    for (int i = 0; i < 5; ++i) blocks.push_back(pool_allocate(cpu, each));
    for (void* block : blocks) pool_release(cpu, block, each);
    const auto now = pool_statistics(cpu);
    CHECK(now.held - now.used <= limit);
    CHECK(now.held - now.used > 0);
    runtime::memory_pool_trim(cpu);
}

TEST_CASE("a request that cannot be met throws and says what is used") {
    const buffer_ref some = allocate_buffer(cpu, 1000);
    const auto before = pool_statistics(cpu);
    for (std::size_t bytes : {SIZE_MAX, SIZE_MAX / 2, std::size_t(runtime::pool_capacity(cpu))}) {
        std::string message;
        try {
            (void)pool_allocate(cpu, bytes);
        } catch (const out_of_memory& e) {
            message = e.what();
        }
        CHECK(message.find("[allocate] out of memory: " + std::to_string(bytes) + " bytes wanted on <CPU>: ") == 0);
        CHECK(message.find(std::to_string(before.used) + " bytes used") != std::string::npos);
    }
    CHECK(pool_statistics(cpu).used == before.used);
    const buffer_ref more = allocate_buffer(cpu, 1000);
    CHECK(more->data != nullptr);
}

TEST_CASE("buffers are shared by counting and released with the last reference") {
    const auto used = counters().pool_used;
    {
        buffer_ref a = allocate_buffer(cpu, 12345);
        CHECK(a.unique());
        buffer_ref b = a;
        CHECK(!a.unique());
        CHECK(b == a);
        buffer_ref c = std::move(b);
        CHECK(!b);
        a.reset();
        CHECK(c.unique());
        c = buffer_ref(c);
        CHECK(c->bytes == 12345);
        CHECK(counters().pool_used > used);
    }
    CHECK(counters().pool_used == used);
}

TEST_CASE("a buffer of zero bytes is legal") {
    const auto used = counters().pool_used;
    const buffer_ref empty = allocate_buffer(cpu, 0);
    CHECK(empty);
    CHECK(empty->bytes == 0);
    CHECK(counters().pool_used == used);
}

TEST_CASE("imported memory goes back to its owner once") {
    int released = 0;
    int value = 0;
    const auto used = counters().pool_used;
    {
        auto give_back = [](void* count) noexcept { ++*static_cast<int*>(count); };
        const buffer_ref a = runtime::import_buffer(cpu, &value, sizeof value, give_back, &released);
        const buffer_ref b = a;
        CHECK(b->imported);
        CHECK(b->data == &value);
    }
    CHECK(released == 1);
    { const buffer_ref unowned = runtime::import_buffer(cpu, &value, sizeof value); }
    CHECK(counters().pool_used == used);
}

TEST_CASE("threads allocate, write and release at the same time") {
    const auto used = counters().pool_used;
    std::vector<std::thread> threads;
    std::atomic<int> damaged{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t, &damaged] {
            std::vector<buffer_ref> held(17);
            for (int i = 0; i < 2000; ++i) {
                buffer_ref& slot = held[std::size_t(i * 7 % 17)];
                if (slot && *static_cast<int*>(slot->data) != t) ++damaged;
                slot = allocate_buffer(cpu, std::size_t(4 + i * 97 % 5000));
                *static_cast<int*>(slot->data) = t;
            }
        });
    for (auto& thread : threads) thread.join();
    CHECK(damaged == 0);
    CHECK(counters().pool_used == used);
}

TEST_CASE("a forked child can allocate while another thread of its parent does") {
    std::atomic<bool> stop{false};
    std::thread busy([&] {
        while (!stop) (void)allocate_buffer(cpu, 300);
    });
    for (int i = 0; i < 20; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            for (int j = 0; j < 10; ++j) (void)allocate_buffer(cpu, 300);
            _exit(0);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
    stop = true;
    busy.join();
}

TEST_CASE("the memory limit of a control group is found in both hierarchies and in every ancestor") {
    const scratch_folder folder;
    const std::string& root = folder.path;
    auto write = [&](const std::string& path, const char* text) {
        const std::string file = root + path;
        const std::string command =
            "mkdir -p '" + file.substr(0, file.rfind('/')) + "' && printf '" + text + "' > '" + file + "'";
        REQUIRE(std::system(command.c_str()) == 0);
    };
    CHECK(runtime::cgroup_memory_limit("0::/a/b\n", root) == INT64_MAX);
    write("/a/b/memory.max", "max\\n");
    write("/a/memory.max", "5000000\\n");
    CHECK(runtime::cgroup_memory_limit("0::/a/b\n", root) == 5000000);
    write("/memory.max", "4000000\\n");
    CHECK(runtime::cgroup_memory_limit("0::/\n", root) == 4000000);
    write("/memory/x/memory.limit_in_bytes", "3000000\\n");
    CHECK(runtime::cgroup_memory_limit("12:cpu:/x\n4:hugetlb,memory:/x\n", root) == 3000000);
    CHECK(runtime::cgroup_memory_limit("malformed", root) == INT64_MAX);
    CHECK(std::system(("rm -r '" + root + "'").c_str()) == 0);
}
