// error: sinter: a function that combines elements takes two numbers and returns one, all of one type
#include <sinter/sinter.hpp>

SINTER_FUNCTION(counted, (int n, float x)->float { return n * x; })

void wrong(sinter::array<float> a) {
    using namespace sinter;
    reduce(counted, a);
}
