// The CUDA text of maps of any shape: a grid over rows along the innermost axis, of which a thread has neighbours, of
// one row or of several; must not know flat maps.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A grid over rows.
class grid_map_writer final : public cuda_writer {
public:
    using cuda_writer::cuda_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_grid_position();
    void write_grid_tile(const std::string& row);
    std::string grid_row_stride() const;
    void open_grid_rows();
    void close_grid_rows();
    std::string moved_type(std::uint32_t a) const;
    void write_grid_load(std::uint32_t a, const std::string& to);
    std::string moved_row(std::uint32_t a) const;
    std::string moved_lane(std::uint32_t a) const;
    sequence<std::uint32_t> grid_loads() const;
    void write_grid_loads(const sequence<std::uint32_t>& loads);
    void write_grid_rows_loads(const sequence<std::uint32_t>& loads);
    void write_grid_results(const std::string& rows);
    std::string grid_result(std::size_t s) const;
    void write_grid_stores();
    void write_grid_neighbours(const sequence<std::uint32_t>& loads);
    std::uint32_t declare_ends(sequence<char>& needed, sequence<char>& walks, texts& conditions);
    void write_ends();
    void write_limits(std::uint32_t i);
    void write_lanes(const sequence<std::uint32_t>& loads, bool follow);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/maps/grid_map_writer.ipp>
#endif
