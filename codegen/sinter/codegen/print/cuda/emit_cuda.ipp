// Bodies of emit_cuda.hpp; a class for each family of schedules prints its kernels.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/columns/grid_columns_writer.hpp>
#include <sinter/codegen/print/cuda/columns/thread_columns_writer.hpp>
#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/cuda/maps/flat_map_writer.hpp>
#include <sinter/codegen/print/cuda/maps/grid_map_writer.hpp>
#include <sinter/codegen/print/cuda/maps/joined_map_writer.hpp>
#include <sinter/codegen/print/cuda/maps/transposed_tiles_writer.hpp>
#include <sinter/codegen/print/cuda/rows/block_rows_writer.hpp>
#include <sinter/codegen/print/cuda/rows/cooperative_rows_writer.hpp>
#include <sinter/codegen/print/cuda/rows/grid_rows_writer.hpp>
#include <sinter/codegen/print/cuda/rows/multi_output_writer.hpp>
#include <sinter/codegen/print/cuda/rows/warp_rows_writer.hpp>
#include <sinter/codegen/print/cuda/rows/windows_writer.hpp>
#include <sinter/codegen/print/cuda/scans/column_scan_writer.hpp>
#include <sinter/codegen/print/cuda/scans/row_scan_writer.hpp>
#include <sinter/codegen/print/cuda/scans/selection_writer.hpp>
#include <sinter/codegen/schedule/stages.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE kernel_source emit_cuda_map(const kernel& k) {
    switch (k.how.map) {
#define SINTER_MAPPING_cuda_map(name) \
    case mapping::name: return print_##name(k);
#include <sinter/codegen/schedule/mappings.def>
        default: throw internal_error("[codegen] a schedule of the CPU is printed for a GPU, or one of rows as a map");
    }
}

SINTER_INLINE kernel_source emit_cuda_rows(const kernel& k) {
    switch (k.how.map) {
#define SINTER_MAPPING_cuda_rows(name) \
    case mapping::name: return print_##name(k);
#include <sinter/codegen/schedule/mappings.def>
        default: throw internal_error("[codegen] a schedule of the CPU is printed for a GPU, or a map as one of rows");
    }
}

SINTER_INLINE kernel_source emit_cuda(const kernel& k) {
    return is_map(k.how.map) ? emit_cuda_map(k) : emit_cuda_rows(k);
}

SINTER_INLINE kernel_source scalar_writer_cuda() {
    const std::string words = std::to_string(2 * most_step_scalars);
    return {"write_scalars",
            "// The numbers of this run for the kernels that follow.\nstruct scalars { unsigned long long words[" +
                words + "]; };\n\nextern \"C\" __global__ void __launch_bounds__(" + words +
                ")\nwrite_scalars(unsigned long long* to, scalars given) {\n" + early_start_text() +
                "    to[threadIdx.x] = given.words[threadIdx.x];\n}\n",
            {}};
}

SINTER_INLINE kernel_source scaling_cuda(dtype type) {
    const std::string of = type_text(type), per_block = std::to_string(scaled_by_block);
    return {"scale_" + std::string(to_string(type)),
            "extern \"C\" __global__ void __launch_bounds__(256)\n" +
                ("scale(" + of + "* x, " + of + " factor, long long count) {\n") +
                "    const long long first = blockIdx.x * " + per_block + "ll + threadIdx.x;\n    #pragma unroll\n" +
                "    for (int k = 0; k < " + per_block + "; k += 256)\n" +
                "        if (first + k < count) x[first + k] *= factor;\n}\n",
            {}};
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
