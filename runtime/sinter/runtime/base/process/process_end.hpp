// Ends what works in the background before the libraries it is in are destroyed; must not know what that is.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Has `close` called when the process ends, which may be more than once and has to wait for what is in a library:
/// before any handler of libraries where the main thread ends the process, whoever has called this; else before the
/// handlers of those that were there at the last call of this or of close_before_libraries().
void close_at_end(void (*close)());

/// Has what works in the background end before what is registered by libraries that are loaded now, or by what they
/// have done.
void close_before_libraries();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/base/process/process_end.ipp>
#endif
