// The C++ text of calls in which libm's vector functions may stand, each in a loop of its own; must not know which
// loops stand around them.
#pragma once

#include <sinter/codegen/print/host/host_gather_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Calls of a tile.
class host_call_writer : public host_gather_writer {
protected:
    using host_gather_writer::host_gather_writer;

    bool is_vector(std::uint32_t i) const;
    bool has_own_loop(std::uint32_t i) const { return is_vector(i) || k_.body[i].kind == instruction_kind::gather; }
    bool is_spread(std::uint32_t i) const;
    void write_spread(std::uint32_t i);
    void write_vector_invoke(std::uint32_t i);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_call_writer.ipp>
#endif
