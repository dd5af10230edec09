// Bodies of png.hpp, by libpng's simplified API, whose structure is stable since 1.6.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/io/png.hpp>
#include <sinter/runtime/base/byte_stream.hpp>
#include <sinter/runtime/library/deflate.hpp>
#include <sinter/runtime/library/libraries.hpp>
#include <string_view>

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
    int (*write_to_memory)(png_image_header*, void* memory, std::size_t* bytes, int to_8_bit, const void* buffer,
                           std::int32_t stride, const void* map) = nullptr;
    void (*release)(png_image_header*) = nullptr;

    png_table() {
        begin_read =
            library.function<int(png_image_header*, const void*, std::size_t)>("png_image_begin_read_from_memory");
        finish_read =
            library.function<int(png_image_header*, const void*, void*, std::int32_t, void*)>("png_image_finish_read");
        write = library.function<int(png_image_header*, const char*, int, const void*, std::int32_t, const void*)>(
            "png_image_write_to_file");
        write_to_memory =
            library.function<int(png_image_header*, void*, std::size_t*, int, const void*, std::int32_t, const void*)>(
                "png_image_write_to_memory");
        release = library.function<void(png_image_header*)>("png_image_free");
    }
};

SINTER_INLINE const png_table& libpng(const char* operation) {
    static const png_table& t = *new png_table;
    if (t.begin_read && t.finish_read && t.write && t.write_to_memory && t.release) return t;
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

SINTER_INLINE void describe(png_image_header& header, const picture& p) {
    header.height = static_cast<std::uint32_t>(p.rows);
    header.width = static_cast<std::uint32_t>(p.columns);
    header.format = (p.channels == 4 ? png_alpha : 0) | (p.channels > 1 ? png_colour : 0);
}

SINTER_INLINE void write_png(const std::string& path, const picture& p) {
    png_state state{libpng("imsave")};
    png_image_header& header = state.header;
    describe(header, p);
    if (!state.png.write(&header, path.c_str(), 0, p.bytes.get(), 0, nullptr))
        throw io_error("[imsave] " + path + ": " + header.message);
}

// The file of one frame.
SINTER_INLINE std::string encode_png(const std::string& path, const picture& p, std::int64_t frame) {
    png_state state{libpng("imsave")};
    describe(state.header, p);
    const char* pixels = p.bytes.get() + static_cast<std::size_t>(frame) * p.frame_bytes();
    std::size_t bytes = p.frame_bytes() + p.frame_bytes() / 64 + static_cast<std::size_t>(p.rows) + 4096;
    std::string file(bytes, '\0');
    if (!state.png.write_to_memory(&state.header, file.data(), &bytes, 0, pixels, 0, nullptr))
        throw io_error("[imsave] " + path + ": " + state.header.message);
    file.resize(bytes);
    return file;
}

/// A PNG file in chunks: their length, name and contents, and the check of both.
class png_chunks {
public:
    explicit png_chunks(runtime::output_file& file) : file_(file) { file_.write(signature.data(), signature.size()); }
    static std::string big_endian(std::uint64_t v, int bytes) {
        std::string s;
        for (int i = bytes; i-- > 0;) s += static_cast<char>(v >> 8 * i & 0xFF);
        return s;
    }
    void write(std::string_view name, std::string_view contents) {
        const std::string chunk = std::string(name) + std::string(contents);
        const std::string bytes =
            big_endian(contents.size(), 4) + chunk + big_endian(runtime::crc32(0, chunk.data(), chunk.size()), 4);
        file_.write(bytes.data(), bytes.size());
    }
    /// Calls f(name, contents) for each chunk of a file that libpng has made.
    template <class F>
    static void for_each(std::string_view file, F f) {
        for (file.remove_prefix(signature.size()); file.size() >= 12;) {
            std::size_t length = 0;
            for (char c : file.substr(0, 4)) length = length << 8 | static_cast<unsigned char>(c);
            f(file.substr(4, 4), file.substr(8, length));
            file.remove_prefix(12 + length);
        }
    }

private:
    static constexpr std::string_view signature{"\x89PNG\r\n\x1a\n", 8};
    runtime::output_file& file_;
};

SINTER_INLINE void write_animated_png(const std::string& path, const picture& p, double fps) {
    // A frame's time is a fraction of two numbers of 16 bits, here one with a power of ten above.
    std::uint32_t ten_to = 10000;
    while (ten_to * fps >= 65535.5) ten_to /= 10;
    const auto rate = static_cast<std::uint32_t>(ten_to * fps + 0.5);
    const std::string first = encode_png(path, p, 0);
    runtime::output_file file("imsave", path);
    png_chunks chunks(file);
    std::uint32_t number = 0;  // of the chunks that are an animation's
    auto big = [](std::uint64_t v, int bytes) { return png_chunks::big_endian(v, bytes); };
    auto begin_frame = [&] {
        chunks.write("fcTL", big(number++, 4) + big(static_cast<std::uint64_t>(p.columns), 4) +
                                 big(static_cast<std::uint64_t>(p.rows), 4) + big(0, 8) + big(ten_to, 2) +
                                 big(rate, 2) + big(0, 2));
    };
    bool has_begun = false;
    png_chunks::for_each(first, [&](std::string_view name, std::string_view contents) {
        if (name == "IEND") return;
        if (name == "IDAT" && !has_begun) {
            chunks.write("acTL", big(static_cast<std::uint64_t>(p.frames), 4) + big(0, 4));
            begin_frame();
            has_begun = true;
        }
        chunks.write(name, contents);
    });
    for (std::int64_t i = 1; i < p.frames; ++i) {
        begin_frame();
        png_chunks::for_each(encode_png(path, p, i), [&](std::string_view name, std::string_view contents) {
            if (name == "IDAT") chunks.write("fdAT", big(number++, 4) + std::string(contents));
        });
    }
    chunks.write("IEND", "");
    file.close();
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
