// What a sort does, how it is divided, and its reference; must not know texts.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/routine.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

/// What a sort does to each of `rows` rows of `length` elements that lie one after another.
struct sort_task {
    dtype type;
    bool positions = false;  ///< the result is where each element stood, int64, rather than the element
    std::int64_t rows = 1;
    std::int64_t length = 0;
    int key_bits = 0;  ///< of integers known to be in [0, 2^key_bits): what has to be looked at; 0: everything
    int carried = 0;   ///< bytes of a value that goes along with each element of a long row, on GPUs alone
    bool carries_numbers = false;  ///< what goes along is the number of the element, not a value that is given
    dtype given = dtype::int64;    ///< of the positions by which values are sorted,
    bool indices = false;          ///< or of indices in their place: call_info::indices
    bool spread = false;           ///< of words of 64 bits few have the same upper half: call_info::spread
    bool upper_halves = false;  ///< keys are the upper halves of words, whose positions are sorted further behind that
    int kept_together = -1;     ///< of keys that are only parted, by one digit made of all bits but so many low ones
};

/// The task of a sort or argsort node along the last axis of an array.
sort_task sort_task_of(const call_info& how, dtype operand, const dims& shape);
/// How a GPU does it: long rows of words that are spread are sorted by their upper halves, in half as many passes, and
/// the few that are equal then by the rest.
sort_task sort_task_on_cuda(const sort_task& t);

/// Digits of eight bits that a type's order has: a radix sort passes over the elements once for each, lowest first.
int sort_digits(dtype t);
/// The same, as far as a task has to look; one where keys are parted.
int sort_passes(const sort_task& t);

/// Whether a network exchanges more than one number per element.
bool sort_items_are_wide(const sort_task& t);

/// How a task is run on a GPU. Rows that fit in one thread block are sorted by one launch, short ones by a network of
/// exchanges in the registers of a warp; longer ones in tiles, by a launch that counts all digits and one per pass.
/// Values are carried along in tiles.
struct sort_shape {
    bool whole_rows;  ///< a thread block sorts whole rows
    bool wide;        ///< 64-bit positions
    int threads;
    int items;      ///< elements per thread
    int lanes = 0;  ///< of the warp of a row that a network sorts; 0: sorted by digits
    std::int64_t tile() const { return std::int64_t{threads} * items; }
    /// Whole rows that a thread block sorts at a time.
    int rows() const { return lanes ? threads / lanes : 1; }
};
sort_shape sort_shape_of(const sort_task& t);

/// Whether a stands before b: NaN last, complex numbers by real, then imaginary part, behind them those of which the
/// imaginary part, the real part or both are NaN.
template <class T>
SINTER_COMPARES bool orders_before(const T& a, const T& b) {
    if constexpr (is_complex(dtype_of<T>)) {
        auto key = [](const T& z) SINTER_COMPARES { return 2 * (z.real() != z.real()) + (z.imag() != z.imag()); };
        if (key(a) != key(b)) return key(a) < key(b);
        if (orders_before(a.real(), b.real())) return true;
        return !orders_before(b.real(), a.real()) && orders_before(a.imag(), b.imag());
    } else {
        return a < b || (a == a && b != b);
    }
}
/// f(std::type_identity<T>()) with the C++ type of elements that are sorted; throws type_error for half precision.
template <class F>
auto with_sortable_type(dtype type, F f) {
    switch (type) {
        case dtype::bool_: return f(std::type_identity<bool>());
        case dtype::int8: return f(std::type_identity<std::int8_t>());
        case dtype::int16: return f(std::type_identity<std::int16_t>());
        case dtype::int32: return f(std::type_identity<std::int32_t>());
        case dtype::int64: return f(std::type_identity<std::int64_t>());
        case dtype::uint8: return f(std::type_identity<std::uint8_t>());
        case dtype::uint16: return f(std::type_identity<std::uint16_t>());
        case dtype::uint32: return f(std::type_identity<std::uint32_t>());
        case dtype::uint64: return f(std::type_identity<std::uint64_t>());
        case dtype::float32: return f(std::type_identity<float>());
        case dtype::float64: return f(std::type_identity<double>());
        case dtype::complex64: return f(std::type_identity<std::complex<float>>());
        case dtype::complex128: return f(std::type_identity<std::complex<double>>());
        default: throw type_error("[sort] is not defined for " + std::string(to_string(type)));
    }
}

/// The rows sorted as numpy.sort and numpy.argsort with kind="stable" do: ascending, NaN last, complex numbers by real,
/// then imaginary part, equal elements (0.0 and -0.0 are equal) in the order in which they stand.
void sort_reference(const sort_task& t, const void* from, void* to);

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/codegen/kernels/sort/sort.ipp>
#endif
