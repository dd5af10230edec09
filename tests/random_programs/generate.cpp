// Makes random programs: their frame, their data, and the choice of each statement.
#include "generator.hpp"

#include <algorithm>

namespace random_programs {

generator::generator(std::uint64_t seed, std::uint64_t number)
    : family_(mix(seed, number / family_size)), detail_(mix(mix(seed, 77), number)), frame_(family_) {
    p_.seed = seed;
    p_.number = number;
    large_ = frame_.once_in(14);
    p_.same_backend = frame_.once_in(5);
    p_.reads_together = frame_.once_in(2);
    machine_.emplace(mode::eager, p_.same_backend);
}

program generator::make() {
    choose_shape();
    // A quarter of them are long.
    int starts = 2 + frame_.roll(3), steps = large_ ? 3 + frame_.roll(8) : 5 + frame_.roll(frame_.once_in(4) ? 32 : 16);
    for (int i = 0; i < starts; ++i) next_statement(i, &generator::add_start);
    for (int i = 0; i < steps; ++i) next_statement(starts + i, &generator::add_step);
    int n = static_cast<int>(p_.statements.size());
    if (!large_ && frame_.once_in(12) && n > starts + 2) {
        p_.loop_begin = starts + frame_.roll(n - starts - 1);
        p_.loop_end = std::min(n, p_.loop_begin + 1 + frame_.roll(4));
        p_.loop_times = 2 + frame_.roll(frame_.once_in(4) ? 40 : 5);
    }
    // Rows of the table whose turn has not come.
    for (int i = 0; i < 3 && expressions_ < rows_in_turn; ++i)
        next_statement(starts + steps + i, &generator::add_expression);
    return std::move(p_);
}

void generator::choose_shape() {
    static constexpr int ranks[] = {0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5};
    static constexpr int sizes[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17, 33};
    int rank = large_ ? 1 + frame_.roll(3) : ranks[frame_.roll(12)];
    std::int64_t total = 1;
    for (int i = 0; i < rank; ++i) {
        int n = sizes[detail_.roll(15)];
        if (n == 0 && !detail_.once_in(3)) n = 6;
        if (large_) n = i + 1 < rank ? 1 + detail_.roll(40) : 0;
        if (total * n > 3000) n = 2;
        total *= n ? n : 1;
        base_.push_back(n);
    }
    if (large_) {
        static constexpr int totals[] = {4097, 5000, 8192, 20000, 32768, 33000, 40001};
        base_[rank - 1] = std::max<std::int64_t>(1, totals[detail_.roll(7)] / total);
        std::swap(base_[rank - 1], base_[frame_.roll(rank)]);
    }
}

// A shape that mostly broadcasts with the family's.
dims generator::some_shape() {
    dims s = base_;
    if (dice_.once_in(5)) {
        for (int i = 0; i < s.size(); ++i)
            if (dice_.once_in(2)) s[i] = 1;
    }
    while (!s.empty() && dice_.once_in(7)) s.erase(0);
    if (s.size() > 1 && dice_.once_in(12)) std::swap(s[0], s[s.size() - 1]);
    return s;
}

dtype generator::some_type() {
    static constexpr dtype frequent[] = {dtype::float32, dtype::float64, dtype::int32, dtype::int64, dtype::bool_};
    return dice_.once_in(2) ? frequent[dice_.roll(5)] : types[dice_.roll(type_count)];
}

int generator::some_style() { return dice_.once_in(4) ? 2 : dice_.once_in(2); }

token generator::scalar(dtype t) {
    token x{.kind = token::what::scalar, .type = t};
    static constexpr double common[] = {2, 1, 0.5, 3, -1, 0, 0.25, 4, 10, -2, 7};
    x.parts[0] = dice_.once_in(3) ? (detail_.roll(65) - 32) / 8.0 : common[dice_.roll(11)];
    if (codegen::is_complex(t) && dice_.once_in(2)) x.parts[1] = common[dice_.roll(11)];
    if (codegen::kind_rank(t) < 2) x.parts[0] = static_cast<double>(static_cast<std::int64_t>(x.parts[0]));
    if (t == dtype::bool_ || (codegen::kind_of(t) == 'u' && x.parts[0] < 0)) x.parts[0] = detail_.roll(2);
    return x;
}

std::vector<int> generator::live() const {
    std::vector<int> list;
    for (std::size_t i = 0; i < machine_->variables.size(); ++i)
        if (machine_->variables[i].value) list.push_back(static_cast<int>(i));
    return list;
}

int generator::any() {
    std::vector<int> list = live();
    if (list.empty()) throw not_applicable();
    int n = static_cast<int>(list.size());
    // Later ones are likelier, so that chains grow.
    return list[static_cast<std::size_t>(dice_.once_in(2) ? n - 1 - dice_.roll(n < 3 ? n : 3) : dice_.roll(n))];
}

const handle& generator::value(int v) const { return machine_->variables[static_cast<std::size_t>(v)].value; }

// A variable that may be assigned to something of this shape, made for the purpose if there is none; -1: a scalar.
int generator::fitting(const dims& shape, dtype at_most) {
    if (dice_.once_in(4)) return -1;
    for (int tries = 0; tries < 6; ++tries) {
        int v = any();
        const dims& s = value(v)->shape;
        if (codegen::kind_rank(value(v)->type) > codegen::kind_rank(at_most) || s.size() > shape.size()) continue;
        bool fits = true;
        for (int i = 0; i < s.size(); ++i) {
            std::int64_t n = shape[i + shape.size() - s.size()];
            fits = fits && (s[i] == n || s[i] == 1);
        }
        if (fits) return v;
    }
    return make_data_variable(dice_.once_in(3) ? same_or_lower(at_most) : at_most, shape, some_style());
}

dtype generator::same_or_lower(dtype t) {
    for (int tries = 0; tries < 8; ++tries)
        if (dtype x = some_type(); codegen::kind_rank(x) <= codegen::kind_rank(t)) return x;
    return t;
}

int generator::make_data_variable(dtype t, const dims& shape, int style) {
    if (shape.product() > 60000) throw not_applicable();
    statement s{.what = kind::data, .shape = shape, .type = t, .style = style, .seed = detail_.next()};
    s.target = static_cast<int>(machine_->variables.size());
    add(s);
    return s.target;
}

void generator::add(const statement& s) {
    if (!machine_->execute(s, static_cast<int>(p_.statements.size()))) throw not_applicable();
    p_.statements.push_back(s);
}

// Executes a statement that makes a value, to find its type, and names it.
void generator::add_value(statement s) {
    auto fresh = static_cast<int>(machine_->variables.size());
    s.target = fresh;
    if (!machine_->execute(s, static_cast<int>(p_.statements.size()))) throw not_applicable();
    machine::variable made = machine_->variables.back();
    if (made.value->shape.product() > 200000) {
        machine_->variables.pop_back();
        throw not_applicable();
    }
    std::vector<int> same;
    for (int i = 0; i < fresh; ++i)
        if (machine_->variables[static_cast<std::size_t>(i)].value && value(i)->type == made.type) same.push_back(i);
    if (!same.empty() && (dice_.once_in(4) || fresh > 20)) {
        s.target = same[static_cast<std::size_t>(dice_.roll(static_cast<int>(same.size())))];
        machine_->variables[static_cast<std::size_t>(s.target)] = made;
        machine_->variables.pop_back();
    }
    p_.statements.push_back(s);
}

void generator::next_statement(int place, void (generator::*add)()) {
    for (int attempt = 0; attempt < 12; ++attempt) {
        dice_ = dice(mix(mix(family_, static_cast<std::uint64_t>(place) + 1000), static_cast<std::uint64_t>(attempt)));
        try {
            machine_->variables.empty() ? add_start() : (this->*add)();
            return;
        } catch (const not_applicable&) {
        } catch (const shape_error&) {
        }
    }
}

void generator::add_start() {
    statement s{.what = kind::data, .shape = some_shape(), .type = some_type(), .style = some_style()};
    s.seed = detail_.next();
    switch (dice_.roll(8)) {
        case 0: s.what = kind::index; break;
        case 1:
            s.what = kind::random;
            s.style = dice_.roll(3);
            s.type = s.style < 2 ? (dice_.once_in(2) ? dtype::float32 : dtype::float64) : types[1 + dice_.roll(8)];
            break;
        case 2:
            s.what = kind::full;
            s.tokens = {scalar(s.type)};
            break;
        default: break;
    }
    add_value(s);
}

void generator::add_step() {
    int k = dice_.roll(100);
    if (k < 28) return k < 22 ? add_expression() : add_made();
    if (k < 32) return add_function();
    if (k < 36) return add_loop();
    if (k < 46) return add_view();
    if (k < 60) return add_update();
    if (k < 65) return add_reduce();
    if (k < 67) return add_rows();
    if (k < 69) return add_scan();
    if (k < 72) return add_take();
    if (k < 75) return dice_.once_in(3) ? add_layer() : add_matmul();
    if (k < 78) return add_concatenate();
    if (k < 81) return add_start();
    if (k < 84) return add_simple(kind::cast);
    if (k < 86) return add_simple(kind::copy_handle);
    if (k < 87) return add_simple(kind::copy);
    if (k < 92) return add_look(kind::drop);
    if (k < 95) return add_look(kind::read);
    if (k < 96) return add_look(kind::read_item);
    if (k < 97) return add_look(kind::print);
    if (k < 99) return add_look(kind::eval);
    add_look(kind::explain);
}

void generator::add_simple(kind k) {
    statement s{.what = k, .variables = {any()}, .type = some_type()};
    add_value(s);
}

void generator::add_look(kind k) {
    statement s{.what = k, .variables = {any()}, .seed = detail_.next()};
    if (k == kind::print && value(s.variables[0])->shape.product() > 300) return;
    if (k == kind::drop && live().size() < 3) return;
    if (k == kind::eval || k == kind::explain)
        while (dice_.once_in(2)) s.variables.push_back(any());
    add(s);
}

program generate(std::uint64_t seed, std::uint64_t number) { return generator(seed, number).make(); }

}  // namespace random_programs
