// Bodies of curand.hpp.
#pragma once

#include <algorithm>
#include <istream>
#include <mutex>
#include <ostream>
#include <sinter/array/printing/digits.hpp>
#include <sinter/array/elements.hpp>
#include <sinter/array/operators.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/scalar.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/shape_functions.hpp>
#include <sinter/random/curand.hpp>
#include <sinter/runtime/base/functions.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>
#include <sinter/runtime/library/curand.hpp>
#include <sinter/runtime/library/curand_types.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE int curand_kind_number(random::curand::kind k) {
    using from = random::curand;
    using to = runtime::curand_constants;
    switch (k) {
        case from::xorwow: return to::xorwow;
        case from::mrg32k3a: return to::mrg32k3a;
        case from::mtgp32: return to::mtgp32;
        case from::mt19937: return to::mt19937;
        case from::philox4_32_10: return to::philox4_32_10;
    }
    throw value_error("[curand] no such kind of generator: " + std::to_string(k));
}

SINTER_INLINE int curand_order_number(random::curand::order o) {
    using from = random::curand;
    using to = runtime::curand_constants;
    switch (o) {
        case from::unset: return 0;
        case from::best: return to::best;
        case from::seeded: return to::seeded;
        case from::legacy: return to::legacy;
        case from::dynamic: return to::dynamic;
    }
    throw value_error("[curand] no such ordering: " + std::to_string(o));
}

/// low + x width, rounded once.
template <class T>
const codegen::invocation& curand_scaling() {
    static const codegen::invocation* found = [] {
        auto* d = new codegen::definition;
        const std::string type = std::same_as<T, float> ? "float" : "double";
        d->name = "scaled_unit";
        d->text = "(" + type + " x, " + type + " width, " + type + " low) { return scalar::fma(x, width, low); }";
        d->identity = "sinter::" + d->name + d->text;
        d->cost = 1;
        d->resolved = true;
        auto call = [](const void* const* args, void* const* results) {
            T x, width, low;
            std::memcpy(&x, args[0], sizeof x);
            std::memcpy(&width, args[1], sizeof width);
            std::memcpy(&low, args[2], sizeof low);
            const T r = codegen::scalar::fma(x, width, low);
            std::memcpy(results[0], &r, sizeof r);
        };
        const codegen::sequence<dtype> types = {dtype_of<T>, dtype_of<T>, dtype_of<T>};
        return &runtime::find_invocation({0, d, types, {dtype_of<T>}, false, false, call});
    }();
    return *found;
}

template <class T>
handle record_scaled(const handle& x, double low, double high) {
    recorder& r = fresh_recorder();
    const T from = static_cast<T>(low), to = static_cast<T>(high);
    r.add_input(x);
    r.add_scalar(codegen::scalar_value::of(to - from));
    r.add_scalar(codegen::scalar_value::of(from));
    r.add_invoke({&curand_scaling<T>(), 0});
    return record(r, dtype_of<T>, x->shape);
}

/// One call of the library as an array; `extent` is how many elements it draws.
SINTER_INLINE handle draw_stored(runtime::curand_stream& s, runtime::curand_draw what, dtype type, const dims& shape,
                                 double a = 0, double b = 1) {
    runtime::require_no_step("cuRAND draws");
    runtime::check_shape(type, shape);
    const auto n = static_cast<std::uint64_t>(shape.product());
    std::lock_guard lock(runtime::runtime_lock());
    runtime::buffer_ref memory = s.draw(what, type == dtype::float64, type == dtype::uint64 ? 2 * n : n, a, b);
    return runtime::make_stored(type, shape, std::move(memory), codegen::contiguous(shape));
}

template <class Word>
array<Word> draw_words(runtime::curand_stream& s, std::int64_t n) {
    return array<Word>(draw_stored(s, runtime::curand_draw::words, dtype_of<Word>, dims(n)));
}

/// Words of at most `most`; those that lie above the last whole multiple of most + 1 are replaced by those of further
/// draws, twice as many as are missing and at least 1024.
template <class Word>
array<Word> draw_below(runtime::curand_stream& s, std::int64_t n, std::uint64_t most) {
    array<Word> drawn = draw_words<Word>(s, n);
    const auto wanted = static_cast<Word>(most + 1);
    if ((wanted & static_cast<Word>(wanted - 1)) == 0) return drawn & static_cast<Word>(most);
    const auto last = static_cast<Word>(~Word{0} - static_cast<Word>(-wanted) % wanted);
    array<std::int64_t> missing = flatnonzero(drawn > last);
    while (missing.size() > 0) {
        const array<Word> more = draw_words<Word>(s, std::max<std::int64_t>(2 * missing.size(), 1024));
        const array<Word> fit = more[more <= last];
        const std::int64_t found = std::min(fit.size(), missing.size());
        drawn[array<std::int64_t>(missing(slice(found)))] = fit(slice(found));
        missing = array<std::int64_t>(missing(slice(found, none)));
    }
    return drawn % wanted;
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI::random {

SINTER_INLINE codegen::owner<runtime::curand_stream> curand::begun(kind which, order ordering, std::uint64_t seed,
                                                                   sinter::device where) {
    return codegen::owner(new runtime::curand_stream(detail::curand_kind_number(which),
                                                     detail::curand_order_number(ordering), seed, where));
}

SINTER_INLINE curand::curand(kind which, std::uint64_t seed) : curand(which, seed, curand_options{}) {}
SINTER_INLINE curand::curand(kind which, std::uint64_t seed, const curand_options& o)
    : kind_(which),
      order_(o.ordering),
      seed_(seed),
      stream_(begun(which, o.ordering, seed, runtime::current_device())) {}
SINTER_INLINE curand::curand(const curand_state& s) : curand(s.kind, s.seed, curand_options{s.ordering}) {
    set_state(s);
}
SINTER_INLINE curand::~curand() = default;
SINTER_INLINE curand::curand(curand&&) noexcept = default;
SINTER_INLINE curand& curand::operator=(curand&&) noexcept = default;

SINTER_INLINE runtime::curand_stream& curand::stream() const {
    if (!stream_) throw value_error("[curand] this generator has been moved to another one: assign one to it first");
    return *stream_;
}

SINTER_INLINE sinter::device curand::device() const { return stream().where(); }

SINTER_INLINE curand_state curand::state() const {
    curand_state s{kind_, order_, seed_, {}};
    for (const runtime::curand_run& r : stream().drawn())
        s.drawn.push_back({static_cast<curand_state::draws::what>(r.kind), r.count});
    return s;
}

SINTER_INLINE void curand::set_state(const curand_state& s) {
    codegen::sequence<runtime::curand_run> drawn;
    for (const curand_state::draws& d : s.drawn) {
        if (d.kind > curand_state::draws::what::normal_doubles)
            throw value_error("[set_state] no such kind of draws: " + std::to_string(static_cast<int>(d.kind)));
        drawn.push_back({static_cast<runtime::curand_run::what>(d.kind), d.count});
    }
    runtime::require_no_step("cuRAND draws");
    auto fresh = begun(s.kind, s.ordering, s.seed, device());
    {
        std::lock_guard lock(runtime::runtime_lock());
        fresh->draw_again(drawn);
    }
    kind_ = s.kind;
    order_ = s.ordering;
    seed_ = s.seed;
    stream_ = std::move(fresh);
}

SINTER_INLINE void curand::seed(std::uint64_t value) {
    runtime::require_no_step("cuRAND is seeded");
    std::lock_guard lock(runtime::runtime_lock());
    stream().begin(value);
    seed_ = value;
}

SINTER_INLINE void curand::skip(std::int64_t k) {
    if (k < 0) throw value_error("[skip] the number of words is negative: " + std::to_string(k));
    runtime::require_no_step("cuRAND draws");
    std::lock_guard lock(runtime::runtime_lock());
    stream().skip(static_cast<std::uint64_t>(k));
}

SINTER_INLINE detail::handle curand::unit(dtype type, const dims& shape) {
    auto below_one = [&]<class T>(std::type_identity<T>, runtime::curand_draw what) {
        const array<T> x(detail::draw_stored(stream(), what, type, shape));
        return array<T>(where(x == T(1), T(0), x)).get_handle();
    };
    return type == dtype::float32 ? below_one(std::type_identity<float>(), runtime::curand_draw::floats)
                                  : below_one(std::type_identity<double>(), runtime::curand_draw::doubles);
}

SINTER_INLINE detail::handle curand::scaled(dtype type, double low, double high, const dims& shape) {
    const detail::handle x = unit(type, shape);
    return type == dtype::float32 ? detail::record_scaled<float>(x, low, high)
                                  : detail::record_scaled<double>(x, low, high);
}

SINTER_INLINE detail::handle curand::normal_numbers(bool is_log, dtype type, double mean, double deviation,
                                                    const dims& shape) {
    if (!(deviation >= 0))
        throw value_error(std::string(is_log ? "[lognormal] sigma" : "[normal] scale") +
                          " is negative: " + detail::number_text(deviation));
    return detail::draw_stored(stream(), is_log ? runtime::curand_draw::log_normals : runtime::curand_draw::normals,
                               type, shape, mean, deviation);
}

SINTER_INLINE detail::handle curand::whole_numbers(dtype type, std::uint64_t low, std::uint64_t most,
                                                   const dims& shape) {
    runtime::require_no_step("cuRAND draws");
    const std::int64_t n = shape.product();
    detail::handle above;
    if (most == 0 || n == 0) above = zeros<std::uint32_t>(shape).get_handle();
    else if (most <= ~std::uint32_t{0}) above = detail::draw_below<std::uint32_t>(stream(), n, most).get_handle();
    else above = detail::draw_below<std::uint64_t>(stream(), n, most).get_handle();
    detail::recorder& r = detail::fresh_recorder();
    r.add_input(above);
    r.add_cast(dtype::uint64);
    r.add_scalar(codegen::scalar_value::of(low));
    r.add_op(codegen::op::add);
    r.add_cast(type);
    return detail::record_reshape(detail::record(r, type, above->shape), shape);
}

SINTER_INLINE detail::handle curand::permuted_numbers(std::int64_t n) {
    if (n < 0) throw value_error("[permutation] the number of elements is negative: " + std::to_string(n));
    const array<std::int32_t> words(detail::draw_stored(stream(), runtime::curand_draw::words, dtype::int32, dims(n)));
    return array<std::int64_t>(argsort(words)).get_handle();
}

SINTER_INLINE detail::handle curand::count_numbers(dtype type, double mean, const dims& shape) {
    if (!(mean > 0 && mean <= 400000))
        throw value_error("[poisson] lam is not above 0 and at most 400000: " + detail::number_text(mean));
    return detail::record_cast(detail::draw_stored(stream(), runtime::curand_draw::counts, dtype::uint32, shape, mean),
                               type);
}

SINTER_INLINE detail::handle curand::words(dtype type, const dims& shape) {
    return detail::draw_stored(stream(), runtime::curand_draw::words, type, shape);
}

SINTER_INLINE std::ostream& operator<<(std::ostream& out, const curand_state& s) {
    out << static_cast<int>(s.kind) << ' ' << static_cast<int>(s.ordering) << ' ' << s.seed << ' ' << s.drawn.size();
    for (const curand_state::draws& d : s.drawn) out << ' ' << static_cast<int>(d.kind) << ' ' << d.count;
    return out;
}

SINTER_INLINE std::istream& operator>>(std::istream& in, curand_state& s) {
    auto whole = [&](std::uint64_t most) {
        std::uint64_t n = 0;
        in >> n;
        if (in && n > most) throw value_error("[curand] this is no state of a generator: " + std::to_string(n));
        return n;
    };
    curand_state read;
    read.kind = static_cast<curand::kind>(whole(curand::philox4_32_10));
    read.ordering = static_cast<curand::order>(whole(curand::dynamic));
    read.seed = whole(~std::uint64_t{0});
    for (std::uint64_t left = whole(~std::uint64_t{0}); in && left > 0; --left) {
        const auto kind = static_cast<curand_state::draws::what>(whole(3));
        read.drawn.push_back({kind, whole(~std::uint64_t{0})});
    }
    if (in) s = std::move(read);
    return in;
}

}  // namespace sinter::inline SINTER_ABI::random

SINTER_IEEE_END
