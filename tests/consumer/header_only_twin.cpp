// The other half of header_only.cpp.
#include <sinter/sinter.hpp>

double twin_sum() {
    using namespace sinter;
    array<double> x = arange(10.0);
    return item(sum(x * x));
}
