// Values and the host, untyped: computing what is read, its elements, text and address, and values made from elements.
#pragma once

#include <sinter/array/record.hpp>

#include <exception>
#include <vector>

namespace sinter::inline SINTER_ABI::detail {

/// Computes values together.
void evaluate(codegen::span<const handle> values, runtime::policy how = runtime::policy::read);

/// The value computed, with its elements row-major in its memory, at any offset: itself, or a copy of it.
handle computed_rows(const handle& x);

[[noreturn]] void throw_no_host_memory(std::string_view operation, std::int64_t n, std::size_t size);
/// An empty vector of the host with memory for n elements; throws out_of_memory naming the operation.
template <class T>
std::vector<T> reserved_on_host(std::string_view operation, std::int64_t n) {
    std::vector<T> v;
    try {
        v.reserve(static_cast<std::size_t>(n));
    } catch (const std::exception&) {
        throw_no_host_memory(operation, n, sizeof(T));
    }
    return v;
}

/// Elements that lie side by side in a computed value's memory, in host memory.
void read_memory(const handle& x, std::int64_t offset, std::int64_t count, void* to);

/// A value's elements in host memory, row-major.
void read(const handle& x, void* to);

/// The same behind bytes that are there.
void append_elements(std::vector<char>& to, const handle& x);

/// A stored value from host memory, row-major.
handle store(dtype type, const dims& shape, const void* from);

/// What an array holds that has been moved from: an empty one of shape (0,) on the current device.
const handle& moved_from(dtype type);

/// Whether a stored value's elements lie row-major in its memory, at any offset.
bool is_row_major(const runtime::value& v);

/// One element as a number of its own type; throws index_error.
codegen::scalar_value read_item(const handle& x, codegen::span<const std::int64_t> at);

/// Throws value_error naming any, all and where, for what is neither true nor false: an array of several elements.
void require_truth(const dims& shape);

/// The elements of a computed value that are shown where it is printed, see shown_shape, row-major.
codegen::sequence<char> shown_elements(const handle& x, const dims& shown);

/// The value as NumPy prints it; copies only what is shown.
std::string text_of(const handle& x, bool repr);

/// The address of a value's first element on its device, once it is there; the memory is not reused in place from now
/// on.
void* address_of(const handle& x);

/// Strides in bytes of the value's memory, or of a row-major array while it is pending.
dims strides_of(const handle& x);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/reading.ipp>
#endif
