// Faults that random programs found, each as the smallest program that showed it.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>

namespace {

using namespace sinter;

// What a program computes on the host and on the interpreter.
template <class F>
void on_both(F f) {
    device_scope on(device::cpu());
    for (runtime::backend b : {runtime::backend::interpreter, runtime::backend::host}) {
        CAPTURE(to_string(b));
        runtime::backend_scope use(b);
        f();
    }
}

TEST_CASE("a scalar that is converted twice keeps what the first conversion made of it") {
    on_both([] {
        array<std::uint8_t> bytes{7};
        bytes(all) = std::int64_t(-1);
        array<std::complex<float>> c = astype<std::complex<float>>(bytes);
        CHECK(sign(c).item(0) == std::complex<float>(1));
    });
}

}  // namespace
