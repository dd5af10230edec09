// The C++ text of tiles whose operands are transposed in the cache; must not know what is computed of them.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Square tiles, one after the other.
class host_transpose_writer : public host_writer {
public:
    using host_writer::host_writer;

protected:
    void write_transposes();
    void write_transposed_tiles(const tile_axes& t);

private:
    void write_transpose(dtype type);
    void write_mirrored_order(const std::string& p, const std::string& q);
    std::string all_lines() const;
    void write_first_line();
    void write_steps(const std::string& id);
    void write_tile_order();
    void write_tile_position();
    void write_transposed_loads();
    void write_loads_ahead();
    void write_tile_row(const tile_axes& t);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/maps/host_transpose_writer.ipp>
#endif
