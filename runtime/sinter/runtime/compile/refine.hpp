// Compiles kernels that were compiled quickly once more, in the background, and puts the better code in their place;
// must not know plans. runtime_lock() is held by who calls any of this.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/compile/code_backend.hpp>

#include <atomic>
#include <cstdint>

namespace sinter::inline SINTER_ABI::runtime {

/// Makes a kernel, or a text of several, one that may be refined.
void keep_refinable(refinable_code& c, quick_code&& of);

/// Forgets those that no plan holds.
void forget_refinable();

/// Counts a run of a plan with these, the second of which asks for their full code: one thread of low priority
/// compiles what has been asked for, one after the other. A plan that still runs with quick code `refine_patience`
/// after that and after the last wait for a compiler waits for the full one, so that no loop goes on with, and no clock
/// measures, what is about to be replaced; of a text that a compiler takes seconds for `long_refine_patience`. A kernel
/// that it cannot be made for stays as it is, after one warning for the process. The answer: whether one is still
/// quick.
bool refine_used(codegen::span<const refinable_code* const> all);
inline constexpr std::int64_t refine_patience = 20'000;  ///< microseconds
inline constexpr std::int64_t long_refine_patience = 5'000'000;

/// Waits for the full code of these, as far as they are quick.
void refine_now(codegen::span<const refinable_code* const> all);

inline constinit std::atomic<bool> has_refined_code{false};
void take_refined_code();

/// Puts what has been compiled by now in the place of what it is better than; cheap where there is nothing.
inline void take_refined() {
    if (has_refined_code.load(std::memory_order_relaxed)) take_refined_code();
}

/// Waits until every kernel has its full code, or cannot have it.
void refine_all();

/// How many kernels and texts have been replaced so far, for those who keep what they had before.
inline constinit std::uint64_t refined_count = 0;
inline std::uint64_t refined_kernels() { return refined_count; }

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/refine.ipp>
#endif
