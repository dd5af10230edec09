// The CUDA text of blocks of 4096 elements of a row: their lanes, what 256 threads have of one, and what several come
// to, level by level; must not know what else a row's kernel does.
#pragma once

#include <sinter/codegen/base/callback.hpp>
#include <sinter/codegen/print/cuda/stage_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What kernels share whose thread blocks reduce blocks of rows.
class row_block_writer : public stage_writer {
public:
    using stage_writer::stage_writer;

protected:
    /// Any block of a row, or one that fills all threads' groups; or of that one, threads take their four neighbours
    /// in an order of their own.
    enum class tile_kind : std::uint8_t { any, full, swizzled };

    bool takes_striped() const { return facts_.share.step == row_lanes / 4 && tile_ != tile_kind::swizzled; }
    void write_into_buffer(std::size_t r, const std::string& buffer, const std::string& a, bool block_striped = false);
    void write_thread_reduces(int stage);
    void write_buffer_reduces(int stage, const std::string& lanes, callback<void(std::size_t)> then);
    void write_levels(int stage, const std::string& inside, const std::string& wait);
    void write_block_lanes();
    std::string ahead_type(std::uint32_t i) const;
    void write_loads_ahead();

    tile_kind tile_ = tile_kind::any;  ///< the block of a row that what is being written is about

private:
    std::string results_at(std::size_t r, bool of_index) const;
    void write_whole_groups(int stage);
    void write_any_group(int stage);
    void write_row_lanes(bool whole);
    void write_last_lanes();
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/row_block_writer.ipp>
#endif
