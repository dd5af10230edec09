// Figures: what stands in an SVG, which colours a PNG has, and what is refused.
#include <algorithm>
#include <clocale>
#include <fstream>
#include <sinter/image.hpp>
#include <sinter/plot.hpp>
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

std::string text_of(const plot::figure& f, const std::string& path) {
    f.save(path);
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool has_libpng(const std::string& folder) {
    try {
        imsave(folder + "one.png", zeros({1, 1}));
    } catch (const io_error&) {
        MESSAGE("not run: no libpng");
        return false;
    }
    return true;
}

}  // namespace

TEST_CASE(
    "a line's figure has round numbers at its axes, words with their signs, and a gap where a number is not finite") {
    const scratch_folder folder;
    on_every_backend([&](const tested_backend&) {
        plot::figure f({.title = "a < b & c", .xlabel = "x", .ylabel = "y"});
        array<float> x{0, 1, 2, 3, 4, 5};
        f.line(x, array<float>{0, 2, float(constants::nan), 4, 3, 1}, {.label = "heights", .color = "#102030"});
        const std::string svg = text_of(f, folder.path + "/line.svg");
        for (const char* number : {">0<", ">1<", ">2<", ">3<", ">4<", ">5<"}) CHECK(has(svg, number));
        CHECK(has(svg, "a &lt; b &amp; c"));
        CHECK(has(svg, "heights"));
        // Two parts, each begun by a move.
        const std::size_t at = svg.find("stroke=\"#102030\""), begin = svg.rfind("d=\"", at);
        const std::string path = svg.substr(begin, at - begin);
        CHECK(std::count(path.begin(), path.end(), 'M') == 2);
        CHECK(std::count(path.begin(), path.end(), 'L') == 3);
    });
}

TEST_CASE("a line of heights alone is drawn over their numbers") {
    const scratch_folder folder;
    on_every_backend([&](const tested_backend&) {
        const array<float> y{0, 2, 4, 3, 1};
        plot::figure f, g;
        f.line(y, {.label = "heights"});
        g.line(arange(5), y, {.label = "heights"});
        CHECK(text_of(f, folder.path + "/f.svg") == text_of(g, folder.path + "/g.svg"));
        CHECK_THROWS_AS(f.line(zeros({2, 3})), shape_error);
    });
}

TEST_CASE("a heat map's pixels have the colours that imsave gives to the same matrix") {
    const scratch_folder folder;
    if (!has_libpng(folder.path + "/")) return;
    on_every_backend([&](const tested_backend&) {
        array<double> m = reshape(arange<double>(6), {2, 3});
        m(1, 1) = constants::nan;
        plot::figure f({.width = 372, .height = 246});
        f.heat_map(m, {.cmap = "magma", .colorbar = false}).save(folder.path + "/map.png");
        imsave(folder.path + "/colours.png", m, {.cmap = "magma"});
        const array<std::uint8_t> drawn = imread<std::uint8_t>(folder.path + "/map.png");
        const array<std::uint8_t> wanted = imread<std::uint8_t>(folder.path + "/colours.png");
        REQUIRE(drawn.shape() == dims(246, 372, 3));
        // The frame has 280 x 200 pixels from (72, 16) on.
        for (int r = 0; r < 2; ++r)
            for (int c = 0; c < 3; ++c) CHECK(array_equal(drawn(16 + 50 + 100 * r, 72 + 47 + 93 * c), wanted(r, c)));
        CHECK(array_equal(drawn(2, 2), array<std::uint8_t>{255, 255, 255}));
    });
}

TEST_CASE("markers are dots, all of a line one path, with a decimal point wherever") {
    const scratch_folder folder;
    const char* languages[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (const char* language : languages)
        if (std::setlocale(LC_NUMERIC, language)) break;
    plot::figure f;
    f.line(array<double>{0.5, 1.25, 2}, array<double>{1, 2, 4}, {.color = "#102030", .marker = true});
    const std::string svg = text_of(f, folder.path + "/dots.svg");
    std::setlocale(LC_NUMERIC, "C");
    const std::size_t at = svg.find("stroke=\"#102030\""), begin = svg.rfind("d=\"", at);
    const std::string path = svg.substr(begin, at - begin);
    CHECK(std::count(path.begin(), path.end(), 'M') == 3);
    CHECK(std::count(path.begin(), path.end(), 'L') == 3);
    CHECK(has(path, "stroke-linecap=\"round\""));
    CHECK(has(svg, ">1.5<"));
    CHECK(std::count(path.begin(), path.end(), ',') == 0);
}

TEST_CASE("heat maps lie as their extents run, and of any numbers") {
    const scratch_folder folder;
    if (!has_libpng(folder.path + "/")) return;
    auto pixels = [&](const array<double>& m, const plot::heat_map_options& o) {
        plot::figure f({.width = 372, .height = 246});
        f.heat_map(m, o).save(folder.path + "/map.png");
        f.save(folder.path + "/map.svg");
        return imread<std::uint8_t>(folder.path + "/map.png");
    };
    const array<double> m{{0, 1}, {2, 3}}, wide{{-1.7e308, 1.7e308}};
    const auto usual = pixels(m, {.colorbar = false});
    for (const std::vector<double>& extent : std::vector<std::vector<double>>{{2, 0, 2, 0}, {0, 2, 0, 2}, {2, 0, 0, 2}})
        for (int row : {66, 166})
            for (int column : {142, 282})
                CHECK(array_equal(pixels(m, {.extent = extent, .colorbar = false})(row, column), usual(row, column)));
    const auto drawn = pixels(wide, {.colorbar = false});
    CHECK(array_equal(drawn(100, 142), usual(66, 142)));
    CHECK(array_equal(drawn(100, 282), usual(166, 282)));
    pixels(wide, {.extent = {-1.7e308, 1.7e308, 0, 1}});
    CHECK_THROWS_WITH_AS(pixels(m, {.extent = {0, 3, 0, constants::nan}}),
                         "[plot] a heat map's extent is not finite: nan", value_error);
    CHECK_THROWS_WITH_AS(pixels(m, {.vmin = -constants::inf}), "[plot] a heat map's vmin is not finite: -inf",
                         value_error);
    CHECK_THROWS_WITH_AS(pixels(m, {.vmax = constants::inf}), "[plot] a heat map's vmax is not finite: inf",
                         value_error);
}

TEST_CASE("bars stand on the axis and logarithmic axes have powers of ten") {
    const scratch_folder folder;
    on_every_backend([&](const tested_backend&) {
        plot::figure bars;
        bars.histogram(array<int>{1, 2, 2, 3, 3, 3, 9}, {.bins = 4});
        CHECK(has(text_of(bars, folder.path + "/bars.svg"), ">0<"));
        plot::figure counts({.ylog = true});
        counts.histogram(array<int>{1, 2, 2, 3, 3, 3, 9}, {.bins = 4});
        CHECK(has(text_of(counts, folder.path + "/counts.svg"), ">1<"));
        plot::figure lines({.xlog = true, .ylog = true});
        array<double> n = logspace(0, 3, 7);
        const std::string svg = text_of(lines.line(n, 1.0 / n).band(n, 0.5 / n, 2.0 / n), folder.path + "/log.svg");
        for (const char* number : {">1<", ">10<", ">100<", ">1000<", ">0.1<", ">0.01<"}) CHECK(has(svg, number));
        // Over many powers the numbers are some of them, the smallest is no 0, and one value alone has room around it.
        plot::figure many({.ylog = true}), one({.ylog = true});
        const std::string powers =
            text_of(many.line(array<double>{0, 1}, array<double>{1e-9, 1e3}), folder.path + "/many.svg");
        for (const char* number : {">1e-08<", ">1e-06<", ">0.0001<", ">0.01<", ">1<", ">100<"})
            CHECK(has(powers, number));
        // The room beside the least and largest numbers has none.
        plot::figure doubles({.ylog = true});
        const std::string every =
            text_of(doubles.line(array<double>{1, 2}, array<double>{5e-324, 1.7e308}), folder.path + "/doubles.svg");
        for (const char* number : {">0<", ">inf<"}) CHECK(!has(every.substr(every.find("<text")), number));
        const std::string alone =
            text_of(one.line(array<double>{1, 2}, array<double>{10, 10}), folder.path + "/one.svg");
        for (const char* number : {">1<", ">10<", ">100<"}) CHECK(has(alone, number));
        for (const std::string& text : {powers, alone}) CHECK_FALSE(has(text.substr(text.find(">1<")), ">0<"));
    });
}

TEST_CASE("a figure refuses what does not fit and names it") {
    plot::figure f;
    array<double> x{1, 2, 3}, m = ones({2, 2});
    CHECK_THROWS_WITH_AS(f.line(x, array<double>{1, 2}), "[plot] lengths differ: 3 and 2", shape_error);
    CHECK_THROWS_WITH_AS(f.line(m, m), "[plot] a line has one axis, not the shape (2, 2)", shape_error);
    CHECK_THROWS_WITH_AS(f.heat_map(x), "[plot] a heat map is a matrix, not of the shape (3,)", shape_error);
    CHECK_THROWS_AS(f.heat_map(m, {.cmap = "nothing"}), value_error);
    CHECK_THROWS_WITH_AS(f.heat_map(m, {.vmin = 2, .vmax = 1}), "[plot] vmin 2 is greater than vmax 1", value_error);
    CHECK_THROWS_WITH_AS(f.line(x, x, {.color = "red"}),
                         "[plot] a colour is \"#rgb\", \"#rrggbb\" or \"C0\" to \"C9\", not \"red\"", value_error);
    CHECK_THROWS_WITH_AS(f.save("figure.jpg"), "[plot] a figure is an .svg or a .png file, not figure.jpg",
                         value_error);
    CHECK_THROWS_WITH_AS(f.save("/nonexistent/f.svg"), "[plot] cannot write /nonexistent/f.svg", io_error);
    CHECK_THROWS_AS(plot::figure({.width = 10}), value_error);
    plot::figure logarithmic({.ylog = true});
    logarithmic.line(x, x - 1);
    CHECK_THROWS_AS(logarithmic.save("never.svg"), value_error);
}
