// What a schedule of a CPU comes to for the sizes of a kernel, at run time: phases, and how they are shared out; must
// not know the text.
#pragma once

#include <sinter/codegen/schedule/workspaces.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// How often to call an entry point of a CPU: over `items` items, in parts of at least `grain`.
struct host_phase {
    bool finish = false;
    std::int64_t items = 0;
    std::int64_t grain = 1;
};

/// The phases of a kernel in order; and whether its source has a second entry point.
sequence<host_phase> host_phases(const kernel& k);
bool has_finish(const kernel& k);

/// How many tiles a map of a CPU has whose operands are transposed in the cache: the items of its loop.
std::int64_t transposed_tiles_of(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/host_geometry.ipp>
#endif
