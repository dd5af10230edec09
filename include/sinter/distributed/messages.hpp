// What ranks send each other for a value: parts of it as bytes, with what was moved in words.
#pragma once

#include <sinter/distributed/session.hpp>
#include <sinter/parts/value_parts.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// Appends words to those that are remembered, which are the last ones.
void add_move(std::vector<std::string>& moves, const std::string& words);

/// A message to each rank, and one from each.
struct exchange_of_ranks {
    std::vector<std::int64_t> out_sizes, in_sizes;
    std::vector<char> out, in;

    explicit exchange_of_ranks(int ranks) : out_sizes(static_cast<std::size_t>(ranks)), in_sizes(out_sizes) {}
    /// To be called for one rank after the other.
    void send(int to, const handle& h);
    void expect(int from, const dims& shape, dtype type);
    /// By a collective, or where few ranks have something for each other by single messages.
    void run(const session_ref& s, std::string_view operation, std::vector<std::string>& moves,
             bool between_few = false);
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/messages.ipp>
#endif
