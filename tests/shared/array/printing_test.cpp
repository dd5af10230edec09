// Printing through the public API: NumPy's text on every backend, and no more copied than is shown.
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

TEST_CASE("str and repr are NumPy's on every backend") {
    on_every_backend([](const tested_backend&) {
        array<double> m{{1, 2.5}, {-3, 4e10}};
        CHECK(str(m) == "[[ 1.0e+00  2.5e+00]\n [-3.0e+00  4.0e+10]]");
        CHECK(repr(m) == "array([[ 1.0e+00,  2.5e+00],\n       [-3.0e+00,  4.0e+10]])");
        array<float> f{0.1f, -2, 1e-3f};
        CHECK(repr(f) == "array([ 1.e-01, -2.e+00,  1.e-03], dtype=float32)");
        CHECK(repr(f * 2) == "array([ 2.e-01, -4.e+00,  2.e-03], dtype=float32)");
        CHECK(repr(array<bool>{true, false}) == "array([ True, False])");
        CHECK(repr(array<std::complex<double>>{std::complex<double>(1, 2)}) == "array([1.+2.j])");
        CHECK(repr(zeros<int>({0, 3})) == "array([], shape=(0, 3), dtype=int32)");
        CHECK(str(full({}, 2.5)) == "2.5");
        std::ostringstream out;
        out << m.T()(0) << ' ' << m.shape() << ' ' << m.dtype();
        CHECK(out.str() == "[ 1. -3.] (2, 2) float64");
    });
}

TEST_CASE("views print their own elements") {
    on_every_backend([](const tested_backend&) {
        array<int> a = arange<int>(12);
        a = reshape(a, {3, 4});
        a.eval();
        CHECK(str(a(slice(none, none, -1), slice(none, none, 2))) == "[[ 8 10]\n [ 4  6]\n [ 0  2]]");
        CHECK(str(a.T()) == "[[ 0  4  8]\n [ 1  5  9]\n [ 2  6 10]\n [ 3  7 11]]");
        CHECK(str(a(1)) == "[4 5 6 7]");
        CHECK(str(broadcast_to(a(all, 1), {2, 3})) == "[[1 5 9]\n [1 5 9]]");
    });
}

TEST_CASE("a summarised array shows and copies its edges only") {
    on_every_backend([](const tested_backend& b) {
        array<std::int64_t> a = arange<std::int64_t>(3000);
        a = reshape(a, {30, 100}) * 1;
        a.eval();
        reset_counters();
        std::string text = str(a);
        CHECK(text ==
              "[[   0    1    2 ...   97   98   99]\n"
              " [ 100  101  102 ...  197  198  199]\n"
              " [ 200  201  202 ...  297  298  299]\n"
              " ...\n"
              " [2700 2701 2702 ... 2797 2798 2799]\n"
              " [2800 2801 2802 ... 2897 2898 2899]\n"
              " [2900 2901 2902 ... 2997 2998 2999]]");
        if (b.is_cuda()) CHECK(counters().bytes_to_host <= 36 * 8);
        array<float> large = arange<float>(5'000'000.0f);
        reset_counters();
        CHECK(repr(large) ==
              "array([0.000000e+00, 1.000000e+00, 2.000000e+00, ..., 4.999997e+06,\n"
              "       4.999998e+06, 4.999999e+06], shape=(5000000,), dtype=float32)");
        if (b.is_cuda()) CHECK(counters().bytes_to_host <= 6 * 4);
    });
}
