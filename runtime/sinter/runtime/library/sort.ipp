// Bodies of sort.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/codegen/kernels/sort/sort_host.hpp>
#include <sinter/codegen/kernels/sort/sort_host_rows.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/sort.hpp>
#include <sinter/runtime/base/thread_team.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE codegen::sort_task sort_task_on(const codegen::sort_task& task, device where) {
    return where.is_cuda() ? codegen::sort_task_on_cuda(task) : task;
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_sort(const codegen::sort_task& task, device where) {
    if (codegen::is_half(task.type)) return {};
    return {where.is_cuda() ? codegen::radix_sort_cuda(task) : codegen::sort_host(task)};
}

SINTER_INLINE prepared_sort prepare_sort(const codegen::sort_task& task, device where) {
    if (codegen::is_half(task.type)) throw type_error("[sort] is not defined for " + std::string(to_string(task.type)));
    prepared_sort o;
    o.task = task;
    const written_text* text = &find_text(texts_of_sort(task, where)[0], where);
    if (where.is_cpu()) {
        o.host_rows = text->function<prepared_sort::rows_entry>("sort_rows");
        if (codegen::sort_by_keys(task)) {
            o.host_step = text->function<prepared_sort::step_entry>("sort_step");
        } else {
            o.host_count = text->function<prepared_sort::count_entry>("sort_count");
            o.host_move = text->function<prepared_sort::move_entry>("sort_move");
        }
    } else if (codegen::sort_shape_of(task).whole_rows) {
        o.rows = text->kernel("sort_rows");
    } else {
        o.count = text->kernel("sort_count");
        o.sweep = text->kernel("sort_sweep");
        if (task.upper_halves) o.lower_halves = text->kernel("sort_lower_halves");
    }
    return o;
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

SINTER_INLINE std::int64_t sort_parts_on_host(const codegen::sort_task& t) {
    std::int64_t threads = thread_count(), enough = t.rows * t.length / 32768;
    return std::max<std::int64_t>(1, std::min(threads, enough));
}

// Whether threads share a row: where there are more of them than rows, which are long enough to be divided.
SINTER_INLINE bool splits_rows(const codegen::sort_task& t) {
    return sort_parts_on_host(t) > t.rows &&
           (!codegen::sort_by_keys(t) || codegen::sort_division_of(t, thread_count()).buckets > 0);
}

SINTER_INLINE codegen::sort_division division_on_host(const codegen::sort_task& t) {
    return codegen::sort_division_of(t, splits_rows(t) ? thread_count() : 1);
}

// Of a row, a multiple of 64.
SINTER_INLINE std::int64_t sort_workspace_of_row(const codegen::sort_task& t) {
    const std::int64_t bytes = codegen::sort_by_keys(t) ? codegen::sort_key_workspace(t, division_on_host(t))
                               : t.length <= 64         ? 0
                                                        : 2 * t.length * codegen::sort_item_bytes(t);
    return (bytes + 63) / 64 * 64;
}

SINTER_INLINE std::int64_t sort_workspace(const codegen::sort_task& t, device where) {
    if (where.is_cuda()) return codegen::sort_shape_of(t).whole_rows ? 0 : sort_workspace_layout(t).bytes;
    return sort_workspace_of_row(t) * (splits_rows(t) ? 1 : sort_parts_on_host(t));
}

/// The parts of a row in which a GPU counts digits.
struct counted_parts {
    std::uint64_t parts, part;

    counted_parts(const codegen::sort_task& t, device where) {
        const auto rows = static_cast<std::uint64_t>(t.rows), length = static_cast<std::uint64_t>(t.length),
                   wanted = static_cast<std::uint64_t>(properties(where.index()).multiprocessors) * 8;
        parts = std::max<std::uint64_t>(1, std::min((length + 8191) / 8192, (wanted + rows - 1) / rows));
        part = ((length + parts - 1) / parts + 2047) / 2048 * 2048;
        parts = (length + part - 1) / part;
    }
};

SINTER_INLINE void run_tiles(const prepared_sort& o, device where, const char* from, char* to, char* scratch) {
    const codegen::sort_task& t = o.task;
    const codegen::sort_shape s = codegen::sort_shape_of(t);
    const sort_workspace_layout l(t);
    const int passes = codegen::sort_passes(t);
    std::uint64_t length = static_cast<std::uint64_t>(t.length),
                  tiles = (length + static_cast<std::uint64_t>(s.tile()) - 1) / static_cast<std::uint64_t>(s.tile());
    const auto rows = static_cast<std::uint64_t>(t.rows);
    auto [parts, part] = counted_parts(t, where);
    fill_zero(where, scratch, static_cast<std::size_t>(l.zeroed));
    void *counts = scratch, *arrived = scratch + l.arrived, *wanted = scratch + l.wanted;
    // Numbers of 32 bits are the low halves of these.
    void* count_arguments[] = {&from, &counts, &arrived, &wanted, &length, &part, &parts, const_cast<int*>(&passes)};
    launch_cuda(where, o.count, {static_cast<std::uint32_t>(rows * parts)}, {256}, 0, count_arguments);
    // Which passes a row wants is known on the device alone; its last one leads to the result. Positions on their way
    // may lie there.
    char* target = t.positions ? scratch + l.elements[1] : to;
    char *side = scratch + l.elements[0], *position_side = scratch + l.positions;
    for (int pass = 0; pass < passes; ++pass) {
        void* next = scratch + l.next + 4 * pass;
        void* told = scratch + l.told + l.told_of_pass * pass;
        void* values[] = {
            &from, &target, &side, &wanted, &counts, &told, &next, &length, &tiles, &pass, const_cast<int*>(&passes)};
        void* with[] = {&from, &target, &side,  &wanted, &position_side,           &to, &counts, &told,
                        &next, &length, &tiles, &pass,   const_cast<int*>(&passes)};
        launch_cuda(where, o.sweep, {static_cast<std::uint32_t>(rows * tiles)}, {static_cast<std::uint32_t>(s.threads)},
                    0, t.positions ? with : values);
    }
}

SINTER_INLINE sorted_values run_sort_of_values(const prepared_sort& o, device where, const void* positions,
                                               const void* values, std::int64_t size, void* error, void* scratch) {
    const codegen::sort_task& t = o.task;
    const codegen::sort_shape s = codegen::sort_shape_of(t);
    const sort_workspace_layout l(t);
    const int passes = codegen::sort_passes(t);
    std::uint64_t length = static_cast<std::uint64_t>(t.length),
                  tiles = (length + static_cast<std::uint64_t>(s.tile()) - 1) / static_cast<std::uint64_t>(s.tile());
    auto [parts, part] = counted_parts(t, where);
    char* const memory = static_cast<char*>(scratch);
    fill_zero(where, scratch, static_cast<std::size_t>(l.zeroed));
    void *counts = scratch, *source = memory + l.elements[0], *out_of_order = memory + l.next + 4 * passes;
    void* const given = source;
    void* count_arguments[] = {&positions, &source,       &counts, &length, &part, const_cast<int*>(&passes),
                               &size,      &out_of_order, &error};
    launch_cuda(where, o.count, {static_cast<std::uint32_t>(parts)}, {256}, 0, count_arguments);
    void* carried = const_cast<void*>(values);
    for (int pass = 0; pass < passes; ++pass) {
        void* target = memory + l.elements[(pass + 1) % 2];
        void* carried_to = memory + l.values[(pass + 1) % 2];
        void* next = memory + l.next + 4 * pass;
        void* told = memory + l.told + l.told_of_pass * pass;
        void* arguments[] = {&source, &target, &carried, &carried_to, &out_of_order, &counts,
                             &told,   &next,   &length,  &tiles,      &pass,         const_cast<int*>(&passes)};
        launch_cuda(where, o.sweep, {static_cast<std::uint32_t>(tiles)}, {static_cast<std::uint32_t>(s.threads)}, 0,
                    arguments);
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

/// A row that threads share, each a part of it, pass by pass.
struct shared_row {
    const prepared_sort* order;
    const void* from;
    void* to;
    std::int64_t parts, part;
    int raw, first, last, is_last;  ///< passes [first, last) are counted; from elements or items, to items or results
    codegen::sequence<long long> counts;  ///< per part, counted pass and digit; then where its elements go

    long long* counts_of(std::int64_t p) { return &counts[static_cast<std::size_t>(p * (last - first) * 256)]; }
    long long end(std::int64_t p) const { return std::min(order->task.length, (p + 1) * part); }
};

SINTER_INLINE void count_parts(shared_row& r, int first, int last) {
    r.first = first;
    r.last = last;
    r.counts.assign(static_cast<std::size_t>(r.parts * (last - first) * 256), 0);
    auto count = [](void* context, std::int64_t begin, std::int64_t end) {
        shared_row& x = *static_cast<shared_row*>(context);
        for (; begin < end; ++begin)
            x.order->host_count(x.from, begin * x.part, x.end(begin), x.raw, x.first, x.last, x.counts_of(begin));
    };
    parallel_for(r.parts, 1, count, &r);
}

// The passes by which elements differ; one at least, which makes the result.
SINTER_INLINE codegen::sequence<int> wanted_passes(shared_row& r) {
    const int passes = codegen::sort_passes(r.order->task);
    count_parts(r, 0, passes);
    codegen::sequence<int> wanted;
    for (int pass = 0; pass < passes; ++pass)
        for (int d = 0; d < 256; ++d) {
            long long sum = 0;
            for (std::int64_t p = 0; p < r.parts; ++p) sum += r.counts_of(p)[pass * 256 + d];
            if (sum == 0) continue;
            if (sum != r.order->task.length) wanted.push_back(pass);
            break;
        }
    if (wanted.empty()) wanted.push_back(0);
    return wanted;
}

SINTER_INLINE void move_parts(shared_row& r) {
    long long sum = 0;
    for (std::int64_t d = 0; d < 256; ++d)
        for (std::int64_t p = 0; p < r.parts; ++p) {
            long long& at = r.counts_of(p)[d];
            sum += at;
            at = sum - at;
        }
    auto move = [](void* context, std::int64_t begin, std::int64_t end) {
        shared_row& x = *static_cast<shared_row*>(context);
        for (; begin < end; ++begin)
            x.order->host_move(x.from, x.to, x.raw, x.is_last, begin * x.part, x.end(begin), x.first,
                               x.counts_of(begin));
    };
    parallel_for(r.parts, 1, move, &r);
}

SINTER_INLINE void sort_split_row(const prepared_sort& o, const char* from, char* to, char* scratch) {
    const codegen::sort_task& t = o.task;
    const std::int64_t parts = sort_parts_on_host(t);
    shared_row r{&o, from, nullptr, parts, (t.length + parts - 1) / parts, 1, 0, 0, 0, {}};
    char* sides[2] = {scratch, scratch + t.length * codegen::sort_item_bytes(t)};
    codegen::sequence<int> wanted = wanted_passes(r);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        r.is_last = i + 1 == wanted.size();
        r.to = r.is_last ? to : sides[i % 2];
        count_parts(r, wanted[i], wanted[i] + 1);
        move_parts(r);
        r.from = r.to;
        r.raw = 0;
    }
}

/// A row that threads share, sorted by keys in steps.
struct row_in_steps {
    const prepared_sort* order;
    const char* from;
    char *to, *scratch;
    int parts, buckets, step;
};

SINTER_INLINE void sort_split_row_by_keys(const prepared_sort& o, const char* from, char* to, char* scratch) {
    const codegen::sort_division d = division_on_host(o.task);
    row_in_steps r{&o, from, to, scratch, static_cast<int>(d.parts), static_cast<int>(d.buckets), 0};
    auto run = [](void* context, std::int64_t begin, std::int64_t end) {
        const row_in_steps& x = *static_cast<const row_in_steps*>(context);
        x.order->host_step(x.from, x.to, x.scratch, x.order->task.length, x.parts, x.buckets, x.step, begin, end);
    };
    for (; r.step < 6; ++r.step) parallel_for(r.step == 4 ? d.buckets : r.step % 2 ? 1 : d.parts, 1, run, &r);
}

struct sort_rows_part {
    const prepared_sort* order;
    const char* from;
    char *to, *scratch;
    std::int64_t parts, room_bytes;
    int parts_or_passes, buckets;  ///< of a row
};

SINTER_INLINE void run_sort_on_host(const prepared_sort& o, const char* from, char* to, char* scratch) {
    const codegen::sort_task& t = o.task;
    count_launch();
    const std::int64_t size = codegen::size_of(t.type);
    const bool by_keys = codegen::sort_by_keys(t);
    if (splits_rows(t)) {
        for (std::int64_t row = 0; row < t.rows; ++row)
            (by_keys ? sort_split_row_by_keys : sort_split_row)(
                o, from + row * t.length * size, to + row * t.length * (t.positions ? 8 : size), scratch);
        return;
    }
    const std::int64_t parts = std::min(sort_parts_on_host(t), t.rows);
    const codegen::sort_division d = division_on_host(t);
    sort_rows_part p{&o,
                     from,
                     to,
                     scratch,
                     parts,
                     sort_workspace_of_row(t),
                     by_keys ? static_cast<int>(d.parts) : codegen::sort_passes(t),
                     static_cast<int>(d.buckets)};
    auto sort = [](void* context, std::int64_t begin, std::int64_t end) {
        const sort_rows_part& x = *static_cast<const sort_rows_part*>(context);
        const codegen::sort_task& task = x.order->task;
        for (; begin < end; ++begin)
            x.order->host_rows(x.from, x.to, begin * task.rows / x.parts, (begin + 1) * task.rows / x.parts,
                               task.length, x.parts_or_passes, x.buckets, x.scratch + begin * x.room_bytes);
    };
    parallel_for(parts, 1, sort, &p);
}

SINTER_INLINE void run_sort(const prepared_sort& o, device where, const void* from, void* to, void* scratch) {
    const codegen::sort_task& t = o.task;
    if (t.rows * t.length == 0) return;
    if (where.is_cpu())
        return run_sort_on_host(o, static_cast<const char*>(from), static_cast<char*>(to), static_cast<char*>(scratch));
    if (o.lower_halves) return run_sort_of_words(o, where, from, to, scratch);
    if (!o.rows)
        return run_tiles(o, where, static_cast<const char*>(from), static_cast<char*>(to), static_cast<char*>(scratch));
    const int length = static_cast<int>(t.length), passes = codegen::sort_passes(t);
    const codegen::sort_shape s = codegen::sort_shape_of(t);
    const auto blocks =
        static_cast<std::uint32_t>(std::min<std::int64_t>((t.rows + s.rows() - 1) / s.rows(), std::int64_t{1} << 30));
    void* arguments[] = {&from, &to, const_cast<std::int64_t*>(&t.rows), const_cast<int*>(&length),
                         const_cast<int*>(&passes)};
    launch_cuda(where, o.rows, {blocks}, {static_cast<std::uint32_t>(s.threads)}, 0, arguments);
}

}  // namespace sinter::inline SINTER_ABI::runtime
