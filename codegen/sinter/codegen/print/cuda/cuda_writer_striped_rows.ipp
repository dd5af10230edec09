// Bodies of cuda_writer.hpp that print how neighbouring lanes move neighbouring elements of short rows, although the
// order of reductions has four neighbours to a lane: what they reduce passes through shared memory, a group of four
// elements of each lane at a time.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// What of an element a reduction's accumulator is made from: rather than a float64 the float that it was.
SINTER_INLINE std::uint32_t turned_value(const kernel& k, const reduction_step& r, const sequence<char>& here) {
    const instruction& v = k.body[r.argument];
    const bool widens = here[r.argument] && v.kind == instruction_kind::apply && v.operation == op::cast &&
                        v.common == dtype::float32 && v.type == dtype::float64;
    return widens && !is_row_stage(k.body[v.args[0]].stage) ? v.args[0] : r.argument;
}

// The same of a stage's reductions, each once.
SINTER_INLINE sequence<std::uint32_t> cuda_writer::turned_values(int stage) const {
    const sequence<char> here = computed_in(k_, stage, kept_);
    sequence<std::uint32_t> found;
    for (std::size_t r : reductions_of(stage)) {
        const std::uint32_t i = turned_value(k_, k_.reductions[r], here);
        if (std::find(found.begin(), found.end(), i) == found.end()) found.push_back(i);
    }
    return found;
}

// Whether an element's function leaves a value to who turns what it is made from.
SINTER_INLINE bool cuda_writer::is_turned_later(int stage, std::uint32_t i) const {
    bool turned = false;
    for (std::size_t r : reductions_of(stage)) {
        if (k_.reductions[r].argument != i) continue;
        if (turned_value(k_, k_.reductions[r], here_) == i) return false;
        turned = true;
    }
    if (!turned || kept_[i]) return false;
    for (const store& s : k_.stores)
        if (s.stage == stage && s.value == i) return false;
    for (std::uint32_t j = 0; j < k_.body.size(); ++j)
        if (here_[j] && std::find(k_.body[j].args.begin(), k_.body[j].args.end(), i) != k_.body[j].args.end())
            return false;
    return true;
}

// Bytes of what a stage turns of an element, at most.
SINTER_INLINE int cuda_writer::turned_bytes() const {
    int most = 0;
    for (int stage = 0; stage < k_.stages; ++stage) {
        int bytes = 0;
        for (std::uint32_t i : turned_values(stage)) bytes += size_of(k_.body[i].type);
        most = std::max(most, bytes);
    }
    return most;
}

// Groups of each row's lanes that have room in shared memory at once: all, or a power of two.
SINTER_INLINE int cuda_writer::turned_groups() const {
    const int bytes = 4 * cuda_threads * turned_bytes();
    auto fits = [&](int groups) { return groups * bytes <= reduction_schedules.turned_bytes; };
    if (fits(row_groups())) return row_groups();
    int groups = tree_groups() / 2;
    while (groups > 0 && !fits(groups)) groups /= 2;
    return groups;
}

// Elements of a row's room: those of its groups, and a gap, so that the two rows of a warp meet all banks.
SINTER_INLINE int cuda_writer::turned_elements() const {
    const int lanes = lanes_of_short_row(k_);
    return 4 * lanes * turned_groups() + (lanes < 32 ? lanes : 0);
}

// Whether neighbouring lanes move neighbours. One H100, softmax, its logarithm and layer norms of 2^22 floats, which
// its cache holds, where a lane loads four neighbours one by one, and those that it stores pass through shared memory,
// and so: rows of 301 12.3, 11.5 and 13.7 us, 10.5, 10.4 and 10.8, of 1001 10.8, 10.6 and 15.1, 10.4, 10.0 and 13.0;
// with four lanes for each, rows of 50 12.3, 11.1 and 14.1, but 22.1, 21.4 and 22.7. Sums of rows of 1001, which
// nothing stores, 5.4 and 5.9.
SINTER_INLINE bool cuda_writer::may_stripe() const {
    constexpr int least_lanes = 16;
    if (!k_.is_row_kernel() || !k_.how.close_capacity || k_.how.vector_width > 1 || together_ > 1 ||
        k_.body.size() > unrolled_body)
        return false;
    return lanes_of_short_row(k_) >= least_lanes && turned_groups() > 0;
}

// Whether what a stage stores is left to the loop over the groups, for it may be computed twice.
SINTER_INLINE bool cuda_writer::leaves_value(std::size_t s) const {
    return striped_ && divisor_of_rows(k_.stores[s].stage) != no_load;
}

SINTER_INLINE void cuda_writer::write_left_values(int stage) {
    if (!striped_ || divisor_of_rows(stage) == no_load) return;
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    if (const std::string check = unless_full("if (" + group_element() + " >= size)"); !check.empty())
        line(check + " continue;");
    write_decode("(" + group_element() + ")", k_.kept, k_.space.size());
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (k_.stores[s].stage == stage)
            line("if (inside) " + element(k_.stores[s].access) + " = o" + std::to_string(s) + "[c];");
    close();
}

SINTER_INLINE void cuda_writer::write_turned_room() {
    const int bytes = turned_bytes() * turned_elements() * cuda_threads / lanes_of_short_row(k_);
    if (bytes > 0) line("alignas(16) __shared__ double turned[" + std::to_string(bytes / 8) + "];");
}

// Where a row has a stage's values for its lanes to turn.
SINTER_INLINE void cuda_writer::write_turned_places(int stage) {
    const int elements = turned_elements(), all = elements * cuda_threads / lanes_of_short_row(k_);
    int at = 0;
    for (std::uint32_t i : turned_values(stage)) {
        const std::string type = type_text(k_.body[i].type),
                          room = at == 0 ? "turned" : "(turned + " + std::to_string(at) + ")";
        line(type + "* const room" + std::to_string(i) + " = (" + type + "*)" + room + " + " +
             std::to_string(elements) + " * threadIdx.y;");
        at += all * size_of(k_.body[i].type) / 8;
    }
}

// The groups of a stage that reduces: a row's lanes leave what they have of them, which lies apart, and take four
// neighbours each. Groups that have room at once are some of those that join one after the other.
SINTER_INLINE void cuda_writer::write_striped_groups(int stage) {
    const int lanes = lanes_of_short_row(k_), count = turned_groups();
    const bool all = count == row_groups(), lacks = tree_groups() > row_groups();
    const std::string whole = std::to_string(4 * lanes), groups = std::to_string(row_groups());
    const std::string slot = whole + (all ? " * g" : " * (i % " + std::to_string(count) + ")");
    auto open_in_order = [&] {
        line("#pragma unroll");
        open_groups_to_join(all ? "0" : "begin", all ? tree_groups() : count);
        if (lacks) open("if (g < " + groups + ")");
    };
    write_turned_places(stage);
    if (!all)
        line("#pragma unroll"), open("for (int begin = 0; begin < " + std::to_string(tree_groups()) +
                                     "; begin += " + std::to_string(count) + ")");
    line("__syncwarp();");
    if (all) line("#pragma unroll"), open("for (int g = 0; g < " + groups + "; ++g)");
    else open_in_order();
    line("const int l = " + group_begin() + ";");
    line("#pragma unroll");
    open("for (int c = 0; c < 4; ++c)");
    turned_place_ = "[" + slot + " + " + std::to_string(lanes) + " * c + t]";
    list(unless_full("if (" + group_element() + " < size) ") + "element", element_arguments(stage), ");");
    close();
    if (lacks && !all) close();
    close();
    line("__syncwarp();");
    open_in_order();
    line("const int first = " + whole + " * g + 4 * t;");
    open(unless_full("if (first < size)"));
    write_turned_joins(stage, "[" + slot + " + 4 * t]");
    write_group_places(stage, true);
    close();
    if (lacks) close();
    write_group_joins(stage);
    close();
    if (!all) close();
}

// A lane's four neighbours to one.
SINTER_INLINE void cuda_writer::write_turned_joins(int stage, const std::string& place) {
    const sequence<char> here = computed_in(k_, stage, kept_);
    const int full = full_groups();
    for (std::uint32_t i : turned_values(stage)) {
        const std::string id = std::to_string(i), pack = "const pack<" + type_text(k_.body[i].type) + ", 4>";
        line(pack + " e" + id + " = *(" + pack + "*)&room" + id + place + ";");
    }
    for (std::size_t r : reductions_of(stage)) {
        const reduction_step& x = k_.reductions[r];
        const std::uint32_t i = turned_value(k_, x, here);
        const std::string id = std::to_string(r),
                          v = cast_text(k_.body[i].type, x.type, "e" + std::to_string(i) + ".v[c]");
        write_for(r, "@ b#[4];", "index bi#[4];");
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) b" + id + "[c] = " + element_text(x, v) +
             (indexed(r) ? ", bi" + id + "[c] = first + c;" : ";"));
        const std::string left = full == 0 ? "size - first" : "g < " + std::to_string(full) + " ? 4 : size - first";
        line("join_four" + id + "(" + values_at(r, "b", "") + ", " + left + ");");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen
