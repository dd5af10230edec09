// Bodies of host_select_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/scans/host_select_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Elements [begin, end), whose selected ones go to `at` and behind; with `counts` they are only counted.
SINTER_INLINE void host_select_writer::write_select_part() {
    std::string tile = std::to_string(host_tile);
    open("static long long " + name_ +
         "_part(void* const* memory, const long long* n, const unsigned char* c, long long begin, "
         "long long end, long long at, bool counts, long long* error)");
    write_unpacking();
    tile_axes t = begin_both_stages(k_.kept, k_.space.size(), false);
    line("int picked[" + tile + " + 1];");
    line("long long count = 0;");
    open("for (long long i = begin; i < end; i += " + tile + ")");
    line("const long long i0 = 0;");
    write_tile(t, "end");
    const std::uint32_t mask = k_.reductions[0].argument;
    // What is in memory may be any byte, and is added up.
    line("unsigned char set[" + tile + "];");
    line("for (int l = 0; l < m; ++l) set[l] = " + value(mask) + ";");
    line("int found = 0;");
    open("if (counts)");
    line("for (int l = 0; l < m; ++l) found += set[l];");
    line("count += found;");
    line("continue;");
    close();
    open("for (int l = 0; l < m; ++l)");
    line("picked[found] = l;");
    line("found += set[l];");
    close();
    begin_second_stage(t);
    close();
    for (const store& s : k_.stores)
        line("for (int k = 0; k < found; ++k) { const int l = picked[k]; " +
             number_text("y", k_.accesses[s.access].operand) + "[at + count + k] = " + value(s.value) + "; }");
    line("count += found;");
    close();
    line("return count;");
    close();
    out_ += "\n";
}

SINTER_INLINE void host_select_writer::write_kernel() {
    write_select_part();
    const std::string size = extents_text(0, k_.space.size(), "n[", "]"), counts = std::to_string(k_.operands.size());
    auto write_parts = [&] {
        line("const long long size = " + size + ", parts = size <= 65536 ? 1 : (size + 16383) / 16384;");
        line("long long* const counts = (long long*)memory[" + counts + "];");
    };
    std::string part = "item * 16384, (item + 1) * 16384 < size ? (item + 1) * 16384 : size";
    std::string result = k_.count_operand < 0 ? "" : "*(long long*)memory[" + std::to_string(k_.count_operand) + "] = ";
    write_function_head(name_);
    write_parts();
    open("if (parts == 1)");
    line(result + name_ + "_part(memory, n, c, 0, size, 0, false, error);");
    line("return;");
    close();
    line("for (long long item = begin; item < end; ++item)");
    line("    counts[item] = " + name_ + "_part(memory, n, c, " + part + ", 0, true, error);");
    close();
    out_ += "\n";
    write_function_head(name_ + "_finish");
    write_parts();
    line("long long at = 0;");
    line("for (long long item = 0; item < begin; ++item) at += counts[item];");
    line("for (long long item = begin; item < end; ++item)");
    line("    at += " + name_ + "_part(memory, n, c, " + part + ", at, false, error);");
    if (!result.empty()) line("if (end == parts) " + result + "at;");
    close();
}

SINTER_INLINE kernel_source print_host_select(const kernel& k) { return written_by<host_select_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
