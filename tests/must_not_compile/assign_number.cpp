// error: sinter: a number is not an array
#include <sinter/sinter.hpp>

void wrong() {
    using namespace sinter;
    array<double> r{1, 2};
    r = 3.0;
}
