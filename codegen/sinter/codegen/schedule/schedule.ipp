// Bodies of schedule.hpp.
#pragma once

#include <sinter/codegen/schedule/schedule.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string key(const schedule& s) {
    std::string bytes;
    auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
#define SINTER_SCHEDULE_FIELD(type, name, ...) add(s.name);
#include <sinter/codegen/schedule/schedule.def>
#undef SINTER_SCHEDULE_FIELD
    return bytes;
}

SINTER_INLINE std::string_view to_string(mapping m) {
    switch (m) {
#define SINTER_MAPPING(name, backend, family, workspace, words) \
    case mapping::name: return words;
#include <sinter/codegen/schedule/mappings.def>
    }
    return "";
}

SINTER_INLINE workspace_kind workspace_of(mapping m) {
    switch (m) {
#define SINTER_MAPPING(name, backend, family, workspace, words) \
    case mapping::name: return workspace_kind::workspace;
#include <sinter/codegen/schedule/mappings.def>
    }
    return workspace_kind::none;
}

SINTER_INLINE bool takes_counters(mapping m) {
    const workspace_kind left = workspace_of(m);
    return left == workspace_kind::partial_results || left == workspace_kind::exchange;
}

SINTER_INLINE bool runs_on_host(mapping m) {
    enum class backend { cuda, host };
    switch (m) {
#define SINTER_MAPPING(name, where, ...) \
    case mapping::name: return backend::where == backend::host;
#include <sinter/codegen/schedule/mappings.def>
    }
    return false;
}

SINTER_INLINE bool is_map(mapping m) {
    enum class families { map, rows };
    switch (m) {
#define SINTER_MAPPING(name, backend, family, ...) \
    case mapping::name: return families::family == families::map;
#include <sinter/codegen/schedule/mappings.def>
    }
    return false;
}

// Words with a number in place of #, and a plural behind it made one where the number is.
SINTER_INLINE std::string counted_words(std::string_view words, int number) {
    const std::size_t at = words.find('#');
    std::string text(words);
    if (at == text.npos) return text;
    text.replace(at, 1, std::to_string(number));
    const std::size_t end = std::min(text.find(' ', at + 2), text.size());
    if (number == 1 && at == 0 && text[end - 1] == 's') text.erase(end - 1, 1);
    return text;
}

SINTER_INLINE std::string to_text(const schedule& s) {
    std::string text(to_string(s.map)), more;
    auto add = [&](auto value, auto initial, std::string_view words) {
        if (value == initial || words.empty()) return;
        more += more.empty() ? ": " : ", ";
        more += counted_words(words, static_cast<int>(value));
    };
#define SINTER_SCHEDULE_FIELD(type, name, initial, words) add(s.name, initial, words);
#include <sinter/codegen/schedule/schedule.def>
#undef SINTER_SCHEDULE_FIELD
    return text + more;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
