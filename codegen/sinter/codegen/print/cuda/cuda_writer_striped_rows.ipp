// Bodies of cuda_writer.hpp that print how neighbouring lanes move neighbouring elements of short rows, although the
// order of reductions has four neighbours to a lane: what they reduce passes through shared memory, a group of four
// elements of each lane at a time.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// What a stage stores that may be computed twice.
SINTER_INLINE void cuda_writer::write_left_values(int stage) {
    if (of(stage).left_stores.empty()) return;
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    if (const std::string check = unless_full("if (" + group_element() + " >= size)"); !check.empty())
        line(check + " continue;");
    write_decode("(" + group_element() + ")", k_.kept, k_.space.size());
    for (std::size_t s : of(stage).left_stores)
        line("if (inside) " + element(k_.stores[s].access) + " = o" + std::to_string(s) + "[c];");
    close();
}

SINTER_INLINE void cuda_writer::write_transpose_buffer() {
    if (const int bytes = facts_.exchange_bytes; bytes > 0)
        line("alignas(16) __shared__ double transposed[" + std::to_string(bytes / 8) + "];");
}

// Where a row has a stage's values for its lanes to turn.
SINTER_INLINE void cuda_writer::write_transposed_places(int stage) {
    const int elements = facts_.exchange_elements, all = elements * facts_.rows_of_block;
    int at = 0;
    for (std::uint32_t i : of(stage).exchanged) {
        const std::string type = type_text(k_.body[i].type),
                          buffer = at == 0 ? "transposed" : "(transposed + " + std::to_string(at) + ")";
        line(type + "* const buffer" + std::to_string(i) + " = (" + type + "*)" + buffer + " + " +
             std::to_string(elements) + " * threadIdx.y;");
        at += all * size_of(k_.body[i].type) / 8;
    }
}

// The groups of a stage that reduces: a row's lanes leave what they have of them, which lies apart, and take four
// neighbours each. Groups that have room at once are some of those that join one after the other.
SINTER_INLINE void cuda_writer::write_striped_groups(int stage) {
    const int lanes = facts_.share.step, count = facts_.exchange_groups;
    const bool all = count == row_groups(), lacks = tree_groups() > row_groups();
    const std::string whole = std::to_string(4 * lanes), groups = std::to_string(row_groups());
    const std::string slot = whole + (all ? " * g" : " * (i % " + std::to_string(count) + ")");
    auto open_in_order = [&] {
        line("#pragma unroll");
        open_groups_to_combine(all ? "0" : "begin", all ? tree_groups() : count);
        if (lacks) open("if (g < " + groups + ")");
    };
    write_transposed_places(stage);
    if (!all) {
        line("#pragma unroll");
        open("for (int begin = 0; begin < " + std::to_string(tree_groups()) + "; begin += " + std::to_string(count) +
             ")");
    }
    line("__syncwarp();");
    if (all) {
        line("#pragma unroll");
        open("for (int g = 0; g < " + groups + "; ++g)");
    } else open_in_order();
    line("const int l = " + group_begin() + ";");
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    const std::string place = "[" + slot + " + " + std::to_string(lanes) + " * c + t]";
    list(unless_full("if (" + group_element() + " < size) ") + "element",
         element_arguments(stage, "true", "buffer", place), ");");
    close();
    if (lacks && !all) close();
    close();
    line("__syncwarp();");
    open_in_order();
    line("const int first = " + whole + " * g + 4 * t;");
    open(unless_full("if (first < size)"));
    write_transposed_reduces(stage, "[" + slot + " + 4 * t]");
    write_group_places(stage, true);
    close();
    if (lacks) close();
    write_group_reduces(stage);
    close();
    if (!all) close();
}

// A lane's four neighbours to one.
SINTER_INLINE void cuda_writer::write_transposed_reduces(int stage, const std::string& place) {
    for (std::uint32_t i : of(stage).exchanged) {
        const std::string id = std::to_string(i), pack = "const pack<" + type_text(k_.body[i].type) + ", 4>";
        line(pack + " e" + id + " = *(" + pack + "*)&buffer" + id + place + ";");
    }
    for (std::size_t r : reductions_of(stage)) {
        const reduction_step& x = k_.reductions[r];
        const std::uint32_t i = exchanged_value(k_, x, of(stage).here);
        const std::string id = std::to_string(r),
                          v = cast_text(k_.body[i].type, x.type, "e" + std::to_string(i) + ".v[c]");
        write_for(r, "@ b#[4];", "index bi#[4];");
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) b" + id + "[c] = " + element_text(x, v) +
             (indexed(r) ? ", bi" + id + "[c] = first + c;" : ";"));
        line("thread_reduce<combine" + id + ">(" + lanes_left("first") + ", " + values_at(r, "b", "") + ");");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
