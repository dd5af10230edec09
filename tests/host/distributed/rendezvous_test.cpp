// Processes that meet by an address, here threads on this machine's own.
#include "support/message_of.hpp"
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/distributed/rendezvous.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace sinter;
using distributed::meeting_place;
using test_messages::message_of;

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

}  // namespace

TEST_CASE("all ranks get the bytes of all, in whatever order they come") {
    for (int ranks : {1, 2, 5}) {
        const std::string port = free_port();
        std::vector<std::string> told(static_cast<std::size_t>(ranks));
        auto words_of = [](int r) {
            std::string words(128, '.');
            for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<char>(i * 7 + std::size_t(r));
            return words;
        };
        std::string wanted;
        for (int r = 0; r < ranks; ++r) wanted += words_of(r);
        std::vector<std::thread> threads;
        for (int r = ranks; r-- > 0;)
            threads.emplace_back([&, r] {
                told[static_cast<std::size_t>(r)] =
                    distributed::gather_by_address({r, ranks, "127.0.0.1", port}, words_of(r), 20000).bytes;
            });
        for (std::thread& t : threads) t.join();
        for (const std::string& own : told) CHECK(own == wanted);
    }
}

namespace {

/// What has ended another rank, as soon as it is known.
std::string end_heard_by(distributed::lifeline& link) {
    for (int i = 0; i < 2000 && link.ended().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return link.ended();
}

/// Three ranks that have met, of which rank 1 is another process that does `act` with its link and ends at once.
template <class Act>
void with_process_of_rank_1(Act act, const char* wanted) {
    const std::string port = free_port();
    const pid_t child = ::fork();
    if (child == 0) {
        distributed::met_ranks met = distributed::gather_by_address({1, 3, "127.0.0.1", port}, "b", 20000);
        act(met.link);
        ::_exit(0);
    }
    distributed::met_ranks first, last;
    std::thread meets([&] { first = distributed::gather_by_address({0, 3, "127.0.0.1", port}, "a", 20000); });
    last = distributed::gather_by_address({2, 3, "127.0.0.1", port}, "c", 20000);
    meets.join();
    ::waitpid(child, nullptr, 0);
    if (wanted) {
        CHECK(end_heard_by(*first.link) == wanted);
        CHECK(end_heard_by(*last.link) == wanted);
    } else {
        first.link->ended();
        first.link = nullptr;
        for (int i = 0; i < 20; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(5)))
            CHECK(last.link->ended() == "");
    }
}

}  // namespace

TEST_CASE("ranks that have met miss one that ends, or hear why, and do not miss one that leaves in order") {
    using link = std::shared_ptr<distributed::lifeline>;
    with_process_of_rank_1([](link&) {}, "rank 1 has ended");
    with_process_of_rank_1([](link& l) { l->end("[max] no"); }, "rank 1 ended: [max] no");
    with_process_of_rank_1([](link& l) { l = nullptr; }, nullptr);
}

TEST_CASE("what listens at the address and is no rank is told from one, and what comes there does not count as one") {
    const std::string port = free_port();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    const auto* where = reinterpret_cast<const sockaddr*>(&address);
    const std::string greeting =
        "220 a server of mail, which speaks first, and long enough to be taken for an answer\r\n";
    {
        const runtime::file_descriptor server(::socket(AF_INET, SOCK_STREAM, 0));
        const int yes = 1;
        ::setsockopt(server.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        REQUIRE(::bind(server.get(), where, sizeof address) == 0);
        REQUIRE(::listen(server.get(), 1) == 0);
        std::thread speaks([&] {
            const runtime::file_descriptor client(::accept(server.get(), nullptr, nullptr));
            ::send(client.get(), greeting.data(), greeting.size(), MSG_NOSIGNAL);
            char byte = 0;
            while (::recv(client.get(), &byte, 1, 0) > 0) {
            }
        });
        CHECK(message_of([&] { distributed::gather_by_address({1, 2, "127.0.0.1", port}, "mine", 20000); }) ==
              "[session] rank 1 at 127.0.0.1:" + port + ": what listens there is no rank of sinter");
        speaks.join();
    }
    std::string first;
    std::thread listens([&] { first = distributed::gather_by_address({0, 2, "127.0.0.1", port}, "ab", 20000).bytes; });
    for (bool is_told = false; !is_told;) {
        const runtime::file_descriptor stranger(::socket(AF_INET, SOCK_STREAM, 0));
        is_told = ::connect(stranger.get(), where, sizeof address) == 0 &&
                  ::send(stranger.get(), greeting.data(), greeting.size(), MSG_NOSIGNAL) > 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK(distributed::gather_by_address({1, 2, "127.0.0.1", port}, "cd", 20000).bytes == "abcd");
    listens.join();
    CHECK(first == "abcd");
}

TEST_CASE("what connects to the first rank and says nothing, or too little, keeps it from no rank") {
    const std::string port = free_port();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    std::string first, wrong_there;
    std::thread listens([&] {
        wrong_there =
            message_of([&] { first = distributed::gather_by_address({0, 2, "127.0.0.1", port}, "ab", 3000).bytes; });
    });
    std::vector<runtime::file_descriptor> silent;
    for (const std::string& words : {std::string(), std::string("sinter's ranks"), std::string()}) {
        silent.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
        while (::connect(silent.back().get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (!words.empty()) CHECK(::send(silent.back().get(), words.data(), words.size(), MSG_NOSIGNAL) > 0);
    }
    std::string second;
    const std::string wrong =
        message_of([&] { second = distributed::gather_by_address({1, 2, "127.0.0.1", port}, "cd", 3000).bytes; });
    listens.join();
    CHECK(wrong_there == "");
    CHECK(wrong == "");
    CHECK(first == "abcd");
    CHECK(second == "abcd");
}

TEST_CASE("a rank that waits for others says where, and a launcher that says too little is told what is missing") {
    const std::string port = free_port();
    const std::string bytes(8, '.');
    CHECK(message_of([&] { distributed::gather_by_address({1, 2, "127.0.0.1", port}, bytes, 200); }) ==
          "[session] rank 1 at 127.0.0.1:" + port + ": rank 0 did not answer within 200 ms");
    CHECK(message_of([&] { distributed::gather_by_address({0, 2, "127.0.0.1", port}, bytes, 200); }) ==
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
