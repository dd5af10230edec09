// Sums of negative zeros, by every order in which elements combine.
#include "support/backends.hpp"

#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;

TEST_CASE_TEMPLATE("sums of negative zeros are zero, as NumPy's, and running sums of them stay negative", T, half,
                   float, double, std::complex<float>) {
    on_every_backend([](const tested_backend&) {
        for (const dims& shape :
             {dims(1, 1), dims(1, 5), dims(5, 1), dims(2, 3), dims(3, 70), dims(70, 3), dims(2, 5000), dims(5000, 2)}) {
            CAPTURE(shape);
            const array<T> x = -zeros<T>(shape);
            for (const axes& a : {axes(0), axes(1), axes({0, 1})}) {
                CHECK_FALSE(bool(any(signbit(real(sum(x, a))))));
                CHECK_FALSE(bool(any(signbit(real(mean(x, a))))));
            }
            CHECK(bool(all(signbit(real(cumsum(x, 0))))));
        }
        const array<T> edges = convolve(zeros<T>({4}), -ones<T>({2}));
        CHECK_FALSE(bool(any(signbit(real(edges)))));
    });
}
