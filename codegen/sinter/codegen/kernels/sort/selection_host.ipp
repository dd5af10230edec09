// Bodies of selection_host.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/codegen/kernels/sort/selection_host.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// The keys of elements as bits: unsigned numbers that order as the elements do; of floating ones all NaN are equal and
// last, and -0.0 equals 0.0.
template <class Word, bool IsFloating>
struct host_keys {
    Word flip;  ///< what a key differs in from the element, or from what orders a floating one

    Word of(Word x) const {
        if constexpr (IsFloating) {
            constexpr int bits = 8 * sizeof(Word);
            constexpr Word sign = Word{1} << (bits - 1),
                           infinity = bits == 64 ? Word(0x7ff0000000000000) : Word(0x7f800000);
            const Word size = x & ~sign, negative = x & sign ? ~Word{0} : Word{0};
            x = size > infinity ? ~Word{0} : static_cast<Word>(((size ^ negative) - negative) ^ sign);
        }
        return static_cast<Word>(x ^ flip);
    }
};

template <class Word, class Run>
auto with_host_words(dtype t, bool descending, Run run) {
    const Word complement = descending ? static_cast<Word>(~Word{0}) : Word{0};
    if constexpr (sizeof(Word) >= 4)
        if (is_floating(t)) return run(host_keys<Word, true>{complement});
    const auto sign = static_cast<Word>(kind_of(t) == 'i' ? Word{1} << (8 * sizeof(Word) - 1) : 0);
    return run(host_keys<Word, false>{static_cast<Word>(complement ^ sign)});
}

// Calls `run` with the keys of a type, and with a word that its elements are.
template <class Run>
auto with_host_keys(dtype t, bool descending, Run run) {
    switch (size_of(t)) {
        case 1: return with_host_words<std::uint8_t>(t, descending, run);
        case 2: return with_host_words<std::uint16_t>(t, descending, run);
        case 4: return with_host_words<std::uint32_t>(t, descending, run);
        default: return with_host_words<std::uint64_t>(t, descending, run);
    }
}

template <class Word, bool IsFloating>
Word host_key(const host_keys<Word, IsFloating>& keys, const char* row, std::int64_t i) {
    Word x;
    std::memcpy(&x, row + i * static_cast<std::int64_t>(sizeof x), sizeof x);
    return keys.of(x);
}

SINTER_INLINE bool comes_first(const candidate& a, const candidate& b) {
    return a.key < b.key || (a.key == b.key && a.place < b.place);
}

// The candidates so far: where they are many, those that do not come first are left out, and so is from then on what
// comes behind the last of the others.
struct first_candidates {
    sequence<candidate> all;
    std::int64_t wanted;
    candidate last{~std::uint64_t{0}, INT64_MAX};

    void add(std::uint64_t key, std::int64_t place) {
        if (key > last.key || (key == last.key && place > last.place)) return;
        all.push_back({key, place});
        if (static_cast<std::int64_t>(all.size()) >= 4 * wanted + 1024) leave_out();
    }
    void leave_out() {
        if (static_cast<std::int64_t>(all.size()) <= wanted) return;
        std::nth_element(all.begin(), all.begin() + (wanted - 1), all.end(), comes_first);
        all.resize(static_cast<std::size_t>(wanted));
        last = all[static_cast<std::size_t>(wanted - 1)];
    }
};

SINTER_INLINE void select_first_on_host(const selection_task& t, const char* row, const std::int64_t* places,
                                        std::int64_t begin, std::int64_t end, std::int64_t* to) {
    first_candidates c{{}, t.count};
    with_host_keys(t.type, t.descending, [&](const auto& keys) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t place = places ? places[i] : i;
            c.add(host_key(keys, row, place), place);
        }
    });
    c.leave_out();
    std::sort(c.all.begin(), c.all.end(), comes_first);
    for (const candidate& found : c.all) *to++ = found.place;
}

SINTER_INLINE int next_shift(dtype t, const host_target& target) {
    return std::max(std::min(target.shift, 8 * size_of(t)) - 11, 0);
}

SINTER_INLINE void count_digit_on_host(dtype t, const char* row, std::int64_t begin, std::int64_t end,
                                       const host_target& target, std::int64_t* counts) {
    const int shift = next_shift(t, target);
    with_host_keys(t, false, [&](const auto& keys) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::uint64_t key = host_key(keys, row, i);
            if (target.begins(key)) ++counts[key >> shift & (values_of_host_digit - 1)];
        }
    });
}

SINTER_INLINE void add_digit_on_host(dtype t, const std::int64_t* counts, host_target& target) {
    const int shift = next_shift(t, target);
    // The last digit may have fewer bits that are new.
    const int bits = std::min(target.shift, 8 * size_of(t)) - shift;
    const std::uint64_t above = target.shift == 64 ? 0 : target.known << bits;
    const auto mask = static_cast<std::uint64_t>(values_of_host_digit - 1);
    for (std::uint64_t d = 0; d < std::uint64_t{1} << bits; ++d) {
        const std::uint64_t known = above | d;
        const std::int64_t same = counts[known & mask];
        if (target.rank < same) {
            target.known = known;
            target.shift = shift;
            target.left = same;
            return;
        }
        target.rank -= same;
    }
}

SINTER_INLINE std::int64_t find_rank_on_host(dtype t, const char* row, std::int64_t length, const host_target& target) {
    // Where all digits are known, equal elements come in the order in which they stand.
    const std::int64_t wanted = target.shift == 0 ? target.rank + 1 : target.left;
    sequence<candidate> found;
    with_host_keys(t, false, [&](const auto& keys) {
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < length && count < wanted; ++i) {
            const std::uint64_t key = host_key(keys, row, i);
            if (!target.begins(key)) continue;
            ++count;
            if (target.shift > 0 || count == wanted) found.push_back({key, i});
        }
    });
    if (target.shift == 0) return found.back().place;
    const auto at = found.begin() + target.rank;
    std::nth_element(found.begin(), at, found.end(), comes_first);
    return at->place;
}

}  // namespace sinter::inline SINTER_ABI::codegen
