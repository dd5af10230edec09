// Bodies of cuda_writer.hpp that print how thread blocks copy the part of a long row that is resident in their shared
// memory; how stages take rows from there swizzled, and leave them by whole packs although they begin at no multiple of
// one.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// Where a value of a block is held.
SINTER_INLINE std::string cuda_writer::resident_at(std::uint32_t i) const {
    const std::int64_t offset = facts_.row.resident.offset[i] * facts_.tile_elements;
    return "(" + type_text(k_.body[i].type) + "*)((char*)resident + " + resident_stride() + " * " + team_.slot +
           (offset == 0 ? ")" : " + " + std::to_string(offset) + ")");
}

// A thread's elements of a block: packs side by side where they are moved as packs, else 256 apart, so that
// neighbouring threads find theirs in different banks.
SINTER_INLINE std::string cuda_writer::resident_place(std::uint32_t i) const {
    const std::uint32_t load = facts_.row.resident.load[i];
    const std::string shift = load != no_load && facts_.shifted[load] ? "shift" + std::to_string(load) + " + " : "";
    return type_text(k_.body[i].type) + "* const h = " + resident_at(i) + " + " + shift +
           (takes_striped() ? "t" : "4 * t") + ";";
}

SINTER_INLINE void cuda_writer::write_resident_moves(const std::string& k, const std::string& type, bool to_resident) {
    line("#pragma unroll");
    if (takes_striped())
        return line("for (int e = 0; e < 16; ++e) " +
                    (to_resident ? "h[256 * e] = " + k + "[e];" : k + "[e] = h[256 * e];"));
    if (tile_ == tile_kind::swizzled) {
        // Of each place one address: compilers add the others up element by element.
        open("for (int c = 0; c < 4; ++c)");
        line(type + "* const lane = h + (c ^ swizzle);");
        line("#pragma unroll");
        line("for (int g = 0; g < 4; ++g) " +
             (to_resident ? "lane[1024 * g] = " + k + "[4 * g + c];" : k + "[4 * g + c] = lane[1024 * g];"));
        return close();
    }
    const std::string pack = "pack<" + type + ", 4>";
    open("for (int g = 0; g < 4; ++g)");
    line(to_resident ? pack + " p;" : "const " + pack + " p = *(const " + pack + "*)&h[1024 * g];");
    line("#pragma unroll");
    line("for (int c = 0; c < 4; ++c) " +
         (to_resident ? "p.v[c] = " + k + "[4 * g + c];" : k + "[4 * g + c] = p.v[c];"));
    if (to_resident) line("*(" + pack + "*)&h[1024 * g] = p;");
    close();
}

// Of a row that is not held as a whole, the blocks for which there is room.
SINTER_INLINE void cuda_writer::open_resident() {
    open(facts_.row.whole ? "" : "if (slot < " + std::to_string(facts_.row.blocks) + ")");
}

SINTER_INLINE void cuda_writer::write_resident_read(std::uint32_t i) {
    const std::string k = "k" + std::to_string(i);
    open_resident();
    line(resident_place(i));
    write_resident_moves(k, type_text(k_.body[i].type), false);
    if (facts_.row.whole) return close();
    close("} else {");
    line("#pragma unroll");
    open("for (int g = 0; g < 4; ++g)");
    line("const int l = " + group_begin() + ";");
    if (facts_.packed[k_.body[i].payload]) {
        line("if (l >= size) continue;");
        write_decode("(begin + l)", k_.kept, k_.space.size());
        write_load(i);
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) " + k + "[4 * g + c] = t" + std::to_string(i) + ".v[c];");
    } else {
        write_single_loads(i);
    }
    close();
    close();
}

SINTER_INLINE void cuda_writer::write_resident_write(std::uint32_t i) {
    open_resident();
    line(resident_place(i));
    write_resident_moves("k" + std::to_string(i), type_text(k_.body[i].type), true);
    close();
}

// One for each stage's results that arrive from a team, and one for each part that is copied in bulk.
SINTER_INLINE void cuda_writer::write_barriers() {
    const int count = facts_.barriers + (facts_.bulk ? facts_.row.blocks : 0);
    if (count == 0) return;
    const std::string counts = std::to_string(count);
    line("__shared__ unsigned long long barriers[" + counts + "];");
    line((facts_.bulk ? "if (t == 0)" : "if (in_cluster() && t == 0)") + (" init_barriers(barriers, " + counts + ");"));
    team_line("if (in_cluster()) arrive_at_cluster();");
    if (facts_.bulk) line(team_.fetched_by);
}

SINTER_INLINE std::string cuda_writer::barrier_of_tile() const {
    return "&barriers[" + (facts_.barriers > 0 ? std::to_string(facts_.barriers) + " + " : "") + team_.slot + "]";
}

// How far behind a multiple of 16 bytes the rows begin that are copied with a shift.
SINTER_INLINE void cuda_writer::write_shifts() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!facts_.persistent[i] || v.kind != instruction_kind::load ||
            !(facts_.shifted[i] || (facts_.bulk && facts_.packed[v.payload])))
            continue;
        at_[static_cast<std::size_t>(k_.kept)] = "0";
        const std::string id = std::to_string(i), size = std::to_string(size_of(k_.body[i].type));
        line("const " + operand_type(k_.body[i].payload) + "* const row" + id + " = &" + element(k_.body[i].payload) +
             ";");
        if (!facts_.shifted[i]) line("constexpr int shift" + id + " = 0;");
        else line("const int shift" + id + " = (int)((unsigned long long)row" + id + " % 16 / " + size + ");");
    }
}

// All that a thread block holds of a row, at once; each thread waits for what it has asked for only.
SINTER_INLINE void cuda_writer::write_resident_copies(const sequence<std::uint32_t>& copied) {
    line(team_.opening);
    if (facts_.bulk) open("if (asks(t))");
    open_tiles_of_block();
    team_line("++copies;");
    for (std::uint32_t i : copied) {
        const std::string id = std::to_string(i);
        if (facts_.bulk || facts_.shifted[i]) {
            line("copy_shifted(" + copy_arguments(i) + (facts_.bulk ? ", " + barrier_of_tile() + ");" : ");"));
            continue;
        }
        open("");
        line(resident_place(i));
        each_tile_size([&] { write_tile_copies(i); });
        close();
    }
    line("end_of_copies();");
    close();
    if (facts_.bulk) {
        close();
        write_ends_of_copies(copied);
    }
}

SINTER_INLINE std::string cuda_writer::copy_arguments(std::uint32_t i) const {
    const std::string id = std::to_string(i);
    return resident_at(i) + ", row" + id + ", begin, size, shift" + id + ", reduced, t";
}

SINTER_INLINE void cuda_writer::write_ends_of_copies(const sequence<std::uint32_t>& copied) {
    team_line("slot = 0;");
    open("if (t < 32)");
    open_tiles_of_block();
    for (std::uint32_t i : copied) line("copy_ends(" + copy_arguments(i) + ");");
    line("arrive(" + barrier_of_tile() + ", t);");
    close();
    close();
}

SINTER_INLINE void cuda_writer::write_tile_copies(std::uint32_t i) {
    line("#pragma unroll");
    open("for (int g = 0; g < 4; ++g)");
    line("const int l = " + group_begin() + ";");
    write_group_check();
    if (facts_.packed[k_.body[i].payload]) {
        write_decode("(begin + l)", k_.kept, k_.space.size());
        const std::string pack = pack_at(k_.body[i].payload);
        line("copy_soon((" + pack + "*)&h[1024 * g], (const " + pack + "*)&" + element(k_.body[i].payload) + ");");
    } else {
        line("#pragma unroll");
        open("for (int c = 0; c < 4; ++c)");
        if (tile_ == tile_kind::any) line("if (" + group_element() + " >= size) continue;");
        write_decode("(begin + " + group_element() + ")", k_.kept, k_.space.size());
        line("copy_soon(&h[256 * (4 * g + c)], &" + element(k_.body[i].payload) + ");");
        close();
    }
    close();
}

// For a part's copies, in front of what reads it.
SINTER_INLINE void cuda_writer::write_wait_for_copies() {
    if (facts_.bulk) return line("await_tile(" + barrier_of_tile() + ", " + team_.phase + ", --copies);");
    line("wait_for_copies(--copies);");
    // What one thread has asked for, others read.
    if (facts_.has_gaps) line("__syncthreads();");
}

// Compilers take stores of packs apart where others beside them are of single elements.
inline constexpr const char* whole_store_text =
#include <sinter/codegen/print/cuda/text/whole_store.cuh>
    ;

// Whether the rows that are stored begin as those that are held do, and how far behind a multiple of 16 bytes.
SINTER_INLINE void cuda_writer::write_alignment(int stage) {
    std::string shift, same;
    auto add = [&](const std::string& x) {
        if (shift.empty()) shift = x;
        else same += (same.empty() ? "" : " && ") + x + " == shift";
    };
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (of(stage).input[i]) add("shift" + std::to_string(facts_.row.resident.load[i]));
    at_[static_cast<std::size_t>(k_.kept)] = "0";
    for (std::size_t s : of(stage).stores)
        add("(int)((unsigned long long)&" + element(k_.stores[s].access) + " % 16 / 4)");
    line("const int shift = " + shift + ";");
    line("const bool aligned = " + same + ";");
}

// A part of a row by packs of four, and by single elements where no pack is full. A full part's first pack has the last
// elements of the part before.
SINTER_INLINE void cuda_writer::write_aligned_tile(int stage) {
    texts four = {"false", "begin + at - shift + c"}, one = {"false", "begin + at - shift"}, loads;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!of(stage).input[i]) continue;
        const std::string id = std::to_string(i);
        line("const " + type_text(k_.body[i].type) + "* const h" + id + " = " + resident_at(i) + ";");
        const std::string pack = "const pack<" + type_text(k_.body[i].type) + ", 4>";
        loads.push_back(pack + " p" + id + " = *(" + pack + "*)&h" + id + "[at];");
        four.push_back("p" + id + ".v[c]");
        one.push_back("h" + id + "[at]");
    }
    line("const int ends = shift + size;");
    line("const bool all = begin > 0 && size == 4096, all_behind = begin + 8192 <= reduced;");
    open("const auto store_pack = [&](int at)");
    for (const std::string& load : loads) line(load);
    at_[static_cast<std::size_t>(k_.kept)] = "(begin + at - shift)";
    sequence<std::string> stores;
    for (std::size_t s : of(stage).stores) {
        const std::string id = std::to_string(s), pack = "pack<" + operand_type(k_.stores[s].access) + ", 4>";
        line(pack + " o" + id + ";");
        four.push_back("o" + id + ".v[c]");
        stores.push_back("store_whole((" + pack + "*)&" + element(k_.stores[s].access) + ", o" + id + ");");
    }
    write_by_inverse(stage, [&](const std::string& element, const texts& more) {
        texts arguments = four;
        for (const std::string& m : more) arguments.push_back(m);
        line("#pragma unroll");
        list("for (int c = 0; c < 4; ++c) aligned_" + element, arguments, ");");
    });
    for (const std::string& store : stores) line(store);
    close("};");
    open("if (all && all_behind)");
    line("#pragma unroll");
    line("for (int g = 0; g < 4; ++g) store_pack(1024 * g + 4 * t);");
    line("continue;");
    close();
    line("#pragma unroll");
    open("for (int g = 0; g < 4; ++g)");
    line("const int at = 1024 * g + 4 * t;");
    line("if (all || (at >= shift && at + 4 <= ends)) store_pack(at);");
    close();
    line("const int at = t < 4 ? t : ends / 4 * 4 + t - 4;");
    line("const bool single = t < 4 ? !all && (shift > 0 || ends < 4) : t < 8 && ends >= 4 && !all_behind;");
    list("if (single && at >= shift && at < ends) element", one, ");");
    line("continue;");
}

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
