// Names the ABI and says how non-template bodies are emitted; must not include anything.
#pragma once

// What is missing ends the compilation, by a file that nobody has: of a program without C++20 each line is an error.
#if __cplusplus < 202002L
#error sinter: C++20 is needed: compile with -std=c++20
#include <sinter: compile with -std=c++20>
#endif
#if !defined(__cpp_exceptions)
#error sinter: errors are exceptions: compile without -fno-exceptions
#include <sinter: compile without -fno-exceptions>
#endif

#define SINTER_VERSION_MAJOR 0
#define SINTER_VERSION_MINOR 1
#define SINTER_VERSION_PATCH 0
#define SINTER_VERSION "0.1.0"

// The inline namespace carries version and build kind, so that translation units that disagree fail to link.
#if !defined(SINTER_HAS_CUDA)
#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#define SINTER_HAS_CUDA 1
#else
#define SINTER_HAS_CUDA 0
#endif
#endif

#if SINTER_HAS_CUDA
#define SINTER_ABI v0_1_cuda
#else
#define SINTER_ABI v0_1_host
#endif

// With -ffinite-math-only g++ compares on x86 as if there were no NaN, and takes that back for single functions alone.
#if defined(__GNUC__) && !defined(__clang__) && __FINITE_MATH_ONLY__ && (defined(__x86_64__) || defined(__i386__))
#define SINTER_COMPARES __attribute__((target("ieee-fp")))
#else
#define SINTER_COMPARES
#endif

// Who has the bodies: every file, as inline functions; or with SINTER_COMPILED, which leaves declarations, somebody
// else: the target sinter::sinter, sinter-config's library, or the one file of the program that defines
// SINTER_IMPLEMENTATION.
#if defined(SINTER_COMPILED) || defined(SINTER_IMPLEMENTATION)
#define SINTER_INLINE SINTER_COMPARES
#else
#define SINTER_INLINE inline SINTER_COMPARES
#endif
#if defined(SINTER_COMPILED) && !defined(SINTER_IMPLEMENTATION)
#define SINTER_HEADER_ONLY 0
#else
#define SINTER_HEADER_ONLY 1
#endif

// What runs once, only where something is compiled for the first time or where an error is told stands between
// SINTER_COLD_BEGIN and SINTER_COLD_END, behind the includes: in files that have all bodies to optimise g++ leaves it
// as it is, which takes a third of the time off.
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && !defined(SINTER_COMPILED) && \
    !defined(SINTER_IMPLEMENTATION)
#define SINTER_COLD_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"O0\")")
#define SINTER_COLD_END _Pragma("GCC pop_options")
#else
#define SINTER_COLD_BEGIN
#define SINTER_COLD_END
#endif
