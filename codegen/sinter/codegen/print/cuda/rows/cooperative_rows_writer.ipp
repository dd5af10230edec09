// Bodies of cooperative_rows_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/cuda_cluster_text.hpp>
#include <sinter/codegen/print/cuda/cuda_copies_text.hpp>
#include <sinter/codegen/print/cuda/rows/cooperative_rows_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Compilers take stores of packs apart where others beside them are of single elements.
inline constexpr const char* whole_store_text =
#include <sinter/codegen/print/cuda/text/whole_store.cuh>
    ;

SINTER_INLINE void cooperative_rows_writer::write_cooperative_functions() {
    begin_reduction();
    if (facts_.bulk || facts_.shares_rows) out_ += barriers_text;
    if (facts_.shares_rows) out_ += std::string(cluster_text) + grid_barrier_text;
    if (facts_.bulk) out_ += joined({"#if __CUDA_ARCH__ >= 900", bulk_copies_text, "#else"});
    if (facts_.row.whole) out_ += std::string(copies_text) + copies_in_order_text;
    if (facts_.bulk || facts_.has_gaps) out_ += shifted_text;
    if (facts_.bulk) out_ += std::string(bulk_else_text) + "#endif\n";
    if (facts_.has_gaps) out_ += whole_store_text;
}

SINTER_INLINE void cooperative_rows_writer::write_kernel() {
    write_cooperative_functions();
    write_head();
    write_sizes();
    line("const int t = threadIdx.x;");
    // In which order a thread takes its four neighbours, so that those of a warp find theirs in different banks.
    if (const int threads = facts_.swizzle_threads; threads > 0) line({"const int swizzle = t / ", threads, " % 4;"});
    write_cluster();
    write_cooperative_buffers();
    if (facts_.shares_rows) write_wait();
    if (facts_.double_buffers) line("int buffer_phase = 0;");
    if (!facts_.shares_rows) line("const index row = blockIdx.x;");
    open(team_.rows);
    write_decode("row", 0, k_.kept);
    if (!facts_.row.whole)
        per_reduction("@* const at# = partial# + row * tiles;", "index* const ati# = position# + row * tiles;");
    // Registers that need no value at first would take the place of others from row to row.
    per_reduction("@ a#[4] = {}, r#;", "index ai#[4] = {}, ri#;");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i]) line({type_text(k_.body[i].type), " k", i, "[16] = {};"});
    write_shifts();
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) write_row_stage(stage);
        else write_cooperative_stage(stage);
    }
    write_row_end();
    close();
    team_line("// The last to leave makes the counter zero again.");
    team_line(
        "if (arrivals > 0 && t == 0 && atomicAdd(&counters[blockIdx.x], 1u) + 1 == arrivals + gridDim.y) "
        "counters[blockIdx.x] = 0;");
    close();
}

// Before thread blocks that have several rows go on to the next.
SINTER_INLINE void cooperative_rows_writer::write_row_end() {
    if (facts_.row.whole) team_line("phase ^= 1;");
    if (!facts_.bulk && !facts_.has_gaps) return;
    team_line("// Others may still read what the next row's copies take the place of.");
    if (facts_.bulk) team_line("finish_before_copies();");
    team_line("if (row + (index)gridDim.x < kept) __syncthreads();");
}

// What thread blocks that have a row together agree on before the first.
SINTER_INLINE void cooperative_rows_writer::write_cluster() {
    team_line("const bool inside = blockIdx.y == 0;");
    if (facts_.row.whole) team_line("const bool in_shared = gridDim.y == 1 || in_cluster();");
    if (facts_.row.whole) write_barriers();
}

SINTER_INLINE void cooperative_rows_writer::write_cooperative_buffers() {
    const cooperative_row& row = facts_.row;
    const bool own = row.whole && buffers_of_tile(k_) > 0;
    if (!own) write_shared_buffer(fixed_buffers(k_));
    const std::string most = joined({"[", facts_.most_results, "];"});
    per_reduction("__shared__ @ result#" + most, "__shared__ index resulti#" + most);
    if (row.whole && facts_.shares_rows) per_reduction("__shared__ @ total#;", "__shared__ index totali#;");
    if (row.resident.bytes > 0) line("extern __shared__ double resident[];");
    if (!own) return;
    // Each block's buffers lie behind it.
    const std::string size = std::to_string(8 * tile_buffer_words(k_)),
                      behind = std::to_string(facts_.tile_elements * row.resident.bytes);
    open("const auto buffer = [&](int slot, int n)");
    line({"return (double*)((char*)resident + ", resident_stride(), " * slot + ", behind, " + ", size, " * n);"});
    close("};");
}

SINTER_INLINE void cooperative_rows_writer::write_wait() {
    const cooperative_row& row = facts_.row;
    line(row.whole ? "unsigned arrivals = 0, phase = 0;" : "unsigned arrivals = 0;");
    open(row.whole ? "const auto wait = [&](int barrier)" : "const auto wait = [&]");
    line("if (gridDim.y == 1) __syncthreads();");
    if (row.whole) line("else if (in_cluster()) await(&barriers[barrier], phase);");
    line("else grid_barrier(&counters[blockIdx.x], arrivals += gridDim.y);");
    close("};");
}

// What is loaded is on its way while the block before combines.
SINTER_INLINE void cooperative_rows_writer::write_cooperative_stage(int stage) {
    const stage_facts& s = of(stage);
    in_row_ = false;
    write_origins(stage, "reduced > 0");
    open("");
    write_element_functions(stage);
    if (s.aligned) {
        write_element_functions(stage, true);
        write_alignment(stage);
    }
    sequence<std::uint32_t> arrays, copied;
    for (std::uint32_t i : arrays_to_load(stage)) (s.copied[i] ? copied : arrays).push_back(i);
    write_element_arrays(arrays);
    if (!copied.empty()) write_resident_copies(copied);
    const bool by_groups = may_go_by_groups(stage) && !s.swizzled && !s.aligned && !values_.unrolls_full;
    if (!arrays.empty() && !by_groups) write_cooperative_fetch(arrays);
    if (facts_.row.whole && facts_.shares_rows && reduces_in(stage)) {
        write_first_barrier(stage);
        write_expected(stage);
    }
    team_line(copied.empty() ? "int slot = 0;" : "slot = 0;");
    open_tiles_of_block();
    if (s.aligned) {
        open("if (aligned)");
        write_aligned_tile(stage);
        close();
    }
    if (!copied.empty()) write_wait_for_copies();
    if (by_groups) write_resident_groups(stage, arrays);
    else write_cooperative_tile(stage);
    const std::string next = team_.next;
    if (!arrays.empty() && !by_groups) line({"if (", next, " < tiles) fetch(", next, ");"});
    if (s.at_once) leave_tile(stage, [&](int n) { return buffer_of_tile(team_.slot, n); });
    else if (reduces_in(stage)) write_tile_results(stage);
    close();
    if (s.at_once) write_cooperative_warp_reduces(stage);
    if (reduces_in(stage)) write_cooperative_results(stage);
    close();
}

// The elements of one of a row's blocks.
SINTER_INLINE void cooperative_rows_writer::write_cooperative_tile(int stage) {
    auto write = [&] { write_element_groups(stage); };
    const bool by_groups = may_go_by_groups(stage);
    if (of(stage).aligned && by_groups) return write_resident_groups(stage);
    if (!of(stage).swizzled) return write_resident_values(stage, [&] { each_tile_size(write); });
    open("if (size == 4096)");
    write_swizzled_tile(stage);
    line("continue;");
    close();
    if (by_groups) write_resident_groups(stage);
    else write_resident_values(stage, write);
}

// What no copy brings, of the first block before the loop over blocks and of each next one while the one before
// combines.
SINTER_INLINE void cooperative_rows_writer::write_cooperative_fetch(const sequence<std::uint32_t>& arrays) {
    open("const auto fetch = [&](index tile)");
    write_row_tile();
    each_tile_size([&] { write_element_loads(arrays); });
    close("};");
    line({"fetch(", team_.first, ");"});
}

// Before a block writes to the shared memory of others they have begun.
SINTER_INLINE void cooperative_rows_writer::write_first_barrier(int stage) {
    for (const reduction_step& r : k_.reductions)
        if (combines(r) && r.stage < stage) return;
    line("if (in_cluster()) wait_for_cluster();");
}

SINTER_INLINE std::string cooperative_rows_writer::buffer_of_tile(const std::string& slot, int n) {
    return joined({"buffer(", slot, ", ", n, ")"});
}

SINTER_INLINE void cooperative_rows_writer::write_cooperative_warp_reduces(int stage) {
    auto combine = [&](std::size_t r, int n) {
        open("if (tile < tiles)");
        write_tile_buffer_reduce(r, buffer_of_tile("p", n));
        write_first_of_warp([&] { write_leave(r); });
        close();
    };
    write_tile_warp_reduces(stage, facts_.row.blocks, team_.of_warp, combine);
}

// What arrives from a cluster's blocks: a result of each of the row's blocks for each of the stage's reductions.
SINTER_INLINE void cooperative_rows_writer::write_expected(int stage) {
    std::string bytes;
    for (std::size_t r : reductions_of(stage))
        bytes += (bytes.empty() ? "sizeof(" : " + sizeof(") + accumulator(r) + (indexed(r) ? ") + sizeof(index)" : ")");
    line({"if (in_cluster() && t == 0) expect(&barriers[", of(stage).barrier, "], (int)(tiles * (", bytes, ")));"});
}

// Where the results of a row's blocks are for all of its team. Compilers would hold addresses in registers for long.
SINTER_INLINE std::string cooperative_rows_writer::result_place(std::size_t r, bool of_index) const {
    const std::string i = (of_index ? "i" : "") + std::to_string(r),
                      far = (of_index ? "position" : "partial") + std::to_string(r);
    if (!facts_.shares_rows) return "result" + i;
    return facts_.by_levels ? "at" + i : "(in_shared ? result" + i + " : " + far + " + row * tiles)";
}

// What 256 threads have of a block of a row to its results.
SINTER_INLINE void cooperative_rows_writer::write_tile_results(int stage) {
    line("const int lanes = size < 1024 ? size : 1024;");
    write_thread_reduces(stage);
    write_buffer_reduces(stage, "lanes", [&](std::size_t r) { write_leave(r); });
}

// A block's result to where all of its team find it.
SINTER_INLINE void cooperative_rows_writer::write_leave(std::size_t r) {
    if (!facts_.shares_rows) return write_for(r, "result#[tile] = a#[0];", "resulti#[tile] = ai#[0];");
    const std::string barrier = std::to_string(of(k_.reductions[r].stage).barrier);
    const std::string how = facts_.by_levels ? ", false, nullptr);" : ", in_shared, &barriers[" + barrier + "]);";
    write_for(r, "leave(" + result_place(r, false) + " + tile, a#[0]" + how,
              "leave(" + result_place(r, true) + " + tile, ai#[0]" + how);
}

// The results of a row's blocks to those of the row, which every thread gets.
SINTER_INLINE void cooperative_rows_writer::write_cooperative_results(int stage) {
    if (!facts_.row.whole) {
        line(facts_.shares_rows ? "wait();" : "__syncthreads();");
        write_levels(stage, "inside", "wait()");
        return per_reduction("r# = result#[0];", "ri# = resulti#[0];", stage);
    }
    line(facts_.shares_rows ? "wait(" + std::to_string(of(stage).barrier) + ");" : "__syncthreads();");
    if (facts_.shares_rows) open("if (t < 32)");
    for (std::size_t r : reductions_of(stage)) {
        const std::string index = indexed(r) ? result_place(r, true) : "";
        line(levels_text("few_reduce", r, "(int)tiles, ", {result_place(r, false), index}, "&r"));
    }
    if (!facts_.shares_rows) return;
    for (std::size_t r : reductions_of(stage)) write_for(r, "if (t == 0) total# = r#;", "if (t == 0) totali# = ri#;");
    close();
    line("__syncthreads();");
    per_reduction("r# = total#;", "ri# = totali#;", stage);
}

// Whether the rows that are stored begin as those that are held do, and how far behind a multiple of 16 bytes.
SINTER_INLINE void cooperative_rows_writer::write_alignment(int stage) {
    std::string shift, same;
    auto add = [&](const std::string& x) {
        if (shift.empty()) shift = x;
        else same += joined({same.empty() ? "" : " && ", x, " == shift"});
    };
    for (std::uint32_t i : inputs_of(stage)) add("shift" + std::to_string(facts_.row.resident.load[i]));
    at_element() = "0";
    for (std::size_t s : of(stage).stores)
        add("(int)((unsigned long long)&" + element(k_.stores[s].access) + " % 16 / 4)");
    line({"const int shift = ", shift, ";"});
    line({"const bool aligned = ", same, ";"});
}

inline constexpr const char* aligned_stores_text =
#include <sinter/codegen/print/cuda/text/aligned_stores.cuh>
    ;

// Stores four elements that lie in shared memory as in memory; those that the inverse of a divisor was not sure to be
// exact for are left to single elements.
SINTER_INLINE void cooperative_rows_writer::write_store_pack(int stage) {
    const bool divides = of(stage).divisor != no_load;
    if (divides) line("int again = 0;");
    open("const auto store_pack = [&](int g)");
    line("const int at = 1024 * g + 4 * t;");
    texts arguments = {"false", "begin + at - shift + c"}, stores;
    for (std::uint32_t i : inputs_of(stage)) {
        const std::string id = std::to_string(i), pack = "const pack<" + type_text(k_.body[i].type) + ", 4>";
        line({pack, " p", id, " = *(", pack, "*)&h", id, "[at];"});
        arguments.push_back("p" + id + ".v[c]");
    }
    at_element() = "(begin + at - shift)";
    for (std::size_t s : of(stage).stores) {
        const std::string id = std::to_string(s), pack = "pack<" + operand_type(k_.stores[s].access) + ", 4>";
        line({pack, " o", id, ";"});
        arguments.push_back("o" + id + ".v[c]");
        stores.push_back("store_whole((" + pack + "*)&" + element(k_.stores[s].access) + ", o" + id + ");");
    }
    const auto elements = [&](const std::string& element, const texts& more) {
        texts given = arguments;
        for (const std::string& m : more) given.push_back(m);
        line("#pragma unroll");
        list("for (int c = 0; c < 4; ++c) aligned_" + element, given, ");");
    };
    if (divides) {
        open_inexact(stage, elements);
        line("again |= 1 << g;");
        line("return;");
        close();
    } else {
        elements("element", {});
    }
    for (const std::string& store : stores) line(store);
    close("};");
}

// A part of a row by packs of four, and by single elements where no pack is full, or where it is not exact. A full
// part's first pack has the last elements of the part before.
SINTER_INLINE void cooperative_rows_writer::write_aligned_tile(int stage) {
    texts single = {"false", "begin + at - shift"};
    for (std::uint32_t i : inputs_of(stage)) {
        const std::string h = number_text("h", i);
        line({"const ", type_text(k_.body[i].type), "* const ", h, " = ", resident_at(i), ";"});
        single.push_back(h + "[at]");
    }
    line("const int ends = shift + size;");
    line("const bool all = begin > 0 && size == 4096, all_behind = begin + 8192 <= reduced;");
    write_store_pack(stage);
    open("if (all && all_behind)");
    write_unrolled("for (int g = 0; g < 4; ++g) store_pack(g);");
    close("} else {");
    fill(aligned_stores_text, {});
    list("if (single && at >= shift && at < ends) element", single, ");");
    close();
    if (of(stage).divisor != no_load) {
        open_unrolled("for (int e = 0; again != 0 && e < 16; ++e)", 1);
        line("const int at = 1024 * (e / 4) + 4 * t + e % 4;");
        list("if (again >> e / 4 & 1) element", single, ");");
        close();
    }
    line("continue;");
}

// Whether two lanes combine to the same bits whichever comes first: of two zeros the first is the greatest, and of NaN
// that counts.
SINTER_INLINE bool cooperative_rows_writer::combines_in_any_order(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    return !chooses(x.how) && !is_complex(x.type);
}

SINTER_INLINE void cooperative_rows_writer::write_swizzled_tile(int stage) {
    tile_ = tile_kind::swizzled;
    write_resident_values(stage, [&] { write_element_groups(stage); });
    for (std::size_t r : reductions_of(stage))
        if (!combines_in_any_order(r) && !collects(stage)) line({"unswizzle(a", r, ", swizzle);"});
    leave_tile(stage, [&](int n) { return buffer_of_tile(team_.slot, n); });
    tile_ = tile_kind::any;
    write_elements_before(stage);
}

// What whole packs that are stored later need of the block before.
SINTER_INLINE void cooperative_rows_writer::write_elements_before(int stage) {
    const stage_facts& s = of(stage);
    std::string shift;
    texts arguments = {"true", "begin - shift + t"}, left;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!s.input[i] && !(facts_.persistent[i] && s.here[i])) continue;
        const std::string id = std::to_string(i), at = "(" + resident_at(i) + ")[t]";
        if (s.input[i]) arguments.push_back(at);
        if (s.input[i] || !facts_.whole[i]) continue;
        shift = "shift" + std::to_string(facts_.row.resident.load[i]);
        arguments.push_back("e" + id);
        left.push_back(at + " = e" + id + ";");
    }
    if (left.empty()) return;
    open({"if (const int shift = ", shift, "; begin > 0 && t < shift)"});
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i] && s.here[i] && !s.loaded[i]) line({type_text(k_.body[i].type), " e", i, ";"});
    for (std::size_t r : reductions_of(stage)) {
        line({accumulator(r), " n", r, ";"});
        arguments.push_back("n" + std::to_string(r));
    }
    list("element", arguments, ");");
    for (const std::string& l : left) line(l);
    close();
}

SINTER_INLINE kernel_source print_resident_row(const kernel& k) { return written_by<cooperative_rows_writer>(k); }
SINTER_INLINE kernel_source print_cooperative_row(const kernel& k) { return written_by<cooperative_rows_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
