// The name of a place where arrays live and kernels run; must not include the CUDA headers.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <string>

namespace sinter::inline SINTER_ABI {

/// The CPU or one CUDA device; a plain value.
class device {
public:
    /// The CPU.
    constexpr device() = default;
    /// The CPU.
    static constexpr device cpu() { return device(); }
    /// CUDA device `index`; throws device_error saying why when it cannot be used, value_error for a negative index.
    static device cuda(int index = 0);
    /// The device with this id() and no check whether it exists.
    static constexpr device from_id(int id) { return device(id); }

    constexpr bool is_cuda() const { return id_ >= 0; }
    constexpr bool is_cpu() const { return id_ < 0; }
    /// Number of a CUDA device; 0 for the CPU.
    constexpr int index() const { return id_ < 0 ? 0 : id_; }
    /// -1 for the CPU, else the CUDA device's number.
    constexpr int id() const { return id_; }
    /// Waits until everything enqueued on the device has run; throws device_error if some of it failed.
    void synchronize() const;

    friend constexpr bool operator==(device, device) = default;

private:
    constexpr explicit device(int id) : id_(id) {}
    int id_ = -1;
};

/// `<CPU>` or `<CUDA Device 0>`.
std::string to_string(device d);

namespace runtime {

/// Waits until all work enqueued on a device is done; throws device_error if some of it failed; the CPU is never busy.
void host_synchronize(device where);

}  // namespace runtime
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/runtime/device/device.ipp>
#endif
