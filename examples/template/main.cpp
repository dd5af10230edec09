// The program: a plucked string, at rest in the beginning, and after a while.
#include "waves.hpp"

#include <iostream>

int main() {
    using namespace sinter;
    array<float> x = linspace<float>(0, 1, 11);
    array<float> start = minimum(x, 1 - x);
    std::cout << start << '\n' << waves::swing(start, 40) << '\n';
}
