// Statements of the rarer distributions: by functions of their own, and of numbers of other distributions.
#pragma once

#include <sinter/random/draw_recorder.hpp>

namespace sinter::inline SINTER_ABI::detail {

enum class distribution : std::uint8_t;

/// The numbers of a distribution that is one statement.
void record_rarer(draw_recorder& w, distribution which);

/// Numbers that are made of those of other distributions, in float64.
handle record_compound(distribution which, codegen::span<const draw_parameter> parameters, const dims& shape,
                       random_source from);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/random/rarer_draws.ipp>
#endif
