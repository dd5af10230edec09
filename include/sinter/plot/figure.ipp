// Bodies of figure.hpp: where axes and their numbers stand, and what is drawn between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <sinter/analysis/counting.hpp>
#include <sinter/array/host.hpp>
#include <sinter/array/operators.hpp>
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

/// The ends of an axis, of a logarithmic one as powers of ten.
struct axis_range {
    bool is_log = false;
    double low = ieee::quiet_nan, high = ieee::quiet_nan;

    double scaled(double v) const { return is_log ? std::log10(v) : v; }
    double number(double v) const { return is_log ? std::pow(10.0, v) : v; }
    /// 0 at the low end, where that of 0 is on a logarithmic axis, 1 at the high one.
    double place(double v) const { return is_log && v == 0 ? 0 : (scaled(v) - low) / (high - low); }

    SINTER_COMPARES void include(double v) {
        if (!ieee::is_finite(v)) return;
        if (is_log && v <= 0) throw value_error("[plot] a logarithmic axis has no " + std::to_string(v));
        low = ieee::is_nan(low) ? scaled(v) : std::min(low, scaled(v));
        high = ieee::is_nan(high) ? scaled(v) : std::max(high, scaled(v));
    }
    /// Leaves room at both ends, unless they are to be tight.
    SINTER_COMPARES void settle(bool is_tight) {
        if (ieee::is_nan(low)) *this = {is_log, 0, 1};
        double margin = is_tight || is_log ? 0 : (high - low) / 25;
        if (low == high) margin = is_log || low == 0 ? 1 : std::abs(low) / 2;
        low -= margin;
        high += margin;
    }
    /// Round numbers within the range, about `count` of them.
    SINTER_COMPARES std::vector<double> ticks(int count) const {
        const double least = std::min(low, high), most = std::max(low, high), rough = (most - least) / count;
        const double ten = std::pow(10.0, std::floor(std::log10(rough))), digits = rough / ten;
        const double nice = ten * (digits > 5 ? 10 : digits > 2 ? 5 : digits > 1 ? 2 : 1);
        const double step = is_log ? std::max(1.0, std::ceil(rough)) : nice;
        std::vector<double> t;
        for (double k = std::ceil(least / step - 1e-9); k * step <= most + 1e-9 * step; ++k)
            t.push_back(number(k * step + 0.0));
        return t;
    }
};

/// Points in numbers of the axes: a line, or a closed one around an area.
struct series {
    enum class what : std::uint8_t { line, dots, band, bars } kind;
    polyline points;
    line_options options;
    bool is_area() const { return kind == what::band || kind == what::bars; }
};
using what = series::what;
struct heat {
    detail::colour_table colours, bar;
    axis_range values;
    std::vector<double> extent;
    bool has_bar;
};
/// A frame with numbers at its left and lower sides, and where numbers stand in it.
struct frame {
    double left, right, top, bottom;
    axis_range x, y;
    point at(const point& p) const {
        return {left + x.place(p.x) * (right - left), bottom - y.place(p.y) * (bottom - top)};
    }
};
struct figure::state {
    figure_options options;
    std::vector<series> all = {};
    std::vector<heat> maps = {};

    frame framed() const;
    bool has(what kind) const {
        return std::any_of(all.begin(), all.end(), [&](const series& s) { return s.kind == kind; });
    }
    /// Without a colour of its own it has one of the cycle that nothing has, while there is one.
    void add(what kind, polyline points, line_options o) {
        std::size_t k = 0;
        auto has_color = [&](const series& s) { return s.options.color == std::string("C").append(std::to_string(k)); };
        while (k < 10 && std::any_of(all.begin(), all.end(), has_color)) ++k;
        if (o.color.empty()) o.color.assign("C").append(std::to_string(k < 10 ? k : all.size() % 10));
        detail::ink_of(o.color);
        all.push_back({kind, std::move(points), std::move(o)});
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
    state_->add(o.marker ? what::dots : what::line, points_of(x, y), o);
    return *this;
}

SINTER_INLINE figure& figure::band(const numbers& x, const numbers& low, const numbers& high, const line_options& o) {
    const polyline a = points_of(x, low), b = points_of(x, high);
    polyline there, back;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (detail::is_there(a[i]) && detail::is_there(b[i])) there.push_back(a[i]), back.push_back(b[i]);
    there.insert(there.end(), back.rbegin(), back.rend());
    state_->add(what::band, std::move(there), o);
    return *this;
}

SINTER_INLINE figure& figure::histogram(const numbers& x, const bar_options& o) {
    const array<double> all = matrix_of(x), finite = all[isfinite(all)];
    const auto [counts, edges] = sinter::histogram(finite, {.bins = o.bins});
    const std::vector<double> n = to_vector(array<double>(astype<double>(counts))), at = to_vector(edges);
    polyline outline{{at[0], 0}};
    for (std::size_t i = 0; i < n.size(); ++i) outline.insert(outline.end(), {{at[i], n[i]}, {at[i + 1], n[i]}});
    outline.push_back({at[n.size()], 0});
    state_->add(what::bars, std::move(outline), {.label = o.label, .color = o.color});
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
    axis_range ends;
    for (double v : to_vector(m)) ends.include(v);
    if (ieee::is_nan(ends.low)) ends = {.low = 0, .high = 1};
    if (!ieee::is_nan(o.vmin)) ends.low = o.vmin;
    if (!ieee::is_nan(o.vmax)) ends.high = o.vmax;
    require_finite("vmin", ends.low);
    require_finite("vmax", ends.high);
    state_->maps.push_back({colours_of(m, {o.cmap, ends.low, ends.high}), colours_of(bar(all, newaxis), {o.cmap}), ends,
                            extent, o.colorbar});
    return *this;
}

// Marks round numbers of an axis from one point to another: a stroke, and the number at a distance.
SINTER_INLINE void draw_ticks(canvas& c, const axis_range& axis, point from, point to, int count, point stroke,
                              point number, anchor where) {
    for (double t : axis.ticks(std::max(2, count))) {
        const double share = axis.place(t), range = axis.high - axis.low;
        const point at{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
        c.path({at, {at.x + stroke.x, at.y + stroke.y}}, dark, 1);
        const bool is_zero = !axis.is_log && std::abs(t) < 1e-9 * std::abs(range);
        c.words({at.x + number.x, at.y + number.y}, detail::short_number(is_zero ? 0.0 : t), 12, where);
    }
}

SINTER_INLINE void draw_axes(canvas& c, const frame& f, const figure_options& o) {
    const point low{f.left, f.bottom}, right{f.right, f.bottom}, top{f.left, f.top};
    c.path({top, {f.right, f.top}, right, low, top}, dark, 1);
    draw_ticks(c, f.x, low, right, int((f.right - f.left) / 90), {0, 4}, {0, 18}, anchor::middle);
    draw_ticks(c, f.y, low, top, int((f.bottom - f.top) / 55), {-4, 0}, {-8, 4}, anchor::end);
    c.words({(f.left + f.right) / 2, f.top - 10}, o.title, 14, anchor::middle);
    c.words({(f.left + f.right) / 2, o.height - 10.0}, o.xlabel, 13, anchor::middle);
    c.words({18, (f.top + f.bottom) / 2}, o.ylabel, 13, anchor::middle, true);
}

SINTER_INLINE void draw_map(canvas& c, const frame& f, const heat& m) {
    c.colours(f.at({m.extent[0], m.extent[3]}), f.at({m.extent[1], m.extent[2]}), m.colours);
    if (!m.has_bar) return;
    const double left = f.right + 18, right = left + 16;
    c.colours({left, f.top}, {right, f.bottom}, m.bar);
    const axis_range ends{.low = m.values.low, .high = m.values.high > m.values.low ? m.values.high : m.values.low + 1};
    draw_ticks(c, ends, {right, f.bottom}, {right, f.top}, 6, {4, 0}, {7, 4}, anchor::start);
}

SINTER_INLINE frame figure::state::framed() const {
    const bool has_bar = std::any_of(maps.begin(), maps.end(), [](const heat& m) { return m.has_bar; });
    frame f{72,
            options.width - (has_bar ? 96.0 : 20.0),
            options.title.empty() ? 16.0 : 34.0,
            options.height - (options.xlabel.empty() ? 30.0 : 48.0),
            {.is_log = options.xlog},
            {.is_log = options.ylog}};
    for (const series& one : all)
        for (const point& p : one.points) {
            f.x.include(p.x);
            // Bars of none stand at the low end of an axis that has no 0.
            if (one.kind != what::bars || !f.y.is_log || p.y != 0) f.y.include(p.y);
        }
    for (const heat& m : maps)
        for (std::size_t i = 0; i < 4; ++i) (i < 2 ? f.x : f.y).include(m.extent[i]);
    // Bars stand on the axis, and a matrix fills it.
    const bool stands = (has(what::band) || has(what::bars)) && !f.y.is_log && f.y.low == 0;
    f.x.settle(!maps.empty());
    f.y.settle(!maps.empty());
    if (stands) f.y.low = 0;
    if (has(what::bars) && f.y.is_log) f.y.low -= std::log10(2.0);
    // A matrix begins at its left and its top: an axis runs backwards where its extent does.
    if (!maps.empty() && maps[0].extent[0] > maps[0].extent[1]) std::swap(f.x.low, f.x.high);
    if (!maps.empty() && maps[0].extent[2] > maps[0].extent[3]) std::swap(f.y.low, f.y.high);
    return f;
}

SINTER_INLINE void draw_series(canvas& c, const frame& f, const series& s) {
    ink color = detail::ink_of(s.options.color);
    polyline points;
    for (const point& p : s.points) {
        points.push_back(f.at(p));
        if (s.kind == what::dots) points.insert(points.end(), {f.at(p), nowhere});
    }
    if (s.is_area()) color.opacity = 0.35;
    const double width = std::max(0.0, s.options.marker ? 2.5 * s.options.width : s.options.width);
    c.path(points, color, s.is_area() ? canvas::filled : width);
}

SINTER_INLINE void draw_legend(canvas& c, const frame& f, std::vector<series> named) {
    std::erase_if(named, [](const series& s) { return s.options.label.empty(); });
    if (named.empty()) return;
    std::size_t longest = 0;
    for (const series& s : named) longest = std::max(longest, s.options.label.size());
    const double left = std::max(f.left, f.right - 46 - 7.0 * double(longest));
    double y = f.top + 18;
    c.path(detail::corners({left, f.top + 4}, {f.right - 4, f.top + 8 + 18.0 * double(named.size())}),
           {{255, 255, 255}, 0.8});
    for (const series& s : named) {
        c.path({{left + 6, y - 4}, {left + 28, y - 4}}, detail::ink_of(s.options.color), s.is_area() ? 8 : 2);
        c.words({left + 36, y}, s.options.label, 12, anchor::start);
        y += 18;
    }
}

SINTER_INLINE void figure::save(const std::string& path) const {
    const std::unique_ptr<canvas> c = detail::canvas_for(path, state_->options.width, state_->options.height);
    const frame f = state_->framed();
    for (const heat& m : state_->maps) draw_map(*c, f, m);
    for (const series& s : state_->all) draw_series(*c, f, s);
    draw_legend(*c, f, state_->all);
    draw_axes(*c, f, state_->options);
    c->save(path);
}

}  // namespace sinter::inline SINTER_ABI::plot

SINTER_IEEE_END
