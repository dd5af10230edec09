// Values that are made once: by one of many threads, by the next where one gives up, and anew in a forked child.
#include <doctest/doctest.h>

#include <atomic>
#include <sinter/runtime/base/once_table.hpp>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace sinter::runtime;

namespace {

// Whether a child that runs this came to its end.
template <class F>
bool succeeds_in_child(F f) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        ::_exit(f() ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a value is made once, however many threads want it") {
    once_table<int>& table = *new once_table<int>;
    std::atomic<int> made{0}, right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 100; ++i) {
                once_table<int>::claim own(table, "key " + std::to_string(i), true);
                if (own.is_mine()) {
                    ++made;
                    own.settle(new int(i));
                }
                right += *own.value() == i;
            }
        });
    for (std::thread& t : threads) t.join();
    CHECK(made == 100);
    CHECK(right == 800);
    CHECK(*table.find("key 7") == 7);
    CHECK(table.find("key 100") == nullptr);
}

TEST_CASE("who gives a value up lets the next one make it") {
    once_table<int>& table = *new once_table<int>;
    std::atomic<bool> waits{false};
    std::thread other;
    {
        once_table<int>::claim mine(table, "key", true);
        REQUIRE(mine.is_mine());
        once_table<int>::claim impatient(table, "key", false);
        CHECK_FALSE(impatient.is_mine());
        CHECK(impatient.value() == nullptr);
        other = std::thread([&] {
            waits = true;
            once_table<int>::claim own(table, "key", true);
            CHECK(own.is_mine());
            own.settle(new int(5));
        });
        while (!waits) std::this_thread::yield();
    }
    other.join();
    REQUIRE(table.find("key"));
    CHECK(*table.find("key") == 5);
}

TEST_CASE("a forked child makes what another thread was making, and keeps what was made") {
    once_table<int>& table = *new once_table<int>;
    once_table<int>::claim(table, "made", true).settle(new int(1));
    std::atomic<int> stage{0};
    std::thread maker([&] {
        once_table<int>::claim own(table, "being made", true);
        stage = 1;
        while (stage != 2) std::this_thread::yield();
        own.settle(new int(2));
    });
    while (stage != 1) std::this_thread::yield();
    CHECK(succeeds_in_child([&] {
        once_table<int>::claim known(table, "made", true), own(table, "being made", true);
        if (!known.value() || *known.value() != 1 || !own.is_mine()) return false;
        own.settle(new int(3));
        return *table.find("being made") == 3;
    }));
    stage = 2;
    maker.join();
    CHECK(*table.find("being made") == 2);
}

TEST_CASE("a process may be forked at any moment of a table's use") {
    once_table<int>& table = *new once_table<int>;
    std::atomic<bool> ends{false};
    std::thread busy([&] {
        for (int i = 0; !ends; ++i)
            if (once_table<int>::claim own(table, std::to_string(i % 1000), true); own.is_mine())
                if (i % 3) own.settle(new int(i));
    });
    int right = 0;
    for (int i = 0; i < 50; ++i)
        right += succeeds_in_child([&] {
            once_table<int>::claim own(table, "the child's", true);
            return own.is_mine() && own.settle(new int(7)) == 7;
        });
    ends = true;
    busy.join();
    CHECK(right == 50);
}
