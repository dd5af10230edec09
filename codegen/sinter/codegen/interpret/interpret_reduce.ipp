// Bodies of interpret_reduce.hpp.
#pragma once

#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/interpret/interpret_reduce.hpp>
#include <sinter/codegen/interpret/walk.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/graph/reduce_tree.hpp>
#include <sinter/codegen/ops/scalar.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Combines earlier elements p with later ones q into p.
template <class A>
SINTER_COMPARES void combine_as(reduction how, accumulated& p, const accumulated& q) {
    using enum accumulation;
    A x, y;
    std::memcpy(&x, p.value, sizeof x);
    std::memcpy(&y, q.value, sizeof y);
    switch (how) {
// Rows are written for kernels, which convert without a word.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#define SINTER_REDUCTION(name, running, accumulate, kinds, identity, ...)     \
    case reduction::name:                                                     \
        if constexpr (accumulate == indexed && std::is_arithmetic_v<A>) {     \
            bool later = __VA_ARGS__;                                         \
            std::swap(x, y);                                                  \
            bool earlier = __VA_ARGS__;                                       \
            if (later || (!earlier && q.index < p.index)) p = q;              \
            return;                                                           \
        } else if constexpr (accumulate == wide || std::is_arithmetic_v<A>) { \
            x = static_cast<A>(__VA_ARGS__);                                  \
        }                                                                     \
        break;
#include <sinter/codegen/ops/reductions.def>
#pragma GCC diagnostic pop
        default: break;
    }
    std::memcpy(p.value, &x, sizeof x);
}

// The blocks' results, combined as elements of the same order, or groups of them from first to last and then the
// groups.
template <class X, class F>
void combine_all_results(reduce_tree tree, X* results, std::int64_t count, F combine) {
    if (tree == reduce_tree::columns) {
        for (std::int64_t i = 1; i < count; ++i)
            if (i % column_group != 0) combine(results[i / column_group * column_group], results[i]);
        for (std::int64_t i = column_group; i < count; i += column_group) combine(results[0], results[i]);
    }
    while (tree == reduce_tree::rows && count > 1) {
        std::int64_t blocks = 0;
        for (std::int64_t start = 0; start < count; start += row_block) {
            combine_row_block(results + start, count - start < row_block ? count - start : row_block, combine);
            results[blocks++] = results[start];
        }
        count = blocks;
    }
}

SINTER_INLINE void combine_block(const reduce_job& job, accumulated* x, std::int64_t n) {
    combine_in_block(job.tree, x, n, [&](accumulated& p, const accumulated& q) { job.combine(job.how, p, q); });
}

SINTER_INLINE void combine_results(const reduce_job& job, accumulated* results, std::int64_t count) {
    combine_all_results(job.tree, results, count,
                        [&](accumulated& p, const accumulated& q) { job.combine(job.how, p, q); });
}

// A loop for each reduction, which the compiler turns into vectors.
template <class A>
SINTER_COMPARES void combine_values_as(const reduce_job& job, void* values, std::int64_t n, bool of_results) {
    using enum accumulation;
    A* const first = static_cast<A*>(values);
    auto run = [&](auto combine) {
        if (of_results) combine_all_results(job.tree, first, n, combine);
        else combine_in_block(job.tree, first, n, combine);
    };
    switch (job.how) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#define SINTER_REDUCTION(name, running, accumulate, kinds, identity, ...)                       \
    case reduction::name:                                                                       \
        if constexpr (accumulate != indexed && (accumulate == wide || std::is_arithmetic_v<A>)) \
            run([](A& p, const A& q) SINTER_COMPARES {                                          \
                [[maybe_unused]] const A x = p, y = q;                                          \
                p = static_cast<A>(__VA_ARGS__);                                                \
            });                                                                                 \
        break;
#include <sinter/codegen/ops/reductions.def>
#pragma GCC diagnostic pop
        default: break;
    }
}

SINTER_INLINE void load_block(const reduce_job& job, layout_cursor& at, const void* in, std::int64_t start,
                              std::int64_t count, void* raw, char* wide, accumulated* block) {
    std::size_t size = static_cast<std::size_t>(size_of(job.wide));
    copy_from_view(at, in, size_of(job.from), raw, count);
    convert(job.from, job.wide, raw, wide, count);
    for (std::int64_t i = 0; i < count; ++i, wide += size) {
        std::memcpy(block[i].value, wide, size);
        block[i].index = start + i;
    }
}

SINTER_INLINE void run_indexed_reduce(const reduce_job& job, const char* in, char* out, std::int64_t step) {
    const std::int64_t outer = job.kept.shape.product(), n = job.reduced.shape.product();
    scratch<char> raw(step * size_of(job.from)), wide(step * size_of(job.wide));
    scratch<accumulated> block(step), results((n + step - 1) / step);
    layout_cursor where(job.kept);
    for (std::int64_t i = 0; i < outer; ++i, where.advance(1), out += sizeof(std::int64_t)) {
        layout_cursor at(job.reduced);
        std::int64_t blocks = 0;
        for (std::int64_t start = 0; start < n; start += step) {
            const std::int64_t count = n - start < step ? n - start : step;
            load_block(job, at, in + where.offset * size_of(job.from), start, count, raw.data, wide.data, block.data);
            combine_block(job, block.data, count);
            results.data[blocks++] = block.data[0];
        }
        combine_results(job, results.data, blocks);
        std::memcpy(out, &results.data[0].index, sizeof(std::int64_t));
    }
}

// The squares of the distances of a block's elements, which are of float64, from the first one of all.
SINTER_INLINE void take_squares_from_first(char* values, std::int64_t count, const char* first_of_all) {
    double first;
    std::memcpy(&first, first_of_all, sizeof first);
    for (std::int64_t i = 0; i < count; ++i, values += sizeof first) {
        double x;
        std::memcpy(&x, values, sizeof x);
        x -= first;
        x *= x;
        std::memcpy(values, &x, sizeof x);
    }
}

SINTER_INLINE void run_reduce(const reduce_job& job, const char* in, dtype to, char* out) {
    const std::int64_t outer = job.kept.shape.product(), n = job.reduced.shape.product();
    std::int64_t step = job.tree == reduce_tree::rows ? row_block : column_chunk(n);
    if (step > n) step = n;
    if (is_indexed(job.how)) return run_indexed_reduce(job, in, out, step);
    const auto size = static_cast<std::int64_t>(size_of(job.wide));
    scratch<char> raw(step * size_of(job.from)), block(step * size), first(size);
    scratch<char> results(((n + step - 1) / step + 1) * size);
    layout_cursor where(job.kept);
    for (std::int64_t i = 0; i < outer; ++i, where.advance(1), out += size_of(to)) {
        layout_cursor at(job.reduced);
        std::int64_t blocks = 0;
        for (std::int64_t start = 0; start < n; start += step, ++blocks) {
            const std::int64_t count = n - start < step ? n - start : step;
            copy_from_view(at, in + where.offset * size_of(job.from), size_of(job.from), raw.data, count);
            convert(job.from, job.wide, raw.data, block.data, count);
            if (start == 0) std::memcpy(first.data, block.data, static_cast<std::size_t>(size));
            if (info(job.how).element == reduced_element::square)
                take_squares_from_first(block.data, count, first.data);
            combine_block_values(job, block.data, count);
            std::memcpy(results.data + blocks * size, block.data, static_cast<std::size_t>(size));
        }
        combine_result_values(job, results.data, blocks);
        if (ends_with_identity(job.how, job.from)) {
            std::memset(results.data + size, 0, static_cast<std::size_t>(size));
            combine_result_values(job, results.data, 2);
        }
        convert(job.wide, to, results.data, out, 1);
    }
}

SINTER_INLINE void fill_with_identity(reduction how, const node& result, void* out) {
    if (!has_identity(how)) throw value_error(joined({"[", to_string(how), "] zero-size array has no identity"}));
    const double identity = info(how).identity;
    scalar_value one;
    convert(dtype::float64, result.type, &identity, one.bytes, 1);
    copy_strided(size_of(result.type), one.bytes, 0, out, 1, result.shape.product());
}

// Chooses the accumulator: sums of signed integers wrap, which only unsigned ones do in C++.
SINTER_INLINE void choose_accumulator(reduce_job& job) {
    if (is_complex(job.from)) {
        if (!accepts(job.how, job.from))
            throw type_error(joined({"[", to_string(job.how), "] is not defined for ", to_string(job.from)}));
        job.wide = dtype::complex128;
        job.combine = combine_as<scalar::complex<double>>;
        job.combine_values = combine_values_as<scalar::complex<double>>;
    } else if (is_floating(job.from)) {
        job.wide = dtype::float64;
        job.combine = combine_as<double>;
        job.combine_values = combine_values_as<double>;
    } else if (kind_of(job.from) == 'i' && info(job.how).accumulate != accumulation::wide) {
        job.wide = dtype::int64;
        job.combine = combine_as<std::int64_t>;
        job.combine_values = combine_values_as<std::int64_t>;
    } else {
        job.wide = dtype::uint64;
        job.combine = combine_as<std::uint64_t>;
        job.combine_values = combine_values_as<std::uint64_t>;
    }
}

SINTER_INLINE reduce_job job_of(const reduce_info& how, const node& operand) {
    reduce_job job{how.how, tree_of(operand.shape, how.axes), operand.type, operand.type, {}, {}, nullptr, nullptr};
    dims strides = contiguous_strides(operand.shape);
    for (int i = 0; i < operand.shape.size(); ++i) {
        layout& side = how.axes >> i & 1 ? job.reduced : job.kept;
        side.shape.push_back(operand.shape[i]);
        side.strides.push_back(strides[i]);
    }
    choose_accumulator(job);
    return job;
}

SINTER_INLINE void reduce(const reduce_info& how, const node& operand, const void* in, const node& result, void* out) {
    if (result.shape.product() == 0) return;
    reduce_job job = job_of(how, operand);
    if (job.reduced.shape.product() == 0) return fill_with_identity(how.how, result, out);
    run_reduce(job, static_cast<const char*>(in), result.type, static_cast<char*>(out));
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END
