// Bodies of cutensor.hpp.
#pragma once

#include <algorithm>
#include <mutex>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/library/tensor/cutensor.hpp>
#include <sinter/runtime/library/tensor/cutensor_types.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

#if SINTER_HAS_CUDA

/// cuTENSOR's functions.
struct cutensor_table {
    cutensor_types::create* create = nullptr;
    cutensor_types::create_tensor* create_tensor = nullptr;
    cutensor_types::destroy *destroy_tensor = nullptr, *destroy_operation = nullptr, *destroy_preference = nullptr,
                            *destroy_plan = nullptr;
    cutensor_types::create_contraction* create_contraction = nullptr;
    cutensor_types::create_preference* create_preference = nullptr;
    cutensor_types::estimate_workspace* estimate_workspace = nullptr;
    cutensor_types::create_plan* create_plan = nullptr;
    cutensor_types::plan_attribute* plan_attribute = nullptr;
    cutensor_types::contract* contract = nullptr;
    cutensor_types::error_text* error_text = nullptr;
    std::string why;  ///< not empty: it could not be loaded
};

SINTER_INLINE void load_cutensor(cutensor_table& t) {
    const shared_library& library = cutensor_library();
    const function_finder find(library, t.why, "cuTENSOR 2.0 or later",
                               "cuTENSOR: " + library.why() + "\ninstall cutensor-cu12 or cutensor-cu13 of PyPI");
    find(t.create, "cutensorCreate");
    find(t.create_tensor, "cutensorCreateTensorDescriptor");
    find(t.destroy_tensor, "cutensorDestroyTensorDescriptor");
    find(t.create_contraction, "cutensorCreateContraction");
    find(t.destroy_operation, "cutensorDestroyOperationDescriptor");
    find(t.create_preference, "cutensorCreatePlanPreference");
    find(t.destroy_preference, "cutensorDestroyPlanPreference");
    find(t.estimate_workspace, "cutensorEstimateWorkspaceSize");
    find(t.create_plan, "cutensorCreatePlan");
    find(t.destroy_plan, "cutensorDestroyPlan");
    find(t.plan_attribute, "cutensorPlanGetAttribute");
    find(t.contract, "cutensorContract");
    find(t.error_text, "cutensorGetErrorString");
}

SINTER_INLINE const cutensor_table& loaded_cutensor() { return loaded_once<cutensor_table, load_cutensor>(); }

SINTER_INLINE std::string begin_of_error(const codegen::library_call& c) {
    return codegen::joined({"[", codegen::failing_function(c.call), "] "});
}

SINTER_INLINE void check_cutensor(const codegen::library_call& c, int status, const char* what) {
    if (status == cutensor_constants::success) return;
    const std::string text = codegen::joined({begin_of_error(c), what, ": ", loaded_cutensor().error_text(status)});
    if (status == cutensor_constants::alloc_failed) throw out_of_memory(text);
    throw device_error(text);
}

/// A device's handle, which threads may share, or why there is none.
struct cutensor_handle {
    std::once_flag once;
    void* handle = nullptr;
    std::string why;
};

SINTER_INLINE const cutensor_handle& cutensor_of(device where) {
    static auto* all = new cutensor_handle[64];
    cutensor_handle& own = all[where.index()];
    use_device(where.index());
    std::call_once(own.once, [&] {
        const cutensor_table& t = loaded_cutensor();
        own.why = t.why;
        if (!own.why.empty()) return;
        const int status = t.create(&own.handle);
        if (status != cutensor_constants::success) own.why = std::string("cutensorCreate: ") + t.error_text(status);
    });
    return own;
}

SINTER_INLINE bool cutensor_available(device where, std::string* why) {
    if (!where.is_cuda() || cuda_device_count(why) == 0) return false;
    if (why) *why = cutensor_of(where).why;
    return cutensor_of(where).why.empty();
}

/// What cuTENSOR makes and wants back.
using cutensor_object = std::unique_ptr<void, cutensor_types::destroy*>;

template <class Create>
cutensor_object made_by_cutensor(const codegen::library_call& c, const char* what, cutensor_types::destroy* destroy,
                                 Create create) {
    void* made = nullptr;
    check_cutensor(c, create(&made), what);
    return {made, destroy};
}

/// An operand's axes of more than one element, as cuTENSOR's modes: their numbers among all axes of the call.
struct cutensor_modes {
    std::int32_t mode[max_rank];
    std::int64_t extent[max_rank], stride[max_rank];
    std::uint32_t count = 0;

    explicit cutensor_modes(const codegen::layout& l) {
        for (int i = 0; i < l.shape.size(); ++i) {
            if (l.shape[i] == 1) continue;
            mode[count] = i;
            extent[count] = l.shape[i];
            stride[count++] = l.strides[i];
        }
    }
};

SINTER_INLINE int cutensor_element_type(dtype type) {
    using k = cutensor_constants;
    if (codegen::is_half(type)) return type == dtype::float16 ? k::float16 : k::bfloat16;
    const bool wide = codegen::real_of(type) == dtype::float64;
    return codegen::is_complex(type) ? (wide ? k::complex128 : k::complex64) : wide ? k::float64 : k::float32;
}

// The library's own names of what products are computed in; half precision is added up in float32.
SINTER_INLINE void* cutensor_compute_type(const codegen::library_call& c, dtype type) {
    const precision in = c.call.in();
    const char* const name = codegen::real_of(type) == dtype::float64 ? "CUTENSOR_COMPUTE_DESC_64F"
                             : in == precision::tf32                  ? "CUTENSOR_COMPUTE_DESC_TF32"
                             : in == precision::tf32x3                ? "CUTENSOR_COMPUTE_DESC_3XTF32"
                             : in == precision::bf16                  ? "CUTENSOR_COMPUTE_DESC_16BF"
                                                                      : "CUTENSOR_COMPUTE_DESC_32F";
    void* const at = cutensor_library().symbol(name);
    if (!at) throw device_error(codegen::joined({begin_of_error(c), cutensor_library().path(), " has no ", name}));
    return *static_cast<void**>(at);
}

// The largest power of two, of 256 bytes at most, that what lies at an offset from a whole allocation is aligned to.
SINTER_INLINE std::uint32_t alignment_at(std::uint64_t bytes) {
    const std::uint64_t all = bytes | 256;
    return static_cast<std::uint32_t>(all & (~all + 1));
}

SINTER_INLINE contraction_plan plan_contraction(const codegen::library_call& c, dtype type, device where,
                                                std::uint32_t alignment) {
    using k = cutensor_constants;
    const cutensor_table& t = loaded_cutensor();
    void* const handle = cutensor_of(where).handle;
    const int element = cutensor_element_type(type);
    const cutensor_modes a(c.args[0].at), b(c.args[1].at), to(codegen::contiguous(c.shape));
    auto tensor = [&](const cutensor_modes& m) {
        return made_by_cutensor(c, "cutensorCreateTensorDescriptor", t.destroy_tensor, [&](void** made) {
            return t.create_tensor(handle, made, m.count, m.extent, m.stride, element, alignment);
        });
    };
    const cutensor_object of_a = tensor(a), of_b = tensor(b), of_result = tensor(to);
    const cutensor_object operation =
        made_by_cutensor(c, "cutensorCreateContraction", t.destroy_operation, [&](void** made) {
            return t.create_contraction(handle, made, of_a.get(), a.mode, k::identity, of_b.get(), b.mode, k::identity,
                                        of_result.get(), to.mode, k::identity, of_result.get(), to.mode,
                                        cutensor_compute_type(c, type));
        });
    const cutensor_object preference = made_by_cutensor(
        c, "cutensorCreatePlanPreference", t.destroy_preference,
        [&](void** made) { return t.create_preference(handle, made, k::default_algorithm, k::never_compiles); });
    std::uint64_t most = 0, needed = 0;
    check_cutensor(c, t.estimate_workspace(handle, operation.get(), preference.get(), k::default_workspace, &most),
                   "cutensorEstimateWorkspaceSize");
    cutensor_object plan = made_by_cutensor(c, "cutensorCreatePlan", t.destroy_plan, [&](void** made) {
        return t.create_plan(handle, made, operation.get(), preference.get(), most);
    });
    check_cutensor(c, t.plan_attribute(handle, plan.get(), k::required_workspace, &needed, sizeof needed),
                   "cutensorPlanGetAttribute");
    return {std::move(plan), alignment, static_cast<std::int64_t>(needed)};
}

SINTER_INLINE prepared_contraction prepare_contraction(const codegen::library_call& c, dtype type, device where) {
    std::string why;
    if (!cutensor_available(where, &why)) throw device_error(begin_of_error(c) + why);
    std::uint32_t alignment = 256;
    for (const codegen::place& p : c.args)
        alignment = std::min(alignment, alignment_at(static_cast<std::uint64_t>(p.at.offset * codegen::size_of(type))));
    return {plan_contraction(c, type, where, alignment), {}};
}

SINTER_INLINE const contraction_plan& plan_for(const prepared_contraction& r, const codegen::library_call& c,
                                               dtype type, device where, std::uint32_t alignment) {
    if (alignment >= r.usual.alignment) return r.usual;
    for (const contraction_plan& p : r.unusual)
        if (p.alignment == alignment) return p;
    r.unusual.push_back(plan_contraction(c, type, where, alignment));
    return r.unusual.back();
}

SINTER_INLINE void run_contraction(const prepared_contraction& r, const codegen::library_call& c, dtype type,
                                   device where, const void* a, const void* b, void* to, void* workspace) {
    const auto lies = alignment_at(reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                                   reinterpret_cast<std::uintptr_t>(to));
    const contraction_plan& plan = plan_for(r, c, type, where, lies);
    buffer_ref more;
    if (plan.workspace > r.usual.workspace) {
        more = allocate_buffer(where, static_cast<std::size_t>(plan.workspace));
        workspace = more->data;
    }
    const double one[2] = {1, 0}, zero[2] = {0, 0};
    const float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    const bool wide = codegen::real_of(type) == dtype::float64;
    check_cutensor(c,
                   loaded_cutensor().contract(cutensor_of(where).handle, plan.plan.get(),
                                              wide ? static_cast<const void*>(one) : one_f, a, b,
                                              wide ? static_cast<const void*>(zero) : zero_f, to, to, workspace,
                                              static_cast<std::uint64_t>(plan.workspace), cuda_stream(where)),
                   "cutensorContract");
    count_library_call();
}

#else

SINTER_INLINE bool cutensor_available(device, std::string*) { return false; }
SINTER_INLINE prepared_contraction prepare_contraction(const codegen::library_call&, dtype, device) {
    throw device_error("[cuda] built without CUDA headers");
}
SINTER_INLINE void run_contraction(const prepared_contraction&, const codegen::library_call&, dtype, device,
                                   const void*, const void*, void*, void*) {
    throw device_error("[cuda] built without CUDA headers");
}

#endif

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HAS_CUDA && !SINTER_HEADER_ONLY && __has_include(<cublasLt.h>)
#include <sinter/runtime/library/tensor/cutensor_check.hpp>
#endif
