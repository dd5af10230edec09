// Writes which functions are entered and left while one line of a user computes and prints, for the first time and
// again.
#include <sinter/sinter.hpp>

#include <cstdio>
#include <iostream>

using namespace sinter;

static std::FILE* entries = nullptr;
static bool traces = false;

extern "C" {
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void* function, void*);
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void* function, void*);
}

void __cyg_profile_func_enter(void* function, void*) {
    if (traces) std::fprintf(entries, "> %p\n", function);
}

void __cyg_profile_func_exit(void* function, void*) {
    if (traces) std::fprintf(entries, "< %p\n", function);
}

int main(int, char** arguments) {
    entries = std::fopen(arguments[1], "w");
    if (!entries) return 1;
    array<float> x = linspace<float>(-1, 1, 5);
    eval(x);
    for (const char* run : {"cold", "warm"}) {
        std::fprintf(entries, "= %s\n", run);
        traces = true;
        array<float> y = exp(-0.5f * x * x) + 1;
        std::cout << y;
        traces = false;
        std::cout << "\n";
    }
    return std::fclose(entries);
}
