// Bodies of multi_output_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/cuda_reduces_text.hpp>
#include <sinter/codegen/print/cuda/rows/multi_output_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Which of the reductions with the same functions one is, and how many there are.
SINTER_INLINE std::string multi_output_writer::number_of_kind(std::size_t r) const {
    int n = 0;
    for (std::size_t i = 0; i < r; ++i) n += combined_as(i) == combined_as(r);
    return std::to_string(n);
}

SINTER_INLINE std::string multi_output_writer::count_of_kind(std::size_t kind) const {
    int n = 0;
    for (std::size_t i = 0; i < k_.reductions.size(); ++i) n += combined_as(i) == kind;
    return std::to_string(n);
}

// The same line for reductions with the same functions, a warp for each in turn: `#` stands for their number, `r` for
// which.
SINTER_INLINE void multi_output_writer::write_per_warp(const std::string& combine, const std::string& then) {
    for (std::size_t kind : reductions_of()) {
        if (combined_as(kind) != kind) continue;
        open_unrolled("for (int r = warp; r < " + count_of_kind(kind) + "; r += 8)", 1);
        for (std::string s : {combine, then}) {
            for (std::size_t at = s.find('#'); at != s.npos; at = s.find('#')) s.replace(at, 1, std::to_string(kind));
            line(s);
        }
        close();
    }
    line("__syncthreads();");
}

// The results of a row's blocks of 4096 elements, by the last thread block of all that took them, into the buffers.
SINTER_INLINE void multi_output_writer::write_multi_output_end() {
    open("if (tiles > 1)");
    open("if (gridDim.y > 1)");
    write_last_check("t == 0", "counters[row]", "gridDim.y");
    close();
    open("for (index count = tiles; count > 1; count = (count + 4095) / 4096)");
    open("for (index begin = 0; begin < count; begin += 4096)");
    line("const int size = (int)(count - begin < 4096 ? count - begin : 4096);");
    write_per_warp("partials_reduce<combine#>(partials#[r] + begin, size, buffers#[r]);",
                   "if (t % 32 == 0) partials#[r][begin / 4096] = buffers#[r][0];");
    close();
    close();
    close();
}

// Shared memory of those with the same functions, and where in memory their results go.
SINTER_INLINE void multi_output_writer::write_multi_output_buffers() {
    for (std::size_t r : reductions_of()) {
        if (combined_as(r) != r) continue;
        const std::string rows = joined({"[", count_of_kind(r), "]"});
        write_for(r, "__shared__ @ buffers#" + rows + "[256];\n__shared__ @* partials#" + rows + ";");
    }
    for (std::size_t r : reductions_of()) {
        const std::string kind = std::to_string(combined_as(r));
        write_for(r, "if (t == #) partials" + kind + "[" + number_of_kind(r) + "] = partial# + row * tiles;");
    }
}

// Thread blocks of a row take its blocks of 4096 elements in turn, as write_rows has it for few reductions.
SINTER_INLINE void multi_output_writer::write_kernel() {
    for (std::size_t r : reductions_of())
        if (combined_as(r) == r) write_combine(r);
    out_ += joined({thread_reduce_text, multi_output_reduces_text, "\n"});
    find_draws();
    write_head();
    write_sizes();
    line("const int t = threadIdx.x, warp = t / 32;");
    line({"const index row = ", block_number(), ";"});
    leave_beyond("row >= kept");
    write_multi_output_buffers();
    write_decode("row", 0, k_.kept);
    write_origins(0, "reduced > 0");
    write_accumulate();
    per_reduction("@ a#[4];");
    open_unrolled("for (index tile = blockIdx.y; tile < tiles; tile += gridDim.y)", 1);
    line("const index begin = tile * 4096;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096), lanes = size < 1024 ? size : 1024;");
    write_block_lanes();
    for (std::size_t r : reductions_of()) {
        const std::string kind = std::to_string(combined_as(r));
        write_for(r, "thread_reduce<combine" + kind + ">(lanes - 4 * t, a#);\n" + buffer_of(r) + "[t] = a#[0];");
    }
    line("__syncthreads();");
    write_per_warp("buffer_reduce<combine#>(buffers#[r], (lanes + 3) / 4);",
                   "if (tiles > 1 && t % 32 == 0) partials#[r][tile] = buffers#[r][0];");
    close();
    write_multi_output_end();
    line("if (t != 0) return;");
    for (std::size_t r : reductions_of()) write_for(r, "const @ r# = " + buffer_of(r) + "[0];");
    write_epilogue();
    close();
    out_ += "\n";
}

SINTER_INLINE kernel_source print_multi_output(const kernel& k) { return written_by<multi_output_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
