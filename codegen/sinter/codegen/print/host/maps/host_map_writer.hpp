// The C++ text of maps: tiles of elements, of rows, and square ones; must not know reductions.
#pragma once

#include <sinter/codegen/print/host/maps/host_transpose_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// host_tile of maps whose tiles take one loop. On an AMD EPYC (Zen 4) with 512-bit vectors a gaussian of 10^7 elements
/// took 3.6 ms with 64, 4.9 with 32 and 5.0 with 128 and more, 3.3 by hand.
inline constexpr int host_short_tile = 64;

/// Maps.
class host_map_writer final : public host_transpose_writer {
public:
    using host_transpose_writer::host_transpose_writer;
    /// Functions and the entry points.
    void write_kernel();

private:
    void write_map();
    void write_maps_loop();
    bool fills_vectors() const;
    void write_direct(const tile_axes& t);
    void write_elements();
    void open_rows(const tile_axes& t);
    int shortest_row() const;
    void write_short_rows(const tile_axes& t);
    void write_whole_tiles(const tile_axes& t);
    void write_tiles_of_rows(const tile_axes& t);
};

kernel_source print_host_map(const kernel& k);
kernel_source print_host_transposed_tiles(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/maps/host_map_writer.ipp>
#endif
