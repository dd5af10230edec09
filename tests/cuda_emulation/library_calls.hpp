// What the emulated libraries share: device memory by address, work in the order of a stream, and the host's LAPACK.
#pragma once

#include <cuComplex.h>
#include <dlfcn.h>
#include <driver_types.h>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace cuda_emulation {

// The emulated driver is loaded before whoever calls a library on it.
template <class Function>
Function* driver_function(const char* name) {
    static void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    return driver ? reinterpret_cast<Function*>(dlsym(driver, name)) : nullptr;
}

// The elements behind a device address, all of which must lie in one allocation.
template <class T>
T* device_elements(const void* address, std::int64_t elements) {
    static auto* find = driver_function<char*(unsigned long long, std::size_t)>("emulated_bytes");
    if (elements == 0) return nullptr;
    char* bytes = find(reinterpret_cast<unsigned long long>(address), static_cast<std::size_t>(elements) * sizeof(T));
    if (!bytes) {
        std::fprintf(stderr, "emulated library: %lld elements of %zu bytes at %p are no allocated device memory\n",
                     static_cast<long long>(elements), sizeof(T), address);
        std::abort();
    }
    return reinterpret_cast<T*>(bytes);
}

// A copy of device memory for the host's library, which reads beyond the ends of its operands; written back when it
// goes.
template <class T>
class staged {
public:
    staged(const void* address, std::int64_t elements)
        : device_(device_elements<T>(address, elements)), count_(elements) {
        host_.resize(static_cast<std::size_t>(count_) + 64);
        if (count_) std::memcpy(host_.data(), device_, static_cast<std::size_t>(count_) * sizeof(T));
    }
    ~staged() {
        if (count_) std::memcpy(device_, host_.data(), static_cast<std::size_t>(count_) * sizeof(T));
    }
    staged(const staged&) = delete;
    staged& operator=(const staged&) = delete;
    T* data() { return host_.data(); }

private:
    T* device_;
    std::int64_t count_;
    std::vector<T> host_;
};

// Runs work when the stream comes to it; false when it cannot be enqueued.
inline bool enqueue_work(cudaStream_t stream, std::function<void()> work) {
    static auto* enqueue = driver_function<int(cudaStream_t, void (*)(void*), void*)>("emulated_enqueue");
    auto run = [](void* argument) {
        auto* f = static_cast<std::function<void()>*>(argument);
        (*f)();
        delete f;
    };
    return enqueue && enqueue(stream, run, new std::function<void()>(std::move(work))) == 0;
}

template <class T>
struct element;
template <>
struct element<float> {
    using real = float;
    static constexpr char letter = 's';
};
template <>
struct element<double> {
    using real = double;
    static constexpr char letter = 'd';
};
template <>
struct element<cuComplex> {
    using real = float;
    static constexpr char letter = 'c';
};
template <>
struct element<cuDoubleComplex> {
    using real = double;
    static constexpr char letter = 'z';
};

/// What a routine answers when it is asked with a null pointer to elements of that type; `otherwise` for other types.
template <class Status, class Run>
Status with_elements(cudaDataType type, Status otherwise, Run run) {
    switch (type) {
        case CUDA_R_32F: return run(static_cast<float*>(nullptr));
        case CUDA_R_64F: return run(static_cast<double*>(nullptr));
        case CUDA_C_32F: return run(static_cast<cuComplex*>(nullptr));
        case CUDA_C_64F: return run(static_cast<cuDoubleComplex*>(nullptr));
        default: return otherwise;
    }
}

template <class T>
inline constexpr bool is_complex = sizeof(T) == 2 * sizeof(typename element<T>::real);

// Calls a Fortran function of the host's LAPACK or BLAS; arguments are passed by address, characters' lengths are
// appended.
template <class T, class... A>
void lapack(const char* name, const A*... arguments) {
    static void* library = dlopen("libopenblas.so.0", RTLD_NOW);
    void* f = library ? dlsym(library, (element<T>::letter + std::string(name) + "_").c_str()) : nullptr;
    if (!f) {
        std::fprintf(stderr, "emulated library: no %s in libopenblas.so.0\n", name);
        std::abort();
    }
    reinterpret_cast<void (*)(const A*..., std::size_t, std::size_t, std::size_t, std::size_t)>(f)(arguments..., 1, 1,
                                                                                                   1, 1);
}

}  // namespace cuda_emulation
