// How CPUs select of rows by order: loops over a part of a row, which threads share out; must not know threads.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What orders an element: its key, and of equal ones where it stands.
struct candidate {
    std::uint64_t key;
    std::int64_t place;
};

/// Where the first `t.count` of the elements [begin, end) of a row stand, in order; or of those at `places`, if given.
void select_first_on_host(const selection_task& t, const char* row, const std::int64_t* places, std::int64_t begin,
                          std::int64_t end, std::int64_t* to);

/// What is known of the element of a rank: the digits of its key above `shift`, and its rank among the elements that
/// begin with them, of which `left` are left.
struct host_target {
    std::uint64_t known = 0;
    int shift = 64;
    std::int64_t rank = 0, left = 0;

    bool begins(std::uint64_t key) const { return shift == 64 || key >> shift == known; }
};

/// Of how many digits, of 11 bits each, a key is.
constexpr int digits_of_host_key(dtype t) { return (8 * size_of(t) + 10) / 11; }
inline constexpr int values_of_host_digit = 2048;
/// So many candidates of a rank are looked at in their order.
inline constexpr std::int64_t host_candidates = 4096;

/// Adds to `counts` how often each value of the next digit occurs among the elements [begin, end) that begin so.
void count_digit_on_host(dtype t, const char* row, std::int64_t begin, std::int64_t end, const host_target& target,
                         std::int64_t* counts);
/// The next digit from such counts.
void add_digit_on_host(dtype t, const std::int64_t* counts, host_target& target);
/// The number of the element of a target's rank.
std::int64_t find_rank_on_host(dtype t, const char* row, std::int64_t length, const host_target& target);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/selection_host.ipp>
#endif
