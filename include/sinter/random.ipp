// Bodies of random.hpp.
#pragma once

#include <sinter/random.hpp>
#include <sinter/runtime/environment.hpp>

#include <sys/random.h>

namespace sinter::inline SINTER_ABI::detail {

struct default_generator {
    std::uint64_t seed;
    std::uint64_t next_stream = 0;
};

SINTER_INLINE default_generator& this_generator() {
    static thread_local default_generator g = [] {
        std::uint64_t s = 0;
        if (runtime::env().seed) s = *runtime::env().seed;
        else if (::getrandom(&s, sizeof s, 0) != sizeof s) s = reinterpret_cast<std::uintptr_t>(&s);
        return default_generator{s};
    }();
    return g;
}

SINTER_INLINE random_source next_source() {
    default_generator& g = this_generator();
    return {g.seed, g.next_stream++};
}

/// Builds one statement from operations on the element's own number.
struct random_words {
    recorder r;
    random_source from;
    handle number;

    random_words(const dims& shape, random_source source) : from(source), number(record_index(shape)) {}
    void add_number() {
        r.add_input(number);
        r.add_cast(dtype::uint64);
    }
    template <class T>
    void add(T v) {
        r.add_scalar(codegen::scalar_value::of(v));
    }
    void op(codegen::op o) { r.add_op(o); }
    // Replaces a word's number by a uniform number in [0, 1).
    void draw(dtype type) {
        add(from.seed);
        add(from.stream);
        op(type == dtype::float32 ? op::philox_32 : op::philox_64);
        op(type == dtype::float32 ? op::unit_float : op::unit_double);
    }
    // The uniform number of the first or second word of a pair of elements.
    void draw_of_pair(dtype type, bool second) {
        add_number();
        second ? add(std::uint64_t{1}) : add(std::uint64_t{~1ull});
        op(second ? op::bitwise_or : op::bitwise_and);
        draw(type);
    }
    // sqrt(-2 log(1 - u)) cos(2π v - parity π/2): even elements are the cosine, odd ones the sine of their pair.
    template <class T, class First, class Second>
    void normal(dtype type, First draw_first, Second draw_second) {
        draw_first();
        op(op::negative);
        op(op::log1p);
        add(T(-2));
        op(op::multiply);
        op(op::sqrt);
        draw_second();
        add(T(6.283185307179586476925));
        op(op::multiply);
        add_number();
        add(std::uint64_t{1});
        op(op::bitwise_and);
        r.add_cast(type);
        add(T(1.570796326794896619231));
        op(op::multiply);
        op(op::subtract);
        op(op::cos);
        op(op::multiply);
    }
};

SINTER_INLINE handle record_uniform(dtype type, const dims& shape, random_source from) {
    random_words w(shape, from);
    w.add_number();
    w.draw(type);
    return record(std::move(w.r), type, shape);
}

// Both 32-bit words of each element's pair, in one word: Philox is the costly part of a normal number.
SINTER_INLINE handle record_pairs(const dims& shape, random_source from) {
    random_words w(shape, from);
    w.add_number();
    w.add(std::uint64_t{1});
    w.op(op::right_shift);
    w.add(from.seed);
    w.add(from.stream);
    w.op(op::philox_64);
    return record(std::move(w.r), dtype::uint64, shape);
}

SINTER_INLINE handle record_normal(dtype type, const dims& shape, random_source from) {
    random_words w(shape, from);
    if (type != dtype::float32) {
        w.normal<double>(type, [&] { w.draw_of_pair(type, false); }, [&] { w.draw_of_pair(type, true); });
        return record(std::move(w.r), type, shape);
    }
    handle pairs = record_pairs(shape, from);
    auto word = [&](bool second) {
        w.r.add_input(pairs);
        if (second) w.add(std::uint64_t{32}), w.op(op::right_shift);
        w.r.add_cast(dtype::uint32);
        w.op(op::unit_float);
    };
    w.normal<float>(type, [&] { word(false); }, [&] { word(true); });
    return record(std::move(w.r), type, shape);
}

SINTER_INLINE handle record_integers(dtype type, std::int64_t low, std::uint64_t span, const dims& shape) {
    random_words w(shape, next_source());
    w.add_number();
    w.add(w.from.seed);
    w.add(w.from.stream);
    w.op(op::philox_64);
    if (span) {
        w.add(span);
        w.op(op::remainder);
    }
    w.add(static_cast<std::uint64_t>(low));
    w.op(op::add);
    w.r.add_cast(dtype::int64);
    w.r.add_cast(type);
    return record(std::move(w.r), type, shape);
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI::random {

SINTER_INLINE void seed(std::uint64_t value) { detail::this_generator() = {value}; }

}  // namespace sinter::inline SINTER_ABI::random
