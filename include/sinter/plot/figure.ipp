// Bodies of figure.hpp: where axes and their numbers stand, and what is drawn between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <sinter/analysis/counting.hpp>
#include <sinter/array/host.hpp>
#include <sinter/array/operators.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/reductions.hpp>
#include <sinter/io/image.hpp>
#include <sinter/plot/figure.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::plot {

using detail::anchor;
using detail::canvas;
using detail::ink;
using detail::point;
using detail::polyline;
namespace ieee = codegen::ieee;

inline constexpr ink dark{{51, 51, 51}};
inline constexpr point nowhere{ieee::quiet_nan, ieee::quiet_nan};

/// An axis: where its ends lie in the picture, and their numbers, of a logarithmic one as powers of ten.
struct axis {
    point from = {}, to = {};
    bool is_log = false;
    double low = ieee::quiet_nan, high = ieee::quiet_nan;
    bool is_low_tight = false, is_high_tight = false;

    /// Where a number is drawn; 0 at the low end of a logarithmic axis.
    point at(double v) const {
        const double share = is_log && v == 0 ? 0 : ((is_log ? std::log10(v) : v) - low) / (high - low);
        return {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    }
    /// Takes in a number, beyond which there is no room where it is tight.
    SINTER_COMPARES void include(double v, bool is_tight = false) {
        if (!ieee::is_finite(v) || (is_log && v == 0 && is_tight)) return;
        if (is_log && v <= 0) throw value_error("[plot] a logarithmic axis has no " + std::to_string(v));
        const double s = is_log ? std::log10(v) : v;
        is_low_tight = s == low ? is_low_tight || is_tight : s > low ? is_low_tight : is_tight;
        is_high_tight = s == high ? is_high_tight || is_tight : s < high ? is_high_tight : is_tight;
        low = s > low ? low : s;
        high = s < high ? high : s;
    }
    SINTER_COMPARES void leave_room() {
        if (ieee::is_nan(low)) *this = {from, to, is_log, 0, 1};
        const bool is_one = low == high;
        const double margin = !is_one ? (high - low) / 25 : is_log || low == 0 ? 1 : std::abs(low) / 2;
        if (is_one || !is_low_tight) low -= margin;
        if (is_one || !is_high_tight) high += margin;
    }
    /// Round numbers within the range, about `count` of them.
    SINTER_COMPARES std::vector<double> ticks(int count) const {
        const double least = std::min(low, high), most = std::max(low, high), rough = (most - least) / count;
        const double ten = std::pow(10.0, std::floor(std::log10(rough))), digits = rough / ten;
        const double nice = ten * (digits > 5 ? 10 : digits > 2 ? 5 : digits > 1 ? 2 : 1);
        const double step = is_log ? std::max(1.0, std::round(rough)) : nice;
        std::vector<double> t;
        // Beyond 2^53 numbers are more than one apart.
        for (double k = std::ceil(least / step - 1e-9); k * step <= most + 1e-9 * step && k + 1 != k; ++k)
            t.push_back(is_log ? std::pow(10.0, k * step) : k * step + 0.0);
        // The room at the end of a logarithmic axis may lie beyond all numbers.
        if (is_log) std::erase_if(t, [](double v) SINTER_COMPARES { return v == 0 || !ieee::is_finite(v); });
        return t;
    }
    /// Marks round numbers: a stroke, and the number at a distance.
    SINTER_COMPARES void draw(canvas& c, int count, point stroke, point number, anchor where) const {
        for (double t : ticks(std::max(2, count))) {
            const point p = at(t);
            c.path({p, {p.x + stroke.x, p.y + stroke.y}}, dark, 1);
            const bool is_zero = !is_log && std::abs(t) < 1e-9 * std::abs(high - low);
            c.words({p.x + number.x, p.y + number.y}, detail::short_number(is_zero ? 0.0 : t), 12, where);
        }
    }
};

/// What is drawn in a frame, in numbers of its axes.
struct shape {
    polyline points;  ///< a line, a closed one around an area, or a heat map's upper left and lower right corner
    std::string label = {}, color = {};
    double width = canvas::filled;
    detail::colour_table colours = {}, bar = {};  ///< of a heat map, and of the bar beside it
    axis values = {};
    bool is_marked = false;  ///< points instead of a line
    bool is_map() const { return colours.rows > 0; }
};

struct figure::state {
    figure_options options;
    std::vector<shape> shapes = {};

    /// Without a colour of its own it has one of the cycle that nothing has, while there is one.
    void add(shape s) {
        std::size_t k = 0;
        auto has_color = [&](const shape& other) { return other.color == std::string("C").append(std::to_string(k)); };
        while (k < 10 && codegen::any_of(shapes.begin(), shapes.end(), has_color)) ++k;
        if (s.color.empty()) s.color.assign("C").append(std::to_string(k < 10 ? k : shapes.size() % 10));
        detail::ink_of(s.color);
        shapes.push_back(std::move(s));
    }
};

SINTER_INLINE figure::figure(const figure_options& options) : state_(std::make_shared<state>(state{options})) {
    if (options.width < 160 || options.height < 120 || options.width > 16384 || options.height > 16384)
        throw value_error("[plot] a figure has from 160 x 120 to 16384 x 16384 pixels, not " +
                          std::to_string(options.width) + " x " + std::to_string(options.height));
}

SINTER_INLINE array<double> matrix_of(const numbers& n) {
    return array<double>(detail::record_cast(n.value, dtype::float64));
}

SINTER_INLINE polyline points_of(const numbers& x, const numbers& y) {
    for (const numbers* n : {&x, &y})
        if (n->value->shape.size() > 1)
            throw shape_error("[plot] a line has one axis, not the shape " + to_string(n->value->shape));
    const std::vector<double> across = to_vector(matrix_of(x)), up = to_vector(matrix_of(y));
    if (across.size() != up.size())
        throw shape_error("[plot] lengths differ: " + std::to_string(across.size()) + " and " +
                          std::to_string(up.size()));
    polyline points;
    for (std::size_t i = 0; i < up.size(); ++i) points.push_back({across[i], up[i]});
    return points;
}

SINTER_INLINE figure& figure::line(const numbers& x, const numbers& y, const line_options& o) {
    shape s{points_of(x, y), o.label, o.color, std::max(0.0, o.marker ? 2.5 * o.width : o.width)};
    polyline dots;
    for (const point& p : s.points) dots.insert(dots.end(), {p, p, nowhere});
    if (o.marker) s.points = dots;
    s.is_marked = o.marker;
    state_->add(std::move(s));
    return *this;
}

SINTER_INLINE figure& figure::line(const numbers& y, const line_options& o) {
    const dims& shape = y.value->shape;
    return line(arange<double>(shape.size() == 0 ? 1 : shape[0]), y, o);
}

SINTER_INLINE figure& figure::band(const numbers& x, const numbers& low, const numbers& high, const line_options& o) {
    const polyline a = points_of(x, low), b = points_of(x, high);
    polyline there, back;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (detail::is_there(a[i]) && detail::is_there(b[i])) there.push_back(a[i]), back.push_back(b[i]);
    there.insert(there.end(), back.rbegin(), back.rend());
    state_->add({std::move(there), o.label, o.color});
    return *this;
}

SINTER_INLINE figure& figure::histogram(const numbers& x, const bar_options& o) {
    const array<double> all = matrix_of(x), finite = all[isfinite(all)];
    const auto [counts, edges] = sinter::histogram(finite, {.bins = o.bins});
    const std::vector<double> n = to_vector(array<double>(astype<double>(counts))), at = to_vector(edges);
    polyline outline{{at[0], 0}};
    for (std::size_t i = 0; i < n.size(); ++i) outline.insert(outline.end(), {{at[i], n[i]}, {at[i + 1], n[i]}});
    outline.push_back({at[n.size()], 0});
    state_->add({std::move(outline), o.label, o.color});
    return *this;
}

SINTER_INLINE void require_finite(const char* name, double v) {
    if (!ieee::is_finite(v))
        throw value_error("[plot] a heat map's " + std::string(name) + " is not finite: " + std::to_string(v));
}

SINTER_INLINE detail::colour_table colours_of(const array<double>& m, const imsave_options& o) {
    return {m.shape(0), m.shape(1), to_vector(detail::colours_of_numbers("plot", m.get_handle(), o))};
}

SINTER_INLINE figure& figure::heat_map(const numbers& n, const heat_map_options& o) {
    const array<double> m = matrix_of(n), bar = arange(255.0, -1.0, -1.0);
    if (m.ndim() != 2 || m.size() == 0)
        throw shape_error("[plot] a heat map is a matrix, not of the shape " + to_string(m.shape()));
    const std::vector<double> whole{0, double(m.shape(1)), double(m.shape(0)), 0};
    const std::vector<double>& extent = o.extent.empty() ? whole : o.extent;
    if (extent.size() != 4)
        throw shape_error("[plot] extent is {left, right, bottom, top}, not " + std::to_string(extent.size()) +
                          " numbers");
    for (double v : extent) require_finite("extent", v);
    axis ends;
    for (double v : to_vector(m)) ends.include(v);
    if (ieee::is_nan(ends.low)) ends = {.low = 0, .high = 1};
    if (!ieee::is_nan(o.vmin)) ends.low = o.vmin;
    if (!ieee::is_nan(o.vmax)) ends.high = o.vmax;
    require_finite("vmin", ends.low);
    require_finite("vmax", ends.high);
    shape s{{{extent[0], extent[3]}, {extent[1], extent[2]}}};
    s.colours = colours_of(m, {o.cmap, ends.low, ends.high});
    if (o.colorbar) s.bar = colours_of(bar(all, newaxis), {o.cmap});
    s.values = {{}, {}, false, ends.low, ends.high > ends.low ? ends.high : ends.low + 1};
    state_->shapes.push_back(std::move(s));
    return *this;
}

/// A rectangle with numbers at its left and lower sides.
struct frame {
    double left, right, top, bottom;
    axis x, y;

    SINTER_COMPARES frame(const figure_options& o, const std::vector<shape>& shapes, bool has_bar)
        : left(72),
          right(o.width - (has_bar ? 96.0 : 20.0)),
          top(o.title.empty() ? 16.0 : 34.0),
          bottom(o.height - (o.xlabel.empty() ? 30.0 : 48.0)),
          x{{left, bottom}, {right, bottom}, o.xlog},
          y{{left, bottom}, {left, top}, o.ylog} {
        for (const shape& s : shapes)
            for (const point& p : s.points) {
                // A matrix fills the frame, and areas stand on its lower side.
                x.include(p.x, s.is_map());
                y.include(p.y, s.is_map() || (s.width == canvas::filled && p.y == 0));
            }
        x.leave_room();
        y.leave_room();
        // A matrix begins at its left and its top: an axis runs backwards where its extent does.
        const auto map = codegen::find_if(shapes.begin(), shapes.end(), [](const shape& s) { return s.is_map(); });
        if (map != shapes.end() && map->points[0].x > map->points[1].x) std::swap(x.low, x.high);
        if (map != shapes.end() && map->points[0].y < map->points[1].y) std::swap(y.low, y.high);
    }
    point at(const point& p) const { return {x.at(p.x).x, y.at(p.y).y}; }

    void draw(canvas& c, const shape& s) const {
        polyline points;
        for (const point& p : s.points) points.push_back(at(p));
        if (s.is_map()) {
            c.colours(points[0], points[1], s.colours);
        } else {
            ink color = detail::ink_of(s.color);
            if (s.width == canvas::filled) color.opacity = 0.35;
            c.path(points, color, s.width);
        }
        if (s.bar.rows == 0) return;
        c.colours({right + 18, top}, {right + 34, bottom}, s.bar);
        axis values = s.values;
        values.from = {right + 34, bottom};
        values.to = {right + 34, top};
        values.draw(c, 6, {4, 0}, {7, 4}, anchor::start);
    }

    void draw_axes(canvas& c, const figure_options& o) const {
        c.path({{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}, dark, 1);
        x.draw(c, int((right - left) / 90), {0, 4}, {0, 18}, anchor::middle);
        y.draw(c, int((bottom - top) / 55), {-4, 0}, {-8, 4}, anchor::end);
        c.words({(left + right) / 2, top - 10}, o.title, 14, anchor::middle);
        c.words({(left + right) / 2, o.height - 10.0}, o.xlabel, 13, anchor::middle);
        c.words({18, (top + bottom) / 2}, o.ylabel, 13, anchor::middle, true);
    }

    void draw_legend(canvas& c, std::vector<shape> named) const {
        std::erase_if(named, [](const shape& s) { return s.label.empty(); });
        if (named.empty()) return;
        std::size_t longest = 0;
        for (const shape& s : named) longest = std::max(longest, s.label.size());
        const double begin = std::max(left, right - 46 - 7.0 * double(longest));
        double at = top + 18;
        c.path(detail::corners({begin, top + 4}, {right - 4, top + 8 + 18.0 * double(named.size())}),
               {{255, 255, 255}, 0.8});
        for (const shape& s : named) {
            const double first = s.is_marked ? 17 : 6, last = s.is_marked ? 17 : 28;
            c.path({{begin + first, at - 4}, {begin + last, at - 4}}, detail::ink_of(s.color),
                   s.width == canvas::filled ? 8 : s.width);
            c.words({begin + 36, at}, s.label, 12, anchor::start);
            at += 18;
        }
    }
};

SINTER_INLINE void figure::save(const std::string& path) const {
    const std::unique_ptr<canvas> c = detail::canvas_for(path, state_->options.width, state_->options.height);
    const std::vector<shape>& shapes = state_->shapes;
    const bool has_bar = codegen::any_of(shapes.begin(), shapes.end(), [](const shape& s) { return s.bar.rows > 0; });
    const frame f(state_->options, shapes, has_bar);
    for (const bool map : {true, false})
        for (const shape& s : shapes)
            if (s.is_map() == map) f.draw(*c, s);
    f.draw_legend(*c, shapes);
    f.draw_axes(*c, state_->options);
    c->save(path);
}

}  // namespace sinter::inline SINTER_ABI::plot

SINTER_IEEE_END
