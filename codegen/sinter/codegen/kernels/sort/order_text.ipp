// Bodies of order_text.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* sort_element_file =
#include <sinter/codegen/kernels/sort/text/element.hxx>
    ;
inline constexpr const char* sort_digits_file =
#include <sinter/codegen/kernels/sort/text/digits.hxx>
    ;

SINTER_INLINE std::string sign_bit_text(dtype t) {
    return (size_of(t) == 8 ? "1ull << " : "1u << ") + std::to_string(8 * size_of(t) - 1);
}

SINTER_INLINE std::string sort_element_text(dtype t, const std::string& function) {
    const bool wide = size_of(real_of(t)) == 8;
    const char* words[] = {"unsigned char", "unsigned short", "", "unsigned", "", "", "", "unsigned long long"};
    const char kind = kind_of(t);
    return fill_text(sort_element_file, {{"complex128", t == dtype::complex128},
                                         {"complex", kind == 'c'},
                                         {"floating", kind == 'f' || kind == 'c'},
                                         {"function", function},
                                         {"word", t == dtype::complex128 ? "" : words[size_of(t) - 1]},
                                         {"part", wide ? "unsigned long long" : "unsigned"},
                                         {"signed_part", wide ? "long long" : "int"},
                                         {"one", wide ? "1ull" : "1u"},
                                         {"sign_bit", wide ? "63" : "31"},
                                         {"infinity", wide ? "0x7ff0000000000000ull" : "0x7f800000u"}});
}

SINTER_INLINE std::string sort_digit_text(dtype t, const std::string& function) {
    const char kind = kind_of(t);
    return sort_element_text(t, function) +
           fill_text(
               sort_digits_file,
               {{"complex128", t == dtype::complex128},
                {"complex", kind == 'c'},
                {"function", function},
                {"part_digits", std::to_string(size_of(t) / 2)},
                {"key", kind == 'f'   ? "ordered(x)"
                        : kind == 'i' ? "(x ^ (" + sign_bit_text(t) + "))"
                                      : "x"},
                {"last", t == dtype::complex128       ? "{~0ull >> 1, ~0ull >> 1}"
                         : kind == 'b' || kind == 'u' ? "(element)~0ull"
                         : t == dtype::complex64      ? "0x7fffffff7fffffffull"
                                                 : "(element)(~0ull >> " + std::to_string(65 - 8 * size_of(t)) + ")"}});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
