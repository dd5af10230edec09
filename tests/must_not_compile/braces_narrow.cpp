// error: sinter: a floating number as an integer or bool would lose its fraction
#include <sinter/sinter.hpp>

void wrong() {
    using namespace sinter;
    array<int> r{1, 2.5};
}
