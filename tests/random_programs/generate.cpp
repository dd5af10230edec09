// Makes random programs.
#include "generate.hpp"

#include <algorithm>

namespace random_programs {

namespace {

class generator {
public:
    generator(std::uint64_t seed, std::uint64_t number)
        : family_(mix(seed, number / family_size)), detail_(mix(mix(seed, 77), number)), frame_(family_) {
        p_.seed = seed;
        p_.number = number;
        large_ = frame_.once_in(14);
        p_.same_backend = frame_.once_in(5);
        p_.reads_together = frame_.once_in(2);
        machine_.emplace(mode::eager, p_.same_backend);
    }

    program make() {
        choose_shape();
        int starts = 2 + frame_.roll(3), steps = large_ ? 3 + frame_.roll(8) : 5 + frame_.roll(32);
        for (int i = 0; i < starts; ++i) next_statement(i, true);
        for (int i = 0; i < steps; ++i) next_statement(starts + i, false);
        int n = static_cast<int>(p_.statements.size());
        if (!large_ && frame_.once_in(12) && n > starts + 2) {
            p_.loop_begin = starts + frame_.roll(n - starts - 1);
            p_.loop_end = std::min(n, p_.loop_begin + 1 + frame_.roll(4));
            p_.loop_times = 2 + frame_.roll(frame_.once_in(4) ? 40 : 5);
        }
        return std::move(p_);
    }

private:
    using entry = machine::variable;

    void choose_shape() {
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
    dims some_shape() {
        dims s = base_;
        if (dice_.once_in(5)) {
            for (int i = 0; i < s.size(); ++i)
                if (dice_.once_in(2)) s[i] = 1;
        }
        while (!s.empty() && dice_.once_in(7)) s.erase(0);
        if (s.size() > 1 && dice_.once_in(12)) std::swap(s[0], s[s.size() - 1]);
        return s;
    }

    dtype some_type() {
        static constexpr dtype frequent[] = {dtype::float32, dtype::float64, dtype::int32, dtype::int64, dtype::bool_};
        return dice_.once_in(2) ? frequent[dice_.roll(5)] : types[dice_.roll(type_count)];
    }

    int some_style() { return dice_.once_in(4) ? 2 : dice_.once_in(2); }
    token scalar(dtype t) {
        token x{.kind = token::what::scalar, .type = t};
        static constexpr double common[] = {2, 1, 0.5, 3, -1, 0, 0.25, 4, 10, -2, 7};
        x.parts[0] = dice_.once_in(3) ? (detail_.roll(65) - 32) / 8.0 : common[dice_.roll(11)];
        if (codegen::is_complex(t) && dice_.once_in(2)) x.parts[1] = common[dice_.roll(11)];
        if (codegen::kind_rank(t) < 2) x.parts[0] = static_cast<double>(static_cast<std::int64_t>(x.parts[0]));
        if (t == dtype::bool_ || (codegen::kind_of(t) == 'u' && x.parts[0] < 0)) x.parts[0] = detail_.roll(2);
        return x;
    }

    std::vector<int> live() const {
        std::vector<int> list;
        for (std::size_t i = 0; i < machine_->variables.size(); ++i)
            if (machine_->variables[i].value) list.push_back(static_cast<int>(i));
        return list;
    }
    int any() {
        std::vector<int> list = live();
        if (list.empty()) throw not_applicable();
        int n = static_cast<int>(list.size());
        // Later ones are likelier, so that chains grow.
        return list[static_cast<std::size_t>(dice_.once_in(2) ? n - 1 - dice_.roll(n < 3 ? n : 3) : dice_.roll(n))];
    }
    const handle& value(int v) const { return machine_->variables[static_cast<std::size_t>(v)].value; }

    // A variable that may be assigned to something of this shape, made for the purpose if there is none; -1: a scalar.
    int fitting(const dims& shape, dtype at_most) {
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
    dtype same_or_lower(dtype t) {
        for (int tries = 0; tries < 8; ++tries)
            if (dtype x = some_type(); codegen::kind_rank(x) <= codegen::kind_rank(t)) return x;
        return t;
    }

    int make_data_variable(dtype t, const dims& shape, int style) {
        if (shape.product() > 60000) throw not_applicable();
        statement s{.what = kind::data, .shape = shape, .type = t, .style = style, .seed = detail_.next()};
        s.target = static_cast<int>(machine_->variables.size());
        add(s);
        return s.target;
    }

    void add(const statement& s) {
        if (!machine_->execute(s, static_cast<int>(p_.statements.size()))) throw not_applicable();
        p_.statements.push_back(s);
    }

    // Executes a statement that makes a value, to find its type, and names it.
    void add_value(statement s) {
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

    void next_statement(int place, bool start) {
        for (int attempt = 0; attempt < 12; ++attempt) {
            dice_ = dice(mix(mix(family_, static_cast<std::uint64_t>(place) + 1000), static_cast<std::uint64_t>(attempt)));
            try {
                start || machine_->variables.empty() ? add_start() : add_step();
                return;
            } catch (const not_applicable&) {
            } catch (const shape_error&) {
            }
        }
    }

    void add_start() {
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

    void add_step() {
        int k = dice_.roll(100);
        if (k < 36) return add_expression();
        if (k < 46) return add_view();
        if (k < 60) return add_update();
        if (k < 68) return add_reduce();
        if (k < 72) return add_take();
        if (k < 75) return add_matmul();
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

    void add_simple(kind k) {
        statement s{.what = k, .variables = {any()}, .type = some_type()};
        add_value(s);
    }
    void add_look(kind k) {
        statement s{.what = k, .variables = {any()}, .seed = detail_.next()};
        if (k == kind::print && value(s.variables[0])->shape.product() > 300) return;
        if (k == kind::drop && live().size() < 3) return;
        if (k == kind::eval || k == kind::explain)
            while (dice_.once_in(2)) s.variables.push_back(any());
        add(s);
    }

    void add_input(statement& s, dtype wanted, bool convert) {
        if (dice_.once_in(6) && !s.tokens.empty()) {
            s.tokens.push_back(scalar(wanted));
            return;
        }
        int v = -1;
        for (int tries = 0; tries < 8; ++tries) {
            int x = any();
            try {
                codegen::broadcast_shapes("", value(x)->shape, shape_);
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

    // Pushes tokens that compute an operand of about this type.
    void add_operand(statement& s, dtype wanted, int depth) {
        if (depth > 0 && dice_.once_in(2)) {
            dtype made = add_operation(s, depth - 1, wanted);
            if (made != wanted && dice_.once_in(2)) s.tokens.push_back({.kind = token::what::cast, .type = wanted});
            return;
        }
        add_input(s, wanted, !dice_.once_in(3));
    }

    dtype add_operation(statement& s, int depth, std::optional<dtype> near = {}, std::optional<op> wanted = {}) {
        op o;
        dtype common;
        do {
            o = wanted ? *wanted : static_cast<op>(dice_.roll(codegen::op_count - 1));
            // What every machine rounds alike is used more, as the rest only flows into reads.
            if (!wanted && !p_.same_backend && depth > 0 && dice_.roll(3)) o = static_cast<op>(dice_.roll(static_cast<int>(op::sqrt)));
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

    void add_expression() {
        statement s{.what = kind::expression};
        shape_ = value(any())->shape;
        // Each program takes some rows of the table in turn, so that none is missed.
        bool in_turn = expressions_ < rows_in_turn;
        int row = static_cast<int>((p_.number / family_size * rows_in_turn + expressions_) % (codegen::op_count - 1));
        add_operation(s, dice_.roll(3), {}, in_turn ? std::optional(static_cast<op>(row)) : std::nullopt);
        add_value(s);
        ++expressions_;
    }

    item range(std::int64_t n) {
        item i;
        int shape = dice_.roll(5);
        if (shape == 0) return i;
        int m = static_cast<int>(n);
        i.given[0] = dice_.once_in(2);
        i.given[1] = dice_.once_in(2);
        i.value[0] = detail_.roll(m + 1) - (detail_.once_in(3) ? m : 0);
        i.value[1] = detail_.roll(m + 2) - (detail_.once_in(3) ? m : 0);
        if (shape > 2) {
            i.given[2] = true;
            i.value[2] = dice_.once_in(2) ? -1 - detail_.roll(2) : 1 + detail_.roll(3);
        }
        return i;
    }

    std::vector<item> some_items(const dims& shape) {
        std::vector<item> list;
        bool ellipsis = false;
        for (int i = 0; i < shape.size(); ++i) {
            if (shape.size() < 5 && dice_.once_in(12)) list.push_back({.kind = item::what::newaxis});
            if (!ellipsis && dice_.once_in(12)) {
                ellipsis = true;
                list.push_back({.kind = item::what::ellipsis});
            } else if (dice_.once_in(7)) {
                item x{.kind = item::what::number};
                x.value[0] = shape[i] ? detail_.roll(static_cast<int>(shape[i])) - (detail_.once_in(4) ? shape[i] : 0) : 0;
                list.push_back(x);
            } else {
                list.push_back(range(shape[i]));
            }
            if (i > 0 && dice_.once_in(10)) break;
        }
        return list;
    }

    void add_view() {
        statement s{.what = kind::select, .variables = {any()}};
        const dims shape = value(s.variables[0])->shape;
        switch (dice_.roll(7)) {
            case 0: {
                s.what = kind::transpose;
                for (int i = 0; i < shape.size(); ++i) s.shape.insert(dice_.roll(i + 1), i);
                break;
            }
            case 1: {
                s.what = kind::reshape;
                s.shape = shape;
                if (dice_.once_in(2)) s.shape = {shape.product()};
                else if (shape.size() > 1) {
                    int i = dice_.roll(shape.size() - 1);
                    s.shape[i] *= shape[i + 1];
                    s.shape.erase(i + 1);
                } else if (shape.size() == 1 && shape[0] > 1) {
                    std::int64_t d = 2;
                    while (shape[0] % d) ++d;
                    s.shape = {shape[0] / d, d};
                } else s.shape.insert(dice_.roll(shape.size() + 1), 1);
                break;
            }
            case 2: {
                s.what = kind::broadcast;
                s.shape = shape;
                for (std::int64_t& n : s.shape)
                    if (n == 1) n = detail_.roll(5);
                if (s.shape.size() < 5 && dice_.once_in(2)) s.shape.insert(0, 1 + detail_.roll(4));
                break;
            }
            case 3: {
                std::vector<unsigned char> bits;
                int mask = any_mask(shape);
                s.what = kind::mask_read;
                s.variables.push_back(mask);
                break;
            }
            default: s.items = some_items(shape);
        }
        add_value(s);
    }

    // A mask over the leading axes of a shape.
    int any_mask(const dims& shape) {
        for (int v : live()) {
            const dims& m = value(v)->shape;
            if (value(v)->type != dtype::bool_ || m.empty() || m.size() > shape.size() || !dice_.once_in(2)) continue;
            bool fits = true;
            for (int i = 0; i < m.size(); ++i) fits = fits && m[i] == shape[i];
            if (fits) return v;
        }
        if (shape.empty()) throw not_applicable();
        dims m = shape;
        while (m.size() > 1 && dice_.once_in(3)) m.erase(m.size() - 1);
        return make_data_variable(dtype::bool_, m, 0);
    }

    void add_update() {
        int v = any();
        dtype type = value(v)->type;
        const dims shape = value(v)->shape;
        statement s{.what = kind::update, .target = v, .variables = {v}};
        switch (dice_.roll(8)) {
            case 0:
                s.what = kind::mask_update;
                s.variables.push_back(any_mask(shape));
                if (dice_.once_in(2)) s.tokens = {scalar(same_or_lower(type))};
                else if (int x = fitting({}, type); x >= 0) s.variables.push_back(x);
                else s.tokens = {scalar(type)};
                return add(s);
            case 1:
            case 2: return add_overlap(s, shape);
            case 3:
                if (!dice_.once_in(3)) break;
                s.what = kind::fill;
                s.tokens = {scalar(type)};
                return add(s);
            case 4:
            case 5: {
                s.what = kind::compound_update;
                static constexpr op ops[] = {op::add, op::subtract, op::multiply, op::divide, op::bitwise_xor, op::maximum};
                s.operation = ops[dice_.roll(6)];
                break;
            }
            default: break;
        }
        s.items = some_items(shape);
        std::vector<detail::index_item> none;
        dims part;
        {
            // The part's shape, found by reading it.
            statement look{.what = kind::select, .variables = {v}, .items = s.items};
            machine probe = *machine_;
            look.target = static_cast<int>(probe.variables.size());
            if (!probe.execute(look, 0)) throw not_applicable();
            part = probe.variables.back().value->shape;
        }
        int x = fitting(part, type);
        if (x >= 0) s.variables.push_back(x);
        else s.tokens = {scalar(same_or_lower(type))};
        add(s);
    }

    // A part of an array moves to another part of it: overlapping, reversed, shifted.
    void add_overlap(statement s, const dims& shape) {
        s.what = kind::overlap_update;
        s.style = dice_.once_in(3);
        for (std::int64_t n : shape) {
            item to, from;
            if (n > 0 && !dice_.once_in(3)) {
                int m = static_cast<int>(n);
                std::int64_t shift = detail_.roll(m < 4 ? m : 4), count = n - shift;
                for (item* i : {&to, &from}) i->given[0] = i->given[1] = true;
                to.value[0] = shift;
                to.value[1] = n;
                from.value[0] = 0;
                from.value[1] = count;
                if (dice_.once_in(2)) std::swap(to, from);
                if (dice_.once_in(4) && count > 0) {  // reversed
                    from.given[2] = true;
                    from.value[2] = -1;
                    from.given[1] = from.value[0] > 0;
                    std::int64_t first = from.value[0];
                    from.value[0] = first + count - 1;
                    from.value[1] = first - 1;
                }
            }
            s.items.push_back(to);
            s.other_items.push_back(from);
        }
        add(s);
    }

    void add_reduce() {
        statement s{.what = kind::reduce, .variables = {any()}};
        int rank = value(s.variables[0])->shape.size();
        s.how = static_cast<reduction>(dice_.roll(8));
        s.axes = static_cast<std::uint8_t>(dice_.once_in(3) ? (1 << rank) - 1 : dice_.roll(1 << rank));
        s.keepdims = dice_.once_in(2);
        add_value(s);
    }

    void add_take() {
        statement s{.what = kind::take, .variables = {any()}};
        const dims shape = value(s.variables[0])->shape;
        if (shape.empty()) throw not_applicable();
        int first = dice_.roll(shape.size());
        static constexpr dtype index_types[] = {dtype::int64, dtype::int32, dtype::uint8, dtype::int16, dtype::uint64};
        dims picked = dice_.once_in(5) ? dims() : dice_.once_in(2) ? dims(1 + detail_.roll(9)) : dims(1 + detail_.roll(3), 1 + detail_.roll(4));
        for (int i = 0; i < shape.size(); ++i) {
            if (i == first || dice_.once_in(5)) {
                if (shape[i] == 0) throw not_applicable();
                dtype t = index_types[dice_.roll(5)];
                // An index array shorter than the axis is as good.
                int n = static_cast<int>(std::min<std::int64_t>(shape[i], codegen::size_of(t) == 1 ? 120 : 30000));
                if (codegen::kind_of(t) == 'i' && n != shape[i]) t = dtype::uint64;
                s.items.push_back({.kind = item::what::indices, .variable = make_data_variable(t, picked, 3 + n)});
            } else {
                s.items.push_back(range(shape[i]));
            }
        }
        add_value(s);
    }

    void add_matmul() {
        statement s{.what = kind::matmul, .variables = {any()}};
        const dims shape = value(s.variables[0])->shape;
        if (shape.empty() || shape.product() > 2000) throw not_applicable();
        dims other = dice_.once_in(4) ? dims(shape.back()) : dims(shape.back(), 1 + detail_.roll(6));
        if (other.size() == 2 && shape.size() > 2 && dice_.once_in(2)) other.insert(0, dice_.once_in(2) ? 1 : shape[shape.size() - 3]);
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

    void add_concatenate() {
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

    std::uint64_t family_;
    dice detail_;  ///< data, sizes and bounds of slices
    dice frame_;   ///< the program's structure as a whole
    dice dice_{0};  ///< the structure of the statement being made
    program p_;
    std::optional<machine> machine_;
    dims base_, shape_;
    static constexpr std::uint64_t rows_in_turn = 3;
    std::uint64_t expressions_ = 0;
    bool large_ = false;
};

}  // namespace

program generate(std::uint64_t seed, std::uint64_t number) { return generator(seed, number).make(); }

}  // namespace random_programs
