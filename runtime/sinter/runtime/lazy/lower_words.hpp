// How the words of an expression become nodes of a graph; must not know values.
#pragma once

#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/runtime/base/functions.hpp>
#include <sinter/runtime/lazy/code.hpp>

#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

/// The words of an expression; `input(number)` and `scalar(position of the word)` give what it works on, calls have the
/// shape.
template <class Input, class Scalar>
codegen::node_id lower_words(codegen::graph& g, const codegen::sequence<code>& words, const dims& shape, Input input,
                             Scalar scalar) {
    codegen::sequence<codegen::node_id> stack;
    // An input may be made of words too.
    const bool outside = std::exchange(g.adds_fast, false);
    for (const code& c : words) switch (c.kind) {
            case code::what::fast: g.adds_fast = true; break;
            case code::what::input: {
                const bool adds_fast = std::exchange(g.adds_fast, false);
                stack.push_back(input(c.number));
                g.adds_fast = adds_fast;
                break;
            }
            case code::what::scalar: stack.push_back(scalar(static_cast<std::size_t>(&c - words.begin()))); break;
            case code::what::literal: {
                auto value = static_cast<std::int16_t>(c.number);
                codegen::scalar_value literal;
                literal.type = static_cast<dtype>(c.detail);
                codegen::convert(dtype::int16, literal.type, &value, literal.bytes, 1);
                stack.push_back(g.add_literal(literal));
                break;
            }
            case code::what::cast: stack.back() = g.add_cast(stack.back(), static_cast<dtype>(c.detail)); break;
            case code::what::invoke: {
                const codegen::invocation& f = invocation_of(c.number);
                std::size_t arity = f.parameters.size(), first = stack.size() - arity;
                codegen::node_id n = g.add_invoke({&f, c.detail}, {stack.data() + first, arity}, shape);
                stack.resize(first);
                stack.push_back(n);
                break;
            }
            case code::what::apply: {
                auto o = static_cast<codegen::op>(c.detail);
                std::size_t arity = codegen::info(o).arity, first = stack.size() - arity;
                codegen::span<const codegen::node_id> operands(stack.data() + first, arity);
                codegen::node_id n =
                    g.add_apply(o, operands, g.common_shape(codegen::info(o).name, operands).value_or(dims()));
                stack.resize(first);
                stack.push_back(n);
            }
        }
    g.adds_fast = outside;
    return stack.back();
}

}  // namespace sinter::inline SINTER_ABI::runtime
