// Bodies of record_products.hpp.
#pragma once

#include <algorithm>
#include <sinter/array/matrix_products.hpp>
#include <sinter/codegen/fuse/library_layouts.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/library/tensor/cutensor.hpp>
#include <sinter/array/precision.hpp>
#include <sinter/functions/contraction.hpp>
#include <sinter/functions/record_products.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

// The operand with its axes in the order of labels, those that it lacks of size one.
SINTER_INLINE handle aligned(const labelled& o, std::string_view labels) {
    layout from = codegen::contiguous(o.value->shape), to;
    for (char c : labels) {
        const std::size_t i = o.labels.find(c);
        to.shape.push_back(i == o.labels.npos ? 1 : from.shape[static_cast<int>(i)]);
        to.strides.push_back(i == o.labels.npos ? 0 : from.strides[static_cast<int>(i)]);
    }
    return record_view(o.value, to);
}

SINTER_INLINE labelled summed(const labelled& o, std::string_view kept) {
    std::uint8_t axes = 0;
    std::string labels;
    for (std::size_t i = 0; i < o.labels.size(); ++i)
        if (kept.find(o.labels[i]) == kept.npos) axes = static_cast<std::uint8_t>(axes | 1 << i);
        else labels += o.labels[i];
    if (!axes) return o;
    const auto how = o.value->type == dtype::bool_ ? codegen::reduction::any : codegen::reduction::sum;
    return {record_cast(record_reduce(how, o.value, axes, false), o.value->type), labels};
}

/// The labels of two operands' axes: of both and the result, of one of them and the result, and those that are summed.
struct label_groups {
    std::string stack, left, right, inner;
};

// Whether matrices are where an operand lies that lies by its own axes; by its labels alone, so that no bit depends on
// where it does.
SINTER_INLINE bool has_matrices(const contraction& c, const labelled& o, const std::string& stack,
                                const std::string& rows, const std::string& columns) {
    const layout from = codegen::contiguous(o.value->shape);
    layout to;
    for (char l : stack + rows + columns) {
        const auto i = static_cast<int>(o.labels.find(l));
        to.shape.push_back(from.shape[i]);
        to.strides.push_back(from.strides[i]);
    }
    const std::optional<layout> matrices =
        codegen::reshaped(to, {c.product(stack), c.product(rows), c.product(columns)});
    return matrices && codegen::is_matrix_layout(*matrices);
}

// A library of contractions multiplies what a library of matrices would have to be given in another order.
SINTER_INLINE bool is_for_contract(const contraction& c, const labelled& a, const labelled& b, const label_groups& g) {
    const std::string all = g.stack + g.left + g.right + g.inner;
    if (static_cast<int>(all.size()) > max_rank || c.product(all) == 0) return false;
    if (codegen::kind_rank(a.value->type) < 2) return false;
    if (has_matrices(c, a, g.stack, g.left, g.inner) && has_matrices(c, b, g.stack, g.inner, g.right)) return false;
    // Which cuTENSOR does not compute, and cuBLAS does.
    if (codegen::is_complex(a.value->type) && c.in == precision::bf16) return false;
    return has_products(a.value->type, a.value->where) && runtime::cutensor_available(a.value->where);
}

// The result lies as what comes of it wants it, if that is known.
SINTER_INLINE labelled contracted_as_they_lie(const contraction& c, const labelled& a, const labelled& b,
                                              const label_groups& g, std::string_view kept) {
    std::string labels;
    for (char l : kept)
        if ((a.has(l) || b.has(l)) && labels.find(l) == labels.npos) labels += l;
    const handle x = aligned(a, labels + g.inner), y = aligned(b, labels + g.inner);
    runtime::statement s;
    runtime::use_calls();
    s.kind = runtime::statement_kind::call;
    s.call = {codegen::routine::contract, usable_precision(c.in, x->type, x->where)};
    s.call.why = codegen::purpose_of(c.operation);
    s.inputs = {x.get(), y.get()};
    dims shape;
    for (char l : labels) shape.push_back(c.sizes[static_cast<int>(l)]);
    const device where = device_of(c.operation, s.inputs);
    return {runtime::make_pending(x->type, shape, where, std::move(s)), labels};
}

// Two operands multiplied; labels that are not kept are summed over. By a matrix product where there are rows and
// columns to it.
SINTER_INLINE labelled contracted(const contraction& c, const labelled& given_a, const labelled& given_b,
                                  std::string_view kept) {
    std::string for_a = given_b.labels + std::string(kept), for_b = given_a.labels + std::string(kept);
    const labelled a = summed(given_a, for_a), b = summed(given_b, for_b);
    label_groups groups;
    auto& [stack, left, right, inner] = groups;
    for (char l : a.labels) (!b.has(l) ? left : kept.find(l) != kept.npos ? stack : inner) += l;
    for (char l : b.labels)
        if (!a.has(l)) right += l;
    const std::string labels = stack + left + right;
    const std::int64_t s = c.product(stack), m = c.product(left), n = c.product(right), k = c.product(inner);
    const bool is_matrix =
        !inner.empty() && m > 1 && n > 1 &&
        (codegen::kind_rank(a.value->type) >= 2 || has_tiles(a.value->type, a.value->where, s, m, n, k));
    if (!is_matrix) {
        const std::string all = labels + inner;
        if (static_cast<int>(all.size()) > max_rank)
            throw shape_error("[" + std::string(c.operation) + "] a product has more than eight axes: " + all);
        handle pair[] = {record_widened(aligned(a, all)), record_widened(aligned(b, all))};
        const auto o = a.value->type == dtype::bool_ ? codegen::op::logical_and : codegen::op::multiply;
        labelled sums = summed({record_apply(o, pair), all}, labels);
        return {record_cast(sums.value, a.value->type), sums.labels};
    }
    if (is_for_contract(c, a, b, groups)) return contracted_as_they_lie(c, a, b, groups, kept);
    handle x = record_reshape(aligned(a, stack + left + inner), {s, m, k}),
           y = record_reshape(aligned(b, stack + inner + right), {s, k, n});
    dims shape;
    for (char l : labels) shape.push_back(c.sizes[static_cast<int>(l)]);
    if (s == 1) {
        x = record_reshape(x, {m, k});
        y = record_reshape(y, {k, n});
    }
    return {record_reshape(record_matmul(x, y, c.in, c.operation), shape), labels};
}

SINTER_INLINE labelled contract_set(const contraction& c, const codegen::sequence<std::uint32_t>& split,
                                    std::uint32_t set) {
    if (!(set & (set - 1))) return c.operands[static_cast<std::size_t>(__builtin_ctz(set))];
    return contracted(c, contract_set(c, split, split[set]), contract_set(c, split, set ^ split[set]),
                      needed_outside(c, set));
}

SINTER_INLINE handle record_einsum(std::string_view operation, std::string_view subscripts,
                                   codegen::span<const handle> operands, precision in) {
    contraction c = parsed_subscripts(subscripts, operands);
    c.in = in;
    c.operation = operation;
    labelled r = contract_set(c, best_splits(c), (1u << operands.size()) - 1);
    r = summed(r, c.output);
    dims shape;
    for (char l : c.output) shape.push_back(c.sizes[static_cast<int>(l)]);
    return record_broadcast("einsum", aligned(r, c.output), shape);
}

SINTER_INLINE handle record_tensordot(std::string_view operation, const handle& a, const handle& b, const dims& axes_a,
                                      const dims& axes_b, precision in) {
    const int p = a->shape.size(), q = b->shape.size();
    const std::string name = "[" + std::string(operation) + "] ";
    if (axes_a.size() != axes_b.size())
        throw value_error(name + "as many axes of both operands: " + to_string(axes_a) + " and " + to_string(axes_b));
    std::string left(static_cast<std::size_t>(p), ' '), right(static_cast<std::size_t>(q), ' '), output;
    char next = 'a';
    for (int i = 0; i < axes_a.size(); ++i, ++next) {
        const int x = codegen::normalize_axis(operation, axes_a[i], p),
                  y = codegen::normalize_axis(operation, axes_b[i], q);
        if (a->shape[x] != b->shape[y])
            throw shape_error(name + "sizes differ: axis " + std::to_string(x) + " of " + to_string(a->shape) +
                              " and axis " + std::to_string(y) + " of " + to_string(b->shape));
        if (left[static_cast<std::size_t>(x)] != ' ' || right[static_cast<std::size_t>(y)] != ' ')
            throw value_error(name + "an axis is named twice: " + to_string(axes_a) + " and " + to_string(axes_b));
        left[static_cast<std::size_t>(x)] = right[static_cast<std::size_t>(y)] = next;
    }
    for (std::string* labels : {&left, &right})
        for (char& c : *labels)
            if (c == ' ') output += c = next++;
    if (static_cast<int>(output.size()) > max_rank)
        throw shape_error(name + "the result has more than eight axes: " + to_string(a->shape) + " and " +
                          to_string(b->shape));
    const handle operands[] = {a, b};
    return record_einsum(operation, left + "," + right + "->" + output, operands, in);
}

SINTER_INLINE handle record_kron(const handle& a, const handle& b) {
    const int r = std::max(a->shape.size(), b->shape.size());
    if (2 * r > max_rank)
        throw shape_error("[kron] more than four axes: " + to_string(a->shape) + " and " + to_string(b->shape));
    dims left, right, shape;
    for (int i = 0; i < r; ++i) {
        const int p = i - (r - a->shape.size()), q = i - (r - b->shape.size());
        left.push_back(p < 0 ? 1 : a->shape[p]);
        left.push_back(1);
        right.push_back(1);
        right.push_back(q < 0 ? 1 : b->shape[q]);
        shape.push_back(left[2 * i] * right[2 * i + 1]);
    }
    handle pair[] = {record_reshape(a, left), record_reshape(b, right)};
    return record_reshape(
        record_apply(a->type == dtype::bool_ ? codegen::op::logical_and : codegen::op::multiply, pair), shape);
}

SINTER_INLINE handle multiply_chain(const codegen::sequence<handle>& m, const codegen::sequence<int>& split, int first,
                                    int last) {
    const int n = static_cast<int>(m.size());
    if (first == last) return m[static_cast<std::size_t>(first)];
    const int at = split[static_cast<std::size_t>(first * n + last)];
    return record_matmul(multiply_chain(m, split, first, at), multiply_chain(m, split, at + 1, last),
                         default_precision(), "multi_dot");
}

SINTER_INLINE handle record_multi_dot(codegen::span<const handle> matrices) {
    const int n = static_cast<int>(matrices.size());
    if (n == 0) throw value_error("[multi_dot] there is nothing to multiply");
    codegen::sequence<handle> m(matrices.begin(), matrices.end());
    const bool row = m[0]->shape.size() == 1, column = m.back()->shape.size() == 1 && n > 1;
    if (row) m[0] = record_reshape(m[0], {1, m[0]->shape[0]});
    if (column) m.back() = record_reshape(m.back(), {m.back()->shape[0], 1});
    for (int i = 0; i < n; ++i) {
        const handle& x = m[static_cast<std::size_t>(i)];
        if (x->shape.size() != 2) throw shape_error("[multi_dot] an operand is no matrix: " + to_string(x->shape));
        if (i > 0 && m[static_cast<std::size_t>(i) - 1]->shape[1] != x->shape[0])
            throw shape_error("[multi_dot] inner dimensions differ: " +
                              to_string(m[static_cast<std::size_t>(i) - 1]->shape) + " x " + to_string(x->shape));
    }
    codegen::sequence<double> cost(static_cast<std::size_t>(n * n), 0);
    codegen::sequence<int> split(static_cast<std::size_t>(n * n), 0);
    for (int length = 1; length < n; ++length)
        for (int i = 0; i + length < n; ++i) {
            const int j = i + length;
            const std::size_t at = static_cast<std::size_t>(i * n + j);
            for (int k = i; k < j; ++k) {
                const double own = cost[static_cast<std::size_t>(i * n + k)] +
                                   cost[static_cast<std::size_t>((k + 1) * n + j)] +
                                   double(m[static_cast<std::size_t>(i)]->shape[0]) *
                                       double(m[static_cast<std::size_t>(k)]->shape[1]) *
                                       double(m[static_cast<std::size_t>(j)]->shape[1]);
                if (k == i || own < cost[at]) {
                    cost[at] = own;
                    split[at] = k;
                }
            }
        }
    handle product = multiply_chain(m, split, 0, n - 1);
    dims shape;
    if (!row) shape.push_back(product->shape[0]);
    if (!column) shape.push_back(product->shape[1]);
    return record_reshape(product, shape);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
