// Random graphs with their inputs, for tests that compare backends; must not know which backends there are.
#pragma once

#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/graph/graph.hpp>
#include <sinter/codegen/schedule/plan.hpp>

#include <cmath>
#include <random>
#include <span>
#include <vector>

namespace random_graph {

using namespace sinter;
using namespace sinter::codegen;

struct program {
    graph g;
    std::vector<std::vector<unsigned char>> inputs;
    sequence<bool> consumable;

    std::vector<const void*> input_pointers() const {
        std::vector<const void*> p;
        for (const auto& i : inputs) p.push_back(i.data());
        return p;
    }
};

/// Which operations may occur.
using op_filter = bool (*)(op o, dtype common);

class generator {
public:
    generator(unsigned seed, op_filter allowed) : random_(seed), allowed_(allowed) {}

    /// A program of a few operations of every kind over small arrays, now and then over large ones.
    program make() {
        bool large = chance(8);
        dims shape = random_shape(large ? 3 : 5, large);
        int count = 1 + pick(3);
        for (int i = 0; i < count; ++i) add_input(random_type(), shape);
        int steps = 2 + pick(14);
        for (int i = 0; i < steps && !(large && i > 4); ++i) step();
        int roots = 1 + pick(3);
        for (int i = 0; i < roots; ++i) {
            node_id n =
                i == 0 ? nodes_.back() : nodes_[static_cast<std::size_t>(pick(static_cast<int>(nodes_.size())))];
            p_.g.roots.push_back(n);
        }
        return std::move(p_);
    }

    /// A reduction along rows or columns of a given length, of a simple function, with an epilogue.
    program make_reduction(std::int64_t length, bool rows, dtype type, reduction how) {
        dims kept = pick(2) ? dims(1 + pick(5)) : dims(2, 1 + pick(3));
        dims shape = kept;
        std::uint8_t axes = 0;
        // Several reduced axes, when the length can be factored.
        std::int64_t outer = length % 3 == 0 && pick(2) ? 3 : 1;
        if (rows) {
            axes = static_cast<std::uint8_t>(1 << shape.size());
            shape.push_back(length / outer);
            if (outer > 1) {
                shape.insert(0, outer);
                axes = static_cast<std::uint8_t>(axes << 1 | 1);
            }
        } else {
            shape.insert(0, length / outer);
            axes = 1;
            if (outer > 1) shape.insert(0, outer), axes = 3;
        }
        node_id x = add_input(type, shape);
        if (pick(2) && is_integer(type)) x = p_.g.add_cast(x, type);
        if (pick(2) && accepts(op::add, type)) x = apply(op::add, {x, x}, shape);
        x = p_.g.add_cast(x, operand_type(how, type));
        node_id r = p_.g.add_reduce(how, x, axes);
        nodes_.push_back(r);
        if (pick(2)) r = apply(op::equal, {r, r}, dims(p_.g.nodes[r].shape));
        p_.g.roots.push_back(r);
        if (pick(3) == 0) {
            p_.g.roots.push_back(p_.g.add_reduce(is_complex(type) ? reduction::prod
                                                 : length         ? reduction::argmax
                                                                  : how,
                                                 x, axes));
        }
        return std::move(p_);
    }

    /// So many reductions of the same rows, several of each kind.
    program make_many_reductions(std::int64_t length, int count) {
        constexpr dtype types[] = {dtype::float64, dtype::float32, dtype::int64, dtype::complex64};
        dims s(1 + pick(2), length);
        node_id first = add_input(dtype::int8, s), total = 0;
        for (int i = 0; i < count; ++i) {
            dtype type = types[i % 4];
            node_id x = p_.g.add_cast(first, type);
            if (i / 4 % 3 > 0) x = apply(i / 4 % 3 == 1 ? op::multiply : op::add, {x, x}, s);
            reduction how = is_complex(type) || i < 8 ? reduction::sum : i % 2 ? reduction::min : reduction::max;
            if (type == dtype::float64 && i >= 8) how = i % 8 ? reduction::first : reduction::squares_from_first;
            node_id r = p_.g.add_reduce(how, x, 2);
            if (i % 5 == 0) p_.g.roots.push_back(r);
            r = p_.g.add_cast(r, dtype::complex128);
            total = i ? apply(op::add, {total, r}, {s[0]}) : r;
        }
        p_.g.roots.push_back(total);
        return std::move(p_);
    }

    /// Rows whose results go back to their elements twice, with some of what is computed on the way as roots.
    program make_rows(std::int64_t length, dtype type, std::int64_t rows = 3) {
        dims s{rows, length};
        node_id x = add_input(type, s), r = p_.g.add_reduce(reduction::max, x, 2);
        auto along = [&](node_id row) { return p_.g.add_view(row, {s, {1, 0}, 0}); };
        node_id away = apply(op::subtract, {x, along(r)}, s), d = apply(op::sqrt, {apply(op::absolute, {away}, s)}, s);
        node_id sum = p_.g.add_reduce(reduction::sum, d, 2);
        node_id total = apply(
            op::add, {sum, p_.g.add_cast(p_.g.add_reduce(reduction::argmin, x, 2), p_.g.nodes[sum].type)}, {rows});
        p_.g.roots.push_back(apply(op::divide, {d, along(total)}, s));
        if (pick(2)) p_.g.roots.push_back(d);
        if (pick(2)) p_.g.roots.push_back(total);
        if (pick(2)) p_.g.roots.push_back(p_.g.add_reduce(reduction::argmax, d, 2));
        for (reduction how : {reduction::first, reduction::squares_from_first})
            if (pick(2)) p_.g.roots.push_back(p_.g.add_reduce(how, p_.g.add_cast(pick(2) ? x : d, dtype::float64), 2));
        return std::move(p_);
    }

private:
    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    bool chance(int one_in) { return pick(one_in) == 0; }

    dtype random_type() {
        static constexpr dtype types[] = {
            dtype::float32,   dtype::float32,    dtype::float64, dtype::int32,   dtype::int64,   dtype::bool_,
            dtype::uint8,     dtype::int8,       dtype::int16,   dtype::uint16,  dtype::uint32,  dtype::uint64,
            dtype::complex64, dtype::complex128, dtype::float32, dtype::float16, dtype::bfloat16};
        return types[pick(static_cast<int>(std::size(types)))];
    }

    dims random_shape(int most, bool large) {
        static constexpr int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 127, 128, 129};
        static constexpr int large_sizes[] = {1, 2, 4, 12, 64, 100, 129, 256, 1024, 1028, 4096, 4100};
        dims d;
        int rank = pick(most + 1);
        std::int64_t limit = large ? 150000 : 20000, size = 1;
        for (int i = 0; i < rank; ++i) {
            std::int64_t n = large ? large_sizes[pick(12)] : chance(20) ? 0 : sizes[1 + pick(13)];
            if (size * n > limit) n = 1 + pick(3);
            size *= n ? n : 1;
            d.push_back(n);
        }
        if (large) {
            std::int64_t last = 40000 / size + 1;
            if (d.size() == max_rank) d.erase(0);
            d.push_back(pick(2) ? (last + 3) / 4 * 4 : last);
        }
        return d;
    }

    const node& at(node_id n) const { return p_.g.nodes[n]; }
    node_id any_node() {
        // Later nodes are likelier, so that graphs grow deep.
        int n = static_cast<int>(nodes_.size());
        int i = pick(2) ? n - 1 - pick(n < 3 ? n : 3) : pick(n);
        return nodes_[static_cast<std::size_t>(i)];
    }

    node_id apply(op o, std::initializer_list<node_id> args, const dims& shape) {
        return p_.g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
    }

    template <class T>
    T random_number() {
        switch (pick(8)) {
            case 0: return static_cast<T>(pick(3));
            case 1: return static_cast<T>(-pick(3));
            case 2: return static_cast<T>(pick(2000) - 1000);
            default: return static_cast<T>((pick(4001) - 2000) / 256.0);
        }
    }

    void write_number(dtype t, unsigned char* to) {
        double v[2] = {random_number<double>(), is_complex(t) ? random_number<double>() : 0};
        if (is_floating(t) && chance(50)) v[0] = chance(2) ? std::nan("") : INFINITY;
        if (kind_of(t) == 'u' && v[0] < 0) v[0] = -v[0];
        convert(dtype::complex128, t, v, to, 1);
    }

    // Of many magnitudes, so that every other order of adding gives other bits.
    void write_uneven(dtype t, unsigned char* to) {
        double v[2];
        for (double& x : v) x = std::ldexp(static_cast<double>(random_()) - 2e9, pick(40) - 50);
        convert(dtype::complex128, t, v, to, 1);
    }

    node_id add_input(dtype t, const dims& shape) {
        std::size_t size = static_cast<std::size_t>(size_of(t)), count = static_cast<std::size_t>(shape.product());
        std::vector<unsigned char> bytes(count * size);
        bool uneven = kind_rank(t) > 1 && pick(2);
        for (std::size_t i = 0; i < count; ++i)
            uneven ? write_uneven(t, bytes.data() + i * size) : write_number(t, bytes.data() + i * size);
        return add_bytes(t, shape, std::move(bytes));
    }

    node_id add_bytes(dtype t, const dims& shape, std::vector<unsigned char> bytes) {
        p_.inputs.push_back(std::move(bytes));
        p_.consumable.push_back(pick(2) == 0);
        nodes_.push_back(p_.g.add_input(static_cast<std::uint32_t>(p_.inputs.size() - 1), t, shape));
        return nodes_.back();
    }

    node_id add_constant(dtype t) {
        scalar_value v;
        v.type = t;
        write_number(t, v.bytes);
        return pick(2) ? p_.g.add_scalar(v) : p_.g.add_literal(v);
    }

    // An operand that an operation over `shape` may take besides n.
    node_id partner(node_id n) {
        if (chance(4)) return add_constant(pick(2) ? at(n).type : random_type());
        for (int tries = 0; tries < 8; ++tries) {
            node_id m = any_node();
            try {
                if (broadcast_shapes("test", at(n).shape, at(m).shape) == at(n).shape) return m;
            } catch (const shape_error&) {
            }
        }
        dims shape = at(n).shape;
        for (int i = 0; i < shape.size(); ++i)
            if (chance(3)) shape[i] = 1;
        while (!shape.empty() && chance(3)) shape.erase(0);
        return add_input(random_type(), shape);
    }

    void step() {
        node_id n = any_node();
        switch (pick(12)) {
            case 0:
            case 1: return add_view(n);
            case 2: return add_reduction(n);
            case 3: return add_gather(n);
            case 4: return add_update(n);
            case 5: return add_index(n);
            case 6: nodes_.push_back(p_.g.add_cast(n, random_type())); return;
            default: return add_operation(n);
        }
    }

    void add_operation(node_id n) {
        for (int tries = 0; tries < 20; ++tries) {
            op o = static_cast<op>(pick(op_count - 1));
            int arity = info(o).arity;
            const dims shape = at(n).shape;
            node_id args[3] = {n, 0, 0};
            for (int i = 1; i < arity; ++i) args[i] = partner(n);
            if (arity == 2 && chance(4)) std::swap(args[0], args[1]);
            dtype types[3];
            bool fits = true;
            for (int i = 0; i < arity; ++i) {
                types[i] = at(args[i]).type;
                if (broadcast_shapes("test", shape, at(args[i]).shape) != shape) fits = false;
            }
            if (!fits || !defined_for(o, common_type(o, types)) || !allowed_(o, common_type(o, types))) continue;
            nodes_.push_back(p_.g.add_apply(o, {args, static_cast<std::size_t>(arity)}, shape));
            return;
        }
    }

    void add_view(node_id n) {
        layout l = contiguous(at(n).shape);
        if (chance(6) && l.shape.size() < 5) {  // a new leading axis
            dims shape = l.shape;
            shape.insert(0, 1 + pick(3));
            if (shape.product() < 40000) l = broadcasted(l, shape);
        }
        for (int i = 0; i < l.shape.size(); ++i) {
            std::int64_t size = l.shape[i];
            if (size == 0 || chance(2)) continue;
            std::int64_t step = chance(3) ? -1 - pick(2) : 1 + pick(3), start = pick(static_cast<int>(size));
            std::int64_t room = step > 0 ? (size - start + step - 1) / step : start / -step + 1;
            l = sliced(l, i, start, step, chance(2) ? room : 1 + pick(static_cast<int>(room)));
        }
        if (l.shape.size() > 1 && chance(2)) {
            dims order;
            for (int i = 0; i < l.shape.size(); ++i) order.insert(pick(order.size() + 1), i);
            l = transposed(l, order);
        }
        nodes_.push_back(p_.g.add_view(n, l));
    }

    void add_reduction(node_id n) {
        const auto how = static_cast<reduction>(pick(reduction_count));
        const dims shape = at(n).shape;
        std::uint8_t axes = 0;
        for (int i = 0; i < shape.size(); ++i)
            if (chance(2)) axes = static_cast<std::uint8_t>(axes | 1 << i);
        if (!accepts(how, at(n).type)) return;
        bool adds = info(how).accumulate == accumulation::wide;
        n = p_.g.add_cast(n, operand_type(how, at(n).type));
        for (int i = 0; i < shape.size(); ++i)
            if (axes >> i & 1 && shape[i] == 0) return;
        if (adds && !shape.empty() && chance(3))
            nodes_.push_back(p_.g.add_scan(how, n, static_cast<std::uint8_t>(1 << pick(shape.size()))));
        else nodes_.push_back(p_.g.add_reduce(how, n, axes));
    }

    void add_gather(node_id n) {
        const dims shape = at(n).shape;
        if (shape.empty() || shape.size() > 4 || shape.product() == 0) return;
        std::uint8_t axes = static_cast<std::uint8_t>(1 << pick(shape.size()));
        if (chance(3)) axes = static_cast<std::uint8_t>(axes | 1 << pick(shape.size()));
        dims index_shape = chance(4) ? dims() : chance(2) ? dims(1 + pick(9)) : dims(1 + pick(3), 1 + pick(4));
        if (shape.product() * index_shape.product() > 200000) index_shape = dims(2);
        std::vector<node_id> indices;
        int others = 0;
        for (int i = 0; i < shape.size(); ++i) {
            if (!(axes >> i & 1)) {
                ++others;
                continue;
            }
            dtype t = chance(3) ? dtype::int64 : chance(2) ? dtype::int32 : dtype::uint8;
            std::size_t size = static_cast<std::size_t>(size_of(t));
            std::vector<unsigned char> bytes(static_cast<std::size_t>(index_shape.product()) * size);
            for (std::size_t k = 0; k < bytes.size(); k += size) {
                std::int64_t v = pick(static_cast<int>(shape[i] < 256 ? shape[i] : 256));
                if (t != dtype::uint8 && chance(3)) v -= shape[i];
                convert(dtype::int64, t, &v, bytes.data() + k, 1);
            }
            indices.push_back(add_bytes(t, index_shape, std::move(bytes)));
            nodes_.pop_back();
        }
        gather_info how{axes, static_cast<std::uint8_t>(pick(others + 1))};
        nodes_.push_back(p_.g.add_gather(n, indices, how));
    }

    void add_update(node_id n) {
        const dims shape = at(n).shape;
        if (shape.product() == 0) return;
        layout l = contiguous(shape);
        for (int i = 0; i < shape.size(); ++i) {
            std::int64_t start = pick(static_cast<int>(shape[i])), step = chance(3) ? -1 : 1 + pick(2);
            std::int64_t room = step > 0 ? (shape[i] - start + step - 1) / step : start + 1;
            if (!chance(3)) l = sliced(l, i, start, step, 1 + pick(static_cast<int>(room)));
        }
        node_id value;
        if (chance(4)) {
            value = add_constant(at(n).type);
        } else if (chance(3)) {  // overlapping: another part of the same array
            layout other = l;
            other.offset = 0;
            for (int i = 0; i < l.shape.size(); ++i)
                if (l.strides[i] < 0) other.offset += (1 - l.shape[i]) * l.strides[i];
            value = p_.g.add_view(n, other);
        } else {
            value = add_input(random_type(), l.shape);
            nodes_.pop_back();
        }
        nodes_.push_back(p_.g.add_update(n, value, l));
    }

    void add_index(node_id n) {
        const dims shape = at(n).shape;
        nodes_.push_back(p_.g.add_index(shape));
    }

    std::mt19937 random_;
    op_filter allowed_;
    program p_;
    std::vector<node_id> nodes_;
};

/// Reductions of awkward lengths in both orders, of each kind and of types of each kind.
inline std::vector<program> reductions() {
    constexpr dtype types[] = {dtype::float32, dtype::float64, dtype::int32,     dtype::int8,
                               dtype::uint64,  dtype::bool_,   dtype::complex64, dtype::complex128,
                               dtype::float64, dtype::float32, dtype::int64};
    std::vector<program> programs;
    unsigned seed = 1;
    for (bool rows : {true, false})
        for (std::int64_t n : {0, 1, 2, 3, 8, 31, 33, 127, 128, 129, 513, 1023, 1024, 1025, 4095, 4097, 9000})
            for (int i = 0; i < 4; ++i) {
                auto how = static_cast<reduction>(seed % reduction_count);
                dtype t = types[seed % 11];
                if (n == 0) how = i % 2 ? reduction::sum : reduction::all;
                if (!accepts(how, t)) t = real_of(t);
                programs.push_back(generator(seed++, [](op, dtype) { return true; }).make_reduction(n, rows, t, how));
            }
    return programs;
}

/// More reductions of rows than join one by one, and more than one kernel takes.
inline std::vector<program> many_reductions() {
    std::vector<program> programs;
    unsigned seed = 1;
    for (std::int64_t n : {1, 33, 1023, 1025, 4096, 4097, 20'001})
        for (int count : {4, 7, 25})
            programs.push_back(generator(seed++, [](op, dtype) { return true; }).make_many_reductions(n, count));
    return programs;
}

/// Rows of awkward lengths, in registers and beyond; of short ones so many, too, that texts are for lengths.
inline std::vector<program> rows() {
    constexpr dtype types[] = {dtype::float32, dtype::float64, dtype::int32, dtype::uint8};
    std::vector<program> programs;
    unsigned seed = 1;
    for (std::int64_t n :
         {1, 2, 31, 33, 128, 129, 500, 1023, 1024, 1025, 4096, 4097, 12'000, 12'001, 16'384, 16'385, 30'000})
        for (int i = 0; i < 2; ++i) {
            dtype t = types[seed % 4];
            programs.push_back(generator(seed++, [](op, dtype) { return true; }).make_rows(n, t));
        }
    for (std::int64_t n : {2, 3, 7, 50, 150, 261, 700, 1001}) {
        dtype t = types[seed % 4];
        programs.push_back(generator(seed++, [](op, dtype) { return true; }).make_rows(n, t, 33'000 / n + 2));
    }
    return programs;
}

/// Limits with which rows of any length are computed at once.
inline constexpr fusion_limits any_rows{.many_rows = 1};

/// Programs that read arrays at an index out of range, which comes first in input 1: 9 of 9, -200 of 5, as uint64 too.
inline std::vector<program> bad_indices() {
    std::vector<program> programs;
    auto add = [&](dtype type, std::int64_t first, std::int64_t size, std::int64_t count) {
        program p;
        p.inputs = {std::vector<unsigned char>(static_cast<std::size_t>(size)),
                    std::vector<unsigned char>(static_cast<std::size_t>(count * size_of(type)))};
        p.consumable = {false, false};
        convert(dtype::int64, type, &first, p.inputs[1].data(), 1);
        node_id base = p.g.add_input(0, dtype::uint8, {size}), index = p.g.add_input(1, type, {count});
        p.g.roots = {p.g.add_gather(base, {&index, 1}, {1, 0})};
        programs.push_back(std::move(p));
    };
    add(dtype::int64, 9, 9, 3);
    add(dtype::int32, -200, 5, 40000);
    add(dtype::uint64, -200, 1000, 3);  // not the 200th from the end
    return programs;
}

}  // namespace random_graph
