// Bodies of record_fft.hpp.
#pragma once

#include <sinter/codegen/ops/fourier.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/array/printing/digits.hpp>
#include <sinter/fft/record_fft.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/library/fourier.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::fft {

SINTER_INLINE norm_name::norm_name(const char* name) : value_(norm::backward) {
    const std::string_view text = name;
    if (text == "ortho") value_ = norm::ortho;
    else if (text == "forward") value_ = norm::forward;
    else if (text != "backward")
        throw value_error("[fft] the norm is backward, ortho or forward, not " + std::string(text));
}

}  // namespace sinter::inline SINTER_ABI::fft

namespace sinter::inline SINTER_ABI::detail {

using codegen::call_info;
using codegen::routine;

/// An axis and how many points are transformed along it.
struct fourier_axis {
    int axis;
    std::int64_t n;
};

/// One transform of several axes while it is recorded.
class fourier_recorder {
public:
    fourier_recorder(const fourier_request& r, const handle& x) : request_(r), x_(x), fresh_(r.fresh) {}
    handle record(const codegen::sequence<fourier_axis>& axes);

private:
    void require_types() const;
    void require_points(const fourier_axis& a) const;
    void set_factor(const codegen::sequence<fourier_axis>& axes);
    void transform(routine what, const codegen::sequence<fourier_axis>& axes);
    void bring_to_size(routine what, const codegen::sequence<fourier_axis>& axes);
    void pad(const dims& shape);
    void gather_padded(const dims& shape);
    void multiply();
    double multiply_before();
    void transform_all(const codegen::sequence<fourier_axis>& axes);
    void call(call_info c);
    static bool fits(const call_info& c, dtype type, const dims& shape);
    codegen::sequence<fourier_axis> take_group(routine what, codegen::sequence<fourier_axis>& axes) const;
    dtype real() const { return codegen::real_of(codegen::floating_of(x_->type)); }
    dtype complex() const { return codegen::complex_of(real()); }

    const fourier_request& request_;
    handle x_;
    bool fresh_;
    double factor_ = 1;
};

SINTER_INLINE void fourier_recorder::require_types() const {
    const dtype t = x_->type;
    if (t == dtype::bfloat16)
        throw type_error("[" + std::string(request_.operation) + "] there are no transforms of " +
                         std::string(to_string(t)) + ": convert to float32 first");
    if (request_.what == routine::rfft && codegen::is_complex(t))
        throw type_error("[" + std::string(request_.operation) + "] wants real numbers, not " +
                         std::string(to_string(t)));
}

SINTER_INLINE void fourier_recorder::require_points(const fourier_axis& a) const {
    const std::string what = "[" + std::string(request_.operation) + "] ",
                      where = std::to_string(a.n) + " along axis " + std::to_string(a.axis);
    if (a.n < 1)
        throw value_error(what + "the number of points is not positive: " + where + " of " + to_string(x_->shape));
    if (codegen::is_half(x_->type) && (a.n & (a.n - 1)))
        throw value_error(what + "half precision transforms need a power of two: " + where);
}

SINTER_INLINE void fourier_recorder::set_factor(const codegen::sequence<fourier_axis>& axes) {
    double points = 1;
    for (const fourier_axis& a : axes) {
        require_points(a);
        points *= static_cast<double>(a.n);
    }
    if (request_.how == fft::norm::ortho) factor_ = 1 / ieee::sqrt(points);
    else if (request_.inverse == (request_.how == fft::norm::backward)) factor_ = 1 / points;
}

SINTER_INLINE void fourier_recorder::multiply() {
    if (factor_ == 1) return;
    codegen::scalar_value s, wide = codegen::scalar_value::of(factor_);
    s.type = x_->type;
    codegen::convert(dtype::float64, s.type, wide.bytes, s.bytes, 1);
    recorder r;
    r.add_input(x_);
    r.add_scalar(s);
    r.add_op(codegen::op::multiply);
    x_ = detail::record(r, x_->type, x_->shape);
    factor_ = 1;
}

// Multiplies half precision by a part of the factor and returns the rest, for the end: sums would overflow if all of it
// came afterwards, and numbers lose their digits if all came before.
SINTER_INLINE double fourier_recorder::multiply_before() {
    if (factor_ == 1 || !codegen::is_half(x_->type)) return 1;
    const double whole = factor_, part = ieee::exp2(ieee::round(ieee::log2(whole) / 2));
    factor_ = part;
    multiply();
    fresh_ = true;
    return whole / part;
}

// Zeros beyond the end. What lies in memory is gathered with them by one kernel, an expression is written beside them.
SINTER_INLINE void fourier_recorder::pad(const dims& shape) {
    const dims have = x_->shape;
    if (have.product() > 0 && !fresh_) return gather_padded(shape);
    codegen::scalar_value zero;
    zero.type = x_->type;
    handle zeros = record_scalar(zero, shape);
    layout where = codegen::contiguous(shape);
    where.shape = have;
    x_ = have.product() == 0 ? zeros : record_update(zeros, x_, where);
}

SINTER_INLINE void fourier_recorder::gather_padded(const dims& shape) {
    const dims have = x_->shape;
    codegen::sequence<handle> index;
    recorder r;
    codegen::sequence<handle> shorter;  // keeps them alive: r only points at its inputs
    for (int i = 0; i < shape.size(); ++i) {
        // Places along axis i, in the shape of the result.
        dims one = dims::filled(shape.size(), 1);
        one[i] = shape[i];
        handle place = record_broadcast(request_.operation, record_reshape(record_index(dims(shape[i])), one), shape);
        if (shape[i] == have[i]) {
            index.push_back(place);
            continue;
        }
        shorter.push_back(place);
        recorder clamp;
        clamp.add_input(place);
        clamp.add_scalar(codegen::scalar_value::of(have[i] - 1));
        clamp.add_op(codegen::op::minimum);
        index.push_back(detail::record(clamp, dtype::int64, shape));
        r.add_input(place);
        r.add_scalar(codegen::scalar_value::of(have[i]));
        r.add_op(codegen::op::less);
        if (shorter.size() > 1) r.add_op(codegen::op::logical_and);
    }
    handle gathered =
        record_gather(x_, {index.data(), index.size()}, {static_cast<std::uint8_t>((1 << shape.size()) - 1), 0});
    codegen::scalar_value zero;
    zero.type = x_->type;
    r.add_input(gathered);
    r.add_scalar(zero);
    r.add_op(codegen::op::where);
    x_ = detail::record(r, x_->type, shape);
    fresh_ = true;
}

// Cropped and padded, converted, and multiplied where a kernel writes it anyway.
SINTER_INLINE void fourier_recorder::bring_to_size(routine what, const codegen::sequence<fourier_axis>& axes) {
    device_scope on(x_->where);
    dims cropped = x_->shape, wanted = x_->shape;
    const int halved = what == routine::irfft ? axes.back().axis : -1;
    for (const fourier_axis& a : axes) {
        wanted[a.axis] = a.axis == halved ? a.n / 2 + 1 : a.n;
        cropped[a.axis] = std::min(cropped[a.axis], wanted[a.axis]);
    }
    layout part = codegen::contiguous(x_->shape);
    part.shape = cropped;
    x_ = record_view(x_, part);
    const bool pads = cropped != wanted;
    if (pads && !fresh_) pad(wanted);
    const dtype type = what == routine::rfft ? real() : complex();
    fresh_ = fresh_ || type != x_->type;
    x_ = record_cast(x_, type);
    if (fresh_) multiply();
    if (x_->shape != wanted) pad(wanted);
    fresh_ = false;
}

SINTER_INLINE bool fourier_recorder::fits(const call_info& c, dtype type, const dims& shape) {
    return codegen::find_transform(c, type, codegen::contiguous(shape)).has_value();
}

// The axes from the end of the list that one call transforms; the last one of a real transform is its last in memory.
SINTER_INLINE codegen::sequence<fourier_axis> fourier_recorder::take_group(
    routine what, codegen::sequence<fourier_axis>& axes) const {
    codegen::sequence<fourier_axis> group;
    dims shape = x_->shape;
    call_info c(what);
    while (!axes.empty()) {
        const fourier_axis a = axes.back();
        if (c.has_axis(a.axis) || (what != routine::fft && !group.empty() && a.axis > group.front().axis)) break;
        call_info longer = c;
        longer.axes = static_cast<std::uint8_t>(c.axes | 1 << a.axis);
        if (what == routine::irfft && group.empty() && a.n % 2) longer.options = call_info::odd;
        shape[a.axis] = what == routine::irfft && group.empty() ? a.n / 2 + 1 : a.n;
        const dtype type = what == routine::rfft ? real() : complex();
        if (!group.empty() && !fits(longer, type, shape)) break;
        c = longer;
        group.push_back(a);
        axes.pop_back();
    }
    // In the order in which they were listed.
    codegen::sequence<fourier_axis> listed;
    for (std::size_t i = group.size(); i-- > 0;) listed.push_back(group[i]);
    return listed;
}

SINTER_INLINE void fourier_recorder::call(call_info c) {
    // An axis that no library takes where it is becomes the last one; what is written comes back as a view.
    const int r = x_->shape.size(), axis = c.last_axis();
    const bool moved = !fits(c, x_->type, x_->shape);
    dims order;
    for (int i = 0; i < r; ++i) order.push_back(i == axis ? r - 1 : i == r - 1 ? axis : i);
    if (moved) {
        x_ = record_view(x_, codegen::transposed(codegen::contiguous(x_->shape), order));
        c.axes = static_cast<std::uint8_t>(1 << (r - 1));
    }
    runtime::use_fourier();
    runtime::statement s;
    runtime::use_calls();
    s.kind = runtime::statement_kind::call;
    s.call = c;
    s.inputs = {x_.get()};
    x_ = runtime::make_pending(codegen::result_type(c, x_->type), codegen::result_shape(c, x_->shape), x_->where,
                               std::move(s));
    if (moved) x_ = record_view(x_, codegen::transposed(codegen::contiguous(x_->shape), order));
}

// One call over axes that it can take together. One point is its own transform.
SINTER_INLINE void fourier_recorder::transform(routine what, const codegen::sequence<fourier_axis>& axes) {
    const fourier_axis last = axes.back();
    const bool to_real = what == routine::irfft;
    if (what != routine::fft && last.n == 1) {
        bring_to_size(to_real ? routine::irfft : routine::fft, axes);
        what = routine::fft;
    } else {
        bring_to_size(what, axes);
    }
    std::uint8_t options = 0;
    if (what == routine::irfft && last.n % 2) options = call_info::odd;
    if (what == routine::fft && request_.inverse) options = call_info::inverse;
    call_info c(what, options);
    for (const fourier_axis& a : axes)
        if (a.n > 1) c.axes = static_cast<std::uint8_t>(c.axes | 1 << a.axis);
    if (c.axes && x_->shape.product() > 0) call(c);
    else if (c.axes) x_ = record_empty(codegen::result_type(c, x_->type), codegen::result_shape(c, x_->shape));
    if (to_real && last.n == 1) {
        recorder r;
        r.add_input(x_);
        r.add_op(codegen::op::real);
        x_ = detail::record(r, codegen::real_of(x_->type), x_->shape);
    }
}

SINTER_INLINE handle fourier_recorder::record(const codegen::sequence<fourier_axis>& axes) {
    require_types();
    set_factor(axes);
    if (axes.empty()) return record_cast(x_, complex());
    // FFTW has no half precision.
    const bool widens = codegen::is_half(x_->type) && x_->where.is_cpu();
    if (widens) {
        x_ = record_widened(x_);
        fresh_ = true;
    }
    const double left = multiply_before();
    transform_all(axes);
    factor_ *= left;
    multiply();
    return widens ? record_cast(x_, codegen::is_complex(x_->type) ? dtype::complex32 : dtype::float16) : x_;
}

SINTER_INLINE void fourier_recorder::transform_all(const codegen::sequence<fourier_axis>& axes) {
    codegen::sequence<fourier_axis> rest = axes;
    const codegen::sequence<fourier_axis> real_axes =
        request_.what == routine::fft ? codegen::sequence<fourier_axis>() : take_group(request_.what, rest);
    if (request_.what == routine::rfft) transform(request_.what, real_axes);
    while (!rest.empty()) transform(routine::fft, take_group(routine::fft, rest));
    if (request_.what == routine::irfft) transform(request_.what, real_axes);
}

SINTER_INLINE handle record_fourier(const fourier_request& r, const handle& x, std::optional<std::int64_t> n,
                                    int axis) {
    const int a = codegen::normalize_axis(r.operation, axis, x->shape.size());
    const std::int64_t have = x->shape[a];
    return fourier_recorder(r, x).record({{a, n ? *n : r.what == routine::irfft ? 2 * (have - 1) : have}});
}

SINTER_INLINE handle record_fourier(const fourier_request& r, const handle& x, const std::optional<dims>& s,
                                    const std::optional<dims>& given) {
    const int rank = x->shape.size(), count = given ? given->size() : s ? s->size() : rank;
    if (s && s->size() != count)
        throw value_error("[" + std::string(r.operation) + "] as many sizes as axes are needed: " + to_string(*s) +
                          " and " + to_string(*given));
    if (count == 0 && r.what != routine::fft)
        throw value_error("[" + std::string(r.operation) + "] an axis is needed: " + to_string(x->shape));
    codegen::sequence<fourier_axis> axes;
    for (int i = 0; i < count; ++i) {
        const int a = codegen::normalize_axis(r.operation, given ? (*given)[i] : i - count, rank);
        const bool halved = r.what == routine::irfft && i == count - 1 && !s;
        axes.push_back({a, s && (*s)[i] != -1 ? (*s)[i] : halved ? 2 * (x->shape[a] - 1) : x->shape[a]});
    }
    return fourier_recorder(r, x).record(axes);
}

SINTER_INLINE handle record_fftshift(std::string_view operation, const handle& x, const std::optional<dims>& axes,
                                     bool inverse) {
    const int rank = x->shape.size(), count = axes ? axes->size() : rank;
    dims shifts, moved;
    for (int i = 0; i < count; ++i) {
        const int a = codegen::normalize_axis(operation, axes ? (*axes)[i] : i, rank);
        moved.insert(i, a);
        shifts.insert(i, inverse ? -(x->shape[a] / 2) : x->shape[a] / 2);
    }
    return record_rolls(x, shifts, moved);
}

SINTER_INLINE double frequency_step(std::string_view operation, std::int64_t n, double d) {
    const codegen::subnormal_scope exact;
    if (n < 1 || d == 0)
        throw value_error("[" + std::string(operation) +
                          "] wants a positive number of points and a spacing that is not zero: " + std::to_string(n) +
                          " and " + number_text(d));
    return 1 / (static_cast<double>(n) * d);
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_IEEE_END
