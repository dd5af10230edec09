// Bodies of cuda_writer.hpp that print how a stage reduces blocks of rows that lie in shared memory as they do in
// memory, at no multiple of a pack: a thread has its four neighbours as if they were one, but takes them one by one.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// Whether a stage reduces full blocks of held rows so: it needs nothing of an element but what was copied and what
// earlier stages have left. One H200, log softmax, softmax and layer norms of rows of 50257 floats 656, 696 and 653 us
// by packs whose lanes pass on to the next what is not theirs, so 584, 637 and 621; a copy takes 505.
SINTER_INLINE bool cuda_writer::may_swizzle(int stage, const cooperative_row& row) const {
    if (!reduces_tiles_at_once(stage, row) || !block_striped_ || resident_tile_elements(k_) == row_block ||
        k_.body.size() > unrolled_body)
        return false;
    bool reads = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (here_[i] && !is_array(i) && v.kind != instruction_kind::apply && v.kind != instruction_kind::literal &&
            v.kind != instruction_kind::scalar)
            return false;
        if (is_array(i) && !is_copied(i, row)) return false;
        reads = reads || is_input(i);
    }
    for (const store& s : k_.stores)
        if (s.stage == stage) return false;
    for (const reduction_step& r : k_.reductions)
        if (r.stage == stage && (!combines(r) || is_indexed(r.how))) return false;
    return reads;
}

// Whether two lanes join to the same bits whichever comes first: of two zeros the first is the greatest, and of NaN
// that counts.
SINTER_INLINE bool cuda_writer::combines_in_any_order(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    return !chooses(x.how) && !is_complex(x.type);
}

// Which of the stages do so, and what they leave for the elements before a full block, too.
SINTER_INLINE void cuda_writer::find_swizzled_stages(const cooperative_row& row) {
    whole_ = sequence<char>(k_.body.size(), 0);
    swizzles_ = sequence<char>(static_cast<std::size_t>(k_.stages), 0);
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) continue;
        here_ = computed_in(k_, stage, persistent_);
        used_ = used_in(k_, stage, here_);
        swizzles_[static_cast<std::size_t>(stage)] = may_swizzle(stage, row);
        if (swizzles(stage)) find_whole_values(row);
    }
}

SINTER_INLINE void cuda_writer::find_whole_values(const cooperative_row& row) {
    int shifted = 0;
    for (std::uint32_t l = 0; l < k_.body.size(); ++l) shifted += row.resident.persistent[l] && is_shifted(k_, l);
    bool whole = shifted == 1;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::uint32_t load = row.resident.load[i];
        if (is_input(i)) whole = whole && load != no_load && is_shifted(k_, load) && (whole_[i] || load == i);
    }
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::uint32_t load = row.resident.load[i];
        if (persistent_[i] && here_[i] && !is_array(i)) whole_[i] = whole && load != no_load && is_shifted(k_, load);
    }
}

// In which order a thread takes its four neighbours, so that those of a warp find theirs in different banks.
SINTER_INLINE void cuda_writer::write_swizzle(const cooperative_row& row) {
    if (std::count(swizzles_.begin(), swizzles_.end(), 1) == 0) return;
    int widest = 4;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (row.resident.persistent[i]) widest = std::max<int>(widest, size_of(k_.body[i].type));
    line("const int swizzle = t / " + std::to_string(std::max(1, 32 / widest)) + " % 4;");
}

SINTER_INLINE void cuda_writer::write_swizzled_tile(int stage, const cooperative_row& row) {
    block_striped_ = false;
    full_ = swizzled_ = true;
    write_resident_values(row, [&] { write_element_groups(stage); });
    for (std::size_t r : reductions_of(stage))
        if (!combines_in_any_order(r) && !collects(stage)) line("unswizzle(a" + std::to_string(r) + ", swizzle);");
    leave_tile(stage, [&](int n) { return buffer_of_tile(slot_of_tile(), n); });
    block_striped_ = true;
    full_ = swizzled_ = false;
    write_elements_before(stage, row);
}

// What whole packs that are stored later need of the block before.
SINTER_INLINE void cuda_writer::write_elements_before(int stage, const cooperative_row& row) {
    std::string shift;
    texts arguments = {"true", "begin - shift + t"}, left;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_input(i) && !(persistent_[i] && here_[i])) continue;
        const std::string id = std::to_string(i), at = "(" + resident_at(i, row) + ")[t]";
        if (is_input(i)) arguments.push_back(at);
        if (is_input(i) || !whole_[i]) continue;
        shift = "shift" + std::to_string(row.resident.load[i]);
        arguments.push_back("e" + id);
        left.push_back(at + " = e" + id + ";");
    }
    if (left.empty()) return;
    open("if (const int shift = " + shift + "; begin > 0 && t < shift)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (persistent_[i] && here_[i] && !is_array(i))
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
