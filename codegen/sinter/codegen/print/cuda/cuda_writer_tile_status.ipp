// Bodies of cuda_writer.hpp by which thread blocks of scans wait for each other: dynamic
// tile ids, tile status (decoupled look-back), carry blocks.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/fill_text.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// How thread blocks wait for each other. A word holds half a value and the number of the launch that wrote it, so that
// neither fences nor 16-byte atomics are needed, and nothing is zeroed between launches in the same memory: words are
// written once, and read until all of them are of this launch. The first word counts launches, and thread blocks as
// they begin.
inline constexpr const char* tile_status_text =
#include <sinter/codegen/print/cuda/text/tile_status.cuh>
    ;

inline constexpr const char* lanes_text =
#include <sinter/codegen/print/cuda/text/scan_lanes.cuh>
    ;

inline constexpr const char* complex_lanes_text =
#include <sinter/codegen/print/cuda/text/complex_scan_lanes.cuh>
    ;

// The prefixes of a warp's values, each lane's own included.
inline constexpr const char* tree_text =
#include <sinter/codegen/print/cuda/text/scan_tree.cuh>
    ;

// In a row of up to 32 tiles each waits for those before it. In a longer one a thread block of its own, the runner,
// puts the prefixes together: its warps take the groups of 32 tiles in turn, the groups' totals run from warp to warp,
// and a tile polls nothing but its own prefix. Nobody waits for ever, however few blocks are at work at once: the
// runner takes its ticket before the row's tiles, so that it is at work when they are; a tile tells its total before it
// waits; and it gets its prefix as soon as the tiles with earlier tickets have told theirs, be the others of its group
// at work or not. By hand and without tickets, cumsum of 2^27 floats takes an H200 294 us like this, 335 where each
// tile looks back at tiles and groups.
inline constexpr const char* before_text =
#include <sinter/codegen/print/cuda/text/look_back.cuh>
    ;

// Elements are converted to a larger accumulator before the wait and after it. The compiler would convert them once and
// keep the results over the wait, in twice the registers (on an H200 445 us instead of 400); so it is told that they
// are others.
inline constexpr const char* renewal_text =
#include <sinter/codegen/print/cuda/text/renewal.cuh>
    ;

inline constexpr const char* soon_text =
#include <sinter/codegen/print/cuda/text/fetch_soon.cuh>
    ;

SINTER_INLINE void cuda_writer::write_renewal() {
    for (std::size_t r : scan_.renewed) {
        const std::string at = std::string("a").append(std::to_string(r)) + "[i / 4][i % 4]";
        unroll();
        line("for (int i = 0; i < " + std::to_string(4 * scan_.chunks) + "; ++i) " + at + " = renewed(" + at + ");");
    }
}

// A text once for each scan: its number, and its accumulator's type.
SINTER_INLINE void cuda_writer::write_per_scan(const char* text) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        out_ += fill_text(text, {{"scan", std::to_string(r)}, {"type", accumulator(r)}});
}

// The number of the tile that a thread block computes. Blocks take tickets, so that those before it are at work or
// done, whatever order they start in: CUDA promises none. blockIdx would save an H200 2 % of a scan or selection.
SINTER_INLINE void cuda_writer::write_tile_id() {
    line(k_.selects ? "__shared__ unsigned tile_id;" : "__shared__ unsigned long long tile_id;");
    line(std::string("if (threadIdx.x == 0 && threadIdx.y == 0) tile_id = ") +
         (k_.selects ? "atomicAdd((unsigned*)partial0, 1u);" : "take_tile_id(partial0);"));
    if (!scan_.fetched.empty()) write_soon();
    line("__syncthreads();");
    line(k_.selects ? "const index item = tile_id;" : "const index item = (unsigned)tile_id;");
    if (!k_.selects) line("const unsigned launch = (unsigned)(tile_id >> 32);");
}

// Until the ticket is there, memory fetches the tile that most probably belongs to it: an H200's cumsum of 2^27 floats
// takes 291 us instead of 303. A line of 128 bytes for each thread is all of a tile in most schedules.
SINTER_INLINE void cuda_writer::write_soon() {
    open("");
    std::string own = "(tiles + carry_blocks)", share = std::to_string(scan_tile / scan_.threads);
    line("const index soon = " + block_number() + ", row = soon / " + own + ";");
    line("const index i = (soon % " + own + " - carry_blocks) * 4096 + " + share + " * threadIdx.x;");
    write_decode("row", 0, k_.kept);
    at_[static_cast<std::size_t>(k_.kept)] = "i";
    open(std::string("if (i >= 0 && i < reduced") + index_.and_is_row + ")");
    for (std::uint32_t i : scan_.fetched) line("fetch_soon(&" + element(k_.body[i].payload) + ");");
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
