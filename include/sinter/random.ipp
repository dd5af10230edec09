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
    void add_seed() {
        if (r.scalars.empty()) {
            add(from.seed);
            add(from.stream);
        } else {
            r.add_scalar_again(0);
            r.add_scalar_again(1);
        }
    }
    // Replaces a word's number by a uniform number in [0, 1).
    void draw(dtype type) {
        add_seed();
        op(type == dtype::float32 ? op::philox_32 : op::philox_64);
        op(type == dtype::float32 ? op::unit_float : op::unit_double);
    }
    // A word of the element's pair: `which` is bitwise_and for its even element's, bitwise_or for its odd one's.
    void add_word(dtype type, codegen::op which) {
        add_number();
        r.add_literal(dtype::uint64, which == op::bitwise_and ? -2 : 1);
        op(which);
        add_seed();
        op(type == dtype::float32 ? op::philox_32 : op::philox_64);
    }
    // sqrt(-2 log(1 - u)) cos(2π v - parity π/2): even elements are the cosine, odd ones the sine of their pair.
    void add_normal(dtype type) {
        bool single = type == dtype::float32;
        add_word(type, op::bitwise_and);
        op(single ? op::normal_radius_float : op::normal_radius_double);
        add_word(type, op::bitwise_or);
        add_number();
        if (single) r.add_cast(dtype::uint32);
        op(single ? op::normal_cosine_float : op::normal_cosine_double);
        op(op::multiply);
    }
};

SINTER_INLINE handle record_uniform(dtype type, const dims& shape, random_source from) {
    random_words w(shape, from);
    w.add_number();
    w.draw(type);
    return record(w.r, type, shape);
}

SINTER_INLINE handle record_normal(dtype type, const dims& shape, random_source from) {
    random_words w(shape, from);
    w.add_normal(type);
    return record(w.r, type, shape);
}

SINTER_INLINE handle record_integers(dtype type, std::int64_t low, std::uint64_t span, const dims& shape) {
    random_words w(shape, next_source());
    w.add_number();
    w.add_seed();
    w.op(op::philox_64);
    if (span) {
        w.add(span);
        w.op(op::remainder);
    }
    w.add(static_cast<std::uint64_t>(low));
    w.op(op::add);
    w.r.add_cast(dtype::int64);
    w.r.add_cast(type);
    return record(w.r, type, shape);
}

}  // namespace sinter::inline SINTER_ABI::detail

namespace sinter::inline SINTER_ABI::random {

SINTER_INLINE void seed(std::uint64_t value) { detail::this_generator() = {value}; }

}  // namespace sinter::inline SINTER_ABI::random
