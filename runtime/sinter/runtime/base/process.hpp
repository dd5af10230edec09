// Runs other programs from argument lists, never through a shell; must not know which.
#pragma once

#include <sys/types.h>

#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <string>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

using argument_list = codegen::sequence<std::string>;

/// {own descriptor, number it gets in the spawned program}; the rest of the standard three become /dev/null.
using descriptor_map = codegen::sequence<std::pair<int, int>>;

/// Starts a program found by its path or on PATH, in the C locale; the answer is its process id, or -1.
pid_t start_process(const argument_list& arguments, const descriptor_map& descriptors);

/// How a process ended; its status is lost in programs that ignore SIGCHLD or collect every child themselves.
enum class exit_status { failure, success, lost };
exit_status wait_process(pid_t process);

/// Runs a program to its end, appending to `output` what it prints on standard output (1) or error (2).
exit_status run_process(const argument_list& arguments, int stream, std::string& output);

/// Absolute path of a program, looked up as a path if it has a slash and else on PATH; "" when there is none.
std::string find_program(const std::string& name);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/process.ipp>
#endif
