// The program of main.cpp with its recorded kernels linked in: it needs no compiler where it runs.
#define main compute
#include "main.cpp"
#undef main

extern const std::byte _binary_pack_bin_start[], _binary_pack_bin_end[];

int main() {
    sinter::use_pack({_binary_pack_bin_start, _binary_pack_bin_end});
    const int wrong = compute();
    const sinter::counters_t c = sinter::counters();
    std::printf("%lld from the pack, %lld compiled\n", static_cast<long long>(c.pack_hits),
                static_cast<long long>(c.kernels_compiled));
    return wrong || c.pack_hits == 0 || c.kernels_compiled != 0;
}
