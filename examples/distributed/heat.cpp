// The heat equation on a plate whose rows are split over ranks, which exchange their borders: with four ranks the same
// picture, bit for bit, as with one. `mpirun -n 4 heat`, or without mpirun alone.
#if __has_include(<mpi.h>)
#include <mpi.h>
#endif

#include <iostream>
#include <sinter/distributed.hpp>
#include <sinter/image.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    distributed::session s;
    const std::int64_t n = 301;
    const array<float> i = reshape(arange<float>(n), {n, 1}), j = arange<float>(n);

    // What is distributed here are formulas: each rank computes its rows and no others.
    const auto edge = distribute(i == 0 || i == n - 1 || j == 0 || j == n - 1, distributed::split(0));
    auto u = distribute(where(square(i - 100) + square(j - 150) < 2500, 1.0f, 0.0f * j), distributed::split(0));
    for (int step = 0; step < 200; ++step) {
        const auto around = roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1);
        u = where(edge, u, u + 0.2f * (around - 4 * u));
    }
    const double warmth = double(mean(u));
    const std::int64_t hottest = argmax(u).item();
    const auto sent = s.counters();
    const array<float> whole = u.gather();
    save("heat.npy", u);
    if (s.is_root()) {
        imsave("heat.png", whole, {.cmap = "magma"});
        std::cout << "mean " << warmth << ", hottest at (" << hottest / n << ", " << hottest % n << ")\n"
                  << s.ranks() << " rank(s), " << s.communicator_name() << ": " << sent.messages << " messages of "
                  << sent.bytes_sent << " bytes from rank 0\n";
    }
}
