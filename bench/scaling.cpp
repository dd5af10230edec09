// What a rank computes as ranks grow in number, with as much for each: `mpirun -n P scaling`, alone, or a process for
// each GPU, as torchrun starts them. `scaling N` has N times the rows. Prints medians and the least times in µs on
// rank 0, which scaling.py compares.
#if __has_include(<mpi.h>)
#include <mpi.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;

namespace {

/// What a call takes from one barrier to the next: the median, and the least, which is what others on the machine
/// leave.
struct times {
    double median, least;
};
template <class F>
times times_of(distributed::session& s, F f) {
    std::vector<double> took;
    for (int i = 0; i < 24; ++i) {
        s.barrier();
        const auto begin = std::chrono::steady_clock::now();
        f();
        synchronize();
        s.barrier();
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
        if (i > 3) took.push_back(time.count());
    }
    std::nth_element(took.begin(), took.begin() + 10, took.end());
    return {took[10], *std::min_element(took.begin(), took.begin() + 10)};
}

}  // namespace

int main(int argc, char** argv) {
    distributed::session s;
    const std::int64_t p = s.ranks() * (argc > 1 ? std::atoi(argv[1]) : 1);
    const auto rows = distributed::split(0);
    const auto x = distribute(random::generator(1).normal<float>(0, 1, {p * (1 << 21)}), rows).eval();
    const auto a = distribute(random::generator(2).normal<float>(0, 1, {p * 512, 512}), rows).eval();
    const array<float> w = random::generator(3).normal<float>(0, 1, {512, 512}).eval();
    auto u = distribute(random::generator(4).normal<float>(0, 1, {p * 1024, 1024}), rows).eval();
    const auto part = x.local();
    const slice in(1, -1), up(2, none), down(none, -2);
    const std::pair<const char*, times> rates[] = {
        {"map and reduction, without a message",
         times_of(s, [&] { static_cast<void>(double(mean(square(part) + exp(part * -0.5f)))); })},
        {"map and reduction", times_of(s, [&] { static_cast<void>(double(mean(square(x) + exp(x * -0.5f)))); })},
        {"matmul", times_of(s, [&] { matmul(a, w).eval(); })},
        {"stencil", times_of(s,
                             [&] {
                                 u(in) = 0.5f * (u(up) + u(down));
                                 u.eval();
                             })},
        {"matmul over rows", times_of(s, [&] { matmul(a.T(), a).gather().eval(); })}};
    if (s.is_root())
        for (const auto& [name, time] : rates)
            std::printf("%s,%lld,%.1f,%.1f\n", name, static_cast<long long>(s.ranks()), time.median, time.least);
}
