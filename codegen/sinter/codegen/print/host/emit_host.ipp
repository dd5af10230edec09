// Bodies of emit_host.hpp; the loops over tiles are in host_writer.ipp.
#pragma once

#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/codegen/print/host/host_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE kernel_source emit_host(const kernel& k) { return host_writer(k).write(); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END
