// Bodies of grid_columns_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/columns/grid_columns_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// What each reduction has of a thread's column, or of each of its columns.
SINTER_INLINE void grid_columns_writer::declare(const std::string& name) {
    if (!has_several()) return per_reduction("@ " + name + "#;", "index " + name + "i#;");
    const std::string columns = "[" + std::to_string(k_.how.packs) + "];";
    per_reduction("@ each_" + name + "#" + columns, "index each_" + name + "i#" + columns);
}

// Under the names that they have where a thread has one column.
SINTER_INLINE void grid_columns_writer::write_own_column(const std::string& name) {
    if (!has_several()) return;
    line("const index column = first_column + c;");
    per_reduction("@& " + name + "# = each_" + name + "#[c];", "index& " + name + "i# = each_" + name + "i#[c];");
}

SINTER_INLINE std::string grid_columns_writer::each_column() const {
    return joined({"for (int c = 0; c < ", k_.how.packs, "; ++c)"});
}

// One after the other, by instructions that stand once: what chunks come to is little beside their elements.
SINTER_INLINE void grid_columns_writer::open_column(const std::string& name) {
    if (!has_several()) return;
    open_unrolled(each_column(), 1);
    write_own_column(name);
}

SINTER_INLINE void grid_columns_writer::close_column() {
    if (has_several()) close();
}

// Threads along the kept axes, eight lanes of a chunk above each other; thread blocks take the chunks of their columns
// in turn.
SINTER_INLINE void grid_columns_writer::write_kernel() {
    begin_reduction();
    write_head();
    write_sizes();
    const std::string first = joined({block_number(), " * blockDim.x + threadIdx.x"});
    if (has_several()) line({"const index first_column = (", first, ") * ", k_.how.packs, ";"});
    else line({"const index column = ", first, ";"});
    line({"const bool alone = tiles == 1 || (gridDim.y * blockDim.z == 1 && tiles <= ", column_group, ");"});
    write_shared_buffer(2);
    write_decode("column", 0, k_.kept);
    write_origins(0, "column < kept && reduced > 0");
    write_accumulate();
    line("int buffer_phase = 0;");
    declare("r");
    line("// So many chunks, a power of two unless the thread block takes all.");
    line("index each = blockDim.z;");
    line("while (each * gridDim.y < tiles) each *= 2;");
    line("#pragma unroll 1");
    open(
        "for (index above = blockIdx.y * each; above < tiles && above < (blockIdx.y + 1) * each; above += blockDim.z)");
    write_column_chunk();
    close();
    write_columns_end();
    open_column("r");
    line("if (threadIdx.y + threadIdx.z != 0 || column >= kept) return;");
    open("if (reduced == 0)");
    for (std::size_t r : reductions_of()) write_for(r, "r# = " + identity_text(k_.reductions[r]) + "{?, ri# = 0?};");
    close();
    write_epilogue();
    close_column();
    close();
    out_ += "\n";
}

// Rows that lie 8 apart: all are on their way before the first is used.
SINTER_INLINE void grid_columns_writer::write_rows(int count, const std::string& check) {
    const std::string rows = std::to_string(count);
    std::string &at = at_element(), &column = at_[0];
    sequence<std::uint32_t> loads;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) loads.push_back(i);
    auto type_of = [&](std::uint32_t i) {
        return has_several() ? pack_at(k_.body[i].payload) : type_text(k_.body[i].type);
    };
    for (std::uint32_t i : loads) line({type_of(i), " t", i, "[", rows, "];"});
    open_unrolled("for (int u = 0; u < " + rows + "; ++u)");
    at = "(i + 8 * u)";
    const std::string one = column;
    if (has_several()) column = "first_column";
    for (std::uint32_t i : loads) {
        const std::string as_pack = has_several() ? "*(const " + type_of(i) + "*)&" : std::string();
        line({check, "t", i, "[u] = ", as_pack, element(k_.body[i].payload), ";"});
    }
    column = one;
    close();
    const std::string call = check + "accumulate";
    const texts arguments =
        accumulate_arguments("u == 0 && i == first", "i + 8 * u", has_several() ? "lane" : "a", "u");
    if (!has_several()) {
        line("#pragma unroll");
        return list("for (int u = 0; u < " + rows + "; ++u) " + call, arguments, ");");
    }
    open_unrolled("for (int u = 0; u < " + rows + "; ++u)");
    open_unrolled(each_column());
    list(call, arguments, ");");
    close();
    close();
}

// A chunk's lane of each of a thread's columns, in registers: what they come to is found by its number.
SINTER_INLINE void grid_columns_writer::declare_lanes() {
    const std::string columns = has_several() ? joined({"[", k_.how.packs, "];"}) : std::string(";");
    for (std::size_t r : reductions_of())
        if (facts_.narrow[r]) write_for(r, "int narrow#" + columns);
        else if (has_several()) write_for(r, "@ lane#" + columns, "index lanei#" + columns);
}

SINTER_INLINE void grid_columns_writer::keep_lanes() {
    for (std::size_t r : reductions_of()) {
        const std::string from = facts_.narrow[r] ? "narrow#" : "lane#";
        if (!has_several() && facts_.narrow[r]) write_for(r, "a# = narrow#;");
        if (!has_several()) continue;
        const std::string to = each_column() + " each_a";
        line("#pragma unroll");
        write_for(r, to + "#[c] = " + from + "[c];", to + "i#[c] = lanei#[c];");
    }
}

// One lane of a chunk.
SINTER_INLINE void grid_columns_writer::write_column_lane() {
    line("const index first = begin + threadIdx.y;");
    if (!facts_.rows_ahead) {
        list("accumulate", accumulate_arguments("true", "first", "a", ""), ");");
        line(values_.unrolls ? "#pragma unroll 4" : "#pragma unroll 1");
        list("for (index i = first + 8; i < end; i += 8) accumulate", accumulate_arguments("false", "i", "a", ""),
             ");");
        return;
    }
    line("index i = first;");
    declare_lanes();
    open_unrolled("for (; end - i > " + std::to_string(8 * facts_.rows_ahead - 8) +
                      "; i += " + std::to_string(8 * facts_.rows_ahead) + ")",
                  1);
    write_rows(facts_.rows_ahead, "");
    close();
    // More copies of these loads would leave the first ones registers for fewer.
    open_unrolled("for (; i < end; i += 32)", 1);
    write_rows(4, "if (i + 8 * u < end) ");
    close();
    keep_lanes();
}

// What a chunk comes to, which its first thread keeps or leaves for others.
SINTER_INLINE void grid_columns_writer::write_column_chunk() {
    lines(
        "const index tile = above + threadIdx.z;\n"
        "const index begin = tile * size, end = reduced - begin < size ? reduced : begin + size;\n"
        "const int lanes = " +
        std::string(has_several() ? "first_column" : "column") +
        " >= kept || begin >= end ? 0 : end - begin < 8 ? (int)(end - begin) : 8;");
    declare("a");
    open("if ((int)threadIdx.y < lanes)");
    write_column_lane();
    close();
    open_column("a");
    if (has_several()) per_reduction("@& r# = each_r#[c];", "index& ri# = each_ri#[c];");
    for (std::size_t r : reductions_of()) line(reduce_text("chunk_reduce", r, "lanes, buffer[buffer_phase ^= 1]"));
    line("if (threadIdx.y != 0 || lanes == 0) continue;");
    open("if (!alone)");
    per_reduction("partial#[tile * kept + column] = a#;", "position#[tile * kept + column] = ai#;");
    close("} else if (tile == 0) {");
    per_reduction("r# = a#;", "ri# = ai#;");
    close("} else {");
    per_reduction("combine#(r#{?, ri#?}, a#{?, ai#?});");
    close();
    close_column();
}

// chunks_reduce(first, count, step): what up to as many chunks as a group has, a step apart, have come to, by all
// threads: that of half of them is on its way before any is combined, by the first of those above each other. All of it
// would leave the loop before registers for fewer loads. One H100, means and variances of 2097152 x 32 floats, of which
// reading takes 87 us: 113 where those first ones load eight at a time, 104 so.
SINTER_INLINE void grid_columns_writer::write_chunks_reduce() {
    constexpr int ahead = column_group / column_lanes / 2;
    const std::string turns = std::to_string(ahead);
    line("const int row = threadIdx.y + 8 * threadIdx.z, rows = 8 * blockDim.z;");
    const std::string which = has_several() ? "int c, " : "";
    open({"const auto chunks_reduce = [&](", which, "index first, int count, index step)"});
    write_own_column("r");
    open_unrolled("for (int top = 0; top < count; top += " + turns + " * rows)", 1);
    per_reduction("@ b#[" + turns + "];", "index bi#[" + turns + "];");
    open_unrolled("for (int u = 0; u < " + turns + "; ++u)");
    line("const int n = top + rows * u + row;");
    line("if (column >= kept || n >= count) continue;");
    const std::string place = "[(first + n * step) * kept + column];";
    per_reduction("b#[u] = partial#" + place, "bi#[u] = position#" + place);
    close();
    // What has been loaded moves up, so that its turns need no copy each and it needs no memory.
    open_unrolled("for (int u = 0; u < " + turns + "; ++u)", 1);
    line("const int left = count - top - rows * u;");
    line("if (left <= 0) break;");
    for (std::size_t r : reductions_of()) {
        const std::string from = "top + u == 0, left < rows ? left : rows, buffer[buffer_phase ^= 1]";
        write_for(r, "rows_reduce<combine#>(" + from + ", " +
                         with_index(r, "row_value<@>{r#, b#[0]}", "row_value<index>{ri#, bi#[0]}") + ");");
    }
    open_unrolled("for (int v = 1; v < " + turns + "; ++v)");
    per_reduction("b#[v - 1] = b#[v];", "bi#[v - 1] = bi#[v];");
    close();
    close();
    close();
    close("};");
}

inline constexpr const char* column_groups_text =
#include <sinter/codegen/print/cuda/text/column_groups.cuh>
    ;

// A column's results, by the only thread block that took its chunks; or by the last one of each group of chunks, and
// the last of these.
SINTER_INLINE void grid_columns_writer::write_columns_end() {
    const std::string group = std::to_string(column_group),
                      first_thread = "threadIdx.x + threadIdx.y + threadIdx.z == 0";
    open("if (!alone)");
    write_chunks_reduce();
    fill(column_groups_text, {{"group", group}, {"rest", std::to_string(column_group - 1)}});
    open("if (is_shared)");
    line("const index blocks = (members_of(own) + each - 1) / each;");
    write_last_check(first_thread, "barriers[own]", "blocks");
    close();
    line("// Its own group, or all of them; then what the groups have come to, by the same instructions.");
    line("const index end = is_shared ? own + 1 : groups;");
    open_unrolled("for (index g = is_shared ? own : 0; g <= end && (g < end || groups > 1); ++g)", 1);
    open("if (g == end)");
    line("__syncthreads();");
    open("if (is_shared)");
    write_last_check(first_thread, "barriers[groups]", "groups");
    close();
    close();
    open_column("r");
    line({"chunks_reduce(", has_several() ? "c, " : "", "g < end ? ", group,
          " * g : 0, g < end ? members_of(g) : (int)groups, g < end ? 1 : ", group, ");"});
    line("if (g == end || row > 0 || column >= kept) continue;");
    per_reduction("partial#[" + group + " * g * kept + column] = r#;",
                  "position#[" + group + " * g * kept + column] = ri#;");
    close_column();
    close();
    close();
}

SINTER_INLINE kernel_source print_grid_per_column(const kernel& k) { return written_by<grid_columns_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
