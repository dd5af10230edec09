// Bodies of call_place.hpp.
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <mutex>
#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/runtime/base/process/call_place.hpp>
#include <sinter/runtime/base/process/process.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const call_place* this_place() {
    static std::mutex& guard = *new std::mutex;
    static auto& numbers = *new codegen::text_map;
    static auto& places = *new codegen::sequence<const call_place*>;
    call_place here;
    _Unwind_Backtrace(
        [](_Unwind_Context* c, void* to) {
            constexpr std::size_t most = 48;
            auto& addresses = static_cast<call_place*>(to)->addresses;
            addresses.push_back(reinterpret_cast<void*>(_Unwind_GetIP(c)));
            return addresses.size() < most ? _URC_NO_REASON : _URC_END_OF_STACK;
        },
        &here);
    const std::string key(reinterpret_cast<const char*>(here.addresses.data()), here.addresses.size() * sizeof(void*));
    std::lock_guard lock(guard);
    const std::uint32_t known = numbers.find(key);
    if (known != codegen::number_map::none) return places[known];
    places.push_back(new call_place(std::move(here)));
    numbers.add(key, static_cast<std::uint32_t>(places.size() - 1));
    return places.back();
}

SINTER_COLD_BEGIN

/// A loaded file, and its addresses as addr2line wants them.
struct module_addresses {
    std::string file;
    argument_list addresses;
};

// Whether a file lies where the system has its libraries, as that of main's caller.
SINTER_INLINE bool is_of_system(std::string_view file) {
    if (file.starts_with("/usr/")) file.remove_prefix(4);
    return file.starts_with("/lib/") || file.starts_with("/lib32/") || file.starts_with("/lib64/");
}

// Those that may be the user's, in the order of the calls.
SINTER_INLINE codegen::sequence<module_addresses> modules_of(const call_place& place) {
    codegen::sequence<module_addresses> modules;
    for (void* address : place.addresses) {
        Dl_info found{};
        link_map* map = nullptr;
        // A return address is behind its call.
        const auto at = reinterpret_cast<std::uintptr_t>(address) - 1;
        if (!dladdr1(reinterpret_cast<void*>(at), &found, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP)) continue;
        const std::string file = *map->l_name ? map->l_name : "/proc/" + std::to_string(getpid()) + "/exe";
        if (is_of_system(file)) continue;
        auto* known = codegen::find_if(modules.begin(), modules.end(), [&](const auto& m) { return m.file == file; });
        if (known == modules.end()) {
            modules.push_back({file, {}});
            known = modules.end() - 1;
        }
        char text[32];
        std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(at - map->l_addr));
        known->addresses.push_back(text);
    }
    return modules;
}

// Whether a file is sinter's or the standard library's, or unknown.
SINTER_INLINE bool is_of_libraries(std::string_view file) {
    for (const char* part :
         {"include/sinter/", "runtime/sinter/", "codegen/sinter/", "/include/c++/", "??", "/sinter.hpp:"})
        if (file.find(part) != file.npos) return true;
    return false;
}

// The first line of addr2line's, as "/home/me/main.cpp:12 (discriminator 3)", that is the user's: "main.cpp:12".
SINTER_INLINE std::string first_line_of_user(std::string_view lines) {
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        line = line.substr(0, line.rfind(" (discriminator "));
        const std::size_t colon = line.rfind(':');
        if (is_of_libraries(line) || colon == line.npos) continue;
        if (line.find_first_not_of("0123456789", colon + 1) != line.npos || line.substr(colon) == ":0") continue;
        return std::string(line.substr(line.rfind('/') + 1));
    }
    return "";
}

SINTER_INLINE std::string line_of(const call_place& place) try {
    static std::mutex& guard = *new std::mutex;
    static auto& numbers = *new codegen::number_map;
    static auto& known = *new codegen::sequence<std::string>;
    std::lock_guard lock(guard);
    const auto fresh = static_cast<std::uint32_t>(known.size());
    const std::uint32_t number = numbers.add(reinterpret_cast<std::uintptr_t>(&place), fresh);
    if (number != fresh) return known[number];
    known.push_back("");
    std::string& line = known.back();
    for (const module_addresses& m : modules_of(place)) {
        argument_list arguments{"addr2line", "-i", "-e", m.file};
        arguments.append(m.addresses.begin(), m.addresses.end());
        std::string lines;
        if (find_program(arguments[0]).empty()) break;
        if (may_have_succeeded(run_process(arguments, 1, lines, 20))) line = first_line_of_user(lines);
        if (!line.empty()) break;
    }
    return line;
} catch (const std::exception&) {
    return "";  // the error that is being told must not be lost for its place
}

SINTER_INLINE std::string recorded_text(codegen::span<const recorded_place> places) {
    constexpr std::size_t most = 3;
    std::string text;
    codegen::sequence<std::string> told;
    for (const recorded_place& p : places) {
        std::string one = p.at ? line_of(*p.at) : "";
        if (!one.empty()) one = "at " + one;
        if (p.label) one += (one.empty() ? "in " : ", in ") + *p.label;
        if (one.empty() || codegen::find(told.begin(), told.end(), one) != told.end()) continue;
        if (told.size() == most) return text + ", and elsewhere)";
        text += (told.empty() ? " (recorded " : ", ") + one;
        told.push_back(one);
    }
    return told.empty() ? "" : text + ")";
}

SINTER_COLD_END

}  // namespace sinter::inline SINTER_ABI::runtime
