// Feeds damaged files to the readers: readers COUNT [SEED [DATA]], or as a target of libFuzzer with -fsanitize=fuzzer
// and -DSINTER_LIBFUZZER, which run.py builds. To be built with address and undefined sanitizers.
#include "inputs.hpp"

#if defined(SINTER_LIBFUZZER)

// SINTER_FUZZ_KIND names the one kind that inputs are, SINTER_FUZZ_SEEDS a folder for the files to begin with.
static fuzz::kind wanted_kind() {
    static const fuzz::kind wanted = [] {
        const char* name = std::getenv("SINTER_FUZZ_KIND");
        for (int k = 0; k < fuzz::kinds; ++k)
            if (name && std::string_view(name) == fuzz::kind_names[k].name) return static_cast<fuzz::kind>(k);
        fuzz::require(false, "SINTER_FUZZ_KIND names no kind");
        return fuzz::kinds;
    }();
    return wanted;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* folder = std::getenv("SINTER_FUZZ_SEEDS");
    if (!folder) return 0;
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& s : fuzz::read_seeds(SINTER_TEST_DATA))
        if (fuzz::kind_of(s) == wanted_kind())
            std::ofstream(folder + ("/" + std::to_string(number++)), std::ios::binary) << s;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    fuzz::counts n;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::string_view begin = fuzz::kind_names[wanted_kind()].begin;
    bytes.replace(0, std::min(size, begin.size()), begin);
    fuzz::run(bytes, n);
    return 0;
}

#else

int main(int argc, char** argv) {
    const long long count = argc > 1 ? std::atoll(argv[1]) : 100000;
    std::mt19937 random(argc > 2 ? static_cast<unsigned>(std::atoll(argv[2])) : 1u);
    const std::vector<std::string> seeds = fuzz::read_seeds(argc > 3 ? argv[3] : SINTER_TEST_DATA);
    fuzz::counts n;
    for (long long i = 0; i < count; ++i) fuzz::run(fuzz::make_input(seeds, random), n);
    std::printf("%zu seeds, %lld inputs:", seeds.size(), count);
    for (int k = 0; k < fuzz::kinds; ++k) std::printf(" %lld %s,", n.inputs[k], fuzz::kind_names[k].name);
    std::printf(" %lld accepted\n", n.accepted);
}

#endif
