// How a fused kernel is laid over threads, registers, shared memory and clusters, as a value: classes of sizes, never
// sizes, strides or counts of multiprocessors; must not know the kernel.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

/// Which threads have which elements; the rows of mappings.def.
enum class mapping : std::uint8_t {
#define SINTER_MAPPING(name, ...) name,
#include <sinter/codegen/schedule/mappings.def>
};

/// Which elements of a row of a reduction a thread moves at a time.
enum class arrangement : std::uint8_t {
    blocked,   ///< four neighbours, as the order of reductions has them
    striped,   ///< four that lie 256 apart: neighbouring threads move neighbours
    exchanged  ///< those of its lane: what is reduced passes through shared memory to be blocked
};

/// What the thread blocks of a GPU leave for each other in memory.
enum class workspace_kind : std::uint8_t {
    none,
    partial_results,  ///< which the last one combines: they count how many have finished
    tile_status,      ///< of scans and selections: each looks back at the tiles before its own
    exchange          ///< results of those that share a row, and how many have come
};
workspace_kind workspace_of(mapping m);

/// Whether kernels have the parameter `counters`: thread blocks count how many of those that share a row or column have
/// come.
bool takes_counters(mapping m);

/// Whether a mapping is one of a CPU.
bool runs_on_host(mapping m);

/// Whether a mapping is one of kernels that neither reduce nor scan nor select.
bool is_map(mapping m);

/// Whether a CPU takes rows side by side, in vectors; whether a GPU holds rows in shared memory between their stages,
/// by one thread block or several; and whether a scan's lines are each within one tile of its order.
constexpr bool is_side_by_side(mapping m) { return m == mapping::host_vector_rows || m == mapping::host_vector_scans; }
constexpr bool is_cooperative(mapping m) { return m == mapping::resident_row || m == mapping::cooperative_row; }
constexpr bool scans_one_tile(mapping m) { return m == mapping::scan_rows || m == mapping::scan_columns; }

/// What is chosen once for a kernel and is part of its text: the rows of schedule.def.
struct schedule {
#define SINTER_SCHEDULE_FIELD(type, name, initial, ...) type name = initial;
#include <sinter/codegen/schedule/schedule.def>
#undef SINTER_SCHEDULE_FIELD
    friend bool operator==(const schedule&, const schedule&) = default;
};

/// What tells schedules apart, as bytes: equal ones for equal schedules only.
std::string key(const schedule& s);

/// A schedule in words, as SINTER_SHOW=schedule, explain(E).schedule() and a kernel's first line say it:
/// `rows per warp: at most 128 elements each, 16 threads per row`.
std::string to_text(const schedule& s);

std::string_view to_string(mapping m);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/schedule.ipp>
#endif
