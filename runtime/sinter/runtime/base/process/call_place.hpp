// Which line of the user's program called the library, told from return addresses when it is asked for; must not know
// what the library did there.
#pragma once

#include <atomic>
#include <sinter/codegen/base/config.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <string>

/// Whether errors that come later than the statement they belong to name its file and line: on in files that are
/// compiled without NDEBUG and without optimisation; one such file turns it on for the program.
#ifndef SINTER_PLACES
#if defined(NDEBUG) || defined(__OPTIMIZE__)
#define SINTER_PLACES 0
#else
#define SINTER_PLACES 1
#endif
#endif

namespace sinter::inline SINTER_ABI::runtime {

/// Whether statements keep where they were recorded, which costs microseconds each.
inline constinit std::atomic<bool> places_are_kept{false};

#if SINTER_PLACES
// Nothing of it is in files of release builds, which are linked with this one.
inline const bool places_were_kept = places_are_kept.exchange(true, std::memory_order_relaxed);
#endif

/// Return addresses, the innermost first.
struct call_place {
    codegen::sequence<void*> addresses;
};

/// Where this thread is; there is one for all calls from one place, and it lives as long as the process.
const call_place* this_place();

/// Where a statement was recorded, and what the user calls it; either may be nullptr.
struct recorded_place {
    const call_place* at;
    const std::string* label;
};

/// "main.cpp:12", the innermost line that is neither sinter's nor the standard library's; "" without debug information
/// (-g) or addr2line.
std::string line_of(const call_place& place);

/// " (recorded at main.cpp:12, in advect)", of at most three places; "" where nothing is known.
std::string recorded_text(codegen::span<const recorded_place> places);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/process/call_place.ipp>
#endif
