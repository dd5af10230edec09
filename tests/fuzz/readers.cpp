// Feeds damaged files to the readers: readers COUNT [SEED [DATA]], or as a target of libFuzzer with -fsanitize=fuzzer
// and -DSINTER_LIBFUZZER, whose corpus are the folders npy, npz and text of tests/data. To be built with address and
// undefined sanitizers.
#include "readers.hpp"

#if defined(SINTER_LIBFUZZER)

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    fuzz::counts n;
    fuzz::run({reinterpret_cast<const char*>(data), size}, n);
    return 0;
}

#else

int main(int argc, char** argv) {
    const long long count = argc > 1 ? std::atoll(argv[1]) : 100000;
    std::mt19937 random(argc > 2 ? static_cast<unsigned>(std::atoll(argv[2])) : 1u);
    const std::vector<std::string> seeds = fuzz::read_seeds(argc > 3 ? argv[3] : SINTER_TEST_DATA);
    fuzz::counts n;
    for (long long i = 0; i < count; ++i) fuzz::run(fuzz::make_input(seeds, random), n);
    std::printf("%zu seeds, %lld inputs: %lld .npy, %lld .npz, %lld text; %lld accepted\n", seeds.size(), count, n.npy,
                n.npz, n.text, n.accepted);
}

#endif
