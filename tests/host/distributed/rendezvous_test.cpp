// Processes that meet by an address, here threads on this machine's own.
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/distributed/rendezvous.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace sinter;
using distributed::meeting_place;

namespace {

/// A port that nobody listens on.
std::string free_port() {
    const runtime::file_descriptor fd(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    return std::to_string(ntohs(address.sin_port));
}

template <class F>
std::string message_of(F f) {
    try {
        f();
    } catch (const error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("all ranks get rank 0's bytes, in whatever order they come") {
    for (int ranks : {1, 2, 5}) {
        const std::string port = free_port();
        std::vector<std::string> told(static_cast<std::size_t>(ranks), std::string(128, '.'));
        for (std::size_t i = 0; i < 128; ++i) told[0][i] = static_cast<char>(i * 7);
        std::vector<std::thread> threads;
        for (int r = ranks; r-- > 0;)
            threads.emplace_back([&, r] {
                distributed::share_by_address({r, ranks, "127.0.0.1", port}, told[static_cast<std::size_t>(r)], 20000);
            });
        for (std::thread& t : threads) t.join();
        for (const std::string& own : told) CHECK(own == told[0]);
    }
}

TEST_CASE("a rank that waits for others says where, and a launcher that says too little is told what is missing") {
    const std::string port = free_port();
    std::string bytes(8, '.');
    CHECK(message_of([&] { distributed::share_by_address({1, 2, "127.0.0.1", port}, bytes, 200); }) ==
          "[session] rank 1 at 127.0.0.1:" + port + ": rank 0 did not answer within 200 ms");
    CHECK(message_of([&] { distributed::share_by_address({0, 2, "127.0.0.1", port}, bytes, 200); }) ==
          "[session] rank 0 at 127.0.0.1:" + port + ": the others did not come in time");
    for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) ::unsetenv(name);
    CHECK(message_of([] { distributed::meeting_place_of_environment(); }).find("[session] RANK is not set") == 0);
    ::setenv("RANK", "2", 1);
    ::setenv("WORLD_SIZE", "2x", 1);
    CHECK(message_of([] { distributed::meeting_place_of_environment(); }) ==
          "[session] WORLD_SIZE is no number of ranks: '2x'");
    ::setenv("WORLD_SIZE", "2", 1);
    ::setenv("MASTER_ADDR", "here", 1);
    ::setenv("MASTER_PORT", "1234", 1);
    CHECK(message_of([] { distributed::meeting_place_of_environment(); }) == "[session] RANK is 2 of WORLD_SIZE 2");
    ::setenv("RANK", "1", 1);
    const meeting_place place = distributed::meeting_place_of_environment();
    CHECK((place.rank == 1 && place.ranks == 2 && place.address == "here" && place.port == "1235"));
    ::setenv("MASTER_PORT", "65535", 1);
    CHECK(message_of([] { distributed::meeting_place_of_environment(); }) ==
          "[session] MASTER_PORT is no port below 65535: '65535'");
    for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"}) ::unsetenv(name);
}
