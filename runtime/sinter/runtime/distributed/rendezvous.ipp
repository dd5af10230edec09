// Bodies of rendezvous.hpp.
#pragma once

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/distributed/communicator.hpp>
#include <sinter/runtime/distributed/rendezvous.hpp>
#include <thread>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

SINTER_INLINE std::string told_by_launcher(const char* name) {
    const char* value = std::getenv(name);
    if (!value || !*value)
        throw value_error(
            "[session] " + std::string(name) +
            " is not set: a launcher such as torchrun sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT");
    return value;
}

SINTER_INLINE int number_of_launcher(const char* name, const char* what, int most) {
    const std::string text = told_by_launcher(name);
    char* end = nullptr;
    const long number = std::strtol(text.c_str(), &end, 10);
    if (*end || number < 0 || number > most)
        throw value_error("[session] " + std::string(name) + " is no " + what + ": '" + text + "'");
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
        throw value_error("[session] RANK is " + std::to_string(place.rank) + " of WORLD_SIZE " +
                          std::to_string(place.ranks));
    return place;
}

/// The time that a meeting may take, and the words when it is over.
class meeting {
public:
    meeting(const meeting_place& place, std::int64_t milliseconds)
        : place_(place), end_(clock::now() + std::chrono::milliseconds(milliseconds)) {}

    [[noreturn]] void fail(const std::string& why) const {
        throw device_error("[session] rank " + std::to_string(place_.rank) + " at " + place_.address + ":" +
                           place_.port + ": " + why);
    }
    int left() const {
        const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - clock::now()).count();
        return rest > 0 ? static_cast<int>(rest) : 0;
    }
    void wait(int fd, short events) const {
        pollfd p{fd, events, 0};
        int ready = 0;
        while ((ready = ::poll(&p, 1, left())) < 0 && errno == EINTR) {
        }
        if (ready <= 0) fail("the others did not come in time");
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

SINTER_INLINE void send_to_all(const meeting& m, const meeting_place& place, const std::string& bytes) {
    runtime::file_descriptor listening;
    std::string why = "no address";
    m.for_addresses(true, [&](runtime::file_descriptor& fd, const addrinfo& a) {
        const int yes = 1;
        ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        const bool works = ::bind(fd.get(), a.ai_addr, a.ai_addrlen) == 0 && ::listen(fd.get(), place.ranks) == 0;
        if (works) listening = std::move(fd);
        else why = std::strerror(errno);
        return works;
    });
    if (!listening) m.fail("cannot listen: " + why);
    for (int met = 1; met < place.ranks;) {
        m.wait(listening.get(), POLLIN);
        const runtime::file_descriptor other(::accept(listening.get(), nullptr, nullptr));
        if (!other) continue;
        std::size_t done = 0;
        while (done < bytes.size()) {
            m.wait(other.get(), POLLOUT);
            const ssize_t n = ::send(other.get(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
            if (n <= 0) break;
            done += static_cast<std::size_t>(n);
        }
        met += done == bytes.size();
    }
}

// False where rank 0 does not listen yet, or has not sent all.
SINTER_INLINE bool receive_from_first(const meeting& m, std::string& bytes) {
    runtime::file_descriptor link;
    m.for_addresses(false, [&](runtime::file_descriptor& fd, const addrinfo& a) {
        const bool works = ::connect(fd.get(), a.ai_addr, a.ai_addrlen) == 0;
        if (works) link = std::move(fd);
        return works;
    });
    std::size_t done = 0;
    while (link && done < bytes.size()) {
        m.wait(link.get(), POLLIN);
        const ssize_t n = ::recv(link.get(), bytes.data() + done, bytes.size() - done, 0);
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return done == bytes.size() && link;
}

SINTER_INLINE void share_by_address(const meeting_place& place, std::string& bytes, std::int64_t milliseconds) {
    if (place.ranks == 1) return;
    const meeting m(place, milliseconds);
    if (place.rank == 0) return send_to_all(m, place, bytes);
    while (!receive_from_first(m, bytes)) {
        if (m.left() == 0) m.fail("rank 0 did not answer within " + time_words(milliseconds));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

}  // namespace sinter::inline SINTER_ABI::distributed
