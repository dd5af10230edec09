// Bodies of scatter.hpp.
#pragma once

#include <array>

#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/base/thread_team.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/library/scatter.hpp>
#include <sinter/runtime/library/order/sort_cuda.hpp>
#include <sinter/runtime/memory/copy.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE codegen::chunk_shape chunks_of(const scatter_task& task) {
    return codegen::chunk_shape_of(task.how, task.type, task.count, task.places(), task.width);
}

// Bytes of what groups of chunks have for each place.
SINTER_INLINE std::int64_t partial_bytes(const scatter_task& task) {
    return chunks_of(task).groups * task.places() * codegen::size_of(task.type);
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_host_scatter(const scatter_task& task, device) {
    const bool chunked = chunks_of(task).groups > 0;
    return {(chunked ? codegen::chunked_scatter_host : codegen::scatter_host)(task.how, task.type, task.given)};
}

SINTER_INLINE prepared_scatter prepare_host_scatter(const scatter_task& task, device where) {
    prepared_scatter r;
    r.task = task;
    r.chunks = chunks_of(task);
    const written_text& text = find_text(texts_of_host_scatter(task, where)[0], where);
    if (r.chunks.groups == 0) {
        r.host = text.function<prepared_scatter::host_entry>("scatter");
        return r;
    }
    r.group = text.function<prepared_scatter::host_group>("combine_group");
    r.join = text.function<prepared_scatter::host_join>("join_groups");
    r.workspace = partial_bytes(task);
    return r;
}

// What threads do that have groups of chunks.
struct host_groups {
    const prepared_scatter& r;
    const void* values;
    const void* positions;
    char* partial;
    codegen::sequence<std::array<long long, 2>> errors;  // of each group
};

SINTER_INLINE void run_host_groups(void* context, std::int64_t begin, std::int64_t end) {
    auto& h = *static_cast<host_groups*>(context);
    const scatter_task& task = h.r.task;
    for (std::int64_t group = begin; group < end; ++group)
        h.r.group(h.values, h.positions, h.partial, group, task.count, task.places(), h.r.chunks.length,
                  h.errors[static_cast<std::size_t>(group)].data());
}

SINTER_INLINE void run_host_chunks(const prepared_scatter& r, void* values, const void* positions, void* to,
                                   char* partial) {
    host_groups h{r, values, positions, partial, {}};
    h.errors.resize(static_cast<std::size_t>(r.chunks.groups), {});
    parallel_for(r.chunks.groups, 1, run_host_groups, &h);
    for (const auto& error : h.errors)
        if (error[0]) codegen::throw_bad_index(r.task.how, error[1], r.task.shape);
    r.join(partial, to, r.task.places(), r.chunks.groups);
}

SINTER_INLINE void run_host_scatter(const prepared_scatter& r, void* values, void* positions, void* to, char* workspace,
                                    device, codegen::sequence<index_check>&) {
    count_launch();
    if (r.chunks.groups > 0) return run_host_chunks(r, values, positions, to, workspace);
    long long error[2] = {};
    r.host(values, positions, to, r.task.count, r.task.places(), r.task.width, error);
    if (error[0]) codegen::throw_bad_index(r.task.how, error[1], r.task.shape);
}

SINTER_INLINE const scatter_backend& host_scatters() {
    static const scatter_backend b{
        .texts = texts_of_host_scatter, .prepare = prepare_host_scatter, .run = run_host_scatter};
    return b;
}

// Bytes of the positions' order, behind which a sort works.
SINTER_INLINE std::int64_t order_bytes(const scatter_task& task) { return (8 * task.count + 255) / 256 * 256; }

// A sort of values by what is given, positions or indices.
SINTER_INLINE codegen::sort_task with_given(codegen::sort_task order, const scatter_task& task) {
    order.given = task.given;
    order.indices = task.how.has(codegen::call_info::indices);
    return order;
}

SINTER_INLINE std::int64_t shared_bytes_of_block(device where) {
    // Some are for what does not depend on the size.
    return properties(where.index()).shared_per_block_optin - 1024;
}

/// How a GPU scatters: its kernels, and the sort that goes before them.
struct cuda_scatter_way {
    codegen::scatter_way way;
    bool is_of_row_groups = false;
    bool is_sorted = false;
    codegen::sort_task order{};  ///< where it is sorted
    codegen::kernel_source source{};

    cuda_scatter_way(const scatter_task& task, device where);
};

SINTER_INLINE cuda_scatter_way::cuda_scatter_way(const scatter_task& task, device where) {
    using codegen::scatter_way;
    const std::int64_t size = task.places();
    const bool rows = task.width > 1;
    way = codegen::scatter_way_of(task.how, task.type, task.count, size, task.width, shared_bytes_of_block(where));
    is_sorted = way == scatter_way::sorted || way == scatter_way::grouped || way == scatter_way::parted;
    is_of_row_groups = rows && is_sorted && task.how.what != codegen::routine::scatter;
    if (way == scatter_way::chunked) source = codegen::chunked_scatter_cuda(task.how, task.type, task.given);
    else if (way == scatter_way::last_writer)
        source = codegen::last_writer_scatter_cuda(task.type, codegen::bytes_of_last_writer(task.count), rows,
                                                   task.given, task.how.has(codegen::call_info::indices));
    else if (is_of_row_groups) {
        order = with_given(codegen::sort_of_rows(task.count, size), task);
        source = codegen::row_groups_cuda(task.how.what, task.type, order);
    } else if (way == scatter_way::grouped || way == scatter_way::parted) {
        const auto sort = way == scatter_way::parted ? codegen::parts_of_values : codegen::sort_of_values;
        order = with_given(sort(task.type, task.count, size), task);
        source = codegen::grouped_scatter_cuda(task.how.what, task.type, order);
    } else {
        order = codegen::sort_of_positions(task.count, size);
        source = codegen::scatter_cuda(task.how, task.type, rows, task.given);
    }
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_cuda_scatter(const scatter_task& task, device where) {
    const cuda_scatter_way w(task, where);
    codegen::sequence<codegen::kernel_source> texts{w.source};
    if (w.is_sorted) texts.push_back(codegen::radix_sort_cuda(w.order));
    return texts;
}

SINTER_INLINE prepared_scatter prepare_chunks(prepared_scatter r, const written_text& text, device where) {
    const scatter_task& task = r.task;
    r.scatter = text.kernel("combine_chunks");
    r.join_groups = text.kernel("join_groups");
    r.chunks = chunks_of(task);
    r.workspace = partial_bytes(task);
    const codegen::chunk_block block = codegen::chunk_block_of(task.type, task.places(), shared_bytes_of_block(where));
    r.chunks_at_once = block.chunks;
    r.shared_bytes = static_cast<std::size_t>(block.shared_bytes);
    allow_shared_memory(where, r.scatter, r.shared_bytes);
    return r;
}

SINTER_INLINE prepared_scatter prepare_cuda_scatter(const scatter_task& task, device where) {
    using codegen::scatter_way;
    prepared_scatter r;
    r.task = task;
    const cuda_scatter_way w(task, where);
    const written_text& text = find_text(w.source, where);
    if (w.is_sorted) {
        r.order = prepare_sort(w.order, where);
        r.workspace = (r.order.task.positions ? order_bytes(task) : 0) + sort_workspace(r.order.task, where);
    }
    if (w.way == scatter_way::chunked) return prepare_chunks(r, text, where);
    if (w.way == scatter_way::last_writer) {
        r.find_last = text.kernel("find_last");
        r.scatter = text.kernel("take");
        r.workspace = codegen::bytes_of_last_writers(task.count, task.places());
    } else if (w.is_of_row_groups) {
        r.scatter = text.kernel("combine_rows");
    } else if (w.way == scatter_way::grouped || w.way == scatter_way::parted) {
        r.scatter = text.kernel("combine");
    } else {
        r.scatter = text.kernel("scatter");
    }
    if (w.way != scatter_way::parted || w.is_of_row_groups) return r;
    r.combine_parts = text.kernel("combine_parts");
    r.shared_bytes = static_cast<std::size_t>(codegen::part_shape_of(task.type, task.places()).shared_bytes);
    allow_shared_memory(where, r.combine_parts, r.shared_bytes);
    return r;
}

SINTER_INLINE launch_extent blocks_of(std::int64_t threads) {
    return {static_cast<std::uint32_t>((threads + 255) / 256)};
}

// As many as keep a device at work, each of which takes several turns.
SINTER_INLINE launch_extent in_turns(launch_extent blocks, device where, std::uint32_t smaller = 1) {
    return {std::min(blocks.x, static_cast<std::uint32_t>(properties(where.index()).multiprocessors) * 32 * smaller)};
}

// Thread blocks that each have several rows, the elements of each along x and over the blocks along y.
SINTER_INLINE void launch_over_rows(device where, cuda_kernel kernel, std::int64_t rows, std::int64_t width,
                                    void* const* arguments) {
    constexpr std::uint32_t threads = 256;
    std::uint32_t x = 1;
    while (x < threads && x < width) x *= 2;
    const std::uint32_t y = threads / x;
    launch_extent extent{static_cast<std::uint32_t>((rows + y - 1) / y)};
    extent.y = static_cast<std::uint32_t>(std::min<std::int64_t>((width + x - 1) / x, 1024));
    launch_cuda(where, kernel, extent, {x, y}, 0, arguments);
}

SINTER_INLINE void run_last_writer_scatter(const prepared_scatter& r, void* values, void* positions, void* to,
                                           void* last_writers, void* error, device where) {
    std::int64_t count = r.task.count, size = r.task.places(), width = r.task.width;
    fill_zero(where, last_writers, static_cast<std::size_t>(r.workspace));
    const std::int64_t passes = codegen::passes_of_last_writers(count, size, properties(where.index()).l2_bytes);
    std::int64_t places = (size + passes - 1) / passes;
    int each = passes > 1 ? codegen::scatter_schedules.values_of_pass : 1;
    launch_extent extent = blocks_of((count + each - 1) / each);
    extent.y = static_cast<std::uint32_t>(passes);
    void* last_writer_arguments[] = {&positions, &last_writers, &count, &size, &places, &each, &error};
    launch_cuda(where, r.find_last, extent, {256}, 0, last_writer_arguments);
    std::int64_t groups = (size + codegen::last_writers_at_once - 1) / codegen::last_writers_at_once;
    if (width > 1) {
        void* row_arguments[] = {&values, &last_writers, &to, &groups, &width};
        return launch_over_rows(where, r.scatter, groups, width, row_arguments);
    }
    void* take_arguments[] = {&values, &last_writers, &to, &groups};
    launch_cuda(where, r.scatter, blocks_of(groups), {256}, 0, take_arguments);
}

SINTER_INLINE void run_grouped_scatter(const prepared_scatter& r, void* values, void* positions, void* to,
                                       char* workspace, void* error, device where) {
    std::int64_t count = r.task.count, size = r.task.places();
    sorted_values sorted = run_sort_of_values(r.order, where, positions, values, size, error, workspace);
    void* arguments[] = {
        &sorted.given_positions, &values, &sorted.positions, &sorted.values, &sorted.out_of_order, &to, &count, &size};
    launch_cuda(where, r.scatter, in_turns(blocks_of(count), where), {256}, 0, arguments);
    if (!r.combine_parts) return;
    auto places = static_cast<std::uint32_t>(codegen::part_shape_of(r.task.type, size).places);
    void* part_arguments[] = {&sorted.positions,    &sorted.values, &to,    &sorted.counts,
                              &sorted.out_of_order, &size,          &places};
    launch_cuda(where, r.combine_parts, {256}, {codegen::part_shape::threads}, r.shared_bytes, part_arguments);
}

SINTER_INLINE void run_row_groups(const prepared_scatter& r, void* values, void* positions, void* to, char* workspace,
                                  void* error, device where) {
    std::int64_t count = r.task.count, size = r.task.places(), width = r.task.width;
    int lanes = 1;
    while (lanes < 32 && lanes < width) lanes *= 2;
    constexpr int threads = codegen::row_group_threads, turns = 256 / threads;
    launch_extent extent = in_turns(blocks_of(count * turns), where, turns);
    extent.y = static_cast<std::uint32_t>(std::min<std::int64_t>((width + 31) / 32, 1024));
    if (r.order.task.positions) {
        void* order = workspace;
        run_sort(r.order, where, positions, order, workspace + order_bytes(r.task));
        void* arguments[] = {&values, &positions, &order, &to, &count, &size, &width, &lanes, &error};
        return launch_cuda(where, r.scatter, extent, {threads}, 0, arguments);
    }
    sorted_values sorted = run_sort_of_values(r.order, where, positions, nullptr, size, error, workspace);
    void* arguments[] = {&values,
                         &sorted.given_positions,
                         &sorted.positions,
                         &sorted.values,
                         &sorted.out_of_order,
                         &to,
                         &count,
                         &size,
                         &width,
                         &lanes};
    launch_cuda(where, r.scatter, extent, {threads}, 0, arguments);
}

SINTER_INLINE void run_cuda_chunks(const prepared_scatter& r, void* values, void* positions, void* to, void* partial,
                                   void* error, device where) {
    std::int64_t count = r.task.count, size = r.task.places(), length = r.chunks.length;
    int bits = 0, groups = static_cast<int>(r.chunks.groups);
    while ((size - 1) >> bits) ++bits;
    void* arguments[] = {&values, &positions, &partial, &count, &size, &length, &bits, &error};
    launch_cuda(where, r.scatter, {static_cast<std::uint32_t>(groups)},
                {32 * static_cast<std::uint32_t>(r.chunks_at_once)}, r.shared_bytes, arguments);
    void* join_arguments[] = {&partial, &to, &size, &groups};
    launch_cuda(where, r.join_groups, {static_cast<std::uint32_t>((size + 31) / 32)}, {32}, 0, join_arguments);
}

SINTER_INLINE void run_cuda_scatter(const prepared_scatter& r, void* values, void* positions, void* to, char* workspace,
                                    device where, codegen::sequence<index_check>& checks) {
    auto words = std::make_shared<const error_words>(where, 1);
    void* error = words->address();
    checks.push_back({words, 0, failing_function(r.task.how).data(), index_check::in_position, 0, r.task.shape});
    if (r.join_groups) return run_cuda_chunks(r, values, positions, to, workspace, error, where);
    if (r.find_last) return run_last_writer_scatter(r, values, positions, to, workspace, error, where);
    const bool combines = r.task.how.what != codegen::routine::scatter;
    if (r.task.width > 1 && combines && r.workspace)
        return run_row_groups(r, values, positions, to, workspace, error, where);
    if (r.order.task.carried) return run_grouped_scatter(r, values, positions, to, workspace, error, where);
    std::int64_t count = r.task.count, size = r.task.places(), width = r.task.width;
    void* order = workspace;
    if (workspace) run_sort(r.order, where, positions, order, workspace + order_bytes(r.task));
    if (width > 1) {
        void* row_arguments[] = {&values, &positions, &order, &to, &count, &size, &width, &error};
        return launch_over_rows(where, r.scatter, count, width, row_arguments);
    }
    void* arguments[] = {&values, &positions, &order, &to, &count, &size, &error};
    launch_cuda(where, r.scatter, blocks_of(count), {256}, 0, arguments);
}

SINTER_INLINE const scatter_backend& cuda_scatters() {
    static const scatter_backend b{
        .texts = texts_of_cuda_scatter, .prepare = prepare_cuda_scatter, .run = run_cuda_scatter};
    return b;
}

SINTER_INLINE const scatter_backend& scatter_backend_of(device where) {
    return where.is_cuda() ? cuda_scatters() : host_scatters();
}

}  // namespace sinter::inline SINTER_ABI::runtime
