// Bodies of scan_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/cuda_words.hpp>
#include <sinter/codegen/print/cuda/scans/scan_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// How thread blocks wait for each other. A word holds half a value and the number of the launch that wrote it, so that
// neither fences nor 16-byte atomics are needed, and nothing is zeroed between launches in the same memory: words are
// written once, and read until all of them are of this launch. The first word counts launches, and thread blocks as
// they begin.
inline constexpr const char* tile_status_text =
#include <sinter/codegen/print/cuda/text/scans/tile_status.cuh>
    ;

// before(i, loaded values, results): the body up to the scans' arguments; behind(i, loaded values, running values,
// results) what follows.
SINTER_INLINE void scan_writer::write_scan_bodies() {
    for (int stage : {0, 2}) {
        texts parameters{"index i"};
        for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
            std::string id = std::to_string(i), type = type_text(k_.body[i].type);
            if (is_parameter(i) && k_.body[i].stage == stage) parameters.push_back(type + " v" + id);
            if (stage == 2 && facts_.persistent[i]) parameters.push_back(type + " v" + id);
        }
        for (std::size_t r = 0; r < k_.reductions.size() && !(stage == 2 && k_.selects); ++r)
            parameters.push_back(stage == 0 ? type_text(k_.reductions[r].type) + "& a" + std::to_string(r)
                                            : accumulator(r) + " r" + std::to_string(r));
        for (std::uint32_t i = 0; i < k_.body.size() && stage == 0; ++i)
            if (facts_.persistent[i]) parameters.push_back(type_text(k_.body[i].type) + "& k" + std::to_string(i));
        for (std::size_t s = 0; s < k_.stores.size() && stage == 2; ++s)
            parameters.push_back(operand_type(k_.stores[s].access) + "& u" + std::to_string(s));
        list(stage == 0 ? "const auto before = [&]" : "const auto behind = [&]", parameters, ") {");
        ++depth_;
        write_decode("i", k_.kept, k_.space.size());
        write_body(stage);
        for (std::size_t r = 0; r < k_.reductions.size() && stage == 0; ++r)
            line({"a", r, " = ", value(k_.reductions[r].argument), ";"});
        for (std::uint32_t i = 0; i < k_.body.size() && stage == 0; ++i)
            if (facts_.persistent[i]) line({"k", i, " = v", i, ";"});
        for (std::size_t s = 0; s < k_.stores.size() && stage == 2; ++s)
            line({"u", s, " = ", value(k_.stores[s].value), ";"});
        close("};");
    }
}

// Arguments of before or behind for element `at`, at `place` in the thread's arrays; with `packed` what was loaded
// stands at [c] of packs.
SINTER_INLINE scan_writer::texts scan_writer::scan_arguments(int stage, const std::string& at, const std::string& place,
                                                             bool packed) const {
    texts arguments{at};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        std::string t = std::string("t") + std::to_string(i);
        bool moves = k_.body[i].kind == instruction_kind::load &&
                     k_.accesses[k_.body[i].payload].step == stride_class::contiguous;
        if (is_parameter(i) && k_.body[i].stage == stage)
            arguments.push_back(!packed ? element(k_.body[i].payload) : moves ? t + ".v[c]" : t);
        if (stage == 2 && facts_.persistent[i]) arguments.push_back(std::string("k") + std::to_string(i) + place);
    }
    for (std::size_t r = 0; r < k_.reductions.size() && !(stage == 2 && k_.selects); ++r)
        arguments.push_back(stage == 0 ? std::string("a") + std::to_string(r) + place : "r" + std::to_string(r));
    for (std::uint32_t i = 0; i < k_.body.size() && stage == 0; ++i)
        if (facts_.persistent[i]) arguments.push_back(std::string("k") + std::to_string(i) + place);
    for (std::size_t s = 0; s < k_.stores.size() && stage == 2; ++s)
        arguments.push_back(k_.selects ? std::string("u") + std::to_string(s)
                            : packed   ? std::string("u") + std::to_string(s) + ".v[c]"
                                       : element(k_.stores[s].access));
    return arguments;
}

// The thread's arrays of what goes into the scans and of what passes by them.
SINTER_INLINE void scan_writer::write_scan_arrays(const std::string& extents) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        line({type_text(k_.reductions[r].type), " a", r, extents, ";"});
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i]) line({type_text(k_.body[i].type), " k", i, extents, ";"});
}

// The arguments of the scans at a thread's elements; those behind the end of the line are zero.
SINTER_INLINE void scan_writer::write_scan_zeros(const std::string& place) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        line({"a", r, place, " = ", zero_text(k_.reductions[r].type), ";"});
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i]) line({"k", i, place, " = ", zero_text(k_.body[i].type), ";"});
}

SINTER_INLINE std::string scan_writer::accumulated(std::size_t r, const std::string& place) const {
    const reduction_step& x = k_.reductions[r];
    return cast_text(x.type, x.accumulator(), "a" + std::to_string(r) + place);
}

SINTER_INLINE void scan_writer::write_scan_buffer(int count) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        int doubles = is_complex(k_.reductions[r].type) ? 2 : 1;
        line({"__shared__ double buffer", id, "[", count * doubles, "];"});
    }
}

// s<r>: the running value in the thread's chunk; r<r>: with the prefix p<r> before the chunk, where there is `any`.
SINTER_INLINE void scan_writer::write_running_values(const std::string& place, const std::string& is_first) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const std::string v = accumulated(r, place);
        write_for(r, "if (" + is_first + ") s# = " + v + ";\nelse combine#(s#, " + v +
                         ");\n@ r# = any ? p# : s#;\nif (any) combine#(r#, s#);");
    }
}

// The number of the tile that a thread block computes. Blocks take dynamic tile ids, so that those before it are at
// work or done, whatever order they start in: CUDA promises none. blockIdx would save an H200 2 % of a scan or
// selection.
SINTER_INLINE void scan_writer::write_tile_id() {
    line(k_.selects ? "__shared__ unsigned tile_id;" : "__shared__ unsigned long long tile_id;");
    line(std::string("if (threadIdx.x == 0 && threadIdx.y == 0) tile_id = ") +
         (k_.selects ? "atomicAdd((unsigned*)partial0, 1u);" : "take_tile_id(partial0);"));
    if (!scan_.fetched.empty()) write_soon();
    line("__syncthreads();");
    line(k_.selects ? "const index item = tile_id;" : "const index item = (unsigned)tile_id;");
    if (!k_.selects) line("const unsigned launch = (unsigned)(tile_id >> 32);");
}

// Until the tile id is there, memory fetches the tile that most probably belongs to it: an H200's cumsum of 2^27 floats
// takes 291 us instead of 303. A line of 128 bytes for each thread is all of a tile in most schedules.
SINTER_INLINE void scan_writer::write_soon() {
    open("");
    std::string own = "(tiles + carry_blocks)", share = std::to_string(scan_tile / scan_.threads);
    line({"const index soon = ", block_number(), ", row = soon / ", own, ";"});
    line({"const index i = (soon % ", own, " - carry_blocks) * 4096 + ", share, " * threadIdx.x;"});
    write_decode("row", 0, k_.kept);
    at_element() = "i";
    open({"if (i >= 0 && i < reduced", index_.and_is_row, ")"});
    for (std::uint32_t i : scan_.fetched) line({"fetch_soon(&", element(k_.body[i].payload), ");"});
    close();
    close();
}

// What combines, and how thread blocks wait for each other.
SINTER_INLINE void scan_writer::write_scan_functions() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) write_combine(r);
    if (!scan_.one_tile) out_ += tile_status_text;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
