// Bodies of count.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <sinter/codegen/schedule/schedules.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/count.hpp>

namespace sinter::inline SINTER_ABI::runtime {

// Threads of the host that count, each in a table of its own where they are several.
SINTER_INLINE std::int64_t parts_of_count(const count_task& t) {
    const std::int64_t least = std::max(codegen::count_schedules.elements_of_thread, 4 * t.size);
    return std::max<std::int64_t>(1, std::min<std::int64_t>(thread_count(), t.count / least));
}

SINTER_INLINE codegen::kernel_source text_of_count(const count_task& task, device where) {
    return (where.is_cpu() ? codegen::count_host : codegen::count_cuda)(task.call, task.type);
}

SINTER_INLINE prepared_count prepare_count(const count_task& task, device where) {
    prepared_count r;
    r.task = task;
    if (where.is_cpu()) {
        r.host = find_text(text_of_count(task, where), where).function<prepared_count::host_entry>("count");
        r.workspace = (parts_of_count(task) - 1) * task.size * 8;
        return r;
    }
    const written_text& text = find_text(text_of_count(task, where), where);
    r.in_shared = text.kernel("count_in_shared");
    r.in_memory = text.kernel("count_in_memory");
    return r;
}

/// A count that threads of the host share, each an equal part of the elements and a table; the first table is the
/// result.
struct shared_count {
    const prepared_count* count;
    const void* values;
    const double* edges;
    std::int64_t *to, *tables;
    std::int64_t parts;

    void count_part(std::int64_t p) const {
        const count_task& t = count->task;
        std::int64_t* table = p ? tables + (p - 1) * t.size : to;
        if (p) std::memset(table, 0, static_cast<std::size_t>(8 * t.size));
        count->host(values, edges, reinterpret_cast<long long*>(table), t.bins(), p * t.count / parts,
                    (p + 1) * t.count / parts);
    }
    void join(std::int64_t begin, std::int64_t end) const {
        const std::int64_t size = count->task.size, bins = count->task.bins();
        for (std::int64_t p = 0; p + 1 < parts; ++p) {
            const std::int64_t* table = tables + p * size;
            for (std::int64_t i = begin; i < std::min(end, bins); ++i) to[i] += table[i];
            for (std::int64_t i = std::max(begin, bins); i < end; ++i)
                to[i] = static_cast<std::int64_t>(
                    std::max(static_cast<std::uint64_t>(to[i]), static_cast<std::uint64_t>(table[i])));
        }
    }
};

SINTER_INLINE void run_host_count(const prepared_count& r, const void* values, const double* edges, std::int64_t* to,
                                  char* workspace) {
    count_launch();
    shared_count c{&r, values, edges, to, reinterpret_cast<std::int64_t*>(workspace), parts_of_count(r.task)};
    auto count = [](void* context, std::int64_t begin, std::int64_t end) {
        for (; begin < end; ++begin) static_cast<const shared_count*>(context)->count_part(begin);
    };
    auto join = [](void* context, std::int64_t begin, std::int64_t end) {
        static_cast<const shared_count*>(context)->join(begin, end);
    };
    parallel_for(c.parts, 1, count, &c);
    if (c.parts > 1) parallel_for(r.task.size, 16384, join, &c);
}

SINTER_INLINE void run_cuda_count(const prepared_count& r, const void* values, const void* edges, void* to,
                                  device where) {
    const codegen::count_schedule& s = codegen::count_schedules;
    const cuda_properties& gpu = properties(where.index());
    const std::int64_t bytes = codegen::shared_bytes_of_counts(r.task.call.what, r.task.bins());
    const bool shared = bytes <= gpu.shared_per_block_optin && r.task.bins() <= r.task.count;
    const std::int64_t at_once = shared ? std::max<std::int64_t>(1, gpu.shared_per_multiprocessor / (bytes + 1024)) : 2;
    const std::int64_t resident = gpu.multiprocessors * std::min<std::int64_t>(at_once, s.blocks_of_multiprocessor);
    const std::int64_t least = std::max(s.elements_of_block, shared ? 2 * r.task.bins() : 0);
    const std::int64_t blocks = std::min(resident, (r.task.count + least - 1) / least);
    std::int64_t count = r.task.count, bins = r.task.bins();
    void* arguments[] = {&values, &edges, &to, &count, &bins};
    const auto grid = static_cast<std::uint32_t>(blocks), threads = static_cast<std::uint32_t>(s.threads);
    const auto shared_bytes = static_cast<std::size_t>(shared ? bytes : 0);
    if (shared_bytes > static_cast<std::size_t>(gpu.shared_per_block))
        allow_shared_memory(where, r.in_shared, shared_bytes);
    launch_cuda(where, shared ? r.in_shared : r.in_memory, {grid}, {threads}, shared_bytes, arguments);
}

SINTER_INLINE void run_count(const prepared_count& r, const void* values, const void* edges, void* to, char* workspace,
                             device where) {
    if (where.is_cuda()) return run_cuda_count(r, values, edges, to, where);
    run_host_count(r, values, static_cast<const double*>(edges), static_cast<std::int64_t*>(to), workspace);
}

}  // namespace sinter::inline SINTER_ABI::runtime
