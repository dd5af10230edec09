// Bodies of cuda_writer.hpp that join the partial results of rows: by the last thread block.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// The threads of the thread block that is the last of gridDim.y to come here go on, and see what the others' first threads
// have written.
SINTER_INLINE void cuda_writer::write_last_check(const std::string& writer, const std::string& counter) {
    line("__shared__ bool is_last;");
    open("if (" + writer + ")");
    line("__threadfence();");
    line("is_last = atomicAdd(&counters[" + counter + "], 1u) == gridDim.y - 1;");
    line("__threadfence();");
    line("if (is_last) counters[" + counter + "] = 0;");
    close();
    line("__syncthreads();");
    line("if (!is_last) return;");
}

// join_lanes<r>: up to 4096 results of a row's blocks to one of each thread.
SINTER_INLINE void cuda_writer::write_lanes_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    bool has_index = indexed(r);
    auto both = [&](const std::string& direct, const std::string& index) { return has_index ? direct + ", " + index : direct; };
    open("static __device__ inline void join_lanes" + id + "(" + both("const " + a + "* p", "const index* pi") + ", int size, " +
         both(a + "* a", "index* ai") + ")");
    line("const int t = threadIdx.x;");
    for (bool whole : {true, false}) {
        whole ? open("if (size == 4096)") : close("} else {");
        line("#pragma unroll");
        open("for (int j = 0; j < 4; ++j)");
        line("#pragma unroll");
        open("for (int c = 0; c < 4; ++c)");
        line("const int l = 1024 * j + 4 * t + c;");
        if (!whole) line("if (l >= size) continue;");
        line("if (j == 0) " + both("a[c] = p[l]", "ai[c] = pi[l]") + ";");
        line("else join" + id + "(" + both("a[c]", "ai[c]") + ", " + both("p[l]", "pi[l]") + ");");
        close();
        close();
    }
    close();
    line("join_four" + id + "(" + both("a", "ai") + ", (size < 1024 ? size : 1024) - 4 * t);");
    close();
}

// join_parts<r>: results of a row's blocks, in place, level by level, a warp for each block of them, until at most 4096 are left.
SINTER_INLINE void cuda_writer::write_parts_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    bool has_index = indexed(r);
    auto both = [&](const std::string& direct, const std::string& index) { return has_index ? direct + ", " + index : direct; };
    open("static __device__ inline void join_parts" + id + "(" + both(a + "* p", "index* pi") + ", index parts, double* room)");
    line("const int t = threadIdx.x, lane = t % 32;");
    line(a + "* const result = (" + a + "*)room;");
    if (has_index) line("index* const resulti = (index*)(room + 256);");
    // Of the first level only the lanes are there where thread blocks have joined the blocks of each.
    if (ahead_) line("bool joined = true;");
    open(std::string("for (index count = parts; count > 4096; count = (count + 4095) / 4096") + (ahead_ ? ", joined = false)" : ")"));
    open("for (index begin = 0; begin < count; begin += 256 * 4096)");
    line("const int blocks = (int)(count - begin < 256 * 4096 ? (count - begin + 4095) / 4096 : 256);");
    line("#pragma unroll 1");
    open("for (int n = t / 32; n < blocks; n += 8)");
    line("const index from = begin + 4096 * n, left = count - from;");
    if (ahead_) line("const index first = joined ? from / 4 : from, most = joined ? 1024 : 4096;");
    std::string most = ahead_ ? "most" : "4096";
    line("const int size = (int)(left < " + most + " ? left : " + most + "), lanes = size < 1024 ? size : 1024;");
    write_warp_lanes(r);
    line("join_warp" + id + "(" + both("b", "bi") + ", lane, (lanes + 3) / 4);");
    line("if (lane == 0) " + both("result[n] = b[0]", "resulti[n] = bi[0]") + ";");
    close();
    line("__syncthreads();");
    line("for (int n = t; n < blocks; n += 256) " + both("p[begin / 4096 + n] = result[n]", "pi[begin / 4096 + n] = resulti[n]") + ";");
    line("__syncthreads();");
    close();
    close();
    close();
}

// What a warp's threads have of up to 4096 results, which all are on their way before the first of them joins.
SINTER_INLINE void cuda_writer::write_warp_lanes(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r), first = ahead_ ? "first + " : "from + ";
    bool has_index = indexed(r);
    auto both = [&](const std::string& direct, const std::string& index) { return has_index ? direct + ", " + index : direct; };
    line(a + " b[8];");
    if (has_index) line("index bi[8];");
    line("#pragma unroll");
    open("for (int q = 0; q < 8; ++q)");
    line(a + " a[4];");
    if (has_index) line("index ai[4];");
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    line("const int l = 128 * q + 4 * lane + c;");
    line("if (l < size) " + both("a[c] = p[" + first + "l]", "ai[c] = pi[" + first + "l]") + ";");
    line("for (int m = l + 1024; m < size; m += 1024) join" + id + "(" + both("a[c]", "ai[c]") + ", " +
         both("p[" + first + "m]", "pi[" + first + "m]") + ");");
    close();
    line("join_four" + id + "(" + both("a", "ai") + ", lanes - 128 * q - 4 * lane);");
    line(both("b[q] = a[0]", "bi[q] = ai[0]") + ";");
    close();
}

// The last level, of up to four reductions at a time, each by a warp of its own into `result<r>`.
SINTER_INLINE void cuda_writer::write_last_joins() {
    line("index left = parts;");
    line("while (left > 4096) left = (left + 4095) / 4096;");
    line(ahead_ ? "const int size = (int)(left == parts && left > 1024 ? 1024 : left);" : "const int size = (int)left;");
    const std::size_t count = k_.reductions.size();
    for (std::size_t first = 0; first < count; first += 4) {
        const std::size_t end = std::min(first + 4, count);
        for (std::size_t r = first; r < end; ++r) {
            std::string id = std::to_string(r);
            line("join_lanes" + id + "(partial" + id + " + row * parts, " + (indexed(r) ? "position" + id + " + row * parts, " : "") + "size, a" +
                 id + (indexed(r) ? ", ai" + id : "") + ");");
            line(into_room(r, "room[" + std::to_string(r - first) + "]", "a" + id));
        }
        line("__syncthreads();");
        for (std::size_t r = first; r < end; ++r) {
            std::string id = std::to_string(r), warp = std::to_string(r - first);
            open("if (t / 32 == " + warp + ")");
            line("join_room" + id + "(room[" + warp + "], t % 32, ((size < 1024 ? size : 1024) + 3) / 4, a" + id + (indexed(r) ? ", ai" + id : "") + ");");
            line("if (t % 32 == 0) result" + id + "[0] = a" + id + "[0]" + (indexed(r) ? ", resulti" + id + "[0] = ai" + id + "[0];" : ";"));
            close();
        }
        line("__syncthreads();");
    }
}

// A row's results, by the only thread block of a short row, or by the last one of all that took its blocks; thread 0 has them.
SINTER_INLINE void cuda_writer::write_rows_end() {
    open("if (!alone)");
    open("if (gridDim.y > 1)");  // else there may be more rows than counters
    write_last_check("t == 0", "row");
    close("} else {");
    line("__syncthreads();");
    close();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("join_parts" + id + "(partial" + id + " + row * parts" + (indexed(r) ? ", position" + id + " + row * parts" : "") +
             ", parts, room[0]);");
    }
    write_last_joins();
    close();
    line("if (t != 0) return;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("if (alone) join_four" + id + "(result" + id + (indexed(r) ? ", resulti" + id : "") + ", (int)parts);");
    }
    per_reduction("a#[0] = result#[0];", "ai#[0] = resulti#[0];");
}

}  // namespace sinter::inline SINTER_ABI::codegen
