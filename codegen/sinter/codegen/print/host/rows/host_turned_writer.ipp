// Bodies of host_turned_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_turned_writer.hpp>
#include <sinter/codegen/print/host/transposed_block.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// One function for each type that is read, and for each that is written.
SINTER_INLINE void host_turned_writer::write_turning_functions() {
    for (bool is_load : {true, false}) {
        sequence<dtype> types;
        for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
            const dtype type = type_of_access(a);
            if (!is_turned(a) || k_.operand_of(a).written == is_load) continue;
            if (codegen::find(types.begin(), types.end(), type) != types.end()) continue;
            types.push_back(type);
            write_turning(type, is_load);
        }
    }
}

// m rows of `length` elements, `step` apart in memory. Blocks at the ends of rows overlap those before them.
SINTER_INLINE void host_turned_writer::write_turning(dtype type, bool is_load) {
    const int across = 32 / size_of(type), down = across / 2;
    const int rows_of_block = is_load ? across : down, length_of_block = is_load ? down : across;
    const std::string text = stored_text(type), tile = joined({"(*", is_load ? "to" : "from", ")[", host_tile, "]"});
    open(is_load ? joined({"static void turn(", text, " ", tile, ", const ", text,
                           "* from, long long step, int m, int length)"})
                 : joined({"static void turn_back(", text, "* to, const ", text, " ", tile,
                           ", long long step, int m, int length)"}));
    lines(transposed_vectors(size_of(type)));
    line({"const int whole = length < ", length_of_block, " ? 0 : m / ", rows_of_block, " * ", rows_of_block, ";"});
    open({"for (int l = 0; l < whole; l += ", rows_of_block, ")"});
    open({"for (int at = 0; at < length; at += ", length_of_block, ")"});
    line({"const int r = at + ", length_of_block, " <= length ? at : length - ", length_of_block, ";"});
    auto in_memory = [&](int k) { return joined({is_load ? "from" : "to", " + (l + ", k, ") * step + r"}); };
    auto in_tile = [&](int k) { return joined({is_load ? "to" : "from", "[r + ", k, "] + l"}); };
    if (is_load) lines(transposed_block(down, in_memory, in_tile));
    else lines(transposed_block(down, in_tile, in_memory));
    close();
    close();
    line("for (int r = 0; r < length; ++r)");
    line({"    for (int l = whole; l < m; ++l) ",
          is_load ? "to[r][l] = from[l * step + r];" : "to[l * step + r] = from[r][l];"});
    close();
    line("");
}

SINTER_INLINE void host_turned_writer::write_turned_tiles() {
    for (std::size_t a = 0; a < k_.accesses.size(); ++a)
        if (is_turned(a))
            line({"alignas(64) ", stored_text(type_of_access(a)), " tile", a, "[", vectorised_row, "][", host_tile,
                  "] = {};"});
}

SINTER_INLINE std::string host_turned_writer::turning(std::size_t a, bool is_load, const std::string& row,
                                                      const std::string& count) const {
    const std::string id = std::to_string(a), tile = "tile" + id;
    const std::string memory = joined({is_load ? "" : "(" + stored_text(type_of_access(a)) + "*)", "(",
                                       is_load ? "x" : "y", k_.accesses[a].operand, " + ", row, " * s", id, "_0)"});
    return joined({is_load ? "turn(" + tile + ", " + memory : "turn_back(" + memory + ", " + tile, ", s", id, "_0, ",
                   count, ", (int)reduced);"});
}

// Of all stages, before the first of them: what they store of the rows comes later.
SINTER_INLINE void host_turned_writer::write_turned_loads(const std::string& row, const std::string& count) {
    for (std::size_t a = 0; a < k_.accesses.size(); ++a)
        if (is_turned(a) && !k_.operand_of(a).written) line(turning(a, true, row, count));
}

SINTER_INLINE void host_turned_writer::write_turned_stores(const std::string& row, const std::string& count) {
    for (const store& s : k_.stores)
        if (s.stage == stage_ && is_turned(s.access)) line(turning(s.access, false, row, count));
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
