// Statements of random programs that compute: expressions, reductions, products.
#include "generator.hpp"

#include <algorithm>

namespace random_programs {

void generator::add_input(statement& s, dtype wanted, bool convert) {
    if (dice_.once_in(6) && !s.tokens.empty()) {
        s.tokens.push_back(scalar(wanted));
        return;
    }
    if (!loop_types_.empty() && dice_.roll(3)) return add_state(s, wanted, convert);
    int v = -1;
    for (int tries = 0; tries < 8; ++tries) {
        int x = any();
        try {
            // The body of a loop has the shape of the state.
            if (codegen::broadcast_shapes("", value(x)->shape, shape_) != shape_ && !loop_types_.empty()) continue;
        } catch (const shape_error&) {
            continue;
        }
        v = x;
        if (value(x)->type == wanted) break;
    }
    if (v < 0) v = make_data_variable(wanted, shape_, some_style());
    shape_ = codegen::broadcast_shapes("", value(v)->shape, shape_);
    if (shape_.product() > 60000) throw not_applicable();
    s.tokens.push_back({.kind = token::what::input, .variable = v});
    if (convert && value(v)->type != wanted) s.tokens.push_back({.kind = token::what::cast, .type = wanted});
}

// One of the values that a loop carries along, from -1 downward; the first is the number of the turn.
void generator::add_state(statement& s, dtype wanted, bool convert) {
    const int states = static_cast<int>(loop_types_.size()), v = dice_.once_in(5) ? 0 : 1 + dice_.roll(states - 1);
    s.tokens.push_back({.kind = token::what::input, .variable = -1 - v});
    if (convert && loop_types_[static_cast<std::size_t>(v)] != wanted)
        s.tokens.push_back({.kind = token::what::cast, .type = wanted});
}

// Pushes tokens that compute an operand of about this type.
void generator::add_operand(statement& s, dtype wanted, int depth) {
    if (depth > 0 && dice_.once_in(2)) {
        dtype made = add_operation(s, depth - 1, wanted);
        if (made != wanted && dice_.once_in(2)) s.tokens.push_back({.kind = token::what::cast, .type = wanted});
        return;
    }
    add_input(s, wanted, !dice_.once_in(3));
}

dtype generator::add_operation(statement& s, int depth, std::optional<dtype> near, std::optional<op> wanted) {
    op o;
    dtype common;
    do {
        o = wanted ? *wanted : static_cast<op>(dice_.roll(codegen::op_count - 1));
        // What every machine rounds alike is used more, as the rest only flows into reads.
        bool flows_on = !loop_types_.empty() || (depth > 0 && dice_.roll(3));
        if (!wanted && !p_.same_backend && flows_on) o = static_cast<op>(dice_.roll(static_cast<int>(op::sqrt)));
        common = near && dice_.once_in(2) ? *near : some_type();
    } while (!codegen::defined_for(o, common));
    for (int i = 0; i < codegen::info(o).arity; ++i) {
        bool flag = codegen::info(o).typing == codegen::rule::select && i == 0;
        bool exponent = codegen::info(o).typing == codegen::rule::scale && i == 1;
        add_operand(s, flag ? dtype::bool_ : exponent ? dtype::int32 : common, depth);
    }
    s.tokens.push_back({.kind = token::what::apply, .operation = o});
    return codegen::result_type(o, common);
}

void generator::add_expression() {
    statement s{.what = kind::expression};
    shape_ = value(any())->shape;
    // Each program takes some rows of the table in turn, so that none is missed.
    bool in_turn = expressions_ < rows_in_turn;
    int row = static_cast<int>((p_.number / family_size * rows_in_turn + expressions_) % (codegen::op_count - 1));
    add_operation(s, dice_.roll(3), {}, in_turn ? std::optional(static_cast<op>(row)) : std::nullopt);
    add_value(s);
    ++expressions_;
}

void generator::add_reduce() {
    statement s{.what = kind::reduce, .variables = {any()}};
    int rank = value(s.variables[0])->shape.size();
    s.how = static_cast<reduction>(dice_.roll(codegen::reduction_count));
    s.axes = static_cast<std::uint8_t>(dice_.once_in(3) ? (1 << rank) - 1 : dice_.roll(1 << rank));
    s.keepdims = dice_.once_in(2);
    add_value(s);
}

void generator::add_scan() {
    static constexpr reduction kept[] = {reduction::sum, reduction::prod, reduction::min, reduction::max};
    statement s{.what = kind::scan, .variables = {any()}};
    int rank = value(s.variables[0])->shape.size();
    if (rank == 0) throw not_applicable();
    s.how = kept[dice_.roll(4)];
    s.axis = dice_.roll(rank);
    add_value(s);
}

// A chain as of softmax or a layer norm: reductions along the same axes that go back to the elements, named or not,
// dropped or not.
void generator::add_rows() {
    int v = any();
    const dims shape = value(v)->shape;
    if (shape.empty() || shape.product() == 0) throw not_applicable();
    auto all_axes = static_cast<std::uint8_t>((1 << shape.size()) - 1);
    auto last = static_cast<std::uint8_t>(1 << (shape.size() - 1));
    auto axes = static_cast<std::uint8_t>(dice_.once_in(5)   ? all_axes
                                          : dice_.once_in(2) ? last
                                                             : last | dice_.roll(all_axes + 1));
    static constexpr reduction hows[] = {reduction::sum,    reduction::max,   reduction::min,
                                         reduction::sum,    reduction::prod,  reduction::any,
                                         reduction::argmax, reduction::first, reduction::squares_from_first};
    for (int links = 1 + dice_.roll(3); links > 0; --links) {
        statement s{.what = kind::reduce, .variables = {v}};
        s.how = hows[dice_.roll(9)];
        s.axes = axes;
        s.keepdims = true;
        add_value(s);
        int r = p_.statements.back().target;
        if (dice_.once_in(3)) r = add_of_rows(r, r);
        if (r == v) return;
        v = add_of_rows(v, r);
        if (value(v)->shape != shape) return;
        if (dice_.once_in(4)) add_look(kind::drop);
        if (!value(v) || value(v)->shape != shape) return;
    }
}

// An expression of a variable and of one with a number for each of its rows.
int generator::add_of_rows(int v, int r) {
    static constexpr op ops[] = {op::subtract, op::subtract, op::multiply, op::maximum,
                                 op::add,      op::divide,   op::not_equal};
    statement s{.what = kind::expression};
    op o = ops[dice_.roll(7)];
    dtype common = codegen::promote(value(v)->type, value(r)->type);
    if (!codegen::defined_for(o, common)) o = op::add;
    for (int x : {v, r}) {
        s.tokens.push_back({.kind = token::what::input, .variable = x});
        if (value(x)->type != common) s.tokens.push_back({.kind = token::what::cast, .type = common});
    }
    s.tokens.push_back({.kind = token::what::apply, .operation = o});
    dtype made = codegen::result_type(o, common);
    op then[] = {op::square, op::sqrt, op::exp, op::absolute};
    if (op f = then[dice_.roll(4)];
        dice_.once_in(3) && codegen::defined_for(f, made) && (f != op::exp || p_.same_backend))
        s.tokens.push_back({.kind = token::what::apply, .operation = f});
    add_value(s);
    return p_.statements.back().target;
}

void generator::add_matmul() {
    statement s{.what = kind::matmul, .variables = {any()}};
    const dims shape = value(s.variables[0])->shape;
    if (shape.empty() || shape.product() > 2000) throw not_applicable();
    dims other = dice_.once_in(4) ? dims(shape.back()) : dims(shape.back(), 1 + detail_.roll(6));
    if (other.size() == 2 && shape.size() > 2 && dice_.once_in(2))
        other.insert(0, dice_.once_in(2) ? 1 : shape[shape.size() - 3]);
    int partner = -1;
    for (int v : live())
        if (value(v)->shape == other && dice_.once_in(2)) partner = v;
    if (partner < 0) {
        bool turned = other.size() == 2 && dice_.once_in(3);
        if (turned) std::swap(other[0], other[1]);
        partner = make_data_variable(value(s.variables[0])->type, other, 1);
        if (turned) {
            add_value({.what = kind::transpose, .variables = {partner}, .shape = {1, 0}});
            partner = p_.statements.back().target;
        }
    }
    s.variables.push_back(partner);
    add_value(s);
}

// A product of floating numbers that goes by another name as soon as something has been added to it: a vector, an array
// of its shape, or one after the other, with relu or without.
void generator::add_layer() {
    const dtype type = dice_.once_in(3) ? dtype::float64 : dtype::float32;
    const std::int64_t m = 1 + detail_.roll(6), k = 2 + detail_.roll(5), n = 1 + detail_.roll(6);
    const bool stacked = dice_.once_in(4), shared = dice_.once_in(2);
    const int x = make_data_variable(type, stacked ? dims(2, m, k) : dims(m, k), 0);
    const int w = make_data_variable(type, stacked && !shared ? dims(2, k, n) : dims(k, n), 0);
    add_value({.what = kind::matmul, .variables = {x, w}});
    const int y = p_.statements.back().target;
    for (int links = 1 + dice_.once_in(4); links > 0; --links) {
        const dims shape = value(y)->shape;
        int other = make_data_variable(type, dice_.once_in(2) ? shape : dice_.once_in(2) ? dims(n) : dims(1, n), 0);
        if (dice_.once_in(6)) other = y;
        const bool swapped = dice_.once_in(2);
        statement s{.what = kind::expression, .target = y};
        for (int v : {swapped ? other : y, swapped ? y : other})
            s.tokens.push_back({.kind = token::what::input, .variable = v});
        s.tokens.push_back({.kind = token::what::apply, .operation = op::add});
        if (dice_.once_in(2)) s.tokens.push_back({.kind = token::what::apply, .operation = op::relu});
        add(s);
        if (dice_.once_in(4)) add_look(kind::drop);
        if (!value(y)) return;
    }
}

void generator::add_concatenate() {
    statement s{.what = kind::concatenate, .variables = {any()}};
    const dims shape = value(s.variables[0])->shape;
    dtype type = value(s.variables[0])->type;
    if (shape.empty()) throw not_applicable();
    s.axis = dice_.roll(shape.size());
    for (int v : live()) {
        const dims& o = value(v)->shape;
        bool fits = o.size() == shape.size() && value(v)->type == type && dice_.once_in(2);
        for (int i = 0; fits && i < o.size(); ++i) fits = i == s.axis || o[i] == shape[i];
        if (fits && s.variables.size() < 4) s.variables.push_back(v);
    }
    add_value(s);
}

}  // namespace random_programs
