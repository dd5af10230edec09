// error: sinter: a named part of an array and a loop's row are values
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

void f(distributed::array<double> x) {
    auto part = x(slice(1, -1));
    part = 2.0;
}
