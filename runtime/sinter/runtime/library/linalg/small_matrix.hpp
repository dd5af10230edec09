// LAPACK's routines for matrices of few rows and columns, where a call of the library takes longer than its arithmetic;
// must not know stacks or threads.
#pragma once

#include <sinter/runtime/library/linalg/linalg_task.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// The function for a task, or null where its matrices are large or its routine has none.
small_matrix_function* small_matrix_function_of(const linalg_task& t);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/small_matrix.ipp>
#endif
