// Bodies of kernel.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/schedule/kernel.hpp>

#include <cstdlib>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::int64_t kernel::kept_size() const {
    std::int64_t n = 1;
    for (int i = 0; i < kept; ++i) n *= space[i];
    return n;
}

SINTER_INLINE std::int64_t kernel::reduced_size() const {
    std::int64_t n = 1;
    for (int i = kept; i < space.size(); ++i) n *= space[i];
    return n;
}

SINTER_INLINE bool kernel::loads_by(std::uint32_t a) const {
    return codegen::any_of(body.begin(), body.end(),
                           [&](const instruction& v) { return loads_memory(v) && v.payload == a; });
}

SINTER_INLINE bool kernel::is_row_kernel() const {
    bool stores_elements = false;
    for (const store& s : stores) stores_elements = stores_elements || !is_row_stage(s.stage);
    return !scans && !selects && (stages > 2 || (stages == 2 && stores_elements));
}

SINTER_INLINE bool kernel::has(instruction_kind kind) const {
    return codegen::any_of(body.begin(), body.end(), [&](const instruction& v) { return v.kind == kind; });
}

SINTER_INLINE bool is_bundle(const kernel& k, std::uint32_t i) {
    return k.body[i].kind == instruction_kind::invoke && k.invocations[k.body[i].payload]->is_bundle;
}

SINTER_INLINE const instruction* call_around(const kernel& k) {
    for (const instruction& i : k.body)
        if (i.kind == instruction_kind::invoke && k.invocations[i.payload]->function->is_loop) return &i;
    return nullptr;
}

SINTER_INLINE void erase_axis(kernel& k, int axis) {
    k.space.erase(axis);
    if (axis < k.kept) --k.kept;
    for (access& a : k.accesses) {
        a.at.shape.erase(axis);
        a.at.strides.erase(axis);
    }
}

SINTER_INLINE bool slides_along(const kernel& k, std::uint32_t a, int kept, int reduced) {
    const layout& at = k.accesses[a].at;
    return k.space[kept] > 1 && k.space[reduced] > 1 && at.strides[kept] != 0 &&
           at.strides[kept] == at.strides[reduced];
}

// Windows that slide along an axis share elements along it, so that it is to stay an axis of its own.
SINTER_INLINE bool has_windows_along(const kernel& k, int axis) {
    for (int reduced = k.kept; axis < k.kept && reduced < k.space.size(); ++reduced)
        for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
            if (slides_along(k, a, axis, reduced)) return true;
    return false;
}

SINTER_INLINE bool can_merge(const kernel& k, int axis) {
    if (axis + 1 == k.kept || has_windows_along(k, axis)) return false;
    for (const access& a : k.accesses)
        if (a.at.strides[axis] != a.at.strides[axis + 1] * k.space[axis + 1]) return false;
    return true;
}

SINTER_INLINE void collapse(kernel& k) {
    for (int i = k.space.size() - 1; i >= 0; --i)
        if (k.space[i] == 1) erase_axis(k, i);
    for (int i = k.space.size() - 2; i >= 0; --i) {
        if (!can_merge(k, i)) continue;
        std::int64_t merged = k.space[i] * k.space[i + 1];
        for (access& a : k.accesses) a.at.strides[i] = a.at.strides[i + 1];
        erase_axis(k, i + 1);
        k.space[i] = merged;
        for (access& a : k.accesses) a.at.shape[i] = merged;
    }
}

// Pads the kept or the reduced axes to a rank of 1, 2, 4 or 8, so that few texts serve all shapes.
SINTER_INLINE void pad_axes(kernel& k, int at, int count, bool is_kept) {
    for (int i = count; i < padded_rank(count) && (i == 0 || k.space.size() < max_rank); ++i) {
        k.space.pad(at, 1);
        if (is_kept) ++k.kept;
        for (access& a : k.accesses) {
            a.at.shape.pad(at, 1);
            a.at.strides.pad(at, 0);
        }
    }
}

// Whether two instructions can be calls of one function: the same operation of operands of the same types, no literals,
// which compilers fold.
SINTER_INLINE bool is_same_call(const kernel& k, const instruction& a, const instruction& b) {
    if (a.kind != instruction_kind::apply || b.kind != a.kind || a.operation != b.operation || a.common != b.common ||
        a.type != b.type)
        return false;
    for (std::size_t i = 0; i < a.args.size(); ++i) {
        const instruction &x = k.body[a.args[i]], &y = k.body[b.args[i]];
        if (x.type != y.type || x.kind == instruction_kind::literal || y.kind == instruction_kind::literal)
            return false;
    }
    return true;
}

SINTER_INLINE int repetitions(const kernel& k, const instruction& v) {
    constexpr int dear = 4;
    int count = 0;
    if (v.kind == instruction_kind::apply && info(v.operation).cost >= dear)
        for (const instruction& other : k.body) count += is_same_call(k, v, other);
    return count;
}

// Element numbers of 32 bits leave room for what the last threads of a grid add.
SINTER_INLINE bool reaches_far(const kernel& k) {
    if (k.largest_whole > largest_narrow) return true;
    sequence<std::int64_t> reach;
    for (const access& a : k.accesses) {
        reach.push_back(a.operand == access::own_number ? a.at.offset : 0);
        for (int i = 0; i < k.space.size(); ++i) {
            std::int64_t step = a.at.strides[i] < 0 ? -a.at.strides[i] : a.at.strides[i];
            if (step > largest_narrow) return true;
            reach.back() += step * (k.space[i] - 1);
        }
    }
    for (const indexed_axis& x : k.indexed)
        reach[k.body[x.instruction].payload] += (x.stride < 0 ? -x.stride : x.stride) * x.extent;
    for (std::int64_t r : reach)
        if (r > largest_narrow) return true;
    return false;
}

// Whether an access is the element's own number and begins each row at a multiple of four.
SINTER_INLINE bool is_aligned_number(const kernel& k, std::uint32_t a) {
    const layout& at = k.accesses[a].at;
    if (k.accesses[a].operand != access::own_number || k.accesses[a].step != stride_class::contiguous ||
        at.offset % 4 != 0)
        return false;
    for (int i = 0; i + 1 < k.space.size(); ++i)
        if (at.strides[i] % 4 != 0) return false;
    return k.tree == reduce_tree::rows || !k.reduces();
}

SINTER_INLINE bool repeats_along_outer(const kernel& k, std::uint32_t a) {
    for (int i = 0; i + 1 < k.kept; ++i)
        if (k.space[i] > 1 && k.accesses[a].at.strides[i] != 0) return false;
    return k.kept > 1;
}

SINTER_INLINE bool is_large(const kernel& k) { return k.kept_size() * k.reduced_size() >= large_from; }

// The axis that neighbouring threads differ in.
SINTER_INLINE int inner_axis(const kernel& k) {
    return (k.reduces() && k.tree == reduce_tree::columns ? k.kept : k.space.size()) - 1;
}

// Whether neighbours are loaded from so few bytes apart.
SINTER_INLINE bool is_near(const kernel& k, const access& a, std::int64_t step, std::int64_t bytes) {
    if (a.operand == access::own_number || (step != -1 && (step < 2 || step > 4))) return false;
    const operand& o = k.operands[static_cast<std::size_t>(a.operand)];
    return !o.written && std::abs(step) * size_of(o.type) <= bytes;
}

SINTER_INLINE void classify(kernel& k, const family_schedule& on) {
    // Both orders are the same where there is nothing to combine.
    const bool sides = on.columns_of_one && k.reduces() && !k.scans && !k.selects && !k.is_row_kernel() && k.kept > 0;
    if (sides && k.reduced_size() == 1) k.tree = reduce_tree::columns;
    bool all_unit = k.space.size() <= 1 && !k.reduces();
    for (const access& a : k.accesses)
        if (k.space.size() == 1 && a.at.strides[0] != 1) all_unit = false;
    pad_axes(k, 0, k.kept, true);
    if (k.reduces()) pad_axes(k, k.kept, k.space.size() - k.kept, false);
    if (all_unit)  // a single element is walked like any other row-major array
        for (access& a : k.accesses) a.at.strides[0] = 1;
    const bool large = k.kept_size() * k.reduced_size() >= on.specialize_from;
    for (std::uint32_t i = 0; i < k.accesses.size(); ++i) {
        access& a = k.accesses[i];
        const std::int64_t step = a.at.strides[inner_axis(k)];
        if (all_unit) a.step = stride_class::contiguous;
        else if (large && (step == 1 || step == 0)) a.step = step ? stride_class::contiguous : stride_class::broadcast;
        else if (large && step == -1 && on.reverses && !k.reduces()) a.step = stride_class::reversed;
        else if (large && k.loads_by(i) && is_near(k, a, step, on.known_step_bytes))
            a.known_step = static_cast<std::int8_t>(step);
    }
    for (std::uint32_t a = 0; large && a < k.accesses.size(); ++a)
        if (is_aligned_number(k, a)) k.accesses[a].step = stride_class::aligned;
}

SINTER_INLINE int work_of(const kernel& k) {
    constexpr int line_of_function = 8;
    int cost = 0;
    for (const instruction& i : k.body) {
        if (i.kind == instruction_kind::apply) cost += info(i.operation).cost;
        if (i.kind != instruction_kind::invoke) continue;
        const std::string& text = k.invocations[i.payload]->function->text;
        cost += line_of_function * (1 + static_cast<int>(codegen::count(text.begin(), text.end(), '\n')));
    }
    return cost;
}

SINTER_INLINE int step_across(const kernel& k, std::uint32_t a, int axis, bool reverses) {
    const std::int64_t step = k.accesses[a].at.strides[axis];
    const bool follows = step == 1 || (reverses && step == -1);
    return follows && k.accesses[a].step == stride_class::strided && k.loads_by(a) ? static_cast<int>(step) : 0;
}

SINTER_INLINE int transposed_step(const kernel& k, std::uint32_t a) {
    return k.how.tile > 0 ? step_across(k, a, k.how.tile_axis, k.how.reverses) : 0;
}

SINTER_INLINE bool is_mirrored(const kernel& k, std::uint32_t transposed, std::uint32_t straight) {
    if (transposed_step(k, transposed) != 1 || k.accesses[straight].step != stride_class::contiguous) return false;
    if (k.accesses[straight].operand == access::own_number) return false;
    const operand &x = k.operand_of(transposed), &y = k.operand_of(straight);
    return x.slot == y.slot && x.written == y.written;
}

SINTER_INLINE std::uint32_t index_of(const kernel& k, std::size_t x) {
    std::size_t which = 0;
    while (which < x && k.indexed[x - 1 - which].instruction == k.indexed[x].instruction) ++which;
    return k.body[k.indexed[x].instruction].args[which];
}

SINTER_INLINE std::size_t first_index_alike(const kernel& k, std::size_t x) {
    const indexed_axis& own = k.indexed[x];
    for (std::size_t y = 0; y < x; ++y) {
        const indexed_axis& other = k.indexed[y];
        // Views of one operand may have one access and differ along what is indexed.
        const bool same_axis = other.axis == own.axis && other.extent == own.extent && other.stride == own.stride;
        if (!same_axis || k.body[other.instruction].payload != k.body[own.instruction].payload) continue;
        if (index_of(k, y) == index_of(k, x)) return y;
    }
    return x;
}

SINTER_INLINE sequence<std::int64_t> integers(const kernel& k) {
    sequence<std::int64_t> v(k.space.begin(), k.space.end());
    for (const access& a : k.accesses) {
        if (a.operand == access::own_number) v.push_back(a.at.offset);
        if (!k.how.flat) v.append(a.at.strides.begin(), a.at.strides.end());
    }
    for (const indexed_axis& x : k.indexed) {
        v.push_back(x.extent);
        v.push_back(x.stride);
    }
    return v;
}

SINTER_INLINE sequence<std::string> integer_names(const kernel& k) {
    sequence<std::string> names;
    auto add = [&](std::string_view word, std::size_t number) {
        names.push_back(std::string(word).append(std::to_string(number)));
    };
    const std::size_t axes = static_cast<std::size_t>(k.space.size());
    for (std::size_t i = 0; i < axes; ++i) add("n", i);
    for (std::size_t a = 0; a < k.accesses.size(); ++a) {
        if (k.accesses[a].operand == access::own_number) add("first", a);
        for (std::size_t i = 0; i < axes && !k.how.flat; ++i) add("s" + std::to_string(a) + "_", i);
    }
    for (std::size_t x = 0; x < k.indexed.size(); ++x) {
        add("extent", x);
        add("step", x);
    }
    return names;
}

SINTER_INLINE std::string name_of(const kernel& k) {
    std::string s;
    int words = 0;
    auto add = [&](std::string_view word) {
        if (words == 6) s += "_more";
        if (++words > 6) return;
        if (!s.empty()) s += '_';
        s += word;
    };
    for (const invocation* f : k.invocations) add(f->function->name);
    for (const instruction& i : k.body) {
        // Half precision is converted at every step, which says nothing.
        const bool rounds = i.operation == op::cast && (is_half(i.common) || is_half(i.type));
        if (i.kind == instruction_kind::apply && !rounds) add(info(i.operation).name);
        if (i.kind == instruction_kind::gather) add("take");
        if (i.kind == instruction_kind::extreme) add(to_string(value_of(k.reductions[i.payload].how)));
        if (i.kind != instruction_kind::result) continue;
        reduction how = k.reductions[i.payload].how;
        add(k.scans ? running_name(how) : to_string(how));
    }
    if (k.selects) s += s.empty() ? "select" : "_select";
    return s.empty() ? "copy" : s;
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
