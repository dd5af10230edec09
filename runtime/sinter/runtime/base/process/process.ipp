// Bodies of process.hpp.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/process/process.hpp>
#include <sinter/runtime/base/thread.hpp>
#include <string_view>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE pid_t start_process(const argument_list& arguments, const descriptor_map& descriptors) {
    codegen::sequence<char*> argv, variables;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    std::string path = "PATH=" + env().search_path;
    // A compiler obeys variables of its own, such as COMPILER_PATH.
    if (is_environment_foreign()) variables.push_back(path.data());
    else
        for (char** v = environ; v && *v; ++v)
            if (!std::string_view(*v).starts_with("LC_ALL=") && !std::string_view(*v).starts_with("LANGUAGE="))
                variables.push_back(*v);
    const std::string program = find_program(arguments[0]);
    if (program.empty()) return -ENOENT;
    char locale[] = "LC_ALL=C";
    variables.push_back(locale);
    variables.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (const int error = posix_spawn_file_actions_init(&actions)) return -error;
    if (const int error = posix_spawnattr_init(&attributes)) {
        posix_spawn_file_actions_destroy(&actions);
        return -error;
    }
    for (int standard : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
    int error = 0;
    for (const auto& [own, theirs] : descriptors)
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, own, theirs);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (int signal : {SIGPIPE, SIGCHLD, SIGINT, SIGTERM}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    pid_t process = -1;
    if (!error) error = posix_spawn(&process, program.c_str(), &actions, &attributes, argv.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error ? -error : process;
}

SINTER_INLINE bool is_shortage(int error) {
    return error == EMFILE || error == ENFILE || error == EAGAIN || error == ENOMEM;
}

// Whether a child has ended within a time in milliseconds, or before the flag is set; it is left to be waited for. Asks
// again and again where the kernel has no descriptors of processes.
SINTER_INLINE bool ends_within(pid_t process, std::int64_t milliseconds, const std::atomic<bool>* stop = nullptr) {
    using clock = std::chrono::steady_clock;
    const clock::time_point end = clock::now() + std::chrono::milliseconds(milliseconds);
#if defined(SYS_pidfd_open)
    const file_descriptor watched(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
#else
    const file_descriptor watched;
#endif
    const std::int64_t most = !watched ? 1 : stop ? 5 : 60'000;
    for (;;) {
        siginfo_t ended{};
        if (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR)
            return true;
        if (ended.si_pid == process) return true;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
        if (left <= 0 || (stop && stop->load())) return false;
        pollfd ready{watched.get(), POLLIN, 0};
        poll(&ready, watched ? 1 : 0, static_cast<int>(std::min<std::int64_t>(left, most)));
    }
}

SINTER_INLINE exit_status wait_process(pid_t process, std::int64_t seconds) {
    if (process < 0) return is_shortage(-process) ? exit_status::unstarted : exit_status::failure;
    constexpr std::int64_t for_ever = 1000 * 365 * 86'400ll;
    const std::atomic<bool>* const stop = stop_of_thread();
    const bool ended = (seconds <= 0 && !stop) || ends_within(process, seconds > 0 ? seconds * 1000 : for_ever, stop);
    // A driver that is asked first removes its temporary files.
    if (!ended && kill(process, SIGTERM) == 0 && !ends_within(process, 1000)) kill(process, SIGKILL);
    int status = 0;
    pid_t waited;
    while ((waited = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
    }
    if (!ended) return stop && stop->load() ? exit_status::stopped : exit_status::late;
    if (waited < 0) return exit_status::lost;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? exit_status::success : exit_status::failure;
}

SINTER_INLINE exit_status run_process(const argument_list& arguments, int stream, std::string& output,
                                      std::int64_t seconds) {
    const file_descriptor log = memory_file("sinter-log");
    if (!log) return is_shortage(errno) ? exit_status::unstarted : exit_status::failure;
    const exit_status status = wait_process(start_process(arguments, {{log.get(), stream}}), seconds);
    output += contents(log);
    return status;
}

SINTER_INLINE started_process::~started_process() {
    if (!is_waited_) wait_process(process_);
}

SINTER_INLINE exit_status started_process::wait(std::int64_t seconds) {
    is_waited_ = true;
    return wait_process(process_, seconds);
}

SINTER_INLINE bool is_program(const std::string& path) {
    struct stat s;
    if (stat(path.c_str(), &s) == 0) return S_ISREG(s.st_mode) && access(path.c_str(), X_OK) == 0;
    // It says nothing about the next time: that there is no program would be remembered.
    if (is_shortage(errno))
        throw io_error(codegen::joined({"[compile] ", path, " cannot be looked for: ", std::strerror(errno)}));
    return false;
}

SINTER_INLINE std::string find_program(const std::string& name) {
    if (name.find('/') != name.npos) return is_program(name) ? name : "";
    std::string_view rest = env().search_path;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string path = codegen::joined({rest.substr(0, colon), "/", name});
        if (colon != 0 && is_program(path)) return path;
        rest = colon == rest.npos ? std::string_view() : rest.substr(colon + 1);
    }
    return "";
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_COLD_END
