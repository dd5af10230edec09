// Bodies of cuda_writer.hpp that print how neighbouring lanes move neighbouring elements of short rows, although the
// order of reductions has four neighbours to a lane: what they reduce passes through shared memory, a group of four
// elements of each lane at a time, and the stores of short rows that follow each other in memory, staged there.
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

// Where a row has a stage's values for its lanes to turn: all stages' at the row's own place, since other rows' warps
// may be at other stages.
SINTER_INLINE void cuda_writer::write_transposed_places(int stage) {
    const std::string own =
        "transposed + " + std::to_string(facts_.exchange_bytes / 8 / facts_.row_stride) + " * threadIdx.y";
    int at = 0;
    for (std::uint32_t i : of(stage).exchanged) {
        const std::string type = type_text(k_.body[i].type);
        line(type + "* const buffer" + std::to_string(i) + " = (" + type + "*)(" + own +
             (at == 0 ? ");" : " + " + std::to_string(at) + ");"));
        at += facts_.exchange_elements * size_of(k_.body[i].type) / 8;
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

// Threads have four neighbours each. Stored one by one, a warp's would reach the same sectors four times, for a quarter
// of each; neighbouring threads store neighbouring pieces of a span.
inline constexpr const char* staged_store_text =
#include <sinter/codegen/print/cuda/text/staged_store.cuh>
    ;

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
