// error: sinter: this assignment would lose the fraction, the imaginary part or the number
// error: sinter: a floating number as an integer or bool would lose its fraction
#include <sinter/sinter.hpp>

void wrong(sinter::array<double> x, sinter::array<int> i) {
    using namespace sinter;
    static_cast<void>(x);
    i.fill(0.5);
}
