// What a plan costs and where it could cost less: bytes, arithmetic, advice; must not know machines or times.
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

/// Advice about a plan, a sentence each: accidental float64, reads that could be spared, cuts that could be avoided.
sequence<std::string> hints_of(const graph& g, const plan& p);

/// What a kernel takes from kernels and calls before it: "sum of kernel 1, matmul"; empty when nothing.
std::string predecessors_of(const graph& g, const plan& p, std::size_t kernel);

/// The graph as a Graphviz drawing, each kernel a box of what it computes: what two kernels compute is in both.
std::string to_dot(const graph& g, const plan& p);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/report/costs.ipp>
#include <sinter/codegen/report/dot.ipp>
#include <sinter/codegen/report/hints.ipp>
#endif
