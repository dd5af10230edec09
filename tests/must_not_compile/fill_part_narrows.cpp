// error: sinter: this assignment would lose the fraction, the imaginary part or the number
#include <sinter/sinter.hpp>

void wrong(sinter::array<double> x, sinter::array<bool> m) {
    using namespace sinter;
    static_cast<void>(x);
    m(slice(1, 3)).fill(1);
}
