// Sorts of rows on CPUs: each by one thread, or by all of them where there are few; must not know GPUs.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

struct sort_backend;

const sort_backend& host_sorts();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/order/sort_host.ipp>
#endif
