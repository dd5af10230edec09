// What devices can do at best; must not know plans.
#pragma once

#include <sinter/runtime/device/device.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// What a device can do at best.
struct machine_limits {
    double bytes_per_second = 0;       ///< of its memory; 0: not known
    double operations_per_second = 0;  ///< in float32, a multiply-add being two
    double float64_per_second = 0;
    std::string source;  ///< where the numbers come from
};

/// A GPU's limits from its clocks and the width of its memory bus; the CPU's measured at the first call (about 0.2 s),
/// as a copy between two arrays and multiply-adds in a compiled loop, on all threads.
const machine_limits& limits_of_machine(device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/report/machine.ipp>
#endif
