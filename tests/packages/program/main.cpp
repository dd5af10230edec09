// What every package has to build and run.
#include <sinter/sinter.hpp>

#include <iostream>

using namespace sinter;

int main() {
    random::seed(42);
    array<double> x = linspace(0, 1, 5), m{{4, 1}, {1, 3}};
    array<double> wave = round(sin(pi * x), 3);
    std::cout << "sinter " << SINTER_VERSION << '\n'
              << wave << ' ' << sum(m, 0) << ' ' << random::integers(0, 10, {4}) << '\n';
    const bool right =
        array_equal(wave, array<double>{0, 0.707, 1, 0.707, 0}) && array_equal(sum(m, 0), array<double>{5, 4});
    return right ? 0 : 1;
}
