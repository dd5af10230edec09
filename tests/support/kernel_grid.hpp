// A grid of kernels that every schedule occurs in: kinds of computations beside awkward shapes, axes, types and
// devices; runs nothing.
#pragma once

#include <sinter/codegen/fuse/fuse.hpp>

#include <set>
#include <span>
#include <string>
#include <vector>

namespace kernel_grid {

using namespace sinter;
using namespace sinter::codegen;

inline node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

/// A matrix whose rows or columns (axis 0) are computed with, and what is read back along it.
struct lines {
    graph& g;
    dims shape;
    int axis;

    std::uint8_t mask() const { return static_cast<std::uint8_t>(1 << axis); }
    node_id reduce(reduction how, node_id x) const { return g.add_reduce(how, x, mask()); }
    node_id back(node_id of_line) const {
        dims strides;
        std::int64_t step = 1;
        for (int i = 0; i < shape.size(); ++i) strides.push_back(0);
        for (int i = shape.size(); i-- > 0;)
            if (i != axis) strides[i] = step, step *= shape[i];
        return g.add_view(of_line, {shape, strides, 0});
    }
    node_id elementwise(op o, std::initializer_list<node_id> args) const { return apply_to(g, o, args, shape); }
};

/// What can be computed along the lines of a real floating matrix: the roots of the graph.
struct computation {
    const char* name;
    sequence<node_id> (*roots)(const lines& l, node_id x);
};

inline const std::vector<computation>& computations() {
    static const std::vector<computation> all{
        {"map", [](const lines& l, node_id x) -> sequence<node_id> { return {l.elementwise(op::exp, {x})}; }},
        {"flip",
         [](const lines& l, node_id x) -> sequence<node_id> {
             const int a = l.axis;
             const std::int64_t n = l.shape[a];
             node_id y = l.g.add_view(x, sliced(contiguous(l.shape), a, n - 1, -1, n));
             return {l.elementwise(op::add, {x, y})};
         }},
        {"turn",
         [](const lines& l, node_id x) -> sequence<node_id> {
             dims order, turned;
             for (int i = l.shape.size(); i-- > 0;) order.push_back(i), turned.push_back(l.shape[i]);
             node_id y = l.g.add_view(x, transposed(contiguous(l.shape), order));
             return {apply_to(l.g, op::exp, {y}, turned)};
         }},
        {"sum", [](const lines& l, node_id x) -> sequence<node_id> { return {l.reduce(reduction::sum, x)}; }},
        {"windows",
         [](const lines& l, node_id x) -> sequence<node_id> {
             constexpr std::int64_t size = 5;
             if (l.shape[l.axis] < size || l.shape.size() == max_rank) return {l.reduce(reduction::sum, x)};
             layout at = contiguous(l.shape);
             at.shape[l.axis] -= size - 1;
             at.shape.push_back(size);
             at.strides.push_back(at.strides[l.axis]);
             const node_id windows = l.g.add_view(x, at);
             return {l.g.add_reduce(reduction::sum, windows, static_cast<std::uint8_t>(1 << l.shape.size()))};
         }},
        {"norm",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id s = l.reduce(reduction::sum, l.elementwise(op::square, {x}));
             return {apply_to(l.g, op::sqrt, {s}, kept_shape(l.shape, l.mask()))};
         }},
        {"extremes",
         [](const lines& l, node_id x) -> sequence<node_id> {
             return {l.reduce(reduction::max, x), l.reduce(reduction::argmax, x), l.reduce(reduction::min, x)};
         }},
        {"many",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id y = l.elementwise(op::square, {x}), z = l.elementwise(op::negative, {x});
             return {l.reduce(reduction::sum, x), l.reduce(reduction::sum, y), l.reduce(reduction::sum, z),
                     l.reduce(reduction::max, y), l.reduce(reduction::min, x)};
         }},
        {"variance",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id wide = l.g.add_cast(x, dtype::float64);
             return {l.reduce(reduction::first, wide), l.reduce(reduction::squares_from_first, wide),
                     l.reduce(reduction::sum, wide)};
         }},
        {"center",
         [](const lines& l, node_id x) -> sequence<node_id> {
             return {l.elementwise(op::subtract, {x, l.back(l.reduce(reduction::max, x))})};
         }},
        {"softmax",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id e =
                 l.elementwise(op::exp, {l.elementwise(op::subtract, {x, l.back(l.reduce(reduction::max, x))})});
             return {l.elementwise(op::divide, {e, l.back(l.reduce(reduction::sum, e))})};
         }},
        {"layer norm",
         [](const lines& l, node_id x) -> sequence<node_id> {
             const dims kept = kept_shape(l.shape, l.mask());
             const dtype t = l.g.nodes[x].type;
             node_id n = l.g.add_literal(scalar_value::of(static_cast<double>(l.shape[l.axis] ? l.shape[l.axis] : 1)));
             n = l.g.add_cast(n, t);
             node_id mean = apply_to(l.g, op::divide, {l.reduce(reduction::sum, x), n}, kept);
             node_id d = l.elementwise(op::subtract, {x, l.back(mean)});
             node_id v = apply_to(l.g, op::sqrt, {l.reduce(reduction::sum, l.elementwise(op::square, {d}))}, kept);
             return {l.elementwise(op::divide, {d, l.back(v)})};
         }},
        {"cumsum",
         [](const lines& l, node_id x) -> sequence<node_id> { return {l.g.add_scan(reduction::sum, x, l.mask())}; }},
        {"scans",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id s = l.g.add_scan(reduction::sum, l.elementwise(op::sin, {x}), l.mask());
             return {l.elementwise(op::multiply, {s, x}), l.g.add_scan(reduction::max, x, l.mask())};
         }},
        {"select",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id half = l.g.add_cast(l.g.add_literal(scalar_value::of(0.5)), l.g.nodes[x].type);
             return {l.g.add_select(l.elementwise(op::greater, {x, half}), x)};
         }},
        {"random",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id seed = l.g.add_scalar(scalar_value::of(std::uint64_t{1}));
             node_id stream = l.g.add_scalar(scalar_value::of(std::uint64_t{2}));
             node_id number = l.g.add_cast(l.g.add_index(l.shape), dtype::uint64);
             node_id words = l.elementwise(op::philox_32, {number, seed, stream});
             node_id u = l.g.add_cast(l.elementwise(op::unit_float, {words}), l.g.nodes[x].type);
             return {u, l.reduce(reduction::sum, u)};
         }},
        {"gather",
         [](const lines& l, node_id x) -> sequence<node_id> {
             node_id i = l.g.add_input(1, dtype::int64, {7});
             node_id t = l.g.add_gather(x, {&i, 1}, {static_cast<std::uint8_t>(l.mask()), 0});
             return {apply_to(l.g, op::exp, {t}, l.g.nodes[t].shape)};
         }},
    };
    return all;
}

/// Matrices, wide and tall, of lengths around every limit of a schedule; stacks of them.
inline const std::vector<dims>& shapes() {
    static const std::vector<dims> all{dims{1},
                                       dims{7},
                                       dims{1000},
                                       dims{1'000'003},
                                       dims{3, 5},
                                       dims{1000, 1},
                                       dims{1'000'000, 3},
                                       dims{3, 1'000'000},
                                       dims{100'000, 8},
                                       dims{100'003, 20},
                                       dims{100'000, 33},
                                       dims{50'000, 64},
                                       dims{30'000, 100},
                                       dims{10'000, 150},
                                       dims{10'000, 256},
                                       dims{9'999, 301},
                                       dims{5000, 512},
                                       dims{5000, 700},
                                       dims{3000, 1000},
                                       dims{3000, 1024},
                                       dims{3000, 1025},
                                       dims{2000, 3000},
                                       dims{1000, 4096},
                                       dims{1000, 4097},
                                       dims{500, 9001},
                                       dims{400, 16384},
                                       dims{300, 16385},
                                       dims{300, 20'001},
                                       dims{100, 50'257},
                                       dims{100, 131'072},
                                       dims{30, 400'001},
                                       dims{2, 3'000'000},
                                       dims{40'000, 40'000},
                                       dims{64, 64, 1000},
                                       dims{5, 300, 299},
                                       dims{70'000, 3, 5},
                                       dims{8, 8, 8, 4096},
                                       dims{0, 5},
                                       dims{5, 0}};
    return all;
}

struct device_row {
    const char* name;
    family_schedule family;
};

inline const std::vector<device_row>& devices() {
    static const std::vector<device_row> all{{"data center", data_center_family},
                                             {"earlier data center", earlier_data_center_family},
                                             {"others", other_family},
                                             {"host", host_family}};
    return all;
}

/// Calls visit(kernel) for every kernel of one computation along an axis of a matrix.
template <class Visit>
void each_kernel_of(const std::string& name, const dims& shape, int axis, dtype type, const fusion_limits& limits,
                    Visit visit) {
    for (const computation& c : computations()) {
        if (c.name != name) continue;
        graph g;
        node_id x = g.add_input(0, type, shape);
        g.roots = c.roots({g, shape, axis}, x);
        for (const kernel& k : fuse(g, {false, false}, limits).kernels) visit(k);
    }
}

/// Calls visit(name, kernel) for every kernel of those computations in the grid; of all without names.
template <class Visit>
void each_kernel(const device_row& on, const std::set<std::string>& wanted, Visit visit) {
    for (const computation& c : computations())
        for (const dims& shape : shapes())
            for (int axis = 0; axis < shape.size(); ++axis)
                for (dtype type : {dtype::float32, dtype::float64, dtype::float16}) {
                    const std::string name = c.name;
                    if (!wanted.empty() && !wanted.contains(name)) continue;
                    if (type != dtype::float32 && shape.size() > 2) continue;
                    if (shape[axis] == 0 && (name == "extremes" || name == "gather")) continue;
                    for (std::int64_t row_length : {fusion_limits{}.row_length, std::int64_t{1} << 40}) {
                        int number = 0;
                        each_kernel_of(name, shape, axis, type, {.row_length = row_length, .family = on.family},
                                       [&](const kernel& k) {
                                           visit(name + " " + to_string(shape) + " along " + std::to_string(axis) +
                                                     " of " + std::string(to_string(type)) +
                                                     (row_length > 20000 ? ", long rows" : "") + ", kernel " +
                                                     std::to_string(number++),
                                                 k);
                                       });
                    }
                }
}

}  // namespace kernel_grid
