// Prints arrays byte for byte as NumPy 2 does, from elements in host memory; must not know devices or expressions.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <string>

namespace sinter::inline SINTER_ABI {

/// How floating digits are chosen, as NumPy's floatmode.
enum class float_mode : std::uint8_t {
    fixed,         ///< always `precision` digits after the point
    unique,        ///< as many as identify each element, whatever `precision` is
    maxprec,       ///< at most `precision`, fewer where they identify the element
    maxprec_equal  ///< at most `precision`, the same number for every element
};

/// How arrays are printed: numpy.set_printoptions' names and defaults.
struct print_options {
    int precision = 8;              ///< digits after the point, 0 … 1100
    std::int64_t threshold = 1000;  ///< arrays with more elements are summarised with `...`
    int edgeitems = 3;              ///< elements shown at each end of a summarised axis, at least 1
    int linewidth = 75;             ///< characters per line
    bool suppress = false;          ///< never use an exponent because numbers are small
    float_mode floatmode = float_mode::maxprec;
    char sign = '-';  ///< '-' only negative numbers, '+' all, ' ' a space where + would be
    std::string nanstr = "nan";
    std::string infstr = "inf";
};

/// numpy.set_printoptions, for the whole process. Fields not named take their defaults; to change one only,
/// start from get_printoptions(). Throws value_error for values out of range and then changes nothing.
void set_printoptions(print_options options);

/// numpy.get_printoptions.
print_options get_printoptions();

namespace detail {

/// Shape of the elements that are printed of an array of this shape: when it has more than `threshold` elements,
/// an axis longer than 2·edgeitems keeps its first and last `edgeitems` only.
dims shown_shape(const dims& shape, const print_options& options = get_printoptions());

/// str or repr of an array of this shape; `shown` holds the elements of shown_shape(shape, options) in row-major
/// order and may be null when there are none.
std::string format_array(dtype type, const dims& shape, const void* shown, bool repr,
                         const print_options& options = get_printoptions());

/// The elements of one array as they are printed.
codegen::sequence<std::string> write_words(dtype type, std::size_t count, const void* data, bool rank_zero,
                                           const print_options& o);
/// Words of the elements of shown_shape(shape), nested in brackets behind a start of so many characters.
std::string nest_words(const codegen::sequence<std::string>& words, const dims& shape, std::size_t start, bool repr,
                       const print_options& o);

/// str or repr of a NumPy scalar: `1.5`, `np.float64(1.5)`. Print options do not change it.
std::string format_scalar(dtype type, const void* value, bool repr);

}  // namespace detail
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/printing/format.ipp>
#endif
