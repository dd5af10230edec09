// Bodies of sort_host.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/kernels/sort/sort_host.hpp>
#include <sinter/codegen/kernels/sort/sort_host_rows.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/library/order/sort.hpp>
#include <sinter/runtime/library/order/sort_host.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE void find_host_sort(prepared_sort& o, const written_text& text) {
    o.host_rows = text.function<prepared_sort::rows_entry>("sort_rows");
    if (codegen::sort_by_keys(o.task)) {
        o.host_step = text.function<prepared_sort::step_entry>("sort_step");
    } else {
        o.host_count = text.function<prepared_sort::count_entry>("sort_count");
        o.host_move = text.function<prepared_sort::move_entry>("sort_move");
    }
}

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

SINTER_INLINE std::int64_t host_sort_workspace(const codegen::sort_task& t) {
    return sort_workspace_of_row(t) * (splits_rows(t) ? 1 : sort_parts_on_host(t));
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

SINTER_INLINE void run_host_sort(const prepared_sort& o, device, const char* from, char* to, char* scratch) {
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

SINTER_INLINE const sort_backend& host_sorts() {
    static constexpr sort_backend b{.task = [](const codegen::sort_task& task) { return task; },
                                    .text = codegen::sort_host,
                                    .find = find_host_sort,
                                    .workspace = host_sort_workspace,
                                    .run = run_host_sort};
    return b;
}

}  // namespace sinter::inline SINTER_ABI::runtime
