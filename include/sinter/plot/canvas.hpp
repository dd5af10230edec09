// What a figure is drawn with: lines, areas, colours and words in pixels, as SVG or PNG; must not know axes or arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <sinter/codegen/ops/ieee.hpp>
#include <string>
#include <vector>

namespace sinter::inline SINTER_ABI::detail {

struct point {
    double x = 0, y = 0;
};
using polyline = std::vector<point>;
/// Whether both numbers are finite.
inline bool is_there(const point& p) { return codegen::ieee::is_finite(p.x) && codegen::ieee::is_finite(p.y); }
/// A rectangle's corners, in turn.
inline polyline corners(point a, point b) { return {a, {b.x, a.y}, b, {a.x, b.y}}; }

/// Red, green and blue, and opacity in [0, 1].
struct ink {
    std::uint8_t parts[3] = {};
    double opacity = 1;
};
/// A colour as `#rgb`, `#rrggbb` or one of Matplotlib's names "C0" to "C9"; throws value_error.
ink ink_of(const std::string& color);

/// Rows of colours, red, green and blue in turn.
struct colour_table {
    std::int64_t rows = 0, columns = 0;
    std::vector<std::uint8_t> bytes = {};
    const std::uint8_t* at(std::int64_t r, std::int64_t c) const { return &bytes[std::size_t(3 * (r * columns + c))]; }
};

enum class anchor : std::uint8_t { start, middle, end };

/// Where things are drawn, in the order in which they cover each other.
class canvas {
public:
    virtual ~canvas() = default;
    static constexpr double filled = -1;
    /// The inside of a closed line; or, of a width, a line through points, which one that is not finite interrupts.
    virtual void path(const polyline& points, const ink& color, double width = filled) = 0;
    /// Colours stretched over a rectangle from the first one's corner to the last one's.
    virtual void colours(point low, point high, const colour_table& table) = 0;
    /// Words whose baseline begins, has its middle or ends at a point; upwards when they are turned. A PNG has the
    /// letters of ASCII.
    virtual void words(point at, const std::string& text, double size, anchor where, bool turned = false) = 0;
    /// Throws io_error when the file cannot be written.
    virtual void save(const std::string& path) const = 0;
};
/// A canvas for an .svg or a .png file; throws value_error for another one, and io_error for a .png without libpng.
std::unique_ptr<canvas> canvas_for(const std::string& path, int width, int height);

/// A number with five digits, and a point whatever the locale is.
std::string short_number(double v);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/plot/canvas.ipp>
#endif
