// Fourier transforms against NumPy's in double precision: sizes, axes, factors, padding, types, layouts, failures; how
// often a library is called and what is fused around it.
#include <sinter/runtime/library/fourier.hpp>

#include "support/backends.hpp"
#include "support/fft_golden.hpp"

using namespace sinter;
using namespace test_backends;
using namespace fft_golden;
using fft::norm;

namespace {

constexpr std::int64_t sizes[] = {1, 2, 3, 5, 8, 31, 33, 97, 100, 1009, 4097, 65536};

}  // namespace

TEST_CASE("fft: transforms of small, odd, prime and large sizes are NumPy's") {
    on_every_backend([](const tested_backend&) {
        for_each_precision([]<class R, class C>(R, C) {
            for (std::int64_t n : sizes) check_every_transform<R, C>(n);
        });
    });
}

TEST_CASE("fft: the factor stands where norm says") {
    on_every_backend([](const tested_backend&) {
        for_each_precision([]<class R, class C>(R, C) {
            const char* names[] = {"backward", "ortho", "forward"};
            for (norm how : {norm::backward, norm::ortho, norm::forward})
                for (std::int64_t n : {33, 100}) {
                    auto name = [&](const char* f, const char* kind) {
                        return std::string(f) + " " + std::to_string(n) + " " + kind + " " +
                               names[static_cast<int>(how)];
                    };
                    auto x = signal<R>(dims(n));
                    auto z = signal<C>(dims(n)), h = half_spectrum<C>(n);
                    check<R>(name("fft", "complex"), fft::fft(z, {.norm = how}), n);
                    check<R>(name("ifft", "complex"), fft::ifft(z, n, -1, how), n);
                    check<R>(name("rfft", "real"), fft::rfft(x, {.norm = how}), n);
                    check<R>(name("ihfft", "real"), fft::ihfft(x, {.norm = how}), n);
                    check<R>(name("irfft", "complex"), fft::irfft(h, {.n = n, .norm = how}), n);
                    check<R>(name("hfft", "complex"), fft::hfft(h, n, 0, how), n);
                }
        });
    });
}

TEST_CASE("fft: operands are cropped and padded with zeros to n, arrays as well as expressions") {
    on_every_backend([](const tested_backend&) {
        for_each_precision([]<class R, class C>(R, C) {
            auto x = signal<R>(dims(31));
            auto z = signal<C>(dims(31)), h = half_spectrum<C>(31);
            for (std::int64_t n : {1, 8, 31, 33, 100}) {
                const std::string to = " to " + std::to_string(n);
                check<R>("fft 31 complex" + to, fft::fft(z, n), n);
                check<R>("fft 31 complex" + to, fft::fft(z * R(2), n) / R(2), n);
                check<R>("fft 31 real" + to, fft::fft(x, n), n);
                check<R>("fft 31 real" + to, fft::fft(x + R(1) - R(1), n), n);
                check<R>("ifft 31 complex" + to, fft::ifft(z, n), n);
                check<R>("ifft 31 real" + to, fft::ifft(x, n), n);
                check<R>("ifft 31 complex" + to, fft::ifft(z * R(4), n) / R(4), n);
                check<R>("rfft 31 real" + to, fft::rfft(x, n), n);
                check<R>("rfft 31 real" + to, fft::rfft(x * R(2), n) * R(0.5), n);
                check<R>("ihfft 31 real" + to, fft::ihfft(x, n), n);
            }
            for (std::int64_t n : {1, 9, 31, 40}) {
                const std::string to = " to " + std::to_string(n);
                check<R>("irfft 31 complex" + to, fft::irfft(h, n), n);
                check<R>("hfft 31 complex" + to, fft::hfft(h, n), n);
            }
            check<R>("irfft default", fft::irfft(half_spectrum<C>(30)), 30);
            check<R>("hfft default", fft::hfft(half_spectrum<C>(30)), 30);
        });
    });
}

TEST_CASE("fft: any axis is transformed, positive or negative, of arrays that lie in any way") {
    on_every_backend([](const tested_backend&) {
        for_each_precision([]<class R, class C>(R, C) {
            auto x = signal<R>({3, 8, 5});
            auto z = signal<C>({3, 8, 5});
            // The same elements: by columns, backwards, as a part of more.
            array<C> columns = z.T().copy().T(), back = flip(flip(z).copy()), more = zeros<C>({3, 9, 7});
            more(all, slice(1, none), slice(2, none)) = z;
            array<C> part = more(all, slice(1, none), slice(2, none));
            array<R> odd = concatenate({zeros<R>({3, 8, 1}), x}, -1);
            for (int axis : {0, 1, 2, -3}) {
                const std::string name = " axis " + std::to_string(axis);
                check<R>("fft" + name + " complex", fft::fft(z, {.axis = axis}), 8);
                check<R>("ifft" + name + " complex", fft::ifft(z, {.axis = axis}), 8);
                for (const array<C>& same : {columns, back, part})
                    check<R>("fft" + name + " complex", fft::fft(same, {.axis = axis}), 8);
                check<R>("rfft" + name + " real", fft::rfft(x, {.axis = axis}), 8);
                check<R>("rfft" + name + " real", fft::rfft(odd(all, all, slice(1, none)), {.axis = axis}), 8);
                check<R>("rfft" + name + " real", fft::rfft(x.T().copy().T(), {.axis = axis}), 8);
                check<R>("ihfft" + name + " real", fft::ihfft(x, {.axis = axis}), 8);
                check<R>("rfft" + name + " real to 6", fft::rfft(x, 6, axis), 8);
                check<R>("ihfft" + name + " real to 6", fft::ihfft(x, 6, axis), 8);
                array<C> h = astype<C>(golden::stored<std::complex<double>>("fft irfft" + name + " operand"));
                array<C> before = h.copy();
                before.eval();
                check<R>("irfft" + name + " complex", fft::irfft(h, {.axis = axis}), 8);
                check<R>("hfft" + name + " complex", fft::hfft(h, {.axis = axis}), 8);
                check<R>("irfft" + name + " complex to 7", fft::irfft(h, 7, axis), 8);
                check<R>("hfft" + name + " complex to 7", fft::hfft(h, 7, axis), 8);
                CHECK(all(h == before).item());
            }
        });
    });
}

TEST_CASE("fft: several axes, in any order and repeated, with sizes of their own") {
    const std::map<std::string, std::pair<dims, std::vector<dims>>> lists = {
        {"a", {{4, 5, 6}, {{}, {0}, {1}, {-1, -2}, {0, 2}, {0, 1}, {2, 0, 1}, {1, 1}, {0, 1, 0}}}},
        {"b", {{3, 1, 8}, {{}, {1}, {2, 1}, {0, 1}}}},
        {"c", {{2, 3, 4, 5}, {{}, {0, 1, 2, 3}, {1, 2}, {1, 3}, {-3, 0}, {3, 1, 0}}}}};
    on_every_backend([&](const tested_backend&) {
        for_each_precision([&]<class R, class C>(R, C) {
            for (const auto& [key, list] : lists) {
                const dims shape = list.first;
                auto x = signal<R>(shape);
                auto z = signal<C>(shape);
                for (const dims& axes : list.second) {
                    const std::string name = " " + to_string(shape) + " " + (axes.empty() ? "all" : to_string(axes));
                    const fft::list given = axes.empty() ? fft::list() : fft::list(axes);
                    dims each = axes, s, last;
                    for (int i = 0; axes.empty() && i < shape.size(); ++i) each.push_back(i);
                    for (int j = 0; j < each.size(); ++j) {
                        const std::int64_t n =
                            shape[each[j] < 0 ? static_cast<int>(each[j]) + shape.size() : static_cast<int>(each[j])];
                        s.push_back(j % 2 == 0 ? n + 2 : std::max<std::int64_t>(1, n - 1));
                        last.push_back(j + 1 < each.size() ? -1 : n / 2 * 2 + 1);
                    }
                    check<R>("fftn" + name, fft::fftn(z, {.axes = given}), 120);
                    check<R>("fftn" + name + " real", fft::fftn(x, {.axes = given}), 120);
                    check<R>("ifftn" + name, fft::ifftn(z, {.axes = given}), 120);
                    check<R>("fftn" + name + " sizes", fft::fftn(z, s, each), 120);
                    check<R>("ifftn" + name + " sizes", fft::ifftn(z, s, each), 120);
                    check<R>("rfftn" + name, fft::rfftn(x, {.axes = given}), 120);
                    check<R>("rfftn" + name + " sizes", fft::rfftn(x, {.s = s, .axes = each}), 120);
                    array<C> h = astype<C>(golden::stored<std::complex<double>>("fft rfftn" + name));
                    if (golden::numpy_results().count("fft irfftn" + name))
                        check<R>("irfftn" + name, fft::irfftn(h, {.axes = given}), 120);
                    if (golden::numpy_results().count("fft irfftn" + name + " odd"))
                        check<R>("irfftn" + name + " odd", fft::irfftn(h, last, each), 120);
                }
            }
        });
    });
}

TEST_CASE("fft: the functions of two axes take the last ones, a factor, and sizes") {
    on_every_backend([](const tested_backend&) {
        for_each_precision([]<class R, class C>(R, C) {
            auto x = signal<R>({3, 6, 8});
            auto z = signal<C>({3, 6, 8});
            const char* names[] = {"backward", "ortho", "forward"};
            for (norm how : {norm::backward, norm::ortho, norm::forward}) {
                const std::string name = names[static_cast<int>(how)];
                check<R>("fft2 " + name, fft::fft2(z, {.norm = how}), 48);
                check<R>("ifft2 " + name, fft::ifft2(z, {.norm = how}), 48);
                check<R>("rfft2 " + name, fft::rfft2(x, {.norm = how}), 48);
                check<R>("irfft2 " + name, fft::irfft2(fft::rfft2(x), {.norm = how}), 48);
            }
            check<R>("fft2 sizes", fft::fft2(z, {7, 5}), 35);
            check<R>("rfft2 axes", fft::rfft2(x, {.axes = {2, 0}}), 24);
        });
    });
}

TEST_CASE("fft: frequencies and shifts are NumPy's, bit for bit") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t n : {1, 2, 9, 10}) {
            const std::string size = " " + std::to_string(n);
            golden::check("fft fftfreq" + size, fft::fftfreq(n, 0.1));
            golden::check("fft rfftfreq" + size, fft::rfftfreq(n, 0.1));
            golden::check("fft fftshift" + size, fft::fftshift(arange<std::int64_t>(n)));
            golden::check("fft ifftshift" + size, fft::ifftshift(arange<std::int64_t>(n)));
        }
        array<std::int64_t> m = reshape(arange<std::int64_t>(60), {3, 4, 5});
        golden::check("fft fftshift all", fft::fftshift(m));
        golden::check("fft ifftshift all", fft::ifftshift(m));
        golden::check("fft fftshift axes", fft::fftshift(m, {0, -1}));
        golden::check("fft ifftshift axis", fft::ifftshift(m, 2));
    });
}

TEST_CASE("fft: integers and bool are transformed as double, and nothing stays nothing") {
    on_every_backend([](const tested_backend&) {
        array<int> i = {1, 2, 3, 4};
        array<std::complex<double>> t = fft::fft(i);
        CHECK(to_vector(t) == std::vector<std::complex<double>>{10.0, {-2, 2}, -2.0, {-2, -2}});
        CHECK(to_vector(array<std::complex<double>>(fft::rfft(i > 2))) ==
              std::vector<std::complex<double>>{2.0, {-1, 1}, 0.0});
        CHECK(fft::fft(zeros({0, 4})).shape() == dims(0, 4));
        CHECK(to_vector(fft::rfft(zeros({0, 4}))).empty());
        CHECK(fft::irfft(zeros<std::complex<float>>({3, 0}), 5, 0).shape() == dims(5, 0));
        CHECK(to_vector(fft::fft(zeros({2, 0}), 2)) == std::vector<std::complex<double>>(4));
        CHECK(fft::fftn(sum(ones({3})), {.axes = dims()}).item() == 3.0);
    });
}

TEST_CASE("fft: the inverse gives the operand back, and energy is kept") {
    on_every_backend([](const tested_backend& b) {
        for_each_precision([&]<class R, class C>(R, C) {
            const double epsilon = std::numeric_limits<R>::epsilon();
            for (std::int64_t n : {1, 2, 3, 31, 1023, 4096, 100003}) {
                if (b.is_interpreter() && n > 5000) continue;
                auto z = signal<C>(dims(n));
                auto x = signal<R>(dims(n));
                const double bound = 10 * epsilon * std::log2(static_cast<double>(n) + 1) * 32;
                CHECK(max(abs(fft::ifft(fft::fft(z)) - z)).item() <= bound);
                CHECK(max(abs(fft::irfft(fft::rfft(x), n) - x)).item() <= bound);
                const double energy = sum(astype<double>(abs(fft::fft(z, {.norm = norm::ortho})) *
                                                         abs(fft::fft(z, {.norm = norm::ortho}))))
                                          .item();
                const double wanted = sum(astype<double>(abs(z) * abs(z))).item();
                CHECK(std::fabs(energy / wanted - 1) <= 20 * epsilon);
            }
        });
    });
}

TEST_CASE("fft: a transform is one call of the library, and what is computed around it is fused") {
    on_compiling_backends([](const tested_backend&) {
        using C = std::complex<float>;
        array<C> z = signal<C>(dims(1024)), h = signal<C>(dims(1024), 3);
        array<float> x = signal<float>(dims(1024));
        eval(z, h, x);
        CHECK(work_of(fft::fft(z)) == work{0, 1});
        CHECK(work_of(fft::rfft(x)) == work{0, 1});
        CHECK(work_of(fft::fft(x)) == work{1, 1});       // to complex
        CHECK(work_of(fft::ifft(z)) == work{1, 1});      // the factor
        CHECK(work_of(fft::ifft(z * h)) == work{1, 1});  // the factor, in the product
        CHECK(work_of(fft::ifft(x)) == work{1, 1});
        CHECK(work_of(fft::irfft(z)) == work{1, 1});
        CHECK(work_of(abs(fft::fft(z * h + C(1))) * 2.0f) == work{2, 1});
        CHECK(work_of(abs(fft::ifft(z)) * 2.0f) == work{1, 1});
        CHECK(work_of(fft::ifft(fft::fft(z) * fft::fft(h))) == work{1, 3});
        CHECK(work_of(fft::irfft(fft::rfft(x, 2048) * fft::rfft(x, 2048), 2048)) == work{2, 3});
        CHECK(work_of(fft::rfft(x, 1500)) == work{1, 1});
        CHECK(work_of(fft::fft(x, 1500)) == work{1, 1});
        CHECK(work_of(fft::fft(z, 1000)) == work{0, 1});
    });
}

TEST_CASE("fft: stacks, columns and strided operands take one call and no pass of their own") {
    on_compiling_backends([](const tested_backend&) {
        using C = std::complex<double>;
        array<C> m = signal<C>({12, 20}), s = signal<C>({3, 8, 5}), q = signal<C>({2, 3, 4, 5});
        array<double> x = signal<double>({12, 20});
        eval(m, s, q, x);
        CHECK(work_of(fft::fft(m)) == work{0, 1});
        CHECK(work_of(fft::fft(m, {.axis = 0})) == work{0, 1});
        CHECK(work_of(fft::fft(m.T())) == work{0, 1});
        CHECK(work_of(fft::fft(m.T(), {.axis = 0})) == work{0, 1});
        CHECK(work_of(fft::fft(m(all, slice(3, 11)))) == work{0, 1});
        CHECK(work_of(fft::fft(m(slice(none, none, 2), slice(1, none, 3)))) == work{0, 1});
        CHECK(work_of(fft::rfft(x, {.axis = 0})) == work{0, 1});
        CHECK(work_of(fft::rfft(x(all, slice(2, none)))) == work{0, 1});
        CHECK(work_of(fft::rfft(x(all, slice(1, none)))) == work{1, 1});  // pairs begin at even elements
        CHECK(work_of(fft::fft(flip(m))) == work{1, 1});
        CHECK(work_of(fft::fft(s)) == work{0, 1});
        CHECK(work_of(fft::fft(s, {.axis = 0})) == work{0, 1});
        CHECK(work_of(fft::fft(s, {.axis = 1})) == work{1, 1});  // no distance leads from each to the next
        CHECK(work_of(fft::fft2(m)) == work{0, 1});
        CHECK(work_of(fft::fft2(s)) == work{0, 1});
        CHECK(work_of(fft::fftn(s)) == work{0, 1});
        CHECK(work_of(fft::fftn(s, {.axes = {0, 2}})) == work{0, 1});
        CHECK(work_of(fft::fftn(q)) == work{0, 2});
        CHECK(work_of(fft::rfft2(x)) == work{0, 1});
        CHECK(work_of(fft::irfft2(m, {.norm = norm::forward})) == work{0, 1});
        CHECK(work_of(fft::irfft2(m)) == work{1, 1});
    });
}

TEST_CASE("fft: what is computed for a transform alone is transformed in its memory") {
    on_compiling_backends([](const tested_backend& on) {
        using C = std::complex<double>;
        array<C> z = signal<C>(dims(1 << 16));
        z.eval();
        array<C> w = fft::fft(z * 2.0);
        w.eval();
        w = array<C>();
        reset_counters();
        const std::int64_t before = counters().pool_used;
        w = fft::fft(z * 2.0);
        w.eval();
        // cuFFT may want as much again to work in.
        CHECK(counters().pool_peak - before < (std::int64_t{1} << 16) * 16 * (on.is_cuda() ? 5 : 3) / 2);
        array<C> kept = z * 2.0, t = fft::fft(kept);
        eval(t, kept);
        CHECK(max(abs(kept - z * 2.0)).item() == 0);
        CHECK(max(abs(t - w)).item() <= 1e-14 * max(abs(w)).item() * 16);
    });
}

TEST_CASE("fft: as many plans are kept as the bound allows, and those are used again") {
    on_compiling_backends([](const tested_backend&) {
        array<std::complex<double>> z = signal<std::complex<double>>(dims(200));
        z.eval();
        const device where = z.device();
        const auto made = [&] { return runtime::fourier_plans(where).made; };
        fft::fft(z, 101).eval();
        const std::int64_t first = made();
        fft::fft(z, 101).eval();
        fft::fft(z * 3.0, 101).eval();
        CHECK(made() <= first + 1);  // the second one may lie elsewhere
        for (std::int64_t n = 102; n < 102 + 80; ++n) {
            array<std::complex<double>> t = fft::fft(z, n);
            t.eval();
            CHECK(runtime::fourier_plans(where).kept <= runtime::fourier_plans(where).limit);
        }
        CHECK(made() >= first + 80);
        const std::int64_t then = made();
        array<std::complex<double>> again = fft::fft(z, 101);
        again.eval();
        CHECK(made() == then + 1);
    });
}

TEST_CASE("fft: what cannot be transformed is refused where it is written") {
    on_every_backend([](const tested_backend&) {
        array<double> x = arange<double>(6), m = zeros({2, 3});
        auto failure = [](auto f) {
            try {
                f();
            } catch (const error& e) {
                return std::string(e.what());
            }
            return std::string("none");
        };
        CHECK(failure([&] { fft::fft(x, 0); }) == "[fft] the number of points is not positive: 0 along axis 0 of (6,)");
        CHECK(failure([&] { fft::ifft(x, -3); }) ==
              "[ifft] the number of points is not positive: -3 along axis 0 of (6,)");
        CHECK(failure([&] { fft::fft(zeros({2, 0})); }) ==
              "[fft] the number of points is not positive: 0 along axis 1 of (2, 0)");
        CHECK(failure([&] { fft::irfft(zeros({1})); }) ==
              "[irfft] the number of points is not positive: 0 along axis 0 of (1,)");
        CHECK_THROWS_AS(fft::fft(x, {.axis = 1}), index_error);
        CHECK_THROWS_AS(fft::fftn(m, {.axes = {0, -3}}), index_error);
        CHECK_THROWS_AS(fft::fftshift(m, dims(2)), index_error);
        CHECK_THROWS_AS(fft::fft(sum(ones({3}))), index_error);
        CHECK_THROWS_AS(fft::fft2(x), index_error);
        CHECK(failure([&] { fft::fftn(m, {2, 2, 2}, {0, 1}); }) ==
              "[fftn] as many sizes as axes are needed: (2, 2, 2) and (0, 1)");
        CHECK(failure([&] { fft::rfftn(m, {.axes = dims()}); }) == "[rfftn] an axis is needed: (2, 3)");
        CHECK_THROWS_AS(fft::fftfreq(0), value_error);
        CHECK_THROWS_AS(fft::rfftfreq(4, 0), value_error);
        CHECK(failure([&] { fft::fft(astype<half>(x)); }) ==
              "[fft] half precision transforms need a power of two: 6 along axis 0");
        CHECK(failure([&] { fft::irfft2(astype<complex_half>(zeros({4, 4})), {3, 4}); }) ==
              "[irfft2] half precision transforms need a power of two: 3 along axis 0");
        CHECK(fft::rfft(astype<half>(x), 8).shape() == dims(5));
    });
}
