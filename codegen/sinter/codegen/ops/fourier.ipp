// Bodies of fourier.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/base/sequence.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The work of a transform in quarters of an operation, see fast_length.
SINTER_INLINE std::int64_t transform_work(std::int64_t points) {
    struct radix {
        std::int64_t points, work;
    };
    constexpr radix radices[] = {{4, 34}, {2, 20}, {3, 37}, {5, 54}};
    std::int64_t of_each = 40, rest = points;
    for (const radix& r : radices)
        for (; rest % r.points == 0; rest /= r.points) of_each += r.work;
    return points * of_each * (points % 2 ? 2 : 1);
}

SINTER_INLINE std::int64_t fast_length(std::int64_t least) {
    std::int64_t fastest = 0, least_work = 0;
    least = std::max<std::int64_t>(least, 1);
    for (std::int64_t fives = 1; fives < 2 * least; fives *= 5)
        for (std::int64_t odd = fives; odd < 2 * least; odd *= 3) {
            std::int64_t points = odd;
            while (points < least) points *= 2;
            const std::int64_t work = transform_work(points);
            if (fastest && work >= least_work) continue;
            fastest = points;
            least_work = work;
        }
    return fastest;
}

// Whether the strides of a side nest: each a multiple of the next inner one that leaves room for that axis.
SINTER_INLINE bool is_nested(const std::int64_t* stride, const std::int64_t* extent, int rank) {
    for (int i = 0; i < rank; ++i)
        if (stride[i] <= 0) return false;
    for (int i = 0; i + 1 < rank; ++i)
        if (stride[i] % stride[i + 1] != 0 || stride[i] / stride[i + 1] < extent[i + 1]) return false;
    return true;
}

SINTER_INLINE std::optional<transform_task> find_transform(const call_info& c, dtype type, const layout& operand) {
    const dims result = result_shape(c, operand.shape), strides = contiguous_strides(result);
    transform_task t;
    t.what = c.what;
    t.inverse = c.what == routine::irfft || c.has(call_info::inverse);
    t.type = real_of(type);
    // Pairs of reals are read as one complex number.
    if (c.what == routine::rfft && operand.offset % 2 != 0) return std::nullopt;
    std::int64_t extent[2][transform_task::most_axes];
    for (int i = 0; i < result.size(); ++i) {
        if (!c.has_axis(i)) continue;
        if (t.rank == transform_task::most_axes) return std::nullopt;
        t.size[t.rank] = c.what == routine::irfft ? result[i] : operand.shape[i];
        t.in_stride[t.rank] = operand.strides[i];
        t.out_stride[t.rank] = strides[i];
        extent[0][t.rank] = operand.shape[i];
        extent[1][t.rank++] = result[i];
    }
    // Real numbers of half precision lie side by side.
    const std::int64_t* real_stride = c.what == routine::rfft ? t.in_stride : t.out_stride;
    if (c.what != routine::fft && t.type == dtype::float16 && real_stride[t.rank - 1] != 1) return std::nullopt;
    if (!is_nested(t.in_stride, extent[0], t.rank) || !is_nested(t.out_stride, extent[1], t.rank)) return std::nullopt;
    for (int i = result.size(); i-- > 0;) {
        if (c.has_axis(i) || result[i] == 1) continue;
        if (t.batch == 1) {
            if (operand.strides[i] <= 0) return std::nullopt;
            t.in_distance = operand.strides[i];
            t.out_distance = strides[i];
        } else if (operand.strides[i] != t.in_distance * t.batch || strides[i] != t.out_distance * t.batch) {
            return std::nullopt;
        }
        t.batch *= result[i];
    }
    return t;
}

struct fine_complex {
    long double re = 0, im = 0;
};
SINTER_INLINE fine_complex operator+(fine_complex a, fine_complex b) { return {a.re + b.re, a.im + b.im}; }
SINTER_INLINE fine_complex operator-(fine_complex a, fine_complex b) { return {a.re - b.re, a.im - b.im}; }
SINTER_INLINE fine_complex operator*(fine_complex a, fine_complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

SINTER_INLINE fine_complex conjugate(fine_complex a) { return {a.re, -a.im}; }

// e^(-2 pi i k / n)
SINTER_INLINE fine_complex root_of_unity(std::int64_t k, std::int64_t n) {
    const long double angle =
        2 * 3.14159265358979323846264338327950288L * static_cast<long double>(k) / static_cast<long double>(n);
    return {ieee::cos(angle), -ieee::sin(angle)};
}

/// Forward transforms of one size.
class line_transform {
public:
    explicit line_transform(std::int64_t n) : n_(n), padded_(1) {
        const bool is_power = (n & (n - 1)) == 0;
        while (padded_ < (is_power ? n : 2 * n - 1)) padded_ *= 2;
        for (std::int64_t k = 0; k < padded_ / 2; ++k) roots_.push_back(root_of_unity(k, padded_));
        if (is_power) return;
        for (std::int64_t k = 0; k < n; ++k) chirp_.push_back(root_of_unity(k * k % (2 * n), 2 * n));
        spectrum_.resize(static_cast<std::size_t>(padded_));
        for (std::int64_t k = 0; k < n; ++k)
            spectrum_[at(k ? padded_ - k : 0)] = spectrum_[at(k)] = conjugate(chirp_[at(k)]);
        power_of_two(spectrum_.data());
    }

    void run(fine_complex* v) const {
        if (chirp_.empty()) return power_of_two(v);
        sequence<fine_complex> work(static_cast<std::size_t>(padded_));
        for (std::int64_t k = 0; k < n_; ++k) work[at(k)] = v[k] * chirp_[at(k)];
        power_of_two(work.data());
        // The inverse is the transform of the conjugates.
        for (std::int64_t k = 0; k < padded_; ++k) work[at(k)] = conjugate(work[at(k)] * spectrum_[at(k)]);
        power_of_two(work.data());
        const long double scale = 1.0L / static_cast<long double>(padded_);
        for (std::int64_t k = 0; k < n_; ++k) v[k] = conjugate(work[at(k)]) * chirp_[at(k)] * fine_complex{scale, 0};
    }

private:
    static std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

    void power_of_two(fine_complex* v) const {
        for (std::int64_t i = 1, j = 0; i < padded_; ++i) {
            std::int64_t bit = padded_ / 2;
            for (; j & bit; bit /= 2) j ^= bit;
            j ^= bit;
            if (i < j) std::swap(v[i], v[j]);
        }
        for (std::int64_t half = 1; half < padded_; half *= 2)
            for (std::int64_t first = 0; first < padded_; first += 2 * half)
                for (std::int64_t k = 0; k < half; ++k) {
                    fine_complex &a = v[first + k], &b = v[first + half + k];
                    const fine_complex turned = b * roots_[at(k * (padded_ / 2 / half))];
                    b = a - turned;
                    a = a + turned;
                }
    }

    std::int64_t n_, padded_;
    sequence<fine_complex> roots_, chirp_, spectrum_;
};

// Transforms an array along one axis.
SINTER_INLINE void transform_axis(fine_complex* values, const dims& shape, int axis, bool inverse) {
    const std::int64_t n = shape[axis];
    const line_transform transform(n);
    std::int64_t inner = 1, outer = 1;
    for (int i = 0; i < shape.size(); ++i) (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
    sequence<fine_complex> line(static_cast<std::size_t>(n));
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            fine_complex* first = values + o * n * inner + i;
            for (std::int64_t k = 0; k < n; ++k)
                line[static_cast<std::size_t>(k)] = inverse ? conjugate(first[k * inner]) : first[k * inner];
            transform.run(line.data());
            for (std::int64_t k = 0; k < n; ++k)
                first[k * inner] =
                    inverse ? conjugate(line[static_cast<std::size_t>(k)]) : line[static_cast<std::size_t>(k)];
        }
}

// Copies between arrays of which one is shorter along an axis; missing elements are the conjugates of those opposite.
SINTER_INLINE sequence<fine_complex> resized_axis(const sequence<fine_complex>& from, dims& shape, int axis,
                                                  std::int64_t n) {
    const std::int64_t have = shape[axis];
    std::int64_t inner = 1, outer = 1;
    for (int i = 0; i < shape.size(); ++i) (i < axis ? outer : inner) *= i == axis ? 1 : shape[i];
    sequence<fine_complex> to(static_cast<std::size_t>(outer * n * inner));
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t k = 0; k < n; ++k)
            for (std::int64_t i = 0; i < inner; ++i) {
                const std::int64_t source = k < have ? k : n - k;
                fine_complex v = from[static_cast<std::size_t>((o * have + source) * inner + i)];
                // Only a half that is made whole has elements that are their own conjugates.
                if (n > have && (n - k) % n == k) v.im = 0;
                to[static_cast<std::size_t>((o * n + k) * inner + i)] = k < have ? v : conjugate(v);
            }
    shape[axis] = n;
    return to;
}

SINTER_INLINE void fourier_reference(const call_info& c, dtype type, const dims& shape, const void* from, void* to) {
    const dims result = result_shape(c, shape);
    if (result.product() == 0) return;
    dims now = shape;
    sequence<fine_complex> values(static_cast<std::size_t>(shape.product()));
    sequence<double> parts(2 * values.size());
    convert(type, dtype::complex128, from, parts.data(), shape.product());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = {parts[2 * i], parts[2 * i + 1]};
    const bool inverse = c.what == routine::irfft || c.has(call_info::inverse);
    const int last = c.last_axis();
    for (int axis = 0; axis <= last; ++axis) {
        if (!c.has_axis(axis)) continue;
        if (c.what == routine::irfft && axis == last && result[axis] > 1)
            values = resized_axis(values, now, axis, result[axis]);
        transform_axis(values.data(), now, axis, inverse);
    }
    if (now[last] > result[last]) values = resized_axis(values, now, last, result[last]);
    parts.resize(2 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        parts[2 * i] = static_cast<double>(values[i].re);
        parts[2 * i + 1] = static_cast<double>(values[i].im);
    }
    convert(dtype::complex128, result_type(c, type), parts.data(), to, static_cast<std::int64_t>(values.size()));
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
