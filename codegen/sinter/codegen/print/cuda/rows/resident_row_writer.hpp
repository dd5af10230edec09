// The CUDA text by which thread blocks copy the part of a long row that is resident in their shared memory, and read
// and write it; must not know what is computed for a row.
#pragma once

#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/print/cuda/rows/row_tile_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What is resident of rows, and the copies that bring it.
class resident_row_writer : public row_tile_writer {
public:
    using row_tile_writer::row_tile_writer;

protected:
    void team_line(const std::string& text) {
        if (facts_.shares_rows) line(text);
    }
    std::string resident_stride() const;
    void open_tiles_of_block();
    void each_tile_size(callback<void()> write);
    std::string resident_at(std::uint32_t i) const;
    void write_resident_values(int stage, callback<void()> compute);
    bool may_go_by_groups(int stage) const;
    void write_resident_groups(int stage, const sequence<std::uint32_t>& arrays = {});
    void write_barriers();
    void write_shifts();
    void write_resident_copies(const sequence<std::uint32_t>& copied);
    void write_wait_for_copies();

private:
    std::string resident_place(std::uint32_t i) const;
    void write_resident_moves(const std::string& k, const std::string& type, bool to_resident);
    void write_resident_group(const std::string& k, const std::string& type, bool to_resident);
    void open_resident();
    void write_resident_read(std::uint32_t i);
    void write_resident_write(std::uint32_t i);
    std::string barrier_of_tile() const;
    std::string copy_arguments(std::uint32_t i) const;
    void write_ends_of_copies(const sequence<std::uint32_t>& copied);
    void write_tile_copies(std::uint32_t i);
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/resident_row_writer.ipp>
#endif
