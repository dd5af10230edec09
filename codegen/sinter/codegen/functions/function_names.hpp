// What names mean inside of users' scalar functions without being defined by users; must not know kernels.
#pragma once

#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/codegen/ops/op.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct definition;

/// What a name in a definition's text means.
struct meaning {
    enum class what : std::uint8_t {
        other,    ///< nothing that a kernel has to define: a local name, a keyword, or unknown
        itself,   ///< the function calls itself
        math,     ///< an operation of ops.def, under the name `spelling`
        support,  ///< a name of the standard library that kernels define as `spelling`
        value,    ///< a constant, written as `spelling`
        refers    ///< another definition
    };
    what kind = what::other;
    std::string spelling = {};
    const definition* to = nullptr;
};

/// The operation that scalar functions know under a name, or op::cast.
op operation_named(std::string_view name);

/// Whether std's function of this name means what sinter's means.
bool is_standard_math(std::string_view name);
/// Whether a name is a C function for float: sqrtf.
bool is_single_math(std::string_view name);

/// What a name means in a resolved definition.
meaning meaning_of(const definition& d, const spelt_name& n, const sequence<std::string>& declared);

/// What a name means that users have not defined.
meaning builtin_meaning(const spelt_name& n);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/functions/function_names.ipp>
#endif
