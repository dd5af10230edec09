// Runs other programs from argument lists, never through a shell; must not know which.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <string>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

using argument_list = codegen::sequence<std::string>;

/// {own descriptor, number it gets in the spawned program}; the rest of the standard three become /dev/null.
using descriptor_map = codegen::sequence<std::pair<int, int>>;

/// Starts a program found by its path or on PATH, in the C locale; the answer is its process id, or minus the number of
/// the error. Throws what find_program throws.
pid_t start_process(const argument_list& arguments, const descriptor_map& descriptors);

/// Whether an error says that descriptors, processes or memory have run out, which may be otherwise the next time.
bool is_shortage(int error);

/// How a process ended; its status is lost in programs that ignore SIGCHLD or collect every child themselves. `late`:
/// it was stopped after its time; `stopped`: its thread's stoppable_scope had it stopped; `unstarted`: a shortage kept
/// it from starting.
enum class exit_status { failure, success, lost, late, stopped, unstarted };
inline bool may_have_succeeded(exit_status s) { return s == exit_status::success || s == exit_status::lost; }

/// Waits for the end of what start_process has answered, and stops it after `seconds`, 0: never, or when
/// stop_of_thread() is set.
exit_status wait_process(pid_t process, std::int64_t seconds = 0);

/// A process that is waited for in any case.
class started_process {
public:
    started_process() = default;
    ~started_process();
    started_process(const started_process&) = delete;
    started_process& operator=(const started_process&) = delete;

    void start(const argument_list& arguments, const descriptor_map& descriptors) {
        process_ = start_process(arguments, descriptors);
        is_waited_ = false;
    }
    exit_status wait(std::int64_t seconds);

private:
    pid_t process_ = -1;
    bool is_waited_ = true;
};

/// Runs a program to its end, appending to `output` what it prints on standard output (1) or error (2).
exit_status run_process(const argument_list& arguments, int stream, std::string& output, std::int64_t seconds = 0);

/// Absolute path of a program, looked up as a path if it has a slash and else on PATH; "" when there is none. Throws
/// io_error where a shortage keeps it from being looked for.
std::string find_program(const std::string& name);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/process/process.ipp>
#endif
