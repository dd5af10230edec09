// error: sinter: the parameters of a vectorized function are numbers, by value or const reference
#include <sinter/sinter.hpp>

SINTER_FUNCTION(first, (const float* x)->float { return x[0]; })

void wrong(sinter::array<float> a) {
    using namespace sinter;
    vectorize(first)(a);
}
