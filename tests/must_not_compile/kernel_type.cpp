// error: sinter: the parameters of a kernel are written `type name`
#include <sinter/sinter.hpp>

void wrong(sinter::array<int> a) {
    using namespace sinter;
    elementwise_kernel<"quaternion x", "T z", "z = x"> copy;
    copy(a);
}
