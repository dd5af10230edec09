// Bodies of transposed_tiles_writer.hpp.
#pragma once

#include <sinter/codegen/print/cuda/maps/transposed_tiles_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// One H200, x + x.T of 16384 x 16384 floats, 561 us, row by row 753.
inline constexpr const char* mirrored_order_text =
#include <sinter/codegen/print/cuda/text/mirrored_order.cuh>
    ;

// The tile's first point and size, and coordinates of all axes besides the tile's two.
SINTER_INLINE void transposed_tiles_writer::write_tile_position() {
    std::string p = std::to_string(map_.axis), q = std::to_string(inner_), side = std::to_string(map_.side);
    const bool mirrored = map_.mirrored;
    if (mirrored) line("const mirrored_order order = order_of_mirrored();");
    line("const int column = threadIdx.x, row = threadIdx.y;");
    line({"const index corner", p, " = (index)", mirrored ? "order.along" : "blockIdx.y", " * ", side, ", corner", q,
          " = (index)", mirrored ? "order.across" : "blockIdx.x", " * ", side, ";"});
    line({"const index height = n", p, " - corner", p, ", width = n", q, " - corner", q, ";"});
    line("const auto within = [](index i, index n) { return i < n ? i : n - 1; };");
    int others = k_.space.size() - 2;
    const std::string rest = others > 1 ? "rest" : "blockIdx.z";
    if (others > 1) line("unsigned rest = blockIdx.z;");
    for (int i = k_.space.size() - 1; i >= 0; --i) {
        if (i == map_.axis || i == inner_) continue;
        const std::string id = std::to_string(i);
        const bool is_last = --others == 0;
        line({"const index i", id, " = ", rest, is_last ? ";" : " % (unsigned)n" + id + ";"});
        if (!is_last) line({"rest /= (unsigned)n", id, ";"});
    }
}

// The loads of the operands that lie along rows, or of those that lie along columns: all into registers, so that they
// are under way together. Where a tile is cut off, its last row and column are loaded again, which takes no branches.
SINTER_INLINE void transposed_tiles_writer::write_tile_loads(bool transposed) {
    std::string p = std::to_string(map_.axis), q = std::to_string(inner_), step = std::to_string(map_.item_stride);
    std::string count = std::to_string(map_.items), other = "row + " + step + " * l";
    std::string of_p = transposed ? "column" : other, of_q = transposed ? other : "column";
    texts loads;
    for (std::uint32_t a = 0; a < k_.accesses.size(); ++a) {
        if (!(transposed ? map_.transposed[a] : map_.fetched[a])) continue;
        std::string id = std::to_string(a);
        line({operand_type(a), " t", id, "[", count, "];"});
        loads.push_back("t" + id + "[l] = " + element(a) + ";");
    }
    if (loads.empty()) return;
    open_unrolled("for (int l = 0; l < " + count + "; ++l)");
    line({"const index i", p, " = corner", p, " + within(", of_p, ", height), i", q, " = corner", q, " + within(", of_q,
          ", width);"});
    for (const std::string& load : loads) line(load);
    close();
}

// point(l): what a thread computes in row l of those that it has of a tile.
SINTER_INLINE void transposed_tiles_writer::write_tile_point() {
    const std::string p = std::to_string(map_.axis), q = std::to_string(inner_),
                      step = std::to_string(map_.item_stride);
    open("const auto point = [&](int l)");
    line({"const index i", p, " = corner", p, " + row + ", step, " * l, i", q, " = corner", q, " + column;"});
    for (std::uint32_t a = 0; a < k_.accesses.size(); ++a) {
        std::string id = std::to_string(a);
        loaded_.push_back(map_.transposed[a] ? "tile" + id + "[column][row + " + step + " * l]"
                          : map_.fetched[a]  ? "t" + id + "[l]"
                                             : "");
    }
    write_body(0);
    loaded_.clear();
    write_stores(0);
    close("};");
}

// Thread blocks of square tiles: what lies along the tile's columns is loaded along them and transposed in shared
// memory, whose rows are one element longer so that a column's elements lie in different banks.
SINTER_INLINE void transposed_tiles_writer::write_kernel() {
    const std::string side = std::to_string(map_.side), step = std::to_string(map_.item_stride),
                      count = std::to_string(map_.items);
    if (map_.mirrored) out_ += mirrored_order_text;
    // Of few arrays, registers for four thread blocks and no fewer: 566 us instead of 577.
    write_head();
    write_around();
    for (std::uint32_t a = 0; a < k_.accesses.size(); ++a)
        if (map_.transposed[a])
            line({"__shared__ ", operand_type(a), " tile", a, "[", side, "][", map_.side + 1, "];"});
    write_tile_position();
    write_tile_loads(false);
    write_tile_loads(true);
    for (std::uint32_t a = 0; a < k_.accesses.size(); ++a) {
        std::string id = std::to_string(a);
        if (!map_.transposed[a]) continue;
        write_unrolled("for (int l = 0; l < " + count + "; ++l) tile" + id + "[row + " + step + " * l][column] = t" +
                       id + "[l];");
    }
    line("__syncthreads();");
    write_tile_point();
    // Checks in every step would have the compiler load what lies along rows only behind the barrier.
    open({"if (height >= ", side, " && width >= ", side, ")"});
    unroll();
    line({"for (int l = 0; l < ", count, "; ++l) point(l);"});
    close("} else {");
    unroll();
    line({"for (int l = 0; l < ", count, " && row + ", step, " * l < height && column < width; ++l) point(l);"});
    close();
    write_end();
}

SINTER_INLINE kernel_source print_transposed_tiles(const kernel& k) { return written_by<transposed_tiles_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
