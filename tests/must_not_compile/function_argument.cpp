// error: sinter: an argument of this function would lose its fraction, its imaginary part or its number
#include <sinter/sinter.hpp>

SINTER_FUNCTION(counted, (int n, float x)->float { return n * x; })

void wrong(sinter::array<float> a) {
    using namespace sinter;
    vectorize(counted)(a, a);
}
