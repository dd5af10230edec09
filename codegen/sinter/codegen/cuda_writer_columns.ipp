// Bodies of cuda_writer.hpp that print reductions along columns.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// join_chunk<r>: eight threads that stand in different rows of a thread block to the first of them.
SINTER_INLINE void cuda_writer::write_chunk_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    bool has_index = indexed(r);
    open("static __device__ inline void join_chunk" + id + "(" + a + "& a" + (has_index ? ", long long& ai" : "") +
         ", int lanes, double* room)");
    line("const int lane = threadIdx.y, at = threadIdx.x + blockDim.x * (lane + 8 * threadIdx.z);");
    line(a + "* shared = (" + a + "*)room;");
    if (has_index) line("long long* shared_index = (long long*)(room + 256);");
    line("shared[at] = a;");
    if (has_index) line("shared_index[at] = ai;");
    open("for (int h = 4; h > 0; h /= 2)");
    line("__syncthreads();");
    line("const int from = at + h * blockDim.x;");
    open("if (lane < h && lane + h < lanes)");
    line("join" + id + (has_index ? "(a, ai, shared[from], shared_index[from]);" : "(a, shared[from]);"));
    line("shared[at] = a;");
    if (has_index) line("shared_index[at] = ai;");
    close();
    close();
    line("__syncthreads();");
    close();
}

// Threads along the kept axes, eight lanes of a chunk above each other.
SINTER_INLINE void cuda_writer::write_columns() {
    write_head(name_);
    write_sizes();
    line("const index column = " + block_number() + " * blockDim.x + threadIdx.x;");
    line("const index part = (index)blockIdx.y * blockDim.z + threadIdx.z;");
    line("const index begin = part * size, end = reduced - begin < size ? reduced : begin + size;");
    line("const int lanes = column >= kept || begin >= end ? 0 : end - begin < 8 ? (int)(end - begin) : 8;");
    write_room();
    write_decode("column", 0, k_.kept);
    write_accumulate();
    per_reduction("@ a#;", "long long ai#;");
    open("if ((int)threadIdx.y < lanes)");
    line("const index first = begin + threadIdx.y;");
    list("accumulate", accumulate_arguments("true", "first", "a", "c"), ");");
    line(k_.body.size() > unrolled_body ? "#pragma unroll 1" : "#pragma unroll 4");
    list("for (index i = first + 8; i < end; i += 8) accumulate", accumulate_arguments("false", "i", "a", "c"), ");");
    close();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("join_chunk" + id + "(a" + id + (indexed(r) ? ", ai" + id : "") + ", lanes, room);");
    }
    if (k_.one_launch) {
        write_columns_last();
    } else {
        line("if (threadIdx.y != 0 || column >= kept || part >= parts) return;");
        write_identities("lanes == 0", "");
        write_partials("");
    }
    per_reduction("const @ r# = a#;", "const long long ri# = ai#;");
    write_epilogue();
    close();
    out_ += "\n";
}

// The columns' last thread block joins the results of all, in their order.
SINTER_INLINE void cuda_writer::write_columns_last() {
    line("const bool writes = threadIdx.y == 0 && column < kept && part < parts;");
    write_identities("lanes == 0", "");
    open("if (parts > 1)");
    open("if (writes)");
    per_reduction("partial#[part * kept + column] = a#;", "position#[part * kept + column] = ai#;");
    close();
    write_last_check("threadIdx.x + threadIdx.y + threadIdx.z == 0", "blockIdx.x", "gridDim.y");
    line("if (threadIdx.y + threadIdx.z != 0 || column >= kept) return;");
    per_reduction("@ r# = partial#[column];", "long long ri# = position#[column];");
    write_parts_join();
    per_reduction("a# = r#;", "ai# = ri#;");
    close("} else if (!writes) {");
    line("return;");
    close();
}

SINTER_INLINE void cuda_writer::write_parts_join() {
    line("#pragma unroll 8");
    open("for (index part = 1; part < parts; ++part)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("join" + id + "(r" + id + (indexed(r) ? ", ri" + id : "") + ", partial" + id + "[part * kept + column]" +
             (indexed(r) ? ", position" + id + "[part * kept + column]" : "") + ");");
    }
    close();
}

SINTER_INLINE void cuda_writer::write_columns_finish() {
    write_head(name_ + "_finish");
    write_sizes();
    line("const index column = " + block_number() + " * 256 + threadIdx.x;");
    line("if (column >= kept) return;");
    per_reduction("@ r# = partial#[column];", "long long ri# = position#[column];");
    write_parts_join();
    write_decode("column", 0, k_.kept);
    write_epilogue();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
