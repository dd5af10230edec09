// Bodies of host_columns_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/rows/host_columns_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The rows of a part of the columns lie too far apart for processors to expect them. On an AMD EPYC (Zen 5) sums of the
// columns of 4096 x 4096 floats took one thread 3.6 ms, with 4 rows ahead 2.5, with 8 2.2, with 16 1.9; reading the
// memory took 1.9.
SINTER_INLINE void host_columns_writer::write_rows_ahead(int rows) {
    if (in_parts_ || in_lines_) return;
    for (std::size_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!here_[i] || v.kind != instruction_kind::load || k_.accesses[v.payload].step != stride_class::contiguous)
            continue;
        if (k_.accesses[v.payload].operand == access::own_number) continue;
        const std::string id = std::to_string(v.payload), line_of_cache = std::to_string(64 / size_of(v.type));
        line({"for (int k = 0; k <= count; k += ", line_of_cache, ") __builtin_prefetch(p", id, " + ", rows, " * s", id,
              "_", k_.space.size() - 1, " + k, 0, 2);"});
    }
}

// Whether a tile that lies in several lines of memory is taken line by line: what is computed fills no vectors of its
// own.
SINTER_INLINE bool host_columns_writer::takes_lines(const tile_axes& t) {
    if (!in_parts_ || !origins(k_, t.stage).empty()) return false;
    in_parts_ = false;
    const bool at_once = takes_blocks_at_once(t);
    in_parts_ = !at_once;
    return at_once;
}

// Up to where the columns of a tile lie in one line of memory.
SINTER_INLINE void host_columns_writer::open_lines(const tile_axes& t) {
    const std::string inner = std::to_string(t.last - 1);
    open("for (long long from = 0; from < count;)");
    write_decode("i + from", t.first, t.last);
    line({"const long long along = n", inner, " - i", inner, " < count - from ? n", inner, " - i", inner,
          " : count - from;"});
}

SINTER_INLINE void host_columns_writer::open_columns() {
    if (in_lines_) open_lanes("along", "long long l");
    else open_lanes("count");
}

SINTER_INLINE void host_columns_writer::write_pointers_of_tile(const tile_axes& t) {
    if (!in_lines_) line({"const long long i", t.first, " = i;"});
    write_pointers(t);
}

// One row: what its elements are combines with what their lanes have.
SINTER_INLINE void host_columns_writer::write_row_at_once(const tile_axes& t) {
    const std::string place = in_lines_ ? "[lane][from + l]" : "[lane][l]";
    const sequence<char> kept = in_array_;
    in_array_.assign(k_.body.size(), 0);
    line({"const int lane = (int)((row - first) % ", column_lanes, ");"});
    write_pointers_of_tile(t);
    write_rows_ahead(2 * column_lanes);
    for (const bool begins : {true, false}) {
        if (begins) open({"if (row - first < ", column_lanes, ")"});
        else close("} else {");
        open_columns();
        line(per_reduction(begins ? "@ z#; " : "@ z# = a#" + place + "; ", "", t.stage));
        write_turn(t, "l", begins);
        for (std::size_t r : in_lanes(t.stage)) write_accumulator(r, number_text("a", r) + place, number_text("z", r));
        close();
    }
    close();
    in_array_ = kept;
}

// Where the rows of a lane begin, so many that lie the lanes apart.
SINTER_INLINE void host_columns_writer::write_pointers_to_rows(const tile_axes& t, int turns) {
    for (int turn = 0; turn < turns; ++turn)
        for (std::size_t a = 0; a < k_.accesses.size(); ++a)
            if (used_in(a))
                line({k_.accesses[a].operand == access::own_number ? std::string("long long ")
                                                                   : "const " + stored_text(type_of_access(a)) + "* ",
                      "q", a, "_", turn, ";"});
    for (int turn = 0; turn < turns; ++turn) {
        open("");
        write_bases_of("row + lane + " + std::to_string(turn * column_lanes), k_.kept, k_.space.size());
        write_pointers_of_tile(t);
        write_rows_ahead(turns * column_lanes);
        for (std::size_t a = 0; a < k_.accesses.size(); ++a)
            if (used_in(a)) line({"q", a, "_", turn, " = p", a, ";"});
        close();
    }
}

// Four rows of each lane at a time, behind those that begin the lanes: accumulators are loaded and stored once for
// four.
SINTER_INLINE void host_columns_writer::write_rows_at_once(const tile_axes& t) {
    constexpr int turns = 4, rows = turns * column_lanes;
    const std::string place = in_lines_ ? "[lane][from + l]" : "[lane][l]";
    const sequence<char> kept = in_array_;
    in_array_.assign(k_.body.size(), 0);
    const std::string lanes = std::to_string(column_lanes);
    open({"if (row - first >= ", lanes, " && (row - first) % ", lanes, " == 0 && last - row >= ", rows, ")"});
    open({"for (int lane = 0; lane < ", lanes, "; ++lane)"});
    write_pointers_to_rows(t, turns);
    open_columns();
    line(per_reduction("@ z# = a#" + place + "; ", "", t.stage));
    for (int turn = 0; turn < turns; ++turn) {
        open("");
        for (std::size_t a = 0; a < k_.accesses.size(); ++a)
            if (used_in(a)) line({"const auto p", a, " = q", a, "_", turn, ";"});
        write_turn(t, "l", false);
        close();
    }
    line(per_reduction("a#" + place + " = z#; ", "", t.stage));
    close();
    close();
    line({"row += ", rows, ";"});
    line("continue;");
    close();
    in_array_ = kept;
}

// Joins the lanes of a part of the columns, and leaves what it comes to.
SINTER_INLINE void host_columns_writer::write_columns_results() {
    line("const int lanes = last - first < 8 ? (int)(last - first) : 8;");
    open("for (int h = 4; h > 0; h /= 2)");
    open("for (int x = 0; x < h && x + h < lanes; ++x)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (!indexed(r)) write_for(r, "for (int l = 0; l < count; ++l) combine#(a#[x][l], a#[x + h][l]);");
    close();
    close();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        write_for(r,
                  "{?for (int l = 0; l < count; ++l) ai#[0][l] = first + at#[l];\n?}"
                  "if (lanes <= 0) for (int l = 0; l < count; ++l) a#[0][l] = " +
                      identity_text(k_.reductions[r]) + "{?, ai#[0][l] = 0?};");
    }
    open("if (parts > 1)");
    open("for (int l = 0; l < count; ++l)");
    line(per_reduction("partial#[part * kept + i + l] = a#[0][l]; ", "position#[part * kept + i + l] = ai#[0][l]; "));
    close();
    close("} else {");
    line({name_, "_epilogue(memory, n, c, i, i + count, error", per_reduction(", a#[0]", ", ai#[0]"), ");"});
    close();
}

// Vectors of calls reach beyond few columns, and of zeros functions may take long.
SINTER_INLINE void host_columns_writer::write_ones() {
    sequence<char> is_argument(k_.body.size(), 0);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i] && is_vector(i))
            for (std::uint32_t a : k_.body[i].args) is_argument[a] = in_array_[a] && !is_bundle(k_, a);
    for (std::uint32_t a = 0; a < k_.body.size(); ++a) {
        const dtype t = k_.body[a].type;
        if (is_argument[a] && (t == dtype::float32 || t == dtype::float64))
            line({"for (", type_text(t), "& one : t", a, ") one = 1;"});
    }
}

SINTER_INLINE void host_columns_writer::write_columns() {
    std::string tile = std::to_string(host_tile);
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t{0, k_.kept, 0, true};
    schedule(t);
    in_lines_ = takes_lines(t);
    write_arrays();
    write_ones();
    line(per_reduction("@ a#[8][" + tile + "]; ", "long long ai#[1][" + tile + "]; "));
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (indexed(r)) line({place_type(r), " at", r, "[", tile, "] = {};"});
    open("for (long long item = begin; item < end; ++item)");
    line({"const long long part = item % parts, i = item / parts * ", tile, ";"});
    line("const long long first = part * size, last = reduced - first < size ? reduced : first + size;");
    line({"const int count = kept - i < ", tile, " ? (int)(kept - i) : ", tile, ";"});
    if (in_lines_) open_lines(t);
    write_origin_variables(0);
    write_origins_anew(t);
    const bool at_once = takes_blocks_at_once(t);
    open(std::string("for (long long row = first; row < last;") + (at_once ? ")" : " ++row)"));
    if (at_once) write_rows_at_once(t);
    write_bases_of("row", k_.kept, k_.space.size());
    if (at_once && origins(k_, 0).empty()) {
        write_row_at_once(t);
    } else {
        write_tile(t, "kept");
        write_rows_ahead(2 * column_lanes);
        write_origins("row == 0");
        line("const int lane = (int)((row - first) % 8);");
        write_accumulation("[lane][l]", "row - first < 8");
    }
    if (at_once) line("++row;");
    close();
    if (in_lines_) {
        line("from += along;");
        close();
    }
    write_columns_results();
    close();
    close();
    out_ += "\n";
}

SINTER_INLINE void host_columns_writer::write_columns_finish() {
    std::string tile = std::to_string(host_tile);
    write_function_head(name_ + "_finish");
    write_reduction_parameters();
    open("for (long long item = begin; item < end; ++item)");
    line({"const long long i = item * ", tile, ";"});
    line({"const int count = kept - i < ", tile, " ? (int)(kept - i) : ", tile, ";"});
    open("const auto combine_parts = [&](long long to, long long part)");
    const std::string to = "[to * kept + i + l]", part = "[part * kept + i + l]";
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        write_for(r, "for (int l = 0; l < count; ++l) combine#(partial#" + to + "{?, position#" + to + "?}, partial#" +
                         part + "{?, position#" + part + "?});");
    close("};");
    const std::string group = std::to_string(column_group);
    line({"for (long long part = 1; part < parts; ++part) if (part % ", group, ") combine_parts(part / ", group, " * ",
          group, ", part);"});
    line({"for (long long part = ", group, "; part < parts; part += ", group, ") combine_parts(0, part);"});
    line({name_, "_epilogue(memory, n, c, i, i + count, error", per_reduction(", partial# + i", ", position# + i"),
          ");"});
    close();
    close();
}

SINTER_INLINE void host_columns_writer::write_kernel() {
    write_reduces();
    write_epilogue();
    write_columns();
    write_columns_finish();
}

SINTER_INLINE kernel_source print_host_columns(const kernel& k) { return written_by<host_columns_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
