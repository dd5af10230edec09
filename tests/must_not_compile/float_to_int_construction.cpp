// error: sinter: this assignment would lose the fraction, the imaginary part or the number
#include <sinter/sinter.hpp>

void wrong(sinter::array<float> a, sinter::array<int> i, sinter::array<std::complex<float>> z) {
    using namespace sinter;
    static_cast<void>(a);
    static_cast<void>(i);
    static_cast<void>(z);
    array<int> r(a * 2);
}
