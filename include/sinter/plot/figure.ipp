// Bodies of figure.hpp: where axes and their numbers stand, and what is drawn between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sinter/analysis/counting.hpp>
#include <sinter/array/host.hpp>
#include <sinter/array/operators.hpp>
#include <sinter/io/image.hpp>
#include <sinter/io/png.hpp>
#include <sinter/plot/figure.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::vector<double> plotted_numbers(const handle& h) {
    if (h->shape.size() > 1) throw shape_error("[plot] a line has one axis, not the shape " + to_string(h->shape));
    return to_vector(array<double>(record_cast(h, dtype::float64)));
}

/// The ends of an axis, and where its numbers stand.
struct axis_range {
    double low = codegen::ieee::quiet_nan, high = codegen::ieee::quiet_nan;
    bool is_log = false;

    SINTER_COMPARES void include(double v) {
        if (!ieee::is_finite(v)) return;
        if (is_log && v <= 0) throw value_error("[plot] a logarithmic axis has no " + std::to_string(v));
        if (ieee::is_nan(low) || v < low) low = v;
        if (ieee::is_nan(high) || v > high) high = v;
    }
    /// 0 at the low end, 1 at the high one.
    double place(double v) const {
        if (is_log) return (std::log10(v) - std::log10(low)) / (std::log10(high) - std::log10(low));
        return (v - low) / (high - low);
    }
    SINTER_COMPARES void settle(bool is_tight) {
        if (ieee::is_nan(low)) {
            low = is_log ? 1 : 0;
            high = is_log ? 10 : 1;
        }
        if (is_log && low == high) {
            low /= 10;
            high *= 10;
        }
        const double margin = low == high          ? (low == 0 ? 1 : std::abs(low) / 2)
                              : is_tight || is_log ? 0
                                                   : (high - low) / 25;
        low -= margin;
        high += margin;
    }
    /// Round numbers within the range, about `count` of them.
    SINTER_COMPARES std::vector<double> ticks(int count) const {
        std::vector<double> t;
        if (is_log) {
            const int first = int(std::ceil(std::log10(low) - 1e-9)), last = int(std::floor(std::log10(high) + 1e-9));
            for (int k = first; k <= last; k += 1 + (last - first) / count) t.push_back(std::pow(10.0, double(k)));
            return t;
        }
        const double least = std::min(low, high), most = std::max(low, high);
        const double rough = (most - least) / count, ten = std::pow(10.0, std::floor(std::log10(rough)));
        const double step = ten * (rough / ten > 5 ? 10 : rough / ten > 2 ? 5 : rough / ten > 1 ? 2 : 1);
        const double first = std::ceil(least / step - 1e-9);
        for (int k = 0; (first + k) * step <= most + 1e-9 * step; ++k) t.push_back((first + k) * step + 0.0);
        return t;
    }
};

SINTER_INLINE std::string tick_text(double v, double range) {
    return short_number(std::abs(v) < 1e-9 * std::abs(range) ? 0.0 : v);
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI::plot {

using detail::anchor;
using detail::point;
namespace ieee = codegen::ieee;

struct figure::state {
    /// A line, a band (closed) or bars (closed), in numbers of the axes.
    struct series {
        std::vector<point> points;
        line_options options;
        bool is_area = false, is_bars = false;
        /// Bars of none stand at the low end of an axis that has no 0.
        bool is_at_end(const point& p, const detail::axis_range& y) const { return is_bars && y.is_log && p.y == 0; }
    };
    struct map {
        std::int64_t rows = 0, columns = 0;
        std::vector<std::uint8_t> bytes, bar;
        double vmin = 0, vmax = 1;
        std::vector<double> extent;
        bool has_bar = false;
    };
    figure_options options;
    std::vector<series> all;
    std::vector<map> maps;

    /// A colour of the cycle that nothing has, while there is one.
    std::string next_color(const std::string& given) const {
        if (!given.empty()) {
            detail::ink_of("plot", given);
            return given;
        }
        for (int k = 0; k < 10; ++k) {
            const std::string name = "C" + std::to_string(k);
            if (std::none_of(all.begin(), all.end(), [&](const series& s) { return s.options.color == name; }))
                return name;
        }
        return "C" + std::to_string(all.size() % 10);
    }
    void add(std::vector<point> points, const line_options& o, bool is_area, bool is_bars = false) {
        line_options own = o;
        own.color = next_color(o.color);
        all.push_back({std::move(points), own, is_area, is_bars});
    }
    struct frame;
    frame framed() const;
    void draw_series(detail::canvas& c, const frame& f) const;
    void draw_legend(detail::canvas& c, const frame& f) const;
    detail::canvas drawn() const;
};

SINTER_INLINE figure::figure(const figure_options& options) : state_(std::make_unique<state>()) {
    if (options.width < 160 || options.height < 120 || options.width > 16384 || options.height > 16384)
        throw value_error("[plot] a figure has from 160 x 120 to 16384 x 16384 pixels, not " +
                          std::to_string(options.width) + " x " + std::to_string(options.height));
    state_->options = options;
}
SINTER_INLINE figure::figure(figure&&) noexcept = default;
SINTER_INLINE figure& figure::operator=(figure&&) noexcept = default;
SINTER_INLINE figure::~figure() = default;

SINTER_INLINE void require_one_length(std::size_t x, std::size_t y) {
    if (x != y) throw shape_error("[plot] lengths differ: " + std::to_string(x) + " and " + std::to_string(y));
}

SINTER_INLINE void figure::add_line(std::vector<double> x, std::vector<double> y, const line_options& o) {
    require_one_length(x.size(), y.size());
    std::vector<point> points;
    for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i]});
    state_->add(std::move(points), o, false);
}

SINTER_INLINE void figure::add_band(std::vector<double> x, std::vector<double> low, std::vector<double> high,
                                    const line_options& o) {
    require_one_length(x.size(), low.size());
    require_one_length(x.size(), high.size());
    std::vector<point> there, back;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!ieee::is_finite(x[i]) || !ieee::is_finite(low[i]) || !ieee::is_finite(high[i])) continue;
        there.push_back({x[i], low[i]});
        back.push_back({x[i], high[i]});
    }
    there.insert(there.end(), back.rbegin(), back.rend());
    state_->add(std::move(there), o, true);
}

SINTER_INLINE void figure::add_histogram(const detail::handle& h, const bar_options& o) {
    if (codegen::is_complex(h->type)) throw type_error("[plot] a histogram takes real numbers");
    const array<double> all = array<double>(detail::record_cast(h, dtype::float64));
    const array<double> x = all[isfinite(all)];
    auto [counts, edges] = sinter::histogram(x, {.bins = o.bins});
    const std::vector<double> n = detail::plotted_numbers(array<double>(astype<double>(counts)).get_handle());
    const std::vector<double> at = detail::plotted_numbers(edges.get_handle());
    std::vector<point> outline{{at[0], 0}};
    for (std::size_t i = 0; i < n.size(); ++i) {
        outline.push_back({at[i], n[i]});
        outline.push_back({at[i + 1], n[i]});
    }
    outline.push_back({at[n.size()], 0});
    state_->add(std::move(outline), {.label = o.label, .color = o.color}, true, true);
}

SINTER_INLINE void figure::add_heat_map(const detail::handle& h, const heat_map_options& o) {
    if (h->shape.size() != 2 || h->shape.product() == 0)
        throw shape_error("[plot] a heat map is a matrix, not of the shape " + to_string(h->shape));
    if (codegen::is_complex(h->type)) throw type_error("[plot] a heat map takes real numbers");
    if (!o.extent.empty() && o.extent.size() != 4)
        throw shape_error("[plot] extent is {left, right, bottom, top}, not " + std::to_string(o.extent.size()) +
                          " numbers");
    auto require_finite = [](const char* name, double v) {
        if (!ieee::is_finite(v))
            throw value_error("[plot] a heat map's " + std::string(name) + " is not finite: " + std::to_string(v));
    };
    for (double v : o.extent) require_finite("extent", v);
    if (!ieee::is_nan(o.vmin)) require_finite("vmin", o.vmin);
    if (!ieee::is_nan(o.vmax)) require_finite("vmax", o.vmax);
    const auto colours = detail::colours_of("plot", o.cmap);
    const std::vector<double> values = to_vector(array<double>(detail::record_cast(h, dtype::float64)));
    state::map m{h->shape[0], h->shape[1], {}, {}, o.vmin, o.vmax, o.extent, o.colorbar};
    detail::axis_range range;
    for (double v : values) range.include(v);
    if (ieee::is_nan(m.vmin)) m.vmin = ieee::is_nan(range.low) ? 0 : range.low;
    if (ieee::is_nan(m.vmax)) m.vmax = ieee::is_nan(range.high) ? 1 : range.high;
    // Of halves also the width of all that is finite is finite.
    const double width = m.vmax > m.vmin ? m.vmax / 2 - m.vmin / 2 : 0.5;
    for (double v : values) {
        const double share = (v / 2 - m.vmin / 2) / width;
        // Behind the colours of the map stands that of NaN.
        const double number = ieee::is_nan(v) ? 256 : !(share >= 0) ? 0 : std::min(std::floor(share * 256), 255.0);
        for (std::size_t k = 0; k < 3; ++k) m.bytes.push_back(colours[3 * static_cast<std::size_t>(number) + k]);
    }
    for (std::size_t i = 0; i < 256 * 3; ++i) m.bar.push_back(colours[3 * (255 - i / 3) + i % 3]);
    if (m.extent.empty()) m.extent = {0, double(m.columns), double(m.rows), 0};
    state_->maps.push_back(std::move(m));
}

/// A frame with numbers at its left and lower sides, and where numbers stand in it.
struct figure::state::frame {
    double left, right, top, bottom;
    detail::axis_range x, y;
    point at(const point& p) const {
        return {left + x.place(p.x) * (right - left), bottom - y.place(p.y) * (bottom - top)};
    }
};

template <class Frame>
SINTER_COMPARES void draw_axes(detail::canvas& c, const Frame& f, const figure_options& o) {
    const detail::ink black{0.2, 0.2, 0.2, 1};
    c.line({{f.left, f.top}, {f.right, f.top}, {f.right, f.bottom}, {f.left, f.bottom}, {f.left, f.top}}, 1, black);
    for (double t : f.x.ticks(std::max(2, int((f.right - f.left) / 90)))) {
        const double x = f.left + f.x.place(t) * (f.right - f.left);
        c.line({{x, f.bottom}, {x, f.bottom + 4}}, 1, black);
        c.words({x, f.bottom + 18}, detail::tick_text(t, f.x.high - f.x.low), 12, anchor::middle);
    }
    for (double t : f.y.ticks(std::max(2, int((f.bottom - f.top) / 55)))) {
        const double y = f.bottom - f.y.place(t) * (f.bottom - f.top);
        c.line({{f.left - 4, y}, {f.left, y}}, 1, black);
        c.words({f.left - 8, y + 4}, detail::tick_text(t, f.y.high - f.y.low), 12, anchor::end);
    }
    c.words({(f.left + f.right) / 2, f.top - 10}, o.title, 14, anchor::middle);
    c.words({(f.left + f.right) / 2, o.height - 10.0}, o.xlabel, 13, anchor::middle);
    c.words({18, (f.top + f.bottom) / 2}, o.ylabel, 13, anchor::middle, true);
}

template <class Frame>
SINTER_COMPARES void draw_color_bar(detail::canvas& c, const Frame& f, std::vector<std::uint8_t> colours, double vmin,
                                    double vmax) {
    const double left = f.right + 18, right = left + 16;
    c.picture({left, f.top}, {right, f.bottom}, 256, 1, std::move(colours));
    const detail::axis_range range{vmin, vmax > vmin ? vmax : vmin + 1, false};
    for (double t : range.ticks(6)) {
        const double y = f.bottom - range.place(t) * (f.bottom - f.top);
        c.line({{right, y}, {right + 4, y}}, 1, {0.2, 0.2, 0.2, 1});
        c.words({right + 7, y + 4}, detail::tick_text(t, range.high - range.low), 12, anchor::start);
    }
}

SINTER_INLINE figure::state::frame figure::state::framed() const {
    const bool has_bar = std::any_of(maps.begin(), maps.end(), [](const map& m) { return m.has_bar; });
    frame f{72,
            options.width - (has_bar ? 96.0 : 20.0),
            options.title.empty() ? 16.0 : 34.0,
            options.height - (options.xlabel.empty() ? 30.0 : 48.0),
            {},
            {}};
    f.x.is_log = options.xlog;
    f.y.is_log = options.ylog;
    bool has_area = false, has_bars = false;
    for (const series& s : all) {
        has_area = has_area || s.is_area;
        has_bars = has_bars || s.is_bars;
        for (const point& p : s.points) {
            f.x.include(p.x);
            if (!s.is_at_end(p, f.y)) f.y.include(p.y);
        }
    }
    for (const map& m : maps) {
        f.x.include(m.extent[0]);
        f.x.include(m.extent[1]);
        f.y.include(m.extent[2]);
        f.y.include(m.extent[3]);
    }
    // Bars stand on the axis, and a matrix fills it.
    const bool stands = has_area && f.y.low == 0;
    f.x.settle(!maps.empty());
    f.y.settle(!maps.empty());
    if (stands) f.y.low = 0;
    if (has_bars && f.y.is_log) f.y.low /= 2;
    return f;
}

SINTER_INLINE void figure::state::draw_series(detail::canvas& c, const frame& f) const {
    for (const series& s : all) {
        std::vector<point> points;
        for (const point& p : s.points) points.push_back(f.at(s.is_at_end(p, f.y) ? point{p.x, f.y.low} : p));
        detail::ink color = detail::ink_of("plot", s.options.color);
        if (s.is_area) {
            color.opacity = 0.35;
            c.area(points, color);
        } else if (s.options.marker) {
            constexpr double nowhere = ieee::quiet_nan;
            std::vector<point> dots;
            for (const point& p : points) dots.insert(dots.end(), {p, p, {nowhere, nowhere}});
            c.line(std::move(dots), 2.5 * s.options.width, color);
        } else {
            c.line(points, s.options.width, color);
        }
    }
}

SINTER_INLINE void figure::state::draw_legend(detail::canvas& c, const frame& f) const {
    std::size_t longest = 0;
    double y = f.top + 18;
    for (const series& s : all) {
        if (s.options.label.empty()) continue;
        longest = std::max(longest, s.options.label.size());
        y += 18;
    }
    if (longest == 0) return;
    const double left = std::max(f.left, f.right - 46 - 7.0 * double(longest));
    c.area({{left, f.top + 4}, {f.right - 4, f.top + 4}, {f.right - 4, y - 10}, {left, y - 10}}, {1, 1, 1, 0.8});
    y = f.top + 18;
    for (const series& s : all) {
        if (s.options.label.empty()) continue;
        c.line({{left + 6, y - 4}, {left + 28, y - 4}}, s.is_area ? 8 : 2, detail::ink_of("plot", s.options.color));
        c.words({left + 36, y}, s.options.label, 12, anchor::start);
        y += 18;
    }
}

SINTER_INLINE detail::canvas figure::state::drawn() const {
    detail::canvas c(options.width, options.height);
    frame f = framed();
    // A matrix begins at its left and its top: an axis runs backwards where its extent does.
    if (!maps.empty() && maps[0].extent[0] > maps[0].extent[1]) std::swap(f.x.low, f.x.high);
    if (!maps.empty() && maps[0].extent[2] > maps[0].extent[3]) std::swap(f.y.low, f.y.high);
    for (const map& m : maps) {
        const point a = f.at({m.extent[0], m.extent[3]}), b = f.at({m.extent[1], m.extent[2]});
        c.picture(a, b, m.rows, m.columns, m.bytes);
        if (m.has_bar) draw_color_bar(c, f, m.bar, m.vmin, m.vmax);
    }
    draw_series(c, f);
    draw_legend(c, f);
    draw_axes(c, f, options);
    return c;
}

SINTER_INLINE void figure::save(const std::string& path) const {
    const detail::canvas c = state_->drawn();
    if (path.ends_with(".svg")) {
        std::ofstream file(path, std::ios::binary);
        file << c.svg() << std::flush;
        if (!file) throw io_error("[plot] cannot write " + path);
    } else if (path.ends_with(".png")) {
        detail::require_png("plot");
        const std::vector<std::uint8_t> pixels = c.pixels();
        detail::picture p{c.height(), c.width(), 3, std::unique_ptr<char[]>(new char[pixels.size()])};
        std::copy(pixels.begin(), pixels.end(), p.bytes.get());
        detail::write_png(path, p);
    } else {
        throw value_error("[plot] a figure is an .svg or a .png file, not " + path);
    }
}

}  // namespace sinter::inline SINTER_ABI::plot

SINTER_IEEE_END
