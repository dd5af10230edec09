// Bodies of cuda_writer.hpp that print staged stores: a thread block stores short rows, which
// follow each other in memory, as one by way of shared memory.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Threads have four neighbours each. Stored one by one, a warp's would reach the same sectors four times, for a quarter
// of each; neighbouring threads store neighbouring pieces of a span.
inline constexpr const char* staged_store_text =
    R"(// Where element e of a span is: threads four elements apart shall meet all banks.
template <class T> static __device__ inline unsigned place(unsigned e) {
    return sizeof(T) < 4 ? e : e + e / (128 / sizeof(T));
}
// What threads move at once: of narrow types half as much, to which a thread block's rows begin anywhere.
template <class T> struct piece_of {
    static constexpr int bytes = sizeof(T) < 4 ? 8 : 16, lanes = bytes / sizeof(T);
    alignas(bytes) T v[lanes];
};
template <class T> static __device__ inline void store_staged(T* to, const T* staged, int count, int thread) {
    using piece = piece_of<T>;
    const int pieces = (unsigned long long)to % piece::bytes == 0 ? count / piece::lanes : 0;
    for (int i = thread; i < pieces; i += 256) {
        piece p;
        if (sizeof(T) < 4) p = ((const piece*)staged)[i];
        else
            for (int e = 0; e < piece::lanes; ++e) p.v[e] = staged[place<T>(i * piece::lanes + e)];
        ((piece*)to)[i] = p;
    }
    for (int e = pieces * piece::lanes + thread; e < count; e += 256) to[e] = staged[place<T>(e)];
}

)";

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
