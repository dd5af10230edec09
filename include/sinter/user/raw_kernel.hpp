// Kernels in CUDA C++ as users write them: raw_kernel.
#pragma once

#include <sinter/array/evaluate.hpp>
#include <sinter/runtime/device/cuda_module.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {

/// One launch: arrays are computed and in row-major memory, results get memory of their own. What is not launched
/// leaves the arrays as they were.
class raw_launch {
public:
    raw_launch(const std::string& kernel, device where) : kernel_(kernel), where_(where) {}
    raw_launch(const raw_launch&) = delete;
    ~raw_launch() {
        if (launched_) return;
        for (std::size_t i = lent_.size(); i--;) lent_[i].put(lent_[i].array, lent_[i].was);
    }
    /// The address that a kernel reads an array at.
    void* read(const handle& x);
    /// Memory that a kernel writes, of the same shape: fresh, or with what is there.
    template <class T>
    void* write(array<T>& a, bool keep) {
        auto put = [](void* to, const handle& h) { *static_cast<array<T>*>(to) = array<T>(h); };
        handle was = a.get_handle();
        a = array<T>();  // so that memory which nobody else reads is seen to have one owner
        handle now;
        try {
            now = written(was, keep);
        } catch (...) {
            put(&a, was);
            throw;
        }
        put(&a, now);
        lent_.push_back({&a, std::move(was), put});
        return address(now, true);
    }
    void launch(const runtime::cuda_kernel& k, runtime::launch_extent grid, runtime::launch_extent block,
                std::size_t shared_bytes, void* const* addresses);

private:
    struct lent {
        void* array;
        handle was;
        void (*put)(void*, const handle&);
    };
    void require_here(const handle& x) const;
    handle written(const handle& x, bool keep) const;
    void* address(const handle& x, bool writes);

    std::string kernel_;
    device where_;
    bool launched_ = false;
    struct argument {
        handle array;
        bool writes;
    };
    codegen::sequence<argument> held_;
    codegen::sequence<lent> lent_;
};

}  // namespace detail

/// An array that a raw_kernel reads and writes.
template <class T>
class in_and_output {
public:
    explicit in_and_output(array<T>& a) : array_(a) {}
    array<T>& target() const { return array_; }

private:
    array<T>& array_;
};
/// An argument of a raw_kernel that it reads and writes.
template <class T>
in_and_output<T> inout(array<T>& a) {
    return in_and_output<T>(a);
}

/// A kernel in CUDA C++ (cupy.RawKernel): `raw_kernel k(text, "name"); k({blocks}, {threads}, a, out(b), inout(c),
/// n);`. The name may be an instance of a template, `"scale<float>"`. Compiled at the first call, with NVRTC's
/// defaults, C++20 and the options; CUDA only. A call computes its arguments and launches at once: arrays and
/// expressions are pointers to row-major elements that the kernel reads, out(b) is memory of b's shape without
/// contents, inout(c) keeps them; what else holds b's or c's old value keeps it, and so do b and c when the call
/// throws. Anything else is passed as it is and must have the type that the kernel has there. Throws device_error when
/// the current device, or an array's, is not a GPU, and compile_error with the numbered source.
class raw_kernel {
public:
    raw_kernel(std::string text, std::string name, std::vector<std::string> options = {})
        : text_(std::move(text)), name_(std::move(name)), options_(std::move(options)) {}

    template <class... X>
    void operator()(runtime::launch_extent grid, runtime::launch_extent block, X&&... x) const {
        launch(grid, block, 0, static_cast<X&&>(x)...);
    }
    /// With so many bytes of dynamic shared memory.
    template <class... X>
    void launch(runtime::launch_extent grid, runtime::launch_extent block, std::size_t shared_bytes, X&&... x) const {
        detail::raw_launch l(name_, require_device());
        const runtime::cuda_kernel k = find(grid, block, shared_bytes);
        std::tuple<decltype(argument(l, x))...> values{argument(l, x)...};
        std::apply(
            [&](auto&... v) {
                void* addresses[] = {static_cast<void*>(&v)..., nullptr};
                l.launch(k, grid, block, shared_bytes, addresses);
            },
            values);
    }

private:
    template <class X>
    static auto argument(detail::raw_launch& l, X& x) {
        using T = std::remove_cvref_t<X>;
        if constexpr (expression<T>) return l.read(detail::as_handle(x));
        else if constexpr (requires { x.target().get_handle(); }) {
            using Target = std::remove_cvref_t<decltype(x.target())>;
            return l.write(x.target(), std::is_same_v<T, in_and_output<typename Target::value_type>>);
        } else {
            static_assert(
                std::is_trivially_copyable_v<T>,
                "sinter: the arguments of a raw_kernel are arrays, out(a), inout(a), numbers and plain structures");
            return T(x);
        }
    }
    device require_device() const;
    runtime::cuda_kernel find(runtime::launch_extent grid, runtime::launch_extent block,
                              std::size_t shared_bytes) const;

    std::string text_, name_;
    std::vector<std::string> options_;
};

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/user/raw_kernel.ipp>
#endif
