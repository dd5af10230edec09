// Whether there is a GPU, without starting its driver here.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <sinter/sinter.hpp>

/// Asked in a child: processes that are forked later could not use a driver that this one has started.
inline bool has_device_apart() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(sinter::device_count() > 0 ? 0 : 1);
    int status = 1;
    ::waitpid(child, &status, 0);
    return status == 0;
}
