// The printer behind emit_cuda: one thread's work on a map, a row or a column of a reduction.
#pragma once

#include <sinter/codegen/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

class cuda_writer {
public:
    explicit cuda_writer(const kernel& k);
    kernel_source write();

private:
    using texts = sequence<std::string>;

    void line(const std::string& text);
    void open(const std::string& text);
    void close(const std::string& text = "}");
    void list(const std::string& head, const texts& items, const std::string& tail);
    void unroll();
    void per_reduction(const std::string& direct, const std::string& with_index);

    void write_head(const std::string& name);
    void write_decode(const std::string& from, int first, int last);
    void write_body(int stage);
    void write_instruction(std::uint32_t i);
    void write_gather(std::uint32_t i);
    void write_load(std::uint32_t i);
    void write_stores(int stage);

    void write_map();
    void write_vector_map();
    void write_map_position(const std::string& inner);

    void write_joins();
    void write_join(std::size_t r);
    void write_lane_joins(std::size_t r);
    void write_block_join(std::size_t r);
    void write_chunk_join(std::size_t r);
    void write_room();
    void write_sizes();
    void write_accumulate();
    void write_epilogue();
    void write_partials(const std::string& at);
    void write_identities(const std::string& condition, const std::string& lane);
    void write_rows();
    void write_row_lanes(bool whole);
    void write_rows_finish();
    void write_short_rows();
    void write_columns();
    void write_columns_finish();

    std::string block_number() const;
    std::string value(std::uint32_t i) const;
    std::string position(std::uint32_t a) const;
    std::string element(std::uint32_t a) const;
    std::string pack_at(std::uint32_t a) const;
    std::string operand_name(std::uint32_t a) const;
    std::string operand_type(std::uint32_t a) const;
    std::string accumulator(std::size_t r) const;
    std::string combine(std::size_t r) const;
    texts accumulate_arguments(const std::string& first, const std::string& at, const std::string& to,
                               const std::string& lane) const;
    texts parameters() const;
    bool indexed(std::size_t r) const { return is_indexed(k_.reductions[r].how); }
    bool is_parameter(std::uint32_t i) const;

    const kernel& k_;
    std::string name_, out_;
    int depth_ = 0;
    int inner_ = 0;        ///< the axis that the advances of accesses are about
    bool in_row_ = false;  ///< what is being written is computed once per row
    texts at_;             ///< where the thread stands along each axis
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/cuda_writer.ipp>
#endif
