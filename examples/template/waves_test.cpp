// What holds of the string: a standing wave comes back after a whole period, and wrong input throws.
#include "waves.hpp"

#include <iostream>

int main() {
    using namespace sinter;
    array<float> start = sin(float(pi) * linspace<float>(0, 1, 101));
    // With courant 1 the scheme is exact: a period is 200 steps of 100 intervals.
    test::assert_allclose(waves::swing(start, 200, 1), start, {.rtol = 1e-3, .atol = 1e-3});
    try {
        waves::swing(start, 1, 2);
    } catch (const value_error& e) {
        std::cout << "passed; " << e.what() << '\n';
        return 0;
    }
    return 1;
}
