// The printer behind emit_host: schedules a body into loops over one tile and wraps them in maps and reductions.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/prelude.hpp>
#include <sinter/codegen/schedule/facts/map_facts.hpp>
#include <sinter/codegen/schedule/stages.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// host_tile of maps whose tiles take one loop. On an AMD EPYC (Zen 4) with 512-bit vectors a gaussian of 10^7 elements
/// took 3.6 ms with 64, 4.9 with 32 and 5.0 with 128 and more, 3.3 by hand.
inline constexpr int host_short_tile = 64;

/// Elements of short rows that a row kernel computes together.
inline constexpr int host_batch = 4096;

class host_writer {
public:
    explicit host_writer(const kernel& k)
        : k_(k), map_(map_facts_of(k)), side_by_side_(is_side_by_side(k.how.map)), name_(entry_name(k)) {}
    kernel_source write();

private:
    /// The axes that a tile runs along, and the text of where the others stand.
    struct tile_axes {
        int first, last;  ///< the axes [first, last)
        int stage;        ///< whose instructions are computed
        bool offset;      ///< whether base<a> holds the other axes' part of access a
    };

    void line(const std::string& text);
    void open(const std::string& text);
    void close(const std::string& text = "}");
    /// How often loops over the elements of a tile are unrolled.
    static constexpr int tile_unroll = 2;
    void unroll(int times = tile_unroll);
    void open_vectors(int count);
    void open_lanes(const std::string& end = "m", const std::string& index = "int l", const std::string& begin = "0",
                    int times = tile_unroll);

    // One for each mapping of a CPU.
#define SINTER_MAPPING_host(name) void write_##name();
#define SINTER_MAPPING_cuda(name)
#define SINTER_MAPPING(name, backend, ...) SINTER_MAPPING_##backend(name)
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
#undef SINTER_MAPPING_cuda
#undef SINTER_MAPPING_host

    void write_function_head(const std::string& name, const std::string& more = "");
    void write_unpacking();
    void write_map();
    void write_maps_loop();
    void write_rows();
    void write_columns();
    void write_rows_ahead();
    void write_rows_finish();
    void write_columns_finish();
    void write_epilogue();
    void write_select();
    void write_select_part();
    void write_scans();
    void write_scan_part();
    void write_scan_state();
    void write_scan_of_segment(std::size_t r);
    void write_scan_rows();
    void write_scan_columns();
    void write_scan_results(const tile_axes& t);
    void write_reduces();
    void write_row_reduce(std::size_t r);
    void write_place(std::size_t r);
    void write_place_of_tile(std::size_t r);
    void write_places_of_row(std::size_t r);
    void write_row_kernel();
    void write_persistent_arrays();
    void write_element_stage(int stage);
    void write_row_elements(const tile_axes& t);
    void write_row_results(int stage);
    void write_row_stage(int stage);
    void write_vectorised_reduces();
    void write_vectorised_lanes();
    void write_vectorised_values();
    void write_vectorised_results(int stage);
    void write_vectorised_rows();
    void write_vectorised_stage(int stage);
    void write_vectorised_persistent(int stage);
    void write_vectorised_scans();
    void write_scan_lanes();

    void schedule(const tile_axes& t);
    void write_direct(const tile_axes& t);
    void write_transposes();
    void write_transposed_tiles(const tile_axes& t);
    void write_tile_order();
    void write_mirrored_order(const std::string& p, const std::string& q);
    void write_transpose(dtype type);
    void write_transposed_vectors(int size);
    void write_transposed_block(int down);
    void write_tile_position();
    void write_transposed_loads();
    void write_loads_ahead();
    void write_tile_row(const tile_axes& t);
    dtype type_of_access(std::size_t a) const {
        return k_.operands[static_cast<std::size_t>(k_.accesses[a].operand)].type;
    }
    bool fills_vectors() const;
    void write_whole_tiles(const tile_axes& t);
    void write_tiles(const tile_axes& t, const std::string& begin, const std::string& end);
    void write_tiles_of_rows(const tile_axes& t);
    void write_tile(const tile_axes& t, const std::string& end);
    void open_parts(const tile_axes& t);
    void write_arrays();
    void write_loads(const tile_axes& t);
    bool is_vector(std::uint32_t i) const;
    bool has_own_loop(std::uint32_t i) const { return is_vector(i) || k_.body[i].kind == instruction_kind::gather; }
    bool is_spread(std::uint32_t i) const;
    bool is_uniform_here(std::uint32_t i) const;
    bool stores_in_last_loop(const tile_axes& t) const;
    void write_spread(std::uint32_t i);
    void write_vector_invoke(std::uint32_t i);
    void write_loops(const tile_axes& t);
    void write_stores(const tile_axes& t);
    void write_decode(const std::string& from, int first, int last);
    void write_pointers(const tile_axes& t);
    void write_bases_of(const std::string& from, int first, int last);
    void write_instruction(std::uint32_t i, const std::string& at, bool to_array);
    template <class Write>
    void for_each_index(std::uint32_t i, Write write);
    void write_checked_gather(std::uint32_t i);
    bool gathers_by_ends(std::uint32_t i) const;
    std::string gathered(std::uint32_t i) const;
    void write_gather_by_ends(std::uint32_t i);
    void write_gather_of_tile(std::uint32_t i);
    void write_gather(std::uint32_t i);

    std::string gather_place(std::uint32_t i) const;
    std::string gather_base(std::uint32_t i, const std::string& point) const;
    std::string stored_text(dtype t) const { return t == dtype::bool_ ? "unsigned char" : type_text(t); }
    bool used_in(std::size_t access) const;
    bool reduces_in(int stage) const;
    std::string value(std::uint32_t i) const;
    std::string element(std::uint32_t a, const std::string& at) const;
    std::string accumulator(std::size_t r) const {
        return stored_text(accumulator_type(k_.reductions[r].how, k_.reductions[r].type));
    }
    std::string combine(std::size_t r, const std::string& x, const std::string& xi, const std::string& y,
                        const std::string& yi) const;
    std::string accumulated(std::size_t r) const;
    std::string place_type(std::size_t r) const;
    std::string wins(std::size_t r, const std::string& later, const std::string& earlier) const;
    bool origins_lie_along() const;
    void write_origin_variables(int stage);
    void write_origins(const std::string& begins);
    void write_origins_anew(const tile_axes& t);
    void write_reduction_parameters();
    void write_accumulation(const std::string& lane, const std::string& position);
    std::string per_reduction(const std::string& direct, const std::string& with_index, int stage = any_stage) const;
    bool outlives_stage(std::uint32_t i) const;
    bool indexed(std::size_t r) const { return is_indexed(k_.reductions[r].how); }

    static constexpr int any_stage = -1;

    const kernel& k_;
    const map_facts map_;
    const bool side_by_side_;  ///< rows are computed in vectors
    std::string name_, out_;
    int depth_ = 0;
    sequence<int> phase_;        ///< of each instruction: even are arithmetic loops, odd are vector calls and gathers
    sequence<char> in_array_;    ///< whether the value outlives its loop
    sequence<char> persistent_;  ///< whether the value is kept for later stages
    sequence<char> here_;        ///< whether the stage being written computes the value
    int stage_ = 0;              ///< the stage being written
    int last_phase_ = 0;
    int width_ = host_tile;  ///< elements of the arrays and of the vector calls' loops
    int inner_axis_ = 0;     ///< along which the tile runs
    bool in_parts_ = false;  ///< whether a tile may wrap around several rows
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/host_writer.ipp>
#endif
