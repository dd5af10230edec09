// Bodies of creation.hpp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/functions/term.hpp>
#include <sinter/array/printing/digits.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::int64_t range_count(std::int64_t start, std::int64_t stop, std::int64_t step) {
    if (step == 0) throw value_error("[arange] the step is zero");
    if (step > 0 ? start >= stop : start <= stop) return 0;
    // In unsigned arithmetic, because the distance may exceed the largest int64.
    auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(stop),
         by = static_cast<std::uint64_t>(step);
    return static_cast<std::int64_t>(step > 0 ? (to - from - 1) / by + 1 : (from - to - 1) / (0 - by) + 1);
}

SINTER_INLINE std::int64_t range_count(double start, double stop, double step) {
    const codegen::subnormal_scope exact;
    if (step == 0) throw value_error("[arange] the step is zero");
    double count = ieee::ceil((stop - start) / step);
    if (!(count < 9.2e18))
        throw value_error("[arange] the length is not finite or too large: from " + number_text(start) + " to " +
                          number_text(stop) + " in steps of " + number_text(step));
    return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

SINTER_INLINE codegen::scalar_value converted_number(dtype type, const codegen::scalar_value& v) {
    codegen::scalar_value out;
    out.type = type;
    codegen::convert(v.type, type, v.bytes, out.bytes, 1);
    return out;
}

// Whether the whole part of a number lies in the range of an integer type; long double holds all of both.
SINTER_INLINE bool fits_in(dtype type, long double v) {
    const bool has_sign = codegen::kind_of(type) == 'i';
    const int bits = static_cast<int>(codegen::size_of(type)) * 8 - has_sign;
    const long double end = ieee::ldexp(1.0, bits);
    return has_sign ? v > -end - 1 && v < end : v > -1 && v < end;
}

SINTER_INLINE codegen::scalar_value checked_number(std::string_view operation, dtype type,
                                                   const codegen::scalar_value& v) {
    const codegen::scalar_value out = converted_number(type, v);
    if (!codegen::is_integer(type) || v.type == dtype::bool_) return out;
    if (codegen::is_integer(v.type)) {
        const bool has_sign = codegen::kind_of(v.type) == 'i';
        const auto whole = converted_number(dtype::int64, v).as<std::int64_t>();
        const auto natural = static_cast<std::uint64_t>(whole);
        if (!fits_in(type, has_sign ? static_cast<long double>(whole) : static_cast<long double>(natural)))
            throw_does_not_fit(operation, has_sign ? std::to_string(whole) : std::to_string(natural), type);
    } else {
        const auto real = converted_number(dtype::float64, v).as<double>();
        if (!fits_in(type, real)) throw_does_not_fit(operation, number_text(real), type);
    }
    return out;
}

SINTER_INLINE handle record_range(const codegen::scalar_value& start, const codegen::scalar_value& step,
                                  std::int64_t count) {
    recorder r;
    handle number = record_index(dims(count));
    r.add_input(number);
    // Of half precision only the result is rounded, as NumPy's.
    const bool is_half = codegen::is_half(start.type);
    if (start.type != dtype::int64) r.add_cast(codegen::widened(start.type));
    auto add = [&](const codegen::scalar_value& v, op o) {
        r.add_scalar(v);
        if (is_half) r.add_cast(codegen::widened(v.type));
        r.add_op(o);
    };
    add(step, op::multiply);
    add(start, op::add);
    if (is_half) r.add_cast(start.type);
    return record(r, start.type, dims(count));
}

// Replaces what is on top by the ends where the index is the first or the last.
SINTER_INLINE handle record_exact_end(handle x, std::int64_t at, const codegen::scalar_value& end) {
    recorder r;
    handle number = record_index(x->shape);
    r.add_input(number);
    r.add_scalar(codegen::scalar_value::of(at));
    r.add_op(op::equal);
    r.add_scalar(end);
    r.add_input(x);
    r.add_op(op::where);
    return record(r, x->type, x->shape);
}

SINTER_INLINE handle record_linspace(std::complex<double> a, std::complex<double> b, std::int64_t count, bool endpoint,
                                     dtype type, std::string_view name) {
    const codegen::subnormal_scope exact;
    if (count < 0)
        throw value_error("[" + std::string(name) + "] the number of samples is negative: " + std::to_string(count));
    dtype wide = codegen::is_complex(type) ? dtype::complex128 : dtype::float64;
    double parts = static_cast<double>(endpoint ? count - 1 : count);
    auto to_wide = [&](std::complex<double> v) { return wide == dtype::float64 ? number(v.real()) : number(v); };
    std::complex<double> step =
        parts > 0 ? std::complex<double>((b.real() - a.real()) / parts, (b.imag() - a.imag()) / parts) : 0.0;
    handle x = record_range(to_wide(a), to_wide(step), count);
    if (endpoint && count > 1) x = record_exact_end(x, count - 1, to_wide(b));
    if (codegen::is_integer(type)) x = record_apply(op::floor, {&x, 1});
    return record_cast(x, type);
}

SINTER_INLINE handle record_logspace(double a, double b, std::int64_t count, bool endpoint, double base, dtype type) {
    recorder r;
    handle exponents = record_linspace(a, b, count, endpoint, dtype::float64, "logspace");
    r.add_scalar(number(base));
    r.add_input(exponents);
    r.add_op(op::power);
    return record_cast(record(r, dtype::float64, exponents->shape), type);
}

SINTER_INLINE std::optional<double> real_base(const any_operand& base) {
    if (!base.single || codegen::is_complex(base.single->type)) return std::nullopt;
    return converted_number(dtype::float64, *base.single).as<double>();
}

// Values along a new axis: what `of` makes of the parts, shaped alike, and of each value's own number.
template <class F>
handle along_new_axis(std::string_view name, std::initializer_list<handle> parts, std::int64_t count, std::int64_t axis,
                      F of) {
    if (count < 0)
        throw value_error("[" + std::string(name) + "] the number of samples is negative: " + std::to_string(count));
    dims shape;
    for (const handle& h : parts) shape = codegen::broadcast_shapes(name, shape, h->shape);
    const int rank = shape.size() + 1, at = codegen::normalize_axis(name, axis, rank);
    codegen::sequence<term> spread;
    for (const handle& h : parts)
        spread.push_back(record_expand_dims(record_broadcast(name, h, shape), dims(std::int64_t(at))));
    return of(spread, term(vector_along(record_index(dims(count)), at, rank)));
}

// The last value, where it is one, is the end itself.
SINTER_INLINE term exact_at_end(const term& x, const term& index, std::int64_t count, bool endpoint, const term& end) {
    return endpoint && count > 1 ? choose_where(index == static_cast<double>(count - 1), end, x) : x;
}

SINTER_INLINE handle in_type_of_space(const term& x, dtype type) {
    return record_cast(codegen::is_integer(type) ? apply(op::floor, x).value : x.value, type);
}

SINTER_INLINE term evenly_spaced(const term& a, const term& b, const term& index, std::int64_t count, bool endpoint) {
    const double parts = static_cast<double>(endpoint ? count - 1 : count);
    const term number = record_cast(index, a.type());
    return parts > 0 ? number * ((b - a) / parts) + a : number + a;
}

SINTER_INLINE handle record_linspace(const space_ends& ends, std::int64_t count, const linspace_options& o,
                                     dtype type) {
    const auto between = [&](const auto& e, const term& index) {
        const term x = evenly_spaced(e[0], e[1], index, count, o.endpoint);
        return in_type_of_space(exact_at_end(x, index, count, o.endpoint, e[1]), type);
    };
    return along_new_axis("linspace", {ends.first, ends.last}, count, o.axis, between);
}

SINTER_INLINE handle record_logspace(const space_ends& ends, std::int64_t count, const logspace_options& o,
                                     dtype type) {
    const auto between = [&](const auto& e, const term& index) {
        const term x = evenly_spaced(e[0], e[1], index, count, o.endpoint);
        return in_type_of_space(apply(op::power, e[2], exact_at_end(x, index, count, o.endpoint, e[1])), type);
    };
    const dtype wide = ends.first->type;
    const handle base = o.base.value ? o.base.value : record_scalar(converted_number(wide, *o.base.single), {});
    return along_new_axis("logspace", {ends.first, ends.last, base}, count, o.axis, between);
}

SINTER_INLINE handle record_geomspace(const space_ends& ends, std::int64_t count, const linspace_options& o,
                                      dtype type) {
    const auto between = [&](const auto& e, const term& index) {
        const term sign = apply(op::sign, e[0]), first = e[0] / sign, last = e[1] / sign;
        const term exponents = evenly_spaced(apply(op::log10, first), apply(op::log10, last), index, count, o.endpoint);
        const term powers = choose_where(index == 0.0, first, apply(op::power, 10.0, exponents));
        return in_type_of_space(exact_at_end(powers, index, count, o.endpoint, last) * sign, type);
    };
    return along_new_axis("geomspace", {ends.first, ends.last}, count, o.axis, between);
}

SINTER_INLINE handle record_geomspace(double a, double b, std::int64_t count, bool endpoint, dtype type) {
    const codegen::subnormal_scope exact;
    if (a == 0 || b == 0 || (a < 0) != (b < 0))
        throw value_error("[geomspace] the ends are zero or of different signs: " + number_text(a) + " and " +
                          number_text(b));
    recorder r;
    handle x =
        record_logspace(ieee::log10(ieee::fabs(a)), ieee::log10(ieee::fabs(b)), count, endpoint, 10, dtype::float64);
    r.add_input(x);
    r.add_scalar(number(a < 0 ? -1.0 : 1.0));
    r.add_op(op::multiply);
    x = record(r, dtype::float64, x->shape);
    if (count > 0) x = record_exact_end(x, 0, number(a));
    if (endpoint && count > 1) x = record_exact_end(x, count - 1, number(b));
    if (codegen::is_integer(type)) x = record_apply(op::floor, {&x, 1});
    return record_cast(x, type);
}

SINTER_INLINE handle record_along(const handle& x, const dims& shape, int axis) {
    layout l{shape, dims::filled(shape.size(), 0), 0};
    l.strides[axis] = x->shape.product() == 1 ? 0 : 1;
    return record_view(x, l);
}

SINTER_INLINE handle record_axis_index(const dims& shape, int axis) {
    return record_along(record_index(dims(shape[axis])), shape, axis);
}

SINTER_INLINE handle record_pattern(codegen::op compare, std::int64_t rows, std::int64_t columns, std::int64_t k) {
    if (rows < 0 || columns < 0) throw value_error("[eye] a size is negative: " + to_string(dims(rows, columns)));
    dims shape(rows, columns);
    handle row = record_axis_index(shape, 0), column = record_axis_index(shape, 1);
    recorder r;
    r.add_input(column);
    r.add_input(row);
    r.add_op(op::subtract);
    r.add_scalar(number(k));
    r.add_op(compare);
    return record(r, dtype::bool_, shape);
}

SINTER_INLINE handle record_triangle(const handle& given, std::int64_t k, bool lower) {
    device_scope on(given->where);
    handle x = given;
    if (x->shape.empty())
        throw value_error(std::string(lower ? "[tril]" : "[triu]") + " a single number is not a matrix");
    if (x->shape.size() == 1) x = record_broadcast("tril", x, dims(x->shape[0], x->shape[0]));
    int n = x->shape.size();
    handle kept = record_pattern(lower ? op::less_equal : op::greater_equal, x->shape[n - 2], x->shape[n - 1], k);
    kept = record_broadcast("tril", kept, x->shape);
    recorder r;
    r.add_input(kept);
    r.add_input(x);
    r.add_scalar(number_of(x->type, 0));
    r.add_op(op::where);
    return record(r, x->type, x->shape);
}

SINTER_INLINE layout diagonal_of(const layout& l, std::int64_t k, int a, int b) {
    std::int64_t row = k < 0 ? -k : 0, column = k > 0 ? k : 0;
    std::int64_t n = std::min(l.shape[a] - row, l.shape[b] - column);
    layout d = l;
    d.shape.erase(a > b ? a : b);
    d.strides.erase(a > b ? a : b);
    d.shape.erase(a > b ? b : a);
    d.strides.erase(a > b ? b : a);
    d.shape.push_back(n > 0 ? n : 0);
    d.strides.push_back(l.strides[a] + l.strides[b]);
    if (n > 0) d.offset += row * l.strides[a] + column * l.strides[b];
    return d;
}

SINTER_INLINE handle record_diagonal(const handle& x, std::int64_t k, std::int64_t axis1, std::int64_t axis2,
                                     std::string_view operation) {
    const std::string name = "[" + std::string(operation) + "] ";
    int rank = x->shape.size();
    if (rank < 2) throw value_error(name + "an array of shape " + to_string(x->shape) + " has fewer than two axes");
    int a = codegen::normalize_axis(operation, axis1, rank), b = codegen::normalize_axis(operation, axis2, rank);
    if (a == b) throw value_error(name + "both axes are the same: " + std::to_string(axis1));
    return record_view(x, diagonal_of(codegen::contiguous(x->shape), k, a, b));
}

SINTER_INLINE handle record_diagonal_matrix(const handle& x, std::int64_t k) {
    device_scope on(x->where);
    if (k == INT64_MIN) throw shape_error("[diag] no matrix has this diagonal: " + std::to_string(k));
    std::int64_t n = add_sizes("diag", x->shape[0], k < 0 ? -k : k);
    dims shape(n, n);
    if (k != 0) {
        handle zeros = record_scalar(number_of(x->type, 0), shape);
        return record_update(zeros, x, diagonal_of(codegen::contiguous(shape), k, 0, 1));
    }
    handle on_diagonal = record_pattern(op::equal, n, n, 0), spread = record_along(x, shape, 1);
    recorder r;
    r.add_input(on_diagonal);
    r.add_input(spread);
    r.add_scalar(number_of(x->type, 0));
    r.add_op(op::where);
    return record(r, x->type, shape);
}

SINTER_INLINE handle record_vander(const handle& x, dtype type, std::int64_t n, bool increasing) {
    if (x->shape.size() != 1)
        throw value_error("[vander] an array of shape " + to_string(x->shape) + " is not a vector");
    if (n < 0) throw value_error("[vander] the number of columns is negative: " + std::to_string(n));
    device_scope on(x->where);
    dims shape(x->shape[0], n);
    std::int64_t first = increasing ? 0 : n - 1, step = increasing ? 1 : -1;
    handle exponent = record_along(record_range(number(first), number(step), n), shape, 1),
           base = record_along(record_cast(x, type), shape, 0);
    recorder r;
    r.add_input(base);
    r.add_input(exponent);
    r.add_cast(type);
    r.add_op(op::power);
    return record(r, type, shape);
}

SINTER_INLINE handle record_indices(const dims& shape) {
    dims all = shape;
    all.insert(0, shape.size());
    recorder r;
    handle which = shape.empty() ? handle() : record_axis_index(all, 0);
    codegen::sequence<handle> of_axis;
    for (int i = 0; i < shape.size(); ++i) of_axis.push_back(record_axis_index(all, i + 1));
    if (shape.empty()) return record_index(dims(0));
    for (int i = 0; i + 1 < shape.size(); ++i) {
        r.add_input(which);
        r.add_scalar(number(static_cast<std::int64_t>(i)));
        r.add_op(op::equal);
        r.add_input(of_axis[static_cast<std::size_t>(i)]);
    }
    r.add_input(of_axis.back());
    for (int i = 0; i + 1 < shape.size(); ++i) r.add_op(op::where);
    return record(r, dtype::int64, all);
}

SINTER_INLINE int mesh_axis(int i, int operands, std::string_view indexing) {
    if (indexing != "xy" && indexing != "ij")
        throw value_error("[meshgrid] indexing is neither xy nor ij: " + std::string(indexing));
    return indexing == "xy" && operands > 1 && i < 2 ? 1 - i : i;
}

SINTER_INLINE std::int64_t mesh_size(const dims& shape) {
    if (shape.size() > 1) throw value_error("[meshgrid] an array of shape " + to_string(shape) + " is not a vector");
    return shape.product();
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
