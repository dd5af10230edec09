// Bodies of resident_row_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/rows/resident_row_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// From one resident block of a row to the next.
SINTER_INLINE std::string resident_row_writer::resident_stride() const {
    const resident_layout& resident = facts_.row.resident;
    return std::to_string(facts_.row.whole ? resident_tile_bytes(k_, resident) : resident.bytes * facts_.tile_elements);
}

SINTER_INLINE void resident_row_writer::open_tiles_of_block() {
    open_unrolled(team_.tiles, 1);
    write_row_tile();
}

// What there is to do for the elements of a part, without a check for each where it is full: then all their work is
// side by side.
SINTER_INLINE void resident_row_writer::each_tile_size(callback<void()> write) {
    if (!values_.unrolls) return write();
    open("if (size == 4096)");
    tile_ = tile_kind::full;
    write();
    tile_ = tile_kind::any;
    close("} else {");
    write();
    close();
}

// Where a value of a block is resident.
SINTER_INLINE std::string resident_row_writer::resident_at(std::uint32_t i) const {
    const std::int64_t offset = facts_.row.resident.offset[i] * facts_.tile_elements;
    return joined({"(", type_text(k_.body[i].type), "*)((char*)resident + ", resident_stride(), " * ", team_.slot,
                   offset == 0 ? ")" : " + " + std::to_string(offset) + ")"});
}

// A thread's elements of a block: packs side by side where they are moved as packs, else 256 apart, so that
// neighbouring threads find theirs in different banks.
SINTER_INLINE std::string resident_row_writer::resident_place(std::uint32_t i) const {
    const std::uint32_t load = facts_.row.resident.load[i];
    const std::string shift = load != no_load && facts_.shifted[load] ? "shift" + std::to_string(load) + " + " : "";
    return joined({type_text(k_.body[i].type), "* const h = ", resident_at(i), " + ", shift,
                   by_groups_        ? "l"
                   : takes_striped() ? "t"
                                     : "4 * t",
                   ";"});
}

SINTER_INLINE void resident_row_writer::write_resident_moves(const std::string& k, const std::string& type,
                                                             bool to_resident) {
    if (by_groups_) return write_resident_group(k, type, to_resident);
    line("#pragma unroll");
    if (takes_striped())
        return line(
            {"for (int e = 0; e < 16; ++e) ", to_resident ? "h[256 * e] = " + k + "[e];" : k + "[e] = h[256 * e];"});
    if (tile_ == tile_kind::swizzled) {
        // Of each place one address: compilers add the others up element by element.
        open("for (int c = 0; c < 4; ++c)");
        line({type, "* const lane = h + (c ^ swizzle);"});
        write_unrolled("for (int g = 0; g < 4; ++g) " +
                       (to_resident ? "lane[1024 * g] = " + k + "[4 * g + c];" : k + "[4 * g + c] = lane[1024 * g];"));
        return close();
    }
    const std::string pack = joined({"pack<", type, ", 4>"});
    open("for (int g = 0; g < 4; ++g)");
    line(to_resident ? pack + " p;" : "const " + pack + " p = *(const " + pack + "*)&h[1024 * g];");
    write_unrolled("for (int c = 0; c < 4; ++c) " +
                   (to_resident ? "p.v[c] = " + k + "[4 * g + c];" : k + "[4 * g + c] = p.v[c];"));
    if (to_resident) line({"*(", pack, "*)&h[1024 * g] = p;"});
    close();
}

// The same of a group's elements.
SINTER_INLINE void resident_row_writer::write_resident_group(const std::string& k, const std::string& type,
                                                             bool to_resident) {
    const std::string pack = "pack<" + type + ", 4>", at = takes_striped() ? "h[256 * c]" : "p.v[c]";
    if (!takes_striped()) line(to_resident ? pack + " p;" : "const " + pack + " p = *(const " + pack + "*)h;");
    write_unrolled("for (int c = 0; c < 4; ++c) " + (to_resident ? at + " = " + k + "[c];" : k + "[c] = " + at + ";"));
    if (to_resident && !takes_striped()) line({"*(", pack, "*)h = p;"});
}

// Of a row that is not held as a whole, the blocks for which there is room.
SINTER_INLINE void resident_row_writer::open_resident() {
    open(facts_.row.whole ? "" : "if (slot < " + std::to_string(facts_.row.blocks) + ")");
}

SINTER_INLINE void resident_row_writer::write_resident_read(std::uint32_t i) {
    const std::string k = joined({"k", i});
    open_resident();
    line(resident_place(i));
    write_resident_moves(k, type_text(k_.body[i].type), false);
    if (facts_.row.whole) return close();
    close("} else {");
    if (by_groups_) {
        write_group_loads({i});
        return close();
    }
    open_unrolled("for (int g = 0; g < 4; ++g)");
    line({"const int l = ", group_begin(), ";"});
    if (facts_.packed[k_.body[i].payload]) {
        line("if (l >= size) continue;");
        write_decode("(begin + l)", k_.kept, k_.space.size());
        write_load(i);
        write_unrolled("for (int c = 0; c < 4; ++c) " + k + "[4 * g + c] = t" + std::to_string(i) + ".v[c];");
    } else {
        write_single_loads(i);
    }
    close();
    close();
}

SINTER_INLINE void resident_row_writer::write_resident_write(std::uint32_t i) {
    open_resident();
    line(resident_place(i));
    write_resident_moves("k" + std::to_string(i), type_text(k_.body[i].type), true);
    close();
}

// Around what computes a block's elements: what is held of them already, and what is from now on.
SINTER_INLINE void resident_row_writer::write_resident_values(int stage, callback<void()> compute) {
    const stage_facts& s = of(stage);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i] && (s.here[i] ? s.copied[i] : s.used[i])) write_resident_read(i);
    compute();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (facts_.persistent[i] && s.here[i] && !s.copied[i]) write_resident_write(i);
}

// Whether a block is computed group by group, so that compilers write a group's elements once: those of much work, for
// they overlap enough, and those of the part with which a row ends where all are held, for it is no longer than the
// blocks before it.
SINTER_INLINE bool resident_row_writer::may_go_by_groups(int stage) const {
    const stage_facts& s = of(stage);
    if (facts_.share.own_lanes || facts_.side_by_side || s.combines_groups) return false;
    if (!values_.unrolls_full) return true;
    bool held = facts_.row.whole && facts_.share.step == row_lanes / 4;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) held = held && (!s.loaded[i] || s.copied[i]);
    return held;
}

// A block of a row, a group after the other, with what of it is not held yet.
SINTER_INLINE void resident_row_writer::write_resident_groups(int stage, const sequence<std::uint32_t>& arrays) {
    by_groups_ = true;
    line("#pragma unroll 1");
    open_groups(false);
    if (!arrays.empty()) {
        open("");
        write_group_loads(arrays);
        close();
    }
    write_resident_values(stage, [&] {
        write_group_elements(stage);
        write_group_stores(stage);
    });
    close();
    by_groups_ = false;
}

// One for each stage's results that arrive from a team, and one for each part that is copied in bulk.
SINTER_INLINE void resident_row_writer::write_barriers() {
    const int count = facts_.barriers + (facts_.bulk ? facts_.row.blocks : 0);
    if (count == 0) return;
    const std::string counts = std::to_string(count);
    line({"__shared__ unsigned long long barriers[", counts, "];"});
    line((facts_.bulk ? "if (t == 0)" : "if (in_cluster() && t == 0)") + (" init_barriers(barriers, " + counts + ");"));
    team_line("if (in_cluster()) arrive_at_cluster();");
    if (facts_.bulk) line(team_.fetched_by);
}

SINTER_INLINE std::string resident_row_writer::barrier_of_tile() const {
    return joined({"&barriers[", facts_.barriers > 0 ? std::to_string(facts_.barriers) + " + " : "", team_.slot, "]"});
}

// How far behind a multiple of 16 bytes the rows begin that are copied with a shift.
SINTER_INLINE void resident_row_writer::write_shifts() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!facts_.persistent[i] || v.kind != instruction_kind::load ||
            !(facts_.shifted[i] || (facts_.bulk && facts_.packed[v.payload])))
            continue;
        at_element() = "0";
        const std::string id = std::to_string(i), size = std::to_string(size_of(k_.body[i].type));
        line({"const ", operand_type(k_.body[i].payload), "* const row", id, " = &", element(k_.body[i].payload), ";"});
        if (!facts_.shifted[i]) line({"constexpr int shift", id, " = 0;"});
        else line({"const int shift", id, " = (int)((unsigned long long)row", id, " % 16 / ", size, ");"});
    }
}

// All that a thread block holds of a row, at once; each thread waits for what it has asked for only.
SINTER_INLINE void resident_row_writer::write_resident_copies(const sequence<std::uint32_t>& copied) {
    line(team_.opening);
    if (facts_.bulk) open("if (asks(t))");
    open_tiles_of_block();
    team_line("++copies;");
    for (std::uint32_t i : copied) {
        const std::string id = std::to_string(i);
        if (facts_.bulk || facts_.shifted[i]) {
            line({"copy_shifted(", copy_arguments(i), facts_.bulk ? ", " + barrier_of_tile() + ");" : ");"});
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

SINTER_INLINE std::string resident_row_writer::copy_arguments(std::uint32_t i) const {
    const std::string id = std::to_string(i);
    return joined({resident_at(i), ", row", id, ", begin, size, shift", id, ", reduced, t"});
}

SINTER_INLINE void resident_row_writer::write_ends_of_copies(const sequence<std::uint32_t>& copied) {
    team_line("slot = 0;");
    open("if (t < 32)");
    open_tiles_of_block();
    for (std::uint32_t i : copied) line({"copy_ends(", copy_arguments(i), ");"});
    line({"arrive(", barrier_of_tile(), ", t);"});
    close();
    close();
}

SINTER_INLINE void resident_row_writer::write_tile_copies(std::uint32_t i) {
    open_unrolled("for (int g = 0; g < 4; ++g)");
    line({"const int l = ", group_begin(), ";"});
    write_group_check();
    if (facts_.packed[k_.body[i].payload]) {
        write_decode("(begin + l)", k_.kept, k_.space.size());
        const std::string pack = pack_at(k_.body[i].payload);
        line({"copy_soon((", pack, "*)&h[1024 * g], (const ", pack, "*)&", element(k_.body[i].payload), ");"});
    } else {
        open_unrolled("for (int c = 0; c < 4; ++c)");
        if (tile_ == tile_kind::any) line({"if (", group_element(), " >= size) continue;"});
        write_decode("(begin + " + group_element() + ")", k_.kept, k_.space.size());
        line({"copy_soon(&h[256 * (4 * g + c)], &", element(k_.body[i].payload), ");"});
        close();
    }
    close();
}

// For a part's copies, in front of what reads it.
SINTER_INLINE void resident_row_writer::write_wait_for_copies() {
    if (facts_.bulk) return line({"await_tile(", barrier_of_tile(), ", ", team_.phase, ", --copies);"});
    line("wait_for_copies(--copies);");
    // What one thread has asked for, others read.
    if (facts_.has_gaps) line("__syncthreads();");
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
