// The C++ text of random words, of which neighbours share the generator's blocks; must not know in which loops they
// stand.
#pragma once

#include <sinter/codegen/print/host/host_gather_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Random words of a tile.
class host_draw_writer : public host_gather_writer {
protected:
    using host_gather_writer::host_gather_writer;

    /// The blocks of which draw_blocks.hxx may fill a whole number.
    static constexpr int blocks_at_once = 8;

    bool is_draw(std::uint32_t i) const;
    void write_draw(std::uint32_t i);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_draw_writer.ipp>
#endif
