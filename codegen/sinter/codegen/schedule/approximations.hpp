// Which operations of a kernel's body have forms of fewer steps, whose bits are checked, and which short rows are
// stored by way of shared memory; must not print them.
#pragma once

#include <sinter/codegen/schedule/stages.hpp>

#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

/// Whether a store is of short rows that follow each other in memory, of which threads cannot store four elements at
/// once.
bool is_staged(const kernel& k, const store& s);

/// Whether an instruction is a division by the same number for all elements, which a map over contiguous arrays
/// computes by the number's inverse.
bool divides_by_inverse(const kernel& k, const schedule& s, std::uint32_t instruction);

/// How the elements of a row are divided by a float that the row has computed.
enum class row_division : std::uint8_t {
    none,   ///< as other divisions, or there is none
    fixed,  ///< by what is known of the divisor before: of float32 only where rows are in shared memory, since where
            ///< registers keep them divisions take less time (bench/tuning)
    by_inverse  ///< in a stage that only stores, side by side, and again where that was not sure to be exact
};
row_division division_of_row(const kernel& k, std::uint32_t instruction);

/// The scalar function with the short form of an instruction that divides, takes a root, a logarithm or an error
/// function of float32; empty when it has none.
std::string_view approximation(const kernel& k, const schedule& s, std::uint32_t instruction);
inline std::string_view approximation(const kernel& k, std::uint32_t instruction) {
    return approximation(k, k.how, instruction);
}

/// The scalar function with fewer steps for an exponential or a quotient of halves whose result rounds to 16 bits;
/// empty when there is none. One H200, softmax, its logarithm and layer norms of 2^28 halves in rows of 4096, which a
/// copy takes 252 us: 357, 289 and 311 us without, 272, 270 and 266 with them.
std::string_view half_approximation(const kernel& k, std::uint32_t instruction);

/// Whether a quotient or a root in its short form has to be looked at for being finite: no later one becomes not a
/// number by it.
bool ends_approximations(const kernel& k, std::uint32_t instruction);

/// Whether a map computes short forms and checks once for a thread's neighbours whether they have the bits of the whole
/// ones: where several are part of much work.
bool has_approximations(const kernel& k, const schedule& s);
inline constexpr std::size_t longest_approximated = 64;  ///< body: its text is there twice

/// The scalars whose inverses a kernel takes, in order.
sequence<std::uint32_t> inverse_scalars(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/approximations.ipp>
#endif
