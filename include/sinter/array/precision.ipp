// Bodies of precision.hpp.
#pragma once

#include <cstdio>
#include <sinter/array/precision.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/environment.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

SINTER_INLINE precision& precision_of_thread() {
    static thread_local precision p = runtime::env().tf32 ? precision::tf32 : precision::highest;
    return p;
}

SINTER_INLINE void warn_of_cpu() {
    static const int printed =
        std::fprintf(stderr,
                     "sinter: precision::tf32, tf32x3 and bf16, also by SINTER_TF32, are only available on GPUs. "
                     "precision::highest will be used on the CPU instead.\n");
    static_cast<void>(printed);
}

SINTER_INLINE void warn_of_old_device() {
    static const int printed = std::fprintf(
        stderr,
        "sinter: precision::tf32, tf32x3 and bf16 are only available on GPUs with compute capability 8.0 or higher. "
        "precision::highest will be used instead.\n");
    static_cast<void>(printed);
}

SINTER_INLINE precision usable_precision(precision p, dtype type, device where) {
    if (p == precision::highest || codegen::real_of(type) != dtype::float32) return precision::highest;
    if (p == precision::tf32x3 && codegen::is_complex(type)) return precision::highest;
    if (where.is_cuda() && runtime::properties(where.index()).major >= 8) return p;
    if (where.is_cuda()) warn_of_old_device();
    else warn_of_cpu();
    return precision::highest;
}

}  // namespace detail

SINTER_INLINE precision_scope::precision_scope(precision p) : outer_(detail::precision_of_thread()) {
    detail::precision_of_thread() = p;
}

SINTER_INLINE precision_scope::~precision_scope() { detail::precision_of_thread() = outer_; }

SINTER_INLINE precision default_precision() { return detail::precision_of_thread(); }

}  // namespace sinter::inline SINTER_ABI
