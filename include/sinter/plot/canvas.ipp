// Bodies of canvas.hpp: SVG as text, and pixels by how much of each a shape covers.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/io/png.hpp>
#include <sinter/plot/canvas.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE ink ink_of(const std::string& color) {
    static constexpr const char* cycle[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                            "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};
    if (color.size() == 2 && color[0] == 'C' && color[1] >= '0' && color[1] <= '9')
        return ink_of(cycle[color[1] - '0']);
    const std::size_t each = color.size() / 3;
    if ((color.size() != 4 && color.size() != 7) || color[0] != '#' ||
        color.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
        throw value_error("[plot] a colour is \"#rgb\", \"#rrggbb\" or \"C0\" to \"C9\", not \"" + color + "\"");
    auto part = [&](std::size_t i) {
        const std::string digits = color.substr(1 + i * each, each);
        return std::stoi(each == 1 ? digits + digits : digits, nullptr, 16) / 255.0;
    };
    return {part(0), part(1), part(2), 1};
}

// As "%.5g" prints it in the C locale.
SINTER_INLINE std::string short_number(double v) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, v, std::chars_format::general, 5).ptr};
}

SINTER_INLINE bool is_there(const point& p) { return ieee::is_finite(p.x) && ieee::is_finite(p.y); }

/// An SVG file.
class svg_canvas : public canvas {
public:
    svg_canvas(int width, int height) {
        const std::string w = std::to_string(width), h = std::to_string(height);
        text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("viewBox", "0 0 " + w + " " + h) +
                attribute("width", w) + attribute("height", h) + " font-family=\"sans-serif\">\n";
        area(corners({}, {double(width), double(height)}), {1, 1, 1});
    }
    void line(const std::vector<point>& points, double width, const ink& color) override {
        add_path(path_text(points),
                 " fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\"" +
                     attribute("stroke-width", short_number(width)),
                 "stroke", color);
    }
    void area(const std::vector<point>& points, const ink& color) override {
        add_path(path_text(points) + "Z", "", "fill", color);
    }
    // A row of rectangles for each run of one colour.
    void colours(point low, point high, const colour_table& t) override {
        const double dx = (high.x - low.x) / double(t.columns), dy = (high.y - low.y) / double(t.rows);
        text_ += "<g shape-rendering=\"crispEdges\">\n";
        for (std::int64_t r = 0; r < t.rows; ++r)
            for (std::int64_t c = 0, end = 0; c < t.columns; c = end) {
                const std::uint8_t* first = t.at(r, c);
                for (end = c + 1; end < t.columns && std::equal(first, first + 3, t.at(r, end));) ++end;
                const std::string x = short_number(low.x + double(c) * dx), y = short_number(low.y + double(r) * dy);
                add_path("M" + x + " " + y + "h" + short_number(double(end - c) * dx) + "v" + short_number(dy) + "H" +
                             x + "z",
                         "", "fill", {first[0] / 255.0, first[1] / 255.0, first[2] / 255.0});
            }
        text_ += "</g>\n";
    }
    void words(point at, const std::string& text, double size, anchor where, bool turned) override {
        static constexpr const char* anchors[] = {"start", "middle", "end"};
        const std::string place = "translate(" + short_number(at.x) + " " + short_number(at.y) + ")";
        text_ += "<text" + attribute("transform", place + (turned ? " rotate(-90)" : "")) +
                 attribute("font-size", short_number(size)) +
                 attribute("text-anchor", anchors[static_cast<int>(where)]) + ">";
        for (char c : text) text_ += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
        text_ += "</text>\n";
    }
    void save(const std::string& path) const override {
        std::ofstream file(path, std::ios::binary);
        file << text_ << "</svg>\n" << std::flush;
        if (!file) throw io_error("[plot] cannot write " + path);
    }

private:
    static std::string attribute(const std::string& name, const std::string& value) {
        return " " + name + "=\"" + value + "\"";
    }
    SINTER_COMPARES void add_path(const std::string& d, const std::string& how, const std::string& paint,
                                  const ink& c) {
        char color[8];
        auto byte = [](double part) { return static_cast<int>(part * 255 + 0.5); };
        std::snprintf(color, sizeof color, "#%02x%02x%02x", byte(c.red), byte(c.green), byte(c.blue));
        const bool is_opaque = c.opacity >= 1;
        text_ += "<path" + attribute("d", d) + how + attribute(paint, color) +
                 (is_opaque ? "" : attribute(paint + "-opacity", short_number(c.opacity))) + "/>\n";
    }
    /// The points as the commands of a path, begun anew where one is not finite.
    static std::string path_text(const std::vector<point>& points) {
        std::string s;
        const char* command = "M";
        for (const point& p : points) {
            if (is_there(p)) s.append(command).append(short_number(p.x) + " " + short_number(p.y));
            command = is_there(p) ? "L" : "M";
        }
        return s;
    }
    std::string text_;
};

/// The strokes of each letter.
inline constexpr const char* letter_strokes[] = {
#include <sinter/plot/letters.def>
};
static_assert(sizeof letter_strokes / sizeof *letter_strokes == '~' - ' ' + 1);

/// Adds a letter's strokes, each behind a point that is nowhere, in units of an eighth of its size from x on its
/// baseline; returns where the next letter begins.
SINTER_INLINE double add_letter(char c, double x, std::vector<point>& strokes) {
    double least = c == ' ' ? 0 : 4, most = c == ' ' ? 1 : 0;
    const std::size_t begin = strokes.size();
    strokes.push_back({ieee::quiet_nan, 0});
    for (const char* at = letter_strokes[c >= ' ' && c <= '~' ? c - ' ' : '?' - ' ']; *at; at += *at == ' ' ? 1 : 2) {
        const double across = *at == ' ' ? ieee::quiet_nan : *at - '0';
        strokes.push_back({x + across, *at == ' ' ? 0.0 : 2.0 - (at[1] - '0')});
        if (*at == ' ') continue;
        least = std::min(least, across);
        most = std::max(most, across);
    }
    for (std::size_t i = begin; i < strokes.size(); ++i) strokes[i].x -= least;
    return x + (most - least + 2);
}

// Between 0 and a number, rounded down; 0 for NaN.
SINTER_INLINE int bounded(double v, std::int64_t most) {
    return !(v >= 0) ? 0 : static_cast<int>(std::min(v, double(most)));
}

/// The pixels of a PNG file.
class pixel_canvas : public canvas {
public:
    pixel_canvas(int width, int height)
        : width_(width), height_(height), parts_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
        image_ = {height, width, 3, std::unique_ptr<char[]>(new char[3 * parts_.size()])};
        std::fill_n(image_.bytes.get(), 3 * parts_.size(), static_cast<char>(255));
    }
    void line(const std::vector<point>& points, double width, const ink& color) override {
        for (std::size_t k = 0; k < points.size(); ++k) {
            const point& from = points[k > 0 ? k - 1 : 0];
            if (is_there(from) && is_there(points[k])) add_segment(from, points[k], width);
        }
        paint(color);
    }
    // By the even-odd rule, on eight lines to a row of pixels.
    SINTER_COMPARES void area(const std::vector<point>& points, const ink& color) override {
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
                    part(x, k / lines) +=
                        (std::min(crossings[i + 1], x + 1.0) - std::max(crossings[i], double(x))) / lines;
        }
        paint(color);
    }
    void colours(point low, point high, const colour_table& t) override {
        // Of a table that stands mirrored the low corner is not the upper left one.
        for_pixels({std::min(low.x, high.x) + 0.5, std::min(low.y, high.y) + 0.5},
                   {std::max(low.x, high.x) + 0.5, std::max(low.y, high.y) + 0.5}, [&](int x, int y) {
                       const int row = bounded((y + 0.5 - low.y) / (high.y - low.y) * double(t.rows), t.rows - 1);
                       const int c = bounded((x + 0.5 - low.x) / (high.x - low.x) * double(t.columns), t.columns - 1);
                       std::copy_n(t.at(row, c), 3,
                                   &image_.bytes[static_cast<std::size_t>(&part(x, y) - &parts_[0]) * 3]);
                   });
    }
    void words(point at, const std::string& text, double size, anchor where, bool turned) override {
        std::vector<point> strokes;
        double length = 0;
        for (char c : text) length = add_letter(c, length, strokes);
        for (point& p : strokes) {
            const double x = (p.x - length * static_cast<int>(where) / 2) * (size / 9), y = p.y * (size / 9);
            p = turned ? point{at.x + y, at.y - x} : point{at.x + x, at.y + y};
        }
        line(strokes, size / 10, {});
    }
    void save(const std::string& path) const override { write_png(path, image_); }

private:
    /// How much of a pixel the shape covers.
    double& part(int x, int y) {
        return parts_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
    }
    template <class F>
    SINTER_COMPARES void for_pixels(point low, point high, F f) {
        const int bottom = bounded(high.y, height_), right = bounded(high.x, width_);
        for (int y = bounded(low.y, height_); y < bottom; ++y)
            for (int x = bounded(low.x, width_); x < right; ++x) f(x, y);
    }
    SINTER_COMPARES void add_segment(point a, point b, double width) {
        const double reach = width / 2 + 1, dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
        for_pixels({std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach},
                   {std::max(a.x, b.x) + reach + 1, std::max(a.y, b.y) + reach + 1}, [&](int x, int y) SINTER_COMPARES {
                       const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
                       const double t = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0, 1.0) : 0;
                       const double away = std::hypot(px - t * dx, py - t * dy);
                       part(x, y) = std::max(part(x, y), std::clamp(width / 2 + 0.5 - away, 0.0, 1.0));
                   });
    }
    // Gives what a shape covers its colour, and forgets the shape.
    SINTER_COMPARES void paint(const ink& c) {
        const double parts[] = {c.red, c.green, c.blue};
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            for (std::size_t k = 0; k < 3 && parts_[i] > 0; ++k) {
                char& byte = image_.bytes[3 * i + k];
                const double share = std::min(1.0, parts_[i]) * c.opacity, before = static_cast<unsigned char>(byte);
                byte = static_cast<char>(static_cast<std::uint8_t>(before + share * (255 * parts[k] - before) + 0.5));
            }
            parts_[i] = 0;
        }
    }
    int width_, height_;
    std::vector<double> parts_;
    picture image_;
};

SINTER_INLINE std::unique_ptr<canvas> canvas_for(const std::string& path, int width, int height) {
    if (path.ends_with(".svg")) return std::make_unique<svg_canvas>(width, height);
    if (!path.ends_with(".png")) throw value_error("[plot] a figure is an .svg or a .png file, not " + path);
    require_png("plot");
    return std::make_unique<pixel_canvas>(width, height);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
