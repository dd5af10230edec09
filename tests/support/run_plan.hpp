// Runs a plan step by step with kernels that a test provides, and compares results with the interpreter's.
#pragma once

#include "random_graph.hpp"

#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/interpret/interpret.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace run_plan {

using namespace sinter;
using namespace sinter::codegen;

using bytes = std::vector<unsigned char>;

/// What a kernel gets: memory of its operands, then that of its partial results.
struct bound_kernel {
    const kernel& k;
    std::vector<void*> memory;
    std::vector<scalar_value> scalars;
    std::vector<long long> numbers;
    long long error[2] = {};
};

// Memory that ends where the elements end, with guards behind them.
inline constexpr std::size_t guard = 64;
inline bytes guarded(std::int64_t size) { return bytes(static_cast<std::size_t>(size) + guard, 0xA5); }
inline bool is_intact(const bytes& b) {
    for (std::size_t i = b.size() - guard; i < b.size(); ++i)
        if (b[i] != 0xA5) return false;
    return true;
}

/// The roots' values, row-major, or an explanation in `problem`.
template <class RunKernel>
std::vector<bytes> run(const plan& p, const random_graph::program& source, RunKernel run_kernel, std::string& problem,
                       language to = language::host) {
    std::vector<bytes> slots;
    for (const slot& s : p.slots) {
        slots.push_back(guarded(s.size * size_of(s.type)));
        if (s.input == slot::fresh) continue;
        const auto& in = source.inputs[static_cast<std::size_t>(s.input)];
        std::copy(in.begin(), in.end(), slots.back().begin());
    }
    for (const step& st : p.steps) {
        if (st.kind == step_kind::copy) {
            slots[p.copies[st.index].to] = slots[p.copies[st.index].from];
            continue;
        }
        const kernel& k = p.kernels[st.index];
        bound_kernel b{k, {}, {}, {}};
        for (const operand& o : k.operands) b.memory.push_back(slots[o.slot].data() + o.offset * size_of(o.type));
        std::vector<bytes> partials;
        for (std::int64_t size : partial_bytes(k)) {
            partials.push_back(guarded(size));
            if ((k.scans || k.selects) && to == language::cuda)
                std::fill_n(partials.back().begin(), size, static_cast<unsigned char>(0));
        }
        for (bytes& x : partials) b.memory.push_back(x.data());
        for (std::uint32_t s : k.scalars) b.scalars.push_back(source.g.scalars[s]);
        for (std::int64_t n : integers(k)) b.numbers.push_back(n);
        run_kernel(b);
        for (const bytes& x : partials)
            if (!is_intact(x)) problem = "partial results overflow";
        if (b.error[0]) problem = "a good index was refused";
    }
    for (const bytes& s : slots)
        if (!is_intact(s)) problem = "a slot overflows";
    for (const slot& s : p.slots)
        if (s.input != slot::fresh && !source.consumable[static_cast<std::size_t>(s.input)]) {
            const auto& in = source.inputs[static_cast<std::size_t>(s.input)];
            if (!std::equal(in.begin(), in.end(), slots[static_cast<std::size_t>(&s - p.slots.data())].begin()))
                problem = "an input has changed";
        }
    std::vector<bytes> roots;
    for (const place& r : p.roots) {
        std::size_t size = static_cast<std::size_t>(size_of(p.slots[r.slot].type));
        std::int64_t count = r.at.shape.product();
        bytes out;
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t rest = i, at = r.at.offset;
            for (int axis = r.at.shape.size() - 1; axis >= 0; --axis) {
                at += rest % r.at.shape[axis] * r.at.strides[axis];
                rest /= r.at.shape[axis];
            }
            const unsigned char* from = slots[r.slot].data() + static_cast<std::size_t>(at) * size;
            out.insert(out.end(), from, from + size);
        }
        roots.push_back(std::move(out));
    }
    return roots;
}

/// The interpreter's values of the roots.
inline std::vector<bytes> expected(const random_graph::program& source) {
    std::vector<bytes> out;
    std::vector<void*> pointers;
    for (node_id r : source.g.roots)
        out.push_back(
            bytes(static_cast<std::size_t>(source.g.nodes[r].shape.product() * size_of(source.g.nodes[r].type))));
    for (bytes& b : out) pointers.push_back(b.data());
    interpret(source.g, source.input_pointers(), pointers);
    return out;
}

// The first element in which two arrays differ, or -1; NaNs are equal.
inline std::int64_t first_difference(dtype t, const bytes& a, const bytes& b) {
    if (a.size() != b.size()) return 0;
    std::size_t size = static_cast<std::size_t>(size_of(real_of(t)));
    for (std::size_t i = 0; i < a.size(); i += size) {
        if (std::memcmp(a.data() + i, b.data() + i, size) == 0) continue;
        double x = 0, y = 0;
        if (kind_rank(t) > 1) {
            convert(real_of(t), dtype::float64, a.data() + i, &x, 1);
            convert(real_of(t), dtype::float64, b.data() + i, &y, 1);
        }
        if (x != x && y != y) continue;
        return static_cast<std::int64_t>(i / static_cast<std::size_t>(size_of(t)));
    }
    return -1;
}

}  // namespace run_plan
