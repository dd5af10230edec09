// Bodies of host_draw_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/host_draw_writer.hpp>
#include <sinter/codegen/schedule/draws.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// A word by a number of its element's own, from the generator's one sequence.
SINTER_INLINE bool host_draw_writer::is_draw(std::uint32_t i) const {
    if (words_of_draw(k_, i) == 0) return false;
    const sequence<std::uint32_t>& args = k_.body[i].args;
    return !is_uniform_here(args[0]) && is_uniform_here(args[1]) && is_uniform_here(args[2]);
}

// Where all numbers of a tile lie close behind the first one's block, each block is computed once.
SINTER_INLINE void host_draw_writer::write_draw(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const int words = words_of_draw(k_, i);
    const std::string number = value(v.args[0]), each = std::to_string(words), to = number_text("t", i) + "[l] = ";
    const std::string keys = joined({", ", value(v.args[1]), ", ", value(v.args[2]), ")"});
    const std::string type = type_text(v.type), most = std::to_string(width_ + 2 * words);
    open("");
    line("unsigned long long base = 0, reach = 0;");
    line({"for (int l = 0; l < 1; ++l) base = ", number, " / ", each, " * ", each, ";"});
    unroll();
    line({"for (int l = 0; l < m; ++l) reach = ", number, " - base > reach ? ", number, " - base : reach;"});
    open({"if (reach < ", most, ")"});
    line({type, " drawn[", width_ + (2 + blocks_at_once) * words, "];"});
    line({"scalar::philox_blocks(base / ", each, ", (int)reach / ", each, " + 1, ", value(v.args[1]), ", ",
          value(v.args[2]), ", drawn);"});
    open_lanes();
    line({to, "drawn[", number, " - base];"});
    close();
    close("} else {");
    open_lanes();
    line({to, "scalar::philox_", words == 4 ? "32(" : "64(", number, keys, ";"});
    close();
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
