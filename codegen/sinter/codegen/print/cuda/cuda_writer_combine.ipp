// Bodies of cuda_writer.hpp that print how accumulators combine: the reduces of a thread, a warp and a thread block,
// and what does without an order, or without a division, where that has the same bits.
#pragma once

#include <sinter/codegen/print/cuda/cuda_reduces_text.hpp>
#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/fill_text.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* swizzle_text =
#include <sinter/codegen/print/cuda/text/unswizzle.cuh>
    ;

// What combines, and the functions that take it, once for all reductions.
SINTER_INLINE void cuda_writer::write_reduces() {
    const bool rows = k_.tree == reduce_tree::rows;
    if (rows) write_warp_lanes();
    for (std::size_t r : reductions_of()) {
        write_combine(r);
        write_extreme(r);
    }
    if (reductions_of().empty()) return;
    if (rows) write_row_reduces();
    else out_ += fill_text(column_reduces_text, {{"chunk", facts_.by_chunks}, {"rows", facts_.by_levels}});
    out_ += "\n";
}

// What threads of a warp ask each other for.
SINTER_INLINE void cuda_writer::write_warp_lanes() {
    const auto is_of_complex = [](const reduction_step& r) { return is_complex(r.type); };
    const bool any_complex = std::any_of(k_.reductions.begin(), k_.reductions.end(), is_of_complex);
    out_ += fill_text(row_lanes_text,
                      {{"complex", any_complex}, {"other", facts_.from_other}, {"first", facts_.from_first}});
    if (facts_.has_gaps) out_ += swizzle_text;
    out_ += "\n";
}

SINTER_INLINE void cuda_writer::write_row_reduces() {
    out_ += thread_reduce_text;
    if (facts_.lanes > 0) {
        out_ += fill_text(short_row_reduce_text, {{"rows", std::to_string(k_.how.rows_per_thread)},
                                                  {"lanes", std::to_string(facts_.lanes)},
                                                  {"groups", std::to_string(tree_groups())},
                                                  {"is_long", facts_.fills_half ? "true" : "false"}});
        return;
    }
    out_ += fill_text(row_reduces_text,
                      {{"quads", facts_.by_quads}, {"across", facts_.any_across}, {"block", facts_.in_turn}});
    if (facts_.by_levels || facts_.few_results)
        out_ += fill_text(level_reduces_text, {{"few", facts_.few_results},
                                               {"by_warp", facts_.row.whole},
                                               {"half", std::to_string(results_in_shared_memory / 8)},
                                               {"lanes_are_combined", facts_.prefetches}});
}

// extreme<r>, reduce_at_end<r>: the greatest or least in any order, and of a thread's elements at last.
SINTER_INLINE void cuda_writer::write_extreme(std::size_t r) {
    const stage_facts& stage = of(k_.reductions[r].stage);
    if (!stage.in_any_order && !stage.at_end) return;
    out_ += fill_text(extreme_text, {{"any_order", stage.in_any_order},
                                     {"at_end", stage.at_end},
                                     {"gaps", facts_.has_gaps},
                                     {"r", std::to_string(r)},
                                     {"extreme", k_.reductions[r].how == reduction::max ? "max" : "min"}});
}

// A call of one of them: `function<combine<r>>(first, lanes)`, of two arrays where the reduction carries an index.
SINTER_INLINE std::string cuda_writer::reduce_text(const std::string& function, std::size_t r, const std::string& first,
                                                   const std::string& at) const {
    return function + "<combine" + std::to_string(r) + ">(" + first + ", " + values_at(r, "a", at) + ");";
}

// The same of results of a level, of values and of indices, to where accumulators are.
SINTER_INLINE std::string cuda_writer::levels_text(const std::string& function, std::size_t r, const std::string& first,
                                                   const std::array<std::string, 2>& from,
                                                   const std::string& to) const {
    const std::string id = std::to_string(r);
    return function + "<combine" + id + ">(" + first +
           with_index(r, "level<" + accumulator(r) + ">{" + from[0] + ", " + to + id + "}",
                      "level<index>{" + from[1] + ", " + to + "i" + id + "}") +
           ");";
}

// combine<r>: an earlier accumulator x takes a later one y. follow<r>: it takes an element behind all of its own.
SINTER_INLINE void cuda_writer::write_combine(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    std::string xi = indexed(r) ? ", index& xi" : "", yi = indexed(r) ? ", index yi" : "";
    open("static __device__ inline void combine" + id + "(" + a + "& x" + xi + ", " + a + " y" + yi + ")");
    line(combine(r));
    close();
    if (!indexed(r)) return;
    open("static __device__ inline void follow" + id + "(" + a + "& x" + xi + ", " + a + " y" + yi + ")");
    line(follow_text(k_.reductions[r]));
    close();
}

// What a thread has of a group of four lanes to where a warp finds it.
SINTER_INLINE void cuda_writer::write_into_buffer(std::size_t r, const std::string& buffer, const std::string& a,
                                                  bool block_striped) {
    const bool quads = block_striped && !facts_.across[r];
    const std::string place = !block_striped ? "t"
                              : quads        ? "64 * c + t / 4"
                                             : "t / 4 + 128 * (t % 2) + 64 * (t / 2 % 2)";
    const std::string at = "[" + place + "] = ", lane = quads ? "[c]" : "[0]";
    const std::string to = "((" + accumulator(r) + "*)(" + buffer + "))" + at + a + lane;
    const std::string index = ", ((index*)(" + buffer + " + 256))" + at + "ai" + a.substr(1) + lane;
    if (quads) line("#pragma unroll");
    line((quads ? "for (int c = 0; c < 4; ++c) if (t % 4 == 0) " : "") + to + (indexed(r) ? index + ";" : ";"));
}

// Four lanes of each of a stage's reductions to one: a thread's, or those of four neighbouring threads.
SINTER_INLINE void cuda_writer::write_thread_reduces(int stage) {
    for (std::size_t r : reductions_of(stage)) {
        const bool quads = takes_striped() && !facts_.across[r];
        if (quads) line("#pragma unroll");
        line(quads ? "for (int c = 0; c < 4; ++c) " + reduce_text("quad_reduce", r, "lanes - 256 * c - t", "[c]")
             : takes_striped() ? reduce_text("reduce_across", r, "lanes, t")
                               : reduce_text("thread_reduce", r, tile_ != tile_kind::any ? "4" : "lanes - 4 * t"));
    }
}

// What all threads have of each of a stage's reductions to one value, of up to four at once after a single wait: a warp
// for each, whose first thread then does something with it. Threads that are ahead find other rooms than those of the
// time before.
SINTER_INLINE void cuda_writer::write_buffer_reduces(int stage, const std::string& lanes,
                                                     const std::function<void(std::size_t)>& then) {
    constexpr std::size_t most = 4;
    const sequence<std::size_t> which = reductions_of(stage);
    auto buffer = [](std::size_t i) { return "buffer[buffer_phase + " + std::to_string(i) + "]"; };
    for (std::size_t first = 0; first < which.size(); first += most) {
        const std::size_t end = std::min(first + most, which.size());
        line("buffer_phase = " + std::to_string(std::min(reductions_of().size(), most)) + " - buffer_phase;");
        for (std::size_t n = first; n < end; ++n)
            write_into_buffer(which[n], buffer(n - first), "a" + std::to_string(which[n]), takes_striped());
        line("__syncthreads();");
        for (std::size_t n = first; n < end; ++n) {
            open("if (t / 32 == " + std::to_string(n - first) + ")");
            line(reduce_text("buffer_reduce", which[n], buffer(n - first) + ", t % 32, (" + lanes + " + 3) / 4"));
            open("if (t % 32 == 0)");
            then(which[n]);
            close();
            close();
        }
    }
}

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
