// Which members of a structure a function returns as it got them, as far as its words tell; must not know types.
#pragma once

#include <sinter/codegen/functions/function_tokens.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What a function does with a member of a parameter that is a structure.
enum class member_use : std::uint8_t {
    any,    ///< it may write it, or hand it on
    kept,   ///< it reads it, and returns the parameter with it
    unused  ///< it does not name it; where it returns the parameter, the member comes with it
};

/// What a function, by its text from the parameters on, does with a member of one of them: `(particle p, float dt) ->
/// particle { p.x += dt * p.v; return p; }` keeps v, and does not use what else p has. Where words leave a doubt, as
/// any reference does, the answer is `any`.
member_use use_of_member(std::string_view text, std::size_t parameter, std::string_view member);

/// Whether a function always returns this parameter.
bool returns_parameter(std::string_view text, std::size_t parameter);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/functions/kept_members.ipp>
#endif
