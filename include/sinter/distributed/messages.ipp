// Bodies of messages.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/distributed/messages.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void add_move(std::vector<std::string>& moves, const std::string& words) {
    constexpr std::size_t remembered = 16;
    if (words.empty()) return;
    if (moves.size() == remembered) moves.erase(moves.begin());
    moves.push_back(words);
}

SINTER_INLINE void exchange_of_ranks::send(int to, const handle& h) {
    out_sizes[static_cast<std::size_t>(to)] = h->bytes();
    append_elements(out, h);
}

SINTER_INLINE void exchange_of_ranks::expect(int from, const dims& shape, dtype type) {
    in_sizes[static_cast<std::size_t>(from)] = shape.product() * codegen::size_of(type);
}

SINTER_INLINE void exchange_of_ranks::run(const session_ref& s, std::string_view operation,
                                          std::vector<std::string>& moves, bool between_few) {
    std::string words;
    in = between_few ? s->exchange(operation, out, out_sizes, in_sizes, words)
                     : s->all_to_all(operation, out, out_sizes, in_sizes, words);
    add_move(moves, words);
}

}  // namespace sinter::inline SINTER_ABI::detail
