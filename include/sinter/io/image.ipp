// Bodies of image.hpp: colours are computed on the device.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/elements.hpp>
#include <sinter/array/host.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/io/image.hpp>
#include <sinter/io/png.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/runtime/base/byte_stream.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE handle read_image(const std::string& path) {
    const runtime::input_file file("imread", path);
    std::string text(file.size(), '\0');
    file.read(text.data(), text.size(), 0);
    const picture p = decode_png(text, path);
    dims shape(p.rows, p.columns);
    if (p.channels > 1) shape.push_back(p.channels);
    return store(dtype::uint8, shape, p.bytes.get());
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
SINTER_INLINE codegen::sequence<std::uint8_t> colours_of(const std::string& operation, const std::string& cmap) {
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
    throw value_error("[" + operation + "] there is no colour map '" + cmap + "' among: " + known +
                      ", each also with _r");
}

// Which colour each number has, as Matplotlib's Normalize and Colormap choose it; 256 is that of NaN.
SINTER_INLINE array<std::int64_t> colour_numbers(const std::string& operation, const array<double>& x,
                                                 const imsave_options& options) {
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
        throw value_error("[" + operation + "] vmin " + number_text(low) + " is greater than vmax " +
                          number_text(high));
    // Of halves also the width of all that is finite is finite.
    const double unit = ieee::is_finite(high - low) ? 1 : 0.5, width = high > low ? high * unit - low * unit : 1;
    const array<double> number = clip(floor((x * unit - low * unit) / width * 256.0), 0.0, 255.0);
    return astype<std::int64_t>(where(isnan(x), 256.0, number));
}

SINTER_INLINE array<std::uint8_t> colours_of_numbers(const std::string& operation, const handle& h,
                                                     const imsave_options& options) {
    if (codegen::is_complex(h->type))
        throw type_error("[" + operation + "] complex numbers have no colours: take abs or angle");
    const codegen::sequence<std::uint8_t> colours = colours_of(operation, options.cmap);
    device_scope on(h->where);
    const array<double> x(record_cast(h, dtype::float64));
    return asarray(colours.data(), {257, 3})(colour_numbers(operation, x, options));
}

// The same as bytes of a picture: those of a grey map have one channel.
SINTER_INLINE handle channels_of_numbers(const handle& h, const imsave_options& options) {
    const array<std::uint8_t> colours = colours_of_numbers("imsave", h, options);
    if (!options.cmap.starts_with("gray")) return colours.get_handle();
    return array<std::uint8_t>(colours(ellipsis, 0)).get_handle();
}

SINTER_INLINE handle colours_of_channels(const handle& h) {
    if (h->type == dtype::uint8) return h;
    if (!codegen::is_floating(h->type))
        throw type_error("[imsave] colours are floating numbers in [0, 1] or uint8, not " +
                         std::string(to_string(h->type)));
    const array<double> x(record_cast(h, dtype::float64));
    return array<std::uint8_t>(astype<std::uint8_t>(clip(x, 0.0, 1.0) * 255.0 + 0.5)).get_handle();
}

// A name that says another format, such as JPEG, would lie.
SINTER_INLINE void require_png_name(const std::string& path) {
    const std::size_t name = path.find_last_of('/') + 1, dot = path.find_last_of('.');
    if (dot == std::string::npos || dot <= name) return;
    std::string extension = path.substr(dot);
    for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (extension != ".png")
        throw value_error("[imsave] only PNG is written, not " + extension + ": " + path + ": write imsave(\"" +
                          path.substr(name, dot - name) + ".png\", a)");
}

SINTER_INLINE void write_image(const std::string& path, const handle& h, const imsave_options& options) {
    require_png_name(path);
    const bool is_animated = options.fps != 0;
    const int frame_axes = is_animated ? 1 : 0, rank = h->shape.size() - frame_axes;
    const dims& shape = h->shape;
    if (rank != 2 && !(rank == 3 && (shape.back() == 3 || shape.back() == 4)))
        throw shape_error("[imsave] a picture has the shape " +
                          std::string(is_animated ? "(frames, rows, columns)" : "(rows, columns)") +
                          ", or with 3 or 4 channels behind, not " + to_string(shape));
    if (is_animated && !(options.fps >= 0.02 && options.fps <= 1000))
        throw value_error("[imsave] fps is from 0.02 to 1000, not " + std::to_string(options.fps));
    const std::int64_t rows = shape[frame_axes], columns = shape[frame_axes + 1];
    const std::int64_t frames = is_animated ? shape[0] : 1;
    if (shape.product() == 0 || rows > INT32_MAX || columns > INT32_MAX || frames > INT32_MAX)
        throw shape_error("[imsave] PNG has no picture of " + std::to_string(columns) + " x " + std::to_string(rows) +
                          " pixels" + (is_animated ? " in " + std::to_string(frames) + " frames" : ""));
    require_png("imsave");
    const handle colours = rank == 2 ? channels_of_numbers(h, options) : colours_of_channels(h);
    picture p{rows, columns, colours->shape.product() / (frames * rows * columns), {}, frames};
    p.bytes.reset(new char[static_cast<std::size_t>(colours->shape.product())]);
    read(colours, p.bytes.get());
    if (is_animated) write_animated_png(path, p, options.fps);
    else write_png(path, p);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
