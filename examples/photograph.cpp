// A photograph through a gaussian blur, an edge detector and a tone curve; writes one PNG of each.
#include <iostream>
#include <sinter/image.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

/// The picture with a border of `width` more pixels, each a copy of the nearest one.
array<float> with_border(const array<float>& picture, int width) {
    array rows = clip(arange(-width, picture.shape(0) + width), 0, picture.shape(0) - 1);
    array columns = clip(arange(-width, picture.shape(1) + width), 0, picture.shape(1) - 1);
    return picture(rows)(all, columns);
}

/// A separable gaussian filter: first along columns, then along rows.
array<float> blur(const array<float>& picture, float sigma) {
    const int radius = static_cast<int>(3 * sigma + 0.5f), taps = 2 * radius + 1;
    const auto h = picture.shape(0), w = picture.shape(1);
    array<float> at = arange<float>(-radius, radius + 1);
    array<float> weights = exp(-0.5f * square(at / sigma));
    weights = weights / sum(weights);
    array<float> wide = with_border(picture, radius);
    array<float> down = wide(slice(0, h)) * weights(0);
    for (int k = 1; k < taps; ++k) down += wide(slice(k, k + h)) * weights(k);
    array<float> both = down(all, slice(0, w)) * weights(0);
    for (int k = 1; k < taps; ++k) both += down(all, slice(k, k + w)) * weights(k);
    return both;
}

/// Sobel's estimate of how steep the brightness is.
array<float> edges(const array<float>& brightness) {
    array<float> b = with_border(brightness, 1);
    const slice first(0, -2), middle(1, -1), last(2, none);
    array<float> down = b(last, first) + 2 * b(last, middle) + b(last, last)  //
                        - b(first, first) - 2 * b(first, middle) - b(first, last);
    array<float> across = b(first, last) + 2 * b(middle, last) + b(last, last)  //
                          - b(first, first) - 2 * b(middle, first) - b(last, first);
    return hypot(down, across);
}

int main() {
    array<float> photo = imread(SINTER_EXAMPLE_DATA "/chelsea.png");
    array<float> grey = matmul(photo, array<float>{0.299f, 0.587f, 0.114f});
    std::cout << "photograph " << photo.shape() << ", mean colour " << mean(photo, {0, 1}) << '\n';

    array<float> soft = blur(photo, 3);
    imsave("photograph_blur.png", soft);

    array<float> steepness = edges(grey);
    imsave("photograph_edges.png", 1 - steepness / max(steepness), {.cmap = "gray", .vmin = 0, .vmax = 1});

    // Sharpened by what the blur removed, stretched to three standard deviations on both sides, then an S-curve.
    array<float> sharp = photo + 0.6f * (photo - soft);
    array<float> level = clip((sharp - mean(sharp)) / (6 * stddev(sharp)) + 0.5f, 0, 1);
    array<float> tone = level * level * (3 - 2 * level);
    imsave("photograph_tone.png", tone);

    std::printf("steepest edge %.4f, mean of the blur %.6f and of the photograph %.6f\n", double(max(steepness)),
                double(mean(soft)), double(mean(photo)));
    std::printf("three pictures by %lld kernels and %lld library calls\n", static_cast<long long>(counters().launches),
                static_cast<long long>(counters().library_calls));
}
