// What users call the statements that they record and where those stand: which steps of a plan compute what was called
// so, and which statements an error is of; no label is part of a plan, a kernel or a key.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/schedule/plan.hpp>
#include <sinter/runtime/base/process/call_place.hpp>

#include <atomic>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

struct program;
struct value;

/// Whether a label has ever been given: without one nothing is looked for.
inline constinit std::atomic<bool> labels_exist{false};

/// What this thread's statements are called that are recorded now; nullptr where they have no name.
inline constinit thread_local const std::string* this_label = nullptr;

/// The one label of this text, which lives as long as the process.
const std::string* label_of(const std::string& text);

/// A value that a plan stores, and where.
struct labelled_root {
    const value* computed;
    std::uint32_t slot;
};

/// Those of a program; none where no label has ever been given.
codegen::sequence<labelled_root> labelled_roots(const program& p, const codegen::plan& plan);

/// By step of the plan, the labels of what it computes, in the order in which they were recorded and joined by ", ":
/// those of the values that it stores and of those that are computed along with them, and of a step that stores none
/// those of the steps that read it.
codegen::sequence<std::string> labels_of_steps(const codegen::plan& p, codegen::span<const labelled_root> roots);

/// Where the pending statements behind some values were recorded that an error beginning with "[operation]" can be of,
/// oldest first: those that call this operation or index for it, and where there are none the values' own.
codegen::sequence<recorded_place> places_of(codegen::span<value* const> roots, std::string_view operation);

/// Says at the end of the error that is being handled, while computing these values, where they were recorded.
void tell_places(codegen::span<value* const> roots);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/label.ipp>
#endif
