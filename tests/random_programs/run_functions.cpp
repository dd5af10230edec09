// Executes loops, calls of users' functions and rows of the matrix.
#include "../matrix/table.hpp"
#include "functions.hpp"
#include "run.hpp"

namespace random_programs {

using namespace sinter::detail;

// An argument of a function as the language passes it: an array of the parameter's type, or a number.
static function_argument argument_of(const token& t, const handle& array, dtype type) {
    if (t.kind == token::what::scalar) return {{}, number_of(t)};
    return {record_cast(array, type), {}};
}

machine::computed machine::compute_function(const statement& s) {
    const called_function& f = function_at(s.style);
    const codegen::invocation& made = f.invocation();
    codegen::sequence<function_argument> arguments;
    std::size_t parameter = f.reads_whole ? 1 : 0;
    bool nearly = false;
    for (const token& t : s.tokens) {
        const bool is_number = t.kind == token::what::scalar;
        nearly = nearly || (!is_number && at(t.variable).nearly);
        arguments.push_back(argument_of(t, is_number ? handle() : at(t.variable).value, made.parameters[parameter++]));
    }
    if (nearly && !same_backend_) throw not_applicable();
    if (counts_) ++counts_->functions[s.style];
    nearly = nearly || !f.exact;
    if (!f.reads_whole) return {record_invoke(made, arguments)[static_cast<std::size_t>(s.which)], nearly};
    const handle& whole = arguments[0].array;
    const dims shape{whole->shape.product()};
    map_arguments map(f.name, shape, 1);
    map.add_whole(record_reshape(whole, shape), whole->type, 1);
    return {map.call(made)[0], nearly};
}

machine::computed machine::compute_made(const statement& s) {
    const variable& v = at(s.variables[0]);
    if (codegen::is_complex(v.value->type)) throw not_applicable();
    const dtype type = v.value->type == dtype::float32 ? dtype::float32 : dtype::float64;
    const matrix::maker& row = matrix::makers(type)[static_cast<std::size_t>(s.style)];
    if (!same_backend_ && (v.nearly || !row.exact)) throw not_applicable();
    if (counts_) ++counts_->made[s.style];
    return {row.make(record_cast(v.value, type)), v.nearly || !row.exact};
}

// How often a loop goes round: a number, or from 0 to 7 for each element.
handle machine::turns_of(const statement& s) const {
    if (s.style != 1) return record_scalar(codegen::scalar_value::of(s.axis), {});
    const handle& given = at(s.variables.back()).value;
    if (!codegen::is_integer(given->type)) throw not_applicable();
    handle pair[] = {record_cast(given, dtype::int32), record_scalar(codegen::scalar_value::of(7), {})};
    return record_apply(op::bitwise_and, pair);
}

machine::computed machine::compute_loop(const statement& s) {
    const std::size_t count = s.bodies.size();
    codegen::sequence<function_argument> initial{{{}, codegen::scalar_value::of(0)}};
    codegen::sequence<dtype> types{dtype::int32};
    bool nearly = false;
    for (std::size_t i = 0; i < count; ++i) {
        const variable& v = at(s.variables[i]);
        initial.push_back({v.value, {}});
        types.push_back(v.value->type);
        nearly = nearly || v.nearly;
    }
    if (s.style == 1) nearly = nearly || at(s.variables.back()).nearly;
    const handle turns = turns_of(s);
    loop_recorder r(s.style == 2 ? "while_loop" : "for_loop", initial, types);
    auto computed_from = [&](const std::vector<token>& tokens) {
        computed c = compute_tokens(tokens, [&](int v) {
            return v >= 0 ? at(v) : variable{r.state(static_cast<std::size_t>(-1 - v)), {}, false};
        });
        nearly = nearly || c.nearly;
        return c.value;
    };
    // Nothing that depends on the state may be kept beside what the loop is given.
    handle go = [&] {
        const handle pair[] = {r.state(0), turns};
        return record_apply(op::less, pair);
    }();
    if (s.style == 2) {
        const handle both[] = {std::move(go), computed_from(s.tokens)};
        go = record_apply(op::logical_and, both);
    }
    codegen::sequence<handle> next{r.next_turn()};
    for (std::size_t i = 0; i < count; ++i) next.push_back(record_cast(computed_from(s.bodies[i]), types[i + 1]));
    // A turn would go on from what is not exact.
    if (nearly && !same_backend_) throw not_applicable();
    if (counts_) ++counts_->loops[s.style];
    return {r.finish(std::move(go), std::move(next))[1 + static_cast<std::size_t>(s.which)], nearly};
}

}  // namespace random_programs
