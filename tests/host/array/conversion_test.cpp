// Which arrays convert to which: only what an assignment accepts is a conversion, for traits and for overloads.
#include <doctest/doctest.h>

#include <sinter/sinter.hpp>

#include <string>

using namespace sinter;

namespace {

template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;

static_assert(converts<array<int>, array<double>>);
static_assert(converts<array<double>, array<float>>);
static_assert(converts<array<float>, array<std::complex<float>>>);
static_assert(converts<array<bool>, array<int>>);
static_assert(converts<decltype(array<int>() + 1), array<double>>);
static_assert(converts<indexed<int>, array<double>>);
static_assert(!converts<array<std::complex<float>>, array<double>>);
static_assert(!converts<array<float>, array<bool>>);
static_assert(!converts<array<float>, array<int>>);
static_assert(!converts<array<int>, array<bool>>);
static_assert(!converts<decltype(array<int>() * 0.5), array<int>>);
static_assert(!converts<indexed<float>, array<int>>);

std::string kind_of_argument(const array<double>&) { return "real"; }
std::string kind_of_argument(const array<std::complex<double>>&) { return "complex"; }

}  // namespace

TEST_CASE("an overload whose argument would lose the imaginary part takes no part") {
    device_scope on(device::cpu());
    CHECK(kind_of_argument(array<double>{1}) == "real");
    CHECK(kind_of_argument(array<std::complex<float>>{std::complex<float>(3, 4)}) == "complex");
    CHECK(kind_of_argument(array<std::complex<float>>{std::complex<float>(3, 4)} * 2) == "complex");
}
