// The CUDA text of cooperative (cluster) and block-resident reductions, of rows too long for the registers of one
// thread block; how stages take such rows swizzled, and leave them by whole packs although they begin at no multiple of
// one. Must not know copies.
#pragma once

#include <sinter/codegen/print/cuda/rows/resident_row_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Rows in shared memory, a thread block or several for each.
class cooperative_rows_writer final : public resident_row_writer {
public:
    using resident_row_writer::resident_row_writer;
    /// Functions and the entry point.
    void write_kernel();

private:
    void write_row_end();
    void write_cooperative_functions();
    void write_cluster();
    void write_cooperative_buffers();
    void write_wait();
    void write_cooperative_stage(int stage);
    void write_cooperative_tile(int stage);
    void write_cooperative_fetch(const sequence<std::uint32_t>& arrays);
    void write_first_barrier(int stage);
    static std::string buffer_of_tile(const std::string& slot, int n);
    void write_cooperative_warp_reduces(int stage);
    void write_expected(int stage);
    std::string result_place(std::size_t r, bool of_index) const;
    void write_tile_results(int stage);
    void write_leave(std::size_t r);
    void write_cooperative_results(int stage);
    void write_alignment(int stage);
    void write_aligned_tile(int stage);
    void write_store_pack(int stage);
    bool combines_in_any_order(std::size_t r) const;
    void write_swizzled_tile(int stage);
    void write_elements_before(int stage);
};

kernel_source print_resident_row(const kernel& k);
kernel_source print_cooperative_row(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/cooperative_rows_writer.ipp>
#endif
