// Bodies of emit_host.hpp; a class for each family of schedules prints its kernels.
#pragma once

#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/codegen/print/host/maps/host_map_writer.hpp>
#include <sinter/codegen/print/host/rows/host_columns_writer.hpp>
#include <sinter/codegen/print/host/rows/host_rows_writer.hpp>
#include <sinter/codegen/print/host/rows/host_whole_rows_writer.hpp>
#include <sinter/codegen/print/host/scans/host_scan_writer.hpp>
#include <sinter/codegen/print/host/scans/host_select_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE kernel_source emit_host_map(const kernel& k) {
    switch (k.how.map) {
#define SINTER_MAPPING_host_map(name) \
    case mapping::name: return print_##name(k);
#include <sinter/codegen/schedule/mappings.def>
        default: throw internal_error("[codegen] a schedule of a GPU is printed for the CPU, or one of rows as a map");
    }
}

SINTER_INLINE kernel_source emit_host_rows(const kernel& k) {
    switch (k.how.map) {
#define SINTER_MAPPING_host_rows(name) \
    case mapping::name: return print_##name(k);
#include <sinter/codegen/schedule/mappings.def>
        default: throw internal_error("[codegen] a schedule of a GPU is printed for the CPU, or a map as one of rows");
    }
}

SINTER_INLINE kernel_source emit_host(const kernel& k) {
    return is_map(k.how.map) ? emit_host_map(k) : emit_host_rows(k);
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
