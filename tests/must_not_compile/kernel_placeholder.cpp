// error: sinter: a type placeholder of a kernel stands for arrays of different types
#include <sinter/sinter.hpp>

void wrong(sinter::array<int> a, sinter::array<float> b) {
    using namespace sinter;
    elementwise_kernel<"T x, T y", "T z", "z = x + y"> add;
    add(a, b);
}
