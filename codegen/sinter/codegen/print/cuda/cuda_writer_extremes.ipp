// Bodies of cuda_writer.hpp that print what does without an order, or without a division, where that has the same bits,
// and how it is seen that it has not.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void cuda_writer::write_end_reduces(int stage) {
    const std::string swizzle = tile_ == tile_kind::swizzled ? "swizzle" : "0";
    per_reduction("reduce_at_end#(all#, a#, " + swizzle + ");", "", stage);
}

// A row's greatest or least in any order, and, unless that is neither zero nor NaN, the head of what finds it in order.
SINTER_INLINE void cuda_writer::write_extremes(int stage) {
    std::string unclear;
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r);
        line("r" + id + " = " + (k_.reductions[r].how == reduction::max ? "-1.0f / 0.0f;" : "1.0f / 0.0f;"));
        unclear += (unclear.empty() ? "!(fabsf(r" : " || !(fabsf(r") + id + ") > 0)";
    }
    line("#pragma unroll");
    open("for (int g = 0; g < " + std::to_string(row_groups()) + "; ++g)");
    line("const int l = " + group_begin() + ";");
    write_group_check();
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    if (const std::string check = unless_whole("if (" + group_element() + " >= size)"); !check.empty())
        line(check + " continue;");
    const bool exchanges = !of(stage).exchanged.empty();
    for (std::uint32_t i : of(stage).exchanged) line("float e" + std::to_string(i) + ";");
    if (!exchanges) per_reduction("@ y#;", "", stage);
    list("element", element_arguments(stage, "true", exchanges ? "e" : "y", ""), ");");
    for (std::size_t r : reductions_of(stage))
        write_for(r,
                  "r# = extreme#(r#, " +
                      (exchanges ? "e" + std::to_string(k_.reductions[r].argument) : std::string("y#")) + ");",
                  "");
    close();
    close();
    line("#pragma unroll");
    open("for (int h = " + std::to_string(facts_.lanes / 2) + "; h > 0; h /= 2)");
    per_reduction("r# = extreme#(r#, from_other(r#, h));", "", stage);
    close();
    line("// Of zeros and NaN the first counts.");
    open("if (__ballot_sync(0xffffffffu, " + unclear + ") != 0)");
}

// What computes four elements, by the name of an element's function and its further arguments: by the inverse, and
// again where that was not sure to be exact.
SINTER_INLINE void cuda_writer::write_by_inverse(
    int stage, const std::function<void(const std::string& element, const texts& more)>& write) {
    const std::uint32_t divisor = of(stage).divisor;
    if (divisor == no_load) return write("element", {});
    line("float least = 3.402823466e38f;");
    write("element_by_inverse", {"least"});
    open("if (!(least >= divisor" + std::to_string(divisor) + ".least))");
    write("element", {});
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
