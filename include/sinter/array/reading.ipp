// Bodies of reading.hpp.
#pragma once

#include <sinter/array/printing/format.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/runtime/lazy/element.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void evaluate(codegen::span<const handle> values, runtime::policy how) {
    if (values.size() == 1) {
        runtime::value* root = values[0].get();
        return runtime::evaluate({&root, 1}, how);
    }
    codegen::sequence<runtime::value*> roots;
    for (const handle& h : values) roots.push_back(h.get());
    runtime::evaluate(roots, how);
}

// A value's elements at [offset, offset + count) of its memory, in host memory.
SINTER_INLINE void read_memory(const handle& x, std::int64_t offset, std::int64_t count, void* to) {
    auto size = static_cast<std::size_t>(codegen::size_of(x->type));
    if (count == 0) return;
    if (!x->memory) runtime::require_valid(*x);
    runtime::stream_work work(x->where);
    work.reads(*x->memory);
    runtime::copy_to_host(to, x->where,
                          static_cast<const char*>(x->memory->data) + static_cast<std::size_t>(offset) * size,
                          static_cast<std::size_t>(count) * size);
    runtime::require_valid(*x);
}

SINTER_INLINE bool is_row_major(const runtime::value& v) {
    layout l = v.at;
    l.offset = 0;
    return codegen::is_contiguous(l);
}

SINTER_INLINE handle computed_rows(const handle& x) {
    runtime::evaluate(x.alone());
    if (is_row_major(*x)) return x;
    handle h = contiguous_copy(x);
    runtime::evaluate(h.alone());
    return h;
}

SINTER_INLINE void throw_no_host_memory(std::string_view operation, std::int64_t n, std::size_t size) {
    throw out_of_memory("[" + std::string(operation) + "] out of memory: " + std::to_string(n) + " elements of " +
                        std::to_string(size) + " bytes wanted on the host");
}

SINTER_INLINE void read(const handle& x, void* to) {
    const handle h = computed_rows(x);
    read_memory(h, h->at.offset, h->shape.product(), to);
}

SINTER_INLINE void append_elements(std::vector<char>& to, const handle& x) {
    const std::size_t at = to.size();
    to.resize(at + static_cast<std::size_t>(x->bytes()));
    if (x->bytes() > 0) read(x, to.data() + at);
}

SINTER_INLINE handle store(dtype type, const dims& shape, const void* from) {
    runtime::check_shape(type, shape);
    device where = runtime::current_device();
    std::size_t bytes = static_cast<std::size_t>(shape.product()) * static_cast<std::size_t>(codegen::size_of(type));
    runtime::buffer_ref memory = runtime::allocate_buffer(where, bytes);
    if (bytes) {
        runtime::stream_work work(where);
        work.writes(*memory);
        runtime::copy_to_device(where, memory->data, from, bytes);
    }
    return runtime::make_stored(type, shape, std::move(memory), codegen::contiguous(shape));
}

SINTER_INLINE const handle& moved_from(dtype type) {
    // Never destroyed, as arrays that are moved from may outlive any other object.
    struct of_types {
        handle made[dtype_count];
    };
    static auto& devices = *new codegen::sequence<of_types*>;
    std::lock_guard lock(runtime::runtime_lock());
    const auto number = static_cast<std::size_t>(runtime::current_device().id() + 1);  // that of CPUs is -1
    while (devices.size() <= number) devices.push_back(new of_types);
    handle& h = devices[number]->made[static_cast<std::size_t>(type)];
    if (!h) h = store(type, dims(0), nullptr);
    return h;
}

SINTER_INLINE void require_truth(const dims& shape) {
    if (shape.product() != 1)
        throw value_error("[bool] an array of shape " + to_string(shape) +
                          " is neither true nor false: write any(x) or all(x), and where(x, a, b) for x ? a : b");
}

SINTER_INLINE void compute_number(const handle& x) {
    std::lock_guard lock(runtime::runtime_lock());
    runtime::compute_element(*x);
}

SINTER_INLINE codegen::scalar_value read_item(const handle& x, codegen::span<const std::int64_t> at) {
    std::int64_t number = 0;
    if (at.empty() && x->shape.product() != 1)
        throw value_error("[item] an array of shape " + to_string(x->shape) + " is not a single number");
    if (!at.empty() && static_cast<int>(at.size()) != x->shape.size())
        throw index_error("[item] " + std::to_string(at.size()) + " indices for an array of " +
                          std::to_string(x->shape.size()) + " dimensions");
    if (x->shape.empty()) compute_number(x);
    runtime::evaluate(x.alone());
    number = x->at.offset;
    for (std::size_t i = 0; i < at.size(); ++i) {
        std::int64_t n = x->shape[static_cast<int>(i)], k = at[i] < 0 ? at[i] + n : at[i];
        if (k < 0 || k >= n)
            throw index_error("[item] index " + std::to_string(at[i]) + " is out of bounds for axis " +
                              std::to_string(i) + " with size " + std::to_string(n));
        number += k * x->at.strides[static_cast<int>(i)];
    }
    codegen::scalar_value v;
    v.type = x->type;
    read_memory(x, number, 1, v.bytes);
    return v;
}

// The elements that a summarised array shows, axis by axis.
SINTER_INLINE void read_shown(const handle& x, const dims& shown, int axis, std::int64_t offset, char*& to) {
    const layout& at = x->at;
    if (axis == at.shape.size()) {
        read_memory(x, offset, 1, to);
        to += codegen::size_of(x->type);
        return;
    }
    std::int64_t n = at.shape[axis], edge = shown[axis] == n ? n : shown[axis] / 2;
    for (std::int64_t i = 0; i < shown[axis]; ++i)
        read_shown(x, shown, axis + 1, offset + (i < edge ? i : n - shown[axis] + i) * at.strides[axis], to);
}

SINTER_INLINE codegen::sequence<char> shown_elements(const handle& x, const dims& shown) {
    codegen::sequence<char> data(static_cast<std::size_t>(shown.product() * codegen::size_of(x->type)) + 1);
    if (shown == x->shape) read(x, data.data());
    else {
        char* to = data.data();
        read_shown(x, shown, 0, x->at.offset, to);
    }
    return data;
}

SINTER_INLINE std::string text_of(const handle& x, bool repr) {
    runtime::evaluate(x.alone());
    const print_options options = get_printoptions();
    const auto data = shown_elements(x, shown_shape(x->shape, options));
    return format_array(x->type, x->shape, data.data(), repr, options);
}

SINTER_INLINE void* address_of(const handle& x) {
    runtime::evaluate(x.alone());
    std::lock_guard lock(runtime::runtime_lock());
    if (!x->memory) runtime::require_valid(*x);
    x->memory->exported = true;
    // Whoever gets the address does not know our stream, which other streams do not wait for.
    runtime::host_synchronize(x->where);
    runtime::require_valid(*x);
    return static_cast<char*>(x->memory->data) + x->at.offset * codegen::size_of(x->type);
}

SINTER_INLINE dims strides_of(const handle& x) {
    std::lock_guard lock(runtime::runtime_lock());
    dims s = x->is_stored() ? x->at.strides : codegen::contiguous_strides(x->shape);
    for (std::int64_t& v : s) v *= codegen::size_of(x->type);
    return s;
}

}  // namespace sinter::inline SINTER_ABI::detail
