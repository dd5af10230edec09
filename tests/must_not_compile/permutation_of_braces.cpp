// error: no matching function for call to 'permutation
#include <sinter/sinter.hpp>

void wrong(sinter::array<double> x) {
    using namespace sinter;
    static_cast<void>(x);
    static_cast<void>(random::permutation({3}));
}
