// Statements of random programs about parts of arrays: views, updates, reads at indices.
#include "generator.hpp"

#include <algorithm>

namespace random_programs {

item generator::range(std::int64_t n) {
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

std::vector<item> generator::some_items(const dims& shape) {
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

void generator::add_view() {
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
int generator::any_mask(const dims& shape) {
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

void generator::add_update() {
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
void generator::add_overlap(statement s, const dims& shape) {
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

void generator::add_take() {
    statement s{.what = kind::take, .variables = {any()}};
    const dims shape = value(s.variables[0])->shape;
    if (shape.empty()) throw not_applicable();
    int first = dice_.roll(shape.size());
    static constexpr dtype index_types[] = {dtype::int64, dtype::int32, dtype::uint8, dtype::int16, dtype::uint64};
    dims picked = dice_.once_in(5)   ? dims()
                  : dice_.once_in(2) ? dims(1 + detail_.roll(9))
                                     : dims(1 + detail_.roll(3), 1 + detail_.roll(4));
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

}  // namespace random_programs
