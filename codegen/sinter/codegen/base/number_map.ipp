// Bodies of number_map.hpp.
#pragma once

#include <sinter/codegen/base/number_map.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::codegen {

// Where a key is, or the free place where it belongs.
SINTER_INLINE std::size_t number_map::place_of(std::uint64_t key) const {
    std::uint64_t mixed = key * 0x9E3779B97F4A7C15ull;
    std::size_t at = mixed ^ mixed >> 32;
    while (true) {
        const entry& e = entries_[at & (entries_.size() - 1)];
        if (e.number == none || e.key == key) return at & (entries_.size() - 1);
        ++at;
    }
}

SINTER_INLINE std::uint32_t number_map::find(std::uint64_t key) const {
    return entries_.empty() ? none : entries_[place_of(key)].number;
}

SINTER_INLINE std::uint32_t number_map::add(std::uint64_t key, std::uint32_t number) {
    if (2 * (used_ + 1) > entries_.size()) {
        sequence<entry> old(entries_.empty() ? 16 : 2 * entries_.size());
        old.swap(entries_);
        for (const entry& e : old)
            if (e.number != none) entries_[place_of(e.key)] = e;
    }
    entry& e = entries_[place_of(key)];
    if (e.number == none) {
        e = {key, number};
        ++used_;
    }
    return e.number;
}

SINTER_INLINE void number_map::clear() {
    for (entry& e : entries_) e = {};
    used_ = 0;
}

SINTER_INLINE std::uint32_t text_map::find(const std::string& key) const {
    std::uint32_t at = first_.find(std::hash<std::string>()(key));
    while (at != number_map::none && entries_[at].key != key) at = entries_[at].next;
    return at == number_map::none ? at : entries_[at].number;
}

SINTER_INLINE void text_map::add(const std::string& key, std::uint32_t number) {
    auto fresh = static_cast<std::uint32_t>(entries_.size());
    entry added{key, number, number_map::none};
    // What can fail comes first.
    entries_.make_room();
    std::uint32_t head = first_.add(std::hash<std::string>()(key), fresh);
    entries_.push_back(std::move(added));
    if (head == fresh) return;
    entries_[fresh].next = entries_[head].next;
    entries_[head].next = fresh;
}

}  // namespace sinter::inline SINTER_ABI::codegen
