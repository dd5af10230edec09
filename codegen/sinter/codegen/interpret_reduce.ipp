// How the interpreter walks layouts and reduces along them in the order of reduce_tree.hpp; part of interpret.ipp.
#pragma once

#include <sinter/codegen/apply.hpp>
#include <sinter/codegen/reduce_tree.hpp>
#include <sinter/codegen/scalar.hpp>

namespace sinter::inline SINTER_ABI::codegen {

template <int Size>
void copy_elements(const char* in, std::int64_t in_step, char* out, std::int64_t out_step, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(out + i * out_step * Size, in + i * in_step * Size, Size);
}

// Moves n elements of a size; steps are in elements.
SINTER_INLINE void copy_strided(int size, const void* in, std::int64_t in_step, void* out, std::int64_t out_step,
                                std::int64_t n) {
    const char* from = static_cast<const char*>(in);
    char* to = static_cast<char*>(out);
    if (n <= 0) return;
    if (in_step == 1 && out_step == 1) {
        std::memmove(to, from, static_cast<std::size_t>(n * size));
        return;
    }
    switch (size) {
        case 1: return copy_elements<1>(from, in_step, to, out_step, n);
        case 2: return copy_elements<2>(from, in_step, to, out_step, n);
        case 4: return copy_elements<4>(from, in_step, to, out_step, n);
        case 8: return copy_elements<8>(from, in_step, to, out_step, n);
        default: return copy_elements<16>(from, in_step, to, out_step, n);
    }
}

// A position that moves row-major through a layout without empty axes.
struct layout_cursor {
    const layout& how;
    dims index;
    std::int64_t offset;

    explicit layout_cursor(const layout& l) : how(l), index(dims::filled(l.shape.size(), 0)), offset(l.offset) {}

    // Elements from here to the end of the last axis, and the distance between them.
    std::int64_t run() const { return index.empty() ? 1 : how.shape.back() - index.back(); }
    std::int64_t step() const { return index.empty() ? 0 : how.strides.back(); }

    void advance(std::int64_t count) {
        int axis = index.size() - 1;
        if (axis < 0) return;
        index[axis] += count;
        offset += count * how.strides[axis];
        for (; axis > 0 && index[axis] == how.shape[axis]; --axis) {
            offset += how.strides[axis - 1] - index[axis] * how.strides[axis];
            index[axis] = 0;
            ++index[axis - 1];
        }
    }
};

// The next `count` elements of a view.
SINTER_INLINE void copy_from_view(layout_cursor& at, const void* base, int size, void* out, std::int64_t count) {
    char* to = static_cast<char*>(out);
    while (count > 0) {
        std::int64_t run = at.run() < count ? at.run() : count;
        copy_strided(size, static_cast<const char*>(base) + at.offset * size, at.step(), to, 1, run);
        to += run * size;
        count -= run;
        at.advance(run);
    }
}

// The dtype whose elements are A: every type widens to one of four for accumulating.
template <class A>
inline constexpr dtype wide_type = std::is_same_v<A, double>          ? dtype::float64
                                   : std::is_same_v<A, std::int64_t>  ? dtype::int64
                                   : std::is_same_v<A, std::uint64_t> ? dtype::uint64
                                                                      : dtype::complex128;

// An accumulator; the index is the lowest one that holds the value, and means nothing where the reduction has none.
template <class A>
struct accumulated {
    A value;
    std::int64_t index;
};

// Earlier elements p with later ones q.
template <class A>
accumulated<A> combined(reduction how, const accumulated<A>& p, const accumulated<A>& q) {
    enum accumulation { wide, same, indexed };
    switch (how) {
#define SINTER_REDUCTION(name, accumulate, identity, ...)                                       \
    case reduction::name:                                                                       \
        if constexpr (accumulate == indexed && std::is_arithmetic_v<A>) {                       \
            auto wins = [](A x, A y) { return __VA_ARGS__; };                                   \
            bool tie = !wins(p.value, q.value) && !wins(q.value, p.value);                      \
            return (tie ? q.index < p.index : wins(p.value, q.value)) ? q : p;                  \
        } else if constexpr (accumulate == wide || std::is_arithmetic_v<A>) {                   \
            const A x = p.value, y = q.value;                                                   \
            return {static_cast<A>(__VA_ARGS__), 0};                                            \
        }                                                                                       \
        break;
#include <sinter/codegen/reductions.def>
#undef SINTER_REDUCTION
    }
    return p;
}

// Where b is present, a takes b.
template <class A>
void take(reduction how, accumulated<A>* x, std::int64_t a, std::int64_t b, std::int64_t present) {
    if (b < present) x[a] = combined(how, x[a], x[b]);
}

// Up to row_block elements of the row order, destroying them.
template <class A>
accumulated<A> combine_row_block(reduction how, accumulated<A>* x, std::int64_t n) {
    for (std::int64_t i = row_lanes; i < n; ++i) take(how, x, i % row_lanes, i, n);
    std::int64_t lanes = n < row_lanes ? n : row_lanes, groups = (lanes + 3) / 4;
    for (std::int64_t t = 0; t < groups; ++t) {
        take(how, x, 4 * t, 4 * t + 1, lanes);
        take(how, x, 4 * t + 2, 4 * t + 3, lanes);
        take(how, x, 4 * t, 4 * t + 2, lanes);
    }
    for (std::int64_t t = 1; t < groups; ++t) x[t] = x[4 * t];
    for (std::int64_t h = row_lanes / 8; h > 0; h /= 2)
        for (std::int64_t t = 0; t < h; ++t) take(how, x, t, t + h, groups);
    return x[0];
}

// One chunk of the column order, destroying it.
template <class A>
accumulated<A> combine_column_chunk(reduction how, accumulated<A>* x, std::int64_t n) {
    for (std::int64_t i = column_lanes; i < n; ++i) take(how, x, i % column_lanes, i, n);
    std::int64_t lanes = n < column_lanes ? n : column_lanes;
    for (std::int64_t h = column_lanes / 2; h > 0; h /= 2)
        for (std::int64_t t = 0; t < h; ++t) take(how, x, t, t + h, lanes);
    return x[0];
}

// One reduction over one operand: the axes that stay and those that go, as layouts over the operand.
struct reduce_job {
    reduction how;
    reduce_tree tree;
    dtype from;
    layout kept, reduced;
};

template <class A>
struct reduce_space {
    std::vector<char> raw;
    std::vector<A> wide;
    std::vector<accumulated<A>> block, results;
};

template <class A>
void load_block(const reduce_job& job, layout_cursor& at, const char* in, std::int64_t start, std::int64_t count,
                reduce_space<A>& s) {
    std::size_t n = static_cast<std::size_t>(count);
    if (s.wide.size() < n) {
        s.raw.resize(n * static_cast<std::size_t>(size_of(job.from)));
        s.wide.resize(n);
        s.block.resize(n);
    }
    copy_from_view(at, in, size_of(job.from), s.raw.data(), count);
    convert(job.from, wide_type<A>, s.raw.data(), s.wide.data(), count);
    for (std::size_t i = 0; i < n; ++i) s.block[i] = {s.wide[i], start + static_cast<std::int64_t>(i)};
}

template <class A>
accumulated<A> reduce_one(const reduce_job& job, const char* in, std::int64_t n, reduce_space<A>& s) {
    layout_cursor at(job.reduced);
    bool rows = job.tree == reduce_tree::rows;
    std::int64_t step = rows ? row_block : column_chunk(n);
    s.results.clear();
    for (std::int64_t start = 0; start < n; start += step) {
        std::int64_t count = n - start < step ? n - start : step;
        load_block(job, at, in, start, count, s);
        s.results.push_back(rows ? combine_row_block(job.how, s.block.data(), count)
                                 : combine_column_chunk(job.how, s.block.data(), count));
    }
    std::int64_t left = static_cast<std::int64_t>(s.results.size());
    for (std::int64_t i = 1; !rows && i < left; ++i) take(job.how, s.results.data(), 0, i, left);
    while (rows && left > 1) {
        std::int64_t blocks = 0;
        for (std::int64_t start = 0; start < left; start += row_block)
            s.results[static_cast<std::size_t>(blocks++)] = combine_row_block(
                job.how, s.results.data() + start, left - start < row_block ? left - start : row_block);
        left = blocks;
    }
    return s.results[0];
}

template <class A>
void reduce_as(const reduce_job& job, const char* in, dtype to, char* out) {
    std::int64_t outer = job.kept.shape.product(), n = job.reduced.shape.product();
    layout_cursor at(job.kept);
    reduce_space<A> space;
    for (std::int64_t i = 0; i < outer; ++i, at.advance(1), out += size_of(to)) {
        accumulated<A> r = reduce_one(job, in + at.offset * size_of(job.from), n, space);
        if (is_indexed(job.how)) std::memcpy(out, &r.index, sizeof r.index);
        else convert(wide_type<A>, to, &r.value, out, 1);
    }
}

// The result over no elements, which every type holds exactly.
SINTER_INLINE double identity_of(reduction how) {
    using A = double;
    switch (how) {
#define SINTER_REDUCTION(name, accumulate, identity, ...) \
    case reduction::name: return identity;
#include <sinter/codegen/reductions.def>
#undef SINTER_REDUCTION
    }
    return 0;
}

SINTER_INLINE void fill_with_identity(reduction how, const node& result, void* out) {
    bool has_identity = how == reduction::sum || how == reduction::prod || how == reduction::any || how == reduction::all;
    if (!has_identity)
        throw value_error("[" + std::string(to_string(how)) + "] zero-size array has no identity");
    double identity = identity_of(how);
    scalar_value one;
    convert(dtype::float64, result.type, &identity, one.bytes, 1);
    copy_strided(size_of(result.type), one.bytes, 0, out, 1, result.shape.product());
}

SINTER_INLINE void reduce(const reduce_info& how, const node& operand, const void* in, const node& result, void* out) {
    reduce_job job{how.how, tree_of(operand.shape, how.axes), operand.type, {}, {}};
    dims strides = contiguous_strides(operand.shape);
    for (int i = 0; i < operand.shape.size(); ++i) {
        layout& side = how.axes >> i & 1 ? job.reduced : job.kept;
        side.shape.push_back(operand.shape[i]);
        side.strides.push_back(strides[i]);
    }
    if (result.shape.product() == 0) return;
    if (job.reduced.shape.product() == 0) return fill_with_identity(how.how, result, out);
    const char* from = static_cast<const char*>(in);
    char* to = static_cast<char*>(out);
    // Sums of signed integers wrap, which only unsigned ones do in C++.
    bool adds = how.how == reduction::sum || how.how == reduction::prod;
    if (is_complex(operand.type) && !adds)
        throw type_error("[" + std::string(to_string(how.how)) + "] is not defined for " +
                         std::string(to_string(operand.type)));
    if (is_complex(operand.type)) return reduce_as<scalar::complex<double>>(job, from, result.type, to);
    if (is_floating(operand.type)) return reduce_as<double>(job, from, result.type, to);
    if (kind_of(operand.type) == 'i' && !adds) return reduce_as<std::int64_t>(job, from, result.type, to);
    return reduce_as<std::uint64_t>(job, from, result.type, to);
}

}  // namespace sinter::inline SINTER_ABI::codegen
