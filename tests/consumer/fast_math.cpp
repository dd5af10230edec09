// A user's file that is compiled, and a program that is linked, with -ffast-math: what sinter computes and writes is
// NumPy's all the same.
#include <sinter/io.hpp>
#include <sinter/sinter.hpp>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace {

int wrong = 0;

void check(const char* what, const std::string& got, const std::string& numpy) {
    if (got == numpy) return;
    ++wrong;
    std::printf("%s is\n%s, not\n%s\n", what, got.c_str(), numpy.c_str());
}

template <class X>
std::string text(const X& x) {
    std::ostringstream s;
    s << x;
    return s.str();
}

#define CHECK(expression, numpy) check(#expression, text(expression), numpy)
#define CHECK_REPR(expression, numpy) check(#expression, repr(expression), numpy)

using namespace sinter;

// Whether this thread takes numbers below the smallest normal one for zero; what it does itself is the program's own
// matter.
bool flushes() {
    volatile double smallest = 5e-324, twice = smallest * 2;
    return twice == 0;
}

void count_and_order(const array<double>& a) {
    CHECK(isnan(a), "[False  True False False False]");
    CHECK(isinf(a), "[False False  True False False]");
    CHECK(isfinite(a), "[ True False False  True  True]");
    CHECK(count_nonzero(a > 0 && a < 1e-300), "1");
    CHECK(a == a, "[ True False  True  True  True]");
    CHECK(a <= 2.0, "[ True False False  True  True]");
    CHECK(argsort(a), "[3 0 4 2 1]");
    CHECK(sort(a), "[5.e-324 1.e+000 2.e+000     inf     nan]");
    CHECK(argmax(a), "1");
    CHECK(min(a), "nan");
    CHECK(max(a), "nan");
    CHECK(cumsum(a), "[ 1. nan nan nan nan]");
    CHECK(maximum(a, 1.5), "[1.5 nan inf 1.5 2. ]");
    CHECK(clip(a, 0.0, 1.0), "[1.e+000     nan 1.e+000 5.e-324 1.e+000]");
    CHECK(where(isnan(a), 0.0, a), "[1.e+000 0.e+000     inf 5.e-324 2.e+000]");
    CHECK(nan_to_num(a), "[1.00000000e+000 0.00000000e+000 1.79769313e+308 4.94065646e-324\n 2.00000000e+000]");
    CHECK(nan_to_num(a, {.nan = 7, .posinf = 8}), "[1.e+000 7.e+000 8.e+000 5.e-324 2.e+000]");
    CHECK(percentile(a, 50), "nan");
    CHECK(allclose(a, a, 1e-5, 1e-8, true), "1");
    CHECK(bool(all(a == a)), "0");
    CHECK(bool(a(1)), "1");
    CHECK(bool(a(3)), "1");
    CHECK(linalg::norm(a, constants::inf), "nan");
}

void print(const array<double>& a, double nan, double inf) {
    CHECK(a(slice(0, 2)), "[ 1. nan]");
    CHECK(a(slice(2, 3)), "[inf]");
    CHECK(a(slice(3, 5)), "[5.e-324 2.e+000]");
    CHECK_REPR(-a, "array([-1.e+000,      nan,     -inf, -5.e-324, -2.e+000])");
    CHECK_REPR((array<float>{1e-45, -1e-40, nan, -inf}), "array([ 1.e-45, -1.e-40,     nan,    -inf], dtype=float32)");
    CHECK_REPR((array<half>{6e-8, -0.0, nan, -inf, 65504}),
               "array([ 5.96e-08, -0.00e+00,       nan,      -inf,  6.55e+04],\n      dtype=float16)");
    using complex = std::complex<double>;
    CHECK_REPR((array<complex>{complex(nan, 1), complex(0, -inf), complex(-0.0, 5e-324)}),
               "array([nan+1.e+000j,  0.    -infj, -0.+5.e-324j])");
    CHECK((array<double>{-0.0, 0.0}), "[-0.  0.]");
}

void compute(const array<double>& a) {
    const array<double> zeros{-0.0, 0.0}, ones{1, -1}, small = full({3}, 1e-310);
    CHECK(rint(array<double>{-0.3, 0.3, -0.5, 2.5}), "[-0.  0. -0.  2.]");
    CHECK(copysign(1.0, zeros), "[-1.  1.]");
    CHECK(zeros + 0.0, "[0. 0.]");
    CHECK(ones / zeros, "[-inf -inf]");
    CHECK(zeros - zeros, "[0. 0.]");
    CHECK(small * 0.5, "[5.e-311 5.e-311 5.e-311]");
    CHECK(full({2}, 1e-40f) * 2.0f, "[1.99999e-40 1.99999e-40]");
    CHECK(linspace(0, 2e-323, 5), "[0.0e+000 4.9e-324 9.9e-324 1.5e-323 2.0e-323]");
    CHECK((arange(1.0, 5.0) * 1e16 + 1.0) - arange(1.0, 5.0) * 1e16, "[0. 0. 0. 0.]");
    CHECK_REPR(arange(1.0, 8.0) / 10.0, "array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])");
    CHECK(exp(array<double>{-745, 1e308, -1e308}) + 0.0, "[5.e-324     inf 0.e+000]");
    CHECK(floor_divide(array<double>{7, -7}, 2.0), "[ 3. -4.]");
    CHECK(nextafter(0.0, 1.0) + a(slice(0, 1)) * 0.0, "[5.e-324]");
    CHECK(std::get<0>(modf(a(slice(2, 4)))), "[0.e+000 5.e-324]");
    CHECK(histogram(a(array<std::int64_t>{0, 3, 4}), {.bins = 2}).hist, "[1 2]");
    const array<double> many = full({1'000'003}, 1e-310);
    CHECK(count_nonzero(many * 0.5), "1000003");
}

// The same of plain numbers, and constants that are folded.
void compute_numbers(double nan, double inf) {
    CHECK(isnan(nan), "1");
    CHECK(isinf(inf) && !isfinite(inf), "1");
    CHECK((array<double>{nan_to_num(inf), nan_to_num(nan), maximum(nan, 1.0), minimum(1.0, nan)}),
          "[1.79769313e+308 0.00000000e+000             nan             nan]");
    CHECK(signbit(-0.0), "1");
    CHECK(isclose(inf, inf) && !isclose(nan, nan), "1");
    CHECK(isnan(full({3}, nan)), "[ True  True  True]");
    CHECK(full({2}, inf) - full({2}, inf), "[nan nan]");
    CHECK(sqrt(full({2}, -1.0)), "[nan nan]");
    CHECK(full({1}, nan) < full({1}, 2.0), "[False]");
}

void write_and_read(const array<double>& a, const std::string& path) {
    savetxt(path, a, {.fmt = "%.17g"});
    const array<double> b = loadtxt(path);
    CHECK_REPR(b, "array([1.e+000,     nan,     inf, 5.e-324, 2.e+000])");
    CHECK(isnan(b), "[False  True False False False]");
    save(path + ".npy", a);
    CHECK_REPR(load<double>(path + ".npy"), "array([1.e+000,     nan,     inf, 5.e-324, 2.e+000])");
}

}  // namespace

int main(int count, char** arguments) {
    const double nan = std::strtod("nan", nullptr), inf = std::strtod("inf", nullptr);
    const bool before = flushes();
    const array<double> a{1, nan, inf, 5e-324, 2};
    count_and_order(a);
    print(a, nan, inf);
    compute(a);
    compute_numbers(nan, inf);
    if (count > 1) write_and_read(a, arguments[1]);
    if (flushes() != before) ++wrong, std::printf("the thread no longer treats small numbers as it did\n");
    std::printf("%d wrong; this thread %s subnormal numbers\n", wrong, before ? "flushes" : "keeps");
    return wrong != 0;
}
