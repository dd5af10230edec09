// What an array says about itself, how it prints, and three small formulas whose values are checked.
#include <cmath>
#include <iostream>
#include <sinter/sinter.hpp>

using namespace sinter;

int failures = 0;

template <class A, class B>
void check(const char* what, const A& got, const B& expected) {
    if (got == expected) return;
    ++failures;
    std::cout << "WRONG " << what << ": " << got << " instead of " << expected << '\n';
}

int main() {
    array<std::int64_t> a = reshape(arange(10), {2, 5});
    std::cout << "shape    " << a.shape() << "\nstrides  " << a.strides() << "\nndim     " << a.ndim() << "\nsize     "
              << a.size() << "\nnbytes   " << a.nbytes() << "\ndtype    " << a.dtype() << "\ndevice   " << a.device()
              << "\nstr      " << a << "\nrepr     " << repr(a) << '\n';
    check("shape", a.shape(), dims(2, 5));
    check("strides", a.strides(), dims(40, 8));
    check("nbytes", a.nbytes(), 80);
    check("str", str(a), "[[0 1 2 3 4]\n [5 6 7 8 9]]");
    check("repr", repr(a), "array([[0, 1, 2, 3, 4],\n       [5, 6, 7, 8, 9]])");
    check("dtype", to_string(a.dtype()), "int64");

    // A column beside a row: both stretch to (3, 4).
    array<double> b_col{{10}, {20}, {30}}, c{1, 2, 3, 4};
    std::cout << "\nb_col + c =\n" << b_col + c << '\n';
    check("b_col + c", str(b_col + c), "[[11. 12. 13. 14.]\n [21. 22. 23. 24.]\n [31. 32. 33. 34.]]");

    array<double> x = linspace(-2, 2, 5);
    array<double> bell = exp(-0.5 * x * x);
    std::cout << "exp(-0.5 x^2) = " << bell << '\n';
    check("exp(-0.5 x^2)", str(bell), "[0.13533528 0.60653066 1.         0.60653066 0.13533528]");

    array<double> r = arange(10.0);
    double norm = double(sqrt(sum(r * r)));
    std::printf("norm of arange(10) = %.15f\n", norm);
    check("norm", norm, 16.881943016134134);

    std::printf("%lld kernels ran\n", static_cast<long long>(counters().launches));
    return failures;
}
