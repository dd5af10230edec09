// Bodies of nvtx.hpp.
#pragma once

#include <sinter/runtime/device/nvtx.hpp>

// The header finds the tool by itself, through NVTX_INJECTION64_PATH: there is no library to load.
#if SINTER_HAS_CUDA && __has_include(<nvtx3/nvToolsExt.h>)
#define SINTER_HAS_NVTX 1
#include <nvtx3/nvToolsExt.h>
#else
#define SINTER_HAS_NVTX 0
#endif

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool has_nvtx() { return SINTER_HAS_NVTX; }

#if SINTER_HAS_NVTX
SINTER_INLINE void push_nvtx(const char* name) { nvtxRangePushA(name); }
SINTER_INLINE void pop_nvtx() { nvtxRangePop(); }
#else
SINTER_INLINE void push_nvtx(const char*) {}
SINTER_INLINE void pop_nvtx() {}
#endif

}  // namespace sinter::inline SINTER_ABI::runtime
