// Bodies of cuda_writer.hpp that print row kernels: stages over rows whose elements stay in registers where they fit.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// A thread works on groups of four neighbours. Rows of up to 1024 elements: up to a warp for each, of up to 4096, also
// where they are only reduced, and of up to 16384: 256 threads. What later stages need stays in registers.
SINTER_INLINE void cuda_writer::write_block_per_row() {
    begin_reduction();
    write_head();
    write_sizes();
    write_row_position();
    write_row_arrays();
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) write_row_stage(stage);
        else if (facts_.blocks > 1) write_element_stage(stage, [&] { write_tiles_stage(stage); });
        else write_element_stage(stage, [&] { write_block_stage(stage); });
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
    line("const index row = " + block_number() + ";");
    leave_beyond("row >= kept");
    if (facts_.blocks == 1) {
        line("const index begin = 0;");
        line("const int size = (int)reduced;");
    }
    write_decode("row", 0, k_.kept);
}

SINTER_INLINE void cuda_writer::write_element_array(std::uint32_t i) {
    const std::string count = "[" + std::to_string(4 * row_groups()) + "]";
    line(type_text(k_.body[i].type) + " k" + std::to_string(i) + per_thread_row() + count + ";");
}

// What outlives its stage.
SINTER_INLINE void cuda_writer::write_persistent_arrays() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i]) write_element_array(i);
}

// That, and accumulators of all stages.
SINTER_INLINE void cuda_writer::write_row_arrays() {
    write_persistent_arrays();
    per_reduction("@ a#[4], r#;", "index ai#[4], ri#;");
    if (facts_.blocks > 1) return write_tile_buffers();
    write_shared_buffer(2 * std::min(combined_reductions(k_), 4));
    per_reduction("__shared__ @ result#;", "__shared__ index resulti#;");
    if (combined_reductions(k_) > 0) line("int buffer_phase = 0;");
}

// A stage over the elements, given what goes over a thread's.
SINTER_INLINE void cuda_writer::write_element_stage(int stage, const std::function<void()>& write) {
    in_row_ = false;
    write_origins(stage, facts_.may_be_empty ? "reduced > 0" : "");
    open("");
    write_element_functions(stage);
    write();
    close();
}

// That of rows which the threads of a block have in registers at once.
SINTER_INLINE void cuda_writer::write_block_stage(int stage) {
    const sequence<std::uint32_t> arrays = arrays_to_load(stage);
    write_element_arrays(arrays);
    write_element_loads(arrays);
    write_element_groups(stage);
    if (reduces_in(stage)) write_one_block_results(stage);
}

// What the stage computes for an element, and the same by the inverse of what it divides by.
SINTER_INLINE void cuda_writer::write_element_functions(int stage, bool aligned) {
    write_element_function(stage, aligned, false);
    if (of(stage).divisor != no_load) write_element_function(stage, aligned, true);
}

// Those of a stage's stores that the function of an element leaves to its caller: in packs, or to be computed again.
SINTER_INLINE sequence<std::size_t> cuda_writer::left_stores(int stage, bool aligned) const {
    if (aligned) return of(stage).stores;
    return of(stage).pack_stores.empty() ? of(stage).left_stores : of(stage).pack_stores;
}

// element(is_first, i, inputs, outputs, lanes): what the stage computes for element i.
SINTER_INLINE void cuda_writer::write_element_function(int stage, bool aligned, bool by_inverse) {
    const stage_facts& s = of(stage);
    const sequence<std::size_t> left = left_stores(stage, aligned);
    texts parameters;
    if (facts_.side_by_side) parameters.push_back("int u");
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
    if (by_inverse) parameters.push_back("float& least");
    list(std::string("const auto ") + (aligned ? "aligned_element" : "element") + (by_inverse ? "_by_inverse" : "") +
             " = [&]",
         parameters, ") {");
    ++depth_;
    write_turn(s.stores_single || s.loads_single, s.stores_single);
    write_persistent_values(stage);
    write_decode("i", k_.kept, k_.space.size());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!s.here[i] || s.loaded[i] || s.deferred[i]) continue;
        write_instruction(i, {by_inverse, false});
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

// Arguments of element; what it leaves for reductions goes to arrays of those names, at a place.
SINTER_INLINE cuda_writer::texts cuda_writer::element_arguments(int stage, const char* is_first, const std::string& to,
                                                                const std::string& at) const {
    const stage_facts& s = of(stage);
    texts arguments;
    if (facts_.side_by_side) arguments.push_back("u");
    arguments.push_back(is_first);
    arguments.push_back(row_begin() + group_element());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (s.input[i] || (facts_.persistent[i] && s.here[i]))
            arguments.push_back("k" + std::to_string(i) + of_thread_row() + group_place(i));
    for (std::size_t from : left_stores(stage, false))
        arguments.push_back("o" + std::to_string(from) + (facts_.packed[k_.stores[from].access] ? ".v[c]" : "[c]"));
    for (std::uint32_t i : s.exchanged) arguments.push_back(to + std::to_string(i) + at);
    for (std::size_t r : s.accumulated) {
        arguments.push_back(to + std::to_string(r) + at);
        if (indexed(r)) arguments.push_back(to + "i" + std::to_string(r) + at);
    }
    return arguments;
}

// Opens the loop over a thread's groups of a block, of which some may not be there.
SINTER_INLINE void cuda_writer::open_groups(bool to_combine) {
    if (!to_combine) {
        open("for (int g = 0; g < " + std::to_string(facts_.share.of_tile) + "; ++g)");
        line("const int l = " + group_begin() + ";");
        return write_group_check();
    }
    open_groups_to_combine("0", tree_groups());
    line("const int l = " + group_begin() + ";");
    if (tree_groups() == row_groups()) return open(group_check("l <"));
    open("if (g < " + std::to_string(row_groups()) + " && (" + group_check("l <").substr(4) + ")");
}

SINTER_INLINE void cuda_writer::write_element_groups(int stage) {
    const bool to_combine = reduces_in(stage) && of(stage).combines_groups;
    if (collects(stage)) per_reduction("@ all#[16];", "", stage);
    unroll();
    open_groups(to_combine);
    open_rows();
    write_group_elements(stage);
    if (facts_.share.own_lanes) write_group_lanes(stage, to_combine);
    write_group_stores(stage);
    close_rows();
    close();
    if (to_combine) write_group_reduces(stage);
    if (to_combine) close();
    if (collects(stage)) write_end_reduces(stage);
}

// The four elements of a group, to its own lanes, to the thread's, or each to a place of its own.
SINTER_INLINE void cuda_writer::write_group_elements(int stage) {
    const bool own = facts_.share.own_lanes, all = collects(stage);
    if (own) per_reduction("@ b#[4];", "index bi#[4];", stage);
    for (std::size_t s : of(stage).pack_stores) line(pack_at(k_.stores[s].access) + " o" + std::to_string(s) + ";");
    for (std::size_t s : of(stage).left_stores)
        line(operand_type(k_.stores[s].access) + " o" + std::to_string(s) + "[4];");
    write_by_inverse(stage, [&](const std::string& element, const texts& more) {
        texts arguments = element_arguments(stage, own || all ? "true" : "g == 0",
                                            own   ? "b"
                                            : all ? "all"
                                                  : "a",
                                            all ? "[4 * g + c]" : "[c]");
        for (const std::string& m : more) arguments.push_back(m);
        unroll();
        open("for (int c = 0; c < 4; ++c)");
        list(unless_whole("if (" + group_element() + " < size) ") + element, arguments, ");");
        close();
    });
}

// A group's lanes to one, and that to its place.
SINTER_INLINE void cuda_writer::write_group_lanes(int stage, bool to_combine) {
    for (std::size_t r : of(stage).combined)
        line("thread_reduce<combine" + std::to_string(r) + ">(" + lanes_left("l") + ", " + values_at(r, "b", "") +
             ");");
    write_group_places(stage, to_combine);
}

// What a stage stores of a group that the function of an element does not.
SINTER_INLINE void cuda_writer::write_group_stores(int stage) {
    const sequence<std::size_t>& packs = of(stage).pack_stores;
    write_turn(!packs.empty(), !packs.empty());
    at_[static_cast<std::size_t>(k_.kept)] = row_place("l");
    for (std::size_t s : packs) {
        const std::uint32_t a = k_.stores[s].access;
        line((facts_.is_repeated ? "if (inside) *(" : "*(") + pack_at(a) + "*)&" + element(a) + " = o" +
             std::to_string(s) + ";");
    }
    write_left_values(stage);
}

SINTER_INLINE void cuda_writer::write_one_block_results(int stage) {
    line(k_.how.row_capacity > row_lanes ? "constexpr int lanes = 1024;" : "const int lanes = size;");
    write_thread_reduces(stage);
    write_buffer_reduces(stage, "lanes",
                         [&](std::size_t r) { write_for(r, "result# = a#[0];", "resulti# = ai#[0];"); });
    line("__syncthreads();");
    per_reduction("r# = result#;", "ri# = resulti#;", stage);
}

// What is computed once per row: every thread has it, one stores it.
SINTER_INLINE void cuda_writer::write_row_stage(int stage) {
    write_body(stage);
    if (!of(stage).stores.empty()) {
        open(team_.writer);
        write_stores(stage);
        close();
    }
    in_row_ = false;
}

}  // namespace sinter::inline SINTER_ABI::codegen
