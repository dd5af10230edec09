// Bodies of stage_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/stage_writer.hpp>

#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The first value of the row where the thread stands, for the reductions of a stage that take it from the others; every
// thread computes it for itself, once a row; none is asked for where `has_any` is empty.
SINTER_INLINE void stage_writer::write_origins(int stage, const std::string& has_any) {
    const sequence<std::uint32_t> found = origins(k_, stage);
    if (found.empty()) return;
    sequence<char> needed(k_.body.size(), 0);
    for (std::uint32_t i : found) {
        line({"double origin", i, " = 0;"});
        needed[i] = 1;
    }
    for (std::uint32_t i = static_cast<std::uint32_t>(k_.body.size()); i-- > 0;) {
        if (!needed[i] || is_uniform(k_, i)) continue;
        needed[values_.circle[i]] = 1;
        for (std::uint32_t a : k_.body[i].args) needed[a] = 1;
    }
    const texts here = at_;
    const sequence<draw> draws = std::exchange(draws_, {});
    for (int axis = k_.kept; axis < k_.space.size(); ++axis) at_[static_cast<std::size_t>(axis)] = "0";
    open(has_any.empty() ? "" : "if (" + has_any + ")");
    auto is_written = [&](std::uint32_t i) { return needed[i] && !is_uniform(k_, i); };
    write_part(is_written, [&](std::uint32_t i) { write_instruction(i); });
    for (std::uint32_t i : found) line({"origin", i, " = ", value(i), ";"});
    close();
    // In place, as callers hold references to where they stand.
    for (std::size_t axis = 0; axis < at_.size(); ++axis) at_[axis] = here[axis];
    draws_ = draws;
}

// accumulate(is_first, i, loaded values, lanes): the body for reduced element i, added to one lane of each reduction.
SINTER_INLINE void stage_writer::write_accumulate() {
    texts parameters{"bool is_first", "index i"};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) parameters.push_back(type_text(k_.body[i].type) + " v" + std::to_string(i));
    for (std::size_t r : reductions_of()) {
        parameters.push_back(lane_type(r) + "& a" + std::to_string(r));
        if (indexed(r)) parameters.push_back("index& ai" + std::to_string(r));
    }
    list("const auto accumulate = [&]", parameters, ") {");
    ++depth_;
    if (facts_.decodes_element) write_decode("i", k_.kept, k_.space.size());
    write_body(0);
    for (std::size_t r : reductions_of()) write_accumulation(r);
    close("};");
}

// The type in which a thread's lanes accumulate.
SINTER_INLINE std::string stage_writer::lane_type(std::size_t r) const {
    return facts_.narrow[r] ? "int" : accumulator(r);
}

// Adds element i to a lane.
SINTER_INLINE void stage_writer::write_accumulation(std::size_t r) {
    const reduction_step& x = k_.reductions[r];
    std::string id = std::to_string(r), y = "y" + id, a = "a" + id, ai = "ai" + id;
    line({"const ", lane_type(r), " ", y, " = ", element_text(x, value(x.argument)), ";"});
    line(indexed(r) ? "if (is_first) " + a + " = " + y + ", " + ai + " = i;" : "if (is_first) " + a + " = " + y + ";");
    if (facts_.narrow[r]) return line({"else ", a, " += ", y, ";"});
    const std::string combine = (indexed(r) ? "follow" : "combine") + std::to_string(combined_as(r));
    line({"else ", combine, "(", a, indexed(r) ? ", " + ai : "", ", ", y, indexed(r) ? ", i);" : ");"});
}

// Arguments of accumulate; values that callers load stand at `at`, of packs at [lane].
SINTER_INLINE stage_writer::texts stage_writer::accumulate_arguments(const std::string& first, const std::string& at,
                                                                     const std::string& to,
                                                                     const std::string& lane) const {
    texts arguments{first, at};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i)) continue;
        arguments.push_back(lane.empty() ? single_value(i) : lane_value(i, lane));
    }
    const bool has_lanes = k_.tree == reduce_tree::rows || k_.how.packs > 1;
    for (std::size_t r : reductions_of())
        for (std::string prefix : {"", "i"})
            if (prefix.empty() || indexed(r))
                arguments.push_back(joined({facts_.narrow[r] ? "narrow" : to + prefix, r, has_lanes ? "[c]" : ""}));
    return arguments;
}

// What follows the reductions, for the result at which the thread stands.
SINTER_INLINE void stage_writer::write_epilogue() {
    write_body(1);
    write_stores(1);
    in_row_ = false;
}

// The threads of the thread block that is the last of `count` to come here go on, and see what the others' threads have
// written that met with `writer`.
SINTER_INLINE void stage_writer::write_last_check(const std::string& writer, const std::string& counter,
                                                  const std::string& count) {
    line("__shared__ bool is_last;");
    open({"if (", writer, ")"});
    line({"is_last = arrive(&", counter, ") == ", count, " - 1;"});
    line({"if (is_last) ", counter, " = 0;"});
    close();
    line("__syncthreads();");
    line("if (!is_last) return;");
}

// Those of a stage's stores that the function of an element leaves to its caller: in packs, or to be computed again.
SINTER_INLINE sequence<std::size_t> stage_writer::left_stores(int stage, bool aligned) const {
    if (aligned) return of(stage).stores;
    return of(stage).pack_stores.empty() ? of(stage).left_stores : of(stage).pack_stores;
}

// element(is_first, i, inputs, outputs, lanes): what the stage computes for element i.
SINTER_INLINE void stage_writer::write_element_function(int stage, bool aligned, bool by_inverse) {
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
    auto is_written = [&](std::uint32_t i) { return s.here[i] && !s.loaded[i] && !s.deferred[i]; };
    write_part(is_written, [&](std::uint32_t i) {
        write_instruction(i, {by_inverse, false});
        if (facts_.persistent[i]) line({"keep", i, " = v", i, ";"});
    });
    for (std::size_t to : s.stores) {
        const bool leaves = codegen::find(left.begin(), left.end(), to) != left.end();
        line({leaves ? "u" + std::to_string(to) : stored_element(to), " = ", value(k_.stores[to].value), ";"});
    }
    for (std::uint32_t i : s.exchanged) line({"e", i, " = ", value(i), ";"});
    for (std::size_t r : s.accumulated) write_accumulation(r);
    close("};");
}

// Where the function of an element stores it: in a buffer of the thread block's rows, or in memory.
SINTER_INLINE std::string stage_writer::stored_element(std::size_t s) const {
    if (facts_.staged[s] != no_buffer) return staged_element(facts_.staged[s], "(int)i");
    return (facts_.is_repeated ? "if (inside) " : "") + element(k_.stores[s].access);
}

// An element of the thread's row, or of its row u, in a room.
SINTER_INLINE std::string stage_writer::staged_element(int buffer, const std::string& at) const {
    const std::string row =
        facts_.side_by_side ? "(threadIdx.y + " + std::to_string(facts_.row_stride) + " * u)" : "threadIdx.y";
    const std::string type = operand_type(facts_.staging[static_cast<std::size_t>(buffer)].access);
    return joined({"staged", buffer, "[place<", type, ">(", row, " * size + ", at, ")]"});
}

// Where row number u is, and whether there is one, for those who need it.
SINTER_INLINE void stage_writer::write_turn(bool row, bool inside) {
    if (!facts_.side_by_side) return;
    if (k_.how.outer_rows) {
        if (row) write_decode("(first + u)", 0, k_.kept - 1);
        at_[static_cast<std::size_t>(k_.kept - 1)] = "beside";
        return;
    }
    if (inside) line("const bool inside = is_inside(u);");
    if (!row) return;
    line("const index row = row_of(u);");
    write_decode("row", 0, k_.kept);
}

SINTER_INLINE void stage_writer::write_persistent_values(int stage) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!of(stage).used[i] || of(stage).here[i] || !facts_.outlives[i]) continue;
        std::string id = std::to_string(i);
        line({"const ", type_text(k_.body[i].type), " v", id, " = h", id, "[u];"});
        if (facts_.fixed_divisor[i]) line({"const ", divisor_type(i), " d", id, " = hd", id, "[u];"});
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
