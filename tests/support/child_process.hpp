// This executable as a child process with another environment, for tests of whole processes; must not know sinter.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

/// How a child process ended, and what it printed.
struct finished {
    int status = -1;
    std::string output;
};

/// This executable again, running one of its test cases, which looks for SINTER_TEST_CHILD, under an environment of its
/// own.
class child_process {
public:
    explicit child_process(const std::vector<std::string>& environment,
                           std::string what = "what a child process computes") {
        int ends[2];
        if (::pipe(ends) != 0) return;
        char self[4096];
        ssize_t n = ::readlink("/proc/self/exe", self, sizeof self - 1);
        self[n > 0 ? n : 0] = 0;
        std::vector<std::string> words = environment;
        words.push_back("SINTER_TEST_CHILD=1");
        // Everything is allocated before the fork: other threads may hold the allocator's lock.
        std::string filter = "--test-case=" + what;
        std::vector<char*> env, args{self, filter.data(), nullptr};
        for (std::string& w : words) env.push_back(w.data());
        env.push_back(nullptr);
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(ends[1], 1);
            ::dup2(ends[1], 2);
            ::close(ends[0]);
            ::execve(self, args.data(), env.data());
            ::_exit(127);
        }
        ::close(ends[1]);
        output_ = ends[0];
    }
    finished wait() {
        finished f;
        char block[4096];
        for (ssize_t n; (n = ::read(output_, block, sizeof block)) > 0;)
            f.output.append(block, static_cast<std::size_t>(n));
        ::close(output_);
        int status = 0;
        ::waitpid(pid_, &status, 0);
        f.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return f;
    }

private:
    pid_t pid_ = -1;
    int output_ = -1;
};

inline bool has(const finished& f, const std::string& text) { return f.output.find(text) != std::string::npos; }

/// A variable as it is here, for a child's environment; empty words are left out by whoever joins them.
inline std::string inherited(const char* name) {
    const char* value = std::getenv(name);
    return value ? std::string(name) + "=" + value : std::string(name) + "=";
}
