// Bodies of host_writer.hpp that print how reductions find the place of an extreme element.
//
// The first of the extreme elements is the same in every order, and so is the first NaN. So elements are taken from the
// first to the last, where none but a better one can win over an earlier one.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// The value at element l of a tile as the accumulator holds it.
SINTER_INLINE std::string host_writer::accumulated(std::size_t r) const {
    return element_text(k_.reductions[r], value(k_.reductions[r].argument), origins_lie_along() ? "[l]" : "");
}

// As wide as the elements where they are wide, so that both fill vectors alike.
SINTER_INLINE std::string host_writer::place_type(std::size_t r) const {
    return size_of(accumulator_type(k_.reductions[r].how, k_.reductions[r].type)) == 8 ? "long long" : "int";
}

// Whether a later element takes the place of an earlier one; without branches.
SINTER_INLINE std::string host_writer::wins(std::size_t r, const std::string& later, const std::string& earlier) const {
    const reduction how = k_.reductions[r].how;
    if (is_floating(k_.reductions[r].type)) return substituted(how, earlier, later);
    return later + (prefers_lower(how) ? " < " : " > ") + earlier;
}

// place<r>: the first of the extreme elements of a tile, which is left in *best; reduce<r>: the best of all blocks.
SINTER_INLINE void host_writer::write_place(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r), tile = std::to_string(host_tile);
    const std::string half = std::to_string(host_tile / 2), few = "16";
    const bool has_nan = is_floating(k_.reductions[r].type);
    open("static int place" + id + "(" + a + "* f, int m, " + a + "* best)");
    open("if (m <= " + few + ")");
    line("int place = 0;");
    line("for (int l = 1; l < m; ++l) if (" + wins(r, "f[l]", "f[place]") + ") place = l;");
    line("*best = f[place];");
    line("return place;");
    close();
    line("for (int l = m; l < " + tile + "; ++l) f[l] = f[0];");
    line(a + " h[" + half + "];");
    const std::string other = "f[l + " + half + "]";
    line("for (int l = 0; l < " + half + "; ++l) h[l] = " + wins(r, other, "f[l]") + " ? " + other + " : f[l];");
    line("for (int s = " + half + " / 2; s > 0; s /= 2)");
    line("    for (int l = 0; l < s; ++l) h[l] = " + wins(r, "h[l + s]", "h[l]") + " ? h[l + s] : h[l];");
    line("const " + a + " b = h[0];");
    line(place_type(r) + " place = " + tile + ";");
    open("for (int l = 0; l < " + tile + "; ++l)");
    const std::string equal = has_nan ? "(f[l] == b) | ((f[l] != f[l]) & (b != b))" : "f[l] == b";
    line("const " + place_type(r) + " here = " + equal + " ? l : " + tile + ";");
    line("place = here < place ? here : place;");
    close();
    line("*best = b;");
    line("return (int)place;");
    close();
    open("static void reduce" + id + "(" + a + "* a, long long* ai, long long count)");
    line("for (long long part = 1; part < count; ++part)");
    line("    if (" + wins(r, "a[part]", "a[0]") + ") { a[0] = a[part]; ai[0] = ai[part]; }");
    close();
}

// Tiles where no element is better than the best one so far are the most; only in others its place is looked for.
SINTER_INLINE void host_writer::write_place_of_tile(std::size_t r) {
    const std::string id = std::to_string(r), v = accumulated(r);
    const dtype type = accumulator_type(k_.reductions[r].how, k_.reductions[r].type);
    const int size = size_of(type);
    const std::string flag = size == 8 ? "long long" : size == 4 ? "int" : size == 2 ? "short" : "signed char";
    open("");
    line("const int l = 0;");
    line("if (i == first) a" + id + "[0] = " + v + ", ai" + id + "[0] = i;");
    close();
    open("");
    line("const " + accumulator(r) + " best = a" + id + "[0];");
    line(flag + " better = 0;");
    unroll();
    open("for (int l = 0; l < m; ++l)");
    line("const " + accumulator(r) + " y = " + v + ";");
    line("better |= " + wins(r, "y", "best") + " ? -1 : 0;");
    close();
    open("if (better)");
    line(accumulator(r) + " f[" + std::to_string(host_tile) + "];");
    unroll();
    line("for (int l = 0; l < m; ++l) f[l] = " + v + ";");
    line("ai" + id + "[0] = i + place" + id + "(f, m, a" + id + ");");
    close();
    close();
}

// One row of columns beside each other: their best elements and the rows of these, counted from the first of the chunk.
SINTER_INLINE void host_writer::write_places_of_row(std::size_t r) {
    const std::string id = std::to_string(r), best = "a" + id + "[0][l]", at = "at" + id + "[l]";
    open("if (row == first)");
    unroll();
    line("for (int l = 0; l < m; ++l) " + best + " = " + accumulated(r) + ";");
    unroll();
    line("for (int l = 0; l < m; ++l) " + at + " = 0;");
    close("} else {");
    ++depth_;
    line("const " + place_type(r) + " place = (" + place_type(r) + ")(row - first);");
    open_lanes();
    line("const " + accumulator(r) + " x = " + best + ", y = " + accumulated(r) + ";");
    line("const bool later = " + wins(r, "y", "x") + ";");
    line(best + " = later ? y : x;");
    line(at + " = later ? place : " + at + ";");
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
