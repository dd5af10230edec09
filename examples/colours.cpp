// A photograph in eight colours, found by k-means: each pixel goes to the nearest colour, each colour to the mean of
// its pixels, until none moves; writes the picture beside the photograph as a PNG.
#include <cstdio>
#include <sinter/image.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

/// Squares of the distances of each pixel to each colour, and which is the nearest.
array<float> distances(const array<float>& pixels, const array<float>& colours) {
    return sum(square(pixels(all, newaxis) - colours), 2);
}

int main() {
    constexpr int count = 8;
    array<float> photo = imread(SINTER_EXAMPLE_DATA "/chelsea.png");
    array<float> pixels = reshape(photo, {-1, 3});

    // The first colours: pixels of evenly spaced brightness.
    array<std::int64_t> by_light = argsort(mean(pixels, 1));
    array<std::int64_t> first = astype<std::int64_t>((arange<double>(count) + 0.5) * (double(pixels.shape(0)) / count));
    array<float> colours = pixels(array<std::int64_t>(by_light(first)));

    array<std::int64_t> nearest;
    array<float> members;
    int rounds = 0;
    for (float moved = 1; moved > 1e-4f && rounds < 200; ++rounds) {
        nearest = argmin(distances(pixels, colours), 1);
        members = astype<float>(bincount(nearest, {.minlength = count}));
        array<float> total = segment_sum(pixels, nearest, {.num_segments = count});
        // A colour that no pixel is nearest to stays where it is.
        array<float> next = where(members(all, newaxis) > 0, total / maximum(members(all, newaxis), 1.0f), colours);
        moved = float(max(abs(next - colours)));
        colours = next;
    }
    const double error = std::sqrt(double(mean(min(distances(pixels, colours), 1))) / 3);
    array<float> few = reshape(colours(nearest), {photo.shape(0), photo.shape(1), 3});
    imsave("colours.png", clip(concatenate(std::tuple(photo, few), 1), 0, 1));

    std::printf("%d rounds until no colour moves; a pixel is off by %.4f in the mean\n", rounds, error);
    for (std::int64_t k : to_vector(argsort(-members)))
        std::printf("  rgb(%3.0f, %3.0f, %3.0f): %4.1f %% of the pixels\n", 255 * colours.item(k, 0),
                    255 * colours.item(k, 1), 255 * colours.item(k, 2),
                    100 * members.item(k) / double(pixels.shape(0)));
}
