// error: sinter: the condition of a loop is an expression of bool
#include <sinter/sinter.hpp>

void wrong(sinter::array<int> a) {
    using namespace sinter;
    while_loop([](auto x) { return x - 3; }, [](auto x) { return x + 1; }, a);
}
