// Reads NumPy's results from language.txt, programs.txt, linalg.txt and fft.txt of data/golden and
// compares by name; must not know backends.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <map>
#include <sinter/sinter.hpp>
#include <string>
#include <vector>

namespace golden {

struct numpy_result {
    std::string type;
    sinter::dims shape;
    std::vector<unsigned char> bytes;
};

inline void read_golden(const char* file, std::map<std::string, numpy_result>& m) {
    std::ifstream in(std::string(SINTER_TEST_DATA) + file);
    std::string name, line;
    std::getline(in, line);
    while (std::getline(in, name) && std::getline(in, line)) {
        numpy_result r;
        char type[32];
        int rank = 0, used = 0;
        if (std::sscanf(line.c_str(), "%31s %d%n", type, &rank, &used) != 2)
            throw std::runtime_error("malformed: " + name);
        const char* rest = line.c_str() + used;
        for (int i = 0; i < rank; ++i) r.shape.push_back(std::strtoll(rest, const_cast<char**>(&rest), 10));
        r.type = type;
        std::getline(in, line);
        auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
        for (std::size_t i = 0; i + 1 < line.size(); i += 2)
            r.bytes.push_back(static_cast<unsigned char>(digit(line[i]) * 16 + digit(line[i + 1])));
        m[name] = r;
    }
}

inline const std::map<std::string, numpy_result>& numpy_results() {
    static const std::map<std::string, numpy_result> all = [] {
        std::map<std::string, numpy_result> m;
        for (const char* file :
             {"/golden/language.txt", "/golden/programs.txt", "/golden/linalg.txt", "/golden/fft.txt"})
            read_golden(file, m);
        return m;
    }();
    return all;
}

/// An array that a file holds.
template <class T>
sinter::array<T> stored(const std::string& name) {
    const numpy_result& r = numpy_results().at(name);
    REQUIRE(r.type == sinter::to_string(sinter::dtype_of<T>));
    return sinter::array<T>(sinter::detail::store(sinter::dtype_of<T>, r.shape, r.bytes.data()));
}

/// The operand that generate/language.py computes too.
template <class T>
sinter::array<T> data(const sinter::dims& shape, int k = 0) {
    auto n = static_cast<std::size_t>(shape.product());
    std::vector<T> v(n);
    std::vector<char> bits(n);
    for (std::size_t i = 0; i < n; ++i) {
        int x = static_cast<int>((i * 37 + static_cast<std::size_t>(k) * 11) % 101);
        if constexpr (std::is_same_v<T, bool>) bits[i] = x % 3 == 0;
        else if constexpr (std::is_floating_point_v<T>) v[i] = T((x - 50) * 0.25);
        else if constexpr (std::is_signed_v<T>) v[i] = static_cast<T>(x - 50);
        else if constexpr (std::is_integral_v<T>) v[i] = static_cast<T>(x);
        else v[i] = T((x - 50) * 0.25, x % 7);
    }
    if constexpr (std::is_same_v<T, bool>)
        return sinter::array<T>(sinter::detail::store(sinter::dtype_of<T>, shape, bits.data()));
    else return sinter::array<T>(sinter::detail::store(sinter::dtype_of<T>, shape, v.data()));
}

/// The largest difference relative to the largest number; infinite where one is NaN alone or the infinities differ.
template <class T>
double difference(const std::vector<unsigned char>& got, const std::vector<unsigned char>& want) {
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i * sizeof(T) < want.size(); ++i) {
        T a, b;
        std::memcpy(&a, &got[i * sizeof(T)], sizeof(T));
        std::memcpy(&b, &want[i * sizeof(T)], sizeof(T));
        if (std::isfinite(b)) scale = std::fmax(scale, std::fabs(double(b)));
        if (a == b || (a != a && b != b)) continue;
        if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
        worst = std::fmax(worst, std::fabs(double(a) - double(b)));
    }
    return worst == 0 ? 0 : worst / (scale > 0 ? scale : 1);
}

inline std::string show_bytes(const std::vector<unsigned char>& bytes, sinter::dtype type, const sinter::dims& shape) {
    std::vector<unsigned char> copy = bytes;
    copy.push_back(0);
    return sinter::detail::format_array(type, shape, copy.data(), false, sinter::get_printoptions());
}

inline void compare(const std::string& name, const sinter::detail::handle& h, const numpy_result& want,
                    double tolerance) {
    CAPTURE(name);
    std::vector<unsigned char> got(want.bytes.size() + 1);
    sinter::detail::read(h, got.data());
    got.pop_back();
    if (got == want.bytes) return;
    double d = 1;
    switch (h->type) {
        case sinter::dtype::float32:
        case sinter::dtype::complex64: d = difference<float>(got, want.bytes); break;
        case sinter::dtype::float64:
        case sinter::dtype::complex128: d = difference<double>(got, want.bytes); break;
        default: break;
    }
    CHECK_MESSAGE(d <= tolerance, "differs by " << d << "\ngot " << show_bytes(got, h->type, h->shape) << "\nwant "
                                                << show_bytes(want.bytes, h->type, h->shape));
}

/// While one lives, `check` only collects; its `compare` evaluates what was collected together, in few kernels, and
/// compares.
class together {
public:
    together() { current() = this; }
    ~together() { current() = nullptr; }
    void compare() {
        std::vector<sinter::detail::handle> all;
        for (const item& i : items_) all.push_back(i.computed);
        sinter::detail::evaluate(all);
        for (const item& i : items_) golden::compare(i.name, i.computed, *i.want, i.tolerance);
        items_.clear();
    }

    void add(const std::string& name, const sinter::detail::handle& h, const numpy_result& want, double tolerance) {
        items_.push_back({name, h, &want, tolerance});
    }
    static together*& current() {
        static together* now = nullptr;
        return now;
    }

private:
    struct item {
        std::string name;
        sinter::detail::handle computed;
        const numpy_result* want;
        double tolerance;
    };
    std::vector<item> items_;
};

/// The result of a name; fails where there is none.
inline const numpy_result& result_of(const std::map<std::string, numpy_result>& results, const std::string& name) {
    CAPTURE(name);
    auto found = results.find(name);
    REQUIRE_MESSAGE(found != results.end(), "no golden data");
    return found->second;
}

inline void check(const std::string& name, const sinter::detail::handle& h, const numpy_result& want,
                  double tolerance) {
    CAPTURE(name);
    CHECK(std::string(sinter::to_string(h->type)) == want.type);
    CHECK(sinter::to_string(h->shape) == sinter::to_string(want.shape));
    if (std::string(sinter::to_string(h->type)) != want.type || h->shape != want.shape) return;
    if (together* t = together::current()) t->add(name, h, want, tolerance);
    else compare(name, h, want, tolerance);
}

/// Checks dtype, shape and elements; `tolerance` is relative to the largest element, 0 asks for the same bits.
template <sinter::expression E>
void check(const std::string& name, const E& e, double tolerance = 0) {
    const numpy_result& want = result_of(numpy_results(), name);
    check(name, sinter::detail::as_handle(e), want, tolerance);
}

}  // namespace golden
