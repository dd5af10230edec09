// Routines: operations that a library computes or that take several launches, what they make of their operands, and how
// their failures read; must not know who computes them.
#pragma once

#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <string>

namespace sinter::inline SINTER_ABI {

/// What products of float32 and complex64 are computed in on GPUs of compute capability 8.0 or higher; sums are
/// float32.
enum class precision : std::uint8_t {
    highest,  ///< float32
    tf32x3,   ///< three products of TF32 parts, about as accurate as float32; complex64 as highest
    tf32,     ///< operands keep ten bits of the fraction
    bf16      ///< operands keep seven bits of the fraction
};

/// Its name, as in `precision::tf32`.
std::string_view to_string(precision p);

namespace codegen {

enum class routine : std::uint8_t {
#define SINTER_ROUTINE(name, ...) name,
#include <sinter/codegen/ops/routines.def>
};

/// What becomes of operand 0: see routines.def.
enum class base_use : std::uint8_t { kept, changed, either, spent };

/// What a library's info above zero says: see routines.def.
enum class failure : std::uint8_t { never, singular, indefinite, diverging };

/// Which of the words in a row's shapes are shapes, not conditions.
constexpr bool is_shape(std::string_view word) { return word.find('<') == word.npos; }

/// The first word of a list and what is behind it.
constexpr std::string_view take_word(std::string_view& list) {
    const std::size_t end = list.find(' ');
    const std::string_view word = list.substr(0, end);
    list = end == list.npos ? std::string_view() : list.substr(end + 1);
    return word;
}

constexpr std::uint8_t count_shapes(std::string_view list) {
    std::uint8_t count = 0;
    while (!list.empty()) count = static_cast<std::uint8_t>(count + is_shape(take_word(list)));
    return count;
}

/// A row of routines.def.
struct routine_info {
    const char* name;
    std::uint8_t operands, results;
    base_use base;
    std::string_view operand_shapes = {}, result_shapes = {};  ///< of linalg's
    const char* misfit = "";
    failure fails = failure::never;
    bool changes_base() const { return base == base_use::changed; }
};

inline constexpr routine_info routine_infos[] = {
#define SINTER_ROUTINE(name, operands, results, base) {#name, operands, results, base_use::base},
#define SINTER_LINALG_ROUTINE(name, operands, results, base, misfit, fails, ...) \
    {#name, count_shapes(operands), count_shapes(results), base_use::base, operands, results, misfit, failure::fails},
#include <sinter/codegen/ops/routines.def>
};

constexpr const routine_info& info(routine r) { return routine_infos[static_cast<int>(r)]; }
constexpr bool is_routine(std::uint32_t number) { return number < std::size(routine_infos); }

constexpr bool is_product(routine r) { return r == routine::matmul || r == routine::matmul_add; }
/// Those that a library multiplies and adds in a precision that is asked for.
constexpr bool has_precision(routine r) { return is_product(r) || r == routine::contract; }
constexpr bool is_scatter(routine r) { return r >= routine::scatter && r <= routine::scatter_min; }
constexpr bool is_count(routine r) { return r == routine::bincount || r == routine::histogram; }
constexpr bool is_selection(routine r) { return r == routine::topk || r == routine::order_statistics; }
/// Where the matrices begin among a product's operands.
constexpr int first_matrix(routine r) { return r == routine::matmul_add ? 1 : 0; }
/// LAPACK's routines and their kin.
constexpr bool is_linalg(routine r) { return !info(r).result_shapes.empty(); }
/// Those that iterate, which with other than finite numbers need not end.
constexpr bool wants_finite(routine r) { return info(r).fails == failure::diverging; }
/// Discrete Fourier transforms.
constexpr bool is_fourier(routine r) { return r >= routine::fft; }

/// Name of a routine, as users call it.
std::string_view to_string(routine r);

/// On whose behalf a routine runs: the function that is named where it fails, or none, for which no data is a failure.
enum class purpose : std::uint8_t {
    none,
#define SINTER_PURPOSE(name) name,
#include <sinter/codegen/ops/purposes.def>
#undef SINTER_PURPOSE
};
std::string_view to_string(purpose p);
/// The one of a name; none where the table has none.
purpose purpose_of(std::string_view name);

/// What a product's call does with its result at last.
enum class activation : std::uint8_t {
    none,
    relu,
    gelu_tanh  ///< the library's, which is near the operation and not it: in reduced precision only
};

/// The operation that an activation other than none is.
constexpr op operation_of(activation a) { return a == activation::relu ? op::relu : op::gelu_tanh; }
/// The activation that an operation is.
constexpr activation activation_of(op o) {
    return o == op::relu ? activation::relu : o == op::gelu_tanh ? activation::gelu_tanh : activation::none;
}
/// Whether products of a precision and a type have a call that does this at last.
constexpr bool has_call(activation last, precision in, dtype type) {
    const bool is_reduced = in == precision::tf32 || in == precision::bf16;
    return last == activation::none || (type == dtype::float32 && (last == activation::relu || is_reduced));
}

/// What is called: a routine, which of its results is meant, and how it goes about it.
struct call_info {
    // getrs, trsm: op(a) · trsm, potrf, syevd: which triangle counts, as it lies by columns · trsm: which side, a unit
    // diagonal
    static constexpr std::uint8_t transposed = 1, adjoint = 2, upper = 4, right = 8, unit = 16;
    // syevd, gesvd, geev: with vectors · gesvd: all of them; v in place of vh · getrf: with the order of the rows
    static constexpr std::uint8_t vectors = 32, full = 64, plain_v = 128, rows = 32;

    // scatter_add: values that meet may be added in any order
    static constexpr std::uint8_t any_order = 1;
    // scatters: in place of positions indices of the first axis, of any integers but uint64, negative ones from its end
    static constexpr std::uint8_t indices = 2;
    // bincount: with how far the numbers reach, behind the counts
    static constexpr std::uint8_t ends = 1;

    // argsort: words of 64 bits, of which few have the same upper half; others may take long
    static constexpr std::uint8_t spread = 1;

    // topk: the largest come first
    static constexpr std::uint8_t descending = 1;

    // fft · irfft: an odd number of elements along the last axis
    static constexpr std::uint8_t inverse = 1, odd = 2;
    // products, contract: the precision · products: with a vector along the last axis, which is added · with none of
    // what else there is, of float32 or float64: times a number · at last an activation
    static constexpr std::uint8_t precision_bits = 3, bias = 4, factor = 8, activation_shift = 4,
                                  activation_bits = 3 << activation_shift;

    routine what = routine::matmul;
    std::uint8_t result = 0;
    std::uint8_t options = 0;
    purpose why = purpose::none;
    std::uint8_t axes = 0;  ///< of a Fourier transform, a bit each; such a call has no purpose

    call_info() = default;
    call_info(routine r, std::uint8_t with = 0, purpose p = purpose::none) : what(r), options(with), why(p) {}
    call_info(routine r, precision p) : what(r), options(static_cast<std::uint8_t>(p)) {}
    explicit call_info(std::uint32_t packed)
        : what(static_cast<routine>(packed & 255)),
          result(static_cast<std::uint8_t>(packed >> 8)),
          options(static_cast<std::uint8_t>(packed >> 16)) {
        if (is_fourier(what)) axes = static_cast<std::uint8_t>(packed >> 24);
        else why = static_cast<purpose>(packed >> 24);
    }

    std::uint32_t packed() const {
        return static_cast<std::uint32_t>(what) | static_cast<std::uint32_t>(result) << 8 |
               static_cast<std::uint32_t>(options) << 16 |
               (is_fourier(what) ? std::uint32_t{axes} : static_cast<std::uint32_t>(why)) << 24;
    }
    bool has_axis(int i) const { return axes >> i & 1; }
    /// The last axis of a Fourier transform: the one that is halved.
    int last_axis() const {
        int i = 7;
        while (i > 0 && !has_axis(i)) --i;
        return i;
    }
    bool has(std::uint8_t option) const { return options & option; }
    call_info with(std::uint8_t option) const {
        call_info c = *this;
        c.options = static_cast<std::uint8_t>(options | option);
        return c;
    }
    call_info with(activation a) const {
        return with(static_cast<std::uint8_t>(static_cast<int>(a) << activation_shift));
    }
    bool has_factor() const { return is_product(what) && has(factor); }
    std::uint32_t operands() const {
        return info(what).operands + static_cast<std::uint32_t>((is_product(what) && has(bias)) + has_factor());
    }
    precision in() const { return static_cast<precision>(has_precision(what) ? options & precision_bits : 0); }
    activation last() const {
        return static_cast<activation>(is_product(what) ? (options & activation_bits) >> activation_shift : 0);
    }
    /// The same call for another of its results.
    call_info with_result(int i) const {
        call_info c = *this;
        c.result = static_cast<std::uint8_t>(i);
        return c;
    }
    /// The same call for any of the functions for which its failures are failures, or for those for which nothing is
    /// one.
    call_info nameless() const {
        call_info c = *this;
        if (c.why != purpose::none) c.why = purpose::solve;
        return c;
    }
    /// Whether two results are of one call, given equal operands; of functions that run the same it names one.
    bool is_sibling(const call_info& o) const {
        return nameless().packed() == o.with_result(result).nameless().packed();
    }
    /// Whether data can make it fail.
    bool can_fail() const { return is_scatter(what) || (why != purpose::none && info(what).fails != failure::never); }
};

/// A call as explanations name it: "matmul in tf32", "matmul + bias + relu", "matmul * factor".
std::string to_string(const call_info& c);
/// The function that errors of a call name: the one for which it is made, or the routine.
std::string_view failing_function(const call_info& c);
/// The same of indices, whose function is take where there is no other; a literal.
std::string_view indexing_function(purpose why);

/// Shape and type of a result of a linalg routine or a Fourier transform; `base` is operand 0.
dims result_shape(const call_info& c, const dims& base);
dtype result_type(const call_info& c, dtype base);

/// How many reflectors operands of these shapes have: the `k` of routines.def, or 0.
std::int64_t reflectors_of(const call_info& c, span<const dims> shapes);

/// Why operands of these shapes cannot be those of a linalg routine or a Fourier transform, or nullptr.
const char* find_misfit(const call_info& c, span<const dims> shapes);

/// The info of a matrix with a NaN or an infinity for a routine that wants finite numbers.
inline constexpr int not_finite = 2147483647;
/// That of one whose singular values or eigenvalues came out as NaN, for its finite numbers overflowed on the way.
inline constexpr int overflowed = 2147483646;
/// The array of a routine that wants finite numbers where these values lie: the first vector among its results.
constexpr int array_of_values(routine r) {
    std::string_view results = info(r).result_shapes;
    for (int i = 0; !results.empty(); ++i) {
        const std::string_view word = take_word(results);
        if (word.size() == 1 || word[1] == '/') return i;
    }
    return 0;
}

/// "[cholesky] matrix (3,) is not positive definite: leading minor of order 2", from LAPACK's info of matrix number
/// `at` in a stack of this shape.
std::string failure_text(const call_info& c, const dims& stack, std::int64_t at, int info);
/// The same from what linalg_cuda's check reports.
std::string failure_text(const call_info& c, const dims& stack, std::int64_t word);

}  // namespace codegen

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/codegen/ops/routine.ipp>
#endif
