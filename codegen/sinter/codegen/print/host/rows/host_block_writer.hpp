// The C++ text of the parts of rows whose lanes combine in registers, as far as elements lie in one line of memory;
// must not know how parts become rows.
#pragma once

#include <sinter/codegen/print/host/rows/host_reduction_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What loads, computes and combines elements in one loop.
class host_block_writer : public host_reduction_writer {
public:
    using host_reduction_writer::host_reduction_writer;

protected:
    void write_origins_anew(const tile_axes& t);
    bool takes_blocks_at_once(const tile_axes& t) const;
    bool write_part_at_once(const tile_axes& t);
    void write_lanes_combined(std::size_t r, bool at_once);
    void write_turn(const tile_axes& t, const std::string& at, bool begins);
    /// The reductions of a stage whose lanes keep accumulators in registers.
    sequence<std::size_t> in_lanes(int stage) const;

private:
    bool is_origin(std::size_t r) const;
    std::string inner_text(const tile_axes& t) const { return std::to_string(t.last - 1); }
    void write_place_of(const tile_axes& t, const std::string& from);
    std::string in_row_text(const tile_axes& t) const;
    void write_places_at_once(const tile_axes& t);
    void write_block_at_once(const tile_axes& t);
    void write_pieces_at_once(const tile_axes& t);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_block_writer.ipp>
#endif
