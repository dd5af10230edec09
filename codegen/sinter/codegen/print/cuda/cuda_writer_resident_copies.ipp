// Bodies of cuda_writer.hpp that print how thread blocks copy the part of a long row that is resident in their shared
// memory.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// Counts of what arrives from a team; a row whose stages only find its first element has no meetings.
SINTER_INLINE int cuda_writer::barriers() const {
    return k_.is(mapping::resident_row) ? 0 : std::max(1, number_of_barrier(k_.stages));
}

// These, and one for each part that is copied in bulk.
SINTER_INLINE void cuda_writer::write_barriers(const cooperative_row& row) {
    const int barriers = this->barriers(), tiles = facts_.bulk ? row.blocks : 0;
    if (barriers + tiles == 0) return;
    const std::string counts = std::to_string(barriers + tiles);
    line("__shared__ unsigned long long barriers[" + counts + "];");
    line((facts_.bulk ? "if (t == 0)" : "if (in_cluster() && t == 0)") + (" init_barriers(barriers, " + counts) + ");");
    if (!k_.is(mapping::resident_row)) line("if (in_cluster()) arrive_at_cluster();");
    if (facts_.bulk) line(k_.is(mapping::resident_row) ? "__syncthreads();" : "else __syncthreads();");
}

SINTER_INLINE std::string cuda_writer::barrier_of_tile() const {
    return "&barriers[" + (barriers() > 0 ? std::to_string(barriers()) + " + " : "") + slot_of_tile() + "]";
}

// How far behind a multiple of 16 bytes the rows begin that are copied with a shift.
SINTER_INLINE void cuda_writer::write_shifts(const cooperative_row& row) {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!row.resident.persistent[i] || v.kind != instruction_kind::load ||
            !(is_shifted(k_, i) || (facts_.bulk && is_packed(v.payload))))
            continue;
        at_[static_cast<std::size_t>(k_.kept)] = "0";
        const std::string id = std::to_string(i), size = std::to_string(size_of(k_.body[i].type));
        line("const " + operand_type(k_.body[i].payload) + "* const row" + id + " = &" + element(k_.body[i].payload) +
             ";");
        if (!is_shifted(k_, i)) line("constexpr int shift" + id + " = 0;");
        else line("const int shift" + id + " = (int)((unsigned long long)row" + id + " % 16 / " + size + ");");
    }
}

// Whether what is held of a whole row comes there by copies that threads need not see to.
SINTER_INLINE bool cuda_writer::is_copied(std::uint32_t i, const cooperative_row& row) const {
    return row.whole && persistent_[i] && is_array(i) &&
           (is_packed(k_.body[i].payload) || is_copied_type(k_.body[i].type));
}

// All that a thread block holds of a row, at once; each thread waits for what it has asked for only.
SINTER_INLINE void cuda_writer::write_resident_copies(const sequence<std::uint32_t>& copied,
                                                      const cooperative_row& row) {
    line(k_.is(mapping::resident_row) ? "int copies = (int)tiles;" : "int copies = 0, slot = 0;");
    if (facts_.bulk) open("if (asks(t))");
    open_tiles_of_block();
    if (!k_.is(mapping::resident_row)) line("++copies;");
    for (std::uint32_t i : copied) {
        const std::string id = std::to_string(i);
        if (facts_.bulk || is_shifted(k_, i)) {
            line("copy_shifted(" + copy_arguments(i, row) + (facts_.bulk ? ", " + barrier_of_tile() + ");" : ");"));
            continue;
        }
        open("");
        line(resident_place(i, row));
        each_tile_size([&] { write_tile_copies(i); });
        close();
    }
    line("end_of_copies();");
    close();
    if (facts_.bulk) {
        close();
        write_ends_of_copies(copied, row);
    }
}

SINTER_INLINE std::string cuda_writer::copy_arguments(std::uint32_t i, const cooperative_row& row) const {
    const std::string id = std::to_string(i);
    return resident_at(i, row) + ", row" + id + ", begin, size, shift" + id + ", reduced, t";
}

SINTER_INLINE void cuda_writer::write_ends_of_copies(const sequence<std::uint32_t>& copied,
                                                     const cooperative_row& row) {
    if (!k_.is(mapping::resident_row)) line("slot = 0;");
    open("if (t < 32)");
    open_tiles_of_block();
    for (std::uint32_t i : copied) line("copy_ends(" + copy_arguments(i, row) + ");");
    line("arrive(" + barrier_of_tile() + ", t);");
    close();
    close();
}

SINTER_INLINE void cuda_writer::write_tile_copies(std::uint32_t i) {
    line("#pragma unroll");
    open("for (int g = 0; g < 4; ++g)");
    line("const int l = " + group_begin() + ";");
    write_group_check();
    if (is_packed(k_.body[i].payload)) {
        at_[static_cast<std::size_t>(k_.kept)] = "(begin + l)";
        const std::string pack = pack_at(k_.body[i].payload);
        line("copy_soon((" + pack + "*)&h[1024 * g], (const " + pack + "*)&" + element(k_.body[i].payload) + ");");
    } else {
        line("#pragma unroll");
        open("for (int c = 0; c < 4; ++c)");
        if (!full_) line("if (" + group_element() + " >= size) continue;");
        write_decode("(begin + " + group_element() + ")", k_.kept, k_.space.size());
        line("copy_soon(&h[256 * (4 * g + c)], &" + element(k_.body[i].payload) + ");");
        close();
    }
    close();
}

// For a part's copies, in front of what reads it.
SINTER_INLINE void cuda_writer::write_wait_for_copies() {
    if (facts_.bulk)
        return line("await_tile(" + barrier_of_tile() + ", " + (k_.is(mapping::resident_row) ? "0" : "phase") +
                    ", --copies);");
    line("wait_for_copies(--copies);");
    // What one thread has asked for, others read.
    if (resident_tile_elements(k_) > row_block) line("__syncthreads();");
}

}  // namespace sinter::inline SINTER_ABI::codegen
