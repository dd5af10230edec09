// Draws lines over two logarithmic axes as an SVG file; for the examples only.
#pragma once

#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace example {

struct line {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< positive
};

/// A grid line for each power of ten that the points reach.
inline void write_lines(const std::string& path, const std::string& x_name, const std::string& y_name,
                        const std::vector<line>& lines) {
    double low[2] = {1e300, 1e300}, high[2] = {1e-300, 1e-300};
    for (const line& l : lines)
        for (const auto& [x, y] : l.points)
            for (auto [axis, v] : {std::pair(0, x), std::pair(1, y)})
                low[axis] = std::min(low[axis], v), high[axis] = std::max(high[axis], v);
    const int first[2] = {static_cast<int>(std::floor(std::log10(low[0]))),
                          static_cast<int>(std::floor(std::log10(low[1])))},
              last[2] = {static_cast<int>(std::ceil(std::log10(high[0]))),
                         static_cast<int>(std::ceil(std::log10(high[1])))};
    auto across = [&](double v) { return 70 + 440 * (std::log10(v) - first[0]) / std::max(last[0] - first[0], 1); };
    auto down = [&](double v) { return 340 - 310 * (std::log10(v) - first[1]) / std::max(last[1] - first[1], 1); };
    const char* colors[] = {"#7ac", "#048", "#c93", "#a30"};
    std::ofstream svg(path);
    svg << "<svg xmlns='http://www.w3.org/2000/svg' width='680' height='380' font-family='sans-serif' font-size='12'>\n"
        << "<rect width='680' height='380' fill='#fff'/><text x='520' y='360'>" << x_name
        << "</text><text x='10' y='18'>" << y_name << "</text>\n";
    for (int k = first[0]; k <= last[0]; ++k)
        svg << "<text x='" << across(std::pow(10, k)) << "' y='360'>" << std::pow(10, k) << "</text>\n";
    for (int k = first[1]; k <= last[1]; ++k)
        svg << "<path d='M70 " << down(std::pow(10, k)) << "h440' stroke='#ddd'/><text x='10' y='"
            << down(std::pow(10, k)) + 4 << "'>" << std::pow(10, k) << "</text>\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        svg << "<polyline fill='none' stroke-width='2' stroke='" << colors[i % 4] << "' points='";
        for (const auto& [x, y] : lines[i].points) svg << across(x) << ',' << down(y) << ' ';
        svg << "'/><text x='530' y='" << 40 + 20 * i << "' fill='" << colors[i % 4] << "'>" << lines[i].name
            << "</text>\n";
    }
    svg << "</svg>\n";
}

}  // namespace example
