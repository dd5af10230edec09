// Bodies of fuse.hpp: decide what is stored, order it in levels, and build the kernels level by level.
#pragma once

#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/fuse/planner.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE plan fuse(const graph& g, const sequence<bool>& consumable, const fusion_limits& limits) {
    planner p(g, consumable, limits);
    p.choose_stored();
    // A kernel that cannot be built as decided names a value to store; every round stores one more.
    for (std::size_t round = 0;; ++round) {
        if (round > g.nodes.size() * 2 + 8) throw internal_error("[fuse] no plan was found:\n" + to_text(g));
        try {
            return p.build();
        } catch (const must_store& m) {
            p.add_stored(m.node, m.too_large);
        }
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
