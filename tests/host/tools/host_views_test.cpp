// Results on the host as others see them: ranges, std::mdspan, Eigen.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <list>
#include <numeric>
#include <ranges>
#include <sinter/eigen.hpp>
#include <sinter/mdspan.hpp>
#include <sinter/sinter.hpp>
#include <span>
#include <sstream>

using namespace sinter;

TEST_CASE("ranges of every kind become arrays") {
    device_scope on(device::cpu());
    const std::vector<int> v{3, 1, 2};
    CHECK(str(asarray(v)) == "[3 1 2]");
    CHECK(str(asarray(std::span(v).subspan(1))) == "[1 2]");
    CHECK(str(asarray(std::list<double>{1.5, 2.5})) == "[1.5 2.5]");
    CHECK(str(asarray(std::array<float, 2>{1, 2})) == "[1. 2.]");
    CHECK(str(asarray(std::vector<bool>{true, false})) == "[ True False]");
    const int plain[] = {7, 8};
    CHECK(str(asarray(plain)) == "[7 8]");
    CHECK(str(asarray<double>(v)) == "[3. 1. 2.]");
    CHECK_THROWS_AS(asarray(v, {2, 2}), shape_error);
    CHECK(asarray(std::vector<float>()).shape() == dims(0));
    // What changes while it is walked over, and ends before a number.
    struct halving {
        double x;
        halving& begin() { return *this; }
        double end() const { return 1; }
        double operator*() const { return x; }
        void operator++() { x /= 2; }
        bool operator!=(double last) const { return x > last; }
    };
    CHECK(str(asarray(halving{12})) == "[12.   6.   3.   1.5]");
    CHECK(str(asarray<float>(halving{12}, {2, 2})) == "[[12.   6. ]\n [ 3.   1.5]]");
}

// clang took the views of libstdc++ from version 16 on.
#if !defined(__clang__) || __clang_major__ >= 16
TEST_CASE("views of the standard library become arrays") {
    device_scope on(device::cpu());
    const std::vector<int> v{3, 1, 2};
    CHECK(str(asarray(std::views::iota(0, 4))) == "[0 1 2 3]");
    CHECK(str(asarray(v | std::views::transform([](int i) { return i * 0.5; }))) == "[1.5 0.5 1. ]");
    CHECK(str(asarray(std::views::iota(0, 10) | std::views::filter([](int i) { return i % 3 == 0; }), {2, 2})) ==
          "[[0 3]\n [6 9]]");
    std::istringstream words("4 5 6");
    CHECK(str(asarray(std::ranges::istream_view<int>(words))) == "[4 5 6]");
    auto h = to_host(arange(5.0));
    double total = 0;
    for (double x : h | std::views::reverse | std::views::take(2)) total += x;
    CHECK(total == 7);
}
#endif

TEST_CASE("host results are ranges") {
    device_scope on(device::cpu());
    auto h = to_host(arange(5.0));
    static_assert(std::ranges::contiguous_range<decltype(h)> && std::ranges::sized_range<decltype(h)>);
    CHECK(std::accumulate(h.begin(), h.end(), 0.0) == 10);
    std::ranges::sort(h, std::greater());
    CHECK(str(asarray(h)) == "[4. 3. 2. 1. 0.]");
    CHECK(std::span<const double>(h).size() == 5);
}

TEST_CASE("host results are seen as std::mdspan sees memory, and come back from it") {
    device_scope on(device::cpu());
    auto h = to_host(reshape(arange<float>(24), {2, 3, 4}));
    auto m = to_mdspan<3>(h);
    CHECK(m.rank() == 3);
    CHECK(m.extent(0) == 2);
    CHECK(m.extent(2) == 4);
    CHECK(m.stride(0) == 12);
    CHECK(m.stride(2) == 1);
    CHECK(m.size() == 24);
    CHECK_FALSE(m.empty());
    CHECK(m.data_handle() == h.data());
    CHECK(m[std::array{1, 2, 3}] == 23);
    m[std::array{0, 1, 0}] = -5;
    CHECK(h(0, 1, 0) == -5);
    CHECK(array_equal(asarray(m), asarray(h.data(), h.shape())));
    const auto& constant = h;
    static_assert(std::is_const_v<std::remove_reference_t<decltype(to_mdspan<3>(constant)[std::array{0, 0, 0}])>>);
    CHECK_THROWS_WITH_AS(to_mdspan<2>(h), "[to_mdspan] an array of shape (2, 3, 4) does not have 2 axes", shape_error);
    CHECK(host_view<float, 3>(h.data(), {2, 3, 4})(1, 0, 2) == 14);
    auto none = to_host(zeros<int>({0, 3}));
    CHECK(to_mdspan<2>(none).empty());
    CHECK(asarray(to_mdspan<2>(none)).shape() == dims(0, 3));
    auto line = to_host(arange(3));
    CHECK(to_mdspan<1>(line)[2] == 2);
}

#if defined(EIGEN_WORLD_VERSION)
TEST_CASE("host results are Eigen's matrices, and Eigen's matrices become arrays") {
    device_scope on(device::cpu());
    auto h = to_host(reshape(arange(6.0), {2, 3}));
    auto m = to_eigen(h);
    CHECK(m.data() == h.data());
    CHECK(m.rows() == 2);
    CHECK(m(1, 0) == 3);
    m(0, 2) = 10;
    CHECK(h(0, 2) == 10);
    const Eigen::MatrixXd product = m * m.transpose();
    CHECK(array_equal(asarray(product), matmul(asarray(h.data(), {2, 3}), asarray(h.data(), {2, 3}).T())));
    // Columns side by side, expressions and blocks come out as they read.
    Eigen::MatrixXf columns(2, 3);
    columns << 1, 2, 3, 4, 5, 6;
    CHECK(str(asarray(columns)) == "[[1. 2. 3.]\n [4. 5. 6.]]");
    CHECK(str(asarray(columns.transpose() * 2)) == "[[ 2.  8.]\n [ 4. 10.]\n [ 6. 12.]]");
    CHECK(str(asarray(columns.block(0, 1, 2, 2))) == "[[2. 3.]\n [5. 6.]]");
    CHECK(str(asarray(columns.row(1))) == "[4. 5. 6.]");
    const Eigen::Vector2cd z(std::complex<double>(1, 2), std::complex<double>(3, -4));
    CHECK(str(asarray(z)) == "[1.+2.j 3.-4.j]");
    const Eigen::Array<bool, 1, 3> b(true, false, true);
    CHECK(str(asarray(b)) == "[ True False  True]");
    const auto line = to_host(arange(4.0));
    CHECK(to_eigen_vector(line).sum() == 6);
    CHECK(asarray(Eigen::MatrixXi(0, 3)).shape() == dims(0, 3));
    CHECK_THROWS_WITH_AS(to_eigen(line), "[to_eigen] an array of shape (4,) does not have 2 axes", shape_error);
}
#else
TEST_CASE("host results are Eigen's matrices") { MESSAGE("not run: no Eigen"); }
#endif
