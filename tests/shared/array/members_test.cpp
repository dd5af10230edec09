// What arrays have and expressions have too, and arrays in host memory: printed, compared, with repr.
#include "support/backends.hpp"

#include <complex>
#include <limits>
#include <sinter/sinter.hpp>
#include <sstream>
#include <vector>

using namespace sinter;
using namespace test_backends;

namespace {

// Whatever an expression is, it has the members of the array with its value.
template <expression E>
void check_members(const E& e) {
    const array<value_type_t<E>> a = e;
    CHECK(e.shape() == a.shape());
    for (int axis = -e.ndim(); axis < e.ndim(); ++axis) CHECK(e.shape(axis) == a.shape(axis));
    CHECK_THROWS_AS(e.shape(e.ndim()), index_error);
    CHECK(e.size() == a.size());
    CHECK(e.nbytes() == a.nbytes());
    CHECK(e.itemsize() == a.itemsize());
    CHECK(e.strides() == a.strides());
    CHECK(e.dtype() == a.dtype());
    CHECK(e.device() == a.device());
    CHECK(to_vector(e.T()) == to_vector(a.T()));
    CHECK(to_vector(e.mT()) == to_vector(a.mT()));
    CHECK(to_vector(e.copy()) == to_vector(a));
    CHECK(to_vector(e.eval()) == to_vector(a));
    CHECK(to_vector(e.to(e.device())) == to_vector(a));
    CHECK(e.item(1, 2) == a.item(1, 2));
    CHECK(to_vector(e(1, all)) == to_vector(a(1, all)));
    CHECK(to_vector(e[0]) == to_vector(a[0]));
    CHECK(to_vector(e.template astype<std::complex<double>>()) == to_vector(a.template astype<std::complex<double>>()));
    std::int64_t rows = 0;
    for (auto row : e) CHECK(to_vector(row) == to_vector(a(rows++)));
    CHECK(rows == a.shape(0));
}

}  // namespace

TEST_CASE("every kind of expression has the members of arrays") {
    on_every_backend([](const tested_backend&) {
        array<double> x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
        check_members(x);
        check_members(-x);
        check_members(x + 1);
        check_members(astype<int>(x));
        check_members(where(x > 2, x, 0.0));
        check_members(x(slice(0, 2), all));
        check_members(std::as_const(x)(slice(0, 2), all) * 2);
        const array<double> number = full({}, 1.0);
        CHECK_THROWS_AS((number + 1).end(), value_error);
    });
}

TEST_CASE("arrays in host memory print as NumPy prints them") {
    on_every_backend([](const tested_backend&) {
        const host_array<double> h = to_host(array<double>{{1, 2.5}, {-3, 4}});
        std::ostringstream out;
        out << h;
        CHECK(out.str() == "[[ 1.   2.5]\n [-3.   4. ]]");
        CHECK(repr(h) == "array([[ 1. ,  2.5],\n       [-3. ,  4. ]])");
        CHECK(str(to_host(full({}, 3))) == "3");
        CHECK(repr(to_host(zeros<float>({0, 2}))) == "array([], shape=(0, 2), dtype=float32)");
        CHECK(repr(host_array<bool>()) == "array([], dtype=bool)");
        for (const dims& shape : {dims(1001), dims(37, 101), dims(2, 1500), dims(1100, 2), dims(7, 8, 19)}) {
            const array<std::int64_t> x = reshape(arange(shape.product()), shape);
            CHECK(repr(to_host(x)) == repr(x));
            CHECK(str(to_host(x)) == str(x));
        }
    });
}

TEST_CASE("arrays in host memory are equal where shapes and elements are") {
    on_every_backend([](const tested_backend&) {
        const array<double> x{{1, 2}, {3, 4}};
        const host_array<double> h = to_host(x);
        CHECK(h == to_host(x));
        CHECK(h != to_host(x + 1));
        CHECK(h != to_host(ravel(x)));
        CHECK(host_array<float>() == host_array<float>());
        const double none = std::numeric_limits<double>::quiet_NaN();
        CHECK(to_host(array<double>{none}) != to_host(array<double>{none}));
        CHECK(to_host(array<half>{half(1.5f)}) == to_host(array<half>{half(1.5f)}));
    });
}
