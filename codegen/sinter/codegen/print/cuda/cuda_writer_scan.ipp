// Bodies of cuda_writer.hpp that print scans in the orders of reduce_tree.hpp: what both share, and rows.
#pragma once

#include <sinter/codegen/print/cuda/cuda_copies_text.hpp>
#include <sinter/codegen/print/cuda/cuda_writer.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void cuda_writer::write_scan_rows() { write_scan(); }
SINTER_INLINE void cuda_writer::write_scan_row_tiles() { write_scan(); }
SINTER_INLINE void cuda_writer::write_scan_columns() { write_scan(); }
SINTER_INLINE void cuda_writer::write_scan_column_tiles() { write_scan(); }

SINTER_INLINE void cuda_writer::write_scan() {
    const bool rows = k_.tree == reduce_tree::rows;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) write_combine(r);
    if (!scan_.one_tile) out_ += tile_status_text;
    if (rows) write_row_scan_functions();
    if (scan_.is_resident()) out_ += copies_text;
    out_ += "\n";
    if (rows) write_row_scan();
    else write_column_scans();
}

SINTER_INLINE void cuda_writer::write_row_scan_functions() {
    out_ += lanes_text;
    if (std::any_of(k_.reductions.begin(), k_.reductions.end(),
                    [](const reduction_step& r) { return is_complex(r.type); }))
        out_ += complex_lanes_text;
    write_per_scan(tree_text);
    if (scan_.one_tile) return;
    write_per_scan(before_text);
    if (!scan_.fetched.empty()) out_ += soon_text;
    if (!scan_.renewed.empty()) out_ += renewal_text;
}

// before(i, loaded values, results): the body up to the scans' arguments; behind(i, loaded values, running values,
// results) what follows.
SINTER_INLINE void cuda_writer::write_scan_bodies() {
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
            line("a" + std::to_string(r) + " = " + value(k_.reductions[r].argument) + ";");
        for (std::uint32_t i = 0; i < k_.body.size() && stage == 0; ++i)
            if (facts_.persistent[i]) line("k" + std::to_string(i) + " = v" + std::to_string(i) + ";");
        for (std::size_t s = 0; s < k_.stores.size() && stage == 2; ++s)
            line("u" + std::to_string(s) + " = " + value(k_.stores[s].value) + ";");
        close("};");
    }
}

// Arguments of before or behind for element `at`, at `place` in the thread's arrays; with `packed` what was loaded
// stands at [c] of packs.
SINTER_INLINE cuda_writer::texts cuda_writer::scan_arguments(int stage, const std::string& at, const std::string& place,
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
SINTER_INLINE void cuda_writer::write_scan_arrays(const std::string& extents) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        line(type_text(k_.reductions[r].type) + " a" + std::to_string(r) + extents + ";");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i]) line(type_text(k_.body[i].type) + " k" + std::to_string(i) + extents + ";");
}

// The arguments of the scans at a thread's elements; those behind the end of the line are zero.
SINTER_INLINE void cuda_writer::write_scan_zeros(const std::string& place) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        line(std::string("a") + std::to_string(r) + place + " = " + zero_text(k_.reductions[r].type) + ";");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i])
            line(std::string("k") + std::to_string(i) + place + " = " + zero_text(k_.body[i].type) + ";");
}

SINTER_INLINE std::string cuda_writer::accumulated(std::size_t r, const std::string& place) const {
    const reduction_step& x = k_.reductions[r];
    return cast_text(x.type, accumulator_type(x.how, x.type), "a" + std::to_string(r) + place);
}

SINTER_INLINE void cuda_writer::write_scan_buffer(int count) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        int doubles = is_complex(k_.reductions[r].type) ? 2 : 1;
        line("__shared__ double buffer" + id + "[" + std::to_string(count * doubles) + "];");
    }
}

// A tile of a row per thread block, or several rows that are no longer than one.
SINTER_INLINE void cuda_writer::write_row_scan() {
    write_head();
    write_sizes();
    write_scanned_position();
    if (!scan_.one_tile) write_carry_blocks();
    if (!scan_.within_warp) write_scan_buffers();
    write_decode("row", 0, k_.kept);
    if (scan_.is_resident()) write_copies();
    write_scan_bodies();
    const std::string chunks = std::to_string(scan_.chunks);
    if (scan_.is_resident()) line("wait_for_copies();");
    else write_scan_arrays("[" + chunks + "][4]");
    if (scan_.is_resident()) per_reduction("@ e#[" + chunks + "];", "");
    else if (scan_.within_warp) per_reduction("@ e#;", "");
    whole_and_part([&](bool whole) { write_scan_segments(whole); });
    if (!scan_.within_warp) write_scan_of_totals();
    write_renewal();
    whole_and_part([&](bool whole) { write_scan_results(whole); });
    close();
}

// What there is to do for a tile, first without checks for one that is full.
SINTER_INLINE void cuda_writer::whole_and_part(const std::function<void(bool whole)>& write, int elements) {
    if (!scan_.has_whole) return write(false);
    open("if (size == " + std::to_string(elements) + ")");
    write(true);
    close("} else {");
    write(false);
    close();
}

// Which row and tile of it a thread has.
SINTER_INLINE void cuda_writer::write_scanned_position() {
    if (scan_.one_tile) {
        line("const index row = " + block_number() + " * blockDim.y + threadIdx.y, begin = 0;");
        line("const int size = row < kept ? (int)reduced : 0;");
    } else {
        std::string carry_blocks = std::to_string(k_.reductions.size());
        line("const index tiles = (reduced + 4095) / 4096, carry_blocks = tiles > 32 ? " + carry_blocks + " : 0;");
        write_tile_id();
        // A division takes longer than anything else that is done before memory is asked.
        line(
            "const index own = tiles + carry_blocks, row = item < own ? 0 : item / own, tile = item - row * own - "
            "carry_blocks, "
            "begin = tile * 4096;");
        leave_beyond("row >= kept");
        line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
    }
    if (scan_.within_warp) return line("const int lane = threadIdx.x, warp = 0, warps = 1;");
    line("const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = " +
         (scan_.one_tile ? "blockDim.x / 32;" : std::to_string(scan_.threads / 32) + ";"));
}

// Shared memory for segments' totals and, where elements stay in registers, for chunks' prefixes.
SINTER_INLINE void cuda_writer::write_scan_buffers() {
    write_scan_buffer(scan_.buffer_values);
    if (scan_.is_resident()) return per_reduction("@* const totals# = (@*)buffer#;", "");
    const std::string t = std::to_string(scan_.threads);
    per_reduction("@* const totals# = (@*)buffer# + 1024 + 32 * threadIdx.y;", "");
    per_reduction("@(* const chunks#)[" + t + "] = (@(*)[" + t + "])((@*)buffer# + blockDim.x * threadIdx.y);", "");
}

// Where a thread has what is before one of its chunks in the chunk's segment.
SINTER_INLINE std::string cuda_writer::chunk_prefix(std::size_t r) const {
    const std::string id = std::to_string(r);
    if (scan_.within_warp) return "e" + id;
    return scan_.is_resident() ? "e" + id + "[q]" : "chunks" + id + "[q][threadIdx.x]";
}

// Each scan has its runner, so that none of them waits for what another one lets go on.
SINTER_INLINE void cuda_writer::write_carry_blocks() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        int words = (size_of(accumulator_type(k_.reductions[r].how, k_.reductions[r].type)) + 3) / 4;
        line("unsigned long long* const status" + id + " = partial" + id + " + 1 + row * 2 * tiles * " +
             std::to_string(words) + ";");
    }
    open("if (tile < 0)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), own = "if (tile == " + std::to_string(-1 - static_cast<int>(r)) + ") ";
        line((k_.reductions.size() > 1 ? own : "") + "carry" + id + "(status" + id +
             ", launch, tiles, lane, warp, warps);");
    }
    line("return;");
    close();
}

// Opens the loop over a thread's chunks, 128 elements of a row apart for each warp.
SINTER_INLINE void cuda_writer::open_scan_chunks(bool whole) {
    unroll();
    open("for (int q = 0; q < " + std::to_string(scan_.chunks) + "; ++q)");
    line("const int segment = warp + warps * q, at = 128 * segment + 4 * lane;");
    if (!whole && !scan_.within_warp) line("if (128 * segment >= size) break;");
}

// Begins the loop over a thread's chunks with their elements.
SINTER_INLINE void cuda_writer::write_scan_chunks(bool whole) {
    std::string& at = at_[static_cast<std::size_t>(k_.kept)];
    open_scan_chunks(whole);
    if (scan_.packs) {
        if (!whole) open("if (at + 4 <= size)");
        at = "(begin + at)";
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (is_parameter(i) && k_.body[i].stage == 0) write_load(i);
        unroll();
        list("for (int c = 0; c < 4; ++c) before", scan_arguments(0, "begin + at + c", "[q][c]", true), ");");
        if (!whole) close("} else {");
    }
    if (!whole) {
        at = "(begin + at + c)";
        unroll();
        open("for (int c = 0; c < 4; ++c)");
        write_scan_zeros("[q][c]");
        list("if (at + c < size) before", scan_arguments(0, "begin + at + c", "[q][c]", false), ");");
        close();
        if (scan_.packs) close();
    }
}

// near<i>: what a tile loads, where each thread finds what it asked for itself, so that nobody waits for others.
SINTER_INLINE void cuda_writer::write_copies() {
    for (std::uint32_t i : scan_.copied)
        line("__shared__ " + pack_at(k_.body[i].payload) + " near" + std::to_string(i) + "[1024];");
    open("if (size == 4096)");
    write_chunk_copies(true);
    close("} else {");
    write_chunk_copies(false);
    close();
}

SINTER_INLINE void cuda_writer::write_chunk_copies(bool whole) {
    std::string& at = at_[static_cast<std::size_t>(k_.kept)];
    auto each = [&](const char* place, const std::string& text) {
        at = std::string("(begin + at") + place + ")";
        for (std::uint32_t i : scan_.copied) {
            std::uint32_t a = k_.body[i].payload;
            std::string here = "near" + std::to_string(i) + "[at / 4]";
            line(text.empty() ? here + ".v[c] = " + element(a) + ";"
                              : text + "(&" + here + ", (const " + pack_at(a) + "*)&" + element(a) + ");");
        }
    };
    open_scan_chunks(whole);
    if (!whole) open("if (at + 4 <= size)");
    each("", "copy_soon");
    if (!whole) {
        close("} else {");
        line("#pragma unroll 2");  // of up to three: by themselves compilers take more turns apart
        open("for (int c = 0; c < size - at; ++c)");
        each(" + c", "");
        close();
        close();
    }
    close();
}

// The elements of a chunk from what stays, now or again.
SINTER_INLINE void cuda_writer::write_resident_chunk(bool whole) {
    at_[static_cast<std::size_t>(k_.kept)] = "(begin + at)";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i) || k_.body[i].stage != 0) continue;
        std::string id = std::to_string(i), pack = pack_at(k_.body[i].payload);
        if (facts_.packed[k_.body[i].payload]) line("const " + pack + " t" + id + " = near" + id + "[at / 4];");
        else write_load(i);
    }
    write_scan_arrays("[4]");
    unroll();
    open("for (int c = 0; c < 4; ++c)");
    if (!whole) write_scan_zeros("[c]");
    list(std::string(whole ? "" : "if (at + c < size) ") + "before", scan_arguments(0, "begin + at + c", "[c]", true),
         ");");
    close();
}

// A chunk per turn: its elements, and its prefix in the segment that a warp holds.
SINTER_INLINE void cuda_writer::write_scan_segments(bool whole) {
    if (scan_.is_resident()) {
        open_scan_chunks(whole);
        write_resident_chunk(whole);
    } else {
        write_scan_chunks(whole);
    }
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), x = "w" + id;
        line(accumulator(r) + " " + x + " = " + accumulated(r, element_place("0")) + ";");
        for (int c = 1; c < 4; ++c)
            line("combine" + id + "(" + x + ", " + accumulated(r, element_place(std::to_string(c))) + ");");
        line(x + " = tree" + id + "(" + x + ", lane);");
        if (!scan_.within_warp) line("if (lane == 31) totals" + id + "[segment] = " + x + ";");
        line(chunk_prefix(r) + " = from_before(" + x + ", 1);");
    }
    close();
}

// From the segments' totals to the prefixes before them, by a warp for each scan.
SINTER_INLINE void cuda_writer::write_scan_of_totals() {
    line("__syncthreads();");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), a = accumulator(r), combine = "combine" + id;
        open("if (warp == " + id + " % warps)");
        line(a + " x = " + zero_text(accumulator_type(k_.reductions[r].how, k_.reductions[r].type)) + ";");
        line("if (128 * lane < size) x = totals" + id + "[lane];");
        line("x = tree" + id + "(x, lane);");
        line(a + " p = from_before(x, 1);");
        if (!scan_.one_tile) {
            line(a + " before_tile = before" + id + "(status" + id + ", launch, tiles, tile, from(x, 31), lane);");
            open("if (tile > 0)");
            line("if (lane > 0) " + combine + "(before_tile, p);");
            line("p = before_tile;");
            close();
        }
        line("totals" + id + "[lane] = p;");
        close();
    }
    line("__syncthreads();");
}

SINTER_INLINE void cuda_writer::write_scan_results(bool whole) {
    std::string& at = at_[static_cast<std::size_t>(k_.kept)];
    open_scan_chunks(whole);
    line(std::string("const bool later = ") +
         (scan_.within_warp ? "false"
          : scan_.one_tile  ? "segment > 0"
          : whole           ? "segment > 0 || tile > 0"
                            : "segment + tile > 0") +  // which compilers do not write the last tile twice for
         ", any = later || lane > 0;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const std::string id = std::to_string(r), chunk = chunk_prefix(r);
        if (scan_.within_warp) {
            line("const " + accumulator(r) + " p" + id + " = " + chunk + ";");
        } else {
            line(accumulator(r) + " p" + id + " = later ? totals" + id + "[segment] : " + chunk + ";");
            line("if (later && lane > 0) combine" + id + "(p" + id + ", " + chunk + ");");
        }
    }
    if (scan_.is_resident()) write_resident_chunk(whole);
    per_reduction("@ s#;", "");
    auto write_elements = [&](bool packed) {
        unroll();
        open("for (int c = 0; c < 4; ++c)");
        const std::string place = element_place("c");
        write_running_values(place, "c == 0");
        list((packed ? "" : "if (at + c < size) ") + std::string("behind"),
             scan_arguments(2, "begin + at + c", place, packed), ");");
        close();
    };
    if (scan_.packs) {
        if (!whole) open("if (at + 4 <= size)");
        at = "(begin + at)";
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (is_parameter(i) && k_.body[i].stage == 2) write_load(i);
        for (std::size_t s = 0; s < k_.stores.size(); ++s)
            line(pack_at(k_.stores[s].access) + " u" + std::to_string(s) + ";");
        write_elements(true);
        for (std::size_t s = 0; s < k_.stores.size(); ++s) {
            std::uint32_t a = k_.stores[s].access;
            line("*(" + pack_at(a) + "*)&" + element(a) + " = u" + std::to_string(s) + ";");
        }
        if (!whole) close("} else {");
    }
    if (!whole) {
        at = "(begin + at + c)";
        write_elements(false);
        if (scan_.packs) close();
    }
    close();
}

// s<r>: the running value in the thread's chunk; r<r>: with the prefix p<r> before the chunk, where there is `any`.
SINTER_INLINE void cuda_writer::write_running_values(const std::string& place, const std::string& is_first) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("if (" + is_first + ") s" + id + " = " + accumulated(r, place) + ";");
        line("else combine" + id + "(s" + id + ", " + accumulated(r, place) + ");");
        line(accumulator(r) + " r" + id + " = any ? p" + id + " : s" + id + ";");
        line("if (any) combine" + id + "(r" + id + ", s" + id + ");");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
