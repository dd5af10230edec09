// Lists of elements' types, for tests that check the same of each.
#pragma once

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <complex>
#include <cstdint>
#include <sinter/codegen/ops/half.hpp>

namespace test_types {

template <class... T>
inline constexpr auto types = boost::hana::tuple_t<T...>;

inline constexpr auto integer_types = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                            std::uint16_t, std::uint32_t, std::uint64_t>;
/// All but those of half precision.
inline constexpr auto number_types =
    types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
          std::uint64_t, float, double, std::complex<float>, std::complex<double>>;
inline constexpr auto floating_types = types<double, float, sinter::half, sinter::bfloat16>;

/// Calls `f.operator()<T>()` for each type T of a list.
template <class List, class F>
void for_each_type(const List& list, F f) {
    boost::hana::for_each(list, [&](auto type) { f.template operator()<typename decltype(type)::type>(); });
}

}  // namespace test_types
