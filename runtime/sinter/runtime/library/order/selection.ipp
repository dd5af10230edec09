// Bodies of selection.hpp.
#pragma once

#include <algorithm>
#include <sinter/runtime/library/order/topk_host.hpp>
#include <sinter/codegen/kernels/sort/sort_host_rows.hpp>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/order/selection.hpp>
#include <sinter/runtime/memory/copy.hpp>

namespace sinter::inline SINTER_ABI::runtime {

// Thread blocks that are at work at once, or threads of the host.
SINTER_INLINE std::int64_t workers_of_selection(dtype t, device where) {
    if (where.is_cpu()) return thread_count();
    const cuda_properties& gpu = properties(where.index());
    const std::int64_t bytes = codegen::room_for_candidates(t) * (codegen::size_of(t) == 8 ? 12 : 8) + 2048;
    const std::int64_t fit = std::max<std::int64_t>(1, gpu.shared_per_multiprocessor / bytes);
    return gpu.multiprocessors * std::min<std::int64_t>(fit, codegen::cuda_selection.blocks);
}

// In how many parts a row of so many elements is looked through, of at least so many.
SINTER_INLINE std::int64_t parts_of_row(const codegen::selection_task& t, std::int64_t count, std::int64_t least,
                                        device where) {
    return std::max<std::int64_t>(1, std::min(workers_of_selection(t.type, where) / t.rows, count / least));
}

// The first of each part are candidates of the next round, until a row is one part.
struct topk_round {
    std::int64_t count, parts;  ///< candidates of a row, and parts that they are looked through in
};
SINTER_INLINE topk_round next_round(const codegen::selection_task& t, std::int64_t count, device where) {
    const codegen::selection_schedule& s = codegen::cuda_selection;
    return {count, parts_of_row(t, count, std::max(s.part, s.parts_of_first * t.count), where)};
}

// Of the positions that the parts of a round come to, a multiple of 64.
SINTER_INLINE std::int64_t bytes_of_round(const codegen::selection_task& t, const topk_round& r) {
    return r.parts > 1 ? (8 * t.rows * r.parts * t.count + 63) / 64 * 64 : 0;
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_selection(codegen::routine how,
                                                                           const codegen::selection_task& task,
                                                                           device where) {
    if (where.is_cpu() && how == codegen::routine::topk) return {};
    if (where.is_cpu()) return {codegen::order_statistics_host(task.type)};
    if (how == codegen::routine::topk) return {codegen::topk_cuda(task)};
    return {codegen::order_statistics_cuda(task, false), codegen::order_statistics_cuda(task, true)};
}

SINTER_INLINE prepared_selection prepare_topk(const codegen::selection_task& task, device where) {
    prepared_selection r;
    r.task = task;
    const topk_round first = next_round(task, task.length, where);
    r.workspace = bytes_of_round(task, first);
    if (first.parts > 1) r.workspace += bytes_of_round(task, next_round(task, first.parts * task.count, where));
    if (where.is_cuda()) r.topk = find_text(codegen::topk_cuda(task), where).kernel("topk");
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
        select_first_on_host(task, from + row * task.length * codegen::size_of(task.type),
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
    std::int64_t parts, arrived = 0, listed = 0, counts = 0, zeroed = 0, lists = 0, bytes = 0;
    int passes;  ///< launches in which digits are counted

    ranks_layout(const codegen::selection_task& t, device where)
        : parts(parts_of_row(t, t.length, codegen::cuda_selection.part, where)) {
        auto take = [&](std::int64_t size) {
            const std::int64_t begin = bytes;
            bytes += (size + 255) / 256 * 256;
            return begin;
        };
        const std::int64_t targets = t.rows * t.count, room = codegen::room_for_candidates(t.type);
        take(targets * codegen::bytes_of_target(t.type));
        arrived = take(4 * t.rows);
        listed = take(4 * t.rows);
        counts = take(parts > 1 ? 4 * 256 * targets : 0);
        zeroed = bytes;
        lists = take(parts > 1 ? 4 * t.rows * room : 0);
        passes = t.length <= room ? 0 : codegen::digits_of_selection(t.type);
    }
};

// In how many parts threads of the host take the rows.
SINTER_INLINE std::int64_t parts_of_ranks(const codegen::selection_task& t) {
    return std::max<std::int64_t>(1, std::min<std::int64_t>({thread_count(), t.rows, t.rows * t.length / 32768}));
}

SINTER_INLINE prepared_selection prepare_order_statistics(const codegen::selection_task& task, device where) {
    prepared_selection r;
    r.task = task;
    if (where.is_cpu()) {
        r.host_ranks = find_text(codegen::order_statistics_host(task.type), where)
                           .function<prepared_selection::ranks_entry>("select_ranks");
        r.room = (codegen::order_statistics_workspace(task.type, task.length, task.count) + 63) / 64 * 64;
        r.workspace = r.room * parts_of_ranks(task);
        return r;
    }
    r.workspace = ranks_layout(task, where).bytes;
    r.count = find_text(codegen::order_statistics_cuda(task, true), where).kernel("count_digits");
    r.take = find_text(codegen::order_statistics_cuda(task, false), where).kernel("take_ranks");
    return r;
}

SINTER_INLINE void run_cuda_ranks(const prepared_selection& r, device where, const void* from, const void* ranks,
                                  void* to, char* workspace) {
    const codegen::selection_task& t = r.task;
    const ranks_layout l(t, where);
    fill_zero(where, workspace, static_cast<std::size_t>(l.zeroed));
    void *targets = workspace, *arrived = workspace + l.arrived, *counts = workspace + l.counts,
         *listed = workspace + l.listed, *lists = workspace + l.lists;
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
    void* arguments[] = {&from, &ranks, &targets, &lists, &listed, &arrived, &to, &length, &parts, &count, &first};
    launch_cuda(where, r.take, {blocks}, {256}, 0, arguments);
}

SINTER_INLINE void run_order_statistics(const prepared_selection& r, device where, const void* from, const void* ranks,
                                        void* to, char* workspace) {
    if (where.is_cuda()) return run_cuda_ranks(r, where, from, ranks, to, workspace);
    count_launch();
    struct ranks_of_rows {
        const prepared_selection& how;
        const void *from, *ranks;
        void* to;
        char* rooms;
        std::int64_t parts;
    } all{r, from, ranks, to, workspace, parts_of_ranks(r.task)};
    auto select = [](void* context, std::int64_t begin, std::int64_t end) {
        const ranks_of_rows& x = *static_cast<const ranks_of_rows*>(context);
        const codegen::selection_task& t = x.how.task;
        for (; begin < end; ++begin)
            x.how.host_ranks(x.from, x.to, begin * t.rows / x.parts, (begin + 1) * t.rows / x.parts, t.length,
                             static_cast<const long long*>(x.ranks), static_cast<int>(t.count),
                             x.rooms + begin * x.how.room);
    };
    parallel_for(all.parts, 1, select, &all);
}

}  // namespace sinter::inline SINTER_ABI::runtime
