// Bodies of host_place_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_place_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Rows that lie side by side have an origin each.
SINTER_INLINE bool host_place_writer::origins_lie_along() const {
    return side_by_side_ || (k_.tree == reduce_tree::columns && !k_.is_row_kernel());
}

// A vector of lanes waits for its last comparison, which of numbers that may be NaN is two, so that long rows of such
// have more vectors; short ones wait for lanes to be combined.
SINTER_INLINE int host_place_writer::place_lanes() const {
    for (const reduction_step& r : k_.reductions) {
        const bool compares_twice = is_floating(r.type) && (r.how == reduction::argmin || r.how == reduction::argmax);
        if (is_indexed(r.how) && !compares_twice) return 32;
    }
    return k_.how.short_rows ? 32 : 64;
}

// The value at element l of a tile as the accumulator holds it.
SINTER_INLINE std::string host_place_writer::accumulated(std::size_t r) const {
    return element_text(k_.reductions[r], value(k_.reductions[r].argument), origins_lie_along() ? "[l]" : "");
}

// As wide as the elements where they are wide, so that both fill vectors alike.
SINTER_INLINE std::string host_place_writer::place_type(std::size_t r) const {
    return size_of(k_.reductions[r].accumulator()) == 8 ? "long long" : "int";
}

// Whether a later element takes the place of an earlier one; without branches.
SINTER_INLINE std::string host_place_writer::wins(std::size_t r, const std::string& later,
                                                  const std::string& earlier) const {
    const reduction how = k_.reductions[r].how;
    if (is_floating(k_.reductions[r].type)) return substituted(how, earlier, later);
    return later + (prefers_lower(how) ? " < " : " > ") + earlier;
}

// As narrow as the elements: a block of the order has few turns.
SINTER_INLINE std::string host_place_writer::turn_type(std::size_t r) const {
    const int size = size_of(accumulator_type(k_.reductions[r].how, k_.reductions[r].type));
    return size == 8 ? "long long" : size == 4 ? "int" : size == 2 ? "short" : "signed char";
}

// The first of the extreme elements is the same in every order, and so is the first NaN. So a lane takes its elements
// from the first to the last, where none but a better one can win over an earlier one, and of lanes that have equal
// ones the earliest wins.
//
// place<r>: the place of the first of the extreme elements of lanes, which is left in a[0]; reduce<r>: the best of all
// blocks.
SINTER_INLINE void host_place_writer::write_place(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r), at = place_type(r);
    const std::string lanes = std::to_string(place_lanes());
    const bool has_nan = is_floating(k_.reductions[r].type);
    open({"static long long place", id, "(", a, "* a, const ", turn_type(r), "* p, int count)"});
    line({at, " w[", lanes, "];"});
    line({"for (int l = 0; l < count; ++l) w[l] = p[l] * ", lanes, " + l;"});
    line({"for (int l = count; l < ", lanes, "; ++l) { a[l] = a[0]; w[l] = w[0]; }"});
    for (int h = place_lanes() / 2; h > 0; h /= 2) {
        open_lanes(std::to_string(h), "int l", "0", 1);
        line({"const ", a, " x = a[l], y = a[l + ", h, "];"});
        line({"const ", at, " wx = w[l], wy = w[l + ", h, "];"});
        const std::string same = has_nan ? "((y == x) | ((y != y) & (x != x)))" : "(y == x)";
        line({"const bool takes = (", wins(r, "y", "x"), ") | (", same, " & (wy < wx));"});
        line("a[l] = takes ? y : x;");
        line("w[l] = takes ? wy : wx;");
        close();
    }
    line("return w[0];");
    close();
    open({"static void reduce", id, "(", a, "* a, long long* ai, long long count)"});
    line("for (long long part = 1; part < count; ++part)");
    line({"    if (", wins(r, "a[part]", "a[0]"), ") { a[0] = a[part]; ai[0] = ai[part]; }"});
    close();
}

// Lanes and turns of elements [0, m), which lie `place` elements behind the first of the row's part; values of element
// l are printed by `write`. Two turns at a time, so that lanes are loaded and stored half as often.
template <class Write>
void host_place_writer::write_places(const sequence<std::size_t>& reductions, const std::string& place, Write write) {
    const std::string lanes = std::to_string(place_lanes()), both = std::to_string(2 * place_lanes());
    line("int from = 0;");
    open(place.empty() ? "" : "if (" + place + " == 0)");
    line({"from = m < ", lanes, " ? (int)m : ", lanes, ";"});
    open_lanes("from");
    write();
    for (std::size_t r : reductions) line({"a", r, "[l] = ", accumulated(r), ";"});
    for (std::size_t r : reductions) line({"at", r, "[l] = 0;"});
    close();
    close();
    auto write_turns = [&](int turns) {
        for (std::size_t r : reductions)
            for (int turn = 0; turn < turns; ++turn)
                line({"const ", turn_type(r), " turn", r, "_", turn, " = (", turn_type(r), ")((",
                      place.empty() ? "" : place + " + ", "from) / ", lanes, " + ", turn, ");"});
        open_lanes(turns == 1 ? "count" : lanes, "int lane", "0", place_lanes() / 16);
        for (std::size_t r : reductions)
            line({accumulator(r), " best", r, " = a", r, "[lane]; ", turn_type(r), " best_turn", r, " = at", r,
                  "[lane];"});
        for (int turn = 0; turn < turns; ++turn) {
            open("");
            line({"const long long l = from + ", turn * place_lanes(), "ll + lane;"});
            write();
            for (std::size_t r : reductions) write_later(r, number_text("turn", r) + number_text("_", turn));
            close();
        }
        for (std::size_t r : reductions) line({"a", r, "[lane] = best", r, "; at", r, "[lane] = best_turn", r, ";"});
        close();
    };
    open({"for (; m - from >= ", both, "; from += ", both, ")"});
    write_turns(2);
    close();
    open({"for (; from < m; from += ", lanes, ")"});
    line({"const int count = m - from < ", lanes, " ? (int)(m - from) : ", lanes, ";"});
    write_turns(1);
    close();
}

// An element takes its lane where it wins over what that has.
SINTER_INLINE void host_place_writer::write_later(std::size_t r, const std::string& turn) {
    const std::string element = number_text("element", r), best = number_text("best", r),
                      best_turn = number_text("best_turn", r), later = number_text("later", r);
    line({"const ", accumulator(r), " ", element, " = ", accumulated(r), ";"});
    line({"const bool ", later, " = ", wins(r, element, best), ";"});
    line({best, " = ", later, " ? ", element, " : ", best, ";"});
    line({best_turn, " = ", later, " ? ", turn, " : ", best_turn, ";"});
}

SINTER_INLINE void host_place_writer::write_place_of_tile(std::size_t r) {
    open("");
    write_places({r}, "(i - first)", [] {});
    close();
}

// One row of columns beside each other: their best elements and the rows of these, counted from the first of the chunk.
SINTER_INLINE void host_place_writer::write_places_of_row(std::size_t r) {
    const std::string id = std::to_string(r), best = "a" + id + "[0][l]", at = "at" + id + "[l]";
    open("if (row == first)");
    unroll();
    line({"for (int l = 0; l < m; ++l) ", best, " = ", accumulated(r), ";"});
    unroll();
    line({"for (int l = 0; l < m; ++l) ", at, " = 0;"});
    close("} else {");
    line({"const ", place_type(r), " place = (", place_type(r), ")(row - first);"});
    open_lanes();
    line({"const ", accumulator(r), " x = ", best, ", y = ", accumulated(r), ";"});
    line({"const bool later = ", wins(r, "y", "x"), ";"});
    line({best, " = later ? y : x;"});
    line({at, " = later ? place : ", at, ";"});
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
