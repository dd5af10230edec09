// The two languages of kernels: how a kernel is printed, what its code is known by, and how that is compiled and
// loaded.
#pragma once

#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/runtime/base/counted_ref.hpp>
#include <sinter/runtime/base/light_mutex.hpp>
#include <sinter/runtime/compile/kernel_pack.hpp>
#include <sinter/runtime/compile/shared_image.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/device/device.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::runtime {

using host_entry = void(void* const* memory, const long long* n, const unsigned char* c, long long begin, long long end,
                        long long* error);

/// The code of a text, loaded for a device.
struct compiled_text {
    cuda_module cuda;
    shared_image host;

    /// A CUfunction or an address; throws where there is none of that name.
    void* function(const std::string& name) const {
        return cuda ? cuda.kernel(name).function() : host.symbol(name.c_str());
    }

    void unload() noexcept {
        cuda.unload();
        host.unload();
    }
};

struct code_backend;

/// What the full code of what was compiled quickly is made of.
struct quick_code {
    const code_backend* backend;
    codegen::kernel kernel;  ///< of a compiled_kernel
    device where;
    std::string disk_key;  ///< of the full code
    int runs = 0;          ///< of plans with it
    bool is_asked_for = false;
    std::int64_t asked_at = 0;  ///< by counted_time::now()
    std::int64_t patience = 0;  ///< microseconds of a loop until it waits for the full code
};

/// The key of the quick code beside that of the full one, as long as there is no full one.
inline std::string quick_disk_key(const std::string& full) { return full + "\nquick"; }

/// Code that may be replaced by better code of the same source. Guarded by runtime_lock(), as long as it is `quick`.
struct refinable_code {
    codegen::kernel_source source;
    codegen::owner<quick_code> quick;       ///< not null: better code may replace this, see refine_used()
    codegen::sequence<compiled_text> code;  ///< quick and full

    refinable_code() = default;
    refinable_code(const refinable_code&) = delete;
    refinable_code& operator=(const refinable_code&) = delete;
    virtual ~refinable_code() = default;
    /// Whether a plan may have it.
    virtual bool is_held() const = 0;
    /// Lets launches from now on go to other code of the same source; false where what is laid out does not fit it.
    virtual bool move_to(const compiled_text& fresh) = 0;
};

/// A kernel ready to launch, see unload_kernels().
struct compiled_kernel final : refinable_code {
    host_entry* host_run = nullptr;
    host_entry* host_finish = nullptr;
    cuda_kernel cuda_run;
    int most_cluster = 1;               ///< thread blocks of it that may be a cluster, where it has a use for them
    mutable std::uint32_t holders = 0;  ///< kernel_refs

    bool is_held() const override { return holders > 0; }
    bool move_to(const compiled_text& fresh) override;
};

/// A function of a text for CPUs: the code that the text has whenever it is called.
template <class F>
class host_function;

template <class R, class... A>
class host_function<R(A...)> {
public:
    host_function() = default;
    /// `of` outlives all of these.
    explicit host_function(const replaceable_kernel& of) : of_(&of) {}
    explicit operator bool() const { return of_ != nullptr; }
    R operator()(A... arguments) const {
        return reinterpret_cast<R (*)(A...)>(of_->function.load(std::memory_order_acquire))(arguments...);
    }

private:
    const replaceable_kernel* of_ = nullptr;
};

/// A text of several kernels that are no codegen::kernel, ready to launch for as long as the process lives.
class written_text final : public refinable_code {
public:
    written_text(const codegen::kernel_source& of, device where, compiled_text loaded) : where_(where) {
        source = of;
        code.push_back(loaded);
    }
    /// A CUDA kernel, whose code becomes the full one where this was compiled quickly; throws device_error when the
    /// text has none of that name.
    cuda_kernel kernel(const std::string& name, bool starts_early = false) const;
    /// The same of a text for CPUs; throws internal_error.
    template <class F>
    host_function<F> function(const std::string& name) const {
        return host_function<F>(entry(name));
    }
    bool is_held() const override { return true; }
    bool move_to(const compiled_text& fresh) override;

private:
    replaceable_kernel& entry(const std::string& name) const;

    device where_;
    mutable light_mutex guard_;  ///< of the list
    mutable codegen::sequence<codegen::owner<replaceable_kernel>> kernels_;
};

/// A plan's hold on a kernel.
using kernel_ref = counted_ref<compiled_kernel>;
inline void hold(const compiled_kernel& k) noexcept { ++k.holders; }
inline void let_go(const compiled_kernel& k) noexcept { --k.holders; }

/// What the kernels of a language are made by.
struct code_backend {
    codegen::kernel_source (*emit)(const codegen::kernel& k);
    /// What packs know the code of a text by.
    code_key (*key)(const codegen::kernel_source& source, device where);
    /// The compiler's and its options', for keys of the disk cache.
    std::string (*identity)(const codegen::kernel_source& source, device where);
    /// Throws compile_error, or device_error when the compiler is missing.
    std::string (*compile)(const codegen::kernel_source& source, device where);
    /// The same in less time, for code with the same bits that takes longer; empty where it does not pay. May be null.
    std::string (*compile_quickly)(const codegen::kernel_source& source, device where);
    /// Which texts' quick code may be made with a text's by one run of the compiler, those of the same number and none
    /// of 0; and that of several such texts, none where they are refused together. Both may be null.
    int (*company)(const codegen::kernel_source& source);
    codegen::sequence<std::string> (*compile_together)(codegen::span<const codegen::kernel_source* const> sources);
    /// Throws an error when the loader refuses the image.
    compiled_text (*load)(const std::string& image, device where);
    /// Finds a kernel's entries in its code.
    void (*find_entries)(compiled_kernel& c, const compiled_text& code, const codegen::kernel& k, device where);
    /// Asks the device for what launches of the kernel need; throws device_error.
    void (*configure)(compiled_kernel& c, const codegen::kernel& k, device where);
    /// A run over more elements loses more by quick code than its compiler saves.
    std::int64_t most_quick_elements = 0;
};

/// That of a device's kernels.
const code_backend& code_backend_of(device where);

/// That of texts of CUDA C++ that users wrote: such a source's name is the kernel's, as C++ spells it, and an image
/// begins with a line of the name that the compiler gives it.
const code_backend& users_code_backend();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/code_backend.ipp>
#endif
