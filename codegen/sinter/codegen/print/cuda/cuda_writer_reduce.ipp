// Bodies of cuda_writer.hpp that print reductions in the orders of reduce_tree.hpp.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>
#include <utility>

namespace sinter::inline SINTER_ABI::codegen {

// A line for a reduction: `#` stands for its number, `@` for its accumulator's type; the second one is added where it
// carries an index.
SINTER_INLINE void cuda_writer::write_for(std::size_t r, const std::string& direct, const std::string& with_index) {
    for (const std::string& text : {direct, indexed(r) ? with_index : std::string()}) {
        std::string s;
        for (char c : text) s += c == '#' ? std::to_string(r) : c == '@' ? accumulator(r) : std::string(1, c);
        if (!s.empty()) line(s);
    }
}

// The reductions of a stage that threads join.
SINTER_INLINE sequence<std::size_t> cuda_writer::reductions_of(int stage) const {
    sequence<std::size_t> found;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (combines(k_.reductions[r]) && (stage == any_stage || k_.reductions[r].stage == stage)) found.push_back(r);
    return found;
}

// The same for each reduction.
SINTER_INLINE void cuda_writer::per_reduction(const std::string& direct, const std::string& with_index, int stage) {
    for (std::size_t r : reductions_of(stage)) write_for(r, direct, with_index);
}

SINTER_INLINE std::string cuda_writer::combine(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    dtype a = accumulator_type(x.how, x.type);
    if (info(x.how).accumulate != accumulation::wide || kind_of(a) != 'i') return combine_text(x, "x", "y", "xi", "yi");
    std::string wide = "(unsigned long long)";
    return "x = (long long)(" + substituted(x.how, wide + "x", wide + "y") + ");";
}

// `buffers` of them, each for one value of 256 threads; where only first elements are wanted there is nothing to join.
SINTER_INLINE void cuda_writer::write_shared_buffer(int buffers) {
    if (buffers == 0) return;
    line("__shared__ double buffer[" + std::to_string(buffers) + "][" + std::to_string(buffer_words(k_)) + "];");
}

SINTER_INLINE void cuda_writer::write_sizes() {
    std::string reduced, kept;
    for (int i = 0; i < k_.space.size(); ++i) {
        std::string& s = i < k_.kept ? kept : reduced;
        s += (s.empty() ? "n" : " * n") + std::to_string(i);
    }
    if (facts_.needs_kept) line("const index kept = " + kept + ";");
    line("const index reduced = " + reduced + ";");
    if (!facts_.counts_tiles) return;
    if (k_.tree == reduce_tree::columns)
        line("const index even = (reduced + 4095) / 4096, size = even <= 512 ? 512 : (even + 7) / 8 * 8;");
    std::string size = k_.tree == reduce_tree::rows ? "4096" : "size",
                last = k_.tree == reduce_tree::rows ? "4095" : "size - 1";
    line("const index tiles = reduced <= " + size + " ? 1 : (reduced + " + last + ") / " + size + ";");
}

// The first value of the row where the thread stands, for the reductions of a stage that take it from the others; every
// thread computes it for itself, once a row; none is asked for where `has_any` is empty.
SINTER_INLINE void cuda_writer::write_origins(int stage, const std::string& has_any) {
    const sequence<std::uint32_t> found = origins(k_, stage);
    if (found.empty()) return;
    sequence<char> needed(k_.body.size(), 0);
    for (std::uint32_t i : found) {
        line("double origin" + std::to_string(i) + " = 0;");
        needed[i] = 1;
    }
    for (std::uint32_t i = static_cast<std::uint32_t>(k_.body.size()); i-- > 0;) {
        if (!needed[i] || is_uniform(k_, i)) continue;
        needed[values_.circle[i]] = 1;
        for (std::uint32_t a : k_.body[i].args) needed[a] = 1;
    }
    const texts here = at_;
    const sequence<draw> draws = std::exchange(draws_, {});
    for (int axis = k_.kept; axis < k_.space.size(); ++axis) at_[static_cast<std::size_t>(axis)] = "0";
    open(has_any.empty() ? "" : "if (" + has_any + ")");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (needed[i] && !is_uniform(k_, i)) write_instruction(i);
    for (std::uint32_t i : found) line("origin" + std::to_string(i) + " = " + value(i) + ";");
    close();
    // In place, as callers hold references to where they stand.
    for (std::size_t axis = 0; axis < at_.size(); ++axis) at_[axis] = here[axis];
    draws_ = draws;
}

// accumulate(is_first, i, loaded values, lanes): the body for reduced element i, added to one lane of each reduction.
SINTER_INLINE void cuda_writer::write_accumulate() {
    texts parameters{"bool is_first", "index i"};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) parameters.push_back(type_text(k_.body[i].type) + " v" + std::to_string(i));
    for (std::size_t r : reductions_of()) {
        parameters.push_back(lane_type(r) + "& a" + std::to_string(r));
        if (indexed(r)) parameters.push_back("index& ai" + std::to_string(r));
    }
    list("const auto accumulate = [&]", parameters, ") {");
    ++depth_;
    if (facts_.decodes_element) write_decode("i", k_.kept, k_.space.size());
    write_body(0);
    for (std::size_t r : reductions_of()) write_accumulation(r);
    close("};");
}

// The type in which a thread's lanes accumulate.
SINTER_INLINE std::string cuda_writer::lane_type(std::size_t r) const {
    return facts_.narrow[r] ? "int" : accumulator(r);
}

// Adds element i to a lane.
SINTER_INLINE void cuda_writer::write_accumulation(std::size_t r) {
    const reduction_step& x = k_.reductions[r];
    std::string id = std::to_string(r), y = "y" + id, a = "a" + id, ai = "ai" + id;
    line("const " + lane_type(r) + " " + y + " = " + element_text(x, value(x.argument)) + ";");
    line(indexed(r) ? "if (is_first) " + a + " = " + y + ", " + ai + " = i;" : "if (is_first) " + a + " = " + y + ";");
    if (facts_.narrow[r]) return line("else " + a + " += " + y + ";");
    const std::string combine = (indexed(r) ? "follow" : "combine") + std::to_string(combined_as(r));
    line("else " + combine + "(" + a + (indexed(r) ? ", " + ai : "") + ", " + y + (indexed(r) ? ", i);" : ");"));
}

// Arguments of accumulate; values that callers load stand at `at`, of packs at [lane].
SINTER_INLINE cuda_writer::texts cuda_writer::accumulate_arguments(const std::string& first, const std::string& at,
                                                                   const std::string& to,
                                                                   const std::string& lane) const {
    texts arguments{first, at};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i)) continue;
        arguments.push_back(lane.empty() ? single_value(i) : lane_value(i, lane));
    }
    for (std::size_t r : reductions_of())
        for (std::string prefix : {"", "i"})
            if (prefix.empty() || indexed(r))
                arguments.push_back((facts_.narrow[r] ? "narrow" : to + prefix) + std::to_string(r) +
                                    (k_.tree == reduce_tree::rows ? "[c]" : ""));
    return arguments;
}

SINTER_INLINE void cuda_writer::write_identities(const std::string& condition, const std::string& lane) {
    for (std::size_t r : reductions_of()) {
        std::string id = std::to_string(r);
        line("if (" + condition + ") a" + id + lane + " = " + identity_text(k_.reductions[r]) +
             (indexed(r) ? ", ai" + id + lane + " = 0;" : ";"));
    }
}

// What follows the reductions, for the result at which the thread stands.
SINTER_INLINE void cuda_writer::write_epilogue() {
    write_body(1);
    write_stores(1);
    in_row_ = false;
}

// Thread blocks of a row take its blocks of 4096 elements in turn.
SINTER_INLINE void cuda_writer::write_grid_per_row() {
    begin_reduction();
    find_draws();
    write_head();
    write_sizes();
    line("const int t = threadIdx.x;");
    line("const index row = " + block_number() + ";");
    leave_beyond("row >= kept");
    line("const bool alone = gridDim.y == 1 && tiles <= 4;");
    write_shared_buffer(facts_.one_wait ? std::max(4, 2 * combined_reductions(k_)) : 4);
    per_reduction("__shared__ @ result#[4];", "__shared__ index resulti#[4];");
    write_decode("row", 0, k_.kept);
    write_origins(0, "reduced > 0");
    write_accumulate();
    if (facts_.prefetches) write_fetch();
    line("int buffer_phase = 0;");
    per_reduction("@ a#[4];", "index ai#[4];");
    for (std::size_t r : reductions_of())
        if (facts_.narrow[r]) line("int narrow" + std::to_string(r) + "[4];");
    if (facts_.prefetches && !facts_.combines_exactly) per_reduction("@ lane#;", "index lanei#;");
    line("#pragma unroll 1");
    open(facts_.prefetches ? "while (tile < tiles)" : "for (index tile = blockIdx.y; tile < tiles; tile += gridDim.y)");
    line("const index begin = tile * 4096;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
    if (facts_.combines_exactly) write_lane_ends();
    write_block_lanes();
    if (facts_.prefetches) {
        if (!facts_.combines_exactly) write_lane_ends();
        line("if (ends) lane += gridDim.y;");
        line("tile = ends ? first_of(lane) : tile + 1024;");
        line("fetch(tile);");
    }
    if (facts_.combines_exactly) write_lanes_at_once();
    else if (facts_.one_wait) write_blocks_at_once("size");
    else write_blocks_in_turn();
    close();
    if (facts_.one_wait) line("__syncthreads();");
    write_rows_end();
    per_reduction("const @ r# = a#[0];", "const index ri# = ai#[0];");
    write_epilogue();
    close();
    out_ += "\n";
}

// A block's results, one reduction after the other, by the first warp.
SINTER_INLINE void cuda_writer::write_blocks_in_turn() {
    for (std::size_t r : reductions_of()) line(reduce_text("block_reduce", r, "size, buffer[buffer_phase ^= 1]"));
    open("if (t == 0)");  // and no `continue`: the first warp's threads stay together
    for (std::size_t r : reductions_of()) write_block_result(r);
    close();
}

SINTER_INLINE void cuda_writer::write_lane_ends() {
    line("const index own = lane;");
    line("const bool opens = tile % 4096 < 1024, ends = tile % 4096 >= 3072 || tile + 1024 >= tiles;");
}

// What the last of a lane's blocks leaves: where the first of them was whole, all threads have elements.
SINTER_INLINE void cuda_writer::write_lanes_at_once() {
    open("if (ends)");
    for (std::size_t r : reductions_of()) {
        if (!facts_.narrow[r]) continue;
        const std::string id = std::to_string(r);
        line("for (int c = 0; c < 4; ++c) a" + id + "[c] = narrow" + id + "[c];");
    }
    write_blocks_at_once("(opens ? size : 4096)");
    close();
}

// The same with one wait of all threads: a warp for each reduction.
SINTER_INLINE void cuda_writer::write_blocks_at_once(const std::string& size) {
    line("const int lanes = " + size + " < 1024 ? " + size + " : 1024;");
    write_thread_reduces(0);
    write_buffer_reduces(0, "lanes", [&](std::size_t r) { write_block_result(r); });
}

// A block's result joins its lane of the next level.
SINTER_INLINE void cuda_writer::write_block_result(std::size_t r) {
    std::string id = std::to_string(r);
    line("if (size <= 0) a" + id + "[0] = " + identity_text(k_.reductions[r]) +
         (indexed(r) ? ", ai" + id + "[0] = 0;" : ";"));
    auto results = [&](const std::string& at, bool index) {
        const std::string i = index ? "i" : "", from = index ? "position" : "partial";
        return "(alone ? result" + i + id + " : " + from + id + " + row * tiles)[" + at + "] = ";
    };
    if (!facts_.prefetches) {
        line(results("tile", false) + "a" + id + "[0];");
        if (indexed(r)) line(results("tile", true) + "ai" + id + "[0];");
        return;
    }
    if (facts_.combines_exactly) return line(results("own", false) + "a" + id + "[0];");
    line("if (opens) lane" + id + " = a" + id + "[0]" + (indexed(r) ? ", lanei" + id + " = ai" + id + "[0];" : ";"));
    line("else combine" + id +
         (indexed(r) ? "(lane" + id + ", lanei" + id + ", a" + id + "[0], ai" + id + "[0]);"
                     : "(lane" + id + ", a" + id + "[0]);"));
    line("if (ends) " + results("own", false) + "lane" + id + ";");
    if (indexed(r)) line("if (ends) " + results("own", true) + "lanei" + id + ";");
}

SINTER_INLINE bool cuda_writer::is_ahead(std::uint32_t i) const {
    return facts_.prefetches && k_.body[i].stage == 0 && k_.body[i].kind == instruction_kind::load &&
           facts_.packed[k_.body[i].payload];
}

// Bytes come as one word: compilers take packs of them apart as soon as they are there, and so wait for them.
SINTER_INLINE bool cuda_writer::is_word(std::uint32_t i) const { return is_ahead(i) && size_of(k_.body[i].type) == 1; }

SINTER_INLINE std::string cuda_writer::ahead_type(std::uint32_t i) const {
    return is_word(i) ? "unsigned" : pack_at(k_.body[i].payload);
}

// fetch(part): what a thread needs of a whole block of 4096 elements.
SINTER_INLINE void cuda_writer::write_fetch() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_ahead(i)) line(ahead_type(i) + " t" + std::to_string(i) + "[4];");
    open("const auto fetch = [&](index tile)");
    line("if (tile >= reduced / 4096) return;");
    line("#pragma unroll");
    open("for (int j = 0; j < 4; ++j)");
    line("const index i = tile * 4096 + 1024 * j + 4 * t;");
    write_decode("i", k_.kept, k_.space.size());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        std::uint32_t a = k_.body[i].payload;
        if (is_ahead(i)) line("t" + std::to_string(i) + "[j] = *(const " + ahead_type(i) + "*)&" + element(a) + ";");
    }
    close();
    close("};");
    line("// What joins to one lane of the next level: up to four blocks of 4096 elements, 1024 of them apart.");
    line("const auto first_of = [](index lane) { return lane / 1024 * 4096 + lane % 1024; };");
    line("index lane = blockIdx.y, tile = first_of(lane);");
    line("fetch(tile);");
}

SINTER_INLINE void cuda_writer::write_block_lanes() {
    if (!values_.unrolls) return write_row_lanes(false);
    open("if (size == 4096)");
    write_row_lanes(true);
    close("} else {");
    write_row_lanes(false);
    close();
}

SINTER_INLINE void cuda_writer::write_row_lanes(bool whole) {
    const std::string first = facts_.combines_exactly ? "opens && j == 0" : "j == 0";
    unroll(whole ? values_.unrolls_full : values_.unrolls_part);
    open("for (int j = 0; j < 4; ++j)");
    if (whole) {
        line("const index i = begin + 1024 * j + 4 * t;");
        sequence<std::uint32_t> loads;
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (is_parameter(i) && !is_ahead(i)) loads.push_back(i);
        if (!loads.empty()) write_decode("i", k_.kept, k_.space.size());
        for (std::uint32_t i : loads) write_load(i);
        unroll_lanes();
        list("for (int c = 0; c < 4; ++c) accumulate", accumulate_arguments(first, "i + c", "a", "c"), ");");
    } else {
        unroll_lanes();
        open("for (int c = 0; c < 4; ++c)");
        line("const int l = 1024 * j + 4 * t + c;");
        const bool decodes = facts_.takes_loaded && k_.space.size() > k_.kept + 1;
        if (decodes) open("if (l < size)");
        if (facts_.takes_loaded) write_decode("(begin + l)", k_.kept, k_.space.size());
        list(decodes ? "accumulate" : "if (l < size) accumulate", accumulate_arguments(first, "begin + l", "a", ""),
             ");");
        if (decodes) close();
        close();
    }
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
