// Straight-line functions as graphs, so that kernels compute them as they compute expressions; must not know arrays.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::codegen {

/// A function of more operations stays a call: each use of it would be planned and compiled anew.
inline constexpr std::size_t longest_body = 64;

/// Alternatives of more arithmetic stay branches, of which an element takes one.
inline constexpr int dearest_alternative = 20;

/// What a function computes, as operations on inputs of shape (), which are its parameters in order; the roots are its
/// results. Nothing unless each operation has the bits that it has in C++: the function is one of float or of double,
/// of which its bool and int parameters become part, without loops, arithmetic of integers, or names that ops.def does
/// not have.
std::optional<graph> body_of(const invocation& f);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/function_lower.ipp>
#endif
