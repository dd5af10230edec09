// What TF32 gains and what it costs: a large product of floats in each precision, and the digits of a small one.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sinter/sinter.hpp>

using namespace sinter;

// Seconds of the fastest of several products, after one that loads the library.
double seconds_of(const array<float>& x, const array<float>& y, precision in, int repeats) {
    double best = 1e300;
    for (int i = 0; i <= repeats; ++i) {
        synchronize();
        const auto start = std::chrono::steady_clock::now();
        array<float> z = matmul(x, y, in).eval();
        synchronize();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (i > 0 && taken.count() < best) best = taken.count();
    }
    return best;
}

// The largest error of the first rows of a product, of entries that are about sqrt(n).
double error_of(const array<float>& x, const array<float>& y, precision in) {
    const auto rows = slice(0, 64);
    array<float> z = matmul(x, y, in);
    return double(max(abs(astype<double>(z(rows, all)) - matmul(astype<double>(x(rows, all)), astype<double>(y)))));
}

int main() {
    random::seed(42);
    const bool on_gpu = zeros({1}).device().is_cuda();
    const int n = on_gpu ? 15000 : 1024;
    array<float> x = random::randn<float>(n, n), y = random::randn<float>(n, n);
    eval(x, y);

    std::printf("products of two %d x %d matrices of float%s\n", n, n,
                on_gpu ? "" : " (15000 x 15000 on a GPU; a CPU computes in float32 whatever the precision)");
    std::printf("%-10s %12s %10s %10s %14s\n", "precision", "time (ms)", "factor", "TFLOP/s", "largest error");
    double full = 0, error_of_full = 0;
    bool good = true;
    for (precision in : {precision::highest, precision::tf32x3, precision::tf32, precision::bf16}) {
        const double seconds = seconds_of(x, y, in, on_gpu ? 5 : 2), error = error_of(x, y, in);
        if (in == precision::highest) full = seconds, error_of_full = error;
        std::printf("%-10s %12.2f %10.2f %10.2f %14.1e\n", std::string(to_string(in)).c_str(), seconds * 1e3,
                    full / seconds, 2.0 * n * n * n / seconds * 1e-12, error);
        good = good && error < (in == precision::bf16 ? 10 : in == precision::tf32 ? 1 : 1e-2);
        if (in == precision::tf32x3) good = good && error <= 2 * error_of_full;
    }

    set_printoptions({.precision = 8});
    random::seed(42);
    array<float> small = random::randn<float>(3, 3);
    std::cout << "\nthe same seed, the same 3 x 3 matrix X: X @ X\n" << repr(matmul(small, small)) << '\n';
    precision_scope scope(precision::tf32);
    std::cout << "in TF32" << (on_gpu ? "" : " (on this CPU: float32)") << '\n' << repr(matmul(small, small)) << '\n';
    array<double> exact = matmul(astype<double>(small), astype<double>(small));
    const double lost = double(max(abs(astype<double>(matmul(small, small)) - exact)));
    std::printf("largest error in TF32: %.1e\n", lost);
    return good && lost < 0.05 ? 0 : 1;
}
