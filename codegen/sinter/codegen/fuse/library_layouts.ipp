// Bodies of library_layouts.hpp.
#pragma once

#include <sinter/codegen/fuse/library_layouts.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Whether each matrix of a stack has rows or columns with unit inner stride.
SINTER_INLINE bool has_unit_strides(const layout& l) {
    int r = l.shape.size();
    if (r < 2) return false;
    std::int64_t rows = l.strides[r - 2], columns = l.strides[r - 1], m = l.shape[r - 2], n = l.shape[r - 1];
    bool by_rows = (columns == 1 || n == 1) && (rows >= n || m == 1);
    bool by_columns = (rows == 1 || m == 1) && (columns >= m || n == 1);
    return by_rows || by_columns;
}

SINTER_INLINE bool is_matrix_layout(const layout& l) {
    if (!has_unit_strides(l)) return false;
    int inner = -1;
    for (int i = l.shape.size() - 3; i >= 0; --i) {
        if (l.shape[i] == 1) continue;
        if (inner >= 0 && l.strides[i] != l.strides[inner] * l.shape[inner]) return false;
        inner = i;
    }
    return true;
}

SINTER_INLINE bool is_listed_layout(const layout& l, std::int64_t alignment) {
    if (!has_unit_strides(l) || l.offset % alignment != 0) return false;
    for (int i = 0; i + 2 < l.shape.size(); ++i)
        if (l.shape[i] > 1 && l.strides[i] % alignment != 0) return false;
    return true;
}

SINTER_INLINE bool is_row_major(layout l) {
    l.offset = 0;
    return is_contiguous(l);
}

SINTER_INLINE bool is_strided_layout(const layout& l) {
    for (int i = 0; i < l.shape.size(); ++i)
        if (l.shape[i] > 1 && l.strides[i] <= 0) return false;
    return true;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
