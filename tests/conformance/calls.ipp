// The rows of calls.def for one type of elements: CALLS_ELEMENT its name in C++, CALLS_TYPE its bit, CALLS_NAME its
// name.
#include <sinter/fft.hpp>
#include <sinter/linalg.hpp>
#include <sinter/ndimage.hpp>
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>
#include <sinter/special.hpp>

#include <tuple>
#include <utility>

#include "calls.hpp"

namespace conformance {

using namespace sinter;

namespace {

using T = CALLS_ELEMENT;

template <expression E>
void add_results(std::vector<handle>& to, const E& e) {
    to.push_back(array<value_type_t<E>>(e).get_handle());
}
template <class N>
    requires(std::is_arithmetic_v<N>)
void add_results(std::vector<handle>& to, N number) {
    to.push_back(full({}, number).get_handle());
}
template <class R>
void add_results(std::vector<handle>& to, const std::vector<array<R>>& all) {
    for (const auto& r : all) to.push_back(r.get_handle());
}
template <class... R>
void add_results(std::vector<handle>& to, const std::tuple<R...>& all) {
    std::apply([&](const auto&... r) { (add_results(to, r), ...); }, all);
}

/// The operands as the calls name them.
struct named : operands {
    array<T> x, y, z;
    array<std::int64_t> i, j;
    array<bool> m;
    array<double> w;

    explicit named(const operands& o) : operands(o) {
        take_array('x', x), take_array('y', y), take_array('z', z), take_array('i', i), take_array('j', j);
        take_array('m', m), take_array('w', w);
    }
    template <class E>
    void take_array(char letter, array<E>& to) const {
        const auto at = arrays.find(letter);
        if (at != arrays.end()) to = array<E>(at->second);
    }
#define CALL(number, name, ...) \
    void call_##number(std::vector<handle>& results) const { add_results(results, __VA_ARGS__); }
#include "calls.def"
#undef CALL
};

void run(const operands& o, call::body body, std::vector<handle>& results) { (named(o).*body)(results); }

}  // namespace

#define CALL(number, name, ...) {number, #__VA_ARGS__, static_cast<call::body>(&named::call_##number), run},
#define CALLS_JOINED(a, b) a##b
#define CALLS_FUNCTION(name) CALLS_JOINED(calls_of_, name)
std::span<const call> CALLS_FUNCTION(CALLS_NAME)() {
    static const call rows[] = {
#include "calls.def"
    };
    return rows;
}
#undef CALL

}  // namespace conformance
