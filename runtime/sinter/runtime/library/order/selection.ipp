// Bodies of selection.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/codegen/kernels/sort/selection_host.hpp>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/order/selection.hpp>
#include <sinter/runtime/memory/copy.hpp>

namespace sinter::inline SINTER_ABI::runtime {

// In how many parts a row of so many elements is looked through, of at least so many.
SINTER_INLINE std::int64_t parts_of_row(std::int64_t rows, std::int64_t count, std::int64_t least, device where) {
    const std::int64_t wanted =
        where.is_cuda() ? properties(where.index()).multiprocessors * std::int64_t{codegen::selection_schedules.blocks}
                        : thread_count();
    return std::max<std::int64_t>(1, std::min(wanted / rows, count / least));
}

// The first of each part are candidates of the next round, until a row is one part.
struct topk_round {
    std::int64_t count, parts;  ///< candidates of a row, and parts that they are looked through in
};
SINTER_INLINE topk_round next_round(const codegen::selection_task& t, std::int64_t count, device where) {
    const codegen::selection_schedule& s = codegen::selection_schedules;
    return {count, parts_of_row(t.rows, count, std::max(s.part, s.parts_of_first * t.count), where)};
}

// Of the positions that the parts of a round come to, a multiple of 64.
SINTER_INLINE std::int64_t bytes_of_round(const codegen::selection_task& t, const topk_round& r) {
    return r.parts > 1 ? (8 * t.rows * r.parts * t.count + 63) / 64 * 64 : 0;
}

SINTER_INLINE prepared_selection prepare_topk(const codegen::selection_task& task, device where) {
    prepared_selection r;
    r.task = task;
    const topk_round first = next_round(task, task.length, where);
    r.workspace = bytes_of_round(task, first);
    if (first.parts > 1) r.workspace += bytes_of_round(task, next_round(task, first.parts * task.count, where));
    if (where.is_cuda()) r.topk = find_text(codegen::topk_cuda(task), where).cuda.kernel("topk");
    return r;
}

/// A round that threads of the host share out.
struct host_round {
    const codegen::selection_task& task;
    topk_round round;
    const char* from;
    const std::int64_t* places;
    std::int64_t* to;

    void select(std::int64_t part) const {
        const std::int64_t row = part / round.parts, which = part % round.parts;
        codegen::select_first_on_host(task, from + row * task.length * codegen::size_of(task.type),
                                      places ? places + row * round.count : nullptr, which * round.count / round.parts,
                                      (which + 1) * round.count / round.parts, to + part * task.count);
    }
};

SINTER_INLINE void run_topk_round(const prepared_selection& r, const topk_round& round, device where, const void* from,
                                  const void* places, void* to) {
    const codegen::selection_task& t = r.task;
    std::int64_t rows = t.rows, length = t.length, count = round.count, parts = round.parts;
    if (where.is_cuda()) {
        auto wanted = static_cast<std::uint32_t>(t.count);
        void* arguments[] = {&from, &places, &to, &rows, &length, &count, &parts, &wanted};
        const auto blocks = static_cast<std::uint32_t>(std::min(rows * parts, std::int64_t{1} << 30));
        return launch_cuda(where, r.topk, {blocks}, {256}, 0, arguments);
    }
    host_round h{t, round, static_cast<const char*>(from), static_cast<const std::int64_t*>(places),
                 static_cast<std::int64_t*>(to)};
    auto select = [](void* context, std::int64_t begin, std::int64_t end) {
        for (; begin < end; ++begin) static_cast<const host_round*>(context)->select(begin);
    };
    const std::int64_t grain = std::max<std::int64_t>(1, 16384 * parts / count);
    parallel_for(rows * parts, grain, select, &h);
}

SINTER_INLINE void run_topk(const prepared_selection& r, device where, const void* from, void* to, char* workspace) {
    if (where.is_cpu()) count_launch();
    topk_round round = next_round(r.task, r.task.length, where);
    // What a round makes lies before or behind what it reads.
    char* const rooms[2] = {workspace, workspace + bytes_of_round(r.task, round)};
    const void* places = nullptr;
    for (int i = 0; round.parts > 1; i = 1 - i) {
        run_topk_round(r, round, where, from, places, rooms[i]);
        places = rooms[i];
        round = next_round(r.task, round.parts * r.task.count, where);
    }
    run_topk_round(r, round, where, from, places, to);
}

// Where things lie in the workspace of order statistics on a GPU.
struct ranks_layout {
    std::int64_t parts, arrived = 0, counts = 0, zeroed = 0, lists = 0, bytes = 0;
    int passes;  ///< launches in which digits are counted

    ranks_layout(const codegen::selection_task& t, device where)
        : parts(parts_of_row(t.rows, t.length, codegen::selection_schedules.part, where)) {
        auto take = [&](std::int64_t size) {
            const std::int64_t begin = bytes;
            bytes += (size + 255) / 256 * 256;
            return begin;
        };
        const std::int64_t targets = t.rows * t.count, room = codegen::room_for_candidates(t.type);
        take(targets * codegen::bytes_of_target(t.type));
        arrived = take(4 * t.rows);
        counts = take(parts > 1 ? 4 * 256 * targets : 0);
        zeroed = bytes;
        lists = take(parts > 1 ? 4 * targets * room : 0);
        passes = t.length <= room ? 0 : codegen::digits_of_selection(t.type);
    }
};

SINTER_INLINE prepared_selection prepare_order_statistics(const codegen::selection_task& task, device where) {
    prepared_selection r;
    r.task = task;
    if (where.is_cpu()) return r;
    r.workspace = ranks_layout(task, where).bytes;
    const cuda_module& text = find_text(codegen::order_statistics_cuda(task), where).cuda;
    r.count = text.kernel("count_digits");
    r.take = text.kernel("take_ranks");
    return r;
}

SINTER_INLINE void run_cuda_ranks(const prepared_selection& r, device where, const void* from, const void* ranks,
                                  void* to, char* workspace) {
    const codegen::selection_task& t = r.task;
    const ranks_layout l(t, where);
    fill_zero(where, workspace, static_cast<std::size_t>(l.zeroed));
    void *targets = workspace, *arrived = workspace + l.arrived, *counts = workspace + l.counts,
         *lists = workspace + l.lists;
    std::int64_t length = t.length, parts = l.parts;
    int count = static_cast<int>(t.count), first = l.passes == 0;
    const auto blocks = static_cast<std::uint32_t>(t.rows * parts);
    // A row of one thread block needs no launch for each digit.
    const int step = parts > 1 ? 1 : std::max(l.passes, 1);
    for (int pass = 0; pass < l.passes; pass += step) {
        int end = pass + step;
        void* arguments[] = {&from, &ranks, &targets, &counts, &arrived, &length, &parts, &count, &pass, &end};
        launch_cuda(where, r.count, {blocks}, {256}, 0, arguments);
    }
    void* arguments[] = {&from, &ranks, &targets, &lists, &arrived, &to, &length, &parts, &count, &first};
    launch_cuda(where, r.take, {blocks}, {256}, 0, arguments);
}

/// Digits of a row that threads of the host count, each in a part of it.
struct host_counts {
    const codegen::selection_task& task;
    const char* row;
    std::int64_t parts;
    codegen::host_target target{};
    codegen::sequence<std::int64_t> counts{};  ///< a table for each part

    void count(std::int64_t part) {
        codegen::count_digit_on_host(task.type, row, part * task.length / parts, (part + 1) * task.length / parts,
                                     target, counts.data() + part * codegen::values_of_host_digit);
    }
    void add_digit() {
        constexpr std::int64_t values = codegen::values_of_host_digit;
        counts.assign(static_cast<std::size_t>(parts * values), 0);
        auto run = [](void* context, std::int64_t begin, std::int64_t end) {
            for (; begin < end; ++begin) static_cast<host_counts*>(context)->count(begin);
        };
        if (parts == 1) count(0);
        else parallel_for(parts, 1, run, this);
        for (std::int64_t i = values; i < parts * values; ++i)
            counts[static_cast<std::size_t>(i % values)] += counts[static_cast<std::size_t>(i)];
        codegen::add_digit_on_host(task.type, counts.data(), target);
    }
    std::int64_t find(std::int64_t rank) {
        target = {.rank = rank, .left = task.length};
        while (target.shift > 0 && target.left > codegen::host_candidates) add_digit();
        return codegen::find_rank_on_host(task.type, row, task.length, target);
    }
};

/// Rows that threads of the host share out.
struct host_ranks {
    const codegen::selection_task& task;
    const char* from;
    const std::int64_t* ranks;
    char* to;
    std::int64_t parts;

    void take(std::int64_t i) const {
        const std::int64_t size = codegen::size_of(task.type), row = i / task.count;
        host_counts c{task, from + row * task.length * size, parts};
        std::memcpy(to + i * size, c.row + c.find(ranks[i % task.count]) * size, static_cast<std::size_t>(size));
    }
};

SINTER_INLINE void run_host_ranks(const prepared_selection& r, const void* from, const void* ranks, void* to) {
    count_launch();
    const codegen::selection_task& t = r.task;
    host_ranks h{t, static_cast<const char*>(from), static_cast<const std::int64_t*>(ranks), static_cast<char*>(to),
                 parts_of_row(t.rows, t.length, codegen::selection_schedules.part, device::cpu())};
    auto take = [](void* context, std::int64_t begin, std::int64_t end) {
        for (; begin < end; ++begin) static_cast<const host_ranks*>(context)->take(begin);
    };
    const std::int64_t count = t.rows * t.count;
    if (h.parts > 1) return take(&h, 0, count);
    parallel_for(count, std::max<std::int64_t>(1, 16384 / t.length), take, &h);
}

SINTER_INLINE void run_order_statistics(const prepared_selection& r, device where, const void* from, const void* ranks,
                                        void* to, char* workspace) {
    if (where.is_cuda()) return run_cuda_ranks(r, where, from, ranks, to, workspace);
    run_host_ranks(r, from, ranks, to);
}

}  // namespace sinter::inline SINTER_ABI::runtime
