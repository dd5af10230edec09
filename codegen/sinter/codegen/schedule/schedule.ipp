// Bodies of schedule.hpp.
#pragma once

#include <sinter/codegen/schedule/schedule.hpp>

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
#define SINTER_MAPPING(name, backend, workspace, words) \
    case mapping::name: return words;
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
    }
    return "";
}

SINTER_INLINE workspace_kind workspace_of(mapping m) {
    switch (m) {
#define SINTER_MAPPING(name, backend, workspace, words) \
    case mapping::name: return workspace_kind::workspace;
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
    }
    return workspace_kind::none;
}

SINTER_INLINE bool runs_on_host(mapping m) {
    enum class backend { cuda, host };
    switch (m) {
#define SINTER_MAPPING(name, where, ...) \
    case mapping::name: return backend::where == backend::host;
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
    }
    return false;
}

SINTER_INLINE std::string to_text(const schedule& s) {
    std::string text(to_string(s.map)), more;
    auto add = [&](auto value, auto initial, std::string_view words) {
        if (value == initial || words.empty()) return;
        more += more.empty() ? ": " : ", ";
        for (char c : words) {
            if (c == '#') more += std::to_string(static_cast<int>(value));
            else more += c;
        }
    };
#define SINTER_SCHEDULE_FIELD(type, name, initial, words) add(s.name, initial, words);
#include <sinter/codegen/schedule/schedule.def>
#undef SINTER_SCHEDULE_FIELD
    return text + more;
}

}  // namespace sinter::inline SINTER_ABI::codegen
