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

// join_parts<r>: results of a row's blocks, in place, level by level, four blocks of them at a time, until at most 4096 are left.
SINTER_INLINE void cuda_writer::write_parts_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r), words = std::to_string(room_words(k_));
    bool has_index = indexed(r);
    auto both = [&](const std::string& direct, const std::string& index) { return has_index ? direct + ", " + index : direct; };
    open("static __device__ inline void join_parts" + id + "(" + both(a + "* p", "index* pi") + ", index parts, double* room)");
    line("const int t = threadIdx.x, warp = t / 32, lane = t % 32;");
    line(a + " a[4];");
    if (has_index) line("index ai[4];");
    // Of the first level only the lanes are there where thread blocks have joined the blocks of each.
    if (ahead_) line("bool joined = true;");
    open(std::string("for (index count = parts; count > 4096; count = (count + 4095) / 4096") + (ahead_ ? ", joined = false)" : ")"));
    open("for (index begin = 0; begin < count; begin += 4 * 4096)");
    line("#pragma unroll");
    open("for (int g = 0; g < 4; ++g)");
    line("const index from = begin + 4096 * g, left = count - from;");
    line("if (left <= 0) break;");
    if (ahead_) line("const index first = joined ? from / 4 : from, most = joined ? 1024 : 4096;");
    std::string first = ahead_ ? "first" : "from", most = ahead_ ? "most" : "4096";
    line("join_lanes" + id + "(" + both("p + " + first, "pi + " + first) + ", (int)(left < " + most + " ? left : " + most + "), " + both("a", "ai") + ");");
    write_into_room(r, "room + " + words + " * g", "a");
    close();
    line("__syncthreads();");
    line("const index left = count - begin - 4096 * warp;");
    open("if (warp < 4 && left > 0)");
    line("join_room" + id + "(room + " + words + " * warp, lane, left < 1024 ? ((int)left + 3) / 4 : 256, " + both("a", "ai") + ");");
    line("if (lane == 0) " + both("p[begin / 4096 + warp] = a[0]", "pi[begin / 4096 + warp] = ai[0]") + ";");
    close();
    line("__syncthreads();");
    close();
    close();
    close();
}

// The last level, of up to four reductions at a time, each by a warp of its own into `result<r>`.
SINTER_INLINE void cuda_writer::write_last_joins() {
    line("index left = parts;");
    line("while (left > 4096) left = (left + 4095) / 4096;");
    line(ahead_ ? "const int size = (int)(left == parts && left > 1024 ? 1024 : left);" : "const int size = (int)left;");
    const sequence<std::size_t> which = reductions_of();
    for (std::size_t first = 0; first < which.size(); first += 4) {
        const std::size_t end = std::min(first + 4, which.size());
        for (std::size_t n = first; n < end; ++n) {
            const std::size_t r = which[n];
            std::string id = std::to_string(r);
            line("join_lanes" + id + "(partial" + id + " + row * parts, " + (indexed(r) ? "position" + id + " + row * parts, " : "") + "size, a" +
                 id + (indexed(r) ? ", ai" + id : "") + ");");
            write_into_room(r, "room[" + std::to_string(n - first) + "]", "a" + id);
        }
        line("__syncthreads();");
        for (std::size_t n = first; n < end; ++n) {
            const std::size_t r = which[n];
            std::string id = std::to_string(r), warp = std::to_string(n - first);
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
    for (std::size_t r : reductions_of()) {
        std::string id = std::to_string(r);
        line("join_parts" + id + "(partial" + id + " + row * parts" + (indexed(r) ? ", position" + id + " + row * parts" : "") +
             ", parts, room[0]);");
    }
    write_last_joins();
    close();
    line("if (t != 0) return;");
    for (std::size_t r : reductions_of()) {
        std::string id = std::to_string(r);
        line("if (alone) join_four" + id + "(result" + id + (indexed(r) ? ", resulti" + id : "") + ", (int)parts);");
    }
    per_reduction("a#[0] = result#[0];", "ai#[0] = resulti#[0];");
}

}  // namespace sinter::inline SINTER_ABI::codegen
