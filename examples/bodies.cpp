// Two discs of stars that fall past each other, as records; writes an animated PNG, which browsers show.
#include <cmath>
#include <sinter/image.hpp>
#include <sinter/records.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

struct body {
    BOOST_HANA_DEFINE_STRUCT(body, (float, x), (float, y), (float, vx), (float, vy), (float, mass), (int, disc));
};

SINTER_FUNCTION(
    move, (body b, float ax, float ay, float dt)->body {
        b.vx += dt * ax;
        b.vy += dt * ay;
        b.x += dt * b.vx;
        b.y += dt * b.vy;
        return b;
    })

const float softening = 0.0025f;  // added to squared distances, so that none is zero
array<float> distances2(const record_array<body>& p) {
    const array<float>&x = p.get(&body::x), &y = p.get(&body::y);
    return square(x - x(all, newaxis)) + square(y - y(all, newaxis)) + softening;
}

/// Velocities by the pull of all bodies, then places by velocities.
record_array<body> advance(const record_array<body>& p, float dt) {
    const array<float>&x = p.get(&body::x), &y = p.get(&body::y);
    array<float> r2 = distances2(p), pull = p.get(&body::mass) / (r2 * sqrt(r2));
    return vectorize(move)(p, sum(pull * (x - x(all, newaxis)), 1), sum(pull * (y - y(all, newaxis)), 1), dt);
}

double energy(const record_array<body>& p) {
    const array<float>& mass = p.get(&body::mass);
    array<float> squares = square(p.get(&body::vx)) + square(p.get(&body::vy));
    return double(sum<double>(mass * squares / 2) - sum<double>(mass * mass(all, newaxis) / sqrt(distances2(p)) / 2));
}

/// A centre of mass 1, and stars on circles around it.
void add_disc(std::vector<body>& all, const body& centre) {
    all.push_back(centre);
    for (int i = 0; i < 1200; ++i) {
        const float r = 0.15f + 0.85f * std::sqrt((float(i) + 0.5f) / 1200), angle = 2.39996323f * float(i);
        const float speed = r * std::pow(r * r + softening, -0.75f), c = std::cos(angle), s = std::sin(angle);
        all.push_back(
            {centre.x + r * c, centre.y + r * s, centre.vx - speed * s, centre.vy + speed * c, 1e-5f, centre.disc});
    }
}

/// The stars of a disc that are in each pixel, as brightness.
array<float> brightness(const record_array<body>& p, int disc, int size) {
    const record_array<body> q =
        p[p.get(&body::disc) == disc && maximum(abs(p.get(&body::x)), abs(p.get(&body::y))) < 3];
    auto pixel = [&](const array<float>& v) { return astype<std::int64_t>((v + 3) / 6 * float(size)); };
    array<std::int64_t> stars = bincount(pixel(q.get(&body::y)) * size + pixel(q.get(&body::x)), size * size);
    return 1 - exp(-2.0f * reshape(astype<float>(stars), {size, size}));
}

int main() {
    const int steps = 560, each = 8, size = 240;
    std::vector<body> bodies;
    add_disc(bodies, {-2, -0.8f, 0.42f, 0, 1, 0});
    add_disc(bodies, {2, 0.8f, -0.42f, 0, 1, 1});
    record_array<body> p = bodies;
    const double before = energy(p);
    graph step(advance);
    array<float> film = zeros<float>({steps / each, size, size, 3});
    for (int i = 0; i < steps; ++i) {
        if (i % each == 0) {
            array<float> a = brightness(p, 0, size), b = brightness(p, 1, size);
            film(i / each) = stack(std::tuple(a, 0.6f * maximum(a, b), b), 2);
        }
        p = step(p, 0.01f);
    }
    imsave("bodies.png", film, {.fps = 20});
    std::printf("%lld bodies, energy %.4f at first, %.4f later\n", (long long)p.size(), before, energy(p));
    return std::abs(energy(p) / before - 1) < 0.01 ? 0 : 1;
}
