// Bodies of calls.hpp: this program's own operator new and functions of the C library, which call the real ones.
#include "calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace failing_calls {

static constinit std::atomic<int> counted{-1};  // the kind, or nothing
static constinit std::atomic<long> calls{0}, first_failing{0}, failing{0};

void begin(kind k, long first, long count) {
    calls = 0;
    first_failing = first;
    failing = count;
    counted = static_cast<int>(k);
}

long end() {
    counted = -1;
    return calls;
}

static bool fails(kind k) {
    if (counted.load(std::memory_order_relaxed) != static_cast<int>(k)) return false;
    const long number = calls.fetch_add(1) + 1;
    return number >= first_failing && number - first_failing < failing;
}

extern "C" char __executable_start, etext;

// Libraries' own calls go well: OpenBLAS, for one, ends a process in which it gets no threads.
static bool is_ours(const void* caller) { return caller >= &__executable_start && caller < &etext; }

static bool fails_with(int error, const void* caller) {
    if (!is_ours(caller) || !fails(kind::system)) return false;
    errno = error;
    return true;
}

// The C library's function of this name.
template <class Function>
static Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

static void* allocate(std::size_t size, std::size_t alignment) noexcept {
    if (fails(kind::memory)) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
    void* data = nullptr;
    return posix_memalign(&data, alignment, size) == 0 ? data : nullptr;
}

static void* allocate_or_throw(std::size_t size, std::size_t alignment) {
    if (void* data = allocate(size, alignment)) return data;
    throw std::bad_alloc();
}

}  // namespace failing_calls

using failing_calls::allocate;
using failing_calls::allocate_or_throw;
using failing_calls::fails_with;
using failing_calls::real;

void* operator new(std::size_t n) { return allocate_or_throw(n, 1); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, 1); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return allocate(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

extern "C" {

// What takes memory without operator new.
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    if (failing_calls::fails(failing_calls::kind::memory)) {
        errno = ENOMEM;
        return nullptr;
    }
    void* data = nullptr;
    return posix_memalign(&data, alignment, size) == 0 ? data : nullptr;
}

int open(const char* path, int flags, ...) {
    static const auto next = real<int(const char*, int, ...)>("open");
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails_with(EMFILE, __builtin_return_address(0)) ? -1 : next(path, flags, mode);
}

// A function of the C library that fails with an error.
#define SINTER_FAILING_CALL(result, name, parameters, arguments, error, failure) \
    result name parameters {                                                     \
        static const auto next = real<result parameters>(#name);                 \
        if (fails_with(error, __builtin_return_address(0))) return failure;      \
        return next arguments;                                                   \
    }

SINTER_FAILING_CALL(ssize_t, read, (int fd, void* to, std::size_t n), (fd, to, n), EIO, -1)
SINTER_FAILING_CALL(ssize_t, write, (int fd, const void* from, std::size_t n), (fd, from, n), ENOSPC, -1)
SINTER_FAILING_CALL(ssize_t, pread, (int fd, void* to, std::size_t n, off_t at), (fd, to, n, at), EIO, -1)
SINTER_FAILING_CALL(ssize_t, pwrite, (int fd, const void* from, std::size_t n, off_t at), (fd, from, n, at), EIO, -1)
SINTER_FAILING_CALL(int, memfd_create, (const char* name, unsigned flags), (name, flags), EMFILE, -1)
SINTER_FAILING_CALL(int, ftruncate, (int fd, off_t size), (fd, size), ENOSPC, -1)
SINTER_FAILING_CALL(int, pipe2, (int* ends, int flags), (ends, flags), EMFILE, -1)
SINTER_FAILING_CALL(int, fsync, (int fd), (fd), EIO, -1)
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
SINTER_FAILING_CALL(int, stat, (const char* path, struct stat* s), (path, s), ENOMEM, -1)
SINTER_FAILING_CALL(int, fstat, (int fd, struct stat* s), (fd, s), EIO, -1)
#endif

// Those whose parameters the C library declares as not null, or as never throwing.
#define SINTER_FAILING_QUIET_CALL(result, name, parameters, arguments, error, failure) \
    result name parameters noexcept {                                                  \
        static const auto next = real<result parameters>(#name);                       \
        if (fails_with(error, __builtin_return_address(0))) return failure;            \
        return next arguments;                                                         \
    }

SINTER_FAILING_QUIET_CALL(int, rename, (const char* from, const char* to), (from, to), EIO, -1)
SINTER_FAILING_QUIET_CALL(int, unlink, (const char* path), (path), EIO, -1)
SINTER_FAILING_QUIET_CALL(int, mkdir, (const char* path, mode_t mode), (path, mode), ENOSPC, -1)
SINTER_FAILING_QUIET_CALL(char*, mkdtemp, (char* path), (path), ENOSPC, nullptr)
SINTER_FAILING_QUIET_CALL(char*, realpath, (const char* path, char* to), (path, to), ENOMEM, nullptr)
SINTER_FAILING_QUIET_CALL(void*, mmap, (void* at, std::size_t n, int protection, int flags, int fd, off_t from),
                          (at, n, protection, flags, fd, from), ENOMEM, MAP_FAILED)

// Those whose result is the error.
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
    static const auto next = real<int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                                      char* const*, char* const*)>("posix_spawn");
    return fails_with(EAGAIN, __builtin_return_address(0)) ? EAGAIN
                                                           : next(process, path, actions, attributes, argv, envp);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*enter)(void*), void* self) noexcept {
    static const auto next = real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    return fails_with(EAGAIN, __builtin_return_address(0)) ? EAGAIN : next(thread, attributes, enter, self);
}

}  // extern "C"
