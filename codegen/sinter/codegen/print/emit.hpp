// What the emitters of both languages share: types, literals, forms and the scalar functions a kernel needs, as text.
#pragma once

#include <sinter/codegen/print/language.hpp>
#include <sinter/codegen/schedule/approximations.hpp>
#include <sinter/codegen/schedule/kernel.hpp>
#include <sinter/codegen/ops/scalar.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Generated source: `name` computes the kernel; on the host `name_finish`, where a reduction has several parts,
/// combines them.
struct kernel_source {
    std::string name;
    std::string text;
    sequence<std::string> options = {};  ///< NVRTC's, besides those of all kernels
};

/// Is defined where a compiler makes quick code; what a text has without it is a faster way to the same bits.
inline constexpr const char* quick_code = "QUICK_CODE";

/// The first lines of a kernel's text: its schedule in words.
std::string head_text(const schedule& s);

/// A dtype as the kernels spell it.
std::string type_text(dtype t);

/// A value as a C++ constant of its type.
std::string literal_text(const scalar_value& v);

/// A scalar function's name as kernels call it, or that of one of C's functions.
std::string scalar_call(std::string_view name, language to);

/// An operation's form over named operands of the given common type.
std::string form_text(op o, dtype common, dtype result, const sequence<std::string>& args, language to);

/// Whether the host computes this operation of this type with a vector function, of libmvec or of scalar_random.def.
bool is_vector_call(const instruction& i);
/// Whether an instruction converts between half precision and float, which compilers make no vectors of.
bool is_half_cast(const instruction& i);

/// The function of libm whose forms in scalar_random.def, `vector_<name>` and `near_<name>`, the host computes this
/// operation of this type with; empty where it calls another or none.
std::string written_function(const instruction& i);

/// Whether an operation is written with arithmetic and vector functions alone, which compilers turn into vector
/// instructions whatever stands around them.
bool is_vector_arithmetic(const instruction& i);

/// A reduction's form of two accumulators, which may be any expressions.
std::string substituted(reduction how, const std::string& x, const std::string& y);
/// Joins two accumulators: statement text that leaves the result in `x`; indexed reductions also carry `xi` and `yi`.
std::string combine_text(const reduction_step& r, const std::string& x, const std::string& y, const std::string& xi,
                         const std::string& yi);
/// The same for an indexed reduction where y stands behind all that x knows: equals stay where they are.
std::string follow_text(const reduction_step& r);

/// How many points the axes [first, last) of a kernel's space have, by the names of their extents: `n0 * n1`.
std::string extents_text(int first, int last, const char* before = "n", const char* behind = "");

/// A value converted between dtypes.
std::string cast_text(dtype from, dtype to, const std::string& value);

/// A type's zero.
std::string zero_text(dtype t);
/// What a reduction has come to in its accumulator, converted to the type of its result.
std::string reduced_text(const reduction_step& r, dtype to, const std::string& combined);

/// The name of a kernel's entry point, which no function of the language has.
std::string entry_name(const kernel& k);

/// The type of scalar number `c` of a kernel.
dtype scalar_type(const kernel& k, std::size_t c);

/// An element's value as a reduction's accumulator takes it; of one from the first element of the row, which the
/// variable origin<argument> holds at a place.
std::string element_text(const reduction_step& r, const std::string& value, const std::string& place = "");

/// A text for reduction number `r`: `#` stands for the number, `@` for the type of its accumulator, and what is between
/// `{?` and `?}` is there where it carries an index.
std::string reduction_text(std::string_view text, std::size_t r, const std::string& accumulator, bool indexed);

/// The value that a reduction over no elements has.
std::string identity_text(const reduction_step& r);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/emit.ipp>
#endif
