// A recording of something struck that rings: its spectrogram, the tones that it rings with and how fast each dies
// away; writes a PNG, and the tones' decay as an SVG file.
#include <cstdio>
#include <sinter/image.hpp>
#include <sinter/ndimage.hpp>
#include <sinter/plot.hpp>
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    const double rate = 22050;
    array<float> sound = astype<float>(load<std::int16_t>(SINTER_EXAMPLE_DATA "/struck.npy")) / 32768.0f;
    auto [f, when, power] =
        signal::spectrogram(sound, {.fs = rate, .window = "hann", .nperseg = 1024, .noverlap = 960});
    array<float> decibels = 10 * log10(power + 1e-13f);
    imsave("struck.png", repeat(flipud(decibels), 2, 1), {.cmap = "magma", .vmin = -100, .vmax = -25});

    // A tone is a frequency that stays louder than those around it while the sound lasts.
    array<float> early = mean(decibels(all, slice(4, 40)), 1);
    array<double> louder = astype<double>(early - ndimage::median_filter(early, 41)) * (f > 200);
    auto tones = signal::find_peaks(louder, {.height = 20, .distance = 12, .prominence = 20});
    plot::figure figure({.title = "tones that die away", .xlabel = "seconds", .ylabel = "dB"});
    std::printf("%.2f s with %lld tones\n", double(sound.size()) / rate, static_cast<long long>(tones.peaks.size()));
    for (std::int64_t k : to_vector(tones.peaks)) {
        // The power around the tone, down to where the noise takes over; the slope of its logarithm is the decay.
        array<double> level = 10 * log10(sum(astype<double>(power(slice(k - 2, k + 3), all)), 0) + 1e-13);
        const double top = double(max(level));
        array<bool> is_heard = level > top - 30 && when > 0.05;
        array<double> t = compress(is_heard, when), l = compress(is_heard, level);
        if (t.size() < 8) continue;
        const double slope = double(sum((t - mean(t)) * (l - mean(l))) / sum(square(t - mean(t))));
        std::printf("  %5.0f Hz, %5.1f dB, and 60 dB less after %.2f s\n", f.item(k), top, -60 / slope);
        char name[40];
        std::snprintf(name, sizeof name, "%.0f Hz", f.item(k));
        figure.line(when, level, {.label = name});
    }
    figure.save("struck.svg");
    return tones.peaks.size() >= 2 ? 0 : 1;
}
