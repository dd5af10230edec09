// Bodies of rendezvous.hpp.
#pragma once

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/distributed/communicator.hpp>
#include <sinter/runtime/distributed/rendezvous.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

SINTER_INLINE std::string told_by_launcher(const char* name) {
    const char* value = std::getenv(name);
    if (!value || !*value)
        throw value_error(codegen::joined(
            {"[session] ", name,
             " is not set: a launcher such as torchrun sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT"}));
    return value;
}

SINTER_INLINE int number_of_launcher(const char* name, const char* what, int most) {
    const std::string text = told_by_launcher(name);
    char* end = nullptr;
    const long number = std::strtol(text.c_str(), &end, 10);
    if (*end || number < 0 || number > most)
        throw value_error(codegen::joined({"[session] ", name, " is no ", what, ": '", text, "'"}));
    return static_cast<int>(number);
}
SINTER_INLINE int ranks_of_launcher(const char* name) { return number_of_launcher(name, "number of ranks", 1000000); }

// The port behind MASTER_PORT, on which torchrun's own store listens.
SINTER_INLINE std::string port_of_launcher() {
    return std::to_string(number_of_launcher("MASTER_PORT", "port below 65535", 65534) + 1);
}

SINTER_INLINE meeting_place meeting_place_of_environment() {
    meeting_place place{ranks_of_launcher("RANK"), ranks_of_launcher("WORLD_SIZE"), told_by_launcher("MASTER_ADDR"),
                        port_of_launcher()};
    if (place.rank >= place.ranks)
        throw value_error(codegen::joined({"[session] RANK is ", place.rank, " of WORLD_SIZE ", place.ranks}));
    return place;
}

/// The time that a meeting may take, and the words when it is over.
class meeting {
public:
    meeting(const meeting_place& place, std::int64_t milliseconds)
        : place_(place), end_(clock::now() + std::chrono::milliseconds(milliseconds)) {}

    [[noreturn]] void fail(const std::string& why) const {
        throw device_error(
            codegen::joined({"[session] rank ", place_.rank, " at ", place_.address, ":", place_.port, ": ", why}));
    }
    int left() const {
        const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - clock::now()).count();
        return rest > 0 ? static_cast<int>(rest) : 0;
    }
    // Until one of them is ready; not beyond the end, however many come that are no ranks.
    void wait(codegen::span<pollfd> sockets) const {
        int ready = 0;
        while ((ready = ::poll(sockets.data(), sockets.size(), left())) < 0 && errno == EINTR) {
        }
        if (ready <= 0 || left() == 0) fail("the others did not come in time");
    }
    void wait(int fd, short events) const {
        pollfd p{fd, events, 0};
        wait({&p, 1});
    }
    // The addresses that a name has.
    template <class Each>
    void for_addresses(bool listens, Each each) const {
        addrinfo hints{}, *found = nullptr;
        hints.ai_socktype = SOCK_STREAM;
        hints.ai_flags = listens ? AI_PASSIVE : 0;
        const char* node = listens ? nullptr : place_.address.c_str();
        if (const int e = ::getaddrinfo(node, place_.port.c_str(), &hints, &found)) fail(::gai_strerror(e));
        for (const addrinfo* a = found; a; a = a->ai_next) {
            runtime::file_descriptor fd(::socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, a->ai_protocol));
            if (fd && each(fd, *a)) break;
        }
        ::freeaddrinfo(found);
    }

private:
    using clock = std::chrono::steady_clock;
    const meeting_place& place_;
    clock::time_point end_;
};

/// What both sides begin with, so that other services that listen, and others that look for some, are told from ranks.
inline constexpr std::string_view meeting_word = "sinter's ranks meet\n";

// False where the other side ends before.
SINTER_INLINE bool send_bytes(const meeting& m, int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        m.wait(fd, POLLOUT);
        const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

enum class received { some, complete, ended, foreign };

/// Bytes behind the word, as they come on a connection.
class awaited_bytes {
public:
    awaited_bytes(runtime::file_descriptor from, std::size_t size)
        : from_(std::move(from)), message_(meeting_word.size() + size, '\0') {}

    runtime::file_descriptor& from() { return from_; }
    std::string bytes() const { return message_.substr(meeting_word.size()); }
    // What is there, without waiting; `foreign` at the first byte that is not of the word.
    received take() {
        const ssize_t n = ::recv(from_.get(), message_.data() + done_, message_.size() - done_, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return received::some;
        if (n <= 0) return received::ended;
        done_ += static_cast<std::size_t>(n);
        const std::size_t known = std::min(done_, meeting_word.size());
        if (message_.compare(0, known, meeting_word.substr(0, known)) != 0) return received::foreign;
        return done_ == message_.size() ? received::complete : received::some;
    }

private:
    runtime::file_descriptor from_;
    std::string message_;
    std::size_t done_ = 0;
};

SINTER_INLINE runtime::file_descriptor listening_socket(const meeting& m, int ranks) {
    runtime::file_descriptor listening;
    std::string why = "no address";
    m.for_addresses(true, [&](runtime::file_descriptor& fd, const addrinfo& a) {
        const int yes = 1;
        ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        const bool works = ::bind(fd.get(), a.ai_addr, a.ai_addrlen) == 0 && ::listen(fd.get(), ranks) == 0;
        if (works) listening = std::move(fd);
        else why = std::strerror(errno);
        return works;
    });
    if (!listening) m.fail("cannot listen: " + why);
    return listening;
}

// A rank's number and bytes, as it sends them to rank 0.
inline constexpr std::size_t digits_of_rank = 8;
SINTER_INLINE std::string with_rank(int rank, const std::string& bytes) {
    const std::string digits = std::to_string(rank);
    return std::string(digits_of_rank - digits.size(), '0') + digits + bytes;
}

// Takes what has come on new connections, of which none is waited for alone: it may be no rank's, and say nothing.
SINTER_INLINE void take_from_new(const meeting& m, int listening, std::size_t size, std::vector<awaited_bytes>& coming,
                                 codegen::callback<void(awaited_bytes&)> meet) {
    std::vector<pollfd> sockets{{listening, POLLIN, 0}};
    for (awaited_bytes& c : coming) sockets.push_back({c.from().get(), POLLIN, 0});
    m.wait({sockets.data(), sockets.size()});
    for (std::size_t i = coming.size(); i-- > 0;) {
        const received now = sockets[i + 1].revents ? coming[i].take() : received::some;
        if (now == received::complete) meet(coming[i]);
        if (now != received::some) coming.erase(coming.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (!sockets[0].revents) return;
    runtime::file_descriptor other(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC));
    if (other) coming.emplace_back(std::move(other), size);
}

// Rank 0: takes the bytes of all others, then gives all of them to each, to which it stays connected.
SINTER_INLINE std::vector<runtime::file_descriptor> gather_at_first(const meeting& m, const meeting_place& place,
                                                                    std::size_t size, std::string& all) {
    const runtime::file_descriptor listening = listening_socket(m, place.ranks);
    std::vector<runtime::file_descriptor> others(static_cast<std::size_t>(place.ranks));
    std::vector<awaited_bytes> coming;
    int met = 1;
    auto meet = [&](awaited_bytes& other) {
        const std::string told = other.bytes();
        const auto rank = static_cast<std::size_t>(std::strtol(told.substr(0, digits_of_rank).c_str(), nullptr, 10));
        if (rank == 0 || rank >= others.size()) return;
        met += !others[rank];
        others[rank] = std::move(other.from());
        all.replace(rank * size, size, told, digits_of_rank, size);
    };
    while (met < place.ranks) take_from_new(m, listening.get(), digits_of_rank + size, coming, meet);
    for (std::size_t r = 1; r < others.size(); ++r)
        if (!send_bytes(m, others[r].get(), std::string(meeting_word) + all))
            m.fail("rank " + std::to_string(r) + " has ended");
    return others;
}

// False where rank 0 does not listen yet, or ends before it has sent all.
SINTER_INLINE bool gather_from_first(const meeting& m, const std::string& own, std::string& all,
                                     runtime::file_descriptor& link) {
    m.for_addresses(false, [&](runtime::file_descriptor& fd, const addrinfo& a) {
        const bool works = ::connect(fd.get(), a.ai_addr, a.ai_addrlen) == 0;
        if (works) link = std::move(fd);
        return works;
    });
    if (!link || !send_bytes(m, link.get(), std::string(meeting_word) + own)) return false;
    awaited_bytes answer(std::move(link), all.size());
    received now = received::some;
    while (now == received::some) {
        m.wait(answer.from().get(), POLLIN);
        now = answer.take();
    }
    if (now == received::foreign) m.fail("what listens there is no rank of sinter");
    if (now != received::complete) return false;
    all = answer.bytes();
    link = std::move(answer.from());
    return true;
}

SINTER_INLINE met_ranks gather_by_address(const meeting_place& place, const std::string& mine,
                                          std::int64_t milliseconds) {
    if (place.ranks == 1) return {mine, nullptr};
    const meeting m(place, milliseconds);
    std::string all(mine.size() * static_cast<std::size_t>(place.ranks), '\0');
    std::vector<runtime::file_descriptor> links(1);
    if (place.rank == 0) {
        all.replace(0, mine.size(), mine);
        links = gather_at_first(m, place, mine.size(), all);
    } else {
        while (!gather_from_first(m, with_rank(place.rank, mine), all, links[0])) {
            if (m.left() == 0) m.fail("rank 0 did not answer within " + time_words(milliseconds));
            links[0].close();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    return {std::move(all), std::make_shared<lifeline>(place.rank, std::move(links))};
}

}  // namespace sinter::inline SINTER_ABI::distributed
