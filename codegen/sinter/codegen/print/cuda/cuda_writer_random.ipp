// Bodies of cuda_writer.hpp for random words: the neighbours of one thread take theirs from one block of a generator's
// words.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// How many words of an operation a block of the generator has; 0 for other operations.
SINTER_INLINE int cuda_writer::words_of_draw(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (v.kind != instruction_kind::apply) return 0;
    return v.operation == op::philox_32 ? 4 : v.operation == op::philox_64 ? 2 : 0;
}

// Finds the words that are drawn at the element's own number, or at the even or the odd one of its pair.
SINTER_INLINE void cuda_writer::find_draws() {
    sequence<draw> found(k_.body.size(), draw{});
    auto own_number = [&](std::uint32_t i) -> std::int32_t {
        const instruction& v = k_.body[i];
        if (v.kind != instruction_kind::apply || v.operation != op::cast || v.type != dtype::uint64) return -1;
        const instruction& from = k_.body[v.args[0]];
        bool aligned = from.kind == instruction_kind::load && k_.accesses[from.payload].step == stride_class::aligned;
        return aligned ? static_cast<std::int32_t>(from.payload) : -1;
    };
    auto is_literal = [&](std::uint32_t i, std::uint64_t x) {
        return k_.body[i].kind == instruction_kind::literal && k_.literals[k_.body[i].payload].as<std::uint64_t>() == x;
    };
    bool any = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        int words = words_of_draw(i);
        if (words == 0 || k_.how.vector_width % words != 0 || is_row_stage(v.stage)) continue;
        const instruction& counter = k_.body[v.args[0]];
        draw& d = found[i];
        d.number = own_number(v.args[0]);
        bool pairs = counter.kind == instruction_kind::apply && counter.type == dtype::uint64;
        for (int k = 0; k < 2 && pairs && d.number < 0 && counter.args.size() == 2; ++k) {
            if (counter.operation == op::bitwise_and && is_literal(counter.args[k], ~std::uint64_t{1})) d.parity = 0;
            if (counter.operation == op::bitwise_or && is_literal(counter.args[k], 1)) d.parity = 1;
            if (d.parity >= 0) d.number = own_number(counter.args[1 - k]);
        }
        for (d.block = 0; d.block < i; ++d.block) {
            const instruction& w = k_.body[d.block];
            if (found[d.block].number == d.number && words_of_draw(d.block) == words && w.args[1] == v.args[1] &&
                w.args[2] == v.args[2])
                break;
        }
        any = any || d.number >= 0;
    }
    if (!any) return;
    for (const store& s : k_.stores) found[s.value].needed = true;
    for (const reduction_step& r : k_.reductions) found[r.argument].needed = true;
    for (std::size_t i = k_.body.size(); i-- > 0;)
        if (found[i].needed && found[i].number < 0)
            for (std::uint32_t a : k_.body[i].args) found[a].needed = true;
    draws_ = std::move(found);
}

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
    int words = words_of_draw(i), blocks = k_.how.vector_width / words;
    // A number of 32 bits is divided as one, which takes half as many instructions.
    std::string w = "w" + std::to_string(i), at = k_.how.wide ? "(unsigned long long)(" : "(unsigned)(";
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
    int words = words_of_draw(i), blocks = k_.how.vector_width / words;
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
