// error: sinter: this assignment would lose the fraction, the imaginary part or the number
#include <sinter/sinter.hpp>

void wrong(sinter::array<double> x, sinter::array<int> i) {
    using namespace sinter;
    static_cast<void>(x);
    i.fill(0.5);
}
