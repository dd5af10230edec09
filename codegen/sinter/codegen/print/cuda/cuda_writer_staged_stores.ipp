// Bodies of cuda_writer.hpp that print staged stores: a thread block stores short rows, which
// follow each other in memory, as one by way of shared memory.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Threads have four neighbours each. Stored one by one, a warp's would reach the same sectors four times, for a quarter
// of each; neighbouring threads store neighbouring pieces of a span.
inline constexpr const char* staged_store_text =
#include <sinter/codegen/print/cuda/text/staged_store.cuh>
    ;

SINTER_INLINE void cuda_writer::write_staging_functions() {
    if (!facts_.staging.empty()) out_ += staged_store_text;
}

// The thread block's rows, and where they are in shared memory.
SINTER_INLINE void cuda_writer::write_staging_buffers() {
    if (facts_.staging.empty()) return;
    const std::string rows = std::to_string(facts_.rows_of_block);
    for (std::size_t r = 0; r < facts_.staging.size(); ++r)
        line("alignas(16) __shared__ " + operand_type(facts_.staging[r].access) + " staged" + std::to_string(r) + "[" +
             std::to_string(facts_.staging[r].elements) + "];");
    line("const index opening = " + block_number() + " * " + rows + ";");
    leave_beyond("opening >= kept");
    line("const int count = (int)(kept - opening < " + rows + " ? kept - opening : " + rows + ") * size;");
    line("const int thread = threadIdx.y * " + std::to_string(facts_.lanes) + " + t;");
}

// An element of the thread's row, or of its row u, in a room.
SINTER_INLINE std::string cuda_writer::staged_element(int buffer, const std::string& at) const {
    const std::string row =
        facts_.side_by_side ? "(threadIdx.y + " + std::to_string(facts_.row_stride) + " * u)" : "threadIdx.y";
    const std::string type = operand_type(facts_.staging[static_cast<std::size_t>(buffer)].access);
    return "staged" + std::to_string(buffer) + "[place<" + type + ">(" + row + " * size + " + at + ")]";
}

// What a stage has gathered, once all threads have.
SINTER_INLINE void cuda_writer::write_staged_stores(int stage) {
    bool any = false;
    for (std::size_t s : of(stage).stores) {
        if (facts_.staged[s] == no_buffer) continue;
        if (!any) line("__syncthreads();");
        any = true;
        const std::string buffer = "staged" + std::to_string(facts_.staged[s]);
        line("store_staged(" + operand_name(k_.stores[s].access) + " + opening * size, " + buffer +
             ", count, thread);");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
