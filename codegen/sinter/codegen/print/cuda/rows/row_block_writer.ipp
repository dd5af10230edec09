// Bodies of row_block_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/rows/row_block_writer.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// What a thread has of a group of four lanes to where a warp finds it.
SINTER_INLINE void row_block_writer::write_into_buffer(std::size_t r, const std::string& buffer, const std::string& a,
                                                       bool block_striped) {
    const bool quads = block_striped && !facts_.across[r];
    const std::string place = !block_striped ? "t"
                              : quads        ? "64 * c + t / 4"
                                             : "t / 4 + 128 * (t % 2) + 64 * (t / 2 % 2)";
    const std::string at = "[" + place + "] = ", lane = quads ? "[c]" : "[0]";
    const std::string to = joined({"((", accumulator(r), "*)(", buffer, "))", at, a, lane});
    const std::string index = joined({", ((index*)(", buffer, " + 256))", at, "ai", a.substr(1), lane});
    if (quads) line("#pragma unroll");
    line((quads ? "for (int c = 0; c < 4; ++c) if (t % 4 == 0) " : "") + to + (indexed(r) ? index + ";" : ";"));
}

// Four lanes of each of a stage's reductions to one: a thread's, or those of four neighbouring threads.
SINTER_INLINE void row_block_writer::write_thread_reduces(int stage) {
    for (std::size_t r : reductions_of(stage)) {
        const bool quads = takes_striped() && !facts_.across[r];
        if (quads) line("#pragma unroll");
        line(quads ? "for (int c = 0; c < 4; ++c) " + reduce_text("quad_reduce", r, "lanes - 256 * c - t", "[c]")
             : takes_striped() ? reduce_text("reduce_across", r, "lanes, t")
                               : reduce_text("thread_reduce", r, tile_ != tile_kind::any ? "4" : "lanes - 4 * t"));
    }
}

// What all threads have of each of a stage's reductions to one value, of up to four at once after a single wait: a warp
// for each, whose first thread then does something with it. Threads that are ahead find other buffers than those of the
// time before.
SINTER_INLINE void row_block_writer::write_buffer_reduces(int stage, const std::string& lanes,
                                                          callback<void(std::size_t)> then) {
    constexpr std::size_t most = 4;
    const sequence<std::size_t> which = reductions_of(stage);
    auto buffer = [](std::size_t i) { return joined({"buffer[buffer_phase + ", i, "]"}); };
    for (std::size_t first = 0; first < which.size(); first += most) {
        const std::size_t end = std::min(first + most, which.size());
        line({"buffer_phase = ", std::min(reductions_of().size(), most), " - buffer_phase;"});
        for (std::size_t n = first; n < end; ++n)
            write_into_buffer(which[n], buffer(n - first), "a" + std::to_string(which[n]), takes_striped());
        line("__syncthreads();");
        for (std::size_t n = first; n < end; ++n) {
            open({"if (t / 32 == ", n - first, ")"});
            line(reduce_text("buffer_reduce", which[n], buffer(n - first) + ", t % 32, (" + lanes + " + 3) / 4"));
            open("if (t % 32 == 0)");
            then(which[n]);
            close();
            close();
        }
    }
}

// Where a row's results of its blocks lie.
SINTER_INLINE std::string row_block_writer::results_at(std::size_t r, bool of_index) const {
    const std::string id = std::to_string(r);
    if (k_.is_row_kernel()) return (of_index ? "ati" : "at") + id;
    return joined({of_index ? "position" : "partial", id, " + row * tiles"});
}

// Whole groups of the first level, each by a warp; a group's result takes the place of its first.
SINTER_INLINE void row_block_writer::write_whole_groups(int stage) {
    const sequence<std::size_t> which = reductions_of(stage);
    const std::string count = std::to_string(which.size());
    open({"for (index job = t / 32; job < ", which.size() > 1 ? count + " * whole" : "whole", "; job += 8)"});
    line({"const index at = ", which.size() > 1 ? "job / " + count : "job",
          facts_.prefetches ? " * 1024;" : " * 4096;"});
    for (std::size_t n = 0; n < which.size(); ++n) {
        const std::string from = results_at(which[n], false) + " + at",
                          index_from = results_at(which[n], true) + " + at";
        if (which.size() > 1) open({"if (job % ", count, " == ", n, ")"});
        line(levels_text("group_reduce", which[n], "", {from, index_from}));
        write_for(which[n], "if (t % 32 == 0) *(" + from + ") = a#[0];",
                  "if (t % 32 == 0) *(" + index_from + ") = ai#[0];");
        if (which.size() > 1) close();
    }
    close();
}

// A group of any level by all threads, up to four reductions at a time, each at last by a warp of its own.
SINTER_INLINE void row_block_writer::write_any_group(int stage) {
    constexpr std::size_t most = 4;
    const bool one = k_.how.one_level;
    const sequence<std::size_t> which = reductions_of(stage);
    auto buffer = [](std::size_t n) { return joined({"buffer[", n % most, "]"}); };
    auto from = [&](std::size_t r, bool of_index) { return results_at(r, of_index) + (one ? "" : " + at"); };
    for (std::size_t first = 0; first < which.size(); first += most) {
        const std::size_t end = std::min(first + most, which.size());
        for (std::size_t n = first; n < end; ++n) {
            const std::string id = std::to_string(which[n]);
            line(levels_text("lanes_reduce", which[n], one ? "1, size, " : "step, size, ",
                             {from(which[n], false), from(which[n], true)}));
            write_into_buffer(which[n], buffer(n), "a" + id);
        }
        line("__syncthreads();");
        for (std::size_t n = first; n < end; ++n) {
            open({"if (t / 32 == ", n % most, ")"});
            line(reduce_text("buffer_reduce", which[n], buffer(n) + ", t % 32, ((size < 1024 ? size : 1024) + 3) / 4"));
            auto to = [&](const std::string& result, bool of_index) {
                return "if (t % 32 == 0) *" +
                       (one ? result : "(groups == 1 ? " + result + " : " + from(which[n], of_index) + ")");
            };
            write_for(which[n], to("result#", false) + " = a#[0];", to("resulti#", true) + " = ai#[0];");
            close();
        }
        line("__syncthreads();");
    }
}

// The results of a row's blocks to `result<r>`, level by level, as threads then `wait` for each other; where several
// levels are to be combined, only threads `inside` do.
SINTER_INLINE void row_block_writer::write_levels(int stage, const std::string& inside, const std::string& wait) {
    if (k_.how.one_level) {
        const std::string count = std::to_string(most_results_of_group());
        open("");
        line({"const int size = (int)(tiles < ", count, " ? tiles : ", count, ");"});
        write_any_group(stage);
        return close();
    }
    line("index step = 1;");
    open("for (index count = tiles, groups = 0; groups != 1; count = groups)");
    line("groups = (count + 4095) / 4096;");
    // Of the first level only the lanes are there where thread blocks have combined the blocks of each.
    if (facts_.prefetches) line("const int most = step == 1 ? 1024 : 4096;");
    const std::string most = facts_.prefetches ? "most" : "4096";
    if (!inside.empty()) open({"if (groups == 1 || ", inside, ")"});
    // A quarter of what NVRTC takes for quick code.
    line(std::string("#ifdef ") + quick_code);
    line("const index whole = 0;");
    line("#else");
    line(std::string("const index whole = step > 1 || groups == 1 ? 0 : ") +
         (facts_.prefetches ? "(count + 3072) / 4096;" : "count / 4096;"));
    write_whole_groups(stage);
    line("#endif");
    open("for (index group = whole; group < groups; ++group)");
    line({"const index at = group * ", most, " * step, left = count - 4096 * group;"});
    line({"const int size = (int)(left < ", most, " ? left : ", most, ");"});
    write_any_group(stage);
    close();
    if (!inside.empty()) close();
    line({"if (groups > 1) ", wait, ";"});
    line({"step *= ", most, ";"});
    close();
}

SINTER_INLINE void row_block_writer::write_block_lanes() {
    if (!values_.unrolls) return write_row_lanes(false);
    open({"if (size == ", row_lanes * facts_.groups, ")"});
    write_row_lanes(true);
    close("} else {");
    if (facts_.groups > 4) write_last_lanes();
    else write_row_lanes(false);
    close();
}

SINTER_INLINE std::string row_block_writer::ahead_type(std::uint32_t i) const {
    return is_word(i) ? "unsigned" : pack_at(k_.body[i].payload);
}

// Group j of what is loaded ahead, which begins at element i.
SINTER_INLINE void row_block_writer::write_loads_ahead() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::uint32_t a = k_.body[i].payload;
        if (is_ahead(i)) line({"t", i, "[j] = *(const ", ahead_type(i), "*)&", element(a), ";"});
    }
}

// What is left of a row by whole groups, and, of the one that the row ends in, by elements.
SINTER_INLINE void row_block_writer::write_last_lanes() {
    open_unrolled("for (int j = 0; j < " + std::to_string(facts_.groups) + "; ++j)");
    line("if (1024 * j + 4 * t + 4 > size) continue;");
    line("const index i = begin + 1024 * j + 4 * t;");
    write_decode("i", k_.kept, k_.space.size());
    write_loads_ahead();
    unroll_lanes();
    list("for (int c = 0; c < 4; ++c) accumulate", accumulate_arguments("opens && j == 0", "i + c", "a", "c"), ");");
    close();
    line("const int j = size / 1024, first = 1024 * j + 4 * t;");
    unroll_lanes();
    open("for (int c = 0; c < 4; ++c)");
    line("if (first + 4 <= size || first + c >= size) continue;");
    write_decode("(begin + first + c)", k_.kept, k_.space.size());
    list("accumulate", accumulate_arguments("opens && j == 0", "begin + first + c", "a", ""), ");");
    close();
}

SINTER_INLINE void row_block_writer::write_row_lanes(bool whole) {
    const std::string first = facts_.combines_exactly ? "opens && j == 0" : "j == 0";
    unroll(whole ? values_.unrolls_full : values_.unrolls_part);
    open({"for (int j = 0; j < ", facts_.groups, "; ++j)"});
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

SINTER_COLD_END
