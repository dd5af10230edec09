// Makes chosen calls of the allocator, or of the system, fail; must not know who calls.
#pragma once

namespace failing_calls {

enum class kind { memory, system };

/// From here on the calls of this kind in all threads are counted, and `count` of them fail, the first of which is
/// number `first`, from 1 on.
void begin(kind k, long first, long count);
/// No more; how many there were.
long end();

}  // namespace failing_calls
