// What plans do and what that costs, as explain shows it: kernels, bytes, arithmetic, resources, measured times,
// advice.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/runtime/lazy/value.hpp>
#include <sinter/runtime/report/machine.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// One kernel or library call of a plan.
struct step_summary {
    std::string name;
    std::string label = {};     ///< what the user calls what it computes (SINTER_LABEL), if anything
    std::string space;          ///< the shape that it works on
    std::string schedule = {};  ///< of a kernel: how it is laid over threads, in words
    std::string after;          ///< of a kernel: which results of kernels and calls before it it takes
    bool is_kernel = true;
    std::int64_t bytes_read = 0;
    std::int64_t bytes_written = 0;
    double operations = 0;  ///< arithmetic, an addition being 1 and an exponential about 14; of kernels and products
    double operations_float64 = 0;  ///< what of it is in float64
    int registers = -1;             ///< of a thread; -1: not known, as on the CPU and before a kernel has been compiled
    int local_bytes = -1;           ///< of a thread: what registers do not hold (spills, local arrays); -1: not known
    double seconds = -1;            ///< median of the measured times; -1: not measured
};

/// What a plan does, kept with the values that it stored.
struct plan_summary {
    device where;
    std::int64_t kernels = 0;
    std::int64_t library_calls = 0;
    std::int64_t bytes_read = 0;     ///< of the kernels
    std::int64_t bytes_written = 0;  ///< of the kernels
    bool cached = true;              ///< whether every kernel was compiled before
    std::int64_t packed = 0;         ///< kernels whose code is in a pack
    codegen::sequence<step_summary> steps;
    codegen::sequence<std::string> sources;  ///< of the kernels, in the language of the backend
    codegen::sequence<std::string> hints;    ///< what may be done better, a sentence each
    std::string graph;                       ///< the program before fusion
    std::string drawing;                     ///< in Graphviz's language
    std::string unmeasured;                  ///< why nothing was measured, where it was asked for
};

/// What evaluating the values would do now, without doing it; for stored values, the plan that made them. With
/// `measures` the plan of pending values is compiled and run on scratch results, which changes no value.
plan_summary summarize(codegen::span<value* const> roots, bool measures = false);

/// The least time that a step can take on a device, in seconds: that of its bytes or that of its arithmetic, whichever
/// is longer. Of library calls but products that of their bytes. 0 where the machine's limits are not known.
double least_time(const step_summary& s, const machine_limits& limits);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/report/summary.ipp>
#endif
