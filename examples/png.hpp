// Reads and writes PNG files as arrays through libpng's simplified API; for the examples only.
#pragma once

#include <png.h>

#include <sinter/sinter.hpp>

namespace example {

[[noreturn]] inline void fail(const char* what, const std::string& path, const png_image& header) {
    throw sinter::io_error(std::string("[") + what + "] " + path + ": " + header.message);
}

/// A picture with elements in [0, 1]: (rows, columns, 3), or (rows, columns) when it is grey.
inline sinter::array<float> read_png(const std::string& path) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&header, path.c_str())) fail("read_png", path, header);
    const bool colour = header.format & PNG_FORMAT_FLAG_COLOR;
    header.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(header));
    if (!png_image_finish_read(&header, nullptr, bytes.data(), 0, nullptr)) fail("read_png", path, header);
    sinter::dims shape(header.height, header.width);
    if (colour) shape.push_back(3);
    return sinter::asarray(bytes.data(), shape) / 255.0f;
}

/// Writes elements of [0, 1], others limited to that, as shades of grey (rows, columns) or colours (rows, columns, 3).
template <sinter::expression_of<float> E>
void write_png(const std::string& path, const E& picture) {
    const auto shape = picture.shape();
    const bool colour = shape.size() == 3;
    std::vector<std::uint8_t> bytes =
        sinter::to_vector(sinter::astype<std::uint8_t>(sinter::clip(picture, 0, 1) * 255 + 0.5f));
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.height = static_cast<png_uint_32>(shape[0]);
    header.width = static_cast<png_uint_32>(shape[1]);
    header.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    if (!png_image_write_to_file(&header, path.c_str(), 0, bytes.data(), 0, nullptr)) fail("write_png", path, header);
}

}  // namespace example
