// Bodies of matrix_lists.hpp.
#pragma once

#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/print/matrix_lists.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* list_matrices_text =
#include <sinter/codegen/print/text/matrix_lists.cuh>
    ;

SINTER_INLINE kernel_source matrix_lists_cuda() {
    return {"list_matrices",
            fill_text(list_matrices_text,
                      {{"axes", std::to_string(most_stack_axes)}, {"last_axis", std::to_string(most_stack_axes - 1)}}),
            {}};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
