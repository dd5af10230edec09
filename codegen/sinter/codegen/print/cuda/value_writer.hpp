// The CUDA text of values: where elements are in memory, a body's operations, loads, stores and random words; must not
// know how threads share a kernel out.
#pragma once

#include <sinter/codegen/print/cuda/cuda_words.hpp>
#include <sinter/codegen/print/line_writer.hpp>
#include <sinter/codegen/schedule/draws.hpp>
#include <sinter/codegen/schedule/facts/map_facts.hpp>
#include <sinter/codegen/schedule/facts/row_facts.hpp>
#include <sinter/codegen/schedule/facts/value_facts.hpp>
#include <sinter/codegen/schedule/stages.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What one thread computes for the point at which it stands.
class value_writer : public line_writer {
protected:
    /// Which forms of fewer steps operations have in a function of an element, whose bits its caller checks.
    struct element_forms {
        bool by_inverse, approximations;
    };

    explicit value_writer(const kernel& k);

    void unroll(bool unrolls);
    /// Where the thread stands along the axis of what is reduced or scanned.
    std::string& at_element() { return at_[static_cast<std::size_t>(k_.kept)]; }
    void unroll() { unroll(values_.unrolls); }
    void unroll_lanes();
    std::string operand_name(std::uint32_t a) const;
    std::string operand_type(std::uint32_t a) const;
    std::string block_number() const;
    /// Grids of 64-bit numbers have more thread blocks than there is work for.
    void leave_beyond(const std::string& text) {
        if (k_.how.wide) line({"if (", text, ") return;"});
    }
    void write_decode(const std::string& from, int first, int last, const char* declared = "const index ");
    std::string value(std::uint32_t i) const;
    std::string element(std::uint32_t a) const;
    std::string pack_at(std::uint32_t a) const;
    bool is_parameter(std::uint32_t i) const;
    bool is_ahead(std::uint32_t i) const;
    bool is_word(std::uint32_t i) const;
    void write_body(int stage, element_forms forms = {});
    void write_stores(int stage);
    std::string lane_value(std::uint32_t i, const std::string& lane) const;
    std::string single_value(std::uint32_t i) const;
    void write_load(std::uint32_t i);
    void find_draws() { draws_ = shared_draws(k_, k_.how.vector_width); }
    bool is_draw(std::uint32_t i) const { return i < draws_.size() && draws_[i].number >= 0; }
    std::string divisor_type(std::uint32_t i) const {
        return k_.body[i].type == dtype::float32 ? "scalar::fixed_float_divisor" : "scalar::fixed_divisor";
    }
    std::string of_thread_row() const { return facts_.side_by_side ? "[u]" : ""; }
    void write_functions();
    void write_instruction(std::uint32_t i, element_forms forms = {});
    void write_draw(std::uint32_t i);
    std::string drawn_word(std::uint32_t i, const std::string& lane) const;
    std::string position(std::uint32_t a) const;
    void write_gather(std::uint32_t i);
    std::string gather_position(std::uint32_t i) const;
    void begin_gathers(std::uint32_t first);
    const std::string& in_range() const { return in_range_; }
    /// Calls write(i) for each instruction that is written here, and other(i) for the rest; behind them stands the
    /// report of indices out of range, of those that gather.
    template <class Writes, class Write, class Other>
    void write_part(Writes is_written, Write write, Other other) {
        const auto count = static_cast<std::uint32_t>(k_.body.size());
        sequence<char> gathers(count, 0);
        std::uint32_t first = count;
        for (std::uint32_t i = count; i-- > 0;) {
            gathers[i] = k_.body[i].kind == instruction_kind::gather && is_written(i);
            if (gathers[i]) first = i;
        }
        if (first < count) begin_gathers(first);
        for (std::uint32_t i = 0; i < count; ++i) is_written(i) ? write(i) : other(i);
        if (first < count) end_gathers(gathers);
    }
    template <class Writes, class Write>
    void write_part(Writes is_written, Write write) {
        write_part(is_written, write, [](std::uint32_t) {});
    }

    const kernel& k_;
    const row_facts facts_;
    const map_facts map_;
    const value_facts values_;
    const index_text& index_;
    bool in_row_ = false;   ///< what is being written is computed once per row
    texts at_;              ///< where the thread stands along each axis
    sequence<draw> draws_;  ///< by instruction; empty where every word is drawn by itself
    texts loaded_;          ///< by access: where the element is, or a column's elements are, if not in memory
    int inner_ = 0;         ///< the axis that the strides of accesses are about

private:
    void write_circle(std::uint32_t i, std::uint32_t j);
    void write_apply(std::uint32_t i, const std::string& target, element_forms forms);
    std::string inverse_text(std::uint32_t divisor) const;
    std::string draw_counter(std::uint32_t i) const;

    std::string index_text_of(std::uint32_t from) const;
    void end_gathers(const sequence<char>& written);

    std::string in_range_;  ///< whether the indices of the gathers that are being written are
    texts called_;          ///< by instruction: the function that computes it; or empty
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/value_writer.ipp>
#endif
