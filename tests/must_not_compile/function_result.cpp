// error: sinter: a vectorized function returns numbers, or a tuple or structure of numbers
#include <sinter/sinter.hpp>

SINTER_FUNCTION(named, (float x)->std::tuple<float, const char*> { return {x, "x"}; })

void wrong(sinter::array<float> a) {
    using namespace sinter;
    vectorize(named)(a);
}
