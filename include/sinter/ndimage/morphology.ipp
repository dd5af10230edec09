// Bodies of morphology.hpp.
#pragma once

#include <sinter/array/evaluate.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/growing.hpp>
#include <sinter/ndimage/morphology.hpp>
#include <sinter/user/map_index.hpp>

#include <algorithm>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::ndimage::detail {

// The smallest of a block of a row's squares of distances.
SINTER_FUNCTION(
    least_of_block, (long row, long block, array_view<double, 2> squares, long width)->double {
        const long n = squares.shape(1);
        const long begin = block * width;
        const long end = begin + width < n ? begin + width : n;
        double least = squares(row, begin);
        for (long j = begin + 1; j < end; ++j) {
            const double size = squares(row, j);
            if (less(size, least)) least = size;
        }
        return least;
    })

// The smallest of a row's squares and those of distances along it, `unit` apart, at place i: of the block around it,
// and of others, from there on to either side, while these can have a smaller one.
SINTER_FUNCTION(
    nearest_square,
    (long row, long i, array_view<double, 2> squares, array_view<double, 2> blocks, long width, double unit)->double {
        const long n = squares.shape(1);
        const long own = i / width;
        double least = squares(row, i);
        for (long side = 0; side < 3; ++side) {
            long block = side == 0 ? own : side == 1 ? own - 1 : own + 1;
            while (block >= 0 && block * width < n) {
                const long begin = block * width;
                const long end = begin + width < n ? begin + width : n;
                const long gap = side == 0 ? 0 : side == 1 ? i - end + 1 : begin - i;
                const double bound = unit * static_cast<double>(gap * gap);
                if (!less(bound, least)) break;
                if (less(blocks(row, block) + bound, least)) {
                    for (long j = begin; j < end; ++j) {
                        const double size = squares(row, j) + unit * static_cast<double>((i - j) * (i - j));
                        if (less(size, least)) least = size;
                    }
                }
                block = side == 0 ? n : side == 1 ? block - 1 : block + 1;
            }
        }
        return least;
    })

SINTER_INLINE handle record_structure(int rank, int connectivity) {
    if (rank < 0 || rank > max_rank)
        throw value_error("[generate_binary_structure] an image has no " + std::to_string(rank) + " axes");
    const dims shape = dims::filled(rank, 3);
    std::vector<char> is_neighbour;
    for (std::int64_t k = 0; k < shape.product(); ++k) {
        int differs = 0;
        for (std::int64_t rest = k, axis = 0; axis < rank; ++axis, rest /= 3) differs += rest % 3 != 1;
        is_neighbour.push_back(differs <= (connectivity < 1 ? 0 : connectivity));
    }
    return store(dtype::bool_, shape, is_neighbour.data());
}

SINTER_INLINE handle structure_for(std::string_view operation, const handle& given, int rank) {
    if (!given) return record_structure(rank, 1);
    if (given->shape.size() != rank || given->shape.product() == 0)
        throw shape_error("[" + std::string(operation) + "] a structure of shape " + to_string(given->shape) +
                          " has no elements or not the " + std::to_string(rank) + " axes of the image");
    return record_cast(given, dtype::bool_);
}

SINTER_INLINE std::vector<bool> read_structure(const handle& structure) {
    std::vector<char> bytes(static_cast<std::size_t>(structure->shape.product()));
    read(structure, bytes.data());
    return {bytes.begin(), bytes.end()};
}

// ---- erosion and dilation

// One step, from neighbours whose window starts so far before its middle.
struct morphology_step {
    std::string_view operation;
    dims window, before, after;
    std::vector<bool> counts;
    handle mask;
    bool border, dilates;

    // What label connects as steps do, or none.
    handle structure() const {
        for (int axis = 0; axis < window.size(); ++axis)
            if (before[axis] != after[axis]) return {};
        return connecting_structure(window, counts);
    }

    handle operator()(const handle& x) const {
        const handle wide = record_extended(operation, x, before, after, {"constant", border ? 1.0 : 0.0});
        const codegen::sequence<term> copies = shifted_copies(wide, window, x->shape);
        handle found;
        for (std::size_t k = 0; k < copies.size(); ++k) {
            if (!counts[k]) continue;
            if (!found) found = copies[k];
            else found = apply(dilates ? op::logical_or : op::logical_and, found, copies[k]);
        }
        if (!found) found = record_scalar(number(!dilates), x->shape);
        return mask ? handle(choose_where(mask, found, x)) : found;
    }
};

SINTER_INLINE bool is_same(const handle& a, const handle& b) {
    const auto all = static_cast<std::uint8_t>((1 << a->shape.size()) - 1);
    const term differs = apply(op::not_equal, a, b);
    return !read_item(record_reduce(codegen::reduction::any, differs, all, false), {}).as<bool>();
}

// An erosion is a dilation of what is not true.
SINTER_INLINE handle until_stable(const morphology_step& step, handle x) {
    const handle structure = x->shape.empty() ? handle() : step.structure();
    if (structure && step.dilates) return record_grown(x, step.mask, structure, step.border);
    if (structure) return !term(record_grown(!term(x), step.mask, structure, !step.border));
    while (true) {
        const handle next = step(x);
        if (is_same(next, x)) return x;
        x = next;
    }
}

SINTER_INLINE handle record_morphology(std::string_view operation, const handle& given, const morphology_options& o,
                                       bool dilates) {
    const int rank = given->shape.size();
    device_scope on(given->where);
    handle structure = structure_for(operation, o.structure.value, rank);
    if (dilates) structure = record_flip(operation, structure, all_axes(rank));
    const auto [before, after] = reach_of(operation, structure->shape, o.origin, dilates);
    morphology_step step{operation, structure->shape, before, after, read_structure(structure),
                         {},        o.border_value,   dilates};
    if (o.mask.value) step.mask = record_broadcast(operation, record_cast(o.mask.value, dtype::bool_), given->shape);
    handle x = record_cast(given, dtype::bool_);
    if (given->shape.product() == 0) return x;
    for (std::int64_t turn = 0; turn < o.iterations; ++turn) x = step(x);
    return o.iterations < 1 ? until_stable(step, x) : x;
}

SINTER_INLINE handle record_propagation(const handle& x, const propagation_options& o) {
    return record_morphology("binary_propagation", x,
                             {.structure = o.structure,
                              .iterations = -1,
                              .mask = o.mask,
                              .border_value = o.border_value,
                              .origin = o.origin},
                             true);
}

SINTER_INLINE handle record_filled(const handle& x, const fill_options& o) {
    device_scope on(x->where);
    const term outside = !term(record_cast(x, dtype::bool_));
    const handle nothing = record_scalar(number(false), x->shape);
    return !term(record_morphology("binary_fill_holes", nothing,
                                   {.structure = o.structure,
                                    .iterations = -1,
                                    .mask = array<bool>(outside),
                                    .border_value = true,
                                    .origin = o.origin},
                                   true));
}

SINTER_INLINE handle record_opening(std::string_view operation, const handle& x, const morphology_options& o,
                                    bool opens) {
    return record_morphology(operation, record_morphology(operation, x, o, !opens), o, opens);
}

SINTER_INLINE handle record_iterated(const handle& structure, std::int64_t iterations) {
    if (iterations < 2) return structure;
    device_scope on(structure->where);
    const std::int64_t more = iterations - 1;
    dims before, after;
    for (std::int64_t size : structure->shape) {
        before.push_back(more * (size / 2));
        after.push_back(more * (size - 1) - before.back());
    }
    const handle wide = record_extended("iterate_structure", structure, before, after, {"constant", 0});
    return record_morphology("iterate_structure", wide, {.structure = array<bool>(structure), .iterations = more},
                             true);
}

// ---- grey images

SINTER_INLINE handle record_flat(const handle& x, const per_axis<std::int64_t>& size, const filter_options& o,
                                 bool dilates) {
    if (!dilates) return record_extreme(extreme::minimum, x, size, o);
    const int rank = x->shape.size();
    require_count("grey_dilation", "size", size, rank);
    require_count("grey_dilation", "origin", o.origin, rank);
    std::vector<std::int64_t> origin;
    for (int axis = 0; axis < std::max(rank, 1); ++axis)
        origin.push_back(-o.origin[axis] - (size[axis] % 2 == 0 ? 1 : 0));
    return record_extreme(extreme::maximum, x, size, {.mode = o.mode, .cval = o.cval, .origin = origin});
}

SINTER_INLINE handle record_grey(std::string_view operation, const handle& x, const grey_options& o, bool dilates) {
    const int rank = x->shape.size();
    const handle footprint = o.footprint.value, structure = o.structure.value;
    if (!footprint && !structure)
        throw value_error("[" + std::string(operation) + "] neither a size, nor a footprint, nor a structure");
    const dims window = structure ? structure->shape : footprint->shape;
    if (window.size() != rank)
        throw shape_error("[" + std::string(operation) + "] a window of shape " + to_string(window) + " has not the " +
                          std::to_string(rank) + " axes of the image");
    if (footprint && footprint->shape != window)
        throw shape_error("[" + std::string(operation) + "] a footprint of shape " + to_string(footprint->shape) +
                          " beside a structure of " + to_string(window));
    const auto [before, after] = reach_of(operation, window, o.origin, dilates);
    device_scope on(x->where);
    const std::vector<bool> counts = footprint ? read_footprint(operation, footprint)
                                               : std::vector<bool>(static_cast<std::size_t>(window.product()), true);
    if (x->shape.product() == 0) return x;
    const handle values = structure ? record_cast(x, working_type(x->type)) : x;
    const handle heights = structure ? record_cast(structure, values->type) : handle();
    const codegen::sequence<term> copies =
        shifted_copies(record_extended(operation, values, before, after, {o.mode, o.cval}), window, x->shape);
    handle found;
    for (std::size_t k = 0; k < copies.size(); ++k) {
        const std::size_t from = dilates ? copies.size() - 1 - k : k;
        if (!counts[from]) continue;
        term moved = copies[k];
        if (heights) {
            const term height = record_view(heights, layout{{}, {}, static_cast<std::int64_t>(from)});
            moved = dilates ? moved + height : moved - height;
        }
        found = found ? handle(apply(dilates ? op::maximum : op::minimum, found, moved)) : handle(moved);
    }
    return record_cast(found, x->type);
}

// ---- distances

// The smallest of square + unit (i - j)^2 over j, for every i of the last axis of (rows, n).
SINTER_INLINE handle nearest_squares(const handle& given, double unit) {
    constexpr std::int64_t width = 16;
    const std::int64_t rows = given->shape[0], n = given->shape[1];
    const array<double> squares(given);
    const array<double> blocks = map_index(dims(rows, (n + width - 1) / width), least_of_block, squares, width);
    const array<double> found = map_index(given->shape, nearest_square, squares, blocks, width, unit);
    return found.get_handle();
}

// Squares of distances, `unit` apart, along an axis to the nearest element that is not inside: of the last one before
// and the first one behind, which two scans tell.
SINTER_INLINE term squares_along(const term& is_inside, int axis, double unit) {
    const std::int64_t n = is_inside.shape()[axis];
    const term line = record_cast(record_index(dims(n)), dtype::float64);
    const term place = record_broadcast("distance_transform_edt", vector_along(line, axis, is_inside.shape().size()),
                                        is_inside.shape());
    auto last_outside = [&](const term& inside) {
        const term outside = choose_where(inside, constant_like(place, -ieee::infinity), place);
        return term(record_scan(codegen::reduction::max, outside, axis));
    };
    auto flipped = [&](const term& x) { return term(record_flip("distance_transform_edt", x, dims(axis))); };
    const term before = place - last_outside(is_inside);
    const term behind = flipped(place - last_outside(flipped(is_inside)));
    const term gap = apply(op::minimum, before, behind);
    const term square = choose_where(gap < ieee::infinity, gap * gap * unit, constant_like(gap, ieee::infinity));
    return choose_where(is_inside, square, constant_like(gap, 0.0));
}

SINTER_INLINE handle record_distance(const handle& given, const distance_options& o) {
    const int rank = given->shape.size();
    require_count("distance_transform_edt", "sampling", o.sampling, rank);
    device_scope on(given->where);
    const term is_inside = record_cast(given, dtype::bool_);
    const handle infinity = record_scalar(number(ieee::infinity), {}), zero = record_scalar(number(0.0), {});
    if (rank == 0 || given->shape.product() == 0) return choose_where(is_inside, infinity, zero);
    handle squares = squares_along(is_inside, 0, o.sampling[0] * o.sampling[0]);
    for (int axis = 1; axis < rank; ++axis) {
        const handle last = record_moveaxis(squares, dims(axis), dims(rank - 1));
        const std::int64_t n = given->shape[axis];
        const handle rows = record_reshape(last, dims(given->shape.product() / n, n));
        const handle nearest = nearest_squares(rows, o.sampling[axis] * o.sampling[axis]);
        squares = record_moveaxis(record_reshape(nearest, last->shape), dims(rank - 1), dims(axis));
    }
    return apply(op::sqrt, squares);
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

SINTER_IEEE_END
