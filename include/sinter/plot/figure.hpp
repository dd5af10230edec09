// Figures: lines, bands, histograms and heat maps with axes, as SVG or PNG files. Not part of the umbrella: include it
// where it is used.
#pragma once

#include <sinter/array/array.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/plot/canvas.hpp>

/// Figures as Matplotlib draws them, as far as it takes to look at results.
namespace sinter::inline SINTER_ABI::plot {

/// Options of a figure: its words, its size in pixels, and whether an axis is logarithmic.
struct figure_options {
    std::string title = {}, xlabel = {}, ylabel = {};
    int width = 640, height = 420;
    bool xlog = false, ylog = false;
};
/// Options of a line or a band: its name in the legend, its colour as "#rgb", "#rrggbb" or "C0" to "C9", else the next
/// of these, and its width; `marker` draws points instead of the line.
struct line_options {
    std::string label = {}, color = {};
    double width = 1.5;
    bool marker = false;
};
/// Options of a histogram: how many bins, and as of a line.
struct bar_options {
    std::int64_t bins = 10;
    std::string label = {}, color = {};
};
/// Options of a heat map, by Matplotlib's names: the ends of both axes, {left, right, bottom, top}; the least and the
/// greatest value that have a colour of their own; and a bar that says which colour is which value.
struct heat_map_options {
    std::string cmap = "viridis";  ///< as imsave has them
    double vmin = codegen::ieee::quiet_nan, vmax = codegen::ieee::quiet_nan;
    std::vector<double> extent = {};
    bool colorbar = true;
};

/// An array or expression of real numbers.
struct numbers {
    template <expression E>
    numbers(const E& e) : value(detail::as_handle(e)) {
        static_assert(!codegen::is_complex(dtype_of<value_type_t<E>>),
                      "sinter: a figure takes real numbers: take real, imag or abs");
    }
    detail::handle value;
};

/// One set of axes and what is drawn in it (matplotlib.pyplot.subplots): `plot::figure f({.title = "waves"});
/// f.line(x, y, {.label = "sin"}); f.save("waves.svg");`. What it is given is computed at once; a copy is the same
/// figure, and so is one that has been moved from. Numbers that are not finite are left out. Throws shape_error for
/// arrays that do not fit each other, and value_error for unknown colours and maps, for numbers that a logarithmic axis
/// has not, and for ends of a heat map that are not finite or in the wrong order.
class figure {
public:
    explicit figure(const figure_options& options = {});
    figure(const figure&) = default;
    figure& operator=(const figure&) = default;

    /// A line through the points (x, y), vectors of one length (pyplot.plot).
    figure& line(const numbers& x, const numbers& y, const line_options& o = {});
    /// A line through the points (0, y[0]), (1, y[1]), … (pyplot.plot).
    figure& line(const numbers& y, const line_options& o = {});
    /// The area between two curves over x (pyplot.fill_between), with an opacity of 0.35.
    figure& band(const numbers& x, const numbers& low, const numbers& high, const line_options& o = {});
    /// How many of the elements lie in each bin (pyplot.hist); bars stand on 0, of a logarithmic axis on its low end.
    figure& histogram(const numbers& x, const bar_options& o = {});
    /// A matrix as colours, its first row at the top (pyplot.imshow).
    figure& heat_map(const numbers& m, const heat_map_options& o = {});

    /// Writes an .svg or a .png file (pyplot.savefig); a .png's words have the letters of ASCII. Throws value_error for
    /// another extension, and io_error when the file cannot be written, or a .png without libpng.
    void save(const std::string& path) const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace sinter::inline SINTER_ABI::plot

#if SINTER_HEADER_ONLY
#include <sinter/plot/figure.ipp>
#endif
