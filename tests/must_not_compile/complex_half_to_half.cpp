// error: sinter: this assignment would lose the fraction, the imaginary part or the number
#include <sinter/sinter.hpp>

void wrong(sinter::array<sinter::half> a, sinter::array<sinter::complex_half> z) {
    static_cast<void>(z);
    a = z;
}
