// Ends what works in the background before the libraries it is in are destroyed; must not know what that is.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Has `close` called when the process ends, which may be more than once and has to wait for what is in a library. By
/// the thread that ends the process, where that has called this, before any handler of libraries; else before the
/// handlers of those that were there at the last call of this, so whoever loads a library calls it once more.
void close_at_end(void (*close)());

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/process/process_end.ipp>
#endif
