// Files of nothing but elements: tofile and fromfile.
#pragma once

#include <sinter/array/host.hpp>

#include <concepts>
#include <cstdint>
#include <string>

namespace sinter::inline SINTER_ABI {

/// Options of fromfile: how many elements at most, below 0 all, and how many bytes stand before them.
struct fromfile_options {
    std::int64_t count = -1;
    std::int64_t offset = 0;
};

namespace detail {

void write_raw_file(const std::string& path, const void* data, std::size_t bytes);
/// How many elements a file has behind an offset; throws io_error, value_error.
std::int64_t raw_file_count(const std::string& path, std::int64_t itemsize, const fromfile_options& o);
void read_raw_file(const std::string& path, void* data, std::size_t bytes, std::int64_t offset);

}  // namespace detail

/// Writes the elements in row-major order and the machine's form, without a header (numpy.ndarray.tofile); throws
/// io_error.
template <expression E>
void tofile(const std::string& path, const E& e) {
    const auto h = to_host(e);
    detail::write_raw_file(path, h.data(), h.size() * sizeof(value_type_t<E>));
}
/// A vector of the elements of such a file (numpy.fromfile); bytes that fill no element are left out, and of bool any
/// that is not zero is true. Throws io_error when it cannot be read, value_error for a negative offset or one beyond
/// the end.
template <class T = double>
array<T> fromfile(const std::string& path, const fromfile_options& o = {}) {
    if constexpr (std::same_as<T, bool>) {
        return fromfile<std::uint8_t>(path, o) != 0;
    } else {
        host_array<T> h(dims(detail::raw_file_count(path, sizeof(T), o)));
        detail::read_raw_file(path, h.data(), h.size() * sizeof(T), o.offset);
        return array<T>(detail::store(dtype_of<T>, h.shape(), h.data()));
    }
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/io/raw_files.ipp>
#endif
