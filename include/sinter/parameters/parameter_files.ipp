// Bodies of parameter_files.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/base/search.hpp>
#include <sinter/parameters/parameter_files.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE parameter_names::parameter_names(std::vector<std::string> names, std::string path)
    : names_(std::move(names)), path_(std::move(path)) {
    std::sort(names_.begin(), names_.end());
}

// Whether an array has this name, or one that goes on behind it.
SINTER_INLINE bool parameter_names::has_below(const std::string& name) const {
    if (std::binary_search(names_.begin(), names_.end(), name)) return true;
    const auto next = std::lower_bound(names_.begin(), names_.end(), name + ".");
    return next != names_.end() && next->starts_with(name + ".");
}

SINTER_INLINE std::size_t parameter_names::count_elements(const parameter_place& list) const {
    const std::string start = list.above ? list.text() + "." : std::string();
    std::size_t count = 0;
    while (has_below(start + std::to_string(count))) ++count;
    for (const std::string& n : names_) {
        if (!n.starts_with(start)) continue;
        const std::string number = n.substr(start.size(), n.find('.', start.size()) - start.size());
        const bool is_number =
            !number.empty() && number.size() < 10 &&
            codegen::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (is_number && std::stoul(number) >= count)
            throw io_error("[load] " + path_ + " has '" + n + "', but no '" + start + std::to_string(count) + "'");
    }
    return count;
}

SINTER_INLINE void parameter_names::require(const std::string& name) const {
    if (!std::binary_search(names_.begin(), names_.end(), name))
        throw io_error("[load] " + path_ + " has no array '" + name + "'");
}

}  // namespace sinter::inline SINTER_ABI::detail
