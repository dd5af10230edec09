// PNG files, by the system's libpng; must not know arrays or devices.
#pragma once

#include <cstdint>
#include <memory>
#include <sinter/codegen/base/config.hpp>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::detail {

/// Rows of pixels, 1, 3 or 4 bytes each: grey, colours, or colours and their opacity; frame by frame.
struct picture {
    std::int64_t rows = 0, columns = 0, channels = 1;
    std::unique_ptr<char[]> bytes;
    std::int64_t frames = 1;

    std::size_t frame_bytes() const { return static_cast<std::size_t>(rows * columns * channels); }
};

/// Throws io_error when there is no libpng.
void require_png(const char* operation);
/// The picture in a file's bytes; `path` is for messages. Throws io_error.
picture decode_png(std::string_view file, const std::string& path);
/// The first frame; throws io_error.
void write_png(const std::string& path, const picture& p);
/// All frames in turn, over and over, so many in a second, 0.02 to 1000: an animated PNG, whose first frame is what
/// programs see that know none. Throws io_error.
void write_animated_png(const std::string& path, const picture& p, double fps);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/io/png.ipp>
#endif
