// What a figure is drawn with: lines, areas, pictures and words in pixels, written as SVG or PNG; must not know axes or
// arrays.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <string>
#include <vector>

namespace sinter::inline SINTER_ABI::detail {

struct point {
    double x = 0, y = 0;
};

/// Red, green, blue and opacity in [0, 1].
struct ink {
    double red = 0, green = 0, blue = 0, opacity = 1;
};

/// A colour as `#rgb`, `#rrggbb` or one of Matplotlib's names "C0" to "C9"; throws value_error.
ink ink_of(const std::string& operation, const std::string& color);

enum class anchor : std::uint8_t { start, middle, end };

/// Things to draw, in the order in which they cover each other.
class canvas {
public:
    canvas(int width, int height) : width_(width), height_(height) {}
    /// A line through points; a point that is not finite interrupts it.
    void line(std::vector<point> points, double width, const ink& color);
    /// The inside of a closed line.
    void area(std::vector<point> points, const ink& color);
    /// A picture of rows × columns colours, red, green and blue in turn, stretched over a rectangle from its first
    /// colour's corner to the last one's.
    void picture(point low, point high, std::int64_t rows, std::int64_t columns, std::vector<std::uint8_t> bytes);
    /// Words whose baseline begins, has its middle or ends at a point; upwards when they are turned.
    void words(point at, const std::string& text, double size, anchor where, bool turned = false);

    /// The drawing as SVG.
    std::string svg() const;
    /// The drawing as pixels, each with red, green and blue; what needs text has the letters of ASCII.
    std::vector<std::uint8_t> pixels() const;
    int width() const { return width_; }
    int height() const { return height_; }

private:
    enum class what : std::uint8_t { line, area, picture, words };
    struct item {
        what kind = what::line;
        std::vector<point> points = {};
        ink color = {};
        double size = 0;
        std::int64_t rows = 0, columns = 0;
        std::vector<std::uint8_t> bytes = {};
        std::string text = {};
        anchor where = anchor::start;
        bool turned = false;
    };
    int width_, height_;
    std::vector<item> items_;
};

/// A number with five digits, and a point whatever the locale is.
std::string short_number(double v);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/plot/canvas.ipp>
#endif
