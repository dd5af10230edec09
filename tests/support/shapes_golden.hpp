// Compares values with data/golden/shapes.txt, which NumPy wrote, on both backends of the CPU.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sinter/array/host.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sstream>

namespace golden {

using namespace sinter;

struct expected {
    std::string type, shape;
    std::vector<double> numbers;
};

inline const std::map<std::string, expected>& table() {
    static const std::map<std::string, expected> cases = [] {
        std::map<std::string, expected> t;
        std::ifstream file(SINTER_TEST_DATA "/golden/shapes.txt");
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::string name, number;
            expected e;
            words >> name >> e.type >> e.shape;
            if (e.shape == "-") e.shape.clear();
            while (words >> number) e.numbers.push_back(std::strtod(number.c_str(), nullptr));
            t.emplace(name, e);
        }
        REQUIRE(t.size() > 100);
        return t;
    }();
    return cases;
}

inline void add_number(std::vector<double>& to, std::complex<double> v) {
    to.push_back(v.real());
    to.push_back(v.imag());
}
template <class T>
void add_number(std::vector<double>& to, T v) {
    to.push_back(static_cast<double>(v));
}

inline void check(const std::string& name, dtype type, const dims& got, const std::vector<double>& numbers) {
    CAPTURE(name);
    auto found = table().find(name);
    REQUIRE(found != table().end());
    const expected& want = found->second;
    CHECK(std::string(to_string(type)) == want.type);
    std::string shape;
    for (std::int64_t n : got) shape += (shape.empty() ? "" : ",") + std::to_string(n);
    REQUIRE(shape == want.shape);
    REQUIRE(numbers.size() == want.numbers.size());
    double tolerance = codegen::real_of(type) == dtype::float32 ? 3e-7 : 4e-15;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        CAPTURE(i);
        bool close = std::abs(numbers[i] - want.numbers[i]) <= tolerance * std::max(1.0, std::abs(want.numbers[i]));
        CHECK_MESSAGE(close, numbers[i] << " is not " << want.numbers[i]);
    }
}

template <class T>
std::vector<double> numbers_of(const host_array<T>& host) {
    std::vector<double> numbers;
    for (const auto& v : host) add_number(numbers, v);
    return numbers;
}

/// Checks type, shape and elements; floating numbers to a few units in the last place.
template <expression E>
void check(const std::string& name, const E& e) {
    const auto host = to_host(e);
    check(name, dtype_of<value_type_t<E>>, host.shape(), numbers_of(host));
}

/// Runs a case on the compiled and on the interpreting backend.
template <class F>
void on_each_backend(F f) {
    for (runtime::backend b : {runtime::backend::host, runtime::backend::interpreter}) {
        device_scope on(device::cpu());
        runtime::backend_scope with(b);
        std::string backend(to_string(b));
        CAPTURE(backend);
        f();
    }
}

/// The message of what a call throws.
template <class Error, class F>
std::string message_of(F f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "nothing of this type was thrown";
}

}  // namespace golden
