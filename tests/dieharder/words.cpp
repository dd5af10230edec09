// Writes random::bytes of a seed to standard output until nobody reads them, for batteries of tests: words [seed]
#include <cstdio>
#include <cstdlib>
#include <sinter/sinter.hpp>

int main(int argc, char** argv) {
    sinter::random::seed(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 42);
    // Each block is a stream of its own, as each draw of a program is.
    for (;;) {
        const std::vector<std::byte> block = sinter::random::bytes(1 << 22);
        if (std::fwrite(block.data(), 1, block.size(), stdout) != block.size()) return 0;
    }
}
