// The C++ text of calls in which libm's vector functions may stand, each in a loop of its own; must not know which
// loops stand around them.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/host/host_draw_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Calls of a tile.
class host_call_writer : public host_draw_writer {
protected:
    using host_draw_writer::host_draw_writer;

    bool is_vector(std::uint32_t i) const;
    bool has_tile(std::uint32_t i) const;
    bool has_own_loop(std::uint32_t i) const {
        return is_vector(i) || has_tile(i) || is_draw(i) || is_half_cast(k_.body[i]) ||
               k_.body[i].kind == instruction_kind::gather;
    }
    void write_half_cast(std::uint32_t i);
    bool is_spread(std::uint32_t i) const;
    void write_spread(std::uint32_t i);
    void write_vector_invoke(std::uint32_t i);
    void write_tile_invoke(std::uint32_t i);
    bool has_near(std::uint32_t i) const { return !written_function(k_.body[i]).empty(); }
    void write_near(std::uint32_t i, const std::string& target, const std::string& form);
    /// A loop of `count` elements, or of steps, whose body `write` prints, with vector calls of one type. Where some
    /// have functions with fewer steps for arguments near zero those are taken first, and the loop is run again if an
    /// argument was far.
    template <class Write>
    void write_calls(bool has_near, dtype type, const std::string& count, int step, Write write);

    int call_step(std::uint32_t i) const;
    int called_step(std::uint32_t i) const;
    std::string called_elements(std::uint32_t i) const;

    bool in_near_loop_ = false;
};

template <class Write>
void host_call_writer::write_calls(bool has_near, dtype type, const std::string& count, int step, Write write) {
    if (has_near) {
        open("");
        line((size_of(type) == 4 ? "int" : "long long") + std::string(" far = 0;"));
        in_near_loop_ = true;
        open_vectors(count, " reduction(|:far)");
        write();
        close();
        in_near_loop_ = false;
        open("if (far)");
    }
    open_vectors(count, "", has_near ? 0 : step);  // what is near has no functions of libm
    write();
    close();
    if (!has_near) return;
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_call_writer.ipp>
#endif
