// Bodies of cuda_writer.hpp that print what does without an order, or without a division, where that has the same bits,
// and how it is seen that it has not.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// reduce_at_end<r>: a thread's elements to its four lanes.
SINTER_INLINE void cuda_writer::write_end_reduce(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r),
                      extreme = k_.reductions[r].how == reduction::max ? "max" : "min";
    line("// What is neither zero nor NaN is the same whoever joins first.");
    open("static __device__ inline void reduce_at_end" + id + "(const " + a + "* all, " + a + "* a" +
         (facts_.has_gaps ? ", int swizzle)" : ")"));
    line("#if __CUDA_ARCH__ >= 800");
    line("bool plain = true;");
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    line("asm(\"{ .reg .f32 x, y; " + extreme + ".NaN.f32 x, %1, %2; " + extreme + ".NaN.f32 y, %3, %4; " + extreme +
         ".NaN.f32 %0, x, y; }\"");
    line("    : \"=f\"(a[c]) : \"f\"(all[c]), \"f\"(all[4 + c]), \"f\"(all[8 + c]), \"f\"(all[12 + c]));");
    line("plain = plain && fabsf(a[c]) > 0;");
    close();
    line("if (plain) return;");
    line("#endif");
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    line("a[c] = all[c];");
    line("#pragma unroll");
    line("for (int g = 1; g < 4; ++g) combine" + id + "(a[c], all[4 * g + c]);");
    close();
    if (facts_.has_gaps) line("unswizzle(a, swizzle);");
    close();
}

SINTER_INLINE void cuda_writer::write_end_reduces(int stage) {
    const std::string swizzle = !facts_.has_gaps ? "" : tile_ == tile_kind::swizzled ? ", swizzle" : ", 0";
    per_reduction("reduce_at_end#(all#, a#" + swizzle + ");", "", stage);
}

// extreme<r>: the greater or lesser, or NaN where one is.
SINTER_INLINE void cuda_writer::write_extreme(std::size_t r) {
    const std::string id = std::to_string(r), how = k_.reductions[r].how == reduction::max ? "max" : "min";
    open("static __device__ inline float extreme" + id + "(float x, float y)");
    line("#if __CUDA_ARCH__ >= 800");
    line("asm(\"" + how + ".NaN.f32 %0, %1, %2;\" : \"=f\"(x) : \"f\"(x), \"f\"(y));");
    line("#else");
    line("combine" + id + "(x, y);");
    line("#endif");
    line("return x;");
    close();
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
