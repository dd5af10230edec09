// Drops on a plate: smooth noise above a threshold, whose objects are opened, numbered, counted and measured; writes
// two PNG files.
#include <cstdio>
#include <sinter/image.hpp>
#include <sinter/ndimage.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    random::seed(3);
    array<float> field = ndimage::gaussian_filter(random::normal<float>(0, 1, {480, 640}), 6, {.mode = "wrap"});
    field = field / stddev(field);

    // Specks are taken away by an opening, and what is left is numbered.
    array<bool> is_drop = ndimage::binary_opening(field > 1, {.iterations = 2});
    auto [labels, count] = ndimage::label(is_drop, {.structure = ndimage::generate_binary_structure(2, 2)});
    std::vector<std::int64_t> all_of_them;
    for (std::int64_t k = 1; k <= count; ++k) all_of_them.push_back(k);

    array<std::int64_t> area = bincount(ravel(labels))(slice(1, none));
    array<double> centres = ndimage::center_of_mass(field, {.labels = labels, .index = all_of_them});
    array<double> depth = ndimage::distance_transform_edt(is_drop);
    array<double> radius = segment_max(ravel(depth), ravel(labels), {.num_segments = count + 1})(slice(1, none));
    const std::int64_t largest = argmax(area).item();
    std::printf("%lld drops cover %.1f %% of the plate, %.0f pixels each in the middle\n",
                static_cast<long long>(count), 100 * double(mean(astype<double>(is_drop))), double(median(area)));
    std::printf("the largest has %lld pixels around (%.1f, %.1f), and a circle of radius %.2f fits in it\n",
                static_cast<long long>(area.item(largest)), centres.item(largest, 0), centres.item(largest, 1),
                radius.item(largest));

    // Each drop in a hue of its own, darker at its edge, and a white point in the middle of each.
    array<float> hue = astype<float>(labels * 97 % 256) / 256;
    array<float> light = astype<float>(where(labels > 0, clip(0.35 + depth / 12, 0, 1), 0.08));
    auto channel = [&](float shift) { return light * (0.55f + 0.45f * cos(float(2 * pi) * (hue + shift))); };
    array<float> drops = stack(std::tuple(channel(0), channel(0.33f), channel(0.67f)), 2);
    array<std::int64_t> places = astype<std::int64_t>(rint(centres));
    drops(array<std::int64_t>(places(all, 0)), array<std::int64_t>(places(all, 1))) = 1;
    imsave("blobs.png", clip(drops, 0, 1));
    // The same plate from the side: turned, half as large.
    imsave("blobs_turned.png",
           clip(ndimage::zoom(ndimage::rotate(drops, 20, {.order = 1}), {0.5, 0.5, 1}, {.order = 1}), 0, 1));
    std::printf("%lld kernels and %lld library calls\n", static_cast<long long>(counters().launches),
                static_cast<long long>(counters().library_calls));
}
