// What the tests of the interpreter share: the value of one root, and operands.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <span>
#include <sinter/codegen/interpret/interpret.hpp>

using namespace sinter;
using namespace sinter::codegen;

namespace interpreter_tests {

inline node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

// The value of one root; elements behind its end must stay untouched.
template <class T>
std::vector<T> value_of(const graph& program, node_id root, std::vector<const void*> inputs = {}) {
    graph g = program;
    g.roots = {root};
    verify(g);
    REQUIRE(size_of(g.nodes[root].type) == static_cast<int>(sizeof(T)));
    std::size_t count = static_cast<std::size_t>(g.nodes[root].shape.product()), bytes = count * sizeof(T);
    std::vector<unsigned char> memory(bytes + 16, 0xA5);
    void* out[] = {memory.data()};
    interpret(g, inputs, out);
    for (std::size_t i = bytes; i < memory.size(); ++i) REQUIRE(memory[i] == 0xA5);
    std::vector<T> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        T element;
        std::memcpy(&element, memory.data() + i * sizeof(T), sizeof(T));
        result[i] = element;
    }
    return result;
}

template <class T>
std::vector<T> counting(std::int64_t n) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(i);
    return v;
}

// Values of many magnitudes, so that every other order gives other bits.
template <class T>
std::vector<T> uneven(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> v(n);
    for (T& x : v)
        x = static_cast<T>(std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 40) - 50));
    return v;
}

}  // namespace interpreter_tests
