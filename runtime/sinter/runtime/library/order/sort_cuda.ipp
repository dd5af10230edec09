// Bodies of sort_cuda.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/order/sort.hpp>
#include <sinter/runtime/library/order/sort_cuda.hpp>
#include <sinter/runtime/memory/copy.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void find_cuda_sort(prepared_sort& o, const written_text& text) {
    if (codegen::sort_shape_of(o.task).whole_rows) {
        o.rows = text.kernel("sort_rows");
        return;
    }
    o.count = text.kernel("sort_count");
    o.sweep = text.kernel("sort_sweep");
    if (o.task.upper_halves) o.lower_halves = text.kernel("sort_lower_halves");
}

// Where things lie in the room of a sort in tiles on a GPU.
struct sort_workspace_layout {
    std::int64_t next, arrived, wanted, told, told_of_pass, zeroed;  ///< what is zeroed begins with the counts at 0
    std::int64_t elements[2], values[2], positions, bytes;

    sort_workspace_layout(const codegen::sort_task& t) {
        codegen::sort_shape s = codegen::sort_shape_of(t);
        std::int64_t at = 0, passes = codegen::sort_passes(t), number = s.wide ? 8 : 4, n = t.rows * t.length;
        auto take = [&](std::int64_t size) {
            std::int64_t begin = at;
            at += (size + 255) / 256 * 256;
            return begin;
        };
        take(t.rows * passes * 256 * number);
        next = take(passes * 4 + 4);
        arrived = take(t.carried ? 0 : t.rows * 4);
        wanted = take(t.carried ? 0 : t.rows * 4);
        told_of_pass = t.rows * ((t.length + s.tile() - 1) / s.tile()) * 256 * number;
        told = take(passes * told_of_pass);
        zeroed = at;
        elements[0] = take(passes > 1 || t.carried ? n * codegen::size_of(t.type) : 0);
        elements[1] = take((t.positions && passes > 2) || t.carried ? n * codegen::size_of(t.type) : 0);
        values[0] = take(passes > 1 ? n * t.carried : 0);
        values[1] = take(n * t.carried);
        positions = take(t.positions && passes > 1 ? n * number : 0);
        bytes = at;
    }
};

SINTER_INLINE std::int64_t cuda_sort_workspace(const codegen::sort_task& t) {
    return codegen::sort_shape_of(t).whole_rows ? 0 : sort_workspace_layout(t).bytes;
}

/// A sort in tiles, whose workspace it clears: a launch that counts all digits, and one for each digit.
struct tiled_sort {
    const prepared_sort& order;
    device where;
    char* scratch;
    sort_workspace_layout at;
    int passes;
    std::uint64_t rows, length, tiles;
    std::uint64_t parts, part;  ///< of a row, in which digits are counted
    std::uint32_t threads;

    tiled_sort(const prepared_sort& o, device d, void* memory)
        : order(o),
          where(d),
          scratch(static_cast<char*>(memory)),
          at(o.task),
          passes(codegen::sort_passes(o.task)),
          rows(static_cast<std::uint64_t>(o.task.rows)),
          length(static_cast<std::uint64_t>(o.task.length)) {
        const codegen::sort_shape s = codegen::sort_shape_of(o.task);
        const auto tile = static_cast<std::uint64_t>(s.tile()),
                   wanted = static_cast<std::uint64_t>(properties(where.index()).multiprocessors) * 8;
        threads = static_cast<std::uint32_t>(s.threads);
        tiles = (length + tile - 1) / tile;
        parts = std::max<std::uint64_t>(1, std::min((length + 8191) / 8192, (wanted + rows - 1) / rows));
        part = ((length + parts - 1) / parts + 2047) / 2048 * 2048;
        parts = (length + part - 1) / part;
        fill_zero(where, scratch, static_cast<std::size_t>(at.zeroed));
    }

    void* next(int pass) const { return scratch + at.next + 4 * pass; }
    void* told(int pass) const { return scratch + at.told + at.told_of_pass * pass; }
    void count(void* const* arguments) const {
        launch_cuda(where, order.count, {static_cast<std::uint32_t>(rows * parts)}, {256}, 0, arguments);
    }
    void sweep(void* const* arguments) const {
        launch_cuda(where, order.sweep, {static_cast<std::uint32_t>(rows * tiles)}, {threads}, 0, arguments);
    }
};

SINTER_INLINE void run_tiles(const prepared_sort& o, device where, const char* from, char* to, char* scratch) {
    tiled_sort s(o, where, scratch);
    const sort_workspace_layout& l = s.at;
    void *counts = scratch, *arrived = scratch + l.arrived, *wanted = scratch + l.wanted;
    // Numbers of 32 bits are the low halves of these.
    void* count_arguments[] = {&from, &counts, &arrived, &wanted, &s.length, &s.part, &s.parts, &s.passes};
    s.count(count_arguments);
    // Which passes a row wants is known on the device alone; its last one leads to the result. Positions on their way
    // may lie there.
    char* target = o.task.positions ? scratch + l.elements[1] : to;
    char *side = scratch + l.elements[0], *position_side = scratch + l.positions;
    for (int pass = 0; pass < s.passes; ++pass) {
        void *next = s.next(pass), *told = s.told(pass);
        void* values[] = {&from, &target, &side, &wanted, &counts, &told, &next, &s.length, &s.tiles, &pass, &s.passes};
        void* with[] = {&from, &target, &side,     &wanted,  &position_side, &to,      &counts,
                        &told, &next,   &s.length, &s.tiles, &pass,          &s.passes};
        if (o.task.positions) s.sweep(with);
        else s.sweep(values);
    }
}

SINTER_INLINE sorted_values run_sort_of_values(const prepared_sort& o, device where, const void* positions,
                                               const void* values, std::int64_t size, void* error, void* scratch) {
    tiled_sort s(o, where, scratch);
    const sort_workspace_layout& l = s.at;
    void *counts = scratch, *source = s.scratch + l.elements[0], *out_of_order = s.next(s.passes);
    void* const given = source;
    void* count_arguments[] = {&positions, &source, &counts,       &s.length, &s.part,
                               &s.passes,  &size,   &out_of_order, &error};
    s.count(count_arguments);
    void* carried = const_cast<void*>(values);
    for (int pass = 0; pass < s.passes; ++pass) {
        void *target = s.scratch + l.elements[(pass + 1) % 2], *carried_to = s.scratch + l.values[(pass + 1) % 2],
             *next = s.next(pass), *told = s.told(pass);
        void* arguments[] = {&source, &target, &carried,  &carried_to, &out_of_order, &counts,
                             &told,   &next,   &s.length, &s.tiles,    &pass,         &s.passes};
        s.sweep(arguments);
        source = target;
        carried = carried_to;
    }
    return {given, source, carried, counts, out_of_order};
}

SINTER_INLINE void run_sort_of_words(const prepared_sort& o, device where, const void* from, void* to, void* scratch) {
    sorted_values sorted = run_sort_of_values(o, where, from, nullptr, 0, nullptr, scratch);
    auto length = static_cast<std::uint32_t>(o.task.length);
    void* arguments[] = {&from, &sorted.positions, &sorted.values, &to, &length};
    launch_cuda(where, o.lower_halves, {(length + 255) / 256}, {256}, 0, arguments);
}

SINTER_INLINE void run_cuda_sort(const prepared_sort& o, device where, const char* from, char* to, char* scratch) {
    const codegen::sort_task& t = o.task;
    if (o.lower_halves) return run_sort_of_words(o, where, from, to, scratch);
    if (!o.rows) return run_tiles(o, where, from, to, scratch);
    const int length = static_cast<int>(t.length), passes = codegen::sort_passes(t);
    const codegen::sort_shape s = codegen::sort_shape_of(t);
    const auto blocks =
        static_cast<std::uint32_t>(std::min<std::int64_t>((t.rows + s.rows() - 1) / s.rows(), std::int64_t{1} << 30));
    void* arguments[] = {&from, &to, const_cast<std::int64_t*>(&t.rows), const_cast<int*>(&length),
                         const_cast<int*>(&passes)};
    launch_cuda(where, o.rows, {blocks}, {static_cast<std::uint32_t>(s.threads)}, 0, arguments);
}

SINTER_INLINE const sort_backend& cuda_sorts() {
    static constexpr sort_backend b{.task = codegen::sort_task_on_cuda,
                                    .text = codegen::radix_sort_cuda,
                                    .find = find_cuda_sort,
                                    .workspace = cuda_sort_workspace,
                                    .run = run_cuda_sort};
    return b;
}

}  // namespace sinter::inline SINTER_ABI::runtime
