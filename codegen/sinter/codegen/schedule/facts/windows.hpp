// Reductions over short windows of constant size: which axis a thread has several results along, and how accesses
// advance along each axis there; must not know the text.
#pragma once

#include <sinter/codegen/schedule/kernel.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// How an access advances along an axis of a kernel of windows; part of its text.
enum class window_step : std::uint8_t {
    none,    ///< it has the same element everywhere
    one,     ///< to the next element
    slides,  ///< along a reduced axis: as along the axis of a thread's results, so that neighbouring windows share it
    any
};
window_step step_along(const kernel& k, const schedule& s, std::uint32_t a, int axis);

/// Whether windows slide along the innermost kept axis, where neighbouring threads have neighbouring results: what they
/// share passes through shared memory.
bool slides_across(const kernel& k, const schedule& s);

/// Whether an access passes through shared memory there.
bool is_shared_window(const kernel& k, const schedule& s, std::uint32_t a);

/// The threads of a block whose windows share their elements, at most.
inline constexpr int window_threads = 128;

/// Words of 8 bytes in shared memory that a thread block has of an access, and afterwards of a reduction's results; and
/// the bytes of all.
int window_words(const kernel& k, const schedule& s, std::uint32_t a);
int window_result_words(const kernel& k, const schedule& s, std::size_t r);
int window_bytes(const kernel& k, const schedule& s);

/// Lays a reduction over threads that have several windows each, where it is one of short windows.
void choose_windows(schedule& s, const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/windows.ipp>
#endif
