// Bodies of cuda_writer.hpp that print what kernels of rows of up to 1024 elements do in their own way: up to a warp has a row.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>
#include <sinter/codegen/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void cuda_writer::write_short_position() {
    const int lanes = lanes_of_short_row(k_);
    const std::string rows = k_.close_capacity ? std::to_string(cuda_threads / lanes) : "blockDim.y";
    line("const index number = " + block_number() + " * " + rows + " + threadIdx.y;");
    line("// Threads beyond the last row compute it once more, for they take part in shuffles.");
    line("const bool inside = number < kept;");
    line("const index row = inside ? number : kept - 1;");
    line("const int size = (int)reduced;");
    write_decode("row", 0, k_.kept);
}

// Of a thread's groups of four: how many every row fills, because it is longer than half of the capacity.
SINTER_INLINE int cuda_writer::full_groups() const {
    if (!k_.short_rows || !k_.close_capacity) return 0;
    const bool one_length = k_.vector_width > 1 ? k_.row_capacity <= 8 : false;
    return one_length ? row_groups() : row_groups() / 2;
}

// `if (…) ` of what is left out where a row ends, for those groups alone that it may not fill.
SINTER_INLINE std::string cuda_writer::unless_full(const std::string& check) const {
    const int full = full_groups();
    if (full == 0) return check;
    const bool skips = check.find(">=") != check.npos;
    return "if (g " + std::string(skips ? ">= " : "< ") + std::to_string(full) + (skips ? " && " : " || ") + check.substr(4);
}

SINTER_INLINE void cuda_writer::write_group_check() {
    const bool always_begins = k_.short_rows && k_.close_capacity && k_.row_capacity == 4;
    if (full_groups() < row_groups() && !always_begins) line(unless_full("if (l >= size) continue;"));
}

SINTER_INLINE std::string cuda_writer::lanes_left() const {
    const int full = full_groups();
    return full == 0 ? "size - l" : "g < " + std::to_string(full) + " ? 4 : size - l";
}

// join_warp<r>: the groups t, t + lanes, … of a row's threads to thread 0's first.
SINTER_INLINE void cuda_writer::write_short_join(std::size_t r) {
    const int lanes = lanes_of_short_row(k_), groups = row_groups();
    const bool close_by = k_.close_capacity;
    std::string id = std::to_string(r), a = accumulator(r), join = "join" + id, width = std::to_string(lanes);
    // A row that is longer than half of the capacity lacks groups in the first step alone.
    auto present = [&](int first, const std::string& place) {
        if (!close_by) return "if (" + place + " < groups) ";
        return "if (h < " + std::to_string(first) + " || " + place + " < groups) ";
    };
    open("static __device__ inline void join_warp" + id + "(" + a + "* a" + (indexed(r) ? ", long long* ai" : "") +
         ", int t, int groups)");
    if (groups > 1) {
        line("#pragma unroll");
        open("for (int h = " + std::to_string(groups / 2) + "; h > 0; h /= 2)");
        line("#pragma unroll");
        open("for (int q = 0; q < h; ++q)");
        line(present(groups / 2, "t + " + width + " * (q + h)") + join +
             (indexed(r) ? "(a[q], ai[q], a[q + h], ai[q + h]);" : "(a[q], a[q + h]);"));
        close();
        close();
    }
    if (lanes > 1) {
        line("#pragma unroll");
        open("for (int h = " + std::to_string(lanes / 2) + "; h > 0; h /= 2)");
        line("const " + a + " y = from_lane(a[0], h);");
        if (indexed(r)) line("const long long yi = from_lane(ai[0], h);");
        const bool all_there = close_by && groups > 1;
        line((all_there ? "" : present(lanes / 2, "t + h")) + join + (indexed(r) ? "(a[0], ai[0], y, yi);" : "(a[0], y);"));
        close();
    }
    close();
}

// A stage's results: every thread gets them where later stages go over the row's elements, else its first one.
SINTER_INLINE void cuda_writer::write_short_results(int stage) {
    const int lanes = lanes_of_short_row(k_);
    const std::string width = k_.close_capacity ? std::to_string(lanes) : "blockDim.x";
    auto result = [&](const std::string& from) {
        return k_.is_row_kernel() && lanes > 1 ? "from_first(" + from + ", " + width + ")" : from;
    };
    if (!k_.is_row_kernel() && !k_.close_capacity) write_identities("size == 0", "[0]");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        std::string id = std::to_string(r);
        line("join_warp" + id + "(a" + id + (indexed(r) ? ", ai" + id : "") + ", t, (size + 3) / 4);");
        line("r" + id + " = " + result("a" + id + "[0]") + ";");
        if (indexed(r)) line("ri" + id + " = " + result("ai" + id + "[0]") + ";");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
