// Bodies of sort_host.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_host.hpp>
#include <sinter/codegen/kernels/sort/sort_host_rows.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* sort_before_file =
#include <sinter/codegen/kernels/sort/text/host/before.hxx>
    ;

// Whether one element stands before another: what sort_digit_text counts in digits, as one comparison.
SINTER_INLINE std::string sort_before_text(dtype t) {
    const bool floating = kind_of(t) == 'f';
    return fill_text(sort_before_file, {{"complex", kind_of(t) == 'c'},
                                        {"complex128", t == dtype::complex128},
                                        {"key_of_a", floating ? "ordered(a)" : "(" + type_text(t) + ")a"},
                                        {"key_of_b", floating ? "ordered(b)" : "(" + type_text(t) + ")b"}});
}

inline constexpr const char* sort_host_text =
#include <sinter/codegen/kernels/sort/text/host/sort_digits.hxx>
    ;

SINTER_INLINE kernel_source sort_host(const sort_task& t) {
    if (sort_by_keys(t)) return sort_host_by_keys(t);
    std::string text = sort_digit_text(t.type, "static inline") + sort_before_text(t.type);
    if (t.positions) {
        text +=
            joined({"typedef ", t.length > std::int64_t{1} << 32 ? "unsigned long long" : "unsigned", " number;\n"});
        text += "typedef long long result;\nstruct item { element value; number position; };\n";
    } else {
        text += "typedef element result;\nstruct item { element value; };\n";
    }
    text += joined({"constexpr int digits = ", sort_digits(t.type), ";\n\n"});
    return {"sort_rows", text + fill_text(sort_host_text, {{"positions", t.positions}})};
}

// Bytes of an item of the host text.
SINTER_INLINE std::int64_t sort_item_bytes(const sort_task& t) {
    std::int64_t size = size_of(t.type), number = t.length > std::int64_t{1} << 32 ? 8 : 4;
    if (!t.positions) return size;
    std::int64_t align = std::max(size, number);
    return (size + number + align - 1) / align * align;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
