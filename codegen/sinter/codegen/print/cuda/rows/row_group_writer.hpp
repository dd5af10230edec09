// The CUDA text of a thread's groups of four elements of a row: where they are, whether they are there, and how what
// they come to combines; must not know what is computed for an element.
#pragma once

#include <sinter/codegen/print/cuda/rows/row_block_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What kernels share whose threads have a row's elements in registers.
class row_group_writer : public row_block_writer {
public:
    using row_block_writer::row_block_writer;

protected:
    std::string group_begin() const;
    std::string group_element() const;
    std::string group_place(std::uint32_t i) const;
    int row_groups() const { return facts_.share.groups; }
    int full_groups() const { return tile_ == tile_kind::any ? facts_.share.full : facts_.share.groups; }
    bool collects(int stage) const { return tile_ != tile_kind::any && of(stage).at_end; }
    std::string row_begin() const { return facts_.share.own_lanes ? "" : "begin + "; }
    std::string row_place(const std::string& at) const { return row_begin().empty() ? at : "(begin + " + at + ")"; }
    std::string per_thread_row() const {
        return facts_.side_by_side ? "[" + std::to_string(k_.how.rows_per_thread) + "]" : "";
    }
    void open_rows();
    void close_rows();
    void each_row(const std::string& statement);
    std::string unless_full(const std::string& check) const;
    std::string unless_whole(const std::string& check) const;
    std::string group_check(const std::string& how) const;
    void write_group_check();
    void open_groups_to_combine(const std::string& begin, int count);
    void write_group_places(int stage, bool at_once);
    void write_group_reduces(int stage);
    std::string lanes_left(const std::string& begin) const;

    bool by_groups_ = false;  ///< a thread holds the elements of one group, and no others
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/rows/row_group_writer.ipp>
#endif
