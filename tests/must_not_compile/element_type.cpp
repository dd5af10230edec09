// error: sinter: elements are bool, int8_t to int64_t
#include <sinter/sinter.hpp>

void wrong(sinter::array<float> a, sinter::array<int> i, sinter::array<std::complex<float>> z) {
    using namespace sinter;
    static_cast<void>(a);
    static_cast<void>(i);
    static_cast<void>(z);
    array<std::string> r;
}
