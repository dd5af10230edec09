// Reads every environment variable of the library, once; must not act on any of them.
#pragma once

#include <cstdint>
#include <optional>
#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// One SINTER_* variable as it was found.
struct environment_variable {
    const char* name;
    const char* meaning;
    std::optional<std::string> value;
};

/// What compilers make of a kernel that takes them long: full code; quick code and later the full one in its place; or
/// quick code alone.
enum class code_tiers { full, both, quick };

/// What the environment asked for; empty strings mean "not set".
struct environment {
    std::string backend;                  ///< SINTER_BACKEND: cuda, host or interpreter
    std::string cache_dir;                ///< SINTER_CACHE_DIR
    std::string cxx;                      ///< SINTER_CXX
    std::string show;                     ///< SINTER_SHOW: some of ir, schedule, source, launch, separated by commas
    std::string record;                   ///< SINTER_RECORD
    std::string pack;                     ///< SINTER_PACK
    std::string trace;                    ///< SINTER_TRACE
    bool check = false;                   ///< SINTER_CHECK
    bool tf32 = false;                    ///< SINTER_TF32
    code_tiers tiers = code_tiers::both;  ///< SINTER_TIERS
    std::optional<std::uint64_t> seed;    ///< SINTER_SEED
    std::int64_t compile_timeout = 600;   ///< SINTER_COMPILE_TIMEOUT, in seconds; 0: none

    std::string home, xdg_cache_home, search_path, temporary_dir, cuda_home, cuda_path;  ///< the system's own

    codegen::sequence<environment_variable> variables;  ///< all SINTER_* variables, in the documentation's order

    /// Is `what` (ir, schedule, source or launch) listed in SINTER_SHOW?
    bool shows(std::string_view what) const;
};

/// Reads an environment through `lookup` (std::getenv's meaning); value_error names a malformed variable and its value.
environment parse_environment(const char* (*lookup)(const char*));

/// Whether the environment is that of a user who has fewer rights than the program, as in set-user-id programs: it must
/// not decide what is run, read or written.
bool is_environment_foreign();

/// The process's environment as it was at the first call, empty when it is foreign; throws value_error as long as a
/// variable is malformed.
const environment& env();

/// Every SINTER_* variable with its meaning and value, for show_config.
const codegen::sequence<environment_variable>& environment_variables();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/environment.ipp>
#endif
