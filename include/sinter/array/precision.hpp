// The precision that products of float and complex float are computed in: by call, by scope, by environment.
#pragma once

#include <sinter/runtime/device/device.hpp>
#include <sinter/codegen/ops/routine.hpp>

namespace sinter::inline SINTER_ABI {

/// While one lives, this thread's products of float and complex float are in this precision unless a call names
/// another: `precision_scope scope(precision::tf32);`. Scopes nest. What counts is when a product is written, not when
/// it runs.
class precision_scope {
public:
    explicit precision_scope(precision p);
    ~precision_scope();
    precision_scope(const precision_scope&) = delete;
    precision_scope& operator=(const precision_scope&) = delete;

private:
    precision outer_;
};

/// The precision of products that name none: this thread's scope's, else tf32 if SINTER_TF32=1, else highest.
precision default_precision();

namespace detail {

/// What a product of this type on this device can be computed in: only float32 and complex64, and only GPUs of compute
/// capability 8.0 or higher, have a choice. The CPU and older GPUs warn on stderr, once per process.
precision usable_precision(precision p, dtype type, device where);

}  // namespace detail

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/precision.ipp>
#endif
