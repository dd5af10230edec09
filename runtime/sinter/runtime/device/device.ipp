// Which devices exist and waiting for them.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE device device::cuda(int index) {
    const std::string call = codegen::joined({"[device] cuda(", index, "): "});
    if (index < 0) throw value_error(call + "the number of a device is not negative");
    std::string why;
    const int count = runtime::cuda_device_count(&why);
    if (count == 0) throw device_error(call + why);
    if (index >= count) throw device_error(codegen::joined({call, "there are ", count, " CUDA devices"}));
    return device(index);
}

SINTER_INLINE void device::synchronize() const { runtime::host_synchronize(*this); }

SINTER_INLINE std::string to_string(device d) {
    return d.is_cuda() ? "<CUDA Device " + std::to_string(d.index()) + ">" : "<CPU>";
}

}  // namespace sinter::inline SINTER_ABI
