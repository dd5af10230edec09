// Bodies of reduced_blocks.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/parts/reduced_blocks.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/shape_functions.hpp>

namespace sinter::inline SINTER_ABI::detail {

using codegen::reduce_tree;
using codegen::reduction;
using distributed::block_pieces;

SINTER_INLINE dims reduced_shape(const dims& shape, std::uint8_t axes, bool keepdims) {
    dims r;
    for (int i = 0; i < shape.size(); ++i)
        if (!(axes >> i & 1)) r.push_back(shape[i]);
        else if (keepdims) r.push_back(1);
    return r;
}

/// How a reduction over a split axis lies: rows of the kept axes, numbers of the reduced ones.
struct reduction_frame {
    dims kept, reduced;  ///< axes
    std::int64_t rows = 1, inner = 1;

    /// Of the axes that are reduced but have one element those before the split one count for nothing.
    reduction_frame(const dims& shape, std::uint8_t axes, int split_axis) {
        for (int i = 0; i < shape.size(); ++i) {
            (axes >> i & 1 ? reduced : kept).push_back(i);
            if (!(axes >> i & 1)) rows *= shape[i];
            else if (i != split_axis) inner *= shape[i];
        }
    }
    dims order(bool kept_first) const {
        dims all = kept_first ? kept : reduced;
        for (std::int64_t axis : kept_first ? reduced : kept) all.push_back(axis);
        return all;
    }
};

// The operand of a reduction as (rows, n) or, where columns are reduced, (n, rows).
SINTER_INLINE handle as_lines(const handle& local, const reduction_frame& f, reduce_tree tree, std::int64_t n) {
    const bool rows_first = tree == reduce_tree::rows;
    const handle t = record_transpose(local, f.order(rows_first));
    return record_reshape(t, rows_first ? dims(f.rows, n) : dims(n, f.rows));
}

// Elements of each row as (rows, n), converted to what is combined.
SINTER_INLINE handle piece_of(const handle& lines, reduce_tree tree, range of) {
    if (tree == reduce_tree::rows) return record_part(lines, 1, of.begin, of.end);
    return record_transpose(record_part(lines, 0, of.begin, of.end), dims(1, 0));
}

// The results of whole blocks, (rows, blocks).
SINTER_INLINE handle blocks_of(reduction how, const handle& lines, reduce_tree tree, range of, std::int64_t rows) {
    const std::int64_t step = distributed::block_size(tree), blocks = of.size() / step;
    if (tree == reduce_tree::rows)
        return record_reduce(how, record_reshape(record_part(lines, 1, of.begin, of.end), dims(rows, blocks, step)), 4,
                             false);
    const handle cut = record_reshape(record_part(lines, 0, of.begin, of.end), dims(blocks, step, rows));
    return record_transpose(record_reduce(how, cut, 2, false), dims(1, 0));
}

SINTER_INLINE range shifted_range(range r, std::int64_t by) { return {r.begin - by, r.end - by}; }

SINTER_INLINE blocked_reduction begin_blocks(reduction how, dtype type, const dims& shape, std::uint8_t axes, int split,
                                             codegen::span<const range> parts) {
    const reduction_frame f(shape, axes, split);
    const reduce_tree tree = codegen::tree_of(shape, axes);
    blocked_reduction w;
    w.how = {
        how, tree, type, codegen::accumulator_type(how, type), codegen::reduce_type(how, type), shape[split] * f.inner};
    w.rows = f.rows;
    for (const range& part : parts)
        w.pieces.push_back(
            distributed::cut_at_blocks({part.begin * f.inner, part.end * f.inner}, distributed::block_size(tree)));
    return w;
}

SINTER_INLINE void record_blocks(blocked_reduction& w, const handle& local, const dims& shape, std::uint8_t axes,
                                 int split, std::size_t own) {
    const reduction_frame f(shape, axes, split);
    const reduction how = w.how.how;
    const reduce_tree tree = w.how.tree;
    const block_pieces& p = w.pieces[own];
    const std::int64_t begin = p.head.begin;
    const handle lines = as_lines(local, f, tree, local->shape[split] * f.inner);
    const handle wide = record_cast(lines, w.how.accumulator);
    w.head = piece_of(lines, tree, shifted_range(p.head, begin));
    w.tail = piece_of(lines, tree, shifted_range(p.tail, begin));
    const reduction value = codegen::is_indexed(how) ? codegen::value_of(how) : how;
    w.body = record_cast(blocks_of(value, wide, tree, shifted_range(p.body, begin), f.rows), w.how.accumulator);
    if (codegen::is_indexed(how)) w.position = blocks_of(how, wide, tree, shifted_range(p.body, begin), f.rows);
}

SINTER_INLINE int outermost_reduced(const dims& shape, std::uint8_t axes) {
    for (int i = 0; i < shape.size(); ++i)
        if ((axes >> i & 1) && shape[i] != 1) return i;
    return -1;
}

// Elements of a result in a part's body.
SINTER_INLINE std::int64_t unit_of(const blocked_reduction& w) {
    return distributed::level_of(w.how.tree, w.how.level).unit;
}

// Bytes that a part has of some rows of a reduction.
SINTER_INLINE std::int64_t block_bytes(const blocked_reduction& w, int part, std::int64_t rows) {
    const block_pieces& p = w.pieces[static_cast<std::size_t>(part)];
    const std::int64_t blocks = p.body.size() / unit_of(w);
    const std::int64_t each = codegen::size_of(w.how.accumulator) + (codegen::is_indexed(w.how.how) ? 8 : 0);
    return rows * ((p.head.size() + p.tail.size()) * codegen::size_of(w.how.operand) + blocks * each);
}

// What a part has of some rows, in its place in a message, which is passed.
SINTER_INLINE distributed::block_contribution contribution_at(const blocked_reduction& w, int part, std::int64_t rows,
                                                              const char*& at) {
    const block_pieces& p = w.pieces[static_cast<std::size_t>(part)];
    const std::int64_t blocks = p.body.size() / unit_of(w);
    auto next = [&](std::int64_t count, std::int64_t size) {
        const char* here = at;
        at += rows * count * size;
        return here;
    };
    distributed::block_contribution c{p};
    c.head = next(p.head.size(), codegen::size_of(w.how.operand));
    c.body = next(blocks, codegen::size_of(w.how.accumulator));
    if (codegen::is_indexed(w.how.how)) c.position = next(blocks, 8);
    c.tail = next(p.tail.size(), codegen::size_of(w.how.operand));
    return c;
}

// A part's elements and results of some rows.
SINTER_INLINE void append_rows(std::vector<char>& to, const blocked_reduction& w, range rows) {
    for (const handle* h : {&w.head, &w.body, &w.position, &w.tail})
        if (*h && (*h)->bytes() > 0 && rows.size() > 0) append_elements(to, take_part(*h, 0, rows));
}

// What a step is of: elements, where some are not whole blocks, or results.
SINTER_INLINE codegen::sequence<range> items_of(const blocked_reduction& w) {
    codegen::sequence<range> parts;
    for (const block_pieces& p : w.pieces)
        parts.push_back(w.is_whole ? range{p.body.begin / unit_of(w), p.body.end / unit_of(w)}
                                   : range{p.head.begin, p.tail.end});
    return parts;
}

SINTER_INLINE codegen::sequence<distributed::block_step> steps_of(const blocked_reduction& w) {
    const codegen::sequence<range> parts = items_of(w);
    const std::int64_t items = distributed::level_of(w.how.tree, w.is_whole ? w.how.level : 0).items;
    return distributed::plan_blocks(parts, parts.back().end, items);
}

SINTER_INLINE std::int64_t passed_bytes(const blocked_reduction& w, const distributed::block_step& s) {
    const std::int64_t result = codegen::size_of(w.how.accumulator) + (codegen::is_indexed(w.how.how) ? 8 : 0);
    return w.rows * s.passed.size() * (w.is_whole ? result : codegen::size_of(w.how.operand));
}

SINTER_INLINE void pass_on(std::vector<char>& to, blocked_reduction& w, const distributed::block_step& s,
                           std::size_t own) {
    if (s.passed.size() == 0) return;
    block_pieces& p = w.pieces[own];
    if (!w.is_whole) {
        const bool is_all = p.tail.size() == 0;
        handle& passing = is_all ? w.head : w.tail;
        append_elements(to, passing);
        passing = handle();
        range& passed = is_all ? p.head : p.tail;
        passed.end = passed.begin;
        return;
    }
    const std::int64_t all = p.body.size() / unit_of(w), kept = all - s.passed.size();
    for (handle* h : {&w.body, &w.position}) {
        if (!*h) continue;
        append_elements(to, take_part(*h, 1, {kept, all}));
        *h = take_part(*h, 1, {0, kept});
    }
    p.body.end = s.passed.begin * unit_of(w);
}

SINTER_INLINE distributed::block_contribution passed_at(const blocked_reduction& w, const distributed::block_step& s,
                                                        const char*& at) {
    distributed::block_contribution c;
    if (!w.is_whole) {
        c.pieces.head = s.passed;
        c.head = at;
    } else {
        c.pieces.body = {s.passed.begin * unit_of(w), s.passed.end * unit_of(w)};
        c.body = at;
        if (codegen::is_indexed(w.how.how))
            c.position = at + w.rows * s.passed.size() * codegen::size_of(w.how.accumulator);
    }
    at += passed_bytes(w, s);
    return c;
}

// Items of which a part makes results where it lies: blocks that are reduced already, and of rows groups of them, which
// combine as elements do. None where an index goes with a result, or groups combine from first to last.
SINTER_INLINE range items_of_middle(const blocked_reduction& w, std::size_t own, range all, std::int64_t items) {
    range middle = w.pieces[own].body;
    if (w.is_whole) middle = {(all.begin + items - 1) / items * items, all.end / items * items};
    const bool combines = w.how.tree == reduce_tree::rows && !codegen::is_indexed(w.how.how);
    const bool is_there = middle.end <= all.end && (!w.is_whole || (combines && middle.begin < middle.end));
    return is_there ? middle : range{all.end, all.end};
}

// What a part has of some items outside of its middle, with its bytes.
SINTER_INLINE distributed::block_contribution items_at_border(const blocked_reduction& w, std::size_t own, range of,
                                                              std::vector<char>& bytes) {
    distributed::block_contribution c;
    if (of.size() == 0) return c;
    const block_pieces& p = w.pieces[own];
    if (!w.is_whole) {
        append_elements(bytes, of.begin == p.head.begin && p.head.size() > 0 ? w.head : w.tail);
        c.pieces.head = of;
        c.head = bytes.data();
        return c;
    }
    const std::int64_t unit = unit_of(w), first = p.body.begin / unit;
    const range part = shifted_range(of, first);
    append_elements(bytes, take_part(w.body, 1, part));
    const std::size_t values = bytes.size();
    if (w.position) append_elements(bytes, take_part(w.position, 1, part));
    c.pieces.body = {of.begin * unit, of.end * unit};
    c.body = bytes.data();
    c.position = w.position ? bytes.data() + values : nullptr;
    return c;
}

/// Results of a part that stand one behind the other, on the device where most of them are made.
struct joined_results {
    const blocked_reduction& w;
    device where;
    codegen::sequence<handle> body, position;

    void add(const handle& values, const handle& places) {
        body.push_back(values);
        if (places) position.push_back(places);
    }
    void add(const distributed::block_results& made) {
        if (made.which.size() == 0) return;
        const device_scope on(where);
        const dims shape(w.rows, made.which.size());
        add(store(w.how.accumulator, shape, made.values.data()),
            codegen::is_indexed(w.how.how) ? store(dtype::int64, shape, made.position.data()) : handle());
    }
    handle joined(const codegen::sequence<handle>& parts, dtype type) const {
        const device_scope on(where);
        const handle all = parts.empty()       ? record_empty(type, dims(w.rows, 0))
                           : parts.size() == 1 ? parts[0]
                                               : record_concatenate("reduce", parts, type, 1);
        runtime::evaluate(all.alone());
        return all;
    }
};

SINTER_INLINE void take_step(blocked_reduction& w, codegen::span<const distributed::block_step> steps, std::size_t own,
                             codegen::sequence<distributed::block_contribution> passed) {
    const std::int64_t items = distributed::level_of(w.how.tree, w.is_whole ? w.how.level : 0).items;
    const range all{items_of(w)[own].begin, steps[own].passed.begin}, results = steps[own].results;
    const range middle = items_of_middle(w, own, all, items);
    range kept{middle.begin / items, middle.end / items};
    if (kept.size() == 0 && middle.end == all.end) kept = {results.end, results.end};
    std::vector<char> before, behind;
    passed.push_back(items_at_border(w, own, {all.begin, middle.begin}, before));
    const distributed::block_contribution last = items_at_border(w, own, {middle.end, all.end}, behind);
    distributed::block_results first_made{{results.begin, kept.begin}, {}, {}};
    distributed::block_results last_made{{kept.end, results.end}, {}, {}};
    complete_blocks(w.how, passed, w.rows, w.is_whole, first_made);
    complete_blocks(w.how, {&last, 1}, w.rows, w.is_whole, last_made);
    joined_results made{w, kept.size() > 0 ? w.body->where : device::cpu(), {}, {}};
    made.add(first_made);
    if (kept.size() > 0 && w.is_whole) {
        const range part = shifted_range(middle, w.pieces[own].body.begin / unit_of(w));
        made.add(record_cast(blocks_of(w.how.how, w.body, reduce_tree::rows, part, w.rows), w.how.accumulator), {});
    } else if (kept.size() > 0) {
        made.add(w.body, w.position);
    }
    made.add(last_made);
    handle values = made.joined(made.body, w.how.accumulator);
    if (w.position) w.position = made.joined(made.position, dtype::int64);
    w.body = std::move(values);
    w.head = w.tail = handle();
    w.how.level += w.is_whole;
    w.is_whole = true;
    for (std::size_t r = 0; r < steps.size(); ++r) {
        const std::int64_t unit = unit_of(w);
        const range body{steps[r].results.begin * unit, steps[r].results.end * unit};
        w.pieces[r] = {{body.begin, body.begin}, body, {body.end, body.end}};
    }
}

SINTER_INLINE std::vector<char> combined_rows(const blocked_reduction& w,
                                              codegen::span<const distributed::block_contribution> all,
                                              std::int64_t rows) {
    std::vector<char> out(static_cast<std::size_t>(rows * codegen::size_of(w.how.result)));
    combine_blocks(w.how, all, rows, out.data());
    return out;
}

}  // namespace sinter::inline SINTER_ABI::detail
