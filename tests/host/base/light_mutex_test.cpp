// The mutex that costs a thread nothing while it is the only one: what it excludes when others come.
#include <doctest/doctest.h>
#include <time.h>

#include <atomic>
#include <mutex>
#include <sinter/runtime/base/light_mutex.hpp>
#include <thread>
#include <vector>

using sinter::runtime::light_recursive_mutex;

// Whoever finds somebody else inside has not been kept out.
struct guarded {
    light_recursive_mutex mutex;
    std::int64_t sum = 0;
    std::atomic<int> inside{0}, met{0};

    void add(int times) {
        for (int i = 0; i < times; ++i) {
            std::lock_guard lock(mutex);
            if (inside.fetch_add(1) != 0) ++met;
            ++sum;
            --inside;
        }
    }
};

TEST_CASE("a thread that had a mutex to itself shares it with those that come") {
    for (int round = 0; round < 200; ++round) {
        guarded g;
        std::atomic<bool> others_are_done{false};
        std::atomic<std::int64_t> added{0};
        std::thread first([&] {
            for (; !others_are_done; ++added) g.add(1);
        });
        while (added == 0) std::this_thread::yield();
        std::vector<std::thread> others;
        for (int k = 0; k <= round % 3; ++k) others.emplace_back([&] { g.add(197); });
        for (std::thread& t : others) t.join();
        others_are_done = true;
        first.join();
        REQUIRE(g.met == 0);
        REQUIRE(g.sum == added + (round % 3 + 1) * 197);
    }
}

TEST_CASE("a second thread waits as long as the first one is inside") {
    guarded g;
    g.add(2);
    g.mutex.lock();
    std::atomic<bool> over{false};
    std::thread second([&] {
        g.add(1);
        over = true;
    });
    const timespec pause{0, 30'000'000};
    nanosleep(&pause, nullptr);
    CHECK(!over);
    CHECK(g.sum == 2);
    g.mutex.lock();
    g.mutex.unlock();
    CHECK(g.mutex.is_mine());
    nanosleep(&pause, nullptr);
    CHECK(!over);
    g.mutex.unlock();
    second.join();
    CHECK(g.sum == 3);
    g.add(5);
    CHECK(g.sum == 8);
}

TEST_CASE("a mutex is taken again and again by threads of which one at a time lives") {
    guarded g;
    for (int i = 0; i < 50; ++i) std::thread([&] { g.add(i); }).join();
    CHECK(g.sum == 49 * 50 / 2);
    CHECK(g.met == 0);
}
