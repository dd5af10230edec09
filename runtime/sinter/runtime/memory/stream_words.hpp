// Words on a device that the kernels of one stream leave for each other; must not know what they say.
#pragma once

#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Address on the device of zeroed 32-bit words, codegen::reduce_counters of them, which every kernel leaves zero
/// again: they are the stream's own, whose kernels run one after another.
void* cuda_counters(device where);

/// Address on the device of codegen::scan_status bytes in which the scans of the stream mark what they tell each other
/// with the number of their launch. To be asked for before each launch: before launches have had all numbers, zeros are
/// written again.
void* tile_status_words(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/stream_words.ipp>
#endif
