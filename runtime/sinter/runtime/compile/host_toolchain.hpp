// Finds the system's C++ compiler and learns its inner commands once per machine; must not compile kernels itself.
#pragma once

#include <optional>
#include <sinter/codegen/base/config.hpp>
#include <sinter/runtime/base/process/process.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

/// A C++ compiler and, for g++, what its driver would run: both commands read descriptor 0, `assemble` writes 3.
struct host_toolchain {
    std::string compiler;                   ///< its path
    std::string version;                    ///< first line of --version
    argument_list compile, assemble, link;  ///< empty when only the driver can be used

    bool is_clang() const { return version.find("clang") != std::string::npos; }
    bool is_direct() const { return !compile.empty() && !assemble.empty() && !link.empty(); }
    std::string to_text() const;
    static std::optional<host_toolchain> from_text(std::string_view text);
};

/// The process's compiler, or nullptr with the places that were searched in `why`. It is searched again as long as
/// descriptors, processes or time were lacking for it.
const host_toolchain* find_host_toolchain(std::string* why = nullptr);

/// Options that every host kernel is compiled with, by g++ or by clang++; no option allows unsafe floating-point
/// transformations.
const argument_list& host_compile_options(bool by_clang);

/// What stands behind these for code that has equal bits and takes the compiler less: loops are vectorised only where
/// functions of the vector library are called.
const argument_list& host_quick_options(bool by_clang);

/// The same in less time, for texts in which nothing is a vector: loops stay loops whatever they call.
const argument_list& host_quick_loop_options(bool by_clang);

/// A hash of what -march=native depends on, because machines may share one cache folder.
const std::string& host_processor();

/// What /proc/cpuinfo says of the first processor in a field such as `flags`; empty where it has no such field.
std::string host_processor_field(std::string_view name);

/// Splits a command as `g++ -###` prints it: words in double quotes may hold spaces, a backslash protects one
/// character.
argument_list split_command(std::string_view line);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/host_toolchain.ipp>
#endif
