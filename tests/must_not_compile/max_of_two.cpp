// error: sinter: an axis of max is an integer: for the larger of two values use maximum
#include <sinter/sinter.hpp>

void wrong(sinter::array<float> a, sinter::array<int> i, sinter::array<std::complex<float>> z) {
    using namespace sinter;
    static_cast<void>(a);
    static_cast<void>(i);
    static_cast<void>(z);
    auto r = max(a, 0.5f);
}
