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

SINTER_INLINE kernel_source emit_host(const kernel& k) {
    switch (k.how.map) {
#define SINTER_MAPPING_host(name) \
    case mapping::name: return print_##name(k);
#define SINTER_MAPPING_cuda(name) case mapping::name:
#define SINTER_MAPPING(name, backend, ...) SINTER_MAPPING_##backend(name)
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
#undef SINTER_MAPPING_cuda
#undef SINTER_MAPPING_host
        break;
    }
    throw internal_error("[codegen] a schedule of a GPU is printed for the CPU");
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
