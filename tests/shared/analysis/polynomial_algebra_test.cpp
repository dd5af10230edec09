// Sums, products, quotients, derivatives, integrals and roots of polynomials, beside NumPy's values.
#include "support/backends.hpp"
#include "support/expected.hpp"

#include <cmath>
#include <complex>
#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using expected::check;
using expected::check_stays;

TEST_CASE("polynomials add, multiply and divide as in NumPy") {
    on_every_backend([](const tested_backend&) {
        const array<double> a{1, -6, 11, -6}, b{1, -1};
        check(polyadd(a, array<int>{1, 2}), array<double>{1, -6, 12, -4});
        check(polysub(array<int>{1, 2}, a), array<double>{-1, 6, -10, 8});
        check(polymul(array<int>{1, 2}, array<int>{3, -1, 4}), array<int>{3, 5, 2, 8});
        const auto [q, r] = polydiv(a, b);
        check(q, array<double>{1, -5, 6});
        check(r, array<double>{0});
        const auto more = polydiv(array<int>{3, 5, 2}, array<int>{2, 1});
        check(more.q, array<double>{1.5, 1.75});
        check(more.r, array<double>{0.25});
        const auto less = polydiv(array<float>{1, 2}, array<float>{1, 2, 3});
        check(less.q, array<float>{0});
        check(less.r, array<float>{1, 2});
        check_stays([&] { return polyadd(a * 2, b); });
        check(polyadd(zeros({0}), array<double>{1}), array<double>{1});
        check(polysub(zeros({0}), zeros({0})), zeros({0}));
        check(polymul(zeros({0}), array<double>{1, 2}), array<double>{0, 0});
        CHECK_THROWS_AS(polyadd(a, ones({2, 2})), shape_error);
        CHECK_THROWS_AS(polydiv(a, zeros({0})), shape_error);
    });
}

TEST_CASE("polynomials have derivatives, integrals, and roots that make them again") {
    on_every_backend([](const tested_backend&) {
        const array<double> a{1, -6, 11, -6};
        check(polyder(a), array<double>{3, -12, 11});
        check(polyder(array<int>{5, 1, 2}, 2), array<std::int64_t>{10});
        CHECK(polyder(a, 7).size() == 0);
        check(polyint(a, 2, 3), array<double>{0.05, -0.5, 11 / 6.0, -3, 3, 3});
        check(polyder(polyint(a)), a);
        CHECK_THROWS_AS(polyder(a, -1), value_error);
        check(poly(array<double>{1, 2, 3}), a);
        check(poly(zeros({0})), array<double>{1});
        using complex = std::complex<double>;
        const array<complex> found = roots(a);
        check(sort(real(found)), array<double>{1, 2, 3}, 1e-10);
        CHECK(max(abs(imag(found))).item() < 1e-12);
        const array<complex> imaginary = roots(array<double>{0, 0, 3, 0, 4, 0});
        check(sort(imag(imaginary)), array<double>{-std::sqrt(4 / 3.0), 0, std::sqrt(4 / 3.0)}, 1e-12);
        CHECK(imaginary.item(2) == complex(0));
        CHECK(roots(zeros({3})).size() == 0);
        check(poly(roots(array<complex>{1, complex(0, 2), 3})), array<complex>{1, complex(0, 2), 3}, 1e-12, 1e-13);
    });
}

TEST_CASE("a polynomial is a value with arithmetic, derivatives, roots and NumPy's text") {
    on_every_backend([](const tested_backend&) {
        const poly1d<double> p{0, 1, 2, 3}, q(array<double>{1, -1});
        CHECK(p.order() == 2);
        check(p.coeffs(), array<double>{1, 2, 3});
        CHECK(p[0] == 3);
        CHECK(p[2] == 1);
        CHECK(p[5] == 0);
        check(p(array<double>{0.5, -1}), array<double>{4.25, 2});
        CHECK((p * q).coeffs().shape() == dims(4));
        check((p * q).coeffs(), array<double>{1, 1, 1, -3});
        check((p + 1).coeffs(), array<double>{1, 2, 4});
        check((2 - p).coeffs(), array<double>{-1, -2, -1});
        check((p - poly1d<double>{1, 2, 0}).coeffs(), array<double>{3});
        check((p / 2).coeffs(), array<double>{0.5, 1, 1.5});
        const auto [quotient, rest] = (p * q + 1) / p;
        CHECK(quotient == q);
        CHECK(rest == poly1d<double>{1});
        check(p(q).coeffs(), array<double>{1, 0, 2});
        CHECK(pow(q, 3) == q * q * q);
        CHECK(pow(q, 0) == poly1d<double>{1});
        check(p.deriv().coeffs(), array<double>{2, 2});
        check(p.integ(1, 4).coeffs(), array<double>{1 / 3.0, 1, 3, 4});
        check(sort(real(poly1d(array<int>{3, 2}, true).roots())), array<double>{2, 3}, 1e-12);
        CHECK(poly1d(zeros({4})).order() == 0);
        CHECK(poly1d<double>().coeffs().shape() == dims(1));
        static_assert(std::same_as<decltype(poly1d(array<int>{1, 2}) * 0.5), poly1d<double>>);
        CHECK_THROWS_AS(poly1d(ones({2, 2})), shape_error);
        CHECK_THROWS_AS(pow(p, -1), value_error);
        CHECK(str(p) == "   2\n1 x + 2 x + 3");
        CHECK(str(-q) == " \n-1 x + 1");
        CHECK(str(poly1d(zeros({3}))) == " \n0");
        using complex = std::complex<double>;
        CHECK(str(poly1d(array<complex>{complex(1, 2), 0, complex(0, 3)})) == "          2\n(1 + 2j) x + 3j");
        CHECK(str(poly1d<double>(array<double>{1e10, 0.5, 0}, false, "t")) == "       2\n1e+10 t + 0.5 t");
        CHECK(str(poly1d(arange<double>(1, 15) / 7)) ==
              "        13          12          11          10          9          8\n"
              "0.1429 x  + 0.2857 x  + 0.4286 x  + 0.5714 x  + 0.7143 x + 0.8571 x\n"
              "      7         6         5         4         3         2\n"
              " + 1 x + 1.143 x + 1.286 x + 1.429 x + 1.571 x + 1.714 x + 1.857 x + 2");
    });
}
