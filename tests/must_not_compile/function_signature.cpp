// error: sinter: no signature of this function takes arguments of these types
#include <sinter/sinter.hpp>

SINTER_FUNCTION(counted, (int n, float x)->float { return n * x; })

void wrong(sinter::array<std::complex<float>> a) {
    using namespace sinter;
    vectorize<double(int, double), float(int, float)>(counted)(1, a);
}
