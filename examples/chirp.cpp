// A bird's call made of two rising and falling tones in noise: its spectrogram, the tone that is heard in it, and the
// call freed of the noise; writes two PNG files.
#include <cstdio>
#include <sinter/image.hpp>
#include <sinter/ndimage.hpp>
#include <sinter/signal.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

/// Decibels with low frequencies below, 0 to 4 kHz.
array<float> picture(const array<float>& power) { return flipud(10 * log10(power(slice(257), all) + 1e-12f)); }

int main() {
    const double rate = 16000, seconds = 4;
    array<double> t = arange<double>(seconds * rate) / rate;

    // The phase is the integral of a frequency that swings around 2 kHz; the second tone is an octave lower.
    array<double> frequency = 2000 + 900 * sin(2 * pi * 0.75 * t) * exp(-0.2 * t);
    array<double> phase = 2 * pi * cumsum(frequency) / rate;
    array<double> call = (sin(phase) + 0.5 * sin(phase / 2)) * square(sin(pi * t / seconds));
    random::seed(7);
    array<float> heard = astype<float>(call + random::normal(0, 0.7, {t.size()}));

    auto [f, when, power] =
        signal::spectrogram(heard, {.fs = rate, .window = "hann", .nperseg = 1024, .noverlap = 896});
    imsave("chirp_spectrogram.png", picture(power), {.cmap = "magma", .vmin = -75, .vmax = -25});

    // Where the call is loud the strongest frequency is the tone that was put in.
    array<double> strongest = take(f, argmax(power, 0));
    array<double> wanted = interp(when, t, frequency);
    array<bool> is_loud = when > 0.5 && when < seconds - 0.5;
    array<double> off = compress(is_loud, abs(strongest - wanted));
    auto swings = signal::find_peaks(signal::detrend(array<double>(ndimage::uniform_filter(strongest, 9))),
                                     {.distance = 60, .prominence = 300});
    std::printf("%lld segments; the strongest frequency is off by %.1f Hz in the mean, by %.1f Hz in half of them\n",
                static_cast<long long>(when.size()), double(mean(off)), double(median(off)));
    std::printf("the tone has %lld crests, the first after %.2f s\n", static_cast<long long>(swings.peaks.size()),
                swings.peaks.size() ? when.item(swings.peaks.item(0)) : 0.0);

    // A band-pass, forward and backward, so that nothing is shifted in time.
    auto [b, a] = signal::butter(4, {600, 3200}, {.btype = "bandpass", .fs = rate});
    array<float> filtered = signal::filtfilt(b, a, heard);
    auto rms = [&](const array<float>& x) { return double(sqrt(mean(square(x - astype<float>(call))))); };
    auto clean = signal::spectrogram(filtered, {.fs = rate, .window = "hann", .nperseg = 1024, .noverlap = 896});
    imsave("chirp_filtered.png", picture(clean.values), {.cmap = "magma", .vmin = -75, .vmax = -25});
    std::printf("noise of %.3f, and of %.3f behind the filter\n", rms(heard), rms(filtered));
    std::printf("%lld kernels and %lld library calls\n", static_cast<long long>(counters().launches),
                static_cast<long long>(counters().library_calls));
}
