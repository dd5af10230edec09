// error: sinter: complex elements have no order
#include <sinter/sinter.hpp>

void wrong(sinter::array<std::complex<double>> z) {
    using namespace sinter;
    max(z, 0);
}
