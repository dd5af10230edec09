// Compiles host kernels with the system's C++ compiler; must not know what the kernels compute.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/runtime/base/process/process.hpp>
#include <sinter/runtime/compile/shared_image.hpp>
#include <sinter/runtime/device/device.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

struct host_toolchain;

/// Compiles C++20 text that includes nothing, with `more` behind the options of every kernel, into the bytes of a
/// shared object and counts one compiled kernel. Throws compile_error with the compiler's output and the numbered
/// source, or when the compiler has not ended within SINTER_COMPILE_TIMEOUT; device_error without a compiler. In a
/// stoppable_scope it counts none, and throws when it is stopped.
std::string compile_host(const std::string& source, const argument_list& more = {});

/// The same in half the time or less, for code of equal bits that takes several times as long; empty where less is
/// saved, unless SINTER_TIERS is `quick`, and where a compiler that is asked for less may call other functions.
std::string compile_host_quickly(const codegen::kernel_source& source, device where);

/// Which texts' quick code may come from one run of the compiler with a text's: those of the same number, none of 0.
int company_of(const std::string& source);

/// compile_host_quickly of several texts of one number by one run of the compiler, an image each; none where it refuses
/// them.
codegen::sequence<std::string> compile_host_together(codegen::span<const std::string* const> sources);

/// Is there a C++ compiler (SINTER_CXX, else g++, c++ or clang++ on PATH)? If not, `why` says where it was looked for.
bool host_compiler_available(std::string* why = nullptr);

/// Compiler, version, options and processor, for cache keys; without a compiler, those of the one used last here.
std::string host_compiler_identity();

/// The two ways of compile_host: the inner commands on files in memory, and the driver, which explains what it refuses;
/// `more` stands behind the options of every kernel.
bool compile_directly(const host_toolchain& tools, const std::string& source, std::string& image,
                      const argument_list& more = {});
bool compile_by_driver(const host_toolchain& tools, const std::string& source, std::string& image, std::string& log,
                       const argument_list& more = {});

/// Whether an object file leaves functions to others that are not the C library's own; also where it cannot be read.
bool needs_math_libraries(std::string_view object);

/// A text with its lines numbered from 1, for error messages.
std::string number_lines(std::string_view text);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/host_compiler.ipp>
#endif
