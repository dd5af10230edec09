// Makes files of one program whose ways of having sinter's bodies do not fit fail to link; must not know any body.
#pragma once

#include <sinter/codegen/base/config.hpp>

// What files of declarations want to find: bodies of the same version, with CUDA or without, and with the same
// containers.
#if defined(_GLIBCXX_DEBUG)
#define SINTER_BODIES_OF(major, minor, patch, cuda) sinter_bodies_##major##_##minor##_##patch##_cuda_##cuda##_debug
#else
#define SINTER_BODIES_OF(major, minor, patch, cuda) sinter_bodies_##major##_##minor##_##patch##_cuda_##cuda
#endif
#define SINTER_BODIES_FOR(...) SINTER_BODIES_OF(__VA_ARGS__)
#define SINTER_BODIES \
    SINTER_BODIES_FOR(SINTER_VERSION_MAJOR, SINTER_VERSION_MINOR, SINTER_VERSION_PATCH, SINTER_HAS_CUDA)

// In the one way every file has the bodies as inline functions, in the other one has them as others, and what one and
// the other keep between calls are different variables. A name that is of a thread in the one way and not in the other
// is what every linker refuses, and shows.
extern "C" {
#if defined(SINTER_COMPILED) || defined(SINTER_IMPLEMENTATION)
extern const char sinter_bodies_are_in_every_file_or_compiled_once, SINTER_BODIES;
#else
[[gnu::weak, gnu::used]] constinit thread_local char sinter_bodies_are_in_every_file_or_compiled_once = 0;
#endif
}

#if defined(SINTER_COMPILED) || defined(SINTER_IMPLEMENTATION)
namespace sinter::inline SINTER_ABI::codegen {

[[gnu::used]] static const char* const bodies_wanted[] = {&sinter_bodies_are_in_every_file_or_compiled_once,
                                                          &SINTER_BODIES};

}  // namespace sinter::inline SINTER_ABI::codegen
#endif

#if SINTER_HEADER_ONLY
#include <sinter/codegen/base/way.ipp>
#endif
