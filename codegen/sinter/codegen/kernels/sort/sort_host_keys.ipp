// Bodies of sort_host_keys.hpp.
#pragma once

#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/kernels/sort/sort_host_keys.hpp>
#include <string>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* sort_keys_text =
#include <sinter/codegen/kernels/sort/text/host/sort_keys.hxx>
    ;

SINTER_INLINE std::string sort_keys_text_of(bool wide) {
    const std::string builtin = "__builtin_ia32_", lanes = wide ? "di512_mask" : "si512_mask";
    return fill_text(sort_keys_text, {{"word", wide ? "long long" : "int"},
                                      {"masked_load", builtin + "loaddqu" + lanes},
                                      {"masked_store", builtin + "storedqu" + lanes},
                                      {"compress", builtin + "compress" + lanes},
                                      {"compare", builtin + (wide ? "ucmpq512_mask" : "ucmpd512_mask")}});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
