// error: sinter: an index is an integer, a slice, all, newaxis, ellipsis
#include <sinter/sinter.hpp>

void wrong(sinter::array<float> a, sinter::array<int> i, sinter::array<std::complex<float>> z) {
    using namespace sinter;
    static_cast<void>(a);
    static_cast<void>(i);
    static_cast<void>(z);
    auto r = a(true);
}
