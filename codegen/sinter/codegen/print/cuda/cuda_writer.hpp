// The printer behind emit_cuda: one thread's work on a map, a row or a column of a reduction.
#pragma once

#include <sinter/codegen/print/cuda/cuda_words.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/prelude.hpp>
#include <sinter/codegen/schedule/choose_rows.hpp>
#include <sinter/codegen/schedule/draws.hpp>
#include <sinter/codegen/schedule/facts/map_facts.hpp>
#include <sinter/codegen/schedule/facts/row_facts.hpp>
#include <sinter/codegen/schedule/facts/scan_facts.hpp>
#include <sinter/codegen/schedule/facts/value_facts.hpp>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/codegen/schedule/stages.hpp>

#include <array>
#include <functional>

namespace sinter::inline SINTER_ABI::codegen {

class cuda_writer {
public:
    explicit cuda_writer(const kernel& k);
    kernel_source write();

private:
    using texts = sequence<std::string>;
    /// Which forms of fewer steps operations have in a function of an element, whose bits its caller checks.
    struct element_forms {
        bool by_inverse, approximations;
    };
    /// What is computed for a thread's neighbours in fewer steps: its type and name, and whether it has the bits of the
    /// exact operations.
    struct element_check {
        std::string type, name, passes;
    };
    /// Any block of a row, or one that fills all threads' groups; or of that one, threads take their four neighbours
    /// in an order of their own.
    enum class tile_kind : std::uint8_t { any, full, swizzled };

    void line(const std::string& text);
    void open(const std::string& text);
    void close(const std::string& text = "}");
    void list(const std::string& head, const texts& items, const std::string& tail);
    void unroll(bool unrolls);
    void unroll() { unroll(values_.unrolls); }
    void unroll_lanes();
    void per_reduction(const std::string& direct, const std::string& with_index, int stage = any_stage);

    void write_head();
    void write_around();
    void write_end();
    void write_decode(const std::string& from, int first, int last);
    void write_body(int stage, element_forms forms = {});
    void write_instruction(std::uint32_t i, element_forms forms = {});
    void write_apply(std::uint32_t i, const std::string& target, element_forms forms);
    void write_gather(std::uint32_t i);
    std::string divisor_type(std::uint32_t i) const {
        return k_.body[i].type == dtype::float32 ? "scalar::fixed_float_divisor" : "scalar::fixed_divisor";
    }
    void write_by_inverse(int stage, const std::function<void(const std::string& element, const texts& more)>& write);
    void write_extreme(std::size_t r);
    void write_extremes(int stage);
    void write_functions();
    void write_circle(std::uint32_t i, std::uint32_t j);
    std::string inverse_text(std::uint32_t divisor) const;
    std::string least_dividend() const;
    void write_load(std::uint32_t i);
    void write_stores(int stage);

    // One for each mapping of a GPU.
#define SINTER_MAPPING_cuda(name) void write_##name();
#define SINTER_MAPPING_host(name)
#define SINTER_MAPPING(name, backend, ...) SINTER_MAPPING_##backend(name)
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
#undef SINTER_MAPPING_host
#undef SINTER_MAPPING_cuda
    void begin_reduction();

    void write_first_of_block();
    void open_packs(const std::string& at, const std::string& block_striped, const std::string& size);
    void write_grid_map();
    void write_grid_position();
    void write_grid_tile(const std::string& row);
    void open_grid_rows();
    void close_grid_rows();
    std::string moved_type(std::uint32_t a) const;
    std::string moved_row(std::uint32_t a) const;
    std::string moved_lane(std::uint32_t a) const;
    sequence<std::uint32_t> grid_loads() const;
    void write_grid_load(std::uint32_t a, const std::string& to);
    void write_grid_loads(const sequence<std::uint32_t>& loads);
    void write_grid_rows_loads(const sequence<std::uint32_t>& loads);
    std::string grid_row_stride() const;
    void write_grid_results(const std::string& rows);
    std::string grid_result(std::size_t s) const;
    void write_grid_stores();
    void write_grid_neighbours(const sequence<std::uint32_t>& loads);
    void write_checked_neighbours(const texts& packed, const sequence<element_check>& checks);
    void write_flat_neighbours(const texts& packed, texts& single, const sequence<element_check>& checks);
    void write_flat_map();
    void write_element(const char* name, const texts& parameters, element_forms forms = {});
    sequence<element_check> element_checks() const;
    void write_neighbours(const texts& packed, const sequence<element_check>& checks);
    void write_pack_stores();
    void write_packs(const texts& packed, texts& single);
    void append_single(texts& arguments);
    void find_draws() { draws_ = shared_draws(k_, k_.how.vector_width); }
    void write_draw(std::uint32_t i);
    std::string draw_counter(std::uint32_t i) const;
    std::string drawn_word(std::uint32_t i, const std::string& lane) const;
    bool is_draw(std::uint32_t i) const { return i < draws_.size() && draws_[i].number >= 0; }
    std::string lane_value(std::uint32_t i, const std::string& lane) const;
    std::string single_value(std::uint32_t i) const;
    void write_tile_position();
    void write_tile_loads(bool transposed);

    void write_reduces();
    void write_warp_lanes();
    void write_row_reduces();
    std::string reduce_text(const std::string& function, std::size_t r, const std::string& first,
                            const std::string& at = "") const;
    std::string levels_text(const std::string& function, std::size_t r, const std::string& first,
                            const std::array<std::string, 2>& from, const std::string& to = "a") const;
    void write_combine(std::size_t r);
    void write_thread_reduces(int stage);
    void write_buffer_reduces(int stage, const std::string& lanes, const std::function<void(std::size_t)>& then);
    void write_for(std::size_t r, const std::string& direct, const std::string& with_index);
    void write_end_reduces(int stage);
    void write_into_buffer(std::size_t r, const std::string& buffer, const std::string& a, bool block_striped = false);
    void write_whole_groups(int stage);
    void write_any_group(int stage);
    void write_levels(int stage, const std::string& inside, const std::string& wait);
    std::string with_index(std::size_t r, const std::string& direct, const std::string& index) const {
        return indexed(r) ? direct + ", " + index : direct;
    }
    std::string results_at(std::size_t r, bool of_index) const;
    void write_shared_buffer(int buffers);
    void write_sizes();
    void write_origins(int stage, const std::string& has_any);
    void write_accumulate();
    void write_accumulation(std::size_t r);
    void write_epilogue();
    void write_identities(const std::string& condition, const std::string& lane);
    std::size_t combined_as(std::size_t r) const { return facts_.alike[r]; }
    void write_per_warp(const std::string& combine, const std::string& then);
    void write_multi_output_end();
    void write_block_lanes();
    std::string number_of_kind(std::size_t r) const;
    std::string count_of_kind(std::size_t kind) const;
    std::string buffer_of(std::size_t r) const {
        return "buffers" + std::to_string(combined_as(r)) + "[" + number_of_kind(r) + "]";
    }
    bool is_ahead(std::uint32_t i) const;
    bool is_word(std::uint32_t i) const;
    std::string ahead_type(std::uint32_t i) const;
    void write_fetch();
    void write_blocks_in_turn();
    void write_blocks_at_once(const std::string& size);
    void write_lanes_at_once();
    void write_lane_ends();
    std::string lane_type(std::size_t r) const;
    void write_block_result(std::size_t r);
    void write_row_lanes(bool whole);
    void write_rows_end();
    void write_arrival();
    void write_last_check(const std::string& writer, const std::string& counter, const std::string& count);
    void write_warp_row_results(int stage);
    void write_warp_row_position();
    void write_outer_row_position();
    void write_warp_row_arrays();
    void write_element_array(std::uint32_t i);
    void write_warp_row_stage(int stage);
    void each_row(const std::string& statement);
    void open_rows();
    void close_rows();
    void write_turn(bool row, bool inside);
    void write_persistent_values(int stage);
    std::string row_begin() const { return facts_.share.own_lanes ? "" : "begin + "; }
    std::string row_place(const std::string& at) const { return row_begin().empty() ? at : "(begin + " + at + ")"; }
    void team_line(const std::string& text) {
        if (facts_.shares_rows) line(text);
    }
    std::string of_thread_row() const { return facts_.side_by_side ? "[u]" : ""; }
    std::string per_thread_row() const {
        return facts_.side_by_side ? "[" + std::to_string(k_.how.rows_per_thread) + "]" : "";
    }
    std::string group_check(const std::string& how) const;
    void write_group_check();
    void open_groups_to_combine(const std::string& begin, int count);
    bool collects(int stage) const { return tile_ != tile_kind::any && of(stage).at_end; }
    std::string values_at(std::size_t r, const std::string& name, const std::string& at) const;
    void write_group_places(int stage, bool at_once);
    void write_group_reduces(int stage);
    int full_groups() const { return tile_ == tile_kind::any ? facts_.share.full : facts_.share.groups; }
    std::string unless_full(const std::string& check) const;
    std::string unless_whole(const std::string& check) const;
    std::string lanes_left(const std::string& begin) const;
    void write_staging_functions();
    void write_staging_buffers();
    void write_staged_stores(int stage);
    std::string staged_element(int buffer, const std::string& at) const;
    void write_transpose_buffer();
    void write_transposed_places(int stage);
    void write_striped_groups(int stage);
    void write_transposed_reduces(int stage, const std::string& place);
    void write_warp_element_stage(int stage);
    void write_persistent_arrays();
    void write_row_position();
    void write_row_arrays();
    void write_element_stage(int stage, const std::function<void()>& write);
    void write_block_stage(int stage);
    void write_element_functions(int stage, bool aligned = false);
    void write_element_function(int stage, bool aligned, bool by_inverse);
    sequence<std::uint32_t> arrays_to_load(int stage) const;
    void write_element_arrays(const sequence<std::uint32_t>& arrays);
    void write_single_loads(std::uint32_t i);
    void write_element_loads(const sequence<std::uint32_t>& arrays);
    void open_groups(bool to_combine);
    void write_element_groups(int stage);
    void write_group_elements(int stage);
    void write_group_lanes(int stage, bool to_combine);
    void write_group_stores(int stage);
    std::string stored_element(std::size_t s) const;
    texts element_arguments(int stage, const char* is_first, const std::string& to, const std::string& at) const;
    void write_tiles_stage(int stage);
    void open_tiles_of_row();
    void write_tile_buffers();
    std::string buffer_of_row_tile(int n) const;
    void leave_tile(int stage, const std::function<std::string(int)>& buffer);
    void write_tile_warp_reduces(int stage, int tiles, const std::string& tile,
                                 const std::function<void(std::size_t r, int n)>& combine);
    void write_tile_buffer_reduce(std::size_t r, const std::string& buffer);
    void write_first_of_warp(const std::function<void()>& then);
    void write_tiles_results(int stage);
    sequence<std::size_t> reductions_of(int stage = any_stage) const;
    std::string group_place(std::uint32_t i) const;
    void write_one_block_results(int stage);
    void write_cooperative_rows();
    void write_cluster();
    void write_barriers();
    std::string barrier_of_tile() const;
    std::string copy_arguments(std::uint32_t i) const;
    void write_wait_for_copies();
    void write_ends_of_copies(const sequence<std::uint32_t>& copied);
    void write_cooperative_buffers();
    void write_wait();
    void write_cooperative_warp_reduces(int stage);
    std::string resident_stride() const;
    static std::string buffer_of_tile(const std::string& slot, int n);
    void open_tiles_of_block();
    void write_cooperative_fetch(const sequence<std::uint32_t>& arrays);
    void write_resident_values(int stage, const std::function<void()>& compute);
    void write_row_end();
    void write_cooperative_stage(int stage);
    void write_cooperative_tile(int stage);
    void write_alignment(int stage);
    void write_aligned_tile(int stage);
    void each_tile_size(const std::function<void()>& write);
    void write_resident_copies(const sequence<std::uint32_t>& copied);
    void write_tile_copies(std::uint32_t i);
    void write_resident_moves(const std::string& k, const std::string& type, bool to_resident);
    std::string resident_at(std::uint32_t i) const;
    std::string resident_place(std::uint32_t i) const;
    void write_shifts();
    void open_resident();
    void write_resident_read(std::uint32_t i);
    void write_resident_write(std::uint32_t i);
    void write_row_tile();
    void write_first_barrier(int stage);
    bool combines_in_any_order(std::size_t r) const;
    void write_swizzled_tile(int stage);
    void write_elements_before(int stage);
    void write_expected(int stage);
    void write_tile_results(int stage);
    void write_leave(std::size_t r);
    std::string result_place(std::size_t r, bool of_index) const;
    void write_cooperative_results(int stage);
    void write_row_stage(int stage);
    void write_column_lane();
    void write_column_chunk();
    void write_columns_end();
    void write_own_column();
    void write_shared_column();
    void write_column_arrays();
    void write_column_stages();
    void open_columns();
    void write_column_loads();
    void write_column_places();
    void write_column_stage(int stage);
    void write_column_row_stage(int stage);
    void write_column_elements(int stage);
    void write_column_loop(int stage);
    void write_column_results(int stage);
    texts column_arguments(int stage, const std::string& first, const std::string& at, const std::string& lane,
                           const std::string& place) const;
    void write_chunks_reduce();

    void write_per_scan(const char* text);
    void write_scan();
    void write_scan_bodies();
    void write_scan_arrays(const std::string& extents);
    void write_scan_zeros(const std::string& place);
    void write_scan_buffer(int count);
    void write_renewal();
    void write_tile_id();
    void write_soon();
    void write_row_scan();
    void write_carry_blocks();
    void open_scan_chunks(bool whole);
    void write_scan_chunks(bool whole);
    void write_scan_segments(bool whole);
    void write_copies();
    void write_chunk_copies(bool whole);
    void write_resident_chunk(bool whole);
    void write_row_scan_functions();
    void write_scanned_position();
    void write_scan_buffers();
    void whole_and_part(const std::function<void(bool whole)>& write, int elements = scan_tile);
    std::string chunk_prefix(std::size_t r) const;
    std::string element_place(const std::string& c) const { return (scan_.is_resident() ? "[" : "[q][") + c + "]"; }
    void write_scan_of_totals();
    void write_scan_results(bool whole);
    void write_running_values(const std::string& place, const std::string& is_first);
    void write_column_scans();
    void write_scan_columns_before();
    void write_column_carry_blocks();
    std::string column_status(std::size_t r, const std::string& place) const;
    void write_wait_for(const std::string& condition, const std::string& status, const std::string& value);
    void write_tile_before(std::size_t r);
    void write_tiles_of_group(std::size_t r);
    void write_column_copies();
    void write_column_scan();
    void write_by_size(const std::string& name, const std::function<void()>& write);
    void write_column_sum();
    void write_column_element();
    void write_select_masks(bool whole);
    void write_select_positions();
    void write_select_before();
    void write_select_store(std::size_t s);
    std::string accumulated(std::size_t r, const std::string& place) const;
    texts scan_arguments(int stage, const std::string& at, const std::string& place, bool packed) const;

    std::string block_number() const;
    /// Grids of 64-bit numbers have more thread blocks than there is work for.
    void leave_beyond(const std::string& text) {
        if (k_.how.wide) line("if (" + text + ") return;");
    }
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
    std::string operand_parameter(std::size_t o) const;
    bool indexed(std::size_t r) const { return is_indexed(k_.reductions[r].how); }
    bool is_parameter(std::uint32_t i) const;
    const stage_facts& of(int stage) const { return facts_.stages[static_cast<std::size_t>(stage)]; }
    bool reduces_in(int stage) const { return !of(stage).combined.empty(); }
    sequence<std::size_t> left_stores(int stage, bool aligned) const;
    void write_left_values(int stage);
    int row_groups() const { return facts_.share.groups; }
    int tree_groups() const { return facts_.share.tree; }
    bool takes_striped() const { return facts_.share.step == row_lanes / 4 && tile_ != tile_kind::swizzled; }
    std::string group_begin() const;
    std::string group_element() const;

    const kernel& k_;
    const row_facts facts_;
    const scan_facts scan_;
    const map_facts map_;
    const value_facts values_;
    const team_text& team_;
    const index_text& index_;
    std::string name_, out_;
    int depth_ = 0;
    int inner_ = 0;                    ///< the axis that the advances of accesses are about
    tile_kind tile_ = tile_kind::any;  ///< the block of a row that what is being written is about
    bool in_row_ = false;              ///< what is being written is computed once per row
    texts at_;                         ///< where the thread stands along each axis
    sequence<draw> draws_;             ///< by instruction; empty where every word is drawn by itself
    texts called_;                     ///< by instruction: the function that computes it; or empty
    texts loaded_;  ///< by access: where the element is, or a column's elements are, if not in memory
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/cuda_writer.ipp>
#endif
