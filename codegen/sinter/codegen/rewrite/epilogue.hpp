// Moves what follows a matrix product into the product's library call; must not know libraries or devices.
#pragma once

#include <sinter/codegen/graph/graph.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// The same roots, in order, over calls that do what elementwise operations did: a product of which nothing else is
/// needed is added to an array of its shape, or a vector along the last axis is added to it; then comes an activation.
/// The array and the vector are in memory at any rate, else they would need a kernel of their own. Or it is multiplied
/// by a number, where the result has to be in memory whatever reads it: else the kernel that reads it multiplies for
/// nothing.
///
/// For libraries that round the product before they add to it or multiply it, so that every result keeps its bits, but
/// for gelu_tanh of a product in tf32 or bf16, where digits have been given up already: it is the library's own, up to
/// 6e-6 from the separate step on an H200, and not a number for minus infinity. Keeping them excludes a factor with an
/// array or a vector (cuBLASLt rounds once or twice, as the algorithm pleases) and other factors of the array, gelu
/// (its form is another), an array and a vector (which comes first is the library's choice), and complex numbers (a
/// factor of one makes NaN of infinities).
graph fold_epilogues(const graph& g);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/rewrite/epilogue.ipp>
#endif
