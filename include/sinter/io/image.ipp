// Bodies of image.hpp: colours are computed on the device, files by libpng's simplified API, whose structure is stable
// since 1.6.
#pragma once

#include <cstring>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/elements.hpp>
#include <sinter/array/host.hpp>
#include <sinter/io/image.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/runtime/base/byte_stream.hpp>
#include <sinter/runtime/library/libraries.hpp>

SINTER_IEEE_BEGIN

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

SINTER_INLINE handle read_image(const std::string& path) {
    constexpr std::uint64_t most_inflated = 1032;  // deflate makes at most so many bytes of one
    const png_table& png = libpng("imread");
    const runtime::input_file file("imread", path);
    std::string text(file.size(), '\0');
    file.read(text.data(), text.size(), 0);
    png_image_header header;
    struct guard {
        const png_table& png;
        png_image_header& header;
        ~guard() { png.release(&header); }
    } released{png, header};
    auto fail = [&](const std::string& what) { throw io_error("[imread] " + path + ": " + what); };
    if (!png.begin_read(&header, text.data(), text.size())) fail(header.message);
    const bool has_alpha = header.format & png_alpha, is_colour = has_alpha || (header.format & png_colour);
    header.format = (has_alpha ? png_alpha : 0) | (is_colour ? png_colour : 0);
    const std::uint64_t channels = has_alpha   ? 4
                                   : is_colour ? 3
                                               : 1,
                        pixels = std::uint64_t{header.width} * header.height;
    // Eight pixels of one bit may share a byte of the file.
    if (pixels / 8 / most_inflated > text.size())
        fail(std::to_string(text.size()) + " bytes cannot hold " + std::to_string(header.width) + " x " +
             std::to_string(header.height) + " pixels");
    std::unique_ptr<char[]> bytes(new char[static_cast<std::size_t>(pixels * channels) + 1]);
    if (!png.finish_read(&header, nullptr, bytes.get(), 0, nullptr)) fail(header.message);
    dims shape(header.height, header.width);
    if (channels > 1) shape.push_back(static_cast<std::int64_t>(channels));
    return store(dtype::uint8, shape, bytes.get());
}

struct named_colormap {
    const char* name;
    const char* text;
};
inline constexpr named_colormap colormaps[] = {
#define SINTER_COLORMAP(name, text) {#name, text},
#include <sinter/io/colormaps.def>
#undef SINTER_COLORMAP
};

// The colours of a map, red, green and blue in turn; behind them black.
SINTER_INLINE codegen::sequence<std::uint8_t> colours_of(const std::string& cmap) {
    const bool is_reversed = cmap.ends_with("_r");
    const std::string name = is_reversed ? cmap.substr(0, cmap.size() - 2) : cmap;
    std::string known;
    for (const named_colormap& m : colormaps) {
        known += (known.empty() ? "" : ", ") + std::string(m.name);
        if (name != m.name) continue;
        codegen::sequence<std::uint8_t> colours(257 * 3);
        auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
        for (int i = 0; i < 256 * 3; ++i) {
            const int colour = is_reversed ? 255 - i / 3 : i / 3, at = 2 * (3 * colour + i % 3);
            colours[static_cast<std::size_t>(i)] =
                static_cast<std::uint8_t>(16 * digit(m.text[at]) + digit(m.text[at + 1]));
        }
        return colours;
    }
    throw value_error("[imsave] there is no colour map '" + cmap + "' among: " + known + ", each also with _r");
}

// Which colour each number has, as Matplotlib's Normalize and Colormap choose it; 256 is that of NaN.
SINTER_INLINE array<std::int64_t> colour_numbers(const array<double>& x, const imsave_options& options) {
    const codegen::subnormal_scope exact;
    double low = options.vmin, high = options.vmax;
    if (x.size() > 0 && (ieee::is_nan(low) || ieee::is_nan(high))) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const auto [least, greatest] = items(min(where(isnan(x), infinity, x)), max(where(isnan(x), -infinity, x)));
        const bool is_any = least <= greatest;
        if (ieee::is_nan(low)) low = is_any ? least : 0;
        if (ieee::is_nan(high)) high = is_any ? greatest : 0;
    }
    if (low > high)
        throw value_error("[imsave] vmin " + std::to_string(low) + " is greater than vmax " + std::to_string(high));
    const double width = high > low ? high - low : 1;
    const array<double> number = clip(floor((x - low) / width * 256.0), 0.0, 255.0);
    return astype<std::int64_t>(where(isnan(x), 256.0, number));
}

SINTER_INLINE handle colours_of_numbers(const handle& h, const imsave_options& options) {
    if (codegen::is_complex(h->type)) throw type_error("[imsave] complex numbers have no colours: take abs or angle");
    const codegen::sequence<std::uint8_t> colours = colours_of(options.cmap);
    device_scope on(h->where);
    const array<std::int64_t> number = colour_numbers(array<double>(record_cast(h, dtype::float64)), options);
    const array<std::uint8_t> table = asarray(colours.data(), {257, 3});
    if (!options.cmap.starts_with("gray")) return array<std::uint8_t>(table(number)).get_handle();
    const array<std::uint8_t> grey = table(all, 0);
    return array<std::uint8_t>(grey(number)).get_handle();
}

SINTER_INLINE handle colours_of_channels(const handle& h) {
    if (h->type == dtype::uint8) return h;
    if (!codegen::is_floating(h->type))
        throw type_error("[imsave] colours are floating numbers in [0, 1] or uint8, not " +
                         std::string(to_string(h->type)));
    const array<double> x(record_cast(h, dtype::float64));
    return array<std::uint8_t>(astype<std::uint8_t>(clip(x, 0.0, 1.0) * 255.0 + 0.5)).get_handle();
}

SINTER_INLINE void write_image(const std::string& path, const handle& h, const imsave_options& options) {
    const int rank = h->shape.size();
    if (rank != 2 && !(rank == 3 && (h->shape[2] == 3 || h->shape[2] == 4)))
        throw shape_error("[imsave] a picture has the shape (rows, columns), or with 3 or 4 channels behind, not " +
                          to_string(h->shape));
    if (h->shape.product() == 0 || h->shape[0] > INT32_MAX || h->shape[1] > INT32_MAX)
        throw shape_error("[imsave] PNG has no picture of " + std::to_string(h->shape[1]) + " x " +
                          std::to_string(h->shape[0]) + " pixels");
    const png_table& png = libpng("imsave");
    const handle colours = rank == 2 ? colours_of_numbers(h, options) : colours_of_channels(h);
    std::unique_ptr<char[]> bytes(new char[static_cast<std::size_t>(colours->shape.product())]);
    read(colours, bytes.get());
    const std::int64_t channels = colours->shape.size() == 2 ? 1 : colours->shape[2];
    png_image_header header;
    header.height = static_cast<std::uint32_t>(h->shape[0]);
    header.width = static_cast<std::uint32_t>(h->shape[1]);
    header.format = (channels == 4 ? png_alpha : 0) | (channels > 1 ? png_colour : 0);
    const bool written = png.write(&header, path.c_str(), 0, bytes.get(), 0, nullptr);
    png.release(&header);
    if (!written) throw io_error("[imsave] " + path + ": " + header.message);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
