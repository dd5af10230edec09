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

SINTER_INLINE int cuda_writer::rows_of_block() const { return cuda_threads / k_.how.lanes * k_.how.rows_per_thread; }

// The number of a room for what an access moves of all the thread block's rows, with the gaps that place() leaves; or
// none.
SINTER_INLINE int cuda_writer::add_staging_buffer(std::uint32_t a) {
    constexpr const reduction_schedule& s = reduction_schedules;
    const int size = size_of(k_.operands[static_cast<std::size_t>(k_.accesses[a].operand)].type);
    const int all = rows_of_block() * k_.how.row_capacity, elements = size < 4 ? all : all + all / (128 / size);
    int taken = 0;
    for (const staging_buffer& r : staging_buffers_) taken += r.bytes;
    if (taken + size * elements > s.staging_bytes) return no_buffer;
    staging_buffers_.push_back({operand_type(a), elements, size * elements});
    return static_cast<int>(staging_buffers_.size()) - 1;
}

SINTER_INLINE void cuda_writer::find_staged_stores() {
    staged_stores_.assign(k_.stores.size(), no_buffer);
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (is_staged(k_, k_.stores[s])) staged_stores_[s] = add_staging_buffer(k_.stores[s].access);
    if (!staging_buffers_.empty()) out_ += staged_store_text;
}

// The thread block's rows, and where they are in shared memory.
SINTER_INLINE void cuda_writer::write_staging_buffers() {
    if (staging_buffers_.empty()) return;
    const std::string rows = std::to_string(rows_of_block());
    for (std::size_t r = 0; r < staging_buffers_.size(); ++r)
        line("alignas(16) __shared__ " + staging_buffers_[r].type + " staged" + std::to_string(r) + "[" +
             std::to_string(staging_buffers_[r].elements) + "];");
    line("const index opening = " + block_number() + " * " + rows + ";");
    if (k_.how.wide) line("if (opening >= kept) return;");
    line("const int count = (int)(kept - opening < " + rows + " ? kept - opening : " + rows + ") * size;");
    line("const int thread = threadIdx.y * " + std::to_string(k_.how.lanes) + " + t;");
}

// An element of the thread's row, or of its row u, in a room.
SINTER_INLINE std::string cuda_writer::staged_element(int buffer, const std::string& at) const {
    const int rows = cuda_threads / k_.how.lanes;
    const std::string row =
        k_.how.rows_per_thread > 1 ? "(threadIdx.y + " + std::to_string(rows) + " * u)" : "threadIdx.y";
    const std::string& type = staging_buffers_[static_cast<std::size_t>(buffer)].type;
    return "staged" + std::to_string(buffer) + "[place<" + type + ">(" + row + " * size + " + at + ")]";
}

// What a stage has gathered, once all threads have.
SINTER_INLINE void cuda_writer::write_staged_stores(int stage) {
    bool any = false;
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        if (!has_staging_buffer(s) || k_.stores[s].stage != stage) continue;
        if (!any) line("__syncthreads();");
        any = true;
        const std::string buffer = "staged" + std::to_string(staged_stores_[s]);
        line("store_staged(" + operand_name(k_.stores[s].access) + " + opening * size, " + buffer +
             ", count, thread);");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
