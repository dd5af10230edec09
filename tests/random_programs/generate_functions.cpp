// Statements of random programs with loops, users' functions and rows of the matrix.
#include "../matrix/table.hpp"
#include "functions.hpp"
#include "generator.hpp"

namespace random_programs {

void generator::add_function() {
    statement s{.what = kind::function, .style = dice_.roll(function_count)};
    const called_function& f = function_at(s.style);
    const codegen::invocation& made = f.invocation();
    s.which = dice_.roll(static_cast<int>(made.results.size()));
    shape_ = value(any())->shape;
    const std::size_t first = f.reads_whole ? 1 : 0, last = f.reads_whole ? 2 : made.parameters.size();
    for (std::size_t p = first; p < last; ++p) add_input(s, made.parameters[p], false);
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        // Numbers have the parameter's type; complex numbers convert to complex parameters only.
        const dtype wanted = made.parameters[first + i], given = s.tokens[i].kind == token::what::scalar
                                                                     ? s.tokens[i].type
                                                                     : value(s.tokens[i].variable)->type;
        if (codegen::is_complex(given) && !codegen::is_complex(wanted)) throw not_applicable();
    }
    add_value(s);
}

void generator::add_made() {
    const int count = static_cast<int>(matrix::makers(dtype::float64).size());
    add_value({.what = kind::made, .variables = {any()}, .style = dice_.roll(count)});
}

int generator::any_exact() {
    for (int tries = 0; tries < 8; ++tries) {
        const int v = any();
        if (p_.same_backend || !machine_->variables[static_cast<std::size_t>(v)].nearly) return v;
    }
    throw not_applicable();
}

// What one part of a loop's state becomes in a turn.
std::vector<token> generator::some_turn(dtype type) {
    statement s{};
    const dtype made = add_operation(s, dice_.roll(3), type);
    if (made != type) s.tokens.push_back({.kind = token::what::cast, .type = type});
    return s.tokens;
}

// Where backends are compared, what goes round must be exact, which few bodies of any operations are.
void generator::add_loop() {
    for (int tries = 0; tries < 7; ++tries) try {
            return add_some_loop();
        } catch (const not_applicable&) {
        } catch (const shape_error&) {
        }
    add_some_loop();
}

void generator::add_some_loop() {
    statement s{.what = kind::loop, .style = dice_.roll(3), .axis = detail_.once_in(8) ? 20 : detail_.roll(7)};
    const int count = 1 + dice_.once_in(3);
    s.which = dice_.roll(count);
    shape_ = {};
    struct states_scope {
        std::vector<dtype>& types;
        ~states_scope() { types.clear(); }
    } scope{loop_types_};
    loop_types_ = {dtype::int32};
    for (int i = 0; i < count; ++i) {
        s.variables.push_back(any_exact());
        shape_ = codegen::broadcast_shapes("", shape_, value(s.variables.back())->shape);
        loop_types_.push_back(value(s.variables.back())->type);
    }
    for (int i = 0; i < count; ++i) s.bodies.push_back(some_turn(loop_types_[static_cast<std::size_t>(i) + 1]));
    if (s.style == 1) s.variables.push_back(any_exact());
    if (s.style == 2) {
        static constexpr op ops[] = {op::less, op::greater, op::not_equal};
        const int state = dice_.roll(count);
        s.tokens = {{.kind = token::what::input, .variable = -2 - state},
                    scalar(loop_types_[static_cast<std::size_t>(state) + 1]),
                    {.kind = token::what::apply, .operation = ops[dice_.roll(3)]}};
    }
    add_value(s);
}

}  // namespace random_programs
