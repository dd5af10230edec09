// The wave equation on a membrane that starts in the shape of a horse; writes four moments side by side as a PNG.
#include <iostream>
#include <sinter/image.hpp>
#include <sinter/progress.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

/// Blue below zero, red above, white at rest.
array<float> colours(const array<float>& height) {
    array<float> blue{0.10f, 0.25f, 0.60f}, red{0.70f, 0.10f, 0.10f};
    array<float> h = clip(height, -1, 1)(ellipsis, newaxis);
    return 1 - maximum(h, 0) * (1 - red) - maximum(-h, 0) * (1 - blue);
}

/// Twice the energy that this scheme conserves: of motion, and of the slopes now and one step before.
double energy(const array<float>& now, const array<float>& before, float c2) {
    auto along_rows = [](const array<float>& u) { return u(all, slice(1, none)) - u(all, slice(none, -1)); };
    auto along_columns = [](const array<float>& u) { return u(slice(1, none)) - u(slice(none, -1)); };
    return double(sum<double>(square(now - before)) + c2 * sum<double>(along_rows(now) * along_rows(before)) +
                  c2 * sum<double>(along_columns(now) * along_columns(before)));
}

int main() {
    const int steps = 240, moments = 4;
    const float c2 = 0.25f;  // (speed * time step / distance of neighbours)²
    array<float> now = 1 - imread(SINTER_EXAMPLE_DATA "/horse.png");
    const auto h = now.shape(0), w = now.shape(1);
    const slice inner(1, -1), up(none, -2), down(2, none);
    auto neighbours = [&](const array<float>& u) {
        return u(up, inner) + u(down, inner) + u(inner, up) + u(inner, down);
    };

    for (int i = 0; i < 30; ++i) now(inner, inner) = now(inner, inner) / 2 + neighbours(now) / 8;  // round its edges
    array<float> before = now;
    const double at_start = energy(now, before, c2);
    array<float> film = ones<float>({h, moments * w, 3});
    film(all, slice(0, w)) = colours(now);

    for (int i : progress(steps, "wave")) {
        array<float> next = zeros_like(now);  // the rim is held at zero
        next(inner, inner) =
            2 * now(inner, inner) - before(inner, inner) + c2 * (neighbours(now) - 4 * now(inner, inner));
        before = now;
        now = next;
        if ((i + 1) * (moments - 1) % steps != 0) continue;
        const int moment = (i + 1) * (moments - 1) / steps;
        film(all, slice(moment * w, (moment + 1) * w)) = colours(now);
    }
    imsave("wave.png", film);
    std::printf("energy %.3f at the start and %.3f at the end, heights from %.3f to %.3f\n", at_start,
                energy(now, before, c2), double(min(now)), double(max(now)));
    const counters_t used = counters();
    std::printf("%d steps by %lld launches of %lld kernels\n", steps, static_cast<long long>(used.launches),
                static_cast<long long>(used.kernels_compiled + used.disk_hits));
}
