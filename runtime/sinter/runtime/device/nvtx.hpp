// Ranges that NVIDIA's tools show, by NVTX's header where it was there at build time; must not know what they mean.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Whether ranges were built in; they cost some nanoseconds unless a tool listens.
bool has_nvtx();

/// Begins and ends a range of the calling thread; they nest.
void push_nvtx(const char* name);
void pop_nvtx();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/nvtx.ipp>
#endif
