// Fourier transforms of half precision against NumPy's and those of double, over layouts and factors; how often a
// library is called.
#include "support/backends.hpp"
#include "support/fft_golden.hpp"

using namespace sinter;
using namespace test_backends;
using namespace fft_golden;
using fft::norm;

TEST_CASE("fft: transforms of half precision are NumPy's, rounded, for powers of two") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {1, 2, 8, 65536}) check_every_transform<half, complex_half>(n);
    });
}

TEST_CASE("fft: axes, layouts, padding and factors of half precision are those of double") {
    on_every_backend([](const tested_backend&) {
        const array<complex_half> z = signal<complex_half>({4, 8, 16});
        const array<half> x = signal<half>({4, 8, 16});
        const array<std::complex<double>> zd = z;
        const array<double> xd = x;
        auto check = [](const char* name, auto got, auto want) {
            CAPTURE(name);
            REQUIRE(got.shape() == want.shape());
            CHECK(double(sqrt(sum(abs2(got - want)) / sum(abs2(want)))) <= 5 * 0x1p-10 * std::log2(512.0));
        };
        for (int axis : {0, 1, 2}) {
            CAPTURE(axis);
            check("fft", fft::fft(z, {.axis = axis}), fft::fft(zd, {.axis = axis}));
            check("ifft", fft::ifft(z, {.axis = axis}), fft::ifft(zd, {.axis = axis}));
            check("rfft", fft::rfft(x, {.axis = axis}), fft::rfft(xd, {.axis = axis}));
            check("irfft", fft::irfft(fft::rfft(x, {.axis = axis}), {.axis = axis}), xd);
            check("padded", fft::fft(z, 32, axis), fft::fft(zd, 32, axis));
            check("cropped", fft::rfft(x, 2, axis), fft::rfft(xd, 2, axis));
        }
        for (norm how : {norm::backward, norm::ortho, norm::forward}) {
            check("fftn", fft::fftn(z, {.norm = how}), fft::fftn(zd, {.norm = how}));
            check("ifft2", fft::ifft2(z, {.norm = how}), fft::ifft2(zd, {.norm = how}));
            check("rfftn", fft::rfftn(x, {.norm = how}), fft::rfftn(xd, {.norm = how}));
            check("irfftn", fft::irfftn(fft::rfftn(x), {.norm = how}), fft::irfftn(fft::rfftn(xd), {.norm = how}));
        }
        check("slices", fft::fft(z(all, slice(1, 5), slice(none, none, 2))),
              fft::fft(zd(all, slice(1, 5), slice(none, none, 2))));
        check("backwards", fft::rfft(flip(x)), fft::rfft(flip(xd)));
        check("rows apart", fft::rfft(x(all, all, slice(2, 10))), fft::rfft(xd(all, all, slice(2, 10))));
        check("odd start", fft::rfft(x(all, all, slice(1, 9))), fft::rfft(xd(all, all, slice(1, 9))));
        check("expression", fft::fft(z * 2.0), fft::fft(zd * 2.0));
    });
}

TEST_CASE("fft: the inverse of half precision neither overflows nor loses the digits of small numbers") {
    on_every_backend([](const tested_backend&) {
        const std::int64_t n = 65536;
        const array<complex_half> large = full({n}, complex_half(200, -100)),
                                  small = signal<complex_half>(dims(n)) / 16.0;
        CHECK(fft::ifft(large).item(0) == complex_half(200, -100));
        CHECK(double(max(abs(fft::ifft(large)(slice(1, none))))) <= 1);
        const array<std::complex<double>> got = fft::ifft(small), want = fft::ifft(astype<std::complex<double>>(small));
        CHECK(double(sqrt(sum(abs2(got - want)) / sum(abs2(want)))) <= 5 * 0x1p-10 * 16);
    });
}

TEST_CASE("fft: half precision is transformed as such where the library does so") {
    on_compiling_backends([](const tested_backend& b) {
        array<complex_half> z = signal<complex_half>({8, 64}), s = signal<complex_half>({4, 8, 16});
        array<half> x = signal<half>({8, 64});
        eval(z, s, x);
        const std::int64_t casts = b.is_cuda() ? 0 : 2;
        CHECK(work_of(fft::fft(z)) == work{casts, 1});
        CHECK(work_of(fft::fft(z, {.axis = 0})) == work{casts, 1});
        CHECK(work_of(fft::fftn(s)) == work{casts, 1});
        CHECK(work_of(fft::rfft(x)) == work{casts, 1});
        CHECK(work_of(fft::irfft(z, 64, -1, norm::forward)) ==
              work{b.is_cuda() ? 1 : 2, 1});         // a copy of what cuFFT overwrites
        CHECK(work_of(fft::ifft(z)) == work{2, 1});  // a part of the factor before and a part after
    });
}
