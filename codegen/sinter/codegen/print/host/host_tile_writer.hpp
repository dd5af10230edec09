// The C++ text of the loops over a tile: a body's instructions in as few loops as may hold them, and stores; must not
// know which tiles there are.
#pragma once

#include <sinter/codegen/print/host/host_call_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A body over a tile of elements.
class host_tile_writer : public host_call_writer {
protected:
    using host_call_writer::host_call_writer;

    void schedule(const tile_axes& t);
    bool stores_in_last_loop(const tile_axes& t) const;
    bool outlives_stage(std::uint32_t i) const;
    void write_instruction(std::uint32_t i, const std::string& at, bool to_array);
    void write_arrays();
    tile_axes begin_both_stages(int first, int last, bool offset);
    void begin_second_stage(tile_axes& t);
    void write_tiles(const tile_axes& t, const std::string& begin, const std::string& end);
    void write_tile(const tile_axes& t, const std::string& end);
    void write_loads(const tile_axes& t);
    void write_loops(const tile_axes& t);
    void write_stores(const tile_axes& t);

    int last_phase_ = 0;

private:
    void find_indices(const tile_axes& t);
    sequence<char> write_indices(std::uint32_t i, bool of_tile) override;

    sequence<int> phase_;     ///< of each instruction: even are arithmetic loops, odd are vector calls and gathers
    sequence<char> indices_;  ///< whether only gathers that look at the ends of a tile first want the value
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_tile_writer.ipp>
#endif
