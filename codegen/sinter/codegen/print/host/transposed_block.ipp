// Bodies of transposed_block.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/transposed_block.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string transposed_vectors(int size) {
    const int down = 16 / size;
    const std::string word = size == 1 ? "char" : size == 2 ? "short" : size == 4 ? "int" : "long long";
    auto declare = [&](const std::string& name, int bytes) {
        return joined({"typedef unsigned ", word, " ", name, " __attribute__((vector_size(", bytes, "), aligned(", size,
                       "), may_alias));\n"});
    };
    auto shuffle = [&](const std::string& name, int from) {
        std::string places;
        for (int half : {0, down})
            for (int i = half + from; i < half + from + down / 2; ++i)
                places += number_text(", ", i) + number_text(", ", 2 * down + i);
        return joined({"const auto ", name, " = [](whole_t x, whole_t y) { return __builtin_shufflevector(x, y", places,
                       "); };\n"});
    };
    return declare("half_t", 16) + declare("whole_t", 32) + shuffle("low", 0) + shuffle("high", down / 2);
}

SINTER_INLINE std::string transposed_block(int down, callback<std::string(int)> from, callback<std::string(int)> to) {
    auto at = [&](int stage, int k) { return number_text("v", stage) + number_text("_", k); };
    std::string all, text;
    for (int i = 0; i < 2 * down; ++i) all += number_text(", ", i);
    for (int k = 0; k < down; ++k)
        text += joined({"const whole_t ", at(0, k), " = __builtin_shufflevector(*(const half_t*)(", from(k),
                        "), *(const half_t*)(", from(k + down), ")", all, ");\n"});
    int stage = 0;
    for (int done = 1; done < down; done *= 2, ++stage)
        for (int k = 0; k < down; ++k)
            text += joined({"const whole_t ", at(stage + 1, k), k % 2 ? " = high(" : " = low(", at(stage, k / 2), ", ",
                            at(stage, (k + down) / 2), ");\n"});
    for (int k = 0; k < down; ++k) text += joined({"*(whole_t*)(", to(k), ") = ", at(stage, k), ";\n"});
    return text;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
