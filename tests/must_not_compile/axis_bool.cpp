// error: sinter: an axis of a sum is an integer
#include <sinter/sinter.hpp>

void wrong(sinter::array<float> a, sinter::array<int> i, sinter::array<std::complex<float>> z) {
    using namespace sinter;
    static_cast<void>(a);
    static_cast<void>(i);
    static_cast<void>(z);
    auto r = sum(a, true);
}
