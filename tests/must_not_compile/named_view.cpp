// error: sinter: a named part of an array and a loop's row are values
#include <sinter/sinter.hpp>

void wrong(sinter::array<float> a, sinter::array<int> i, sinter::array<std::complex<float>> z) {
    using namespace sinter;
    static_cast<void>(a);
    static_cast<void>(i);
    static_cast<void>(z);
    auto v = a(slice(1, 3));
    v = a;
}
