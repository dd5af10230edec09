// A program of which one rank fails in a way that is named, which distributed/run.py ends: faults WAY, on the ranks of
// mpirun, or of torchrun on GPUs.
#if defined(SINTER_TEST_MPI)
#include <mpi.h>
#endif
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <mutex>
#include <sinter/distributed.hpp>
#include <sinter/runtime/compile/refine.hpp>
#include <sinter/sinter.hpp>
#include <thread>

using namespace sinter;

namespace {

bool is_right(distributed::session& s, distributed::communicator& link) {
    std::vector<std::int64_t> sizes, out_sizes(static_cast<std::size_t>(s.ranks()), 10 + s.rank());
    const auto word = [](int r) { return std::string(static_cast<std::size_t>(10 + r), static_cast<char>('a' + r)); };
    std::string wanted, out;
    for (int r = 0; r < s.ranks(); ++r) {
        sizes.push_back(10 + r);
        wanted += word(r);
        out += word(s.rank());
    }
    std::string all(wanted.size(), '.'), in(wanted.size(), '.'), sent = word(s.is_root() ? 5 : 5 + s.rank());
    sent.resize(10);
    link.all_gather(out.data(), sizes, all.data());
    link.all_to_all(out.data(), out_sizes, in.data(), sizes);
    link.broadcast(sent.data(), 10, 0);
    return all == wanted && in == wanted && sent == word(5).substr(0, 10);
}

}  // namespace

int main(int, char** argv) {
    const bool fails = std::strcmp(argv[1], "none") != 0;
    distributed::session s({.timeout = 1});
    const auto rows = distributed::split(0);
    const auto x = distribute(arange<double>(1000), rows);
    if (double(sum(x)) != 499500) return 3;
    if (fails && s.rank() == 1) {
        if (std::strcmp(argv[1], "throw") == 0) throw value_error("[mine] a rank that throws");
        if (std::strcmp(argv[1], "kill") == 0) std::raise(SIGKILL);
        if (std::strcmp(argv[1], "other") == 0) s.barrier();
        if (std::strcmp(argv[1], "shape") == 0) static_cast<void>(double(max(distribute(ones<double>({4, 3}), rows))));
        // OpenMPI's launcher may wait for ever where a rank finalises while others abort: it is elsewhere until then.
        if (std::strcmp(argv[1], "skip") == 0) {
            std::this_thread::sleep_for(std::chrono::seconds(5));
            return 0;
        }
    }
    if (double(max(x)) != 999) return 3;
    if (!fails) {
        // Kernels that are long enough for quick code and then have their full code, the same ones on 2 and 4 ranks.
        const auto y = distribute(arange<float>(1 << 16), rows);
        if (!(double(mean(tanh(y / 7) * exp(y / -9) + cos(y))) < 1)) return 3;
        const std::lock_guard lock(runtime::runtime_lock());
        runtime::refine_all();
    }
#if defined(SINTER_TEST_MPI)
    // Messages of more bytes than a count holds are described by types, here from seven bytes on.
    distributed::mpi_communicator small(MPI_COMM_WORLD, 7);
    const bool right = is_right(s, small);
#else
    const bool right = is_right(s, s.link());
#endif
    std::cout << (right ? "right" : "wrong") + std::string(" on rank ") + std::to_string(s.rank()) +
                     ", which compiled " + std::to_string(counters().kernels_compiled) + " kernels, " +
                     std::to_string(counters().kernels_quick) + " quickly, and loaded " +
                     std::to_string(counters().disk_hits) + " codes\n";
    return right ? 0 : 3;
}
