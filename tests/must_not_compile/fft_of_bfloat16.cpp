// error: sinter: there are no transforms of bfloat16: convert with astype<float>
#include <sinter/sinter.hpp>

void wrong(sinter::array<sinter::bfloat16> a) {
    using namespace sinter;
    fft::fft(a);
}
