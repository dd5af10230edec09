// The C++ text of reductions of short rows, several of them side by side while their lanes combine; must not know what
// becomes of their results.
#pragma once

#include <sinter/codegen/print/host/rows/host_block_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Rows whose fours of elements lie side by side: they are transposed where they combine.
class host_fours_writer : public host_block_writer {
public:
    using host_block_writer::host_block_writer;

protected:
    /// Rows whose lanes combine at a time, and the same of short ones, where there are as many.
    static constexpr int rows_together = 4;
    int rows_at_once() const;

    bool takes_fours_of_rows(int stage) const;
    void write_fours_reduces();
    int fours_lanes() const;
    void write_fours_arrays(const tile_axes& t);
    void begin_fours_of_rows(const tile_axes& t, const std::string& row, const std::string& rows);
    void write_row_tile(const tile_axes& t);
    void end_fours_of_rows(const tile_axes& t);

private:
    bool rows_lie_straight(const tile_axes& t) const;
    bool combines_directly(std::size_t r) const;
    bool keeps_type(std::size_t r) const;
    std::size_t slot_of(std::size_t r) const;
    std::string four_type(std::size_t r) const;
    bool fills_slot(std::size_t r) const;
    void write_origins_of_rows();
    void write_origins_of_fours();
    void write_transposing(const std::string& type, int rows, bool is_long);
    void write_halving(std::size_t r);
    void write_direct(std::size_t r);
    void write_slot(std::size_t r);
    void write_fours(std::size_t r);

    bool lies_straight_ = false;  ///< whether elements are transposed from where they lie in memory
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/rows/host_fours_writer.ipp>
#endif
