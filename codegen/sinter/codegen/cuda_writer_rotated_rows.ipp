// Bodies of cuda_writer.hpp that print how a stage reduces blocks of rows that lie in shared memory as they do in memory, by whole packs
// although they begin at no multiple of a pack.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>
#include <sinter/codegen/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* rotate_text = R"(// Of the four values of a thread and those of the next lane, the four that begin `shift` places behind its first.
template <class T> static __device__ inline void rotate_lanes(T* a, int shift) {
    const T n0 = from_lane(a[0], 1), n1 = from_lane(a[1], 1), n2 = from_lane(a[2], 1);
    const bool two = (shift & 2) != 0, one = (shift & 1) != 0;
    const T b0 = two ? a[2] : a[0], b1 = two ? a[3] : a[1], b2 = two ? n0 : a[2], b3 = two ? n1 : a[3], b4 = two ? n2 : n0;
    a[0] = one ? b1 : b0, a[1] = one ? b2 : b1, a[2] = one ? b3 : b2, a[3] = one ? b4 : b3;
}

)";

// Whether a stage reduces full blocks of held rows by packs, whose elements before the first belong to the block before: it needs nothing
// of an element but what was loaded and what earlier stages have left.
SINTER_INLINE bool cuda_writer::may_rotate(int stage, const row_share& share) const {
    constexpr int narrow = 4;  // two doubles are a pack
    if (!joins_share_at_once(stage, share) || !apart_ || held_block(k_) == row_block || k_.body.size() > unrolled_body) return false;
    bool reads = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (here_[i] && !is_array(i) && v.kind != instruction_kind::apply && v.kind != instruction_kind::literal && v.kind != instruction_kind::scalar) return false;
        if (is_input(i) && is_array(i) && (!is_copied(i, share) || !is_shifted(k_, i))) return false;
        if (is_input(i) || (kept_[i] && here_[i])) {
            const std::uint32_t load = share.held.load[i];
            if (load == no_load || !is_shifted(k_, load) || size_of(v.type) != narrow || size_of(k_.body[load].type) != narrow) return false;
            reads = true;
        }
    }
    for (const store& s : k_.stores)
        if (s.stage == stage) return false;
    for (std::size_t r : reductions_of(stage))
        if (indexed(r)) return false;
    for (const reduction_step& r : k_.reductions)
        if (r.stage == stage && !joins(r)) return false;
    return reads;
}

// What a stage leaves in full blocks holds for the elements before the block's first, too, where it computes by packs that do.
SINTER_INLINE void cuda_writer::find_whole_values(const row_share& share, bool rotates) {
    bool whole = rotates;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i] && !here_[i] && used_[i]) whole = whole && (whole_[i] || share.held.load[i] == i);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i] && here_[i] && !is_array(i)) whole_[i] = whole;
}

// leave_rotated<r>: what a thread has of four places to the room, as what four lanes come to; those that two warps share are left for
// mend_rotated<r>, by the warp that joins the room.
SINTER_INLINE void cuda_writer::write_rotated_joins(const row_share& share) {
    bool any = false;
    whole_ = sequence<char>(k_.body.size(), 0);
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) continue;
        here_ = computed_in(k_, stage, kept_);
        used_ = used_in(k_, stage, here_);
        const bool rotates = may_rotate(stage, share);
        find_whole_values(share, rotates);
        if (!rotates) continue;
        if (!any) out_ += rotate_text;
        any = true;
        for (std::size_t r : reductions_of(stage)) write_rotated_join(r);
    }
}

SINTER_INLINE void cuda_writer::write_rotated_join(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r);
    open("static __device__ inline void leave_rotated" + id + "(" + a + "* a, double* room, int shift, int t)");
    line(a + "* const four = (" + a + "*)room;");
    line("const bool last = t % 32 == 31;");
    line("if (last || t % 32 == 0)");
    line("    *(pack<" + a + ", 4>*)&four[256 + (last ? t / 32 * 8 : (t / 32 + 7) % 8 * 8 + 4)] = {a[0], a[1], a[2], a[3]};");
    line("rotate_lanes(a, shift);");
    line("join_four" + id + "(a, 4);");
    line("four[t] = a[0];");
    close();
    open("static __device__ inline void mend_rotated" + id + "(double* room, int shift, int t)");
    line(a + "* const four = (" + a + "*)room;");
    open("if (t < 8)");
    line(a + " a[4];");
    line("#pragma unroll");
    line("for (int c = 0; c < 4; ++c) a[c] = four[256 + t * 8 + shift + c];");
    line("join_four" + id + "(a, 4);");
    line("four[32 * t + 31] = a[0];");
    close();
    line("__syncwarp();");
    close();
}

// How far behind a multiple of 16 bytes the operands lie, if all do equally.
SINTER_INLINE void cuda_writer::write_rotation(const row_share& share) {
    std::string shift, same;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_input(i) && !(kept_[i] && here_[i])) continue;
        const std::string of = "shift" + std::to_string(share.held.load[i]);
        if (shift.empty()) shift = of;
        else if (of != shift && same.find("(" + of + " ") == same.npos) same += " && (" + of + " == shift)";
    }
    line("const int shift = " + shift + ";");
    line("const auto rotates = [&](int size) { return size == 4096" + same + "; };");
    line("const int late = t == 0 ? shift : 0;");
}

// A full block of a row by packs: the first thread's first elements belong to the block before, and what lies behind its packs is its own.
SINTER_INLINE void cuda_writer::write_rotated_part(int stage, const row_share& share) {
    apart_ = false, full_ = true, rotated_ = true;
    write_held_values_of(share, [&] {
        write_element_groups(stage);
        write_rotated_end(stage, share);
    });
    apart_ = true, full_ = rotated_ = false;
    int n = 0;
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r);
        line("leave_rotated" + id + "(a" + id + ", " + room_of_share(slot_of_share(), n++) + ", shift, t);");
    }
}

SINTER_INLINE void cuda_writer::write_rotated_end(int stage, const row_share& share) {
    texts arguments = {"false", "begin + 4096 - shift + c"}, kept;
    open("if (t == 0)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_input(i)) continue;
        const std::string id = std::to_string(i), pack = "const pack<" + type_text(k_.body[i].type) + ", 4>";
        line(pack + " p" + id + " = *(" + pack + "*)&(" + held_at(i, share) + ")[4096];");
    }
    line("#pragma unroll");
    open("for (int c = 0; c < 3; ++c)");
    line("if (c >= shift) continue;");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::string id = std::to_string(i), at = "(" + held_at(i, share) + ")[4096 + c]";
        if (is_input(i)) arguments.push_back("p" + id + ".v[c]");
        if (is_input(i) || !kept_[i] || !here_[i]) continue;
        line(type_text(k_.body[i].type) + " e" + id + ";");
        arguments.push_back("e" + id);
        kept.push_back(at + " = e" + id + ";");
    }
    for (std::size_t r : reductions_of(stage)) arguments.push_back("a" + std::to_string(r) + "[c]");
    list("element", arguments, ");");
    for (const std::string& k : kept) line(k);
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
