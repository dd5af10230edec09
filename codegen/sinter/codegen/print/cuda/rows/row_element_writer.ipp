// Bodies of row_element_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/rows/row_element_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void row_element_writer::write_element_array(std::uint32_t i) {
    const std::string count = joined({"[", 4 * row_groups(), "]"});
    line({type_text(k_.body[i].type), " k", i, per_thread_row(), count, ";"});
}

// What outlives its stage.
SINTER_INLINE void row_element_writer::write_persistent_arrays() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i]) write_element_array(i);
}

// A stage over the elements, given what goes over a thread's.
SINTER_INLINE void row_element_writer::write_element_stage(int stage, callback<void()> write) {
    in_row_ = false;
    write_origins(stage, facts_.may_be_empty ? "reduced > 0" : "");
    open("");
    write_element_functions(stage);
    write();
    close();
}

// What the stage computes for an element, and the same by the inverse of what it divides by; packs that this is not
// exact for are stored by single elements.
SINTER_INLINE void row_element_writer::write_element_functions(int stage, bool aligned) {
    const bool divides = of(stage).divisor != no_load;
    if (!aligned || !divides) write_element_function(stage, aligned, false);
    if (divides) write_element_function(stage, aligned, true);
}

SINTER_INLINE sequence<std::uint32_t> row_element_writer::arrays_to_load(int stage) const {
    sequence<std::uint32_t> arrays;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (of(stage).loaded[i]) arrays.push_back(i);
    return arrays;
}

SINTER_INLINE sequence<std::uint32_t> row_element_writer::inputs_of(int stage) const {
    sequence<std::uint32_t> inputs;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (of(stage).input[i]) inputs.push_back(i);
    return inputs;
}

// Where the stage has what it loads, unless it is kept.
SINTER_INLINE void row_element_writer::write_element_arrays(const sequence<std::uint32_t>& arrays) {
    for (std::uint32_t i : arrays)
        if (!facts_.persistent[i]) write_element_array(i);
}

// All that the stage loads at once, before any of it is used: memory answers in parallel.
SINTER_INLINE void row_element_writer::write_element_loads(const sequence<std::uint32_t>& arrays) {
    if (arrays.empty()) return;
    open_unrolled("for (int g = 0; g < " + std::to_string(facts_.share.of_tile) + "; ++g)");
    line({"const int l = ", group_begin(), ";"});
    if (!facts_.loads_or_zero) write_group_check();
    write_group_loads(arrays);
    close();
}

SINTER_INLINE void row_element_writer::write_group_loads(const sequence<std::uint32_t>& arrays) {
    open_rows();
    write_turn(true, false);
    write_decode(row_place("l"), k_.kept, k_.space.size());
    for (std::uint32_t i : arrays) {
        if (!facts_.packed[k_.body[i].payload]) {
            write_single_loads(i);
            continue;
        }
        write_load(i);
        std::string id = std::to_string(i);
        write_unrolled("for (int c = 0; c < 4; ++c) k" + id + of_thread_row() + group_place(i) + " = t" + id +
                       ".v[c];");
    }
    close_rows();
}

// The elements of a group, one by one.
SINTER_INLINE void row_element_writer::write_single_loads(std::uint32_t i) {
    open_unrolled("for (int c = 0; c < 4; ++c)");
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
SINTER_INLINE row_element_writer::texts row_element_writer::element_arguments(int stage, const char* is_first,
                                                                              const std::string& to,
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
SINTER_INLINE void row_element_writer::open_groups(bool to_combine) {
    if (!to_combine) {
        open({"for (int g = 0; g < ", facts_.share.of_tile, "; ++g)"});
        line({"const int l = ", group_begin(), ";"});
        return write_group_check();
    }
    open_groups_to_combine("0", tree_groups());
    line({"const int l = ", group_begin(), ";"});
    if (tree_groups() == row_groups()) return open(group_check("l <"));
    open({"if (g < ", row_groups(), " && (", group_check("l <").substr(4), ")"});
}

SINTER_INLINE void row_element_writer::write_element_groups(int stage) {
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
SINTER_INLINE void row_element_writer::write_group_elements(int stage) {
    const bool own = facts_.share.own_lanes, all = collects(stage);
    if (own) per_reduction("@ b#[4];", "index bi#[4];", stage);
    for (std::size_t s : of(stage).pack_stores) line({pack_at(k_.stores[s].access), " o", s, ";"});
    for (std::size_t s : of(stage).left_stores) line({operand_type(k_.stores[s].access), " o", s, "[4];"});
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
SINTER_INLINE void row_element_writer::write_group_lanes(int stage, bool to_combine) {
    for (std::size_t r : of(stage).combined)
        line({"thread_reduce<combine", r, ">(", lanes_left("l"), ", ", values_at(r, "b", ""), ");"});
    write_group_places(stage, to_combine);
}

// What a stage stores of a group that the function of an element does not.
SINTER_INLINE void row_element_writer::write_group_stores(int stage) {
    const sequence<std::size_t>& packs = of(stage).pack_stores;
    write_turn(!packs.empty(), !packs.empty());
    if (!packs.empty()) write_decode(row_place("l"), k_.kept, k_.space.size());
    for (std::size_t s : packs) {
        const std::uint32_t a = k_.stores[s].access;
        line({facts_.is_repeated ? "if (inside) *(" : "*(", pack_at(a), "*)&", element(a), " = o", s, ";"});
    }
    write_left_values(stage);
}

// What a stage stores that may be computed twice.
SINTER_INLINE void row_element_writer::write_left_values(int stage) {
    if (of(stage).left_stores.empty()) return;
    open_unrolled("for (int c = 0; c < 4; ++c)");
    if (const std::string check = unless_full("if (" + group_element() + " >= size)"); !check.empty())
        line({check, " continue;"});
    write_decode("(" + group_element() + ")", k_.kept, k_.space.size());
    for (std::size_t s : of(stage).left_stores) line({"if (inside) ", element(k_.stores[s].access), " = o", s, "[c];"});
    close();
}

SINTER_INLINE void row_element_writer::write_end_reduces(int stage) {
    const std::string swizzle = tile_ == tile_kind::swizzled ? "swizzle" : "0";
    per_reduction("reduce_at_end#(all#, a#, " + swizzle + ");", "", stage);
}

// What computes four elements, by the name of an element's function and its further arguments: by the inverse, and
// again where that was not sure to be exact.
SINTER_INLINE void row_element_writer::write_by_inverse(int stage, write_elements write) {
    if (of(stage).divisor == no_load) return write("element", {});
    open_inexact(stage, write);
    write("element", {});
    close();
}

// The same by the inverse alone, and the head of what follows where that was not sure to be exact.
SINTER_INLINE void row_element_writer::open_inexact(int stage, write_elements write) {
    line("float least = 3.402823466e38f;");
    write("element_by_inverse", {"least"});
    open({"if (!(least >= divisor", of(stage).divisor, ".least))"});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
