// Bodies of array.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/distributed/array.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void throw_moved_from() {
    throw value_error("[distributed] this array's value has been moved to another one: assign one to it first");
}

SINTER_INLINE std::string distributed_text(const distributed_ref& v, bool repr) {
    const handle all = record_gathered(v, "print");
    return v->session->rank() == 0 ? text_of(all, repr) : std::string();
}

}  // namespace sinter::inline SINTER_ABI::detail
