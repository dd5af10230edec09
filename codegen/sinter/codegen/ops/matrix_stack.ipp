// Bodies of matrix_stack.hpp.
#pragma once

#include <sinter/codegen/ops/matrix_stack.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool has_one_stride(const dims& product, const dims& a, const dims& b) {
    int first = -1;
    for (int i = 0; i + 2 < product.size(); ++i) {
        if (product[i] == 1) continue;
        if (first < 0) first = i;
        if ((a[i] == 1) != (a[first] == 1) || (b[i] == 1) != (b[first] == 1)) return false;
    }
    return true;
}

SINTER_INLINE std::int64_t matrix_of_operand(const dims& product, const dims& operand, std::int64_t number) {
    std::int64_t at = 0, step = 1;
    for (int i = product.size() - 2; i-- > 0; step *= operand[i], number /= product[i])
        if (operand[i] > 1) at += number % product[i] * step;
    return at;
}

SINTER_INLINE std::int64_t alignment_in_list(dtype type, precision in) {
    constexpr std::int64_t bytes = 16;
    return is_half(type) || in != precision::highest ? bytes / size_of(type) : 1;
}

SINTER_INLINE bool is_listable(dtype type, precision in, std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t elements = alignment_in_list(type, in);
    return kind_rank(type) > 1 && m * k % elements == 0 && k * n % elements == 0 && m * n % elements == 0;
}

}  // namespace sinter::inline SINTER_ABI::codegen
