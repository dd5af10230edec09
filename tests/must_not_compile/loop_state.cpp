// error: sinter: the body of a loop returns as many values as the state has
#include <sinter/sinter.hpp>

void wrong(sinter::array<int> a) {
    using namespace sinter;
    for_loop(3, [](auto x, auto) { return x; }, a, a);
}
