// Bodies of cuda_writer.hpp that print row kernels over rows too long for the registers of one thread block.
#pragma once

#include <sinter/codegen/print/cuda/cuda_cluster_text.hpp>
#include <sinter/codegen/print/cuda/cuda_copies_text.hpp>
#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Teams of thread blocks take rows in turn, or each cluster one, or each thread block. Each of a team takes every so
// many of a row's blocks of 4096 elements of the reductions' order, holds what later stages need of them in shared
// memory, as far as there is room, and waits after each stage for the others' results, which it then joins to the
// row's.
SINTER_INLINE void cuda_writer::write_resident_row() { write_shared_rows(); }
SINTER_INLINE void cuda_writer::write_cooperative_row() { write_shared_rows(); }

SINTER_INLINE void cuda_writer::write_shared_rows() {
    begin_reduction();
    const row_share share = share_of_row(k_);
    kept_ = share.held.kept;
    bulk_ = copies_in_bulk(share);
    if (bulk_ || !k_.is(mapping::resident_row)) out_ += arrivals_text;
    if (!k_.is(mapping::resident_row)) out_ += std::string(cluster_text) + meet_text;
    if (bulk_) out_ += bulk_copies_text;
    if (share.whole) out_ += std::string(copies_text) + copies_in_order_text;
    if (bulk_ || held_block(k_) > row_block) out_ += shifted_text;
    if (bulk_) out_ += bulk_else_text;
    if (held_block(k_) > row_block) out_ += whole_store_text;
    find_swizzled_stages(share);
    write_head();
    write_sizes();
    line("const int t = threadIdx.x;");
    write_swizzle(share);
    k_.is(mapping::resident_row) ? write_arrivals(share) : write_team(share);
    write_share_rooms(share);
    if (!k_.is(mapping::resident_row)) write_wait(share);
    bool turns = !share.whole;
    for (int stage = 0; stage < k_.stages; ++stage)
        turns = turns || (reduces_in(stage) && !joins_share_at_once(stage, share));
    if (turns) line("int turn = 0;");
    if (k_.is(mapping::resident_row)) line("const index row = blockIdx.x;");
    open(k_.is(mapping::resident_row) ? "" : "for (index row = blockIdx.x; row < kept; row += gridDim.x)");
    write_decode("row", 0, k_.kept);
    if (!share.whole)
        per_reduction("@* const at# = partial# + row * parts;", "index* const ati# = position# + row * parts;");
    // Registers that need no value at first would take the place of others from row to row.
    per_reduction("@ a#[4] = {}, r#;", "index ai#[4] = {}, ri#;");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i]) line(type_text(k_.body[i].type) + " k" + std::to_string(i) + "[16] = {};");
    write_shifts(share);
    for (int stage = 0; stage < k_.stages; ++stage)
        is_row_stage(stage) ? write_row_stage(stage) : write_share_stage(stage, share);
    if (share.whole && !k_.is(mapping::resident_row)) line("phase ^= 1;");
    if ((bulk_ || held_block(k_) > row_block) && !k_.is(mapping::resident_row)) {
        line("// Others may still read what the next row's copies take the place of.");
        if (bulk_) line("finish_before_copies();");
        line("if (row + (index)gridDim.x < kept) __syncthreads();");
    }
    close();
    if (!k_.is(mapping::resident_row)) {
        line("// The last to leave makes the counter zero again.");
        line(
            "if (met > 0 && t == 0 && atomicAdd(&counters[blockIdx.x], 1u) + 1 == met + gridDim.y) "
            "counters[blockIdx.x] = 0;");
    }
    close();
}

// What thread blocks that have a row together agree on before the first.
SINTER_INLINE void cuda_writer::write_team(const row_share& share) {
    line("const bool inside = blockIdx.y == 0;");
    if (!share.whole) return;
    line("const bool in_shared = gridDim.y == 1 || in_cluster();");
    write_arrivals(share);
}

SINTER_INLINE void cuda_writer::write_share_rooms(const row_share& share) {
    const bool own = share.whole && rooms_of_block(k_) > 0;
    if (!own) write_room(fixed_rooms(k_));
    const std::string most = "[" +
                             std::to_string(!share.whole                   ? 1
                                            : k_.is(mapping::resident_row) ? share.blocks
                                                                           : results_in_shared) +
                             "];";
    per_reduction("__shared__ @ result#" + most, "__shared__ index resulti#" + most);
    if (share.whole && !k_.is(mapping::resident_row))
        per_reduction("__shared__ @ total#;", "__shared__ index totali#;");
    if (share.held.bytes > 0) line("extern __shared__ double held[];");
    if (!own) return;
    // Each block's rooms lie behind it.
    const std::string size = std::to_string(8 * share_room_words(k_)),
                      behind = std::to_string(held_block(k_) * share.held.bytes);
    open("const auto room = [&](int slot, int n)");
    line("return (double*)((char*)held + " + held_stride(share) + " * slot + " + behind + " + " + size + " * n);");
    close("};");
}

SINTER_INLINE void cuda_writer::write_wait(const row_share& share) {
    line(share.whole ? "unsigned met = 0, phase = 0;" : "unsigned met = 0;");
    open(share.whole ? "const auto wait = [&](int meeting)" : "const auto wait = [&]");
    line("if (gridDim.y == 1) __syncthreads();");
    if (share.whole) line("else if (in_cluster()) await(&arrived[meeting], phase);");
    line("else meet(&counters[blockIdx.x], met += gridDim.y);");
    close("};");
}

// From one held block of a row to the next.
SINTER_INLINE std::string cuda_writer::held_stride(const row_share& share) const {
    return std::to_string(share.whole ? bytes_of_held_block(k_, share.held) : share.held.bytes * held_block(k_));
}

SINTER_INLINE void cuda_writer::open_share() {
    line("#pragma unroll 1");
    open(k_.is(mapping::resident_row) ? "for (int part = 0; part < parts; ++part)"
                                      : "for (index part = blockIdx.y; part < parts; part += gridDim.y, ++slot)");
    write_part();
}

// What is loaded is on its way while the block before joins.
SINTER_INLINE void cuda_writer::write_share_stage(int stage, const row_share& share) {
    here_ = computed_in(k_, stage, kept_);
    used_ = used_in(k_, stage, here_);
    in_row_ = false;
    write_origins(stage, "reduced > 0");
    open("");
    write_element_functions(stage);
    const bool aligned = may_store_aligned(stage, share);
    if (aligned) {
        aligned_ = true;
        write_element_functions(stage);
        aligned_ = false;
        write_alignment(stage, share);
    }
    sequence<std::uint32_t> arrays, copied;
    for (std::uint32_t i : arrays_to_load()) (is_copied(i, share) ? copied : arrays).push_back(i);
    write_element_arrays(arrays);
    if (!copied.empty()) write_held_copies(copied, share);
    if (!arrays.empty()) write_share_fetch(arrays);
    if (share.whole && !k_.is(mapping::resident_row) && reduces_in(stage))
        write_first_meeting(stage), write_expected(stage);
    if (!k_.is(mapping::resident_row)) line(copied.empty() ? "int slot = 0;" : "slot = 0;");
    open_share();
    if (aligned) {
        open("if (aligned)");
        write_aligned_part(stage, share);
        close();
    }
    if (!copied.empty()) write_wait_for_copies();
    if (swizzles(stage)) {
        open("if (size == 4096)");
        write_swizzled_part(stage, share);
        line("continue;");
        close();
    }
    write_held_values_of(share, [&] {
        swizzles(stage) ? write_element_groups(stage) : each_part([&] { write_element_groups(stage); });
    });
    const std::string next = k_.is(mapping::resident_row) ? "part + 1" : "part + gridDim.y";
    if (!arrays.empty()) line("if (" + next + " < parts) fetch(" + next + ");");
    const bool at_once = joins_share_at_once(stage, share);
    if (at_once) leave_part(stage, [&](int n) { return room_of_share(slot_of_share(), n); });
    else if (reduces_in(stage)) write_part_results(stage);
    close();
    if (at_once) write_warps_of_share(stage, share);
    if (reduces_in(stage)) write_share_results(stage, share.whole);
    close();
}

// What no copy brings, of the first block before the loop over blocks and of each next one while the one before joins.
SINTER_INLINE void cuda_writer::write_share_fetch(const sequence<std::uint32_t>& arrays) {
    open("const auto fetch = [&](index part)");
    write_part();
    each_part([&] { write_element_loads(arrays); });
    close("};");
    line(k_.is(mapping::resident_row) ? "fetch(0);" : "fetch(blockIdx.y);");
}

// Around what computes a block's elements: what is held of them already, and what is from now on.
SINTER_INLINE void cuda_writer::write_held_values_of(const row_share& share, const std::function<void()>& compute) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i] && (here_[i] ? is_copied(i, share) : used_[i] != 0)) write_held_read(i, share);
    compute();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i] && here_[i] && !is_copied(i, share)) write_held_write(i, share);
}

// Whether a thread block joins all of its blocks of a row after one wait of its threads; else one, while the next one
// is computed.
SINTER_INLINE bool cuda_writer::joins_share_at_once(int stage, const row_share& share) const {
    return share.whole && rooms_of_block(k_) > 0 && reduces_in(stage);
}

SINTER_INLINE void cuda_writer::write_part() {
    line("const index begin = part * 4096;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
}

// Before a block writes to the shared memory of others they have begun.
SINTER_INLINE void cuda_writer::write_first_meeting(int stage) {
    for (const reduction_step& r : k_.reductions)
        if (joins(r) && r.stage < stage) return;
    line("if (in_cluster()) wait_for_cluster();");
}

// Which of a row's meetings that of a stage is.
SINTER_INLINE int cuda_writer::number_of_meeting(int stage) const {
    int number = 0;
    for (int earlier = 0; earlier < stage; ++earlier) number += reduces_in(earlier);
    return number;
}

SINTER_INLINE std::string cuda_writer::room_of_share(const std::string& slot, int n) {
    return "room(" + slot + ", " + std::to_string(n) + ")";
}

SINTER_INLINE void cuda_writer::write_warps_of_share(int stage, const row_share& share) {
    auto join = [&](std::size_t r, int n) {
        open("if (part < parts)");
        write_room_join_of_part(r, room_of_share("p", n));
        write_first_of_warp([&] { write_leave(r); });
        close();
    };
    write_warps_of_parts(stage, share.blocks, k_.is(mapping::resident_row) ? "p" : "blockIdx.y + p * gridDim.y", join);
}

// What arrives from a cluster's blocks: a result of each of the row's blocks for each of the stage's reductions.
SINTER_INLINE void cuda_writer::write_expected(int stage) {
    std::string bytes;
    for (std::size_t r : reductions_of(stage))
        bytes += (bytes.empty() ? "sizeof(" : " + sizeof(") + accumulator(r) + (indexed(r) ? ") + sizeof(index)" : ")");
    line("if (in_cluster() && t == 0) expect(&arrived[" + std::to_string(number_of_meeting(stage)) +
         "], (int)(parts * (" + bytes + ")));");
}

// Where the results of a row's blocks are for all of its team. Compilers would hold addresses in registers for long.
SINTER_INLINE std::string cuda_writer::share_place(std::size_t r, bool of_index) const {
    const std::string i = (of_index ? "i" : "") + std::to_string(r),
                      far = (of_index ? "position" : "partial") + std::to_string(r);
    if (k_.is(mapping::resident_row)) return "result" + i;
    return k_.how.row_capacity == 0 ? "at" + i : "(in_shared ? result" + i + " : " + far + " + row * parts)";
}

// What 256 threads have of a block of a row to its results.
SINTER_INLINE void cuda_writer::write_part_results(int stage) {
    line("const int lanes = size < 1024 ? size : 1024;");
    write_four_joins(stage);
    write_room_joins(stage, "lanes", apart_, [&](std::size_t r) { write_leave(r); });
}

// A block's result to where all of its team find it.
SINTER_INLINE void cuda_writer::write_leave(std::size_t r) {
    if (k_.is(mapping::resident_row)) return write_for(r, "result#[part] = a#[0];", "resulti#[part] = ai#[0];");
    const std::string meeting = std::to_string(number_of_meeting(k_.reductions[r].stage));
    const std::string how = k_.how.row_capacity > 0 ? ", in_shared, &arrived[" + meeting + "]);" : ", false, nullptr);";
    write_for(r, "leave(" + share_place(r, false) + " + part, a#[0]" + how,
              "leave(" + share_place(r, true) + " + part, ai#[0]" + how);
}

// What there is to do for the elements of a part, without a check for each where it is full: then all their work is
// side by side.
SINTER_INLINE void cuda_writer::each_part(const std::function<void()>& write) {
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
SINTER_INLINE std::string cuda_writer::held_at(std::uint32_t i, const row_share& share) const {
    const std::int64_t offset = share.held.offset[i] * held_block(k_);
    return "(" + type_text(k_.body[i].type) + "*)((char*)held + " + held_stride(share) + " * " + slot_of_share() +
           (offset == 0 ? ")" : " + " + std::to_string(offset) + ")");
}

// A thread's elements of a block: packs side by side where they are moved as packs, else 256 apart, so that
// neighbouring threads find theirs in different banks.
SINTER_INLINE std::string cuda_writer::held_place(std::uint32_t i, const row_share& share) const {
    const std::uint32_t load = share.held.load[i];
    const std::string shift = load != no_load && is_shifted(k_, load) ? "shift" + std::to_string(load) + " + " : "";
    return type_text(k_.body[i].type) + "* const h = " + held_at(i, share) + " + " + shift + (apart_ ? "t" : "4 * t") +
           ";";
}

SINTER_INLINE void cuda_writer::write_held_moves(const std::string& k, const std::string& type, bool to_held) {
    line("#pragma unroll");
    if (apart_)
        return line("for (int e = 0; e < 16; ++e) " +
                    (to_held ? "h[256 * e] = " + k + "[e];" : k + "[e] = h[256 * e];"));
    if (swizzled_) {
        // Of each place one address: compilers add the others up element by element.
        open("for (int c = 0; c < 4; ++c)");
        line(type + "* const lane = h + (c ^ swizzle);");
        line("#pragma unroll");
        line("for (int g = 0; g < 4; ++g) " +
             (to_held ? "lane[1024 * g] = " + k + "[4 * g + c];" : k + "[4 * g + c] = lane[1024 * g];"));
        return close();
    }
    const std::string pack = "pack<" + type + ", 4>";
    open("for (int g = 0; g < 4; ++g)");
    line(to_held ? pack + " p;" : "const " + pack + " p = *(const " + pack + "*)&h[1024 * g];");
    line("#pragma unroll");
    line("for (int c = 0; c < 4; ++c) " + (to_held ? "p.v[c] = " + k + "[4 * g + c];" : k + "[4 * g + c] = p.v[c];"));
    if (to_held) line("*(" + pack + "*)&h[1024 * g] = p;");
    close();
}

SINTER_INLINE void cuda_writer::write_held_read(std::uint32_t i, const row_share& share) {
    const std::string k = "k" + std::to_string(i);
    open(share.whole ? "" : "if (slot < " + std::to_string(share.blocks) + ")");
    line(held_place(i, share));
    write_held_moves(k, type_text(k_.body[i].type), false);
    if (share.whole) return close();
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

SINTER_INLINE void cuda_writer::write_held_write(std::uint32_t i, const row_share& share) {
    open(share.whole ? "" : "if (slot < " + std::to_string(share.blocks) + ")");
    line(held_place(i, share));
    write_held_moves("k" + std::to_string(i), type_text(k_.body[i].type), true);
    close();
}

// The results of a row's blocks to those of the row, which every thread gets.
SINTER_INLINE void cuda_writer::write_share_results(int stage, bool whole) {
    line(k_.is(mapping::resident_row) ? "__syncthreads();"
         : whole                      ? "wait(" + std::to_string(number_of_meeting(stage)) + ");"
                                      : "wait();");
    if (!whole) {
        write_levels(stage, "inside", "wait()");
        return per_reduction("r# = result#[0];", "ri# = resulti#[0];", stage);
    }
    if (!k_.is(mapping::resident_row)) open("if (t < 32)");
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r),
                          at = share_place(r, false) + (indexed(r) ? ", " + share_place(r, true) : "");
        line("join_few" + id + "(" + at + ", (int)parts, r" + id + (indexed(r) ? ", ri" + id + ");" : ");"));
    }
    if (k_.is(mapping::resident_row)) return;
    for (std::size_t r : reductions_of(stage)) write_for(r, "if (t == 0) total# = r#;", "if (t == 0) totali# = ri#;");
    close();
    line("__syncthreads();");
    per_reduction("r# = total#;", "ri# = totali#;", stage);
}

// join_few<r>: the results of a row's blocks, as the level above them joins so many: every thread gets it, by itself or
// by its warp.
SINTER_INLINE void cuda_writer::write_few_join(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r);
    const bool has_index = indexed(r);
    open("static __device__ inline void join_few" + id + "(const " + a + "* p" +
         (has_index ? ", const index* pi" : "") + ", int parts, " + a + "& r" + (has_index ? ", index& ri)" : ")"));
    const bool by_warp = shares_rows(k_);
    line(by_warp ? "const int t = threadIdx.x % 32, first = 4 * t;" : "const int first = 0;");
    line(a + " a[4];");
    if (has_index) line("index ai[4];");
    line("#pragma unroll");
    line(std::string("for (int q = 0; q < 4; ++q) if (first + q < parts) a[q] = p[first + q]") +
         (has_index ? ", ai[q] = pi[first + q];" : ";"));
    line("join_four" + id + (has_index ? "(a, ai, parts - first);" : "(a, parts - first);"));
    if (by_warp) {
        line("#pragma unroll");
        open("for (int h = " + std::to_string(results_in_shared / 8) + "; h > 0; h /= 2)");
        line("const " + a + " y = from_lane(a[0], h);");
        if (has_index) line("const index yi = from_lane(ai[0], h);");
        line("if (t < h && 4 * (t + h) < parts) join" + id + (has_index ? "(a[0], ai[0], y, yi);" : "(a[0], y);"));
        close();
        line(has_index ? "r = from_first(a[0], 32), ri = from_first(ai[0], 32);" : "r = from_first(a[0], 32);");
    } else {
        line(has_index ? "r = a[0], ri = ai[0];" : "r = a[0];");
    }
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
