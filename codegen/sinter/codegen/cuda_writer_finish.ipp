// Bodies of cuda_writer.hpp that join the partial results of rows: by the last thread block, or by a second launch.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// The results of a row's blocks join in place, level by level, until one is left at p<r>[0].
SINTER_INLINE void cuda_writer::write_level_joins(int stage, const std::string& writer) {
    per_reduction("@* p# = partial# + row * parts;", "long long* pi# = position# + row * parts;", stage);
    open("for (index count = parts; count > 1; count = (count + 4095) / 4096)");
    open("for (index begin = 0; begin < count; begin += 4096)");
    line("const int size = (int)(count - begin < 4096 ? count - begin : 4096);");
    per_reduction("@ a#[4];", "long long ai#[4];", stage);
    line("#pragma unroll");
    open("for (int j = 0; j < 4; ++j)");
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    line("const int l = 1024 * j + 4 * t + c;");
    line("if (l >= size) continue;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (stage != any_stage && k_.reductions[r].stage != stage) continue;
        std::string id = std::to_string(r), p = "p" + id + "[begin + l]", q = "pi" + id + "[begin + l]";
        std::string a = "a" + id + "[c]", ai = "ai" + id + "[c]";
        line("if (j == 0) " + a + " = " + p + (indexed(r) ? ", " + ai + " = " + q : "") + ";");
        line("else join" + id + "(" + a + (indexed(r) ? ", " + ai : "") + ", " + p + (indexed(r) ? ", " + q : "") + ");");
    }
    close();
    close();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (stage != any_stage && k_.reductions[r].stage != stage) continue;
        std::string id = std::to_string(r);
        line("join_block" + id + "(a" + id + (indexed(r) ? ", ai" + id : "") + ", size, room);");
    }
    open("if (" + writer + ")");
    per_reduction("p#[begin / 4096] = a#[0];", "pi#[begin / 4096] = ai#[0];", stage);
    close();
    close();
    line("__syncthreads();");
    close();
}

// The threads of the thread block that is the last one of `count` to come here go on, and see what the others have written.
SINTER_INLINE void cuda_writer::write_last_check(const std::string& writer, const std::string& counter, const std::string& count) {
    line("__shared__ bool is_last;");
    line("__threadfence();");
    line("__syncthreads();");
    line("if (" + writer + ") is_last = atomicAdd(&counters[" + counter + "], 1u) == (unsigned)" + count + " - 1;");
    line("__syncthreads();");
    line("if (!is_last) return;");
    line("__threadfence();");
    line("if (" + writer + ") counters[" + counter + "] = 0;");
}

// The row's last thread block joins the results of all, in their order.
SINTER_INLINE void cuda_writer::write_rows_last() {
    open("if (parts > 1)");
    open("if (t == 0)");
    per_reduction("partial#[item] = a#[0];", "position#[item] = ai#[0];");
    close();
    write_last_check("t == 0", "row", "parts");
    write_level_joins(any_stage, "t == 0");
    per_reduction("a#[0] = p#[0];", "ai#[0] = pi#[0];");
    close();
}

// One thread block per row joins the results of the row's blocks.
SINTER_INLINE void cuda_writer::write_rows_finish() {
    write_head(name_ + "_finish");
    write_sizes();
    line("const int t = threadIdx.x;");
    line("const index row = " + block_number() + ";");
    if (k_.wide) line("if (row >= kept) return;");
    write_room();
    write_level_joins(any_stage, "t == 0");
    line("if (t != 0) return;");
    per_reduction("const @ r# = p#[0];", "const long long ri# = pi#[0];");
    write_decode("row", 0, k_.kept);
    write_epilogue();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
