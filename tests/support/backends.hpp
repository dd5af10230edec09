// The backends that a shared test body runs on, and the scope that selects one; the device executable runs CUDA alone.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/compile/host_compiler.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <string>
#include <vector>

#include "full.hpp"

/// Whether this is the device ring's executable; main.cpp knows.
extern bool is_device_executable;

namespace test_backends {

/// Whether the first GPU is tests/cuda_emulation's, which runs on a processor.
inline bool is_gpu_emulated() {
#if SINTER_HAS_CUDA
    return sinter::device_count() > 0 && sinter::runtime::properties(0).name.rfind("Emulated", 0) == 0;
#else
    return false;
#endif
}

struct tested_backend {
    std::string name;
    sinter::runtime::backend which;

    bool is_cuda() const { return which == sinter::runtime::backend::cuda; }
    bool is_host() const { return which == sinter::runtime::backend::host; }
    bool is_interpreter() const { return which == sinter::runtime::backend::interpreter; }
    bool is_emulated() const { return is_cuda() && is_gpu_emulated(); }
    /// Whether kernels are compiled and counted.
    bool compiles() const { return !is_interpreter(); }
};

/// The backends of this process: CUDA in the device executable, else the interpreter and the host's compiler.
inline const std::vector<tested_backend>& usable_backends() {
    using sinter::runtime::backend;
    static const std::vector<tested_backend> list = [] {
        std::vector<tested_backend> l;
        if (is_device_executable) {
            if (sinter::device_count() > 0) l.push_back({"cuda", backend::cuda});
            return l;
        }
        l.push_back({"interpreter", backend::interpreter});
        if (sinter::runtime::host_compiler_available()) l.push_back({"host", backend::host});
        return l;
    }();
    return list;
}

/// New arrays live and are computed on one backend while this lives.
class backend_selection {
public:
    explicit backend_selection(const tested_backend& b)
        : device_(b.is_cuda() ? sinter::device::cuda(0) : sinter::device::cpu()) {
        if (!b.is_cuda()) backend_.emplace(b.which);
    }

private:
    sinter::device_scope device_;
    std::optional<sinter::runtime::backend_scope> backend_;
};

/// A body and how to call it, so that what runs it is compiled once.
class backend_body {
public:
    template <class Body>
    explicit backend_body(Body& body)
        : body_(&body), call_([](void* b, const tested_backend& on) { (*static_cast<Body*>(b))(on); }) {}
    void run(const tested_backend& b) const {
        INFO("backend: ", b.name);
        backend_selection on(b);
        call_(body_, b);
    }

private:
    void* body_;
    void (*call_)(void*, const tested_backend&);
};

/// Runs one body on every backend; what fails names its backend.
template <class Body>
void on_every_backend(Body body) {
    REQUIRE_FALSE(usable_backends().empty());
    for (const tested_backend& b : usable_backends()) backend_body(body).run(b);
}

/// The same for what only backends with kernels can show, such as counts.
template <class Body>
void on_compiling_backends(Body body) {
    for (const tested_backend& b : usable_backends())
        if (b.compiles()) backend_body(body).run(b);
}

}  // namespace test_backends
