// Bodies of interpolation.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/ndimage/interpolation.hpp>

#include <algorithm>
#include <array>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::ndimage::detail {

// What a coordinate beyond the borders means.
enum class beyond : std::uint8_t { constant, grid_constant, nearest, mirror, reflect, wrap, grid_wrap };

SINTER_INLINE beyond beyond_of(std::string_view operation, std::string_view mode) {
    static constexpr std::string_view names[] = {"constant", "grid-constant", "nearest",  "mirror",
                                                 "reflect",  "wrap",          "grid-wrap"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (mode == names[i]) return static_cast<beyond>(i);
    if (mode == "grid-mirror") return beyond::reflect;
    throw value_error(
        "[" + std::string(operation) +
        "] the mode is not constant, grid-constant, nearest, mirror, reflect, wrap or grid-wrap: " + std::string(mode));
}

SINTER_INLINE void require_spline_order(std::string_view operation, int order) {
    if (order < 0 || order > 5)
        throw value_error("[" + std::string(operation) + "] the order is not 0 to 5: " + std::to_string(order));
}

// ---- coefficients

SINTER_INLINE std::vector<double> poles_of(int order) {
    auto root = [](double x) { return ieee::sqrt(x); };
    switch (order) {
        case 2: return {root(8) - 3};
        case 3: return {root(3) - 2};
        case 4: return {root(664 - root(438976)) + root(304) - 19, root(664 + root(438976)) - root(304) - 19};
        case 5: return {root(67.5 - root(4436.25)) + root(26.25) - 6.5, root(67.5 + root(4436.25)) - root(26.25) - 6.5};
        default: return {};
    }
}

// The response of the recursion there and back for each pole, (1 - z) / (1 + z) z^|k|, as far as it counts.
SINTER_INLINE std::vector<double> response_of(int order) {
    std::vector<double> all{1};
    for (double z : poles_of(order)) {
        const int radius = static_cast<int>(ieee::ceil(ieee::log(1e-18) / ieee::log(ieee::fabs(z))));
        std::vector<double> one, both(all.size() + static_cast<std::size_t>(2 * radius), 0.0);
        for (int k = -radius; k <= radius; ++k)
            one.push_back((1 - z) / (1 + z) * ieee::pow(z, static_cast<double>(k < 0 ? -k : k)));
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = 0; k < one.size(); ++k) both[i + k] += all[i] * one[k];
        all = both;
    }
    while (all.size() > 3 && ieee::fabs(all[0]) < 1e-19) all = std::vector<double>(all.begin() + 1, all.end() - 1);
    return all;
}

SINTER_INLINE handle record_spline_filter(std::string_view operation, const handle& given, int axes, int order,
                                          std::string_view mode) {
    require_spline_order(operation, order);
    const beyond how = beyond_of(operation, mode);
    handle x = record_cast(given, working_type(given->type));
    if (order < 2) return x;
    const std::string_view by = how == beyond::grid_wrap                           ? "wrap"
                                : how == beyond::nearest || how == beyond::reflect ? "reflect"
                                                                                   : "mirror";
    const std::vector<double> taps = response_of(order);
    for (int axis = 0; axis < axes; ++axis)
        if (x->shape[axis] > 1) x = record_correlate1d(operation, x, taps, axis, 0, {by, 0});
    return x;
}

// The coefficients along so many leading axes, and by how much coordinates are shifted in them.
SINTER_INLINE handle coefficients_of(std::string_view operation, const handle& given, int axes, const spline_options& o,
                                     double& shift) {
    require_spline_order(operation, o.order);
    const beyond how = beyond_of(operation, o.mode);
    handle x = record_cast(given, working_type(given->type));
    shift = 0;
    if (!o.prefilter || o.order < 2) return x;
    if (how == beyond::nearest || how == beyond::grid_constant) {
        dims more = dims::filled(x->shape.size(), 0);
        for (int axis = 0; axis < axes; ++axis) more[axis] = 12;
        x = record_extended(operation, x, more, more, {how == beyond::nearest ? "nearest" : "constant", o.cval});
        shift = 12;
    }
    return record_spline_filter(operation, x, axes, o.order, o.mode);
}

// ---- coordinates

// Where a coordinate beyond the borders of n elements lies inside of them; as it is where that is for the caller.
SINTER_INLINE term inside_of(const term& c, std::int64_t n, beyond how) {
    const auto last = static_cast<double>(n - 1);
    if (how == beyond::constant || how == beyond::grid_constant) return c;
    if (n <= 1) return c * 0;
    // All elements that a spline of any order meets from there on are the last one's copies.
    if (how == beyond::nearest) return apply(op::minimum, apply(op::maximum, c, -8), last + 8);
    const double period = how == beyond::mirror    ? 2 * last
                          : how == beyond::reflect ? 2 * last + 2
                          : how == beyond::wrap    ? last
                                                   : last + 1;
    auto turns = [&](const term& v) { return apply(op::trunc, v / period); };
    const term above = c - turns(c) * period;
    switch (how) {
        case beyond::mirror: {
            const term below = c + turns(-c) * period;
            return choose_where(c < 0, choose_where(below <= -last, below + period, -below),
                                choose_where(c > last, choose_where(above >= last + 1, period - above, above), c));
        }
        case beyond::reflect: {
            const term round = choose_where(c < -period, c + turns(-c) * period, c);
            const term back = choose_where(round > -1e-15, constant_like(round, 1e-15), -round) - 1;
            return choose_where(c < 0, choose_where(round < -last - 1, round + period, back),
                                choose_where(c > last, choose_where(above >= last + 1, period - above - 1, above), c));
        }
        default: {
            const term before = how == beyond::wrap ? -c : -1 - c;
            return choose_where(c < 0, c + (turns(before) + 1) * period, choose_where(c > last, above, c));
        }
    }
}

SINTER_INLINE extension extension_of_coefficients(beyond how) {
    switch (how) {
        case beyond::nearest:
        case beyond::grid_constant: return extension::edge;
        case beyond::reflect: return extension::symmetric;
        case beyond::grid_wrap: return extension::wrap;
        default: return extension::reflect;
    }
}

// The B-spline of an order at a distance.
SINTER_INLINE term spline_at(const term& distance, int order) {
    const term t = apply(op::absolute, distance);
    double factorial = 1;
    for (int k = 2; k <= order; ++k) factorial *= k;
    const double half = (order + 1) / 2.0;
    term sum = t * 0;
    double binomial = 1;
    for (int k = 0; 2 * k <= order; ++k) {
        const term reach = apply(op::maximum, half - static_cast<double>(k) - t, 0);
        term power = reach;
        for (int i = 1; i < order; ++i) power = power * reach;
        sum = sum + power * binomial;
        binomial = -binomial * (order + 1 - k) / (k + 1);
    }
    return sum * (1 / factorial);
}

// The leading axes of coefficients at coordinates, one array of a common shape for each of these axes: what they are
// for a place outside is told apart by the caller where the mode is constant. The result has their shape and then the
// other axes'.
SINTER_INLINE handle interpolate(std::string_view operation, const handle& x, codegen::span<const term> coordinates,
                                 int order, beyond how, double cval) {
    const int inner = static_cast<int>(coordinates.size()), outer = coordinates[0].shape().size();
    const int others = x->shape.size() - inner;
    if (outer + inner + others > max_rank)
        throw shape_error("[" + std::string(operation) + "] more than eight axes: " +
                          to_string(coordinates[0].shape()) + " places in " + to_string(x->shape));
    // Where the caller discards what lies outside, any element does for it.
    const bool discards = how == beyond::constant;
    codegen::sequence<handle> index;
    handle weights, is_inside;
    for (int h = 0; h < inner; ++h) {
        dims place = coordinates[0].shape(), tap = dims::filled(outer + inner, 1);
        for (int i = 0; i < inner; ++i) place.push_back(1);
        tap[outer + h] = order + 1;
        const term c = record_reshape(inside_of(coordinates[static_cast<std::size_t>(h)], x->shape[h], how), place);
        const term first = apply(op::floor, order % 2 ? c : c + 0.5) - static_cast<double>(order / 2);
        const term i = first + record_cast(record_reshape(record_index(dims(order + 1)), tap), dtype::float64);
        const term whole = record_cast(i, x->shape[h] < most_short_index ? dtype::int32 : dtype::int64);
        const term inside = extended_index(whole, x->shape[h], order + 1, extension_of_coefficients(how));
        index.push_back(discards ? apply(op::maximum, inside, 0) : inside);
        if (order > 0) {
            const term w = spline_at(c - i, order);
            weights = weights ? handle(term(weights) * w) : handle(w);
        }
        if (how != beyond::grid_constant) continue;
        const term is_in = whole >= 0 && whole < static_cast<double>(x->shape[h]);
        is_inside = is_inside ? handle(term(is_inside) && is_in) : handle(is_in);
    }
    term elements = record_gather(x, index, {static_cast<std::uint8_t>((1 << inner) - 1), 0});
    auto spread = [&](const handle& h) {
        dims shape = h->shape;
        for (int i = 0; i < others; ++i) shape.push_back(1);
        return term(record_reshape(h, shape));
    };
    if (is_inside) elements = choose_where(spread(is_inside), elements, constant_like(elements, cval));
    if (weights) elements = elements * term(record_cast(spread(weights), x->type));
    const auto over = static_cast<std::uint8_t>(((1 << inner) - 1) << outer);
    return record_reduce(codegen::reduction::sum, elements, over, false);
}

// Rounded where the image's elements are whole.
SINTER_INLINE handle as_image(const term& y, dtype type) {
    if (codegen::kind_rank(type) >= 2) return record_cast(y, type);
    return record_cast(choose_where(y > 0, y + 0.5, y - 0.5), type);
}

SINTER_INLINE handle outside_of(codegen::span<const term> coordinates, const dims& shape) {
    handle outside;
    for (std::size_t h = 0; h < coordinates.size(); ++h) {
        const term& c = coordinates[h];
        const term is_out = c < 0 || c > static_cast<double>(shape[static_cast<int>(h)] - 1);
        outside = outside ? handle(term(outside) || is_out) : handle(is_out);
    }
    return outside;
}

// The leading axes of an image at coordinates.
SINTER_INLINE handle at_coordinates(std::string_view operation, const handle& given,
                                    codegen::span<const term> coordinates, const spline_options& o) {
    double shift = 0;
    const beyond how = beyond_of(operation, o.mode);
    const handle x = coefficients_of(operation, given, static_cast<int>(coordinates.size()), o, shift);
    if (given->shape.product() == 0)
        throw value_error("[" + std::string(operation) + "] an image without elements: " + to_string(given->shape));
    codegen::sequence<term> places;
    for (const term& c : coordinates) places.push_back(c + shift);
    term y = interpolate(operation, x, places, o.order, how, o.cval);
    if (how == beyond::constant) {
        const handle outside = outside_of(coordinates, given->shape);
        dims shape = outside->shape;
        while (shape.size() < y.shape().size()) shape.push_back(1);
        y = choose_where(record_reshape(outside, shape), constant_like(y, o.cval), y);
    }
    return as_image(y, given->type);
}

SINTER_INLINE handle record_map_coordinates(const handle& x, const handle& given, const spline_options& o) {
    const int rank = x->shape.size();
    if (given->shape.empty() || given->shape[0] != rank || rank == 0)
        throw shape_error("[map_coordinates] coordinates have one row for each axis of the image " +
                          to_string(x->shape) + ", and not the shape " + to_string(given->shape));
    device_scope on(x->where);
    const handle c = record_cast(given, dtype::float64);
    dims shape = c->shape;
    shape.erase(0);
    codegen::sequence<term> coordinates;
    for (int h = 0; h < rank; ++h) coordinates.push_back(record_reshape(record_part(c, 0, h, h + 1), shape));
    return at_coordinates("map_coordinates", x, coordinates, o);
}

SINTER_INLINE term places_along(const dims& shape, int axis) {
    return record_cast(record_axis_index(shape, axis), dtype::float64);
}

// ---- along each axis by itself

SINTER_INLINE handle at_axes(std::string_view operation, const handle& given, const codegen::sequence<term>& along,
                             const spline_options& o) {
    double shift = 0;
    const beyond how = beyond_of(operation, o.mode);
    if (given->shape.product() == 0)
        throw value_error("[" + std::string(operation) + "] an image without elements: " + to_string(given->shape));
    const int rank = given->shape.size();
    handle x = coefficients_of(operation, given, rank, o, shift), outside;
    for (int axis = 0; axis < rank; ++axis) {
        const term& c = along[static_cast<std::size_t>(axis)];
        const term places[] = {c + shift};
        const handle first = record_moveaxis(x, dims(axis), dims(0));
        x = record_moveaxis(interpolate(operation, first, places, o.order, how, o.cval), dims(0), dims(axis));
        if (how != beyond::constant) continue;
        const term is_out = c < 0 || c > static_cast<double>(given->shape[axis] - 1);
        const term wide = vector_along(is_out, axis, rank);
        outside = outside ? handle(term(outside) || wide) : handle(wide);
    }
    if (outside) x = choose_where(outside, constant_like(x, o.cval), x);
    return as_image(x, given->type);
}

SINTER_INLINE handle record_shift(const handle& x, const per_axis<double>& shift, const spline_options& o) {
    require_count("shift", "shift", shift, x->shape.size());
    device_scope on(x->where);
    codegen::sequence<term> along;
    for (int axis = 0; axis < x->shape.size(); ++axis)
        along.push_back(places_along(dims(x->shape[axis]), 0) - shift[axis]);
    return at_axes("shift", x, along, o);
}

SINTER_INLINE handle record_zoom(const handle& x, const per_axis<double>& zoom, const zoom_options& o) {
    require_count("zoom", "zoom", zoom, x->shape.size());
    device_scope on(x->where);
    codegen::sequence<term> along;
    for (int axis = 0; axis < x->shape.size(); ++axis) {
        const auto n = static_cast<double>(x->shape[axis]), wanted = ieee::rint(n * zoom[axis]);
        if (!(wanted >= 1 && wanted < 0x1p62))
            throw value_error("[zoom] axis " + std::to_string(axis) + " of " + to_string(x->shape) +
                              " would have no elements or too many: " + std::to_string(zoom[axis]));
        const double less = o.grid_mode ? 0 : 1;
        const double factor = wanted - less == 0 ? 1 : (n - less) / (wanted - less);
        const term place = places_along(dims(static_cast<std::int64_t>(wanted)), 0);
        along.push_back(o.grid_mode ? (place + 0.5) * factor - 0.5 : place * factor);
    }
    return at_axes("zoom", x, along, {o.order, o.mode, o.cval, o.prefilter});
}

// ---- affine maps

SINTER_INLINE handle record_affine(const handle& x, const handle& given, const affine_options& o) {
    const int rank = x->shape.size();
    const dims shape = o.output_shape.value_or(x->shape);
    const dims& m = given->shape;
    const bool is_diagonal = m == dims(rank), has_offset = m == dims(rank, rank + 1) || m == dims(rank + 1, rank + 1);
    if ((!is_diagonal && !has_offset && m != dims(rank, rank)) || rank == 0 || shape.size() != rank)
        throw shape_error("[affine_transform] a matrix of shape " + to_string(m) + " does not map the image " +
                          to_string(x->shape) + " to " + to_string(shape));
    require_count("affine_transform", "offset", o.offset, rank);
    device_scope on(x->where);
    const handle matrix = record_cast(given, dtype::float64);
    auto entry = [&](int row, int column) {
        const std::int64_t at = is_diagonal ? row : row * m[1] + column;
        return term(record_view(matrix, layout{{}, {}, at}));
    };
    const spline_options splines{o.order, o.mode, o.cval, o.prefilter};
    codegen::sequence<term> along;
    for (int h = 0; h < rank; ++h) {
        if (is_diagonal) {
            along.push_back((places_along(dims(shape[h]), 0) + o.offset[h] / entry(h, 0)) * entry(h, 0));
            continue;
        }
        const term zero = record_scalar(number(o.offset[h]), {});
        term c = has_offset ? entry(h, rank) : zero;
        for (int l = 0; l < rank; ++l) c = c + places_along(shape, l) * entry(h, l);
        along.push_back(c);
    }
    return is_diagonal ? at_axes("affine_transform", x, along, splines)
                       : at_coordinates("affine_transform", x, along, splines);
}

// The sine and cosine of degrees, exact of right angles.
SINTER_INLINE std::array<double, 2> turn_by(double degrees) {
    const double round = degrees - 360 * ieee::floor(degrees / 360);
    if (round == 0) return {0, 1};
    if (round == 90) return {1, 0};
    if (round == 180) return {0, -1};
    if (round == 270) return {-1, 0};
    return {ieee::sin(round * pi / 180), ieee::cos(round * pi / 180)};
}

SINTER_INLINE handle record_rotate(const handle& x, double angle, const rotate_options& o) {
    const int rank = x->shape.size();
    if (o.axes.size() != 2 || rank < 2)
        throw value_error("[rotate] a plane has two axes: " + to_string(o.axes) + " of " + to_string(x->shape));
    int first = codegen::normalize_axis("rotate", o.axes[0], rank);
    int second = codegen::normalize_axis("rotate", o.axes[1], rank);
    if (first == second) throw value_error("[rotate] a plane has two axes: " + to_string(o.axes));
    if (first > second) std::swap(first, second);
    const auto [s, c] = turn_by(angle);
    const double in[] = {static_cast<double>(x->shape[first]), static_cast<double>(x->shape[second])};
    double out[] = {in[0], in[1]};
    if (o.reshape) {
        // The corners are the products of the matrix with (0, 0), (0, n), (m, 0) and (m, n).
        const double rows[2][2] = {{c * in[0], s * in[1]}, {-s * in[0], c * in[1]}};
        for (int i = 0; i < 2; ++i) {
            const double corners[] = {0, rows[i][1], rows[i][0], rows[i][0] + rows[i][1]};
            const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
            out[i] = ieee::floor(*high - *low + 0.5);
        }
    }
    const double middle[] = {(out[0] - 1) / 2, (out[1] - 1) / 2};
    const double offset[] = {(in[0] - 1) / 2 - (c * middle[0] + s * middle[1]),
                             (in[1] - 1) / 2 - (c * middle[1] - s * middle[0])};
    device_scope on(x->where);
    const dims plane(static_cast<std::int64_t>(out[0]), static_cast<std::int64_t>(out[1]));
    const term i = places_along(plane, 0), j = places_along(plane, 1);
    const term coordinates[] = {offset[0] + i * c + j * s, offset[1] - i * s + j * c};
    const handle leading = record_moveaxis(x, dims(first, second), dims(0, 1));
    const handle y = at_coordinates("rotate", leading, coordinates, {o.order, o.mode, o.cval, o.prefilter});
    return record_moveaxis(y, dims(0, 1), dims(first, second));
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

SINTER_IEEE_END
