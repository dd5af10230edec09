// Bodies of canvas.hpp: SVG as text, and pixels by how much of each a shape covers.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/plot/canvas.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE ink ink_of(const std::string& operation, const std::string& color) {
    static constexpr const char* cycle[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                                            "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};
    if (color.size() == 2 && color[0] == 'C' && color[1] >= '0' && color[1] <= '9')
        return ink_of(operation, cycle[color[1] - '0']);
    const std::size_t each = color.size() / 3;
    const bool is_right = (color.size() == 4 || color.size() == 7) && color[0] == '#' &&
                          color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (!is_right)
        throw value_error("[" + operation + "] a colour is \"#rgb\", \"#rrggbb\" or \"C0\" to \"C9\", not \"" + color +
                          "\"");
    auto part = [&](std::size_t i) {
        const std::string digits = color.substr(1 + i * each, each);
        return std::stoi(each == 1 ? digits + digits : digits, nullptr, 16) / 255.0;
    };
    return {part(0), part(1), part(2), 1};
}

SINTER_INLINE void canvas::line(std::vector<point> points, double width, const ink& color) {
    item i{.kind = what::line, .points = std::move(points), .color = color, .size = width};
    items_.push_back(std::move(i));
}
SINTER_INLINE void canvas::area(std::vector<point> points, const ink& color) {
    item i{.kind = what::area, .points = std::move(points), .color = color};
    items_.push_back(std::move(i));
}
SINTER_INLINE void canvas::picture(point low, point high, std::int64_t rows, std::int64_t columns,
                                   std::vector<std::uint8_t> bytes) {
    item i{.kind = what::picture, .points = {low, high}, .color = {}, .rows = rows, .columns = columns};
    i.bytes = std::move(bytes);
    items_.push_back(std::move(i));
}
SINTER_INLINE void canvas::words(point at, const std::string& text, double size, anchor where, bool turned) {
    item i{.kind = what::words, .points = {at}, .color = {}, .size = size};
    i.text = text;
    i.where = where;
    i.turned = turned;
    items_.push_back(std::move(i));
}

// ---- SVG

// As "%.5g" prints it in the C locale.
SINTER_INLINE std::string short_number(double v) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, v, std::chars_format::general, 5).ptr};
}

SINTER_INLINE std::string color_text(const ink& c) {
    char text[8];
    auto byte = [](double part) { return static_cast<int>(part * 255 + 0.5); };
    std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(c.red), byte(c.green), byte(c.blue));
    return text;
}

SINTER_INLINE std::string escaped_words(const std::string& text) {
    std::string s;
    for (char c : text) s += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return s;
}

/// The points as the commands of a path, begun anew where one is not finite.
SINTER_INLINE std::string path_text(const std::vector<point>& points) {
    std::string s;
    bool is_begun = false;
    for (const point& p : points) {
        const bool is_there = ieee::is_finite(p.x) && ieee::is_finite(p.y);
        if (is_there) s += (is_begun ? "L" : "M") + short_number(p.x) + " " + short_number(p.y);
        is_begun = is_there;
    }
    return s;
}

SINTER_INLINE std::string canvas::svg() const {
    const std::string w = std::to_string(width_), h = std::to_string(height_);
    std::string s = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + w + " " + h + "\" width=\"" + w +
                    "\" height=\"" + h + "\" font-family=\"sans-serif\">\n<rect width=\"" + w + "\" height=\"" + h +
                    "\" fill=\"#fff\"/>\n";
    for (const item& i : items_) {
        const std::string color = color_text(i.color), opacity = short_number(i.color.opacity);
        if (i.kind == what::line) {
            s += "<path d=\"" + path_text(i.points) +
                 "\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke=\"" + color +
                 "\" stroke-opacity=\"" + opacity + "\" stroke-width=\"" + short_number(i.size) + "\"/>\n";
        } else if (i.kind == what::area) {
            s += "<path d=\"" + path_text(i.points) + "Z\" fill=\"" + color + "\" fill-opacity=\"" + opacity + "\"/>\n";
        } else if (i.kind == what::words) {
            static constexpr const char* names[] = {"start", "middle", "end"};
            const std::string at = short_number(i.points[0].x) + " " + short_number(i.points[0].y);
            s += "<text transform=\"translate(" + at + ")" + (i.turned ? " rotate(-90)" : "") + "\" font-size=\"" +
                 short_number(i.size) + "\" text-anchor=\"" + names[static_cast<int>(i.where)] + "\">" +
                 escaped_words(i.text) + "</text>\n";
        } else {
            // A row of rectangles for each run of one colour.
            const double dx = (i.points[1].x - i.points[0].x) / double(i.columns);
            const double dy = (i.points[1].y - i.points[0].y) / double(i.rows);
            s += "<g shape-rendering=\"crispEdges\">\n";
            for (std::int64_t r = 0; r < i.rows; ++r)
                for (std::int64_t c = 0, end = 0; c < i.columns; c = end) {
                    const std::uint8_t* first = &i.bytes[static_cast<std::size_t>(3 * (r * i.columns + c))];
                    for (end = c + 1; end < i.columns && std::equal(first, first + 3, first + 3 * (end - c));) ++end;
                    s += "<path fill=\"" + color_text({first[0] / 255.0, first[1] / 255.0, first[2] / 255.0, 1}) +
                         "\" d=\"M" + short_number(i.points[0].x + double(c) * dx) + " " +
                         short_number(i.points[0].y + double(r) * dy) + "h" + short_number(double(end - c) * dx) + "v" +
                         short_number(dy) + "h" + short_number(-double(end - c) * dx) + "z\"/>\n";
                }
            s += "</g>\n";
        }
    }
    return s + "</svg>\n";
}

// ---- letters

/// The strokes of each letter.
inline constexpr const char* letter_strokes[] = {
#include <sinter/plot/letters.def>
};

static_assert(sizeof letter_strokes / sizeof *letter_strokes == '~' - ' ' + 1);

/// Strokes of words in units of an eighth of their size, from the left end of the baseline; returns their length.
SINTER_INLINE double strokes_of(const std::string& text, std::vector<std::vector<point>>& strokes) {
    double x = 0;
    for (char c : text) {
        const int number = c >= ' ' && c <= '~' ? c - ' ' : '?' - ' ';
        const std::string glyph = letter_strokes[number];
        int least = 4, most = 0, digit = -1;
        std::vector<std::vector<point>> own(1);
        for (char g : glyph) {
            if (g == ' ' && digit < 0) own.emplace_back();
            if (g == ' ') continue;
            if (digit < 0) {
                digit = g - '0';
                continue;
            }
            own.back().push_back({double(digit), 2.0 - (g - '0')});
            least = std::min(least, digit);
            most = std::max(most, digit);
            digit = -1;
        }
        if (most < least) least = most = 0;
        for (auto& stroke : own) {
            for (point& p : stroke) p.x += x - least;
            strokes.push_back(std::move(stroke));
        }
        x += glyph.empty() ? 3 : most - least + 2;
    }
    return x;
}

// ---- pixels

// Between 0 and a number; 0 for NaN.
SINTER_INLINE double bounded(double v, double most) { return !(v >= 0) ? 0 : std::min(v, most); }

/// How much of each pixel shapes cover, joined by the greatest.
class coverage {
public:
    coverage(int width, int height)
        : width_(width), height_(height), parts_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

    SINTER_COMPARES void add_segment(point a, point b, double width) {
        const double reach = width / 2 + 1, dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
        const int top = static_cast<int>(bounded(std::min(a.y, b.y) - reach, height_));
        const int bottom = static_cast<int>(bounded(std::max(a.y, b.y) + reach + 1, height_));
        const int left = static_cast<int>(bounded(std::min(a.x, b.x) - reach, width_));
        const int right = static_cast<int>(bounded(std::max(a.x, b.x) + reach + 1, width_));
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x) {
                const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
                const double t = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0, 1.0) : 0;
                const double away = std::hypot(px - t * dx, py - t * dy);
                add(x, y, std::clamp(width / 2 + 0.5 - away, 0.0, 1.0));
            }
    }

    /// The inside by the even-odd rule, on eight lines to a row of pixels.
    SINTER_COMPARES void add_area(const std::vector<point>& points) {
        constexpr int lines = 8;
        std::vector<double> row(static_cast<std::size_t>(width_) + 2), crossings;
        for (int y = 0; y < height_; ++y) {
            std::fill(row.begin(), row.end(), 0.0);
            for (int k = 0; k < lines; ++k) {
                const double at = y + (k + 0.5) / lines;
                crossings.clear();
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const point a = points[i], b = points[(i + 1) % points.size()];
                    if ((a.y <= at) != (b.y <= at)) crossings.push_back(a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x));
                }
                std::sort(crossings.begin(), crossings.end());
                for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) add_span(row, crossings[i], crossings[i + 1]);
            }
            for (int x = 0; x < width_; ++x) add(x, y, std::min(1.0, row[static_cast<std::size_t>(x)] / lines));
        }
    }

    SINTER_COMPARES void paint(std::vector<std::uint8_t>& pixels, const ink& c) const {
        const double parts[] = {c.red, c.green, c.blue};
        for (std::size_t i = 0; i < parts_.size(); ++i)
            for (std::size_t k = 0; k < 3 && parts_[i] > 0; ++k) {
                const double share = parts_[i] * c.opacity, before = pixels[3 * i + k];
                pixels[3 * i + k] = static_cast<std::uint8_t>(before + share * (255 * parts[k] - before) + 0.5);
            }
    }

private:
    SINTER_COMPARES void add(int x, int y, double part) {
        double& p =
            parts_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
        p = std::max(p, part);
    }
    SINTER_COMPARES void add_span(std::vector<double>& row, double from, double to) const {
        from = std::clamp(from, 0.0, double(width_));
        to = std::clamp(to, 0.0, double(width_));
        for (int x = static_cast<int>(from); x < to; ++x)
            row[static_cast<std::size_t>(x)] += std::min(to, x + 1.0) - std::max(from, double(x));
    }
    int width_, height_;
    std::vector<double> parts_;
};

SINTER_INLINE void add_line(coverage& c, const std::vector<point>& points, double width) {
    auto is_there = [](const point& p) { return ieee::is_finite(p.x) && ieee::is_finite(p.y); };
    for (std::size_t k = 0; k < points.size(); ++k) {
        const point& from = points[k > 0 ? k - 1 : 0];
        if (is_there(from) && is_there(points[k])) c.add_segment(from, points[k], width);
    }
}

// A border between pixels, of `size` of them.
SINTER_INLINE int nearest_pixel(double at, int size) { return static_cast<int>(bounded(at + 0.5, size)); }

// Which of `count` parts of a length is at a place between 0 and 1.
SINTER_INLINE std::int64_t part_at(double place, std::int64_t count) {
    return static_cast<std::int64_t>(bounded(place * double(count), double(count - 1)));
}

SINTER_INLINE std::vector<std::uint8_t> canvas::pixels() const {
    std::vector<std::uint8_t> pixels(3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 255);
    for (const item& i : items_) {
        coverage covered(width_, height_);
        if (i.kind == what::line) add_line(covered, i.points, i.size);
        if (i.kind == what::area) covered.add_area(i.points);
        if (i.kind == what::words) {
            std::vector<std::vector<point>> strokes;
            const double length = strokes_of(i.text, strokes), unit = i.size / 9;
            const double shift = i.where == anchor::start ? 0 : i.where == anchor::middle ? length / 2 : length;
            for (auto& stroke : strokes) {
                for (point& p : stroke) {
                    const point q{(p.x - shift) * unit, p.y * unit};
                    p = i.turned ? point{i.points[0].x + q.y, i.points[0].y - q.x}
                                 : point{i.points[0].x + q.x, i.points[0].y + q.y};
                }
                add_line(covered, stroke, i.size / 10);
            }
        }
        covered.paint(pixels, i.color);
        if (i.kind != what::picture) continue;
        // Of a picture that stands mirrored the low corner is not the upper left one.
        const point low = i.points[0], high = i.points[1];
        const int top = nearest_pixel(std::min(low.y, high.y), height_),
                  bottom = nearest_pixel(std::max(low.y, high.y), height_),
                  left = nearest_pixel(std::min(low.x, high.x), width_),
                  right = nearest_pixel(std::max(low.x, high.x), width_);
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x) {
                const std::int64_t r = part_at((y + 0.5 - low.y) / (high.y - low.y), i.rows);
                const std::int64_t c = part_at((x + 0.5 - low.x) / (high.x - low.x), i.columns);
                std::copy_n(&i.bytes[static_cast<std::size_t>(3 * (r * i.columns + c))], 3,
                            &pixels[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                         static_cast<std::size_t>(x))]);
            }
    }
    return pixels;
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
