// Rows whose elements are computed from neighbours: differences, windows, stencils and convolutions.
#include "functions.hpp"

using namespace sinter;

namespace bench {

namespace {

// The mean of the 3 x 3 elements around each inner one, as people write it.
array<float> box_blur(const array<float>& x) {
    const std::int64_t h = x.shape(0), w = x.shape(1);
    array<float> total = zeros<float>({h - 2, w - 2});
    for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 3; ++j) total += x(slice(i, h - 2 + i), slice(j, w - 2 + j));
    return total / 9.0f;
}

array<std::int8_t> next_generation(const array<std::int8_t>& x) {
    array<std::int8_t> n = zeros_like(x);
    for (std::int64_t i : {-1, 0, 1})
        for (std::int64_t j : {-1, 0, 1})
            if (i || j) n += roll(x, {i, j}, {0, 1});
    return astype<std::int8_t>(n == std::int8_t{3} || (x == std::int8_t{1} && n == std::int8_t{2}));
}

array<float> depthwise(const array<float>& x, const array<float>& k) {
    const std::int64_t h = x.shape(2) - 2, w = x.shape(3) - 2;
    array<float> y = zeros<float>({x.shape(0), x.shape(1), h, w});
    for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 3; ++j)
            y += x(all, all, slice(i, h + i), slice(j, w + j)) * k(all, i, j)(all, newaxis, newaxis);
    return y;
}

// An image at twice the size, each element from the four that lie around it.
array<float> resized(const array<float>& x) {
    auto places = [](std::int64_t n) {
        return array<float>(clip((arange<float>(2 * n) + 0.5f) / 2.0f - 0.5f, 0.0f, static_cast<float>(n - 1)));
    };
    array<float> y = places(x.shape(0)), z = places(x.shape(1));
    array<std::int64_t> i = astype<std::int64_t>(floor(y)), j = astype<std::int64_t>(floor(z));
    array<std::int64_t> i1 = minimum(i + 1, x.shape(0) - 1), j1 = minimum(j + 1, x.shape(1) - 1);
    array<float> a = (y - astype<float>(i))(all, newaxis), b = z - astype<float>(j);
    auto at = [&](const auto& p, const auto& q) { return x(p(all, newaxis), q(newaxis, all)); };
    return (1.0f - a) * ((1.0f - b) * at(i, j) + b * at(i, j1)) + a * ((1.0f - b) * at(i1, j) + b * at(i1, j1));
}

function_rows lines() {
    return {
        {"diff",
         [](const sizes& s) { return computing([](const auto& x) { return diff(x); }, hashed({s.line(1e8)})); }},
        {"diff_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return diff(x, 1, 0); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"gradient_2d",
         [](const sizes& s) {
             return computing(
                 [](const auto& x) {
                     auto g = gradient(x);
                     return std::tuple(g[0], g[1]);
                 },
                 hashed({s.side(8192), s.side(8192)}));
         }},
        {"windowed_mean",
         [](const sizes& s) {
             return computing([](const auto& x) { return array<float>(mean(sliding_window_view(x, {32}), -1)); },
                              hashed({s.line(2e7)}));
         }},
        {"convolve_31",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& k) { return convolve(x, k, "same"); },
                              hashed({s.line(2e7)}), hashed({31}, 3));
         }},
        {"trapezoid_rows",
         [](const sizes& s) {
             return computing([](const auto& x) { return trapezoid(x, 0.5); }, hashed({s.line(100000), 1000}));
         }},
    };
}

function_rows images() {
    return {
        {"box_blur", [](const sizes& s) { return computing(box_blur, hashed({s.side(8192), s.side(8192)})); }},
        {"game_of_life",
         [](const sizes& s) {
             return computing(next_generation, hashed_whole<std::int8_t>({s.side(8192), s.side(8192)}, 2));
         }},
        {"convolve2d_5x5",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& k) { return convolve2d(x, k, "same"); },
                              hashed({s.side(4096), s.side(4096)}), hashed({5, 5}, 3));
         }},
        {"depthwise_3x3",
         [](const sizes& s) {
             return computing(depthwise, hashed({s.line(32), 64, 114, 114}), hashed({64, 3, 3}, 3));
         }},
        {"avg_pool_2x2",
         [](const sizes& s) {
             return computing(
                 [](const auto& x) {
                     return array<float>(mean(reshape(x, {x.shape(0), x.shape(1) / 2, 2, x.shape(2) / 2, 2}), {2, 4}));
                 },
                 hashed({s.line(1024), 256, 256}));
         }},
        {"resize_bilinear", [](const sizes& s) { return computing(resized, hashed({s.side(4096), s.side(4096)})); }},
        {"pairwise_distances",
         [](const sizes& s) {
             return computing(
                 [](const auto& x, const auto& y) {
                     return sqrt(sum(square(x(all, newaxis, all) - y(newaxis, all, all)), -1));
                 },
                 hashed({s.side(8192), 3}), hashed({s.side(8192), 3}, 2));
         }},
    };
}

}  // namespace

function_rows functions_of_neighbours() {
    function_rows rows = lines();
    for (const function_row& row : images()) rows.push_back(row);
    return rows;
}

}  // namespace bench
