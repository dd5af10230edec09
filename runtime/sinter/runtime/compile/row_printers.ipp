// Bodies of row_printers.hpp.
#pragma once

#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/runtime/compile/row_printers.hpp>

#include <atomic>

namespace sinter::inline SINTER_ABI::runtime {

struct row_printers {
    codegen::kernel_source (*host)(const codegen::kernel& k);
    codegen::kernel_source (*cuda)(const codegen::kernel& k);
    codegen::row_functions (*interpreted)();
};

SINTER_INLINE std::atomic<const row_printers*>& row_printers_in_use() {
    static std::atomic<const row_printers*> printers{nullptr};
    return printers;
}

SINTER_INLINE const row_printers* known_row_printers() {
#if !SINTER_HEADER_ONLY
    // What is compiled once has them in any case, and an array may come from a library that has sinter of its own.
    use_row_printers();
#endif
    return row_printers_in_use().load(std::memory_order_acquire);
}

SINTER_INLINE const row_printers& printers_of_rows() {
    const row_printers* const printers = known_row_printers();
    if (!printers) throw internal_error("[codegen] a kernel of rows without use_row_printers()");
    return *printers;
}

SINTER_INLINE codegen::kernel_source print_host(const codegen::kernel& k) {
    return codegen::is_map(k.how.map) ? codegen::emit_host_map(k) : printers_of_rows().host(k);
}

SINTER_INLINE codegen::kernel_source print_cuda(const codegen::kernel& k) {
    return codegen::is_map(k.how.map) ? codegen::emit_cuda_map(k) : printers_of_rows().cuda(k);
}

SINTER_INLINE codegen::row_functions rows_on_host() {
    const row_printers* const printers = known_row_printers();
    return printers ? printers->interpreted() : codegen::row_functions();
}

SINTER_INLINE void use_row_printers() {
#if SINTER_HAS_CUDA
    static constexpr row_printers printers{codegen::emit_host_rows, codegen::emit_cuda_rows, codegen::row_reference};
#else
    static constexpr row_printers printers{codegen::emit_host_rows, nullptr, codegen::row_reference};
#endif
    std::atomic<const row_printers*>& in_use = row_printers_in_use();
    // Threads that record read one cache line, and do not take it from each other.
    if (in_use.load(std::memory_order_relaxed) != &printers) in_use.store(&printers, std::memory_order_release);
}

}  // namespace sinter::inline SINTER_ABI::runtime
