// Bodies of sort_rows_cuda.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_rows_cuda.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* sort_warp_rows_text =
#include <sinter/codegen/kernels/sort/text/sort_warp_rows.cuh>
    ;
inline constexpr const char* sort_number_item_file =
#include <sinter/codegen/kernels/sort/text/number_item.cuh>
    ;
inline constexpr const char* sort_struct_item_file =
#include <sinter/codegen/kernels/sort/text/struct_item.cuh>
    ;

// An item of one number: what an element is ordered by and, behind it, where it stands.
SINTER_INLINE std::string sort_number_item_text(dtype t, bool positions) {
    const int bits = 8 * size_of(t);
    const char kind = kind_of(t);
    const bool wide = (positions ? 2 * bits : bits) > 32;
    const std::string sign = sign_bit_text(t);
    return fill_text(sort_number_item_file, {{"positions", positions},
                                             {"floating", kind == 'f'},
                                             {"number", wide ? "unsigned long long" : "unsigned"},
                                             {"key", kind == 'f'   ? "ordered(x)"
                                                     : kind == 'i' ? "(element)(x ^ " + sign + ")"
                                                                   : "(element)x"},
                                             {"sign", sign},
                                             {"shift", bits == 32 ? "32" : "16"},
                                             {"low_bits", bits == 32 ? "0xffffffffu" : "0xffffu"}});
}

// An item that takes several numbers.
SINTER_INLINE std::string sort_struct_item_text(dtype t, bool positions) {
    const char kind = kind_of(t);
    const bool two = t == dtype::complex128;
    const std::string key = two           ? "upper_key(x.re, x.im), lower_key(x.re, x.im)"
                            : kind == 'c' ? "(unsigned long long)upper_key(x, x >> 32) << 32 | lower_key(x, x >> 32)"
                            : kind == 'f' ? "ordered(x)"
                            : kind == 'i' ? "x ^ 1ull << 63"
                                          : "x";
    return fill_text(sort_struct_item_file, {{"complex", kind == 'c'},
                                             {"complex128", two},
                                             {"part", two ? "unsigned long long" : "unsigned"},
                                             {"key", key},
                                             {"result", positions ? "x.position" : "row[x.position]"}});
}

SINTER_INLINE std::string sort_warp_rows(const sort_task& t, const sort_shape& s) {
    const bool wide = sort_items_are_wide(t);
    std::string text = sort_element_text(t.type, "__device__");
    text += joined({"typedef ", t.positions ? "unsigned" : "element", " result;\n\n"});
    text += wide ? sort_struct_item_text(t.type, t.positions) : sort_number_item_text(t.type, t.positions);
    text += "// A row lies in so many lanes, so many items in each.\n";
    text += joined({"constexpr int lanes = ", s.lanes, ", items = ", s.items, ";\n\n"});
    // Blocks of a multiprocessor, at least: as many as registers suffice for without leaving any item in memory.
    const int item_bytes = (t.positions ? 2 : 1) * size_of(t.type);
    const bool fills = size_of(t.type) == 16 || (s.items == 32 && item_bytes > 4);
    const int blocks = (fills ? 512 : 768) / s.threads;
    return text + fill_text(sort_warp_rows_text, {{"restores", kind_of(t.type) == 'f' && !t.positions},
                                                  {"target", t.positions ? "long long" : "element"},
                                                  {"threads", std::to_string(s.threads)},
                                                  {"least_blocks", std::to_string(blocks)}});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
