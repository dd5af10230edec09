// Prints a kernel as header-free C++ for the host: plain loops over tiles that the system's compiler vectorises.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Source with the entry points `name` and, for reductions that have one, `name_finish`, both of type
/// void(void* const* memory, const long long* n, const unsigned char* c, long long begin, long long end, long long*
/// error): memory holds the operands and then the partial results of each reduction, n what integers() lists, c the
/// scalars in 16 bytes each; begin and end delimit the items of a phase; error gets 1 + the number of an indexed axis
/// and the index.
kernel_source emit_host(const kernel& k);
/// The same of a kernel of a map, and of one of rows: a program without those is not to compile their printers.
kernel_source emit_host_map(const kernel& k);
kernel_source emit_host_rows(const kernel& k);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/host/emit_host.ipp>
#endif
