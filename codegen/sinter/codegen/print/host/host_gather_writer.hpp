// The C++ text of gathers: elements at indices that the kernel computes; must not know in which loops they stand.
#pragma once

#include <sinter/codegen/print/host/host_value_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Gathers of a tile.
class host_gather_writer : public host_value_writer {
protected:
    using host_value_writer::host_value_writer;

    /// Prints what computes those of a gather's indices that nothing else wants, for element l or for all of a tile;
    /// returns which values lie in arrays then.
    virtual sequence<char> write_indices(std::uint32_t i, bool of_tile) = 0;
    std::string gather_base(std::uint32_t i, const std::string& point) const;
    bool gathers_by_ends(std::uint32_t i) const;
    std::string gathered(std::uint32_t i) const;
    void write_gather(std::uint32_t i);

private:
    template <class Write>
    void for_each_index(std::uint32_t i, Write write);
    std::string gather_place(std::uint32_t i) const;
    void write_checked_gather(std::uint32_t i);
    void write_limits(std::uint32_t i);
    void write_gather_by_ends(std::uint32_t i);
    void write_gather_of_tile(std::uint32_t i);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_gather_writer.ipp>
#endif
