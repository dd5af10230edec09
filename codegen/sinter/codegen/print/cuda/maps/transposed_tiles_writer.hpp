// The CUDA text of maps whose operands are transposed in shared memory, tile by tile; must not know other maps.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Square tiles, a thread block each.
class transposed_tiles_writer final : public cuda_writer {
public:
    using cuda_writer::cuda_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_tile_position();
    void write_tile_loads(bool transposed);
    void write_tile_point();
};

kernel_source print_transposed_tiles(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/maps/transposed_tiles_writer.ipp>
#endif
