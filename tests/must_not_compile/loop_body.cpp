// error: sinter: the body of a loop would lose the fraction, the imaginary part or the number of a part of its state
#include <sinter/sinter.hpp>

void wrong(sinter::array<int> a) {
    using namespace sinter;
    for_loop(3, [](auto x) { return x * 0.5; }, a);
}
