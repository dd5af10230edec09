// What follows from the schedule of a kernel of rows for its stages: what each computes and reads, and how it takes
// what lies in shared memory; must not print it.
#pragma once

#include <sinter/codegen/schedule/approximations.hpp>
#include <sinter/codegen/schedule/resident_rows.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Of a stage over the elements of rows.
struct stage_facts {
    sequence<char> here;  ///< by instruction: computed by the stage
    sequence<char> used;  ///< by instruction: read by it
    bool swizzled =
        false;             ///< it reduces full blocks whose threads take their four neighbours in an order of their own
    bool aligned = false;  ///< it stores by whole packs
};

/// Of a kernel whose rows are resident in shared memory.
struct resident_facts {
    cooperative_row row;
    bool bulk = false;     ///< what they load comes there by copies of the hardware's own
    sequence<char> whole;  ///< by instruction: there for the elements before a full block's first one, too
    sequence<stage_facts> stages;
};
resident_facts resident_facts_of(const kernel& k);

/// Whether a stage reduces all blocks that a thread block has of a row after one wait.
bool reduces_tiles_at_once(const kernel& k, const cooperative_row& row, int stage);

/// Whether the elements of a thread's lanes are combined when all are there; and whether a stage of short rows looks
/// for the greatest or least in any order first.
bool reduces_at_end(const kernel& k, int stage);
bool finds_extremes(const kernel& k, int stage);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/row_facts.ipp>
#endif
