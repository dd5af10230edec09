// error: sinter: cuRAND's parameters are numbers, not arrays
// error: sinter: cuRAND draws float or double
// error: sinter: bits are uint32 or uint64
#include <sinter/sinter.hpp>

void wrong(sinter::random::curand& g, sinter::array<double> a) {
    using namespace sinter;
    g.normal(a, 1, {2});
    g.random<half>({2});
    g.bits<int>({2});
}
