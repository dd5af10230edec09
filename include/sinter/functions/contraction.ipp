// Bodies of contraction.hpp.
#pragma once

#include <algorithm>
#include <cstdio>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/contraction.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE double contraction::count(std::string_view labels) const {
    double n = 1;
    for (char c : labels) n *= static_cast<double>(sizes[static_cast<int>(c)]);
    return n;
}

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

SINTER_INLINE contraction parsed(std::string_view subscripts, codegen::span<const handle> operands) {
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
            if (codegen::count(used.begin(), used.end(), static_cast<char>(l)) == 1) c.output += static_cast<char>(l);
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
            const double own = cost[part] + cost[set ^ part], product = c.count(all);
            if (split[set] == 0 || own + product < cost[set]) {
                cost[set] = own + product;
                split[set] = part;
            }
        }
    }
    return split;
}

SINTER_INLINE contraction parsed_subscripts(std::string_view subscripts, codegen::span<const handle> operands) {
    constexpr std::size_t most = 12;
    if (operands.size() > most)
        throw value_error("[einsum] more than twelve operands: " + std::to_string(operands.size()));
    return parsed(subscripts, operands);
}

// The steps below a set of operands, of which `left` are there; and what they take.
SINTER_INLINE void add_steps(const contraction& c, const codegen::sequence<std::uint32_t>& split, std::uint32_t set,
                             codegen::sequence<std::uint32_t>& left, contraction_path& path) {
    if (!(set & (set - 1))) return;
    const std::uint32_t parts[] = {split[set], set ^ split[set]};
    for (std::uint32_t part : parts) add_steps(c, split, part, left, path);
    std::string all = labels_of(c, parts[0]);
    for (char l : labels_of(c, parts[1]))
        if (all.find(l) == all.npos) all += l;
    path.in_steps += c.count(all);
    path.largest = std::max(path.largest, c.count(labels_of(c, set)));
    std::vector<int> step;
    for (std::uint32_t part : parts)
        step.push_back(static_cast<int>(codegen::find(left.begin(), left.end(), part) - left.begin()));
    std::sort(step.begin(), step.end());
    for (auto i = step.rbegin(); i != step.rend(); ++i) left.erase(left.begin() + *i);
    left.push_back(set);
    path.steps.push_back(std::move(step));
}

SINTER_INLINE contraction_path path_of_einsum(std::string_view subscripts, codegen::span<const handle> operands) {
    const contraction c = parsed_subscripts(subscripts, operands);
    codegen::sequence<std::uint32_t> left;
    std::string all;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        left.push_back(1u << i);
        for (char l : c.operands[i].labels)
            if (all.find(l) == all.npos) all += l;
    }
    contraction_path path;
    path.at_once = c.count(all) * std::max(1.0, static_cast<double>(operands.size()) - 1);
    add_steps(c, best_splits(c), (1u << operands.size()) - 1, left, path);
    if (operands.size() != 1) return path;
    path.steps.push_back({0});
    path.in_steps = path.at_once;
    path.largest = c.count(c.output);
    return path;
}

SINTER_INLINE std::string text_of_path(std::string_view subscripts, const contraction_path& path) {
    auto number_text = [](double v) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.6g", v);
        return std::string(digits);
    };
    std::string text = "einsum " + std::string(subscripts) + ": " + number_text(path.in_steps) +
                       " multiplications, at once " + number_text(path.at_once) + "; the largest product has " +
                       number_text(path.largest) + " elements; steps";
    for (const std::vector<int>& step : path.steps) {
        text += " (" + std::to_string(step[0]);
        for (std::size_t i = 1; i < step.size(); ++i) text += ", " + std::to_string(step[i]);
        text += ")";
    }
    return text;
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
