// When pending statements run unasked: where a loop comes round, and when too much is kept alive.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct pending_queue;
struct value;

/// Runs what this thread has recorded and something still names. Errors of data stay with the values.
void flush(pending_queue& q);

/// Keeps the queue bounded: called before a statement is recorded. Runs what is pending when a loop has come round: 32
/// statements are pending and the last 32 repeat those before the oldest, or 64 are and they repeat somewhere; at 256
/// statements or 4,096 nodes; and when pending statements alone keep more than an eighth of the device's memory alive.
void before_recording(value& next);

/// Whether something behind a value has no elements: the state of a loop that is being recorded, or what failed. The
/// lock is held.
bool lacks_elements(value& v);

/// Runs a statement that reads memory of someone else, who may change it: called after it is recorded.
void run_imported(value& recorded);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/flush.ipp>
#endif
