// Conway's game of life from five cells, the R pentomino, until nothing but still lifes, blinkers and gliders is left;
// writes a PNG in which cells that live are white and places where cells have lived glow the longer ago the darker.
#include <cstdio>
#include <sinter/image.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

/// The cells of the next generation on a torus: three neighbours bring to life, two keep alive.
array<bool> next_generation(const array<bool>& cells) {
    array<std::uint8_t> alive = astype<std::uint8_t>(cells);
    array<std::uint8_t> row = alive + roll(alive, 1, 1) + roll(alive, -1, 1);
    array<std::uint8_t> block = row + roll(row, 1, 0) + roll(row, -1, 0);  // with the cell itself
    return block == 3 || (cells && block == 4);
}

int main() {
    constexpr std::int64_t size = 640, generations = 1103, middle = size / 2;
    array<bool> cells = zeros<bool>({size, size});
    for (auto [r, c] : {std::pair{-1, 0}, {-1, 1}, {0, -1}, {0, 0}, {1, 0}}) cells(middle + r, middle + c) = true;

    array<std::int32_t> last_alive = full<std::int32_t>({size, size}, -1000);
    std::int64_t most = 0;
    for (std::int32_t g = 0; g < generations; ++g) {
        last_alive = where(cells, g, last_alive);
        cells = next_generation(cells);
        eval(cells, last_alive);
        if (g % 100 == 0) most = std::max(most, std::int64_t(count_nonzero(cells)));
    }
    const auto living = std::int64_t(count_nonzero(cells));

    array<float> glow = 0.75f * exp(astype<float>(last_alive - std::int32_t(generations)) / 250);
    const slice shown(middle - 160, middle + 160);
    imsave("life.png", repeat(repeat(where(cells, 1.0f, glow)(shown, shown), 2, 0), 2, 1),
           {.cmap = "hot", .vmin = 0, .vmax = 1});
    std::printf("after %lld generations %lld cells live, as is known; at most %lld were counted on the way\n",
                static_cast<long long>(generations), static_cast<long long>(living), static_cast<long long>(most));
    return living == 116 ? 0 : 1;
}
