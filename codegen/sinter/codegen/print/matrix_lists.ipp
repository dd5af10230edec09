// Bodies of matrix_lists.hpp.
#pragma once

#include <sinter/codegen/print/matrix_lists.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE kernel_source matrix_lists_cuda() {
    const std::string axes = "[" + std::to_string(most_stack_axes) + "]", last = std::to_string(most_stack_axes - 1);
    return {"list_matrices",
            "// Where the matrices of a, b and c begin.\nstruct matrix_steps { long long shape" + axes + ", a" + axes +
                ", b" + axes +
                R"(, c; };

extern "C" __global__ void __launch_bounds__(256)
list_matrices(unsigned long long a, unsigned long long b, unsigned long long c, unsigned long long* lists, long long count,
              matrix_steps steps) {
    const long long i = blockIdx.x * 256ll + threadIdx.x;
    if (i >= count) return;
    long long rest = i;
    #pragma unroll
    for (int axis = )" +
                last + R"(; axis >= 0; --axis) {
        const long long at = rest % steps.shape[axis];
        rest /= steps.shape[axis];
        a += at * steps.a[axis];
        b += at * steps.b[axis];
    }
    lists[i] = a;
    lists[count + i] = b;
    lists[2 * count + i] = c + i * steps.c;
}
)",
            {}};
}

}  // namespace sinter::inline SINTER_ABI::codegen
