// error: sinter: this assignment would lose the fraction, the imaginary part or the number: write astype<T>
#include <sinter/sinter.hpp>
#include <sinter/parameters.hpp>

struct counts {
    BOOST_HANA_DEFINE_STRUCT(counts, (sinter::array<int>, n));
};

counts wrong(counts p) {
    using namespace sinter;
    return 0.5f * p;
}
