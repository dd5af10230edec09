// Bodies of cuda_writer.hpp that print row kernels over rows too long for the registers of one thread block.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>
#include <sinter/codegen/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* meet_text = R"(// Thread blocks of a cluster, which devices before compute capability 9.0 have not.
static __device__ inline bool is_cluster() {
#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
    return __clusterSizeInBlocks() > 1;
#else
    return false;
#endif
}
static __device__ inline void meet_cluster() {
#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
#endif
}

// Waits until the thread blocks of a team have come here, `target` times in all.
static __device__ inline void meet(unsigned* counter, unsigned target) {
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(counter, 1u);
        }
        for (bool missing = threadIdx.x == 0; __ballot_sync(0xffffffffu, missing) != 0;)
            missing = missing && *(volatile unsigned*)counter < target;
        __threadfence();
    }
    __syncthreads();
}

)";

// Teams of thread blocks take rows in turn, or a cluster a row. Each of a team takes every so many of a row's blocks of 4096 elements of the
// reductions' order, holds what later stages need of them in shared memory, as far as there is room, and waits after each stage
// for the others' results, which it then joins to the row's.
SINTER_INLINE void cuda_writer::write_shared_rows() {
    const row_share share = share_of_row(k_);
    kept_ = share.held.kept;
    out_ += meet_text;
    write_head(name_, cuda_threads, reduction_schedules.held_blocks);
    write_sizes();
    line("const int t = threadIdx.x;");
    line("const bool inside = blockIdx.y == 0, alone = gridDim.y == 1 && parts <= 8;");
    write_room(rooms_of_share(k_));
    per_reduction("__shared__ @ result#[8];", "__shared__ index resulti#[8];");
    if (share.held.bytes > 0) line("extern __shared__ double held[];");
    line("unsigned met = 0;");
    open("const auto wait = [&]");
    line("if (gridDim.y == 1) __syncthreads();");
    line("else if (is_cluster()) meet_cluster();");
    line("else meet(&counters[blockIdx.x], met += gridDim.y);");
    close("};");
    line("int turn = 0;");
    open("for (index row = blockIdx.x; row < kept; row += gridDim.x)");
    write_decode("row", 0, k_.kept);
    per_reduction("@* const at# = alone ? result# : partial# + row * parts;", "index* const ati# = alone ? resulti# : position# + row * parts;");
    per_reduction("@ a#[4], r#;", "index ai#[4], ri#;");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i]) line(type_text(k_.body[i].type) + " k" + std::to_string(i) + "[16];");
    for (int stage = 0; stage < k_.stages; ++stage) is_row_stage(stage) ? write_row_stage(stage) : write_share_stage(stage, share);
    close();
    line("// The last to leave makes the counter zero again.");
    line("if (met > 0 && t == 0 && atomicAdd(&counters[blockIdx.x], 1u) + 1 == met + gridDim.y) counters[blockIdx.x] = 0;");
    close();
}

// What is loaded is on its way while the block before joins.
SINTER_INLINE void cuda_writer::write_share_stage(int stage, const row_share& share) {
    here_ = computed_in(k_, stage, kept_);
    used_ = used_in(k_, stage, here_);
    in_row_ = false;
    open("");
    write_origins(stage, "reduced > 0");
    write_element_function(stage);
    const bool fetches = write_element_arrays();
    if (fetches) {
        open("const auto fetch = [&](index part)");
        line("const index begin = part * 4096;");
        line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
        write_element_loads();
        close("};");
        line("fetch(blockIdx.y);");
    }
    line("int slot = 0;");
    line("#pragma unroll 1");
    open("for (index part = blockIdx.y; part < parts; part += gridDim.y, ++slot)");
    line("const index begin = part * 4096;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i] && !here_[i] && used_[i]) write_held_read(i, share);
    write_element_groups(stage);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i] && here_[i]) write_held_write(i, share);
    if (fetches) line("if (part + gridDim.y < parts) fetch(part + gridDim.y);");
    if (reduces_in(stage)) {
        line("const int lanes = size < 1024 ? size : 1024;");
        write_four_joins(stage);
        write_room_joins(stage, "lanes", [&](std::size_t r) { write_for(r, "at#[part] = a#[0];", "ati#[part] = ai#[0];"); });
    }
    close();
    if (reduces_in(stage)) write_share_results(stage, share);
    close();
}

// A thread's elements of a block lie 256 apart: neighbouring threads find theirs in different banks.
SINTER_INLINE std::string cuda_writer::held_place(std::uint32_t i, const row_share& share) const {
    const std::string type = type_text(k_.body[i].type);
    const std::string bytes = std::to_string(share.held.bytes), offset = std::to_string(share.held.offset[i]);
    return type + "* const h = (" + type + "*)((char*)held + (" + bytes + " * slot" + (offset == "0" ? "" : " + " + offset) + ") * 4096) + t;";
}

SINTER_INLINE void cuda_writer::write_held_read(std::uint32_t i, const row_share& share) {
    const std::string k = "k" + std::to_string(i);
    open(share.whole ? "" : "if (slot < " + std::to_string(share.blocks) + ")");
    line(held_place(i, share));
    line("#pragma unroll");
    line("for (int e = 0; e < 16; ++e) " + k + "[e] = h[256 * e];");
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
        line("#pragma unroll");
        open("for (int c = 0; c < 4; ++c)");
        line("if (l + c >= size) continue;");
        write_decode("(begin + l + c)", k_.kept, k_.space.size());
        line(k + "[4 * g + c] = " + element(k_.body[i].payload) + ";");
        close();
    }
    close();
    close();
}

SINTER_INLINE void cuda_writer::write_held_write(std::uint32_t i, const row_share& share) {
    open(share.whole ? "" : "if (slot < " + std::to_string(share.blocks) + ")");
    line(held_place(i, share));
    line("#pragma unroll");
    line("for (int e = 0; e < 16; ++e) h[256 * e] = k" + std::to_string(i) + "[e];");
    close();
}

// The results of a row's blocks to those of the row, which every thread gets.
SINTER_INLINE void cuda_writer::write_share_results(int stage, const row_share& share) {
    line("wait();");
    line("index left = parts;");
    if (!share.whole) {
        open("if (parts > 4096)");
        open("if (inside)");
        for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
            if (k_.reductions[r].stage != stage) continue;
            const std::string id = std::to_string(r);
            line("join_parts" + id + "(at" + id + (indexed(r) ? ", ati" + id : "") + ", parts, room[0]);");
        }
        close();
        line("wait();");
        line("while (left > 4096) left = (left + 4095) / 4096;");
        close();
    }
    open("if (parts <= 4)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        const std::string id = std::to_string(r);
        line("#pragma unroll");
        line("for (int q = 0; q < 4; ++q) if (q < parts) a" + id + "[q] = at" + id + "[q]" + (indexed(r) ? ", ai" + id + "[q] = ati" + id + "[q];" : ";"));
        line("join_four" + id + "(a" + id + (indexed(r) ? ", ai" + id : "") + ", (int)parts);");
    }
    per_reduction("r# = a#[0];", "ri# = ai#[0];", stage);
    close("} else {");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        const std::string id = std::to_string(r);
        line("join_lanes" + id + "(at" + id + (indexed(r) ? ", ati" + id : "") + ", (int)left, a" + id + (indexed(r) ? ", ai" + id + ");" : ");"));
    }
    write_room_joins(stage, "(left < 1024 ? (int)left : 1024)",
                     [&](std::size_t r) { write_for(r, "result#[0] = a#[0];", "resulti#[0] = ai#[0];"); });
    line("__syncthreads();");
    per_reduction("r# = result#[0];", "ri# = resulti#[0];", stage);
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
