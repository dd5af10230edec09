// Bodies of scatter.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/scalar.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/codegen/schedule/schedules.hpp>

SINTER_COLD_BEGIN

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bad_index::bad_index(std::int64_t position) {
    auto bits = static_cast<std::uint64_t>(position) - static_cast<std::uint64_t>(first);
    axis = static_cast<int>(bits & 7);
    index = static_cast<std::int64_t>(bits >> 3 << 5) >> 5;
}

SINTER_INLINE void throw_bad_index(const call_info& how, std::int64_t position, const dims& shape) {
    bad_index bad(position);
    throw index_error(joined({"[", failing_function(how), "] index ", bad.index, " is out of bounds for axis ",
                              bad.axis, " with size ", shape[bad.axis]}));
}

SINTER_INLINE bool combines_atomically(const call_info& how, dtype t) {
    if (how.has(call_info::any_order) && how.what == routine::scatter_add && !is_integer(t)) return t != dtype::bool_;
    return how.what != routine::scatter && is_integer(t) && size_of(t) >= 4;
}

SINTER_INLINE chunk_shape chunk_shape_of(const call_info& how, dtype t, std::int64_t count, std::int64_t size,
                                         std::int64_t width) {
    if (how.what == routine::scatter || t == dtype::bool_ || width != 1) return {};
    if (size < 1 || size > chunk_shape::most_bytes / size_of(t)) return {};
    // Places are cleared and joined for each chunk.
    const std::int64_t least = chunk_shape::chunks * std::max(chunk_shape::least_length, 4 * size);
    const std::int64_t groups = std::min(chunk_shape::most_groups, count / least);
    if (groups < chunk_shape::least_groups) return {};
    const std::int64_t all_chunks = groups * chunk_shape::chunks;
    return {.groups = groups, .length = (count + all_chunks - 1) / all_chunks};
}

SINTER_INLINE chunk_block chunk_block_of(dtype t, std::int64_t size, std::int64_t most_shared_bytes) {
    int chunks = chunk_shape::chunks;
    // What is joined so far has places of its own, where there are several turns.
    auto takes = [&](int n) { return (n + (n < chunk_shape::chunks)) * size * size_of(t); };
    while (chunks > 1 && takes(chunks) > most_shared_bytes) chunks /= 2;
    return {chunks, takes(chunks)};
}

SINTER_INLINE sort_task sort_of_positions(std::int64_t count, std::int64_t size) {
    int bits = 1;
    while (bits < 63 && size >> bits) ++bits;
    return {.type = dtype::int64, .positions = true, .rows = 1, .length = count, .key_bits = bits};
}

SINTER_INLINE sort_task sort_of_values(dtype t, std::int64_t count, std::int64_t size) {
    sort_task task = sort_of_positions(count, size);
    task.positions = false;
    if (task.key_bits <= 32) task.type = dtype::uint32;
    task.carried = size_of(t);
    return task;
}

SINTER_INLINE sort_task sort_of_rows(std::int64_t count, std::int64_t size) {
    const sort_task order = sort_of_positions(count, size);
    sort_task task = sort_of_values(sort_shape_of(order).wide ? dtype::uint64 : dtype::uint32, count, size);
    task.carries_numbers = true;
    return sort_shape_of(task).whole_rows ? order : task;
}

SINTER_INLINE sort_task parts_of_values(dtype t, std::int64_t count, std::int64_t size) {
    sort_task task = sort_of_values(t, count, size);
    task.kept_together = part_shape_of(t, size).kept_together;
    return task;
}

SINTER_INLINE part_shape part_shape_of(dtype t, std::int64_t size) {
    part_shape s{.items = size_of(t) == 16 ? 4 : 8,
                 .kept_together = size < scatter_schedules.size_of_sectors ? 0 : 3,
                 .places = 0,
                 .shared_bytes = 0};
    s.places = (size + (std::int64_t{256} << s.kept_together) - 1) >> (8 + s.kept_together) << s.kept_together;
    const std::int64_t tile = part_shape::ranking * s.items, held = s.places <= part_shape::few ? 2 * tile : tile;
    // Digits of a tile are counted where its places come to be.
    const std::int64_t words = std::max<std::int64_t>(tile, 2 * part_shape::ranking / 32 * 256);
    s.shared_bytes = (s.places + held) * size_of(t) + 4 * words;
    return s;
}

SINTER_INLINE std::int64_t passes_of_last_writers(std::int64_t count, std::int64_t size, std::int64_t cache_bytes) {
    const std::int64_t share = cache_bytes / scatter_schedules.cache_share, bytes = bytes_of_last_writers(count, size);
    const std::int64_t passes = share > 0 ? (bytes + share - 1) / share : 1;
    return passes > scatter_schedules.most_passes ? 1 : passes;
}

SINTER_INLINE scatter_way scatter_way_of(const call_info& how, dtype t, std::int64_t count, std::int64_t size,
                                         std::int64_t width, std::int64_t shared_bytes) {
    if (combines_atomically(how, t)) return scatter_way::atomic;
    if (chunk_shape_of(how, t, count, size, width).groups > 0) return scatter_way::chunked;
    if (how.what != routine::scatter) {
        // Rows stay where they are.
        const sort_task order = width > 1 ? sort_of_rows(count, size) : sort_of_values(t, count, size);
        if (order.positions || sort_shape_of(order).whole_rows) return scatter_way::sorted;
        const bool fits = order.type == dtype::uint32 && part_shape_of(t, size).shared_bytes <= shared_bytes;
        const bool sparse = size / scatter_schedules.places_of_value > count;
        return width == 1 && fits && !sparse ? scatter_way::parted : scatter_way::grouped;
    }
    // One launch sorts few positions, and one more writes their values: marks take as many, and are cleared before.
    if (sort_shape_of(sort_of_positions(count, size)).whole_rows) return scatter_way::sorted;
    const bool crowded = size < count / scatter_schedules.values_of_place;
    const bool sparse = size / scatter_schedules.places_of_value > count;
    return crowded || sparse ? scatter_way::sorted : scatter_way::last_writer;
}

SINTER_INLINE bool takes_indices(const call_info& how, dtype t, std::int64_t count, std::int64_t size,
                                 std::int64_t width) {
    return count > 0 && scatter_way_of(how, t, count, size, width) != scatter_way::sorted;
}

SINTER_INLINE void positions_of_indices(dtype t, const void* indices, std::int64_t count, std::int64_t size,
                                        std::int64_t* positions) {
    convert(t, dtype::int64, indices, positions, count);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t index = positions[i], at = index < 0 ? index + size : index;
        positions[i] = at >= 0 && at < size ? at : (index & bad_index::mask) * 8 + bad_index::base(0);
    }
}

SINTER_INLINE int bytes_of_last_writer(std::int64_t count) { return count < std::int64_t{1} << 31 ? 4 : 8; }

SINTER_INLINE std::int64_t bytes_of_last_writers(std::int64_t count, std::int64_t size) {
    return (size + last_writers_at_once - 1) / last_writers_at_once * last_writers_at_once *
           bytes_of_last_writer(count);
}

SINTER_INLINE std::string scatter_element(dtype t) {
    if (t == dtype::complex64) return "struct alignas(8) element { float re, im; };\n";
    if (t == dtype::complex128) return "struct alignas(16) element { double re, im; };\n";
    return joined({"typedef ", type_text(t), " element;\n"});
}

// What a value does to the element x that it meets.
SINTER_INLINE std::string scatter_form(routine how, dtype t) {
    switch (how) {
        case routine::scatter: return "x = value";
        case routine::scatter_add:
            if (is_complex(t)) return "x.re += value.re, x.im += value.im";
            if (t == dtype::bool_) return "x = x || value";
            if (is_floating(t)) return "x += value";
            // Signed integers wrap around as NumPy's do.
            return "x = (element)((unsigned long long)x + (unsigned long long)value)";
        case routine::scatter_max: return "x = value > x || value != value ? value : x";
        default: return "x = value < x || value != value ? value : x";
    }
}

SINTER_INLINE std::string scatter_name(routine how, dtype t) { return joined({to_string(how), "_", to_string(t)}); }

inline constexpr const char* scatter_host_text =
#include <sinter/codegen/kernels/sort/text/scatter.hxx>
    ;
inline constexpr const char* scatter_cuda_text =
#include <sinter/codegen/kernels/sort/text/scatter.cuh>
    ;
inline constexpr const char* scatter_rows_text =
#include <sinter/codegen/kernels/sort/text/scatter_rows.cuh>
    ;
inline constexpr const char* chunks_host_text =
#include <sinter/codegen/kernels/sort/text/chunks.hxx>
    ;
inline constexpr const char* chunks_cuda_text =
#include <sinter/codegen/kernels/sort/text/chunks.cuh>
    ;
inline constexpr const char* groups_text =
#include <sinter/codegen/kernels/sort/text/groups.cuh>
    ;
inline constexpr const char* combine_parts_text =
#include <sinter/codegen/kernels/sort/text/combine_parts.cuh>
    ;
inline constexpr const char* group_rows_text =
#include <sinter/codegen/kernels/sort/text/group_rows.cuh>
    ;
inline constexpr const char* last_writer_text =
#include <sinter/codegen/kernels/sort/text/last_writers.cuh>
    ;

SINTER_INLINE std::string host_scatter_types(const call_info& how, dtype t, dtype given) {
    return scatter_element(t) + position_text(given, how.has(call_info::indices), "static inline");
}

SINTER_INLINE kernel_source scatter_host(const call_info& how, dtype t, dtype given) {
    return {scatter_name(how.what, t),
            host_scatter_types(how, t, given) + fill_text(scatter_host_text, {{"combine", scatter_form(how.what, t)}})};
}

// What changes no element that it is combined with: of sums of floats that is -0.
SINTER_INLINE std::string scatter_identity(routine how, dtype t) {
    if (is_complex(t)) return "element{-0.0, -0.0}";
    const bool has_sign = kind_of(t) == 'i';
    std::string least = has_sign ? "1ull << (8 * sizeof(element) - 1)" : "0ull";
    if (is_floating(t)) least = "-1.0 / 0.0";
    if (how == routine::scatter_add) least = is_floating(t) ? "-0.0" : "0";
    if (how != routine::scatter_min) return joined({"(element)(", least, ")"});
    return is_floating(t) ? "(element)(1.0 / 0.0)" : "(element)~(" + least + ")";
}

SINTER_INLINE kernel_source chunked_scatter_host(const call_info& how, dtype t, dtype given) {
    return {"chunked_" + scatter_name(how.what, t),
            host_scatter_types(how, t, given) +
                fill_text(chunks_host_text, {{"combine", scatter_form(how.what, t)},
                                             {"identity", scatter_identity(how.what, t)},
                                             {"chunks", std::to_string(chunk_shape::chunks)},
                                             {"most_places", std::to_string(chunk_shape::most_bytes / size_of(t))}})};
}

SINTER_INLINE kernel_source chunked_scatter_cuda(const call_info& how, dtype t, dtype given) {
    return {"chunked_" + scatter_name(how.what, t),
            scatter_element(t) + position_text(given, how.has(call_info::indices)) +
                fill_text(chunks_cuda_text, {{"combine", scatter_form(how.what, t)},
                                             {"identity", scatter_identity(how.what, t)},
                                             {"chunks", std::to_string(chunk_shape::chunks)},
                                             {"threads", std::to_string(32 * chunk_shape::chunks)},
                                             {"at_once", std::to_string(std::min(4, 32 / size_of(t)))}})};
}

SINTER_INLINE std::string scatter_atomic_form(routine how, dtype t) {
    if (how == routine::scatter_add) {
        if (is_complex(t)) return "atomicAdd(&to[at].re, value.re), atomicAdd(&to[at].im, value.im)";
        if (is_floating(t)) return "atomicAdd(to + at, value)";
        const std::string word = size_of(t) == 4 ? "unsigned" : "unsigned long long";
        return joined({"atomicAdd((", word, "*)to + at, (", word, ")value)"});
    }
    return how == routine::scatter_max ? "atomicMax(to + at, value)" : "atomicMin(to + at, value)";
}

SINTER_INLINE kernel_source last_writer_scatter_cuda(dtype t, int last_writer_bytes, bool rows, dtype given,
                                                     bool indices) {
    const std::string at_once = std::to_string(last_writers_at_once);
    std::string s = joined({scatter_element(t), position_text(given, indices), "typedef unsigned ",
                            last_writer_bytes == 8 ? "long long" : "int", " last_writer;\n"});
    s += joined({"constexpr int at_once = ", at_once,
                 ";\nstruct alignas(16) last_writer_group { last_writer last[at_once]; };\n"});
    return {"marked_" + scatter_name(routine::scatter, t), s + fill_text(last_writer_text, {{"rows", rows}})};
}

SINTER_INLINE kernel_source scatter_cuda(const call_info& how, dtype t, bool rows, dtype given) {
    const bool atomic = combines_atomically(how, t);
    const std::string combine = atomic ? scatter_atomic_form(how.what, t) : scatter_form(how.what, t);
    return {scatter_name(how.what, t),
            scatter_element(t) + position_text(given, how.has(call_info::indices)) +
                fill_text(rows ? scatter_rows_text : scatter_cuda_text,
                          {{"atomic", atomic}, {"assigns", how.what == routine::scatter}, {"combine", combine}})};
}

// The types of a sort's keys and of numbers of its elements.
SINTER_INLINE std::string sort_types(const sort_task& order) {
    return joined({"typedef ", type_text(order.type), " key;\ntypedef ",
                   sort_shape_of(order).wide ? "unsigned long long" : "unsigned", " number;\n"});
}

SINTER_INLINE kernel_source grouped_scatter_cuda(routine how, dtype t, const sort_task& order) {
    const bool parts = order.kept_together >= 0;
    const std::string form = scatter_form(how, t);
    std::string text =
        scatter_element(t) + sort_types(order) +
        fill_text(groups_text,
                  {{"combine", form}, {"parts", parts}, {"at_once", std::to_string(std::min(16, 64 / size_of(t)))}});
    if (parts)
        text += part_text(order.kept_together, false) +
                tile_of_keys_text(part_shape::ranking, part_shape_of(t, 1).items) +
                fill_text(combine_parts_text, {{"combine", form},
                                               {"threads", std::to_string(part_shape::threads)},
                                               {"few", std::to_string(part_shape::few)}});
    return {(parts ? "parted_" : "grouped_") + scatter_name(how, t), std::move(text)};
}

SINTER_INLINE kernel_source row_groups_cuda(routine how, dtype t, const sort_task& order) {
    // Many rows of a place are loaded far ahead; few leave registers for more places at once.
    const bool many = order.length >> order.key_bits >= 64;
    const int at_once = many ? std::min(16, 64 / size_of(t)) : std::min(4, 32 / size_of(t));
    return {"rows_of_" + scatter_name(how, t),
            scatter_element(t) + sort_types(order) +
                fill_text(group_rows_text, {{"combine", scatter_form(how, t)},
                                            {"threads", std::to_string(row_group_threads)},
                                            {"keys", !order.positions},
                                            {"at_once", std::to_string(at_once)}})};
}

template <class T>
SINTER_COMPARES void combine_as(routine how, T value, T& x) {
    if (how == routine::scatter) x = value;
    else if (how == routine::scatter_add) {
        if constexpr (std::is_same_v<T, bool>) x = x || value;
        else if constexpr (std::is_integral_v<T>)
            x = static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(value));
        else x = x + value;
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (how == routine::scatter_max ? value > x : value < x) x = value;
        if (value != value) x = value;
    }
}

/// Values from the first on to the one at `end`, or rows of them, to the positions of an array.
template <class T>
void combine_values(const call_info& how, const dims& shape, const T* from, const std::int64_t* positions,
                    std::int64_t first, std::int64_t end, std::int64_t width, T* to) {
    const std::int64_t size = shape.product() / width;
    for (std::int64_t i = first; i < end; ++i) {
        const std::int64_t at = positions[i];
        if (at < 0 || at >= size) throw_bad_index(how, at, shape);
        for (std::int64_t c = 0; c < width; ++c) combine_as(how.what, from[i * width + c], to[at * width + c]);
    }
}

// What changes no element that it is added to.
template <class T>
constexpr T nothing_to_add() {
    if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(-T(0));
    else return {-0.0f, -0.0f};
}

// Extremes are the same in any order.
template <class T>
void scatter_as(const call_info& how, const dims& shape, const chunk_shape& order, const void* from,
                const std::int64_t* positions, std::int64_t count, std::int64_t width, void* to) {
    const T* values = static_cast<const T*>(from);
    T* all_places = static_cast<T*>(to);
    if (order.groups == 0 || how.what != routine::scatter_add)
        return combine_values(how, shape, values, positions, 0, count, width, all_places);
    const auto size = static_cast<std::size_t>(shape.product());
    sequence<T> own(size), joined(size);
    auto join = [&](const sequence<T>& x, T* y) {
        for (std::size_t k = 0; k < size; ++k) combine_as(how.what, x[k], y[k]);
    };
    constexpr T nothing = nothing_to_add<T>();
    for (std::int64_t group = 0; group < order.groups; ++group) {
        for (T& x : joined) x = nothing;
        for (std::int64_t c = 0; c < chunk_shape::chunks; ++c) {
            const std::int64_t begin = (group * chunk_shape::chunks + c) * order.length;
            for (T& x : own) x = nothing;
            combine_values(how, shape, values, positions, begin, std::min(count, begin + order.length), width,
                           own.data());
            join(own, joined.data());
        }
        join(joined, all_places);
    }
}

SINTER_INLINE void scatter_reference(const call_info& how, dtype t, const dims& shape, const void* values,
                                     const std::int64_t* positions, std::int64_t count, std::int64_t width, void* to) {
    const chunk_shape order = chunk_shape_of(how, t, count, shape.product() / width, width);
    switch (t) {
        case dtype::bool_: return scatter_as<bool>(how, shape, order, values, positions, count, width, to);
        case dtype::int8: return scatter_as<std::int8_t>(how, shape, order, values, positions, count, width, to);
        case dtype::int16: return scatter_as<std::int16_t>(how, shape, order, values, positions, count, width, to);
        case dtype::int32: return scatter_as<std::int32_t>(how, shape, order, values, positions, count, width, to);
        case dtype::int64: return scatter_as<std::int64_t>(how, shape, order, values, positions, count, width, to);
        case dtype::uint8: return scatter_as<std::uint8_t>(how, shape, order, values, positions, count, width, to);
        case dtype::float16:
        case dtype::bfloat16:
            if (how.what != routine::scatter)
                throw type_error("[scatter] half precision is combined in float32: " + std::string(to_string(t)));
            [[fallthrough]];
        case dtype::uint16: return scatter_as<std::uint16_t>(how, shape, order, values, positions, count, width, to);
        case dtype::complex32:
            if (how.what != routine::scatter)
                throw type_error("[scatter] half precision is combined in complex64: " + std::string(to_string(t)));
            [[fallthrough]];
        case dtype::uint32: return scatter_as<std::uint32_t>(how, shape, order, values, positions, count, width, to);
        case dtype::uint64: return scatter_as<std::uint64_t>(how, shape, order, values, positions, count, width, to);
        case dtype::float32: return scatter_as<float>(how, shape, order, values, positions, count, width, to);
        case dtype::float64: return scatter_as<double>(how, shape, order, values, positions, count, width, to);
        case dtype::complex64:
            return scatter_as<scalar::complex<float>>(how, shape, order, values, positions, count, width, to);
        case dtype::complex128:
            return scatter_as<scalar::complex<double>>(how, shape, order, values, positions, count, width, to);
        default: throw type_error("[scatter] is not defined for " + std::string(to_string(t)));
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

SINTER_COLD_END
