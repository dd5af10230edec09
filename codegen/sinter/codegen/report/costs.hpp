// What a plan costs: bytes and arithmetic; must not know machines or times.
#pragma once

#include <sinter/codegen/schedule/plan.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// What a kernel moves of an operand's memory, in bytes: broadcast axes count once, what several accesses share at most
/// once, and all of it counts for the first operand there.
std::int64_t bytes_moved(const plan& p, const kernel& k, std::size_t operand);

/// Whether a node of the graph is computed in a kernel.
bool computes(const kernel& k, node_id n);

/// Arithmetic of a kernel by the cost column of the op table, in which an addition is one; a complex operation counts
/// four. Functions count what cost_of says, loops as one turn each.
struct arithmetic {
    double all = 0;
    double float64 = 0;
};
arithmetic arithmetic_of(const kernel& k);

/// Whether a number of this type, or a part of it, is a float64; whether a function takes or gives one.
bool is_float64(dtype t);
bool has_float64(const invocation& f);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/report/costs.ipp>
#endif
