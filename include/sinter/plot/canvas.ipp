// Bodies of canvas.hpp: SVG as text, and pixels by how much of each a shape covers.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <sinter/codegen/base/error.hpp>
#include <sinter/io/png.hpp>
#include <sinter/plot/canvas.hpp>
#include <sstream>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE ink ink_of(const std::string& color) {
    const std::string cycle = "1f77b4ff7f0e2ca02cd627289467bd8c564be377c27f7f7fbcbd2217becf";
    std::string hex = color.starts_with('#') ? color.substr(1) : "";
    if (color.size() == 2 && color[0] == 'C' && color[1] >= '0' && color[1] <= '9')
        hex = cycle.substr(6 * static_cast<std::size_t>(color[1] - '0'), 6);
    if (hex.size() == 3) hex = {hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]};
    if (hex.size() != 6 || hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        throw value_error("[plot] a colour is \"#rgb\", \"#rrggbb\" or \"C0\" to \"C9\", not \"" + color + "\"");
    const int all = std::stoi(hex, nullptr, 16);
    return {{std::uint8_t(all >> 16), std::uint8_t(all >> 8 & 255), std::uint8_t(all & 255)}};
}

// As "%.5g" prints it in the C locale.
SINTER_INLINE std::string short_number(double v) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, v, std::chars_format::general, 5).ptr};
}

/// An SVG file.
class svg_canvas : public canvas {
public:
    svg_canvas(double width, double height) {
        text_.imbue(std::locale::classic());
        text_ << std::setprecision(5) << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' '
              << height << "\" width=\"" << width << "\" height=\"" << height << "\" font-family=\"sans-serif\">\n";
        path(corners({}, {width, height}), {{255, 255, 255}}, filled);
    }
    // Begun anew where a point is not finite.
    SINTER_COMPARES void path(const polyline& points, const ink& color, double width) override {
        text_ << "<path d=\"";
        const char* command = "M";
        for (const point& p : points) {
            if (is_there(p)) text_ << command << p.x << ' ' << p.y;
            command = is_there(p) ? "L" : "M";
        }
        if (width == filled) text_ << "Z\" fill=\"";
        else
            text_ << "\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke-width=\"" << width
                  << "\" stroke=\"";
        char hex[8];
        std::snprintf(hex, sizeof hex, "#%02x%02x%02x", color.parts[0], color.parts[1], color.parts[2]);
        text_ << hex << "\" opacity=\"" << color.opacity << "\"/>\n";
    }
    // A row of rectangles for each run of one colour.
    void colours(point low, point high, const colour_table& t) override {
        const double dx = (high.x - low.x) / double(t.columns), dy = (high.y - low.y) / double(t.rows);
        text_ << "<g shape-rendering=\"crispEdges\">\n";
        for (std::int64_t r = 0; r < t.rows; ++r)
            for (std::int64_t c = 0, end = 0; c < t.columns; c = end) {
                const std::uint8_t* first = t.at(r, c);
                for (end = c + 1; end < t.columns && std::equal(first, first + 3, t.at(r, end));) ++end;
                const point from{low.x + double(c) * dx, low.y + double(r) * dy};
                path(corners(from, {low.x + double(end) * dx, from.y + dy}), {{first[0], first[1], first[2]}}, filled);
            }
        text_ << "</g>\n";
    }
    void words(point at, const std::string& text, double size, anchor where, bool turned) override {
        static constexpr const char* anchors[] = {"start", "middle", "end"};
        text_ << "<text transform=\"translate(" << at.x << ' ' << at.y << (turned ? ") rotate(-90)" : ")")
              << "\" font-size=\"" << size << "\" text-anchor=\"" << anchors[static_cast<int>(where)] << "\">";
        for (char c : text) text_ << (c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c));
        text_ << "</text>\n";
    }
    void save(const std::string& path) const override {
        std::ofstream file(path, std::ios::binary);
        file << text_.str() << "</svg>\n" << std::flush;
        if (!file) throw io_error("[plot] cannot write " + path);
    }

private:
    std::ostringstream text_;
};

/// The strokes of each letter.
inline constexpr const char* letter_strokes[] = {
#include <sinter/plot/letters.def>
};
static_assert(sizeof letter_strokes / sizeof *letter_strokes == '~' - ' ' + 1);

// Between 0 and a number, rounded down; 0 for NaN.
SINTER_INLINE int bounded(double v, std::int64_t most) {
    return !(v >= 0) ? 0 : static_cast<int>(std::min(v, double(most)));
}

/// The pixels of a PNG file.
class pixel_canvas : public canvas {
public:
    pixel_canvas(int width, int height)
        : width_(width), height_(height), covered_(std::size_t(width * height)), bytes_(3 * covered_.size(), 255) {}
    void path(const polyline& points, const ink& color, double width) override {
        for (std::size_t i = 0; i < points.size() && width != filled; ++i)
            if (const point& from = points[i > 0 ? i - 1 : 0]; is_there(from) && is_there(points[i]))
                cover_segment(from, points[i], width);
        if (width == filled) cover_inside(points);
        paint(color);
    }
    // Of a table that stands mirrored the low corner is not the upper left one.
    void colours(point low, point high, const colour_table& t) override {
        const auto [left, right] = std::minmax(low.x, high.x);
        const auto [top, bottom] = std::minmax(low.y, high.y);
        for_pixels({left + 0.5, top + 0.5}, {right + 0.5, bottom + 0.5}, [&](int x, int y) {
            const int row = bounded((y + 0.5 - low.y) / (high.y - low.y) * double(t.rows), t.rows - 1);
            const int column = bounded((x + 0.5 - low.x) / (high.x - low.x) * double(t.columns), t.columns - 1);
            std::copy_n(t.at(row, column), 3, &bytes_[3 * place(x, y)]);
        });
    }
    SINTER_COMPARES void words(point at, const std::string& text, double size, anchor where, bool turned) override {
        polyline strokes;
        double length = 0;
        for (char c : text) {
            double letter = c == ' ' ? 1 : 0;  // its width, in units of an eighth of the size
            strokes.push_back({ieee::quiet_nan, 0});
            for (const char* next = letter_strokes[c >= ' ' && c <= '~' ? c - ' ' : '?' - ' ']; *next; ++next) {
                const double across = *next == ' ' ? ieee::quiet_nan : *next - '0';
                strokes.push_back({length + across, *next == ' ' ? 0.0 : 2.0 - (*++next - '0')});
                letter = across > letter ? across : letter;
            }
            length += letter + 2;
        }
        for (point& p : strokes) {
            const double x = (p.x - length * static_cast<int>(where) / 2) * (size / 9), y = p.y * (size / 9);
            p = turned ? point{at.x + y, at.y - x} : point{at.x + x, at.y + y};
        }
        path(strokes, {}, size / 10);
    }
    void save(const std::string& path) const override {
        picture image{height_, width_, 3, std::make_unique<char[]>(bytes_.size())};
        std::copy(bytes_.begin(), bytes_.end(), image.bytes.get());
        write_png(path, image);
    }

private:
    std::size_t place(int x, int y) const { return std::size_t(y) * std::size_t(width_) + std::size_t(x); }
    template <class F>
    SINTER_COMPARES void for_pixels(point low, point high, F f) {
        const int bottom = bounded(high.y, height_), right = bounded(high.x, width_);
        for (int y = bounded(low.y, height_); y < bottom; ++y)
            for (int x = bounded(low.x, width_); x < right; ++x) f(x, y);
    }
    // By the even-odd rule, on eight lines to a row of pixels.
    SINTER_COMPARES void cover_inside(const polyline& points) {
        constexpr int lines = 8;
        for (int k = 0; k < lines * height_; ++k) {
            const double at = (k + 0.5) / lines;
            std::vector<double> crossings;
            for (std::size_t i = 0; i < points.size(); ++i) {
                const point a = points[i], b = points[(i + 1) % points.size()];
                if ((a.y <= at) == (b.y <= at)) continue;
                crossings.push_back(std::clamp(a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x), 0.0, double(width_)));
            }
            std::sort(crossings.begin(), crossings.end());
            for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
                for (int x = static_cast<int>(crossings[i]); x < crossings[i + 1]; ++x)
                    covered_[place(x, k / lines)] +=
                        (std::min(crossings[i + 1], x + 1.0) - std::max(crossings[i], double(x))) / lines;
        }
    }
    SINTER_COMPARES void cover_segment(point a, point b, double width) {
        const double reach = width / 2 + 1, dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
        for_pixels({std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach},
                   {std::max(a.x, b.x) + reach + 1, std::max(a.y, b.y) + reach + 1}, [&](int x, int y) SINTER_COMPARES {
                       const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
                       const double t = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0, 1.0) : 0;
                       const double away = std::hypot(px - t * dx, py - t * dy);
                       double& covered = covered_[place(x, y)];
                       covered = std::max(covered, std::clamp(width / 2 + 0.5 - away, 0.0, 1.0));
                   });
    }
    // Gives what a shape covers its colour, and forgets the shape.
    SINTER_COMPARES void paint(const ink& c) {
        for (std::size_t i = 0; i < covered_.size(); ++i) {
            for (std::size_t k = 0; k < 3 && covered_[i] > 0; ++k) {
                std::uint8_t& byte = bytes_[3 * i + k];
                byte = std::uint8_t(byte + std::min(1.0, covered_[i]) * c.opacity * (c.parts[k] - byte) + 0.5);
            }
            covered_[i] = 0;
        }
    }
    int width_, height_;
    std::vector<double> covered_;  ///< how much of each pixel the shape covers
    std::vector<std::uint8_t> bytes_;
};

SINTER_INLINE std::unique_ptr<canvas> canvas_for(const std::string& path, int width, int height) {
    if (path.ends_with(".svg")) return std::make_unique<svg_canvas>(width, height);
    if (!path.ends_with(".png")) throw value_error("[plot] a figure is an .svg or a .png file, not " + path);
    require_png("plot");
    return std::make_unique<pixel_canvas>(width, height);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
