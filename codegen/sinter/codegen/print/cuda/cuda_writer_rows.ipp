// Bodies of cuda_writer.hpp that print row kernels: stages over rows whose elements stay in registers where they fit.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// A thread works on groups of four neighbours. Rows of up to 1024 elements: up to a warp for each, of up to 4096, also
// where they are only reduced, and of up to 16384: 256 threads. What later stages need stays in registers.
SINTER_INLINE void cuda_writer::write_rows_per_warp() { write_row_kernel(); }
SINTER_INLINE void cuda_writer::write_block_per_row() { write_row_kernel(); }

SINTER_INLINE void cuda_writer::write_row_kernel() {
    begin_reduction();
    persistent_ = persistent_values(k_, persistent_in_threads(k_));
    write_head();
    write_sizes();
    write_row_position();
    write_row_arrays();
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) write_row_stage(stage);
        else write_element_stage(stage);
    }
    close();
}

SINTER_INLINE std::string cuda_writer::group_begin() const {
    if (block_striped_) return "1024 * g + t";
    return (k_.how.short_rows ? std::to_string(4 * k_.how.lanes) : "1024") +
           (exchanges() ? " * g + t" : " * g + 4 * t");
}

// Element c of a group that begins at l.
SINTER_INLINE std::string cuda_writer::group_element() const {
    if (exchanges()) return "l + " + std::to_string(k_.how.lanes) + " * c";
    return block_striped_ ? "l + 256 * c" : swizzled_ ? "l + (c ^ swizzle)" : "l + c";
}

SINTER_INLINE void cuda_writer::write_row_position() {
    line("const int t = threadIdx.x;");
    if (k_.how.short_rows) return write_warp_row_position();
    line("const index row = " + block_number() + ";");
    if (k_.how.wide) line("if (row >= kept) return;");
    if (k_.how.row_blocks == 1) {
        line("const index begin = 0;");
        line("const int size = (int)reduced;");
    }
    write_decode("row", 0, k_.kept);
}

SINTER_INLINE void cuda_writer::write_element_array(std::uint32_t i) {
    const std::string count = "[" + std::to_string(4 * row_groups()) + "]";
    line(type_text(k_.body[i].type) + " k" + std::to_string(i) + per_thread_row() + count + ";");
}

// Accumulators of all stages, and what outlives its stage.
SINTER_INLINE void cuda_writer::write_row_arrays() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i]) write_element_array(i);
    if (k_.how.short_rows)
        return write_warp_row_arrays(), exchanges() ? write_transpose_buffer() : write_staging_buffers();
    per_reduction("@ a#[4], r#;", "index ai#[4], ri#;");
    if (k_.how.row_blocks > 1) return write_tile_buffers();
    write_shared_buffer(2 * std::min(combined_reductions(k_), 4));
    per_reduction("__shared__ @ result#;", "__shared__ index resulti#;");
    if (combined_reductions(k_) > 0) line("int buffer_phase = 0;");
}

SINTER_INLINE bool cuda_writer::reduces_in(int stage) const { return combined_reductions(k_, stage) > 0; }

// Whether four neighbours of an access are moved at once.
SINTER_INLINE bool cuda_writer::is_packed(std::uint32_t a) const {
    return k_.how.vector_width > 1 && k_.accesses[a].operand != access::own_number &&
           k_.accesses[a].step == stride_class::contiguous;
}

// Whether a value is loaded, for all groups, before the stage computes: compilers leave loads behind where threads
// meet.
SINTER_INLINE bool cuda_writer::is_array(std::uint32_t i) const {
    const bool loads = here_[i] && k_.body[i].kind == instruction_kind::load;
    return loads && (is_packed(k_.body[i].payload) || ((is_striped() || k_.how.short_rows) && persistent_[i]));
}

// Whether the function of an element takes a value as a parameter: loaded before, or kept from an earlier stage.
SINTER_INLINE bool cuda_writer::is_input(std::uint32_t i) const {
    return is_array(i) || (persistent_[i] && !here_[i] && used_[i]);
}

SINTER_INLINE void cuda_writer::write_element_stage(int stage) {
    here_ = computed_in(k_, stage, persistent_);
    used_ = used_in(k_, stage, here_);
    in_row_ = false;
    write_origins(stage, k_.how.close_capacity ? "" : "reduced > 0");
    open("");
    write_element_functions(stage);
    if (k_.how.row_blocks > 1) {
        write_tiles_stage(stage);
    } else {
        const sequence<std::uint32_t> arrays = arrays_to_load();
        write_element_arrays(arrays);
        write_element_loads(arrays);
        if (codegen::finds_extremes(k_, stage)) write_extremes(stage);
        if (exchanges() && reduces_in(stage)) write_striped_groups(stage);
        else write_element_groups(stage);
        write_staged_stores(stage);
        if (reduces_in(stage)) write_row_results(stage);
        if (codegen::finds_extremes(k_, stage)) close();
    }
    close();
}

// What the stage computes for an element, and the same by the inverse of what it divides by.
SINTER_INLINE void cuda_writer::write_element_functions(int stage) {
    write_element_function(stage);
    by_inverse_ = divisor_of_rows(stage) != no_load;
    if (by_inverse_) write_element_function(stage);
    by_inverse_ = false;
}

// element(is_first, i, inputs, outputs, lanes): what the stage computes for element i.
SINTER_INLINE void cuda_writer::write_element_function(int stage) {
    texts parameters;
    if (k_.how.rows_per_thread > 1) parameters.push_back("int u");
    for (const char* p : {"bool is_first", "index i"}) parameters.push_back(p);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        std::string id = std::to_string(i), type = type_text(k_.body[i].type);
        if (is_input(i)) parameters.push_back(type + " v" + id);
        else if (persistent_[i] && here_[i]) parameters.push_back(type + "& keep" + id);
    }
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (k_.stores[s].stage == stage && leaves_pack(s))
            parameters.push_back(operand_type(k_.stores[s].access) + "& u" + std::to_string(s));
    for (std::uint32_t i : left_to_transpose(stage))
        parameters.push_back(type_text(k_.body[i].type) + "& e" + std::to_string(i));
    for (std::size_t r : accumulated_in(stage)) {
        parameters.push_back(accumulator(r) + "& a" + std::to_string(r));
        if (indexed(r)) parameters.push_back("index& ai" + std::to_string(r));
    }
    if (by_inverse_) parameters.push_back("float& least");
    list(std::string("const auto ") + (aligned_ ? "aligned_element" : "element") + (by_inverse_ ? "_by_inverse" : "") +
             " = [&]",
         parameters, ") {");
    ++depth_;
    write_turn(stores_single(stage) || loads_single(), stores_single(stage));
    write_persistent_values();
    write_decode("i", k_.kept, k_.space.size());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!here_[i] || (exchanges() && is_transposed_later(stage, i))) continue;
        if (!is_array(i)) write_instruction(i);
        if (persistent_[i] && !is_array(i)) line("keep" + std::to_string(i) + " = v" + std::to_string(i) + ";");
    }
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        if (k_.stores[s].stage != stage) continue;
        std::uint32_t a = k_.stores[s].access;
        std::string to = (k_.how.short_rows || k_.how.column_threads > 1 ? "if (inside) " : "") + this->element(a);
        if (leaves_pack(s)) to = "u" + std::to_string(s);
        else if (has_staging_buffer(s)) to = staged_element(staged_stores_[s], "(int)i");
        line(to + " = " + value(k_.stores[s].value) + ";");
    }
    for (std::uint32_t i : left_to_transpose(stage)) line("e" + std::to_string(i) + " = " + value(i) + ";");
    for (std::size_t r : accumulated_in(stage)) write_accumulation(r);
    close("};");
}

SINTER_INLINE sequence<std::uint32_t> cuda_writer::arrays_to_load() const {
    sequence<std::uint32_t> arrays;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_array(i)) arrays.push_back(i);
    return arrays;
}

// Where the stage has what it loads, unless it is kept.
SINTER_INLINE void cuda_writer::write_element_arrays(const sequence<std::uint32_t>& arrays) {
    for (std::uint32_t i : arrays)
        if (!persistent_[i]) write_element_array(i);
}

// All that the stage loads at once, before any of it is used: memory answers in parallel.
SINTER_INLINE void cuda_writer::write_element_loads(const sequence<std::uint32_t>& arrays) {
    if (arrays.empty()) return;
    at_[static_cast<std::size_t>(k_.kept)] = k_.how.short_rows ? "l" : "(begin + l)";
    line("#pragma unroll");
    open("for (int g = 0; g < " + std::to_string(groups_of_tile()) + "; ++g)");
    line("const int l = " + group_begin() + ";");
    if (!loads_or_not()) write_group_check();
    open_rows();
    write_turn(true, false);
    for (std::uint32_t i : arrays) {
        if (!is_packed(k_.body[i].payload)) {
            write_single_loads(i);
            continue;
        }
        write_load(i);
        std::string id = std::to_string(i);
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) k" + id + of_thread_row() + group_place(i) + " = t" + id + ".v[c];");
    }
    close_rows();
    close();
}

// Whether the few elements that a thread loads of a row, one by one, are loaded without branches. One H200, softmax,
// log softmax and layer norm of rows of 150 727, 728 and 827 us with branches, 656, 569 and 699 without; of 301 645,
// 725 and 819, and 818, 584 and 639; of 33 624, 570 and 653, and 647, 571 and 696; of 1001 563, 609 and 555, and 917,
// 780 and 717.
SINTER_INLINE bool cuda_writer::loads_or_not() const {
    constexpr int few_groups = 4, few_lanes = 4, warp = 32;
    if (!k_.how.short_rows || k_.how.vector_width > 1 || row_groups() > few_groups) return false;
    const int lanes = k_.how.lanes, kept = static_cast<int>(std::count(persistent_.begin(), persistent_.end(), 1));
    return lanes > few_lanes && (lanes < warp || kept == 1);
}

// The elements of a group, one by one.
SINTER_INLINE void cuda_writer::write_single_loads(std::uint32_t i) {
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    const bool may_end = full_groups() < row_groups(), or_not = loads_or_not();
    if (may_end && !or_not) line(unless_full("if (" + group_element() + " >= size) continue;"));
    write_decode((k_.how.short_rows ? "(" : "(begin + ") + group_element() + ")", k_.kept, k_.space.size());
    const std::string to = "k" + std::to_string(i) + of_thread_row() + group_place(i) + " = ",
                      from = element(k_.body[i].payload);
    const std::string check = or_not && may_end ? unless_full("if (" + group_element() + " < size)").substr(4) : "";
    line(check.empty()
             ? to + from + ";"
             : to + check.substr(0, check.size() - 1) + " ? " + from + " : " + zero_text(k_.body[i].type) + ";");
    close();
}

SINTER_INLINE cuda_writer::texts cuda_writer::element_arguments(int stage) const {
    texts arguments;
    if (k_.how.rows_per_thread > 1) arguments.push_back("u");
    for (const char* a :
         {k_.how.short_rows || collects(stage) ? "true" : "g == 0", k_.how.short_rows ? "" : "begin + "})
        arguments.push_back(a);
    arguments.back() += group_element();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_input(i) || (persistent_[i] && here_[i]))
            arguments.push_back("k" + std::to_string(i) + of_thread_row() + group_place(i));
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (k_.stores[s].stage == stage && leaves_pack(s))
            arguments.push_back("o" + std::to_string(s) + (is_packed(k_.stores[s].access) ? ".v[c]" : "[c]"));
    for (std::uint32_t i : left_to_transpose(stage))
        arguments.push_back(finds_extremes_ ? "e" + std::to_string(i)
                                            : "buffer" + std::to_string(i) + transposed_place_);
    std::string lanes = finds_extremes_ ? "y" : k_.how.short_rows ? "b" : "a";
    for (std::size_t r : accumulated_in(stage)) {
        arguments.push_back(collects(stage) ? "all" + std::to_string(r) + "[4 * g + c]"
                                            : lanes + std::to_string(r) + (finds_extremes_ ? "" : "[c]"));
        if (indexed(r)) arguments.push_back(lanes + "i" + std::to_string(r) + "[c]");
    }
    return arguments;
}

SINTER_INLINE void cuda_writer::write_element_groups(int stage) {
    bool reduces = reduces_in(stage), whole = k_.how.vector_width > 1;
    std::string unrolling = k_.body.size() > unrolled_body ? "#pragma unroll 1" : "#pragma unroll";
    const bool at_once = reduces && combines_groups_at_once(stage);
    if (collects(stage)) per_reduction("@ all#[16];", "", stage);
    line(unrolling);
    if (at_once) open_groups_to_combine("0", tree_groups());
    else open("for (int g = 0; g < " + std::to_string(groups_of_tile()) + "; ++g)");
    line("const int l = " + group_begin() + ";");
    if (at_once && tree_groups() > row_groups())
        open("if (g < " + std::to_string(row_groups()) + " && (" + group_check("l <").substr(4) + ")");
    else {
        if (at_once) open(group_check("l <"));
        else write_group_check();
    }
    open_rows();
    if (k_.how.short_rows && reduces) per_reduction("@ b#[4];", "index bi#[4];", stage);
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (k_.stores[s].stage == stage && is_packed(k_.stores[s].access))
            line(pack_at(k_.stores[s].access) + " o" + std::to_string(s) + ";");
        else if (k_.stores[s].stage == stage && leaves_value(s))
            line(operand_type(k_.stores[s].access) + " o" + std::to_string(s) + "[4];");
    write_by_inverse(stage, [&](const std::string& element, const texts& more) {
        texts arguments = element_arguments(stage);
        for (const std::string& m : more) arguments.push_back(m);
        line(unrolling);
        open("for (int c = 0; c < 4; ++c)");
        list((whole ? "" : unless_full("if (" + group_element() + " < size) ")) + element, arguments, ");");
        close();
    });
    for (std::size_t r : k_.how.short_rows ? reductions_of(stage) : sequence<std::size_t>()) {
        std::string id = std::to_string(r);
        line("thread_reduce" + id + "(b" + id + (indexed(r) ? ", bi" + id : "") +
             (whole ? ", 4);" : ", " + lanes_left() + ");"));
    }
    if (k_.how.short_rows) write_group_places(stage, at_once);
    write_turn(stores_packs(stage), stores_packs(stage));
    at_[static_cast<std::size_t>(k_.kept)] = k_.how.short_rows ? "l" : "(begin + l)";
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        std::uint32_t a = k_.stores[s].access;
        if (k_.stores[s].stage == stage && is_packed(a))
            line((k_.how.short_rows ? "if (inside) *(" : "*(") + pack_at(a) + "*)&" + element(a) + " = o" +
                 std::to_string(s) + ";");
    }
    write_left_values(stage);
    close_rows();
    close();
    if (at_once) write_group_reduces(stage);
    if (at_once) close();
    if (collects(stage)) write_end_reduces(stage);
}

// The lanes to the row's results, which every thread gets.
SINTER_INLINE void cuda_writer::write_row_results(int stage) {
    if (k_.how.short_rows) return write_warp_row_results(stage);
    write_one_block_results(stage);
}

SINTER_INLINE void cuda_writer::write_one_block_results(int stage) {
    line("constexpr int lanes = 1024;");
    write_thread_reduces(stage);
    write_buffer_reduces(stage, "lanes", block_striped_,
                         [&](std::size_t r) { write_for(r, "result# = a#[0];", "resulti# = ai#[0];"); });
    line("__syncthreads();");
    per_reduction("r# = result#;", "ri# = resulti#;", stage);
}

// What is computed once per row: every thread has it, one stores it.
SINTER_INLINE void cuda_writer::write_row_stage(int stage) {
    if (k_.how.short_rows) return write_warp_row_stage(stage);
    write_body(stage);
    bool stores = false;
    for (const store& s : k_.stores) stores = stores || s.stage == stage;
    if (stores) {
        open(is_cooperative(k_) && !k_.is(mapping::resident_row) ? "if (t == 0 && inside)" : "if (t == 0)");
        write_stores(stage);
        close();
    }
    in_row_ = false;
}

}  // namespace sinter::inline SINTER_ABI::codegen
