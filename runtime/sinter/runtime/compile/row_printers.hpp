// What of rows a program prints and interprets: maps alone, until it records a reduction, a scan or a selection.
#pragma once

#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// As codegen::emit_host and emit_cuda; throw internal_error of a kernel of rows before use_row_printers().
codegen::kernel_source print_host(const codegen::kernel& k);
codegen::kernel_source print_cuda(const codegen::kernel& k);

/// As codegen::row_reference(); empty before use_row_printers().
codegen::row_functions rows_on_host();

/// To be called before a reduction, a scan or a selection is recorded: programs that record none are not to compile
/// what prints kernels of rows, and interprets them.
void use_row_printers();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/row_printers.ipp>
#endif
