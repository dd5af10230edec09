// error: sinter: an array of a shape is made by zeros, ones or empty
#include <sinter/sinter.hpp>

void wrong() {
    using namespace sinter;
    array<double> r(2, 3);
}
