// Bodies of cuda_writer.hpp for random words: the neighbours of one thread take theirs from one block of a generator's
// words.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// The number that a word is drawn at, where the thread stands.
SINTER_INLINE std::string cuda_writer::draw_counter(std::uint32_t i) const {
    std::string at = "(unsigned long long)(" + position(static_cast<std::uint32_t>(draws_[i].number)) + ")";
    return draws_[i].parity < 0 ? at : "(" + at + (draws_[i].parity ? " | 1)" : " & ~1ull)");
}

// The block or blocks of words for a thread's neighbours, once for all that draw from them.
SINTER_INLINE void cuda_writer::write_draw(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const draw& d = draws_[i];
    if (d.block != i) return;
    int words = words_of_draw(k_, i), blocks = k_.how.vector_width / words;
    // A number of 32 bits is divided as one, which takes half as many instructions.
    std::string w = "w" + std::to_string(i), at = std::string("(") + index_.unsigned_type + ")(";
    at += position(static_cast<std::uint32_t>(d.number)) + ") / " + std::to_string(words);
    std::string seed = ", " + value(v.args[1]) + ", " + value(v.args[2]) + ");";
    if (blocks == 1) return line("const scalar::philox_words " + w + " = scalar::philox(" + at + seed);
    line("scalar::philox_words " + w + "[" + std::to_string(blocks) + "];");
    line("#pragma unroll");
    line("for (int b = 0; b < " + std::to_string(blocks) + "; ++b) " + w + "[b] = scalar::philox(" + at + " + b" +
         seed);
}

// The word of one of the neighbours.
SINTER_INLINE std::string cuda_writer::drawn_word(std::uint32_t i, const std::string& lane) const {
    const draw& d = draws_[i];
    int words = words_of_draw(k_, i), blocks = k_.how.vector_width / words;
    std::string w = "w" + std::to_string(d.block), which = d.parity < 0 ? lane
                                                           : d.parity   ? lane + " | 1"
                                                                        : lane + " & ~1";
    if (blocks > 1) {
        w += "[" + lane + " / " + std::to_string(words) + "]";
        which = (d.parity < 0 ? which : "(" + which + ")") + " % " + std::to_string(words);
    }
    return std::string(words == 4 ? "scalar::short_word(" : "scalar::long_word(") + w + ", " + which + ")";
}

}  // namespace sinter::inline SINTER_ABI::codegen
