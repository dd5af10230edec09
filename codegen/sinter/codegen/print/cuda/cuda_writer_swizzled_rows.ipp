// Bodies of cuda_writer.hpp that print how a stage reduces blocks of rows that lie in shared memory as they do in
// memory, at no multiple of a pack: a thread has its four neighbours as if they were one, but takes them one by one.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// Whether two lanes join to the same bits whichever comes first: of two zeros the first is the greatest, and of NaN
// that counts.
SINTER_INLINE bool cuda_writer::combines_in_any_order(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    return !chooses(x.how) && !is_complex(x.type);
}

SINTER_INLINE void cuda_writer::write_swizzled_tile(int stage) {
    tile_ = tile_kind::swizzled;
    write_resident_values(stage, [&] { write_element_groups(stage); });
    for (std::size_t r : reductions_of(stage))
        if (!combines_in_any_order(r) && !collects(stage)) line("unswizzle(a" + std::to_string(r) + ", swizzle);");
    leave_tile(stage, [&](int n) { return buffer_of_tile(team_.slot, n); });
    tile_ = tile_kind::any;
    write_elements_before(stage);
}

// What whole packs that are stored later need of the block before.
SINTER_INLINE void cuda_writer::write_elements_before(int stage) {
    const stage_facts& s = of(stage);
    std::string shift;
    texts arguments = {"true", "begin - shift + t"}, left;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!s.input[i] && !(facts_.persistent[i] && s.here[i])) continue;
        const std::string id = std::to_string(i), at = "(" + resident_at(i) + ")[t]";
        if (s.input[i]) arguments.push_back(at);
        if (s.input[i] || !facts_.whole[i]) continue;
        shift = "shift" + std::to_string(facts_.row.resident.load[i]);
        arguments.push_back("e" + id);
        left.push_back(at + " = e" + id + ";");
    }
    if (left.empty()) return;
    open("if (const int shift = " + shift + "; begin > 0 && t < shift)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i] && s.here[i] && !s.loaded[i])
            line(type_text(k_.body[i].type) + " e" + std::to_string(i) + ";");
    for (std::size_t r : reductions_of(stage)) {
        line(accumulator(r) + " n" + std::to_string(r) + ";");
        arguments.push_back("n" + std::to_string(r));
    }
    list("element", arguments, ");");
    for (const std::string& l : left) line(l);
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
