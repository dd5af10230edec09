// A user's program, as small as they come.
#include <sinter/sinter.hpp>

#include <cstdio>

int main() {
    using namespace sinter;
    array<float> x{1, 2, 3, 4};
    const float total = item(sum(x * 2.0f + 1.0f));
    std::printf("sinter %s: %g\n", SINTER_VERSION, total);
    return total == 24.0f ? 0 : 1;
}
