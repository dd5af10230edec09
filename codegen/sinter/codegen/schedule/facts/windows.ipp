// Bodies of windows.hpp.
#pragma once

#include <sinter/codegen/schedule/choose_rows.hpp>
#include <sinter/codegen/schedule/stages.hpp>
#include <sinter/codegen/schedule/facts/windows.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE window_step step_along(const kernel& k, const schedule& s, std::uint32_t a, int axis) {
    const std::int64_t stride = k.accesses[a].at.strides[axis];
    if (stride == 0 || k.space[axis] == 1) return window_step::none;
    if (axis >= k.kept && slides_along(k, a, s.tile_axis, axis)) return window_step::slides;
    return stride == 1 ? window_step::one : window_step::any;
}

SINTER_INLINE bool slides_across(const kernel& k, const schedule& s) {
    return s.packs > 1 && s.tile_axis == k.kept - 1;
}

SINTER_INLINE bool is_shared_window(const kernel& k, const schedule& s, std::uint32_t a) {
    if (!slides_across(k, s) || k.accesses[a].operand == access::own_number) return false;
    for (int axis = k.kept; axis < k.space.size(); ++axis)
        if (step_along(k, s, a, axis) == window_step::slides) return true;
    return false;
}

// Whole packs of 16 bytes, so that what follows is aligned.
SINTER_INLINE int words_of_elements(std::int64_t count, int size) {
    return static_cast<int>((count * size + 15) / 16 * 2);
}

SINTER_INLINE int window_words(const kernel& k, const schedule& s, std::uint32_t a) {
    const dtype type = k.operands[static_cast<std::size_t>(k.accesses[a].operand)].type;
    return words_of_elements(window_threads * s.packs + k.reduced_size() - 1, size_of(type));
}

SINTER_INLINE int window_result_words(const kernel& k, const schedule& s, std::size_t r) {
    const reduction_step& x = k.reductions[r];
    return words_of_elements(window_threads * s.packs, size_of(accumulator_type(x.how, x.type)));
}

// Whether places of elements are computed, of which those that do not differ along some axis are the same for several.
SINTER_INLINE bool computes_places(const kernel& k) {
    for (const instruction& v : k.body)
        if (v.stage == 0 && (v.kind == instruction_kind::gather ||
                             (v.kind == instruction_kind::load && k.accesses[v.payload].operand == access::own_number)))
            return true;
    return false;
}

// Whether stage 0 is a formula of elements, whose reductions combine without their places.
SINTER_INLINE bool has_plain_elements(const kernel& k) {
    for (const reduction_step& r : k.reductions)
        if (is_indexed(r.how) || !combines(r) || r.stage != 0) return false;
    for (const store& s : k.stores)
        if (s.stage == 0) return false;
    for (const instruction& v : k.body) {
        if (v.stage != 0 || is_given(v)) continue;
        const bool known =
            v.kind == instruction_kind::load || v.kind == instruction_kind::gather || v.kind == instruction_kind::apply;
        if (!known) return false;
    }
    return k.invocations.empty() && k.stages == 2 && !k.scans && !k.selects && k.tree == reduce_tree::rows;
}

// The kept axis along which some operand's windows slide: an outer one, so that neighbouring threads load neighbours,
// or else the innermost; or -1.
SINTER_INLINE int sliding_axis(const kernel& k) {
    auto slides = [&](int kept) {
        for (const instruction& v : k.body)
            for (int axis = k.kept; v.stage == 0 && v.kind == instruction_kind::load && axis < k.space.size(); ++axis)
                if (slides_along(k, v.payload, kept, axis)) return true;
        return false;
    };
    for (int kept = k.kept - 2; kept >= 0; --kept)
        if (slides(kept)) return kept;
    return slides(k.kept - 1) ? k.kept - 1 : -1;
}

// Whether all that is loaded slides along the one reduced axis, so that neighbouring windows share sums, too; and
// whether something is loaded that neither slides alone nor is the same for all of a thread's windows.
SINTER_INLINE bool shares_sums(const kernel& k, const schedule& s) {
    int reduced = 0;
    for (int axis = k.kept; axis < k.space.size(); ++axis) reduced += k.space[axis] > 1;
    for (const instruction& v : k.body)
        for (int axis = k.kept; v.stage == 0 && v.kind == instruction_kind::load && axis < k.space.size(); ++axis)
            if (const window_step step = step_along(k, s, v.payload, axis);
                step != window_step::none && step != window_step::slides)
                return false;
    return reduced == 1;
}

SINTER_INLINE bool has_other_loads(const kernel& k, const schedule& s) {
    for (const instruction& v : k.body) {
        if (v.stage != 0 || v.kind != instruction_kind::load) continue;
        const bool shared = is_shared_window(k, s, v.payload);
        if (!shared && step_along(k, s, v.payload, s.tile_axis) != window_step::none) return true;
        for (int axis = k.kept; shared && axis < k.space.size(); ++axis)
            if (const window_step step = step_along(k, s, v.payload, axis);
                step != window_step::none && step != window_step::slides)
                return true;
    }
    return false;
}

// What a thread block loads, or afterwards what it has reduced.
SINTER_INLINE int window_bytes(const kernel& k, const schedule& s) {
    int loaded = 0, reduced = 0;
    sequence<char> known(k.accesses.size(), 0);
    for (const instruction& v : k.body) {
        if (v.stage != 0 || v.kind != instruction_kind::load || known[v.payload]) continue;
        known[v.payload] = 1;
        if (is_shared_window(k, s, v.payload)) loaded += window_words(k, s, v.payload);
    }
    for (std::size_t r = 0; r < k.reductions.size(); ++r) reduced += window_result_words(k, s, r);
    return 8 * std::max(loaded, reduced);
}

// As many windows for a thread as make a text that compiles soon. Through shared memory they are odd in number, so that
// the threads of a warp meet all banks.
SINTER_INLINE int windows_of_thread(const kernel& k, schedule s) {
    constexpr int most_work = 1024, most_bytes = 40 << 10, most = 16;
    const bool across = slides_across(k, s);
    int work = 2;  // that converts and combines
    for (const instruction& v : k.body) work += v.stage == 0 && v.kind == instruction_kind::apply;
    const std::int64_t window = shares_sums(k, s) ? 8 : k.reduced_size() * work;
    for (s.packs = across ? most - 1 : most; s.packs > 1; s.packs = across ? (s.packs - 1) / 2 : s.packs / 2)
        if (s.packs * window <= most_work && (!across || window_bytes(k, s) <= most_bytes) &&
            s.packs <= k.space[s.tile_axis])
            return s.packs;
    return 1;
}

// Whether windows slide along an axis along which a thread has several.
SINTER_INLINE bool choose_sliding(schedule& s, const kernel& k) {
    constexpr int least_beside = 32;
    s.tile_axis = sliding_axis(k);
    s.packs = 2;
    if (s.tile_axis < 0 || k.space[k.kept - 1] < least_beside || k.body.size() > unrolled_body) return false;
    if (slides_across(k, s) && has_other_loads(k, s)) return false;
    s.packs = windows_of_thread(k, s);
    if (slides_across(k, s)) {
        s.threads = window_threads;
        s.blocks = 4;
    }
    return s.packs > 1;
}

// Whether a thread has one window, and so few instructions are to be written for it that the text compiles soon.
SINTER_INLINE bool choose_gathering(schedule& s, const kernel& k) {
    constexpr int most_work = 1536;
    s.tile_axis = 0;
    s.packs = 1;
    return k.reduced_size() * static_cast<std::int64_t>(k.body.size()) <= most_work;
}

SINTER_INLINE void choose_windows(schedule& s, const kernel& k) {
    constexpr int most_elements = 64;
    if (!is_large(k) || k.kept == 0 || k.kept == k.space.size() || k.reduced_size() < 2 ||
        k.reduced_size() > most_elements || !has_plain_elements(k) || k.kept_size() > largest_narrow || reaches_far(k))
        return;
    schedule w = s;
    if (computes_places(k) ? !choose_gathering(w, k) : !choose_sliding(w, k)) return;
    w.map = mapping::windows;
    w.short_rows = w.close_capacity = false;
    w.row_capacity = 0;
    w.vector_width = 1;
    w.wide = false;  // no thread counts all elements of all windows
    s = w;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
