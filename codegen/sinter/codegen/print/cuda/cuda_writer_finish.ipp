// Bodies of cuda_writer.hpp that join the partial results of rows: by the last thread block.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* arrival_text =
#include <sinter/codegen/print/cuda/text/arrival.cuh>
    ;

// arrive(): fences around an atomic operation wait for more than one that releases and acquires itself. One H100, means
// and variances of 2097152 x 32 floats: 117 us with two fences, 112 so.
SINTER_INLINE void cuda_writer::write_arrival() { out_ += arrival_text; }

// The threads of the thread block that is the last of `count` to come here go on, and see what the others' threads have
// written that met with `writer`.
SINTER_INLINE void cuda_writer::write_last_check(const std::string& writer, const std::string& counter,
                                                 const std::string& count) {
    line("__shared__ bool is_last;");
    open("if (" + writer + ")");
    line("is_last = arrive(&" + counter + ") == " + count + " - 1;");
    line("if (is_last) " + counter + " = 0;");
    close();
    line("__syncthreads();");
    line("if (!is_last) return;");
}

// group_reduce<r>: 4096 results of a row's blocks, or the 1024 lanes that thread blocks have joined them to, by a warp
// to its first thread's a. Nothing is asked about their number, so that what is loaded comes all at once and stays in
// registers.
SINTER_INLINE void cuda_writer::write_group_reduce(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r);
    open("static __device__ inline void group_reduce" + id + "(" +
         with_index(r, "const " + a + "* p", "const index* pi") + ", " + with_index(r, a + "* a", "index* ai") + ")");
    line("const int t = threadIdx.x % 32;");
    line(a + " x[4], b[8];");
    if (indexed(r)) line("index xi[4], bi[8];");
    line("#pragma unroll");
    open("for (int q = 0; q < 8; ++q)");
    line("const int first = 128 * q + 4 * t;");
    line("#pragma unroll");
    line("for (int c = 0; c < 4; ++c) " + with_index(r, "x[c] = p[first + c]", "xi[c] = pi[first + c]") + ";");
    if (!facts_.prefetches) {
        line("#pragma unroll");
        open("for (int j = 1024; j < 4096; j += 1024)");
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) combine" + id + "(" + with_index(r, "x[c]", "xi[c]") + ", " +
             with_index(r, "p[j + first + c]", "pi[j + first + c]") + ");");
        close();
    }
    line("thread_reduce" + id + "(" + with_index(r, "x", "xi") + ", 4);");
    line(with_index(r, "b[q] = x[0]", "bi[q] = xi[0]") + ";");
    close();
    line("warp_reduce" + id + "(" + with_index(r, "b", "bi") + ", t, 256);");
    line(with_index(r, "a[0] = b[0]", "ai[0] = bi[0]") + ";");
    close();
}

// lanes_reduce<r>: up to 4096 results of a row's blocks, `step` apart, to one of each thread.
SINTER_INLINE void cuda_writer::write_lanes_reduce(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r);
    open("static __device__ inline void lanes_reduce" + id + "(" +
         with_index(r, "const " + a + "* p", "const index* pi") + ", index step, int size, " +
         with_index(r, a + "* a", "index* ai") + ")");
    line("const int first = 4 * threadIdx.x;");
    line("#pragma unroll");
    open("for (int j = 0; j < 4; ++j)");
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    line("const int l = 1024 * j + first + c;");
    line("if (l >= size) continue;");
    line("if (j == 0) " + with_index(r, "a[c] = p[l * step]", "ai[c] = pi[l * step]") + ";");
    line("else combine" + id + "(" + with_index(r, "a[c]", "ai[c]") + ", " +
         with_index(r, "p[l * step]", "pi[l * step]") + ");");
    close();
    close();
    line("thread_reduce" + id + "(" + with_index(r, "a", "ai") + ", (size < 1024 ? size : 1024) - first);");
    close();
}

// Where a row's results of its blocks lie.
SINTER_INLINE std::string cuda_writer::results_at(std::size_t r, bool of_index) const {
    const std::string id = std::to_string(r);
    if (k_.is_row_kernel()) return (of_index ? "ati" : "at") + id;
    return (of_index ? "position" : "partial") + id + " + row * tiles";
}

// Whole groups of the first level, each by a warp; a group's result takes the place of its first.
SINTER_INLINE void cuda_writer::write_whole_groups(int stage) {
    const sequence<std::size_t> which = reductions_of(stage);
    const std::string count = std::to_string(which.size());
    open("for (index job = t / 32; job < " + (which.size() > 1 ? count + " * whole" : "whole") + "; job += 8)");
    line("const index at = " + std::string(which.size() > 1 ? "job / " + count : "job") +
         (facts_.prefetches ? " * 1024;" : " * 4096;"));
    for (std::size_t n = 0; n < which.size(); ++n) {
        const std::string from = results_at(which[n], false) + " + at",
                          index_from = results_at(which[n], true) + " + at";
        if (which.size() > 1) open("if (job % " + count + " == " + std::to_string(n) + ")");
        line("group_reduce" + std::to_string(which[n]) + "(" + with_index(which[n], from, index_from) + ", " +
             with_index(which[n], "a" + std::to_string(which[n]), "ai" + std::to_string(which[n])) + ");");
        write_for(which[n], "if (t % 32 == 0) *(" + from + ") = a#[0];",
                  "if (t % 32 == 0) *(" + index_from + ") = ai#[0];");
        if (which.size() > 1) close();
    }
    close();
}

// A group of any level by all threads, up to four reductions at a time, each at last by a warp of its own.
SINTER_INLINE void cuda_writer::write_any_group(int stage) {
    constexpr std::size_t most = 4;
    const sequence<std::size_t> which = reductions_of(stage);
    auto buffer = [](std::size_t n) { return "buffer[" + std::to_string(n % most) + "]"; };
    for (std::size_t first = 0; first < which.size(); first += most) {
        const std::size_t end = std::min(first + most, which.size());
        for (std::size_t n = first; n < end; ++n) {
            const std::string id = std::to_string(which[n]);
            line("lanes_reduce" + id + "(" +
                 with_index(which[n], results_at(which[n], false) + " + at", results_at(which[n], true) + " + at") +
                 ", step, size, " + with_index(which[n], "a" + id, "ai" + id) + ");");
            write_into_buffer(which[n], buffer(n), "a" + id);
        }
        line("__syncthreads();");
        for (std::size_t n = first; n < end; ++n) {
            const std::string id = std::to_string(which[n]);
            open("if (t / 32 == " + std::to_string(n % most) + ")");
            line("buffer_reduce" + id + "(" + buffer(n) + ", t % 32, ((size < 1024 ? size : 1024) + 3) / 4, " +
                 with_index(which[n], "a" + id, "ai" + id) + ");");
            write_for(which[n],
                      "if (t % 32 == 0) *(groups == 1 ? result# : " + results_at(which[n], false) + " + at) = a#[0];",
                      "if (t % 32 == 0) *(groups == 1 ? resulti# : " + results_at(which[n], true) + " + at) = ai#[0];");
            close();
        }
        line("__syncthreads();");
    }
}

// The results of a row's blocks to `result<r>`, level by level, as threads then `wait` for each other; where several
// levels are to be joined, only threads `inside` do.
SINTER_INLINE void cuda_writer::write_levels(int stage, const std::string& inside, const std::string& wait) {
    line("index step = 1;");
    open("for (index count = tiles, groups = 0; groups != 1; count = groups)");
    line("groups = (count + 4095) / 4096;");
    // Of the first level only the lanes are there where thread blocks have joined the blocks of each.
    if (facts_.prefetches) line("const int most = step == 1 ? 1024 : 4096;");
    const std::string most = facts_.prefetches ? "most" : "4096";
    if (!inside.empty()) open("if (groups == 1 || " + inside + ")");
    line(std::string("const index whole = step > 1 || groups == 1 ? 0 : ") +
         (facts_.prefetches ? "(count + 3072) / 4096;" : "count / 4096;"));
    write_whole_groups(stage);
    open("for (index group = whole; group < groups; ++group)");
    line("const index at = group * " + most + " * step, left = count - 4096 * group;");
    line("const int size = (int)(left < " + most + " ? left : " + most + ");");
    write_any_group(stage);
    close();
    if (!inside.empty()) close();
    line("if (groups > 1) " + wait + ";");
    line("step *= " + most + ";");
    close();
}

// A row's results, by the only thread block of a short row, or by the last one of all that took its blocks; thread 0
// has them.
SINTER_INLINE void cuda_writer::write_rows_end() {
    open("if (!alone)");
    open("if (gridDim.y > 1)");  // else there may be more rows than counters
    write_last_check("t == 0", "counters[row]", "gridDim.y");
    close("} else {");
    line("__syncthreads();");
    close();
    write_levels(any_stage, "", "__syncthreads()");
    close();
    line("if (t != 0) return;");
    for (std::size_t r : reductions_of()) {
        std::string id = std::to_string(r);
        line("if (alone) thread_reduce" + id + "(result" + id + (indexed(r) ? ", resulti" + id : "") +
             ", (int)tiles);");
    }
    per_reduction("a#[0] = result#[0];", "ai#[0] = resulti#[0];");
}

}  // namespace sinter::inline SINTER_ABI::codegen
