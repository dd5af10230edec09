// Which layouts of arrays library calls read as they stand; must not know plans.
#pragma once

#include <sinter/codegen/base/layout.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Whether a matrix product can read this layout as it stands: stacks of rows or columns with unit inner stride.
bool is_matrix_layout(const layout& l);
/// The same for stacks without one stride from matrix to matrix, whose matrices begin at multiples of so many elements:
/// memory itself begins at more.
bool is_listed_layout(const layout& l, std::int64_t alignment);

/// Whether a layout's elements lie one after another in row-major order, from any offset.
bool is_row_major(layout l);

/// Whether each axis leads on to other elements, by a positive stride.
bool is_strided_layout(const layout& l);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/fuse/library_layouts.ipp>
#endif
