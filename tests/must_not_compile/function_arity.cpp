// error: sinter: this function takes another number of arguments
#include <sinter/sinter.hpp>

SINTER_FUNCTION(counted, (int n, float x)->float { return n * x; })

void wrong(sinter::array<int> a) {
    using namespace sinter;
    vectorize(counted)(a);
}
