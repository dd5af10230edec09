// Half of a header-only program of two translation units, which must link and agree; links nothing but threads and dl.
#include <sinter/sinter.hpp>

#include <cstdio>

double twin_sum();

int main() {
    using namespace sinter;
    array<double> x = arange(10.0);
    const double here = item(sum(x * x)), there = twin_sum();
    std::printf("header-only: %g here, %g in the other file\n", here, there);
    return here == 285 && there == 285 ? 0 : 1;
}
