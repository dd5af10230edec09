// Sums of products as Einstein writes them: their labels, and the order in which least is multiplied; must not know how
// products are computed.
#pragma once

#include <sinter/array/precision.hpp>
#include <sinter/array/record.hpp>

#include <string>
#include <vector>

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
    /// The same where it may be more than an integer holds.
    double count(std::string_view labels) const;
};

/// Parses the subscripts of at most twelve operands; throws value_error, shape_error.
contraction parsed_subscripts(std::string_view subscripts, codegen::span<const handle> operands);

/// Labels that something besides the operands of a set needs.
std::string needed_outside(const contraction& c, std::uint32_t set);

/// The cheapest way to split each set of operands in two, by the multiplications that it takes.
codegen::sequence<std::uint32_t> best_splits(const contraction& c);

/// Which of the operands that are left einsum multiplies in each step, what is made coming last, and how many
/// multiplications that takes, all at once and in these steps; and the elements of the largest product on the way.
struct contraction_path {
    std::vector<std::vector<int>> steps;
    double at_once = 0, in_steps = 0, largest = 0;
};
contraction_path path_of_einsum(std::string_view subscripts, codegen::span<const handle> operands);
std::string text_of_path(std::string_view subscripts, const contraction_path& path);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/functions/contraction.ipp>
#endif
