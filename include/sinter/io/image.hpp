// Pictures from and to PNG files, by the system's libpng. Not part of the umbrella: include it where it is used.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/codegen/ops/ieee.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI {

/// Options of imsave, by Matplotlib's names and with its defaults.
struct imsave_options {
    std::string cmap = "viridis";  ///< viridis, plasma, inferno, magma, gray, hot, jet, bwr, or one reversed: "gray_r"
    double vmin = codegen::ieee::quiet_nan;  ///< what has the first colour; else the least element
    double vmax = codegen::ieee::quiet_nan;  ///< what has the last colour; else the greatest element
    double fps = 0;  ///< the first axis is of frames, and so many are shown in a second; 0: there is no such axis
};

namespace detail {
handle read_image(const std::string& path);
void write_image(const std::string& path, const handle& h, const imsave_options& options);
/// The colours of numbers, in one more axis red, green and blue; throws type_error for complex ones and value_error for
/// an unknown map.
array<std::uint8_t> colours_of_numbers(const std::string& operation, const handle& h, const imsave_options& options);
}  // namespace detail

/// A picture (matplotlib.pyplot.imread): (rows, columns) when it is grey, else (rows, columns, 3), or 4 with
/// transparency. Of float or double, elements are in [0, 1]; of std::uint8_t, the file's bytes. Channels of 16 bits
/// become 8. Throws io_error, also when there is no libpng.
template <class T = float>
array<T> imread(const std::string& path) {
    static_assert(std::is_floating_point_v<T> || std::same_as<T, std::uint8_t>,
                  "sinter: imread gives floating numbers in [0, 1] or bytes: imread<float>, imread<std::uint8_t>");
    const array<std::uint8_t> bytes(detail::read_image(path));
    if constexpr (std::same_as<T, std::uint8_t>) return bytes;
    else return array<T>(detail::record_cast(bytes.get_handle(), dtype_of<T>)) / T(255);
}

/// Writes a picture as PNG (matplotlib.pyplot.imsave). Numbers of shape (rows, columns) become colours of a map, from
/// the least to the greatest or from vmin to vmax, what lies outside is limited, and NaN is black; `gray` makes a grey
/// file. Of shape (rows, columns, 3 or 4), floating numbers in [0, 1] and bytes are the colours themselves. With `fps`,
/// from 0.02 to 1000, an axis of frames stands before these, which are played over and over: an animated PNG, which
/// browsers show and other programs read as its first frame. Throws shape_error, type_error or value_error for other
/// arrays, maps and rates, io_error when the file cannot be written or there is no libpng.
template <expression E>
void imsave(const std::string& path, const E& e, const imsave_options& options = {}) {
    detail::write_image(path, detail::as_handle(e), options);
}

}  // namespace sinter::inline SINTER_ABI

SINTER_IEEE_END

#if SINTER_HEADER_ONLY
#include <sinter/io/image.ipp>
#endif
