// Bodies of cuda_writer.hpp that print cooperative (cluster) and block-resident reductions: of rows too long for the
// registers of one thread block.
#pragma once

#include <sinter/codegen/print/cuda/cuda_cluster_text.hpp>
#include <sinter/codegen/print/cuda/cuda_copies_text.hpp>
#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Thread blocks of a cooperative grid take rows one after the other, or
// each cluster one, or each thread block. Each of them takes every so many of a row's blocks of 4096 elements of the
// reductions' order, holds what later stages need of them in shared memory, as far as there is room, and waits after
// each stage for the others' results, which it then joins to the row's.
SINTER_INLINE void cuda_writer::write_resident_row() { write_cooperative_rows(); }
SINTER_INLINE void cuda_writer::write_cooperative_row() { write_cooperative_rows(); }

SINTER_INLINE void cuda_writer::write_cooperative_rows() {
    begin_reduction();
    facts_ = resident_facts_of(k_);
    const cooperative_row& row = facts_.row;
    persistent_ = row.resident.persistent;
    if (facts_.bulk || !k_.is(mapping::resident_row)) out_ += barriers_text;
    if (!k_.is(mapping::resident_row)) out_ += std::string(cluster_text) + grid_barrier_text;
    if (facts_.bulk) out_ += std::string("#if __CUDA_ARCH__ >= 900") + bulk_copies_text + "#else";
    if (row.whole) out_ += std::string(copies_text) + copies_in_order_text;
    if (facts_.bulk || resident_tile_elements(k_) > row_block) out_ += shifted_text;
    if (facts_.bulk) out_ += std::string(bulk_else_text) + "#endif\n";
    if (resident_tile_elements(k_) > row_block) out_ += whole_store_text;
    write_head();
    write_sizes();
    line("const int t = threadIdx.x;");
    write_swizzle(row);
    if (k_.is(mapping::resident_row)) write_barriers(row);
    else write_cluster(row);
    write_cooperative_buffers(row);
    if (!k_.is(mapping::resident_row)) write_wait(row);
    bool double_buffers = !row.whole;
    for (int stage = 0; stage < k_.stages; ++stage)
        double_buffers = double_buffers || (reduces_in(stage) && !codegen::reduces_tiles_at_once(k_, row, stage));
    if (double_buffers) line("int buffer_phase = 0;");
    if (k_.is(mapping::resident_row)) line("const index row = blockIdx.x;");
    open(k_.is(mapping::resident_row) ? "" : "for (index row = blockIdx.x; row < kept; row += gridDim.x)");
    write_decode("row", 0, k_.kept);
    if (!row.whole)
        per_reduction("@* const at# = partial# + row * tiles;", "index* const ati# = position# + row * tiles;");
    // Registers that need no value at first would take the place of others from row to row.
    per_reduction("@ a#[4] = {}, r#;", "index ai#[4] = {}, ri#;");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i]) line(type_text(k_.body[i].type) + " k" + std::to_string(i) + "[16] = {};");
    write_shifts(row);
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) write_row_stage(stage);
        else write_cooperative_stage(stage, row);
    }
    if (row.whole && !k_.is(mapping::resident_row)) line("phase ^= 1;");
    if ((facts_.bulk || resident_tile_elements(k_) > row_block) && !k_.is(mapping::resident_row)) {
        line("// Others may still read what the next row's copies take the place of.");
        if (facts_.bulk) line("finish_before_copies();");
        line("if (row + (index)gridDim.x < kept) __syncthreads();");
    }
    close();
    if (!k_.is(mapping::resident_row)) {
        line("// The last to leave makes the counter zero again.");
        line(
            "if (arrivals > 0 && t == 0 && atomicAdd(&counters[blockIdx.x], 1u) + 1 == arrivals + gridDim.y) "
            "counters[blockIdx.x] = 0;");
    }
    close();
}

// What thread blocks that have a row together agree on before the first.
SINTER_INLINE void cuda_writer::write_cluster(const cooperative_row& row) {
    line("const bool inside = blockIdx.y == 0;");
    if (!row.whole) return;
    line("const bool in_shared = gridDim.y == 1 || in_cluster();");
    write_barriers(row);
}

SINTER_INLINE void cuda_writer::write_cooperative_buffers(const cooperative_row& row) {
    const bool own = row.whole && buffers_of_tile(k_) > 0;
    if (!own) write_shared_buffer(fixed_buffers(k_));
    const std::string most = "[" +
                             std::to_string(!row.whole                     ? 1
                                            : k_.is(mapping::resident_row) ? row.blocks
                                                                           : results_in_shared_memory) +
                             "];";
    per_reduction("__shared__ @ result#" + most, "__shared__ index resulti#" + most);
    if (row.whole && !k_.is(mapping::resident_row)) per_reduction("__shared__ @ total#;", "__shared__ index totali#;");
    if (row.resident.bytes > 0) line("extern __shared__ double resident[];");
    if (!own) return;
    // Each block's rooms lie behind it.
    const std::string size = std::to_string(8 * tile_buffer_words(k_)),
                      behind = std::to_string(resident_tile_elements(k_) * row.resident.bytes);
    open("const auto buffer = [&](int slot, int n)");
    line("return (double*)((char*)resident + " + resident_stride(row) + " * slot + " + behind + " + " + size +
         " * n);");
    close("};");
}

SINTER_INLINE void cuda_writer::write_wait(const cooperative_row& row) {
    line(row.whole ? "unsigned arrivals = 0, phase = 0;" : "unsigned arrivals = 0;");
    open(row.whole ? "const auto wait = [&](int barrier)" : "const auto wait = [&]");
    line("if (gridDim.y == 1) __syncthreads();");
    if (row.whole) line("else if (in_cluster()) await(&barriers[barrier], phase);");
    line("else grid_barrier(&counters[blockIdx.x], arrivals += gridDim.y);");
    close("};");
}

// From one held block of a row to the next.
SINTER_INLINE std::string cuda_writer::resident_stride(const cooperative_row& row) const {
    return std::to_string(row.whole ? resident_tile_bytes(k_, row.resident)
                                    : row.resident.bytes * resident_tile_elements(k_));
}

SINTER_INLINE void cuda_writer::open_tiles_of_block() {
    line("#pragma unroll 1");
    open(k_.is(mapping::resident_row) ? "for (int tile = 0; tile < tiles; ++tile)"
                                      : "for (index tile = blockIdx.y; tile < tiles; tile += gridDim.y, ++slot)");
    write_row_tile();
}

// What is loaded is on its way while the block before joins.
SINTER_INLINE void cuda_writer::write_cooperative_stage(int stage, const cooperative_row& row) {
    here_ = computed_in(k_, stage, persistent_);
    used_ = used_in(k_, stage, here_);
    in_row_ = false;
    write_origins(stage, "reduced > 0");
    open("");
    write_element_functions(stage);
    const bool aligned = facts_.stages[static_cast<std::size_t>(stage)].aligned;
    if (aligned) {
        aligned_ = true;
        write_element_functions(stage);
        aligned_ = false;
        write_alignment(stage, row);
    }
    sequence<std::uint32_t> arrays, copied;
    for (std::uint32_t i : arrays_to_load()) (is_copied(i, row) ? copied : arrays).push_back(i);
    write_element_arrays(arrays);
    if (!copied.empty()) write_resident_copies(copied, row);
    if (!arrays.empty()) write_cooperative_fetch(arrays);
    if (row.whole && !k_.is(mapping::resident_row) && reduces_in(stage)) {
        write_first_barrier(stage);
        write_expected(stage);
    }
    if (!k_.is(mapping::resident_row)) line(copied.empty() ? "int slot = 0;" : "slot = 0;");
    open_tiles_of_block();
    if (aligned) {
        open("if (aligned)");
        write_aligned_tile(stage, row);
        close();
    }
    if (!copied.empty()) write_wait_for_copies();
    if (facts_.stages[static_cast<std::size_t>(stage)].swizzled) {
        open("if (size == 4096)");
        write_swizzled_tile(stage, row);
        line("continue;");
        close();
    }
    write_resident_values(row, [&] {
        facts_.stages[static_cast<std::size_t>(stage)].swizzled ? write_element_groups(stage)
                                                                : each_tile_size([&] { write_element_groups(stage); });
    });
    const std::string next = k_.is(mapping::resident_row) ? "tile + 1" : "tile + gridDim.y";
    if (!arrays.empty()) line("if (" + next + " < tiles) fetch(" + next + ");");
    const bool at_once = codegen::reduces_tiles_at_once(k_, row, stage);
    if (at_once) leave_tile(stage, [&](int n) { return buffer_of_tile(slot_of_tile(), n); });
    else if (reduces_in(stage)) write_tile_results(stage);
    close();
    if (at_once) write_cooperative_warp_reduces(stage, row);
    if (reduces_in(stage)) write_cooperative_results(stage, row.whole);
    close();
}

// What no copy brings, of the first block before the loop over blocks and of each next one while the one before joins.
SINTER_INLINE void cuda_writer::write_cooperative_fetch(const sequence<std::uint32_t>& arrays) {
    open("const auto fetch = [&](index tile)");
    write_row_tile();
    each_tile_size([&] { write_element_loads(arrays); });
    close("};");
    line(k_.is(mapping::resident_row) ? "fetch(0);" : "fetch(blockIdx.y);");
}

// Around what computes a block's elements: what is held of them already, and what is from now on.
SINTER_INLINE void cuda_writer::write_resident_values(const cooperative_row& row,
                                                      const std::function<void()>& compute) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && (here_[i] ? is_copied(i, row) : used_[i] != 0)) write_resident_read(i, row);
    compute();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && here_[i] && !is_copied(i, row)) write_resident_write(i, row);
}

SINTER_INLINE void cuda_writer::write_row_tile() {
    line("const index begin = tile * 4096;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
}

// Before a block writes to the shared memory of others they have begun.
SINTER_INLINE void cuda_writer::write_first_barrier(int stage) {
    for (const reduction_step& r : k_.reductions)
        if (combines(r) && r.stage < stage) return;
    line("if (in_cluster()) wait_for_cluster();");
}

// Which of a row's meetings that of a stage is.
SINTER_INLINE int cuda_writer::number_of_barrier(int stage) const {
    int number = 0;
    for (int earlier = 0; earlier < stage; ++earlier) number += reduces_in(earlier);
    return number;
}

SINTER_INLINE std::string cuda_writer::buffer_of_tile(const std::string& slot, int n) {
    return "buffer(" + slot + ", " + std::to_string(n) + ")";
}

SINTER_INLINE void cuda_writer::write_cooperative_warp_reduces(int stage, const cooperative_row& row) {
    auto combine = [&](std::size_t r, int n) {
        open("if (tile < tiles)");
        write_tile_buffer_reduce(r, buffer_of_tile("p", n));
        write_first_of_warp([&] { write_leave(r); });
        close();
    };
    write_tile_warp_reduces(stage, row.blocks, k_.is(mapping::resident_row) ? "p" : "blockIdx.y + p * gridDim.y",
                            combine);
}

// What arrives from a cluster's blocks: a result of each of the row's blocks for each of the stage's reductions.
SINTER_INLINE void cuda_writer::write_expected(int stage) {
    std::string bytes;
    for (std::size_t r : reductions_of(stage))
        bytes += (bytes.empty() ? "sizeof(" : " + sizeof(") + accumulator(r) + (indexed(r) ? ") + sizeof(index)" : ")");
    line("if (in_cluster() && t == 0) expect(&barriers[" + std::to_string(number_of_barrier(stage)) +
         "], (int)(tiles * (" + bytes + ")));");
}

// Where the results of a row's blocks are for all of its team. Compilers would hold addresses in registers for long.
SINTER_INLINE std::string cuda_writer::result_place(std::size_t r, bool of_index) const {
    const std::string i = (of_index ? "i" : "") + std::to_string(r),
                      far = (of_index ? "position" : "partial") + std::to_string(r);
    if (k_.is(mapping::resident_row)) return "result" + i;
    return k_.how.row_capacity == 0 ? "at" + i : "(in_shared ? result" + i + " : " + far + " + row * tiles)";
}

// What 256 threads have of a block of a row to its results.
SINTER_INLINE void cuda_writer::write_tile_results(int stage) {
    line("const int lanes = size < 1024 ? size : 1024;");
    write_thread_reduces(stage);
    write_buffer_reduces(stage, "lanes", block_striped_, [&](std::size_t r) { write_leave(r); });
}

// A block's result to where all of its team find it.
SINTER_INLINE void cuda_writer::write_leave(std::size_t r) {
    if (k_.is(mapping::resident_row)) return write_for(r, "result#[tile] = a#[0];", "resulti#[tile] = ai#[0];");
    const std::string barrier = std::to_string(number_of_barrier(k_.reductions[r].stage));
    const std::string how =
        k_.how.row_capacity > 0 ? ", in_shared, &barriers[" + barrier + "]);" : ", false, nullptr);";
    write_for(r, "leave(" + result_place(r, false) + " + tile, a#[0]" + how,
              "leave(" + result_place(r, true) + " + tile, ai#[0]" + how);
}

// What there is to do for the elements of a part, without a check for each where it is full: then all their work is
// side by side.
SINTER_INLINE void cuda_writer::each_tile_size(const std::function<void()>& write) {
    if (k_.body.size() > unrolled_body) return write();
    open("if (size == 4096)");
    full_ = true;
    write();
    full_ = false;
    close("} else {");
    write();
    close();
}

// Where a value of a block is held.
SINTER_INLINE std::string cuda_writer::resident_at(std::uint32_t i, const cooperative_row& row) const {
    const std::int64_t offset = row.resident.offset[i] * resident_tile_elements(k_);
    return "(" + type_text(k_.body[i].type) + "*)((char*)resident + " + resident_stride(row) + " * " + slot_of_tile() +
           (offset == 0 ? ")" : " + " + std::to_string(offset) + ")");
}

// A thread's elements of a block: packs side by side where they are moved as packs, else 256 apart, so that
// neighbouring threads find theirs in different banks.
SINTER_INLINE std::string cuda_writer::resident_place(std::uint32_t i, const cooperative_row& row) const {
    const std::uint32_t load = row.resident.load[i];
    const std::string shift = load != no_load && is_shifted(k_, load) ? "shift" + std::to_string(load) + " + " : "";
    return type_text(k_.body[i].type) + "* const h = " + resident_at(i, row) + " + " + shift +
           (block_striped_ ? "t" : "4 * t") + ";";
}

SINTER_INLINE void cuda_writer::write_resident_moves(const std::string& k, const std::string& type, bool to_resident) {
    line("#pragma unroll");
    if (block_striped_)
        return line("for (int e = 0; e < 16; ++e) " +
                    (to_resident ? "h[256 * e] = " + k + "[e];" : k + "[e] = h[256 * e];"));
    if (swizzled_) {
        // Of each place one address: compilers add the others up element by element.
        open("for (int c = 0; c < 4; ++c)");
        line(type + "* const lane = h + (c ^ swizzle);");
        line("#pragma unroll");
        line("for (int g = 0; g < 4; ++g) " +
             (to_resident ? "lane[1024 * g] = " + k + "[4 * g + c];" : k + "[4 * g + c] = lane[1024 * g];"));
        return close();
    }
    const std::string pack = "pack<" + type + ", 4>";
    open("for (int g = 0; g < 4; ++g)");
    line(to_resident ? pack + " p;" : "const " + pack + " p = *(const " + pack + "*)&h[1024 * g];");
    line("#pragma unroll");
    line("for (int c = 0; c < 4; ++c) " +
         (to_resident ? "p.v[c] = " + k + "[4 * g + c];" : k + "[4 * g + c] = p.v[c];"));
    if (to_resident) line("*(" + pack + "*)&h[1024 * g] = p;");
    close();
}

SINTER_INLINE void cuda_writer::write_resident_read(std::uint32_t i, const cooperative_row& row) {
    const std::string k = "k" + std::to_string(i);
    open(row.whole ? "" : "if (slot < " + std::to_string(row.blocks) + ")");
    line(resident_place(i, row));
    write_resident_moves(k, type_text(k_.body[i].type), false);
    if (row.whole) return close();
    close("} else {");
    line("#pragma unroll");
    open("for (int g = 0; g < 4; ++g)");
    line("const int l = " + group_begin() + ";");
    if (is_packed(k_.body[i].payload)) {
        line("if (l >= size) continue;");
        at_[static_cast<std::size_t>(k_.kept)] = "(begin + l)";
        write_load(i);
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) " + k + "[4 * g + c] = t" + std::to_string(i) + ".v[c];");
    } else {
        write_single_loads(i);
    }
    close();
    close();
}

SINTER_INLINE void cuda_writer::write_resident_write(std::uint32_t i, const cooperative_row& row) {
    open(row.whole ? "" : "if (slot < " + std::to_string(row.blocks) + ")");
    line(resident_place(i, row));
    write_resident_moves("k" + std::to_string(i), type_text(k_.body[i].type), true);
    close();
}

// The results of a row's blocks to those of the row, which every thread gets.
SINTER_INLINE void cuda_writer::write_cooperative_results(int stage, bool whole) {
    line(k_.is(mapping::resident_row) ? "__syncthreads();"
         : whole                      ? "wait(" + std::to_string(number_of_barrier(stage)) + ");"
                                      : "wait();");
    if (!whole) {
        write_levels(stage, "inside", "wait()");
        return per_reduction("r# = result#[0];", "ri# = resulti#[0];", stage);
    }
    if (!k_.is(mapping::resident_row)) open("if (t < 32)");
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r),
                          at = result_place(r, false) + (indexed(r) ? ", " + result_place(r, true) : "");
        line("few_reduce" + id + "(" + at + ", (int)tiles, r" + id + (indexed(r) ? ", ri" + id + ");" : ");"));
    }
    if (k_.is(mapping::resident_row)) return;
    for (std::size_t r : reductions_of(stage)) write_for(r, "if (t == 0) total# = r#;", "if (t == 0) totali# = ri#;");
    close();
    line("__syncthreads();");
    per_reduction("r# = total#;", "ri# = totali#;", stage);
}

// few_reduce<r>: the results of a row's blocks, as the level above them joins so many: every thread gets it, by itself
// or by its warp.
SINTER_INLINE void cuda_writer::write_few_reduce(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r);
    const bool has_index = indexed(r);
    open("static __device__ inline void few_reduce" + id + "(const " + a + "* p" +
         (has_index ? ", const index* pi" : "") + ", int tiles, " + a + "& r" + (has_index ? ", index& ri)" : ")"));
    const bool by_warp = is_cooperative(k_);
    line(by_warp ? "const int t = threadIdx.x % 32, first = 4 * t;" : "const int first = 0;");
    line(a + " a[4];");
    if (has_index) line("index ai[4];");
    line("#pragma unroll");
    line(std::string("for (int q = 0; q < 4; ++q) if (first + q < tiles) a[q] = p[first + q]") +
         (has_index ? ", ai[q] = pi[first + q];" : ";"));
    line("thread_reduce" + id + (has_index ? "(a, ai, tiles - first);" : "(a, tiles - first);"));
    if (by_warp) {
        line("#pragma unroll");
        open("for (int h = " + std::to_string(results_in_shared_memory / 8) + "; h > 0; h /= 2)");
        line("const " + a + " y = from_lane(a[0], h);");
        if (has_index) line("const index yi = from_lane(ai[0], h);");
        line("if (t < h && 4 * (t + h) < tiles) combine" + id + (has_index ? "(a[0], ai[0], y, yi);" : "(a[0], y);"));
        close();
        line(has_index ? "r = from_first(a[0], 32), ri = from_first(ai[0], 32);" : "r = from_first(a[0], 32);");
    } else {
        line(has_index ? "r = a[0], ri = ai[0];" : "r = a[0];");
    }
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
