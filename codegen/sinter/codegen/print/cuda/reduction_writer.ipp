// Bodies of reduction_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/cuda_reduces_text.hpp>
#include <sinter/codegen/print/cuda/reduction_writer.hpp>
#include <sinter/codegen/print/fill_text.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* swizzle_text =
#include <sinter/codegen/print/cuda/text/unswizzle.cuh>
    ;

// Threads have four neighbours each. Stored one by one, a warp's would reach the same sectors four times, for a quarter
// of each; neighbouring threads store neighbouring pieces of a span.
inline constexpr const char* staged_store_text =
#include <sinter/codegen/print/cuda/text/staged_store.cuh>
    ;

// Lines for a reduction by reduction_text; the second ones are added where it carries an index.
SINTER_INLINE void reduction_writer::write_for(std::size_t r, const std::string& direct,
                                               const std::string& with_index) {
    for (const std::string& text : {direct, indexed(r) ? with_index : std::string()})
        lines(reduction_text(text, r, accumulator(r), indexed(r)));
}

// The reductions of a stage that threads combine.
SINTER_INLINE sequence<std::size_t> reduction_writer::reductions_of(int stage) const {
    sequence<std::size_t> found;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (combines(k_.reductions[r]) && (stage == any_stage || k_.reductions[r].stage == stage)) found.push_back(r);
    return found;
}

// The same for each reduction.
SINTER_INLINE void reduction_writer::per_reduction(const std::string& direct, const std::string& with_index,
                                                   int stage) {
    for (std::size_t r : reductions_of(stage)) write_for(r, direct, with_index);
}

// What a reduction comes to where there are no elements.
SINTER_INLINE void reduction_writer::write_identity(std::size_t r, const std::string& condition,
                                                    const std::string& name, const std::string& at) {
    write_for(r, "if (" + condition + ") " + name + "#" + at + " = " + identity_text(k_.reductions[r]) + "{?, " + name +
                     "i#" + at + " = 0?};");
}

// An accumulator in its array, as combine takes it.
SINTER_INLINE std::string reduction_writer::values_at(std::size_t r, const std::string& name,
                                                      const std::string& at) const {
    const std::string id = std::to_string(r);
    return name + id + at + (indexed(r) ? ", " + name + "i" + id + at : "");
}

SINTER_INLINE std::string reduction_writer::combine(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    dtype a = x.accumulator();
    if (info(x.how).accumulate != accumulation::wide || kind_of(a) != 'i' || facts_.fits_int[r])
        return combine_text(x, "x", "y", "xi", "yi");
    std::string wide = "(unsigned long long)";
    return joined({"x = (long long)(", substituted(x.how, wide + "x", wide + "y"), ");"});
}

// `buffers` of them, each for one value of 256 threads; where only first elements are wanted there is nothing to
// combine.
SINTER_INLINE void reduction_writer::write_shared_buffer(int buffers) {
    if (buffers == 0) return;
    line({"__shared__ double buffer[", buffers, "][", buffer_words(k_), "];"});
}

SINTER_INLINE void reduction_writer::write_sizes() {
    const std::string kept = extents_text(0, k_.kept), reduced = extents_text(k_.kept, k_.space.size());
    if (facts_.needs_kept) line({"const index kept = ", kept, ";"});
    line({"const index reduced = ", reduced, ";"});
    if (!facts_.counts_tiles) return;
    if (k_.tree == reduce_tree::columns)
        line("const index even = (reduced + 4095) / 4096, size = even <= 512 ? 512 : (even + 7) / 8 * 8;");
    const int block = row_lanes * facts_.groups;
    std::string size = k_.tree == reduce_tree::rows ? std::to_string(block) : "size",
                last = k_.tree == reduce_tree::rows ? std::to_string(block - 1) : "size - 1";
    line({"const index tiles = reduced <= ", size, " ? 1 : (reduced + ", last, ") / ", size, ";"});
}

// What the printers of reductions begin with.
SINTER_INLINE void reduction_writer::begin_reduction() {
    write_staging_functions();
    write_reduces();
}

// What combines, and the functions that take it, once for all reductions.
SINTER_INLINE void reduction_writer::write_reduces() {
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
SINTER_INLINE void reduction_writer::write_warp_lanes() {
    const auto is_of_complex = [](const reduction_step& r) { return is_complex(r.type); };
    const bool any_complex = codegen::any_of(k_.reductions.begin(), k_.reductions.end(), is_of_complex);
    out_ += fill_text(row_lanes_text,
                      {{"complex", any_complex}, {"other", facts_.from_other}, {"first", facts_.from_first}});
    if (facts_.has_gaps) out_ += swizzle_text;
    out_ += "\n";
}

// How many results of a level all threads combine to one at the most: lanes where thread blocks have combined those
// that lie 1024 apart, which are known to be no more where there is no level behind.
SINTER_INLINE int reduction_writer::most_results_of_group() const {
    return k_.how.one_level && facts_.prefetches ? 1024 : 4096;
}

SINTER_INLINE void reduction_writer::write_row_reduces() {
    out_ += thread_reduce_text;
    if (facts_.lanes > 0) {
        out_ += fill_text(short_row_reduce_text, {{"rows", std::to_string(k_.how.rows_per_thread)},
                                                  {"lanes", std::to_string(facts_.lanes)},
                                                  {"groups", std::to_string(tree_groups())},
                                                  {"is_long", facts_.fills_half ? "true" : "false"}});
        return;
    }
    // Where a thread block has a row, or little of one at a time, it comes to the end often. One H200, softmaxes of
    // rows of 8192 halves: 79.6 us by loops, 74.4 without.
    const bool by_loops = !k_.is(mapping::block_per_row) && !facts_.combines_exactly;
    out_ += fill_text(
        row_reduces_text,
        {{"quads", facts_.by_quads}, {"across", facts_.any_across}, {"block", facts_.in_turn}, {"by_loops", by_loops}});
    static_assert(results_in_shared_memory == 32, "few_reduce has a lane of a warp for each");
    if (facts_.by_levels || facts_.few_results)
        out_ += fill_text(level_reduces_text, {{"few", facts_.few_results},
                                               {"one_level", k_.how.one_level},
                                               {"by_warp", facts_.row.whole},
                                               {"most", std::to_string(most_results_of_group())},
                                               {"lanes_are_combined", facts_.prefetches}});
}

// extreme<r>, reduce_at_end<r>: the greatest or least in any order, and of a thread's elements at last.
SINTER_INLINE void reduction_writer::write_extreme(std::size_t r) {
    const stage_facts& stage = of(k_.reductions[r].stage);
    if (!stage.in_any_order && !stage.at_end) return;
    out_ += fill_text(extreme_text, {{"any_order", stage.in_any_order},
                                     {"at_end", stage.at_end},
                                     {"gaps", facts_.has_gaps},
                                     {"r", std::to_string(r)},
                                     {"extreme", k_.reductions[r].how == reduction::max ? "max" : "min"}});
}

// A call of one of them: `function<combine<r>>(first, lanes)`, of two arrays where the reduction carries an index.
SINTER_INLINE std::string reduction_writer::reduce_text(const std::string& function, std::size_t r,
                                                        const std::string& first, const std::string& at) const {
    return joined({function, "<combine", r, ">(", first, ", ", values_at(r, "a", at), ");"});
}

// The same of results of a level, of values and of indices, to where accumulators are.
SINTER_INLINE std::string reduction_writer::levels_text(const std::string& function, std::size_t r,
                                                        const std::string& first,
                                                        const std::array<std::string, 2>& from,
                                                        const std::string& to) const {
    const std::string id = std::to_string(r);
    return joined({function, "<combine", id, ">(", first,
                   with_index(r, "level<" + accumulator(r) + ">{" + from[0] + ", " + to + id + "}",
                              "level<index>{" + from[1] + ", " + to + "i" + id + "}"),
                   ");"});
}

// combine<r>: an earlier accumulator x takes a later one y. follow<r>: it takes an element behind all of its own.
SINTER_INLINE void reduction_writer::write_combine(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    std::string xi = indexed(r) ? ", index& xi" : "", yi = indexed(r) ? ", index yi" : "";
    open({"static __device__ inline void combine", id, "(", a, "& x", xi, ", ", a, " y", yi, ")"});
    line(combine(r));
    close();
    if (!indexed(r)) return;
    open({"static __device__ inline void follow", id, "(", a, "& x", xi, ", ", a, " y", yi, ")"});
    line(follow_text(k_.reductions[r]));
    close();
}

SINTER_INLINE void reduction_writer::write_staging_functions() {
    if (!facts_.staging.empty()) out_ += staged_store_text;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
