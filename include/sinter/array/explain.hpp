// explain: what evaluating an expression would do, in kernels, bytes, arithmetic and source text, and how long it
// takes.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/array/evaluate.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/report/summary.hpp>

#include <ostream>
#include <utility>

namespace sinter::inline SINTER_ABI {

/// What computing values takes; prints as text.
class explanation {
public:
    /// One kernel or library call: name, label, bytes, operations, registers, measured seconds.
    using step = runtime::step_summary;

    explicit explanation(runtime::plan_summary s) : summary_(std::move(s)) {}
    std::int64_t kernels() const { return summary_.kernels; }
    std::int64_t library_calls() const { return summary_.library_calls; }
    /// Bytes that the kernels read from and write to memory.
    std::int64_t bytes_read() const { return summary_.bytes_read; }
    std::int64_t bytes_written() const { return summary_.bytes_written; }
    /// Arithmetic of the kernels and matrix products in operations, of which an addition is one.
    double operations() const;
    /// Whether every kernel is compiled already.
    bool cached() const { return summary_.cached; }
    /// How many of the kernels are in a pack (SINTER_PACK, use_pack).
    std::int64_t packed() const { return summary_.packed; }
    /// Kernels and library calls in the order in which they run.
    const codegen::sequence<step>& steps() const& { return summary_.steps; }
    codegen::sequence<step> steps() && { return std::move(summary_.steps); }

    /// The least time in seconds that one step, or all of them one after the other, can take on the machine: that of
    /// moving the bytes or that of the arithmetic, whichever is longer (the roofline model: Williams, Waterman,
    /// Patterson 2009). 0 where the machine's limits are not known. The first call on the CPU measures these, which
    /// takes about 0.2 s.
    double limit(const step& s) const;
    double limit() const;
    /// The time in seconds that the steps took one after the other, a median of several runs; -1 where nothing was
    /// measured.
    double measured() const;
    /// limit() / measured(): 1 is as fast as the machine can, more comes from caches; -1 where either is not known.
    double achieved() const;

    /// What may be done better, a sentence each: float64 arithmetic in a float32 program, reads that could be spared,
    /// more than one kernel and why.
    const codegen::sequence<std::string>& hints() const& { return summary_.hints; }
    codegen::sequence<std::string> hints() && { return std::move(summary_.hints); }

    /// How the kernels are laid over threads, a line each: `softmax over (1000, 4096): block per row, in registers: …`.
    std::string schedule() const;

    /// The source of all kernels, as they are compiled.
    std::string source() const;
    /// The program as a Graphviz drawing: each kernel and library call is a box of what it computes.
    std::string dot() const { return summary_.drawing; }
    std::string text() const;

private:
    runtime::plan_summary summary_;
};

std::ostream& operator<<(std::ostream& out, const explanation& e);

/// Asks explain to measure: `explain(y, measured)`.
inline constexpr struct measured_t {
} measured;

namespace detail {
template <class T>
concept explainable = expression<T> || std::same_as<T, measured_t> || holds_several<T>;

explanation explain_values(codegen::span<const handle> values, bool measures = false);

template <class T>
void add_explained(codegen::sequence<handle>& values, bool& measures, const T& x) {
    if constexpr (std::same_as<T, measured_t>) measures = true;
    else add_values(values, x);
}
}  // namespace detail

/// What evaluating the expressions together would do, without doing it; for a computed array, those steps of
/// the plan that made it that it comes from. What eval takes may be asked of too: ranges, tuples and structures of
/// arrays, record_array, sets of parameters: `explain(p)`.
/// With `measured` among them the plan is also compiled, run several times on scratch results and timed (CUDA events on
/// a GPU); no value changes and nothing is stored. Computed arrays and the interpreter have nothing to measure, and say
/// so. Measuring throws what evaluating would throw.
template <detail::explainable... E>
explanation explain(const E&... e) {
    codegen::sequence<detail::handle> values;
    bool measures = false;
    (detail::add_explained(values, measures, e), ...);
    return detail::explain_values({values.data(), values.size()}, measures);
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/explain.ipp>
#endif
