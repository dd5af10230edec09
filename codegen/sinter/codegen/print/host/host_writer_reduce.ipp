// Bodies of host_writer.hpp that print reductions in the orders of reduce_tree.hpp.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Compilers make vectors of what has no branches.
SINTER_INLINE std::string host_writer::combine(std::size_t r, const std::string& x, const std::string& xi,
                                               const std::string& y, const std::string& yi) const {
    const reduction how = k_.reductions[r].how;
    if (how == reduction::any || how == reduction::all) return x + (how == reduction::any ? " |= " : " &= ") + y + ";";
    return combine_text(k_.reductions[r], x, y, xi, yi);
}

// One statement per reduction: `#` stands for its number, `A` for its accumulator's type; the second text is added for
// reductions that carry an index.
SINTER_INLINE std::string host_writer::per_reduction(const std::string& direct, const std::string& with_index,
                                                     int stage) const {
    std::string s;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        for (const std::string* text : {&direct, &with_index}) {
            if (text == &with_index && !indexed(r)) continue;
            if (stage != any_stage && k_.reductions[r].stage != stage) continue;
            for (char c : *text)
                if (c == '#') s += std::to_string(r);
                else if (c == '@') s += accumulator(r);
                else s += c;
        }
    return s;
}

// combine<r>: lanes of one block to one value; reduce<r>: a sequence of values to one, block by block.
SINTER_INLINE void host_writer::write_reduces() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), a = accumulator(r);
        if (side_by_side_ && indexed(r)) continue;
        if (k_.tree == reduce_tree::columns || side_by_side_) {
            open("static inline void combine" + id + "(" + a + "& x" + (indexed(r) ? ", long long& xi" : "") + ", " +
                 a + " y" + (indexed(r) ? ", long long yi" : "") + ")");
            if (indexed(r)) line("if (" + wins(r, "y", "x") + ") { x = y; xi = yi; }");
            else line(combine(r, "x", "xi", "y", "yi"));
            close();
            continue;
        }
        if (indexed(r)) {
            write_place(r);
            continue;
        }
        write_row_reduce(r);
        open("static void reduce" + id + "(" + a + "* a, long long count)");
        open("while (count > 1)");
        line("long long parts = 0;");
        open("for (long long first = 0; first < count; first += 4096, ++parts)");
        line("const int size = count - first < 4096 ? (int)(count - first) : 4096;");
        line("for (int l = 1024; l < size; ++l) { " + combine(r, "a[first + l % 1024]", "", "a[first + l]", "") + " }");
        line("combine" + id + "(a + first, size < 1024 ? size : 1024);");
        line("a[parts] = a[first];");
        close();
        line("count = parts;");
        close();
        close();
    }
    if (side_by_side_) write_vectorised_reduces();
}

// Lanes of a block in fours, which are pairs of pairs, then in halves; neighbours out of place, so that all loops
// vectorise.
SINTER_INLINE void host_writer::write_row_reduce(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    auto pairs = [&](const std::string& from, const std::string& to, const std::string& count) {
        open_lanes(count + " / 2", "int g", "0", 1);
        line(a + " x = " + from + "[2 * g]; const " + a + " y = " + from + "[2 * g + 1];");
        line(combine(r, "x", "", "y", ""));
        line(to + "[g] = x;");
        close();
        line("if (" + count + " % 2) { " + to + "[" + count + " / 2] = " + from + "[" + count + " - 1]; }");
    };
    open("static void combine" + id + "(" + a + "* a, int lanes)");
    line(a + " b[512];");
    pairs("a", "b", "lanes");
    line("const int half = (lanes + 1) / 2, groups = (half + 1) / 2;");
    pairs("b", "a", "half");
    line("int h = 128;");
    line("while (h >= groups && h > 0) h /= 2;");
    open("for (; h > 0; h /= 2)");
    line("const int last = groups - h < h ? groups - h : h;");
    open_lanes("last", "int g", "0", 1);
    line(combine(r, "a[g]", "", "a[g + h]", ""));
    close();
    close();
    close();
}

// The epilogue is a map over the kept axes that starts from the results of the reductions.
SINTER_INLINE void host_writer::write_epilogue() {
    write_function_head(name_ + "_epilogue", per_reduction(", const @* r#", ", const long long* ri#"));
    write_unpacking();
    tile_axes t{0, k_.kept, 1, false};
    schedule(t);
    write_tiles(t, "begin", "end");
    close();
    out_ += "\n";
}

SINTER_INLINE void host_writer::write_reduction_parameters() {
    write_unpacking();
    std::string reduced, kept;
    for (int i = 0; i < k_.space.size(); ++i) {
        std::string& s = i < k_.kept ? kept : reduced;
        s += (s.empty() ? "n" : " * n") + std::to_string(i);
    }
    line("const long long reduced = " + reduced + ";");
    line("const long long kept = " + kept + ";");
    std::string rows = "4096",
                columns = "((reduced + 4095) / 4096 <= 512 ? 512 : ((reduced + 4095) / 4096 + 7) / 8 * 8)";
    line("const long long size = " + (k_.tree == reduce_tree::rows ? rows : columns) + ";");
    line("const long long parts = reduced <= size ? 1 : (reduced + size - 1) / size;");
    int at = static_cast<int>(k_.operands.size());
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        line(accumulator(r) + number_text("* partial", r) + " = (" + accumulator(r) + "*)memory[" +
             std::to_string(at++) + "];");
        if (indexed(r))
            line(number_text("long long* position", r) + " = (long long*)memory[" + std::to_string(at) + "];");
        ++at;
    }
}

// Rows that lie side by side have an origin each.
SINTER_INLINE bool host_writer::origins_lie_along() const {
    return side_by_side_ || (k_.tree == reduce_tree::columns && !k_.is_row_kernel());
}

// The first value of each row, for the reductions that take it from the others.
SINTER_INLINE void host_writer::write_origin_variables(int stage) {
    for (std::uint32_t i : origins(k_, stage))
        line(number_text("double origin", i) +
             (origins_lie_along() ? "[" + std::to_string(host_tile) + "];" : " = 0;"));
}

// Sets them from the tile that has been computed, if it begins a row.
SINTER_INLINE void host_writer::write_origins(const std::string& begins) {
    if (origins(k_, stage_).empty()) return;
    open("if (" + begins + ")");
    for (std::uint32_t i : origins(k_, stage_)) {
        const std::string to = number_text("origin", i);
        if (origins_lie_along()) line("for (int l = 0; l < m; ++l) " + to + "[l] = " + value(i) + ";");
        else line("for (int l = 0; l < 1; ++l) " + to + " = " + value(i) + ";");
    }
    close();
}

// Sets them for what begins later in the row, whose first element or, of columns, first tile is computed for that.
SINTER_INLINE void host_writer::write_origins_anew(const tile_axes& t) {
    if (origins(k_, stage_).empty() || k_.how.short_rows) return;
    open("if (first > 0)");
    line(std::string("const long long ") + (origins_lie_along() ? "row" : "i") + " = 0;");
    if (origins_lie_along()) write_bases_of("row", k_.kept, k_.space.size());
    write_tile(t, origins_lie_along() ? "kept" : "1");
    write_origins("m > 0");
    close();
}

// Adds the tile's values to lanes; the first value of a lane starts it.
SINTER_INLINE void host_writer::write_accumulation(const std::string& lane, const std::string& is_first) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        const reduction_step& x = k_.reductions[r];
        if (x.stage != stage_) continue;
        if (indexed(r)) {
            if (k_.tree == reduce_tree::rows) write_place_of_tile(r);
            else write_places_of_row(r);
            continue;
        }
        std::string to = "a" + std::to_string(r) + lane, cast = accumulated(r);
        open("if (" + is_first + ")");
        unroll();
        line("for (int l = 0; l < m; ++l) " + to + " = " + cast + ";");
        close("} else {");
        ++depth_;
        open_lanes();
        line("const " + accumulator(r) + " y = " + cast + ";");
        line(combine(r, to, "", "y", ""));
        close();
        close();
    }
}

SINTER_INLINE void host_writer::write_rows() {
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t{k_.kept, k_.space.size(), 0, true};
    schedule(t);
    write_arrays();
    std::string tile = std::to_string(host_tile);
    line(per_reduction("@ a#[1024]; @ r#[" + tile + "]; ", "long long ai#[1024]; long long ri#[" + tile + "]; "));
    line("long long ready = 0;");
    open("for (long long item = begin; item < end; ++item)");
    line("const long long row = item / parts, first = item % parts * size;");
    line("const long long last = reduced - first < size ? reduced : first + size;");
    write_bases_of("row", 0, k_.kept);
    write_origin_variables(0);
    write_origins_anew(t);
    open("for (long long i = first; i < last; i += " + tile + ")");
    write_tile(t, "last");
    write_origins("i == 0");
    line("const int lane = (int)((i - first) % 1024);");
    write_accumulation("[lane + l]", "i - first < 1024");
    close();
    line("const int lanes = last - first < 1024 ? (int)(last - first) : 1024;");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        if (!indexed(r)) line("if (lanes > 0) combine" + id + "(a" + id + ", lanes);");
        line((indexed(r) ? "if (lanes <= 0) a" : "else a") + id + "[0] = " + identity_text(k_.reductions[r]) +
             (indexed(r) ? ", ai" + id + "[0] = 0" : "") + ";");
    }
    open("if (parts > 1)");
    line(per_reduction("partial#[item] = a#[0]; ", "position#[item] = ai#[0]; "));
    line("continue;");
    close();
    line(per_reduction("r#[ready] = a#[0]; ", "ri#[ready] = ai#[0]; "));
    open("if (++ready == " + tile + " || item + 1 == end)");
    line(name_ + "_epilogue(memory, n, c, item + 1 - ready, item + 1, error" + per_reduction(", r#", ", ri#") + ");");
    line("ready = 0;");
    close();
    close();
    close();
    out_ += "\n";
}

SINTER_INLINE void host_writer::write_rows_finish() {
    write_function_head(name_ + "_finish");
    write_reduction_parameters();
    open("for (long long row = begin; row < end; ++row)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("reduce" + id + "(partial" + id + " + row * parts" +
             (indexed(r) ? ", position" + id + " + row * parts" : "") + ", parts);");
    }
    line(name_ + "_epilogue(memory, n, c, row, row + 1, error" +
         per_reduction(", partial# + row * parts", ", position# + row * parts") + ");");
    close();
    close();
}

// The rows of a part of the columns lie too far apart for processors to expect them. On an AMD EPYC (Zen 5) sums of the
// columns of 4096 x 4096 floats took one thread 3.6 ms, with 4 rows ahead 2.5, with 8 2.2, with 16 1.9; reading the
// memory took 1.9.
SINTER_INLINE void host_writer::write_rows_ahead() {
    constexpr int rows = 16;
    if (in_parts_) return;
    for (std::size_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!here_[i] || v.kind != instruction_kind::load || k_.accesses[v.payload].step != stride_class::contiguous)
            continue;
        if (k_.accesses[v.payload].operand == access::own_number) continue;
        const std::string id = std::to_string(v.payload), line_of_cache = std::to_string(64 / size_of(v.type));
        line("for (int k = 0; k <= m; k += " + line_of_cache + ") __builtin_prefetch(p" + id + " + " +
             std::to_string(rows) + " * s" + id + "_" + std::to_string(k_.space.size() - 1) + " + k, 0, 2);");
    }
}

SINTER_INLINE void host_writer::write_columns() {
    std::string tile = std::to_string(host_tile);
    write_function_head(name_);
    write_reduction_parameters();
    tile_axes t{0, k_.kept, 0, true};
    schedule(t);
    write_arrays();
    line(per_reduction("@ a#[8][" + tile + "]; ", "long long ai#[1][" + tile + "]; "));
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (indexed(r)) line(place_type(r) + number_text(" at", r) + "[" + tile + "] = {};");
    open("for (long long item = begin; item < end; ++item)");
    line("const long long part = item % parts, i = item / parts * " + tile + ";");
    line("const long long first = part * size, last = reduced - first < size ? reduced : first + size;");
    line("const int count = kept - i < " + tile + " ? (int)(kept - i) : " + tile + ";");
    write_origin_variables(0);
    write_origins_anew(t);
    open("for (long long row = first; row < last; ++row)");
    write_bases_of("row", k_.kept, k_.space.size());
    write_tile(t, "kept");
    write_rows_ahead();
    write_origins("row == 0");
    line("const int lane = (int)((row - first) % 8);");
    write_accumulation("[lane][l]", "row - first < 8");
    close();
    line("const int lanes = last - first < 8 ? (int)(last - first) : 8;");
    open("for (int h = 4; h > 0; h /= 2)");
    open("for (int x = 0; x < h && x + h < lanes; ++x)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        if (!indexed(r))
            line("for (int l = 0; l < count; ++l) combine" + id + "(a" + id + "[x][l], a" + id + "[x + h][l]);");
    }
    close();
    close();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        if (indexed(r)) line("for (int l = 0; l < count; ++l) ai" + id + "[0][l] = first + at" + id + "[l];");
        line("if (lanes <= 0) for (int l = 0; l < count; ++l) a" + id + "[0][l] = " + identity_text(k_.reductions[r]) +
             (indexed(r) ? ", ai" + id + "[0][l] = 0;" : ";"));
    }
    open("if (parts > 1)");
    open("for (int l = 0; l < count; ++l)");
    line(per_reduction("partial#[part * kept + i + l] = a#[0][l]; ", "position#[part * kept + i + l] = ai#[0][l]; "));
    close();
    close("} else {");
    ++depth_;
    line(name_ + "_epilogue(memory, n, c, i, i + count, error" + per_reduction(", a#[0]", ", ai#[0]") + ");");
    close();
    close();
    close();
    out_ += "\n";
}

SINTER_INLINE void host_writer::write_columns_finish() {
    std::string tile = std::to_string(host_tile);
    write_function_head(name_ + "_finish");
    write_reduction_parameters();
    open("for (long long item = begin; item < end; ++item)");
    line("const long long i = item * " + tile + ";");
    line("const int count = kept - i < " + tile + " ? (int)(kept - i) : " + tile + ";");
    open("const auto combine_parts = [&](long long to, long long part)");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r), p = "partial" + id, q = "position" + id;
        line("for (int l = 0; l < count; ++l) combine" + id + "(" + p + "[to * kept + i + l]" +
             (indexed(r) ? ", " + q + "[to * kept + i + l]" : "") + ", " + p + "[part * kept + i + l]" +
             (indexed(r) ? ", " + q + "[part * kept + i + l]" : "") + ");");
    }
    close("};");
    const std::string group = std::to_string(column_group);
    line("for (long long part = 1; part < parts; ++part) if (part % " + group + ") combine_parts(part / " + group +
         " * " + group + ", part);");
    line("for (long long part = " + group + "; part < parts; part += " + group + ") combine_parts(0, part);");
    line(name_ + "_epilogue(memory, n, c, i, i + count, error" + per_reduction(", partial# + i", ", position# + i") +
         ");");
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
