// Bodies of topk_host.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/library/order/topk_host.hpp>

namespace sinter::inline SINTER_ABI::runtime {

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
        if (codegen::is_floating(t)) return run(host_keys<Word, true>{complement});
    const auto sign = static_cast<Word>(codegen::kind_of(t) == 'i' ? Word{1} << (8 * sizeof(Word) - 1) : 0);
    return run(host_keys<Word, false>{static_cast<Word>(complement ^ sign)});
}

// Calls `run` with the keys of a type, and with a word that its elements are.
template <class Run>
auto with_host_keys(dtype t, bool descending, Run run) {
    switch (codegen::size_of(t)) {
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

/// What orders an element: its key, and of equal ones where it stands.
struct candidate {
    std::uint64_t key;
    std::int64_t place;
};

SINTER_INLINE bool comes_first(const candidate& a, const candidate& b) {
    return a.key < b.key || (a.key == b.key && a.place < b.place);
}

// The candidates so far: where they are many, those that do not come first are left out, and so is from then on what
// comes behind the last of the others.
struct first_candidates {
    std::int64_t wanted;
    codegen::sequence<candidate> all{};
    candidate last{~std::uint64_t{0}, std::numeric_limits<std::int64_t>::max()};

    void add(const candidate& c) {
        if (comes_first(last, c)) return;
        all.push_back(c);
        if (static_cast<std::int64_t>(all.size()) >= 2 * wanted + 256) leave_out();
    }
    void leave_out() {
        if (static_cast<std::int64_t>(all.size()) <= wanted) return;
        std::nth_element(all.begin(), all.begin() + (wanted - 1), all.end(), comes_first);
        all.resize(static_cast<std::size_t>(wanted));
        last = all[static_cast<std::size_t>(wanted - 1)];
    }
};

// Few of a row's elements are candidates: so many at a time are compared with the last, in vectors, and passed over.
inline constexpr std::int64_t compared_at_once = 64;

template <class Keys>
void add_elements(const Keys& keys, const char* row, std::int64_t begin, std::int64_t end, first_candidates& c) {
    using word = decltype(keys.flip);
    while (begin < end) {
        const std::int64_t count = std::min(compared_at_once, end - begin);
        word x[compared_at_once] = {};
        std::memcpy(x, row + begin * static_cast<std::int64_t>(sizeof(word)),
                    static_cast<std::size_t>(count) * sizeof(word));
        const word last = static_cast<word>(c.last.key);
        word any = 0;
        for (word& k : x) {
            k = keys.of(k);
            any = static_cast<word>(any | static_cast<word>(k <= last));
        }
        for (std::int64_t i = 0; any && i < count; ++i) c.add({x[i], begin + i});
        begin += count;
    }
}

SINTER_INLINE void select_first_on_host(const codegen::selection_task& t, const char* row, const std::int64_t* places,
                                        std::int64_t begin, std::int64_t end, std::int64_t* to) {
    first_candidates c{t.count};
    with_host_keys(t.type, t.descending, [&](const auto& keys) {
        if (!places) return add_elements(keys, row, begin, end, c);
        for (std::int64_t i = begin; i < end; ++i) c.add({host_key(keys, row, places[i]), places[i]});
    });
    c.leave_out();
    std::sort(c.all.begin(), c.all.end(), comes_first);
    for (const candidate& found : c.all) *to++ = found.place;
}

}  // namespace sinter::inline SINTER_ABI::runtime
