// error: sinter: bool has no -: where two masks differ is a ^ b or logical_xor(a, b), a without b a && !b
// error: sinter: bool has no negative: write !a or logical_not(a)
#include <sinter/sinter.hpp>

void wrong(sinter::array<bool> a, sinter::array<bool> b) {
    using namespace sinter;
    auto r = a - b;
    auto s = -a;
}
