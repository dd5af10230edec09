// Nuclei of cells under a microscope, counted and measured: told from the background by Otsu's threshold and a little
// more, from each other by the places that lie deepest inside; writes a PNG of the micrograph and of what was found.
#include <cstdio>
#include <sinter/image.hpp>
#include <sinter/ndimage.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

/// The threshold between two classes of brightness that lie farthest apart for their sizes (Otsu 1979).
double otsu(const array<float>& picture) {
    auto [counts, edges] = histogram(picture, 256);
    array<double> n = astype<double>(counts), middle = (edges(slice(1, none)) + edges(slice(0, -1))) / 2;
    array<double> below = cumsum(n), light = cumsum(n * middle);
    array<double> above = below.item(-1) - below, rest = light.item(-1) - light;
    array<double> apart = below * above * square(light / below - rest / maximum(above, 1.0));
    return middle.item(nanargmax(apart).item());
}

int main() {
    array<float> picture = imread(SINTER_EXAMPLE_DATA "/nuclei.png");
    // Logarithms, since cells that divide are many times as bright; without the slow change of the background.
    array<float> smooth = ndimage::gaussian_filter(log(picture + 0.05f), 1);
    array<float> flat = smooth - ndimage::gaussian_filter(smooth, 60);
    array<bool> is_nucleus = ndimage::binary_opening(flat > otsu(flat) + 0.1, {.iterations = 2});
    auto [objects, touching] = ndimage::label(is_nucleus);

    // The deepest places, of which one is enough for each nucleus; every pixel belongs to the one that is nearest, by
    // depth.
    array<double> depth = ndimage::gaussian_filter(ndimage::distance_transform_edt(is_nucleus), 1);
    array<bool> is_deepest = depth == ndimage::maximum_filter(depth, 9) && depth > 3;
    auto [seeds, count] = ndimage::label(is_deepest, {.structure = ndimage::generate_binary_structure(2, 2)});
    array<std::int64_t> owner = astype<std::int64_t>(seeds), growing = owner;
    for (int i = 0; i < 40; ++i) {
        growing = astype<std::int64_t>(ndimage::maximum_filter(owner, 3));
        owner = where(is_nucleus && owner == 0, growing, owner).eval();
    }

    array<std::int64_t> area = bincount(ravel(owner), {.minlength = count + 1})(slice(1, none));
    array<double> light =
        bincount<double>(ravel(owner), {.weights = ravel(astype<double>(picture))})(slice(1, none)) / area;
    std::printf("%lld nuclei in %lld objects, %.0f pixels each in the middle; by hand 125 were marked\n",
                static_cast<long long>(count), static_cast<long long>(touching), double(median(area)));
    std::printf("the brightest, which divides, shines %.1f times as bright as the median\n",
                double(max(light) / median(light)));

    array<bool> is_edge = owner > 0 && (owner != ndimage::minimum_filter(owner, 3));
    array<float> hue = astype<float>(owner * 47 % 64) / 64, shown = clip(sqrt(picture), 0, 1);
    auto channel = [&](float shift) {
        return where(is_edge, 0.6f + 0.4f * cos(float(2 * pi) * (hue + shift)), 0.8f * shown);
    };
    array<float> found = stack(std::tuple(channel(0), channel(0.33f), channel(0.67f)), 2);
    array<float> before = stack(std::tuple(shown, shown, shown), 2);
    imsave("nuclei.png", concatenate(std::tuple(before, found), 1));
    return count > 105 && count < 145 ? 0 : 1;
}
