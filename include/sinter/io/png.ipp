// Bodies of png.hpp, by libpng's simplified API, whose structure is stable since 1.6.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/io/png.hpp>
#include <sinter/runtime/library/libraries.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// libpng's png_image.
struct png_image_header {
    void* opaque = nullptr;
    std::uint32_t version = 1, width = 0, height = 0, format = 0, flags = 0, colormap_entries = 0, warning_or_error = 0;
    char message[64] = {};
};
inline constexpr std::uint32_t png_alpha = 1, png_colour = 2;

/// The functions of libpng that are used.
struct png_table {
    const runtime::shared_library& library = runtime::png_library();
    int (*begin_read)(png_image_header*, const void*, std::size_t) = nullptr;
    int (*finish_read)(png_image_header*, const void* background, void* buffer, std::int32_t stride,
                       void* map) = nullptr;
    int (*write)(png_image_header*, const char* path, int to_8_bit, const void* buffer, std::int32_t stride,
                 const void* map) = nullptr;
    void (*release)(png_image_header*) = nullptr;

    png_table() {
        begin_read =
            library.function<int(png_image_header*, const void*, std::size_t)>("png_image_begin_read_from_memory");
        finish_read =
            library.function<int(png_image_header*, const void*, void*, std::int32_t, void*)>("png_image_finish_read");
        write = library.function<int(png_image_header*, const char*, int, const void*, std::int32_t, const void*)>(
            "png_image_write_to_file");
        release = library.function<void(png_image_header*)>("png_image_free");
    }
};

SINTER_INLINE const png_table& libpng(const char* operation) {
    static const png_table& t = *new png_table;
    if (t.begin_read && t.finish_read && t.write && t.release) return t;
    throw io_error("[" + std::string(operation) +
                   "] PNG files need libpng: " + (t.library ? t.library.path() + " lacks functions" : t.library.why()));
}

SINTER_INLINE void require_png(const char* operation) { libpng(operation); }

// What libpng keeps for a picture, released in any case.
struct png_state {
    const png_table& png;
    png_image_header header{};
    ~png_state() { png.release(&header); }
};

SINTER_INLINE picture decode_png(std::string_view file, const std::string& path) {
    constexpr std::uint64_t most_inflated = 1032;  // deflate makes at most so many bytes of one
    png_state state{libpng("imread")};
    png_image_header& header = state.header;
    auto fail = [&](const std::string& what) { throw io_error("[imread] " + path + ": " + what); };
    if (!state.png.begin_read(&header, file.data(), file.size())) fail(header.message);
    const bool has_alpha = header.format & png_alpha, is_colour = has_alpha || (header.format & png_colour);
    header.format = (has_alpha ? png_alpha : 0) | (is_colour ? png_colour : 0);
    const std::uint64_t pixels = std::uint64_t{header.width} * header.height;
    // Eight pixels of one bit may share a byte of the file.
    if (pixels / 8 / most_inflated > file.size())
        fail(std::to_string(file.size()) + " bytes cannot hold " + std::to_string(header.width) + " x " +
             std::to_string(header.height) + " pixels");
    picture p{header.height, header.width, has_alpha ? 4 : is_colour ? 3 : 1, {}};
    p.bytes.reset(new char[static_cast<std::size_t>(pixels) * static_cast<std::size_t>(p.channels) + 1]);
    if (!state.png.finish_read(&header, nullptr, p.bytes.get(), 0, nullptr)) fail(header.message);
    return p;
}

SINTER_INLINE void write_png(const std::string& path, const picture& p) {
    png_state state{libpng("imsave")};
    png_image_header& header = state.header;
    header.height = static_cast<std::uint32_t>(p.rows);
    header.width = static_cast<std::uint32_t>(p.columns);
    header.format = (p.channels == 4 ? png_alpha : 0) | (p.channels > 1 ? png_colour : 0);
    if (!state.png.write(&header, path.c_str(), 0, p.bytes.get(), 0, nullptr))
        throw io_error("[imsave] " + path + ": " + header.message);
}

}  // namespace sinter::inline SINTER_ABI::detail
