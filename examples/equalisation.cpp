// A dark photograph with all its tones: by the histogram of the whole picture, and by those of its tiles, interpolated
// between them (Pizer et al. 1987), of which a clipped one leaves flat parts flat; writes a PNG of the three and the
// tones as an SVG.
#include <cstdio>
#include <sinter/image.hpp>
#include <sinter/plot.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

constexpr std::int64_t levels = 4096, down = 6, across = 8;

/// What share of the picture is at most as bright as each level.
array<double> tones_of(const array<std::int64_t>& level) {
    return cumsum(astype<double>(bincount(ravel(level), {.minlength = levels}))) / double(level.size());
}

/// The tones of each tile, (tiles, levels): no level counts more than `most` times the mean, what is cut is shared out.
array<double> tones_of_tiles(const array<std::int64_t>& level, double most) {
    const std::int64_t h = level.shape(0) / down, w = level.shape(1) / across, tiles = down * across;
    array<std::int64_t> tile = floor_divide(arange<std::int64_t>(level.shape(0)), h)(all, newaxis) * across +
                               floor_divide(arange<std::int64_t>(level.shape(1)), w);
    array<double> counts =
        reshape(astype<double>(bincount(ravel(tile * levels + level), {.minlength = tiles * levels})), {tiles, levels});
    array<double> kept = minimum(counts, most * double(h * w) / levels);
    kept = kept + (sum(counts, 1, keepdims) - sum(kept, 1, keepdims)) / levels;
    return cumsum(kept, 1) / sum(kept, 1, keepdims);
}

int main() {
    array<float> photo = imread(SINTER_EXAMPLE_DATA "/chelsea.png");
    array<float> grey = matmul(photo(slice(300), slice(448)), array<float>{0.299f, 0.587f, 0.114f});
    array<float> dark = 0.25f * square(grey);  // as if too little light had been there
    array<std::int64_t> level = astype<std::int64_t>(clip(dark * levels, 0, levels - 1));

    array<double> whole = tones_of(level)(level);
    // Of the four tiles around a pixel, by how near their middles are.
    array<double> tones = tones_of_tiles(level, 4);
    array<double> y = clip((arange<double>(level.shape(0)) + 0.5) * down / double(level.shape(0)) - 0.5, 0, down - 1);
    array<double> x =
        clip((arange<double>(level.shape(1)) + 0.5) * across / double(level.shape(1)) - 0.5, 0, across - 1);
    array<std::int64_t> top = minimum(astype<std::int64_t>(floor(y)), down - 2),
                        left = minimum(astype<std::int64_t>(floor(x)), across - 2);
    array<double> fall = (y - top)(all, newaxis), turn = x - left;
    auto of = [&](std::int64_t i, std::int64_t j) {
        return take(ravel(tones), ((top + i)(all, newaxis) * across + (left + j)) * levels + level);
    };
    array<double> local =
        (1 - fall) * ((1 - turn) * of(0, 0) + turn * of(0, 1)) + fall * ((1 - turn) * of(1, 0) + turn * of(1, 1));

    imsave("equalisation.png", concatenate(std::tuple(astype<double>(dark), whole, local), 1),
           {.cmap = "gray", .vmin = 0, .vmax = 1});
    plot::figure f({.title = "tones of a photograph", .xlabel = "brightness", .ylabel = "share at most as bright"});
    const slice sixteenth(15, none, 16);
    array<double> at = ((arange<double>(levels) + 1) / double(levels))(sixteenth);
    for (auto [name, picture] :
         {std::pair{"dark", array<double>(astype<double>(dark))}, {"equalised", whole}, {"equalised by tiles", local}})
        f.line(at, tones_of(astype<std::int64_t>(clip(picture * levels, 0, levels - 1)))(sixteenth), {.label = name});
    f.save("equalisation.svg");
    std::printf("spread of the tones: %.3f in the dark picture, %.3f equalised, %.3f by tiles\n", double(stddev(dark)),
                double(stddev(whole)), double(stddev(local)));
}
