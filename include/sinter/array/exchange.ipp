// Bodies of exchange.hpp.
#pragma once

#include <cstring>
#include <mutex>
#include <sinter/array/exchange.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/runtime/lazy/imported_memory.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE dlpack_type dlpack_type_of(dtype t) {
    const auto bits = static_cast<std::uint8_t>(8 * codegen::size_of(t));
    switch (codegen::kind_of(t)) {
        case 'b': return {dlpack_bool, 8, 1};
        case 'i': return {dlpack_int, bits, 1};
        case 'u': return {dlpack_uint, bits, 1};
        case 'c': return {dlpack_complex, bits, 1};
        default: return {t == dtype::bfloat16 ? dlpack_bfloat : dlpack_float, bits, 1};
    }
}

SINTER_INLINE std::string dlpack_type_text(dlpack_type t) {
    static constexpr const char* names[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
    std::string s = t.code < 7 ? names[t.code] : "code " + std::to_string(t.code) + " of ";
    s += std::to_string(t.bits);
    return t.lanes == 1 ? s : s + " x " + std::to_string(t.lanes);
}

/// A tensor that was given away, and what it refers to.
template <class Managed>
struct exported_tensor {
    Managed managed{};
    handle value;
    dims shape, strides;
};

// The first bytes are the tensor's, which other code reads by structures of its own.
template <class Managed, class Tensor>
exported_tensor<Managed>* export_value(handle h, dlpack_options options, bool& is_shared) {
    const bool is_copied = options.copy;
    if (is_copied) h = copied(h);
    void* data = address_of(h);
    codegen::owner<exported_tensor<Managed>> x(new exported_tensor<Managed>);
    std::lock_guard lock(runtime::runtime_lock());
    x->shape = h->shape;
    x->strides = h->at.strides;
    is_shared = !is_copied && (h->memory->imported || h->references() != 1 || h->memory->references.load() != 1);
    const device where = h->where;
    x->value = std::move(h);
    Managed& m = x->managed;
    m.context = x.get();
    m.deleter = [](Tensor* self) {
        Managed own;
        std::memcpy(&own, static_cast<void*>(self), sizeof own);
        delete static_cast<exported_tensor<Managed>*>(own.context);
    };
    m.tensor = {data,
                {where.is_cuda() ? dlpack_cuda : dlpack_cpu, where.index()},
                x->shape.size(),
                dlpack_type_of(x->value->type),
                x->shape.begin(),
                x->strides.begin(),
                0};
    return x.release();
}

SINTER_INLINE DLManagedTensorVersioned* export_versioned(handle h, dlpack_options options) {
    bool is_shared = false;
    auto* x = export_value<dlpack_versioned, DLManagedTensorVersioned>(std::move(h), options, is_shared);
    x->managed.version = {1, 1};
    x->managed.flags = (is_shared ? dlpack_read_only : 0) | (options.copy ? dlpack_is_copied : 0);
    return reinterpret_cast<DLManagedTensorVersioned*>(&x->managed);
}

SINTER_INLINE DLManagedTensor* export_unversioned(handle h, dlpack_options options) {
    bool is_shared = false;
    return reinterpret_cast<DLManagedTensor*>(
        &export_value<dlpack_managed, DLManagedTensor>(std::move(h), options, is_shared)->managed);
}

SINTER_INLINE device dlpack_place(dlpack_device d) {
    if (d.type == dlpack_cpu || d.type == dlpack_cuda_host) return device::cpu();
    if (d.type == dlpack_cuda) return device::cuda(d.id);
    throw device_error("[from_dlpack] memory of device type " + std::to_string(d.type) +
                       " is not supported, only of CPU (1), CUDA (2) and pinned (3)");
}

/// What the deleter of a tensor has to be called for.
template <class Tensor, class Managed>
void release_tensor(void* owner) noexcept {
    auto* tensor = static_cast<Tensor*>(owner);
    Managed m;
    std::memcpy(&m, owner, sizeof m);
    if (m.deleter) m.deleter(tensor);
}

SINTER_INLINE handle import_described(const dlpack_tensor& t, dtype type, void (*release)(void*) noexcept,
                                      void* owner) {
    const dlpack_type wanted = dlpack_type_of(type);
    if (t.type.code != wanted.code || t.type.bits != wanted.bits || t.type.lanes != 1)
        throw type_error("[from_dlpack] the tensor holds " + dlpack_type_text(t.type) + ", not " +
                         std::string(to_string(type)));
    if (t.ndim < 0 || t.ndim > max_rank)
        throw shape_error("[from_dlpack] arrays have at most " + std::to_string(max_rank) + " axes, not " +
                          std::to_string(t.ndim));
    if (t.ndim > 0 && !t.shape) throw value_error("[from_dlpack] the tensor has no shape");
    dims shape, strides;
    for (int i = 0; i < t.ndim; ++i) shape.push_back(t.shape[i]);
    runtime::check_shape(type, shape);
    if (t.strides)
        for (int i = 0; i < t.ndim; ++i) strides.push_back(t.strides[i]);
    else strides = codegen::contiguous_strides(shape);
    runtime::imported_memory m{type,    shape, strides,      static_cast<const char*>(t.data), dlpack_place(t.device),
                               release, owner, "from_dlpack"};
    if (m.data) m.data += t.byte_offset;
    return runtime::make_imported(m);
}

SINTER_INLINE handle import_tensor(DLManagedTensorVersioned* tensor, dtype type) {
    if (!tensor) throw value_error("[from_dlpack] the tensor is null");
    dlpack_version version;
    std::memcpy(&version, static_cast<void*>(tensor), sizeof version);
    if (version.major != 1)
        throw value_error("[from_dlpack] the tensor is of DLPack " + std::to_string(version.major) + "." +
                          std::to_string(version.minor) + ", and version 1 is understood");
    dlpack_versioned m;
    std::memcpy(&m, static_cast<void*>(tensor), sizeof m);
    return import_described(m.tensor, type, release_tensor<DLManagedTensorVersioned, dlpack_versioned>, tensor);
}

SINTER_INLINE handle import_tensor(DLManagedTensor* tensor, dtype type) {
    if (!tensor) throw value_error("[from_dlpack] the tensor is null");
    dlpack_managed m;
    std::memcpy(&m, static_cast<void*>(tensor), sizeof m);
    return import_described(m.tensor, type, release_tensor<DLManagedTensor, dlpack_managed>, tensor);
}

SINTER_INLINE handle import_pointer(dtype type, const void* data, const dims& shape, void (*release)(void*) noexcept,
                                    void* owner) {
    try {
        runtime::check_shape(type, shape);
        return runtime::make_imported({type, shape, codegen::contiguous_strides(shape), static_cast<const char*>(data),
                                       runtime::place_of_pointer(data), release, owner, "from_device"});
    } catch (...) {
        if (release) release(owner);
        throw;
    }
}

}  // namespace sinter::inline SINTER_ABI::detail
