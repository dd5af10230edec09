// Bodies of environment.hpp.
#pragma once

#include <stdlib.h>
#include <sys/auxv.h>

#include <charconv>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/environment.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

[[noreturn]] SINTER_INLINE void throw_malformed(const char* name, const char* expected, const std::string& value) {
    throw value_error(codegen::joined({"[environment] ", name, " must be ", expected, ": \"", value, "\""}));
}

SINTER_INLINE bool parse_switch(const char* name, const std::string& value, const char* wanted = "0 or 1") {
    for (const char* yes : {"1", "on", "true", "yes"})
        if (value == yes) return true;
    for (const char* no : {"", "0", "off", "false", "no"})
        if (value == no) return false;
    throw_malformed(name, wanted, value);
}

SINTER_INLINE std::uint64_t parse_seed(const char* name, const std::string& value) {
    const bool hex = value.rfind("0x", 0) == 0;
    const char *begin = value.data() + (hex ? 2 : 0), *end = value.data() + value.size();
    std::uint64_t seed = 0;
    const auto [stop, failure] = std::from_chars(begin, end, seed, hex ? 16 : 10);
    if (failure != std::errc() || stop != end) throw_malformed(name, "an integer from 0 to 2**64 - 1", value);
    return seed;
}

SINTER_INLINE std::int64_t parse_seconds(const char* name, const std::string& value) {
    constexpr std::int64_t most = 1'000'000'000;
    const char* const end = value.data() + value.size();
    std::int64_t seconds = -1;
    const auto [stop, failure] = std::from_chars(value.data(), end, seconds);
    if (failure != std::errc() || stop != end || seconds < 0 || seconds > most)
        throw_malformed(name, "whole seconds from 0 to 10**9", value);
    return seconds;
}

SINTER_INLINE bool list_contains(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        if (list.substr(0, comma) == word) return true;
        list = comma == list.npos ? std::string_view() : list.substr(comma + 1);
    }
    return false;
}

SINTER_INLINE void check_show(const char* name, const std::string& value) {
    for (std::string_view rest = value; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        if (!list_contains("ir,schedule,source,launch", rest.substr(0, comma)))
            throw_malformed(name, "some of ir, schedule, source, launch, separated by commas", value);
        rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    }
}

SINTER_INLINE bool environment::shows(std::string_view what) const { return list_contains(show, what); }

SINTER_INLINE environment parse_environment(const char* (*lookup)(const char*)) {
    environment e;
    const auto read = [&](const char* name, const char* meaning) {
        const char* text = lookup(name);
        e.variables.push_back({name, meaning, text ? std::optional<std::string>(text) : std::nullopt});
        return std::string(text ? text : "");
    };
    const auto system = [&](const char* name) { return std::string(lookup(name) ? lookup(name) : ""); };

    e.backend = read("SINTER_BACKEND", "where to run: cuda, host or interpreter (default: the first that works)");
    if (!e.backend.empty() && !list_contains("cuda,host,interpreter", e.backend))
        throw_malformed("SINTER_BACKEND", "cuda, host or interpreter", e.backend);
    e.cache_dir = read("SINTER_CACHE_DIR", "folder of compiled kernels (default: ~/.cache/sinter)");
    const std::string seed = read("SINTER_SEED", "seed of the default random generator");
    if (!seed.empty()) e.seed = parse_seed("SINTER_SEED", seed);
    e.tf32 = parse_switch("SINTER_TF32", read("SINTER_TF32", "1: matrix products of float in TF32"));
    e.show = read("SINTER_SHOW", "print while running: some of ir, schedule, source, launch");
    check_show("SINTER_SHOW", e.show);
    e.cxx = read("SINTER_CXX", "C++ compiler of the host backend (default: g++, c++ or clang++)");
    const std::string timeout =
        read("SINTER_COMPILE_TIMEOUT", "seconds until a C++ compiler is stopped (default: 600)");
    if (!timeout.empty()) e.compile_timeout = parse_seconds("SINTER_COMPILE_TIMEOUT", timeout);
    const std::string tiers =
        read("SINTER_TIERS", "full: no kernel is compiled quickly first, quick: all are, and none fully later");
    if (tiers == "quick") e.tiers = code_tiers::quick;
    else if (tiers == "full" || (!tiers.empty() && !parse_switch("SINTER_TIERS", tiers, "full, quick, 0 or 1")))
        e.tiers = code_tiers::full;
    e.check = parse_switch("SINTER_CHECK", read("SINTER_CHECK", "1: verify every stage while running"));
    e.record = read("SINTER_RECORD", "pack to which the kernels that this run uses are added when it exits");
    e.pack = read("SINTER_PACK", "pack of recorded kernels, with which no compiler is needed");
    e.trace = read("SINTER_TRACE", "file that profiler::scope writes what happens to, in chrome's trace format");

    e.home = system("HOME");
    e.xdg_cache_home = system("XDG_CACHE_HOME");
    const char* const path = lookup("PATH");
    e.search_path = path ? path : "/usr/bin:/bin";
    e.temporary_dir = system("TMPDIR");
    e.cuda_home = system("CUDA_HOME");
    e.cuda_path = system("CUDA_PATH");
    return e;
}

SINTER_COLD_END

SINTER_INLINE bool is_environment_foreign() { return getauxval(AT_SECURE) != 0; }

SINTER_INLINE const environment& env() {
    static const environment& e =
        *new environment(parse_environment([](const char* name) -> const char* { return secure_getenv(name); }));
    return e;
}

SINTER_INLINE const codegen::sequence<environment_variable>& environment_variables() { return env().variables; }

}  // namespace sinter::inline SINTER_ABI::runtime
