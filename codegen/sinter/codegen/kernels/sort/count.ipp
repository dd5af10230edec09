// Bodies of count.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/kernels/sort/count.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/print/fill_text.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* bins_text =
#include <sinter/codegen/kernels/sort/text/bins.hxx>
    ;
inline constexpr const char* count_cuda_text =
#include <sinter/codegen/kernels/sort/text/count.cuh>
    ;
inline constexpr const char* count_host_text =
#include <sinter/codegen/kernels/sort/text/count.hxx>
    ;

SINTER_INLINE std::string count_name(const call_info& c, dtype t) {
    return std::string(to_string(c.what)) + (words_behind_counts(c) ? "_ends_" : "_") + std::string(to_string(t));
}

// What a number is compared as: most types fit in 32 bits; uint64 wraps around.
SINTER_INLINE bool is_counted_as_int(dtype t) { return size_of(t) < 4 || t == dtype::int32; }

SINTER_INLINE std::string counted_element(routine how, dtype t) {
    std::string s = joined({"typedef ", t == dtype::bool_ ? "unsigned char" : type_text(t), " element;\n"});
    if (how == routine::bincount) s += joined({"typedef ", is_counted_as_int(t) ? "int" : "long long", " word;\n"});
    return s;
}

SINTER_INLINE kernel_source count_host(const call_info& c, dtype t) {
    const bool histogram = c.what == routine::histogram;
    std::string s = joined({counted_element(c.what, t), "typedef ", histogram ? "int" : "word", " place;\n\n"});
    if (histogram) s += fill_text(bins_text, {{"function", "static inline"}, {"cold", "static"}});
    return {count_name(c, t),
            s + fill_text(count_host_text, {{"histogram", histogram}, {"ends", words_behind_counts(c) > 0}})};
}

SINTER_INLINE kernel_source count_cuda(const call_info& c, dtype t) {
    const bool histogram = c.what == routine::histogram, narrow = !histogram && is_counted_as_int(t);
    std::string s = counted_element(c.what, t);
    s += narrow ? "typedef unsigned place;\nconstexpr place most_places = 1u << 31;\n"
                : "typedef unsigned long long place;\nconstexpr place most_places = 1ull << 63;\n";
    s += "constexpr int at_once = 16 / sizeof(element), together = sizeof(element) < 4 ? 1 : 2;\n\n";
    if (histogram)
        s += fill_text(bins_text,
                       {{"function", "__device__ __forceinline__"}, {"cold", "static __device__ __noinline__"}});
    return {count_name(c, t),
            s + fill_text(count_cuda_text, {{"histogram", histogram}, {"ends", words_behind_counts(c) > 0}})};
}

SINTER_INLINE std::int64_t shared_bytes_of_counts(routine how, std::int64_t bins) {
    return 4 * bins + (how == routine::histogram ? 8 * (bins + 1) : 0);
}

SINTER_INLINE void count_numbers(const std::int64_t* x, std::int64_t n, std::int64_t bins, bool with_ends,
                                 std::int64_t* to) {
    for (std::int64_t i = 0; i < n; ++i) {
        if (x[i] >= 0 && x[i] < bins) ++to[x[i]];
        if (!with_ends) continue;
        const std::uint64_t negative = x[i] < 0 ? 0 - static_cast<std::uint64_t>(x[i]) : 0;
        to[bins] = static_cast<std::int64_t>(std::max(static_cast<std::uint64_t>(to[bins]), negative));
        to[bins + 1] = std::max(to[bins + 1], x[i]);
    }
}

SINTER_INLINE SINTER_COMPARES void count_in_bins(const double* x, std::int64_t n, const double* edges,
                                                 std::int64_t bins, std::int64_t* to) {
    // Edges that are too far apart to be known come last.
    const auto stands_before = [](double v, double edge) SINTER_COMPARES { return v < edge || edge != edge; };
    for (std::int64_t i = 0; i < n; ++i) {
        std::int64_t at = std::upper_bound(edges, edges + bins + 1, x[i], stands_before) - edges - 1;
        if (x[i] == edges[bins]) at = bins - 1;
        if (x[i] == x[i] && at >= 0 && at < bins) ++to[at];
    }
}

SINTER_INLINE void count_reference(const call_info& c, dtype t, const void* from, std::int64_t count,
                                   const double* edges, std::int64_t size, std::int64_t* to) {
    constexpr std::int64_t at_once = 512;
    const std::int64_t bins = size - words_behind_counts(c);
    std::int64_t numbers[at_once];
    double values[at_once];
    for (std::int64_t i = 0; i < count; i += at_once) {
        const std::int64_t n = std::min(at_once, count - i);
        const char* const part = static_cast<const char*>(from) + i * size_of(t);
        if (c.what == routine::bincount) {
            convert(t, dtype::int64, part, numbers, n);
            count_numbers(numbers, n, bins, bins < size, to);
        } else {
            convert(t, dtype::float64, part, values, n);
            count_in_bins(values, n, edges, bins, to);
        }
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
