// The CUDA text of maps whose results lie in memory as their elements are numbered, whatever they read: a thread's
// neighbours go on in the next row; must not know grids.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Neighbours along all axes together.
class joined_map_writer final : public cuda_writer {
public:
    using cuda_writer::cuda_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_position();
    void write_step();
    bool is_joined(std::uint32_t a) const { return map_.moves[a] == access_move::pack; }
    std::string joined_element(std::uint32_t a) const { return operand_name(a) + "[i]"; }
    texts arguments(bool of_neighbours) const;
    void write_neighbours();
    void write_last();
};

kernel_source print_joined_rows(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/maps/joined_map_writer.ipp>
#endif
