// Bodies of host_transpose_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/maps/host_transpose_writer.hpp>
#include <sinter/codegen/print/host/transposed_block.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// One function for each type that is transposed.
SINTER_INLINE void host_transpose_writer::write_transposes() {
    sequence<dtype> types;
    for (std::size_t a = 0; a < k_.accesses.size(); ++a)
        if (map_.transposed[a] && codegen::find(types.begin(), types.end(), type_of_access(a)) == types.end())
            types.push_back(type_of_access(a));
    for (dtype type : types) write_transpose(type);
}

// What lies in m lines of memory, `step` elements apart, or those of joined axes where `steps` says, becomes the
// columns of a tile; where it is cut off, one by one, which compilers would take long to make vectors of.
SINTER_INLINE void host_transpose_writer::write_transpose(dtype type) {
    const int across = 32 / size_of(type), down = across / 2;
    const std::string text = stored_text(type), side = std::to_string(map_.side), place = "to[r * " + side + " + l]";
    open({"static void transpose(", text, "* to, const ", text, "* from, ",
          map_.joins ? "const long long* steps" : "long long step", ", int m, int rows)"});
    if (down > 1) {
        const std::string wide = std::to_string(across), high = std::to_string(down);
        line({"const int whole = m / ", wide, " * ", wide, ", down = rows / ", high, " * ", high, ";"});
        lines(transposed_vectors(size_of(type)));
        open({"for (int l = 0; l < whole; l += ", wide, ")"});
        for (int k = 0; map_.joins && k < across; ++k) line({"const auto* p", k, " = from + steps[l + ", k, "];"});
        open({"for (int r = 0; r < down; r += ", high, ")"});
        if (!map_.joins) line("const auto* p = from + l * step + r;");
        line({"auto* q = to + r * ", side, " + l;"});
        auto line_of = [&](int k) {
            return number_text(map_.joins ? "p" : "p + ", k) + (map_.joins ? " + r" : " * step");
        };
        lines(transposed_block(down, line_of, [&](int k) { return number_text("q + ", k * map_.side); }));
        close();
        close();
    }
    line("for (int l = 0; l < m; ++l)");
    open(down > 1 ? "    for (int r = l < whole ? down : 0; r < rows; ++r)" : "    for (int r = 0; r < rows; ++r)");
    line({"    ", place, map_.joins ? " = from[steps[l] + r];" : " = from[l * step + r];"});
    if (down > 1) line("    __asm__ volatile(\"\");");
    close("    }");
    close();
    line("");
}

// A square's tiles in the order (0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), …, so that the second of two that read
// the same memory finds it in a cache. The root of a whole number of up to 52 bits is never rounded up to the next one.
SINTER_INLINE void host_transpose_writer::write_mirrored_order(const std::string& p, const std::string& q) {
    if (!map_.mirrored) return;
    open({"if (tiles", p, " == tiles", q, ")"});
    line({"const long long place = number % (tiles", p, " * tiles", q, ");"});
    line("const long long shell = (long long)__builtin_sqrt((double)place), in_shell = place - shell * shell;");
    line("along = in_shell % 2 ? in_shell / 2 : shell;");
    line("across = in_shell % 2 ? shell : in_shell / 2;");
    close();
}

SINTER_INLINE std::string host_transpose_writer::all_lines() const {
    std::string product;
    for (int axis = map_.axis + 1; axis <= inner_axis_; ++axis)
        product += (product.empty() ? "n" : " * n") + std::to_string(axis);
    return product;
}

// Where the first line of a tile stands along the joined axes.
SINTER_INLINE void host_transpose_writer::write_first_line() {
    line("long long left = at.line;");
    for (int axis = inner_axis_; axis > map_.axis; --axis) {
        const std::string id = std::to_string(axis);
        line({"at.i[", id, "] = left", axis > map_.axis + 1 ? " % n" + id : "", ";"});
        if (axis > map_.axis + 1) line({"left /= n", id, ";"});
    }
}

// Where the lines of a tile begin, which follow each other along the joined axes.
SINTER_INLINE void host_transpose_writer::write_steps(const std::string& id) {
    const std::string side = std::to_string(map_.side), inner = std::to_string(inner_axis_);
    open({"const auto find_steps", id, " = [&](const point& at, long long* to)"});
    line({"const int m = lines - at.line < ", side, " ? (int)(lines - at.line) : ", side, ";"});
    std::string first;
    for (int axis = map_.axis + 1; axis <= inner_axis_; ++axis) {
        const std::string i = std::to_string(axis);
        line({"long long i", i, " = at.i[", i, "];"});
        if (axis < inner_axis_) first += joined({first.empty() ? "i" : " + i", i, " * s", id, "_", i});
    }
    open("for (int l = 0; l < m;)");
    line({"const long long first = ", first, ";"});
    line({"for (; l < m && i", inner, " < n", inner, "; ++i", inner, ") to[l++] = first + i", inner, " * s", id, "_",
          inner, ";"});
    line({"if (i", inner, " < n", inner, ") break;"});
    line({"i", inner, " = 0;"});
    for (int axis = inner_axis_ - 1; axis > map_.axis; --axis) {
        const std::string i = std::to_string(axis);
        line(axis > map_.axis + 1 ? "if (++i" + i + " < n" + i + ") continue;" : "++i" + i + ";");
        if (axis > map_.axis + 1) line({"i", i, " = 0;"});
    }
    close();
    close("};");
    line({"long long steps", id, "[2][", side, "] = {};"});
}

// The first point of a tile by its number.
SINTER_INLINE void host_transpose_writer::write_tile_order() {
    const std::string side = std::to_string(map_.side), p = std::to_string(map_.axis), q = std::to_string(inner_axis_);
    line({"struct point { long long ", map_.joins ? "line, " : "", "i[", k_.space.size(), "]; };"});
    if (map_.joins) line({"const long long lines = ", all_lines(), ";"});
    for (const std::string& axis : {p, q})
        line({"const long long tiles", axis, " = (", axis == q && map_.joins ? "lines" : "n" + axis, " + ",
              map_.side - 1, ") / ", side, ";"});
    open("const auto tile_at = [&](long long number)");
    line({"long long along = number / tiles", q, " % tiles", p, ", across = number % tiles", q, ";"});
    write_mirrored_order(p, q);
    line("point at;");
    line({"at.i[", p, "] = along * ", side, ";"});
    if (map_.joins) line({"at.line = across * ", side, ";"});
    else line({"at.i[", q, "] = across * ", side, ";"});
    if (map_.joins) write_first_line();
    line({"long long rest = number / (tiles", p, " * tiles", q, ");"});
    for (int axis = map_.joins ? map_.axis : inner_axis_; axis-- > 0;) {
        if (axis == map_.axis) continue;
        const std::string id = std::to_string(axis);
        line({"at.i[", id, "] = rest % n", id, ";"});
        line({"rest /= n", id, ";"});
    }
    line("return at;");
    close("};");
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        if (!map_.transposed[a]) continue;
        const std::string id = std::to_string(a);
        std::string sum = number_text("x", k_.accesses[a].operand);
        for (int axis = 0; axis < (map_.joins ? map_.axis + 1 : k_.space.size()); ++axis)
            sum += joined({" + at.i[", axis, "] * s", id, "_", axis});
        line({"const auto corner", id, " = [&](const point& at) { return ", sum, "; };"});
        if (map_.joins) write_steps(id);
    }
}

// Where the tile begins, and its size: m columns along the innermost axis, `rows` along the other.
SINTER_INLINE void host_transpose_writer::write_tile_position() {
    const std::string side = std::to_string(map_.side);
    line("const point here = next;");
    line("next = tile_at(i + 1 < end ? i + 1 : i);");
    for (int axis = 0; axis < k_.space.size(); ++axis) {
        const std::string id = std::to_string(axis);
        if (axis != map_.axis) line({"const long long i", id, " = here.i[", id, "];"});
    }
    for (int axis : {inner_axis_, map_.axis}) {
        const std::string id = std::to_string(axis), left = axis == inner_axis_ && map_.joins
                                                                ? "lines - here.line"
                                                                : "n" + id + " - here.i[" + id + "]";
        const std::string name = axis == inner_axis_ ? "const int m" : "const int rows";
        line({name, " = ", left, " < ", side, " ? (int)(", left, ") : ", side, ";"});
    }
}

// Reads each transposed operand along its own lines of memory.
SINTER_INLINE void host_transpose_writer::write_transposed_loads() {
    const std::string side = joined({"[", map_.side, "]"});
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        if (!map_.transposed[a]) continue;
        const std::string id = std::to_string(a);
        line({"alignas(64) ", stored_text(type_of_access(a)), " tile", id, side, side, ";"});
        line({"transpose(tile", id, "[0], corner", id, "(here), ",
              map_.joins ? "steps" + id + "[i % 2]" : "s" + id + "_" + std::to_string(inner_axis_), ", m, rows);"});
        line({"const auto* ahead", id, " = corner", id, "(next);"});
        if (map_.joins) line({"find_steps", id, "(next, steps", id, "[(i + 1) % 2]);"});
    }
}

// Lines of memory that no processor expects, those that the next tile transposes, come while this one is computed.
SINTER_INLINE void host_transpose_writer::write_loads_ahead() {
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        if (!map_.transposed[a]) continue;
        const std::string id = std::to_string(a);
        const int size = size_of(type_of_access(a));
        if (map_.joins) {
            open({"for (int l = r; l < ", map_.side, "; l += rows)"});
            line({"for (int k = 0; k <= rows * ", size, " / 64; ++k) __builtin_prefetch((const char*)(ahead", id,
                  " + steps", id, "[(i + 1) % 2][l]) + 64 * k, 0, 2);"});
            close();
            continue;
        }
        const std::string last = std::to_string(map_.side * size / 64);
        line({"for (int k = 0; k <= ", last, "; ++k) __builtin_prefetch((const char*)(ahead", id, " + r * s", id, "_",
              inner_axis_, ") + 64 * k, 0, 2);"});
    }
}

SINTER_INLINE void host_transpose_writer::write_tile_row(const tile_axes& t) {
    if (last_phase_ > 0) {
        write_loops(t);
        return write_stores(t);
    }
    open_lanes();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i]) write_instruction(i, "l", false);
    for (const store& s : k_.stores) line(assignment(k_.body[s.value].type, element(s.access, "l"), value(s.value)));
    close();
}

SINTER_INLINE void host_transpose_writer::write_transposed_tiles(const tile_axes& t) {
    const std::string p = std::to_string(map_.axis);
    width_ = map_.side;
    if (last_phase_ > 0) write_arrays();
    write_tile_order();
    line("point next = tile_at(begin);");
    for (std::size_t a = 0; map_.joins && a < k_.accesses.size(); ++a)
        if (map_.transposed[a]) line({"find_steps", a, "(next, steps", a, "[begin % 2]);"});
    open("for (long long i = begin; i < end; ++i)");
    write_tile_position();
    write_transposed_loads();
    open("for (int r = 0; r < rows; ++r)");
    line({"const long long i", p, " = here.i[", p, "] + r;"});
    write_loads_ahead();
    write_pointers(t);
    write_tile_row(t);
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
