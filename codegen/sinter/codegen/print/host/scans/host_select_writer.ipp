// Bodies of host_select_writer.hpp.
#pragma once

#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/host/scans/host_select_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* select_picked_text =
#include <sinter/codegen/print/host/text/select_picked.hxx>
    ;
inline constexpr const char* select_parts_text =
#include <sinter/codegen/print/host/text/select_parts.hxx>
    ;

// Elements [begin, end), whose selected ones go to `at` and behind; with `counts` they are only counted.
SINTER_INLINE void host_select_writer::write_select_part() {
    std::string tile = std::to_string(host_tile);
    open({"static long long ", name_,
          "_part(void* const* memory, const long long* n, const unsigned char* c, long long begin, "
          "long long end, long long at, bool counts, long long* error)"});
    write_unpacking();
    tile_axes t = begin_both_stages(k_.kept, k_.space.size(), false);
    line({"int picked[", tile, " + 1];"});
    line("long long count = 0;");
    open({"for (long long i = begin; i < end; i += ", tile, ")"});
    line("const long long i0 = 0;");
    write_tile(t, "end");
    fill(select_picked_text, {{"tile", tile}, {"mask", value(k_.reductions[0].argument)}});
    begin_second_stage(t);
    close();
    for (const store& s : k_.stores)
        line({"for (int k = 0; k < found; ++k) { const int l = picked[k]; y", k_.accesses[s.access].operand,
              "[at + count + k] = ", value(s.value), "; }"});
    line("count += found;");
    close();
    line("return count;");
    close();
    out_ += "\n";
}

SINTER_INLINE void host_select_writer::write_parts(bool ends) {
    write_function_head(name_ + (ends ? "_finish" : ""));
    fill(select_parts_text, {{"ends", ends},
                             {"tells", k_.count_operand >= 0},
                             {"size", extents_text(0, k_.space.size(), "n[", "]")},
                             {"counts", std::to_string(k_.operands.size())},
                             {"part", name_ + "_part"},
                             {"end_of_item", "(item + 1) * 16384 < size ? (item + 1) * 16384 : size"},
                             {"count", "*(long long*)memory[" + std::to_string(k_.count_operand) + "]"}});
    close();
}

SINTER_INLINE void host_select_writer::write_kernel() {
    write_select_part();
    write_parts(false);
    out_ += "\n";
    write_parts(true);
}

SINTER_INLINE kernel_source print_host_select(const kernel& k) { return written_by<host_select_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
