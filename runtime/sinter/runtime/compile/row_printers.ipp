// Bodies of row_printers.hpp.
#pragma once

#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/runtime/base/on_demand.hpp>
#include <sinter/runtime/compile/row_printers.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct row_printers {
    codegen::kernel_source (*host)(const codegen::kernel& k);
    codegen::kernel_source (*cuda)(const codegen::kernel& k);
    codegen::row_functions (*interpreted)();

    static constexpr const char* name = "use_row_printers";
    static const row_printers& all();
};

SINTER_INLINE const row_printers& row_printers::all() {
#if SINTER_HAS_CUDA
    static constexpr row_printers printers{codegen::emit_host_rows, codegen::emit_cuda_rows, codegen::row_reference};
#else
    static constexpr row_printers printers{codegen::emit_host_rows, nullptr, codegen::row_reference};
#endif
    return printers;
}

SINTER_INLINE void use_row_printers() { on_demand<row_printers>::bring(); }

SINTER_INLINE codegen::kernel_source print_host(const codegen::kernel& k) {
    return codegen::is_map(k.how.map) ? codegen::emit_host_map(k) : on_demand<row_printers>::get().host(k);
}

SINTER_INLINE codegen::kernel_source print_cuda(const codegen::kernel& k) {
    return codegen::is_map(k.how.map) ? codegen::emit_cuda_map(k) : on_demand<row_printers>::get().cuda(k);
}

SINTER_INLINE codegen::row_functions rows_on_host() {
    const row_printers* const printers = on_demand<row_printers>::find();
    return printers ? printers->interpreted() : codegen::row_functions();
}

}  // namespace sinter::inline SINTER_ABI::runtime
