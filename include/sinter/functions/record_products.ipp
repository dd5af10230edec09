// Bodies of record_products.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/precision.hpp>
#include <sinter/functions/record_products.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

/// An operand of a contraction, and the label of each of its axes, no label twice.
struct labelled {
    handle value;
    std::string labels;

    bool has(char c) const { return labels.find(c) != labels.npos; }
    std::int64_t size(char c) const { return value->shape[static_cast<int>(labels.find(c))]; }
};

/// A parsed einsum: an ellipsis' axes have the labels '0' to '7', aligned at their ends.
struct contraction {
    codegen::sequence<labelled> operands;
    std::string output;
    precision in = precision::highest;
    std::string_view operation = "einsum";  ///< that errors name
    std::int64_t sizes[128] = {};

    std::int64_t product(std::string_view labels) const {
        std::int64_t n = 1;
        for (char c : labels) n *= sizes[static_cast<int>(c)];
        return n;
    }
};

[[noreturn]] SINTER_INLINE void throw_subscripts(std::string_view what, std::string_view subscripts) {
    throw value_error("[einsum] " + std::string(what) + ": " + std::string(subscripts));
}

// The labels of one operand of a rank; an ellipsis stands for the axes that are left.
SINTER_INLINE std::string expanded(std::string_view term, int rank, std::string_view all) {
    std::string labels;
    int named = 0;
    const std::size_t dots = term.find("...");
    for (std::size_t i = 0; i < term.size(); ++i)
        if (i < dots || i >= dots + 3 || dots == term.npos) {
            const char c = term[i];
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) throw_subscripts("a label is a letter", all);
            ++named;
        }
    const int hidden = dots == term.npos ? 0 : rank - named;
    if (hidden < 0 || (dots == term.npos && rank != named))
        throw_subscripts("an operand of " + std::to_string(rank) + " axes has other subscripts", all);
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (i != dots) {
            labels += term[i];
            continue;
        }
        for (int k = hidden; k-- > 0;) labels += static_cast<char>('7' - k);
        i += 2;
    }
    return labels;
}

// An operand whose repeated labels are its diagonal.
SINTER_INLINE labelled with_diagonals(const handle& x, const std::string& labels, std::string_view all) {
    layout at = codegen::contiguous(x->shape), kept;
    std::string names;
    for (int i = 0; i < at.shape.size(); ++i) {
        const std::size_t known = names.find(labels[static_cast<std::size_t>(i)]);
        if (known == names.npos) {
            names += labels[static_cast<std::size_t>(i)];
            kept.shape.push_back(at.shape[i]);
            kept.strides.push_back(at.strides[i]);
            continue;
        }
        const int k = static_cast<int>(known);
        if (kept.shape[k] != at.shape[i])
            throw shape_error("[einsum] sizes of one label differ in " + std::string(all) + ": " + to_string(x->shape));
        kept.strides[k] += at.strides[i];
    }
    return {record_view(x, kept), names};
}

SINTER_INLINE void find_sizes(contraction& c, std::string_view all) {
    for (std::int64_t& n : c.sizes) n = -1;
    for (const labelled& o : c.operands)
        for (std::size_t i = 0; i < o.labels.size(); ++i) {
            std::int64_t& n = c.sizes[static_cast<int>(o.labels[i])];
            const std::int64_t own = o.value->shape[static_cast<int>(i)];
            if (n >= 0 && own != n && own != 1 && n != 1) {
                const bool is_hidden = o.labels[i] <= '9';
                throw shape_error(
                    "[einsum] sizes of " + (is_hidden ? "an axis of ..." : "label " + std::string(1, o.labels[i])) +
                    " differ in " + std::string(all) + ": " + std::to_string(n) + " and " + std::to_string(own));
            }
            if (n < 0 || n == 1) n = own;
        }
}

// Axes of size one that stand for a larger size are dropped: they are the same for all of it.
SINTER_INLINE void drop_broadcast(contraction& c) {
    for (labelled& o : c.operands) {
        dims shape;
        std::string labels;
        for (std::size_t i = 0; i < o.labels.size(); ++i) {
            const std::int64_t own = o.value->shape[static_cast<int>(i)];
            if (own == 1 && c.sizes[static_cast<int>(o.labels[i])] != 1) continue;
            shape.push_back(own);
            labels += o.labels[i];
        }
        if (labels.size() != o.labels.size()) o = {record_reshape(o.value, shape), labels};
    }
}

SINTER_INLINE contraction parsed(std::string_view subscripts, std::span<const handle> operands) {
    std::string text;
    for (char c : subscripts)
        if (c != ' ') text += c;
    contraction c;
    const std::size_t arrow = text.find("->");
    std::string_view rest = std::string_view(text).substr(0, arrow);
    std::string used;
    for (std::size_t i = 0;; ++i) {
        const std::size_t comma = rest.find(',');
        if (i >= operands.size()) throw_subscripts("more subscripts than operands", subscripts);
        const std::string labels = expanded(rest.substr(0, comma), operands[i]->shape.size(), subscripts);
        used += labels;
        c.operands.push_back(with_diagonals(operands[i], labels, subscripts));
        if (comma == rest.npos) break;
        rest = rest.substr(comma + 1);
    }
    if (c.operands.size() != operands.size()) throw_subscripts("fewer subscripts than operands", subscripts);
    find_sizes(c, subscripts);
    drop_broadcast(c);
    std::string hidden;
    for (char l = '0'; l <= '7'; ++l)
        if (used.find(l) != used.npos) hidden += l;
    if (arrow == text.npos) {
        c.output = hidden;
        for (int l = 'A'; l <= 'z'; ++l)
            if (std::count(used.begin(), used.end(), static_cast<char>(l)) == 1) c.output += static_cast<char>(l);
        return c;
    }
    const std::string output = text.substr(arrow + 2);
    const std::size_t dots = output.find("...");
    c.output = dots == output.npos ? output : output.substr(0, dots) + hidden + output.substr(dots + 3);
    for (std::size_t i = 0; i < c.output.size(); ++i)
        if (used.find(c.output[i]) == used.npos || c.output.find(c.output[i], i + 1) != output.npos)
            throw_subscripts("the output has a label twice, or one that no operand has", subscripts);
    return c;
}

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

// Two operands multiplied; labels that are not kept are summed over. By a matrix product where there are rows and
// columns to it.
SINTER_INLINE labelled contracted(const contraction& c, const labelled& given_a, const labelled& given_b,
                                  std::string_view kept) {
    std::string for_a = given_b.labels + std::string(kept), for_b = given_a.labels + std::string(kept);
    const labelled a = summed(given_a, for_a), b = summed(given_b, for_b);
    std::string stack, left, right, inner;
    for (char l : a.labels) (!b.has(l) ? left : kept.find(l) != kept.npos ? stack : inner) += l;
    for (char l : b.labels)
        if (!a.has(l)) right += l;
    const std::string labels = stack + left + right;
    const bool is_matrix =
        codegen::kind_rank(a.value->type) >= 2 && !inner.empty() && c.product(left) > 1 && c.product(right) > 1;
    if (!is_matrix) {
        const std::string all = labels + inner;
        if (static_cast<int>(all.size()) > max_rank)
            throw shape_error("[" + std::string(c.operation) + "] a product has more than eight axes: " + all);
        handle pair[] = {record_widened(aligned(a, all)), record_widened(aligned(b, all))};
        const auto o = a.value->type == dtype::bool_ ? codegen::op::logical_and : codegen::op::multiply;
        labelled sums = summed({record_apply(o, pair), all}, labels);
        return {record_cast(sums.value, a.value->type), sums.labels};
    }
    const std::int64_t s = c.product(stack), m = c.product(left), n = c.product(right), k = c.product(inner);
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

// Labels that something besides the operands of a set needs.
SINTER_INLINE std::string needed_outside(const contraction& c, std::uint32_t set) {
    std::string needed = c.output;
    for (std::size_t i = 0; i < c.operands.size(); ++i)
        if (!(set >> i & 1)) needed += c.operands[i].labels;
    return needed;
}

// The labels of the product of a set of operands.
SINTER_INLINE std::string labels_of(const contraction& c, std::uint32_t set) {
    const std::string needed = needed_outside(c, set);
    std::string labels;
    for (std::size_t i = 0; i < c.operands.size(); ++i)
        for (char l : c.operands[i].labels)
            if ((set >> i & 1) && labels.find(l) == labels.npos && needed.find(l) != needed.npos) labels += l;
    return labels;
}

// The cheapest way to split each set of operands in two, by the multiplications that it takes.
SINTER_INLINE codegen::sequence<std::uint32_t> best_splits(const contraction& c) {
    const std::uint32_t sets = 1u << c.operands.size();
    codegen::sequence<double> cost(sets, 0);
    codegen::sequence<std::uint32_t> split(sets, 0);
    for (std::uint32_t set = 1; set < sets; ++set) {
        if (!(set & (set - 1))) continue;
        for (std::uint32_t part = (set - 1) & set; part; part = (part - 1) & set) {
            if (part < (set ^ part)) break;
            std::string all = labels_of(c, part);
            for (char l : labels_of(c, set ^ part))
                if (all.find(l) == all.npos) all += l;
            double own = cost[part] + cost[set ^ part], product = 1;
            for (char l : all) product *= static_cast<double>(c.sizes[static_cast<int>(l)]);
            if (split[set] == 0 || own + product < cost[set]) {
                cost[set] = own + product;
                split[set] = part;
            }
        }
    }
    return split;
}

SINTER_INLINE labelled contract_set(const contraction& c, const codegen::sequence<std::uint32_t>& split,
                                    std::uint32_t set) {
    if (!(set & (set - 1))) return c.operands[static_cast<std::size_t>(__builtin_ctz(set))];
    return contracted(c, contract_set(c, split, split[set]), contract_set(c, split, set ^ split[set]),
                      needed_outside(c, set));
}

SINTER_INLINE handle record_einsum(std::string_view operation, std::string_view subscripts,
                                   std::span<const handle> operands, precision in) {
    constexpr std::size_t most = 12;
    if (operands.size() > most)
        throw value_error("[einsum] more than twelve operands: " + std::to_string(operands.size()));
    contraction c = parsed(subscripts, operands);
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

SINTER_INLINE handle record_multi_dot(std::span<const handle> matrices) {
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
