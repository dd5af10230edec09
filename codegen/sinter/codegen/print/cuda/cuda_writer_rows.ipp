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
    const bool apart = facts_.share.step > 1 && tile_ != tile_kind::swizzled;
    return std::to_string(facts_.share.stride) + (apart ? " * g + t" : " * g + 4 * t");
}

// Element c of a group that begins at l.
SINTER_INLINE std::string cuda_writer::group_element() const {
    if (tile_ == tile_kind::swizzled) return "l + (c ^ swizzle)";
    return facts_.share.step > 1 ? "l + " + std::to_string(facts_.share.step) + " * c" : "l + c";
}

SINTER_INLINE void cuda_writer::write_row_position() {
    line("const int t = threadIdx.x;");
    if (k_.how.short_rows) return write_warp_row_position();
    line("const index row = " + block_number() + ";");
    leave_beyond("row >= kept");
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
        if (facts_.persistent[i]) write_element_array(i);
    if (k_.is(mapping::rows_per_warp)) return write_warp_row_arrays();
    per_reduction("@ a#[4], r#;", "index ai#[4], ri#;");
    if (k_.how.row_blocks > 1) return write_tile_buffers();
    write_shared_buffer(2 * std::min(combined_reductions(k_), 4));
    per_reduction("__shared__ @ result#;", "__shared__ index resulti#;");
    if (combined_reductions(k_) > 0) line("int buffer_phase = 0;");
}

SINTER_INLINE void cuda_writer::write_element_stage(int stage) {
    in_row_ = false;
    write_origins(stage, k_.how.close_capacity ? "" : "reduced > 0");
    open("");
    write_element_functions(stage);
    if (k_.how.row_blocks > 1) {
        write_tiles_stage(stage);
    } else {
        const sequence<std::uint32_t> arrays = arrays_to_load(stage);
        write_element_arrays(arrays);
        write_element_loads(arrays);
        if (of(stage).in_any_order) write_extremes(stage);
        if (of(stage).exchanged.empty()) write_element_groups(stage);
        else write_striped_groups(stage);
        write_staged_stores(stage);
        if (reduces_in(stage)) write_row_results(stage);
        if (of(stage).in_any_order) close();
    }
    close();
}

// What the stage computes for an element, and the same by the inverse of what it divides by.
SINTER_INLINE void cuda_writer::write_element_functions(int stage, bool aligned) {
    write_element_function(stage, aligned);
    by_inverse_ = of(stage).divisor != no_load;
    if (by_inverse_) write_element_function(stage, aligned);
    by_inverse_ = false;
}

// Those of a stage's stores that the function of an element leaves to its caller: in packs, or to be computed again.
SINTER_INLINE sequence<std::size_t> cuda_writer::left_stores(int stage, bool aligned) const {
    if (aligned) return of(stage).stores;
    return of(stage).pack_stores.empty() ? of(stage).left_stores : of(stage).pack_stores;
}

// element(is_first, i, inputs, outputs, lanes): what the stage computes for element i.
SINTER_INLINE void cuda_writer::write_element_function(int stage, bool aligned) {
    const stage_facts& s = of(stage);
    const sequence<std::size_t> left = left_stores(stage, aligned);
    texts parameters;
    if (k_.how.rows_per_thread > 1) parameters.push_back("int u");
    for (const char* p : {"bool is_first", "index i"}) parameters.push_back(p);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        std::string id = std::to_string(i), type = type_text(k_.body[i].type);
        if (s.input[i]) parameters.push_back(type + " v" + id);
        else if (facts_.persistent[i] && s.here[i]) parameters.push_back(type + "& keep" + id);
    }
    for (std::size_t to : left) parameters.push_back(operand_type(k_.stores[to].access) + "& u" + std::to_string(to));
    for (std::uint32_t i : s.exchanged) parameters.push_back(type_text(k_.body[i].type) + "& e" + std::to_string(i));
    for (std::size_t r : s.accumulated) {
        parameters.push_back(accumulator(r) + "& a" + std::to_string(r));
        if (indexed(r)) parameters.push_back("index& ai" + std::to_string(r));
    }
    if (by_inverse_) parameters.push_back("float& least");
    list(std::string("const auto ") + (aligned ? "aligned_element" : "element") + (by_inverse_ ? "_by_inverse" : "") +
             " = [&]",
         parameters, ") {");
    ++depth_;
    write_turn(s.stores_single || s.loads_single, s.stores_single);
    write_persistent_values(stage);
    write_decode("i", k_.kept, k_.space.size());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!s.here[i] || s.loaded[i] || s.deferred[i]) continue;
        write_instruction(i);
        if (facts_.persistent[i]) line("keep" + std::to_string(i) + " = v" + std::to_string(i) + ";");
    }
    for (std::size_t to : s.stores) {
        const bool leaves = std::find(left.begin(), left.end(), to) != left.end();
        line((leaves ? "u" + std::to_string(to) : stored_element(to)) + " = " + value(k_.stores[to].value) + ";");
    }
    for (std::uint32_t i : s.exchanged) line("e" + std::to_string(i) + " = " + value(i) + ";");
    for (std::size_t r : s.accumulated) write_accumulation(r);
    close("};");
}

// Where the function of an element stores it: in a buffer of the thread block's rows, or in memory.
SINTER_INLINE std::string cuda_writer::stored_element(std::size_t s) const {
    if (facts_.staged[s] != no_buffer) return staged_element(facts_.staged[s], "(int)i");
    return (facts_.is_repeated ? "if (inside) " : "") + element(k_.stores[s].access);
}

SINTER_INLINE sequence<std::uint32_t> cuda_writer::arrays_to_load(int stage) const {
    sequence<std::uint32_t> arrays;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (of(stage).loaded[i]) arrays.push_back(i);
    return arrays;
}

// Where the stage has what it loads, unless it is kept.
SINTER_INLINE void cuda_writer::write_element_arrays(const sequence<std::uint32_t>& arrays) {
    for (std::uint32_t i : arrays)
        if (!facts_.persistent[i]) write_element_array(i);
}

// All that the stage loads at once, before any of it is used: memory answers in parallel.
SINTER_INLINE void cuda_writer::write_element_loads(const sequence<std::uint32_t>& arrays) {
    if (arrays.empty()) return;
    at_[static_cast<std::size_t>(k_.kept)] = row_place("l");
    line("#pragma unroll");
    open("for (int g = 0; g < " + std::to_string(facts_.share.of_tile) + "; ++g)");
    line("const int l = " + group_begin() + ";");
    if (!facts_.loads_or_zero) write_group_check();
    open_rows();
    write_turn(true, false);
    for (std::uint32_t i : arrays) {
        if (!facts_.packed[k_.body[i].payload]) {
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

// The elements of a group, one by one.
SINTER_INLINE void cuda_writer::write_single_loads(std::uint32_t i) {
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    const bool may_end = full_groups() < row_groups(), or_zero = facts_.loads_or_zero;
    if (may_end && !or_zero) line(unless_full("if (" + group_element() + " >= size) continue;"));
    write_decode("(" + row_begin() + group_element() + ")", k_.kept, k_.space.size());
    const std::string to = "k" + std::to_string(i) + of_thread_row() + group_place(i) + " = ",
                      from = element(k_.body[i].payload);
    const std::string check = or_zero && may_end ? unless_full("if (" + group_element() + " < size)").substr(4) : "";
    line(check.empty()
             ? to + from + ";"
             : to + check.substr(0, check.size() - 1) + " ? " + from + " : " + zero_text(k_.body[i].type) + ";");
    close();
}

SINTER_INLINE cuda_writer::texts cuda_writer::element_arguments(int stage) const {
    const stage_facts& s = of(stage);
    texts arguments;
    if (k_.how.rows_per_thread > 1) arguments.push_back("u");
    for (const char* a :
         {k_.how.short_rows || collects(stage) ? "true" : "g == 0", k_.how.short_rows ? "" : "begin + "})
        arguments.push_back(a);
    arguments.back() += group_element();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (s.input[i] || (facts_.persistent[i] && s.here[i]))
            arguments.push_back("k" + std::to_string(i) + of_thread_row() + group_place(i));
    for (std::size_t to : left_stores(stage, false))
        arguments.push_back("o" + std::to_string(to) + (facts_.packed[k_.stores[to].access] ? ".v[c]" : "[c]"));
    for (std::uint32_t i : s.exchanged)
        arguments.push_back(finds_extremes_ ? "e" + std::to_string(i)
                                            : "buffer" + std::to_string(i) + transposed_place_);
    std::string lanes = finds_extremes_ ? "y" : k_.how.short_rows ? "b" : "a";
    for (std::size_t r : s.accumulated) {
        arguments.push_back(collects(stage) ? "all" + std::to_string(r) + "[4 * g + c]"
                                            : lanes + std::to_string(r) + (finds_extremes_ ? "" : "[c]"));
        if (indexed(r)) arguments.push_back(lanes + "i" + std::to_string(r) + "[c]");
    }
    return arguments;
}

SINTER_INLINE void cuda_writer::write_element_groups(int stage) {
    bool reduces = reduces_in(stage), whole = k_.how.vector_width > 1;
    std::string unrolling = k_.body.size() > unrolled_body ? "#pragma unroll 1" : "#pragma unroll";
    const bool at_once = reduces && of(stage).combines_groups;
    if (collects(stage)) per_reduction("@ all#[16];", "", stage);
    line(unrolling);
    if (at_once) open_groups_to_combine("0", tree_groups());
    else open("for (int g = 0; g < " + std::to_string(facts_.share.of_tile) + "; ++g)");
    line("const int l = " + group_begin() + ";");
    if (at_once && tree_groups() > row_groups())
        open("if (g < " + std::to_string(row_groups()) + " && (" + group_check("l <").substr(4) + ")");
    else {
        if (at_once) open(group_check("l <"));
        else write_group_check();
    }
    open_rows();
    if (k_.how.short_rows && reduces) per_reduction("@ b#[4];", "index bi#[4];", stage);
    for (std::size_t s : of(stage).pack_stores) line(pack_at(k_.stores[s].access) + " o" + std::to_string(s) + ";");
    for (std::size_t s : of(stage).left_stores)
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
    write_turn(!of(stage).pack_stores.empty(), !of(stage).pack_stores.empty());
    at_[static_cast<std::size_t>(k_.kept)] = row_place("l");
    for (std::size_t s : of(stage).pack_stores) {
        const std::uint32_t a = k_.stores[s].access;
        line((facts_.is_repeated ? "if (inside) *(" : "*(") + pack_at(a) + "*)&" + element(a) + " = o" +
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
    write_buffer_reduces(stage, "lanes",
                         [&](std::size_t r) { write_for(r, "result# = a#[0];", "resulti# = ai#[0];"); });
    line("__syncthreads();");
    per_reduction("r# = result#;", "ri# = resulti#;", stage);
}

// What is computed once per row: every thread has it, one stores it.
SINTER_INLINE void cuda_writer::write_row_stage(int stage) {
    if (k_.how.short_rows) return write_warp_row_stage(stage);
    write_body(stage);
    if (!of(stage).stores.empty()) {
        open(team_.writer);
        write_stores(stage);
        close();
    }
    in_row_ = false;
}

}  // namespace sinter::inline SINTER_ABI::codegen
