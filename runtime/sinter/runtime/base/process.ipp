// Bodies of process.hpp.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/process.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE pid_t start_process(const argument_list& arguments, const descriptor_map& descriptors) {
    codegen::sequence<char*> argv, variables;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    for (char** v = environ; v && *v; ++v)
        if (!std::string_view(*v).starts_with("LC_ALL=") && !std::string_view(*v).starts_with("LANGUAGE="))
            variables.push_back(*v);
    char locale[] = "LC_ALL=C";
    variables.push_back(locale);
    variables.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -1;
    }
    for (int standard : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
    bool mapped = true;
    for (const auto& [own, theirs] : descriptors)
        mapped = mapped && posix_spawn_file_actions_adddup2(&actions, own, theirs) == 0;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    for (int signal : {SIGPIPE, SIGCHLD, SIGINT, SIGTERM}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    pid_t process = -1;
    const bool started =
        mapped && posix_spawnp(&process, argv[0], &actions, &attributes, argv.data(), variables.data()) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return started ? process : -1;
}

SINTER_INLINE exit_status wait_process(pid_t process) {
    if (process < 0) return exit_status::failure;
    int status = 0;
    pid_t waited;
    while ((waited = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
    }
    if (waited < 0) return exit_status::lost;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? exit_status::success : exit_status::failure;
}

SINTER_INLINE exit_status run_process(const argument_list& arguments, int stream, std::string& output) {
    const file_descriptor log = memory_file("sinter-log");
    if (!log) return exit_status::failure;
    const exit_status status = wait_process(start_process(arguments, {{log.get(), stream}}));
    output += contents(log);
    return status;
}

SINTER_INLINE bool is_program(const std::string& path) {
    struct stat s;
    return stat(path.c_str(), &s) == 0 && S_ISREG(s.st_mode) && access(path.c_str(), X_OK) == 0;
}

SINTER_INLINE std::string find_program(const std::string& name) {
    if (name.find('/') != name.npos) return is_program(name) ? name : "";
    std::string_view rest = env().search_path;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string path = std::string(rest.substr(0, colon)) + "/" + name;
        if (colon != 0 && is_program(path)) return path;
        rest = colon == rest.npos ? std::string_view() : rest.substr(colon + 1);
    }
    return "";
}

}  // namespace sinter::inline SINTER_ABI::runtime
