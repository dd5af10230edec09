// Bodies of host_writer.hpp that print maps whose operands are turned in the cache, tile by tile.
#pragma once

#include <sinter/codegen/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool turns_tiles(const kernel& k) {
    if (k.tile == 0) return false;
    for (const instruction& i : k.body)
        if (i.kind == instruction_kind::gather || i.kind == instruction_kind::invoke || is_vector_call(i)) return false;
    return true;
}

SINTER_INLINE std::int64_t turned_tiles(const kernel& k) {
    const std::int64_t across = k.space.back(), along = k.space[k.tile_axis];
    auto tiles = [&](std::int64_t n) { return (n + k.tile - 1) / k.tile; };
    return tiles(across) * tiles(along) * (k.kept_size() / across / along);
}

// The coordinates of tile i's first element, and its size: m columns along the innermost axis, `rows` along the other.
SINTER_INLINE void host_writer::write_tile_position() {
    const std::string side = std::to_string(k_.tile), p = std::to_string(k_.tile_axis), q = std::to_string(inner_axis_);
    line("long long rest = i;");
    for (const std::string& axis : {q, p}) {
        const std::string n = "n" + axis, tiles = "((" + n + " + " + std::to_string(k_.tile - 1) + ") / " + side + ")";
        line("const long long first_" + axis + " = rest % " + tiles + " * " + side + ";");
        line("rest /= " + tiles + ";");
    }
    for (int axis = inner_axis_; axis-- > 0;) {
        if (axis == k_.tile_axis) continue;
        const std::string id = std::to_string(axis);
        line("const long long i" + id + " = rest % n" + id + ";");
        line("rest /= n" + id + ";");
    }
    line("const long long i" + q + " = first_" + q + ";");
    line("const int m = n" + q + " - i" + q + " < " + side + " ? (int)(n" + q + " - i" + q + ") : " + side + ";");
    line("const int rows = n" + p + " - first_" + p + " < " + side + " ? (int)(n" + p + " - first_" + p + ") : " + side + ";");
}

// Reads each turned operand along its own lines of memory.
SINTER_INLINE void host_writer::write_turned_loads(const tile_axes& t) {
    const std::string side = "[" + std::to_string(k_.tile) + "]", p = std::to_string(k_.tile_axis);
    auto is_turned = [&](std::size_t a) { return k_.advances[a] == advance::turned && used_in(a); };
    for (std::size_t a = 0; a < k_.accesses.size(); ++a)
        if (is_turned(a))
            line(type_text(k_.operands[static_cast<std::size_t>(k_.accesses[a].operand)].type) + number_text(" tile", a) + side + side + ";");
    open("");
    line("const long long i" + p + " = first_" + p + ";");
    write_pointers(t);
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        if (!is_turned(a)) continue;
        const std::string id = std::to_string(a);
        line("for (int l = 0; l < m; ++l)");
        line("    for (int r = 0; r < rows; ++r) tile" + id + "[r][l] = p" + id + "[l * s" + id + "_" + std::to_string(inner_axis_) + " + r];");
    }
    close();
}

SINTER_INLINE void host_writer::write_turned_tiles(const tile_axes& t) {
    const std::string p = std::to_string(k_.tile_axis);
    open("for (long long i = begin; i < end; ++i)");
    write_tile_position();
    write_turned_loads(t);
    open("for (int r = 0; r < rows; ++r)");
    line("const long long i" + p + " = first_" + p + " + r;");
    write_pointers(t);
    line("#pragma GCC ivdep");
    open("for (int l = 0; l < m; ++l)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i]) write_instruction(i, "l", false);
    for (const store& s : k_.stores) line(element(s.access, "l") + " = " + value(s.value) + ";");
    close();
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
