// Printing arrays, shapes, dtypes and devices as NumPy and CuPy print them.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/array/printing/format.hpp>

#include <ostream>

namespace sinter::inline SINTER_ABI {

/// numpy.array_str, byte for byte; only the shown elements are copied from the device.
template <expression E>
std::string str(const E& e) {
    return detail::text_of(detail::as_handle(e), false);
}
/// numpy.array_repr, byte for byte.
template <expression E>
std::string repr(const E& e) {
    return detail::text_of(detail::as_handle(e), true);
}

template <expression E>
std::ostream& operator<<(std::ostream& out, const E& e) {
    return out << str(e);
}
inline std::ostream& operator<<(std::ostream& out, const dims& d) { return out << to_string(d); }
inline std::ostream& operator<<(std::ostream& out, dtype t) { return out << to_string(t); }
inline std::ostream& operator<<(std::ostream& out, device d) { return out << to_string(d); }

}  // namespace sinter::inline SINTER_ABI
