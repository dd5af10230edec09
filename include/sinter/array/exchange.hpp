// Memory shared with other libraries, without a copy: DLPack tensors and plain pointers, out and in.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/array/dlpack_abi.hpp>

namespace sinter::inline SINTER_ABI {

/// Options of to_dlpack.
struct dlpack_options {
    bool copy = false;  ///< a copy that belongs to the receiver alone, who may write it
};

namespace detail {

DLManagedTensorVersioned* export_versioned(handle h, dlpack_options options);
DLManagedTensor* export_unversioned(handle h, dlpack_options options);

/// What a tensor describes, as a value that owns it. Where that fails the tensor is still the caller's.
handle import_tensor(DLManagedTensorVersioned* tensor, dtype type);
handle import_tensor(DLManagedTensor* tensor, dtype type);

/// Memory of someone else, row-major; `release(owner)` is called once, when nothing refers to it any more, or here when
/// it throws.
handle import_pointer(dtype type, const void* data, const dims& shape, void (*release)(void*) noexcept, void* owner);

}  // namespace detail

/// The value as a DLPack tensor: versioned (DLPack 1), or with `to_dlpack<DLManagedTensor>(x)` of the older kind.
/// Computes it and waits for it; nothing is copied, views keep their strides, and the memory lives as long as the
/// tensor, which is given back by its deleter. What other arrays share is marked as read-only, in the older kind by
/// this sentence alone. Throws type_error for elements that DLPack does not have.
template <class Tensor = DLManagedTensorVersioned, expression E>
Tensor* to_dlpack(const E& e, dlpack_options options = {}) {
    static_assert(std::same_as<Tensor, DLManagedTensorVersioned> || std::same_as<Tensor, DLManagedTensor>,
                  "sinter: to_dlpack makes a DLManagedTensorVersioned or a DLManagedTensor");
    if constexpr (std::same_as<Tensor, DLManagedTensor>)
        return detail::export_unversioned(detail::as_handle(e), options);
    else return detail::export_versioned(detail::as_handle(e), options);
}

/// A DLPack tensor of either kind as an array of T on the tensor's device (numpy.from_dlpack): nothing is copied, and
/// the tensor's deleter is called when the last array is gone, outside all locks: it may use sinter and take locks of
/// its own. On a GPU it waits for what other streams are doing. What reads the memory runs when it is written down, and
/// sinter never writes it. Throws type_error when the elements are not T, device_error for a device that is not there,
/// and value_error or shape_error for what no array can describe; then the tensor remains the caller's.
template <class T>
array<T> from_dlpack(DLManagedTensorVersioned* tensor) {
    return array<T>(detail::import_tensor(tensor, dtype_of<T>));
}
/// A DLPack tensor of either kind as an array of T on the tensor's device (numpy.from_dlpack).
template <class T>
array<T> from_dlpack(DLManagedTensor* tensor) {
    return array<T>(detail::import_tensor(tensor, dtype_of<T>));
}

/// Row-major memory of someone else as an array: of a CUDA device when the driver knows the pointer as such, else of
/// the CPU. It has to stay as long as arrays refer to it; what reads it runs when it is written down, and sinter never
/// writes it. Throws value_error for a null or misaligned pointer.
template <class T>
array<std::remove_const_t<T>> from_device(T* data, const dims& shape) {
    using V = std::remove_const_t<T>;
    return array<V>(detail::import_pointer(dtype_of<V>, data, shape, nullptr, nullptr));
}
/// The same with an owner, such as a std::shared_ptr, that is kept as long as arrays refer to the memory.
template <class T, class Owner>
array<std::remove_const_t<T>> from_device(T* data, const dims& shape, Owner owner) {
    using V = std::remove_const_t<T>;
    return array<V>(detail::import_pointer(
        dtype_of<V>, data, shape, [](void* o) noexcept { delete static_cast<Owner*>(o); },
        new Owner(std::move(owner))));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/exchange.ipp>
#endif
