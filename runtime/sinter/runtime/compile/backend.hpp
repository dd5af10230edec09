// Which device and which backend work runs on: chosen by scope, by SINTER_BACKEND, or by what the machine has.
#pragma once

#include <sinter/runtime/device/device.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI {

namespace runtime {

/// Whether kernels can be compiled for and run on a CUDA device; otherwise `why` says what is missing and where it was
/// sought. Without NVRTC a device counts while kernels compiled earlier may be in a pack or in the disk cache.
bool cuda_available(std::string* why = nullptr);

enum class backend : std::uint8_t { cuda, host, interpreter };

/// The backend of a device in this scope; throws device_error when the one that is asked for by name cannot run.
backend backend_of(device d);

/// Whether SINTER_BACKEND or a scope names the host backend, so that nothing may fall back to the interpreter.
bool is_backend_named();

/// Makes the CPU compute with one backend while it lives; for tests and comparisons.
class backend_scope {
public:
    explicit backend_scope(backend b);
    ~backend_scope();
    backend_scope(const backend_scope&) = delete;
    backend_scope& operator=(const backend_scope&) = delete;

private:
    int previous_;
};

/// `cuda`, `host` or `interpreter`.
std::string_view to_string(backend b);

/// The device that new arrays of this thread live on.
device current_device();

}  // namespace runtime

/// Number of CUDA devices that kernels can run on; 0 without driver or NVRTC.
int device_count();

/// New arrays of this thread live on a device while this lives: `device_scope on(device::cpu());`.
class device_scope {
public:
    explicit device_scope(device d);
    ~device_scope();
    device_scope(const device_scope&) = delete;
    device_scope& operator=(const device_scope&) = delete;

private:
    int previous_;
};

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/backend.ipp>
#endif
