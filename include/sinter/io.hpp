// Saving and loading arrays as NumPy's .npy files.
#pragma once

#include <sinter/array.hpp>
#include <sinter/npy.hpp>

namespace sinter::inline SINTER_ABI {

namespace detail {
void save_value(const std::string& path, const handle& h);
/// A file's array as the type asked for, which must be of its kind or a higher one.
handle load_value(const std::string& path, dtype type);
}  // namespace detail

/// Writes a .npy file (numpy.save): the extension is added when the path has none. Throws io_error.
template <expression E>
void save(const std::string& path, const E& e) {
    detail::save_value(path, detail::as_handle(e));
}

/// Reads a .npy file (numpy.load) as an array of T; throws io_error naming path and offset when the file is malformed, and
/// type_error when its elements would lose their fraction or imaginary part.
template <class T>
array<T> load(const std::string& path) {
    return array<T>(detail::load_value(path, dtype_of<T>));
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/io.ipp>
#endif
