// Random numbers as a pure function of seed, stream and element (Philox4x32-10), computed inside the consumer's kernel.
#pragma once

#include <iosfwd>
#include <sinter/random/draws.hpp>
#include <sinter/random/multivariate_normal.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/random/sobol.hpp>
#include <sinter/random/vector_draws.hpp>

namespace sinter::inline SINTER_ABI::random {

/// Probabilities of elements. Numbers in braces or in memory of the host are not negative and sum up to 1, up to the
/// root of their type's epsilon; value_error, as NumPy. An array's elements are not looked at, which would read them:
/// they are divided by their sum, as numbers are.
class probabilities {
public:
    /// All alike.
    probabilities() = default;
    probabilities(std::initializer_list<double> p) : value_(detail::store_probabilities(p, false)) {}
    template <class R>
        requires(!expression<R> &&
                 std::is_arithmetic_v<std::remove_cvref_t<decltype(*std::begin(std::declval<const R&>()))>>)
    probabilities(const R& p)
        : value_(detail::store_probabilities({std::begin(p), std::end(p)},
                                             std::is_same_v<std::remove_cvref_t<decltype(*std::begin(p))>, float>)) {}
    template <expression E>
    probabilities(const E& p) : value_(array<double>(p).get_handle()) {}
    /// Empty where all are alike.
    const detail::handle& get_handle() const { return value_; }

private:
    detail::handle value_;
};

/// Options of choice: whether an element may be chosen again, the elements' probabilities, and the axis of an array
/// along which its parts are chosen.
struct choice_options {
    bool replace = true;
    probabilities p = {};
    std::int64_t axis = 0;
};

/// What a generator is made of; all that it will draw follows from it.
struct generator_state {
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;   ///< of the next draw, below 2^48
    std::uint64_t spawned = 0;  ///< generators so far
    friend bool operator==(const generator_state&, const generator_state&) = default;
};

// Rows of distributions.def as functions that draw from SINTER_SOURCE(how many streams).
#define SINTER_DISTRIBUTION(parameters, type, name, ...) SINTER_DRAW_##parameters(type, name __VA_OPT__(, ) __VA_ARGS__)
#define SINTER_DRAW(type, name, ...)                                                            \
    return detail::draw<T, type>(detail::named<detail::distribution::name>(),                   \
                                 SINTER_SOURCE(detail::streams_of(detail::distribution::name)), \
                                 size __VA_OPT__(, ) __VA_ARGS__)
#define SINTER_DRAW_0(type, name)                        \
    template <class T = type>                            \
    array<T> name(const detail::draw_shape& size = {}) { \
        SINTER_DRAW(type, name);                         \
    }
#define SINTER_DRAW_1(type, name, a, da)                                           \
    template <class T = type, detail::draw_operand A = detail::default_parameter>  \
    array<T> name(const A& a SINTER_OR(da), const detail::draw_shape& size = {}) { \
        SINTER_DRAW(type, name, a);                                                \
    }                                                                              \
    SINTER_REFUSED_DRAW(type, name, #a)
#define SINTER_DRAW_2(type, name, a, da, b, db)                                                              \
    template <class T = type, detail::draw_operand A = detail::default_parameter,                            \
              detail::draw_operand B = detail::default_parameter>                                            \
    array<T> name(const A& a SINTER_OR(da), const B& b SINTER_OR(db), const detail::draw_shape& size = {}) { \
        SINTER_DRAW(type, name, a, b);                                                                       \
    }                                                                                                        \
    SINTER_REFUSED_DRAW(type, name, #a ", " #b)
#define SINTER_DRAW_3(type, name, a, da, b, db, c, dc)                                                                \
    template <class T = type, detail::draw_operand A = detail::default_parameter,                                     \
              detail::draw_operand B = detail::default_parameter, detail::draw_operand C = detail::default_parameter> \
    array<T> name(const A& a SINTER_OR(da), const B& b SINTER_OR(db), const C& c SINTER_OR(dc),                       \
                  const detail::draw_shape& size = {}) {                                                              \
        SINTER_DRAW(type, name, a, b, c);                                                                             \
    }                                                                                                                 \
    SINTER_REFUSED_DRAW(type, name, #a ", " #b ", " #c)
#define SINTER_OR(...) __VA_OPT__(= detail::default_parameter(detail::default_parameter::tag::of_table, __VA_ARGS__))
// What no other function of a name takes, above all a size in braces where a parameter stands.
#define SINTER_REFUSED_DRAW(type, name, parameters)                                                                    \
    template <class T = type>                                                                                          \
    array<T> name(const detail::anything&, const detail::anything& = {}, const detail::anything& = {},                 \
                  const detail::anything& = {}) {                                                                      \
        static_assert(sizeof(T) == 0, "sinter: the size goes into the last argument, in braces: " #name "(" parameters \
                                      ", {3}); what stands before it are numbers or arrays");                          \
        return {};                                                                                                     \
    }

/// A source of random numbers (numpy.random.Generator). Each call draws from a stream of its own, so that what is drawn
/// does not depend on when, where and beside what it is computed. A copy draws the same numbers. Not for several
/// threads at once.
///
/// A word is Philox4x32-10 under the seed as key. Its counter's lower 64 bits are the element's number, divided by the
/// words of a block where an element takes one word; the upper 64 bits are the stream, with the number of the element's
/// block in the highest 16 of them for distributions that reject. All distributions have the same bits on every
/// backend.
///
/// Distributions take numbers or arrays, which broadcast, and give double or, as in `normal<float>(0, 1, {n})`, float,
/// which half and bfloat16 round; counts are int64. Without a size the parameters' shape is the result's; a size in a
/// parameter's place does not compile. Numbers that are no parameters of the distribution throw value_error; where an
/// array holds such the result is NaN, or -1 for counts.
class generator {
public:
    /// Seeded by the system's entropy (numpy.random.default_rng()).
    generator();
    explicit generator(std::uint64_t seed) : state_{seed} {}
    explicit generator(const generator_state& s) { set_state(s); }

    /// To save and restore; set_state throws value_error for a stream that no generator reaches.
    const generator_state& state() const { return state_; }
    void set_state(const generator_state& s);
    /// Generators that draw other numbers than this one and each other (numpy.random.Generator.spawn).
    std::vector<generator> spawn(std::int64_t n);
    friend bool operator==(const generator&, const generator&) = default;

#define SINTER_SOURCE(streams) next(streams)
#include <sinter/random/distributions.def>
#undef SINTER_SOURCE

    /// Uniform numbers in [0, 1): of float 24 bits, of double 53, of half 11 and of bfloat16 8.
    template <class T = double>
    array<T> random(const detail::draw_shape& size = {}) {
        detail::require_drawn<T, double>();
        return array<T>(detail::record_uniform(dtype_of<T>, size.with("random", {}), next(1)));
    }
    /// random and standard_normal with the sizes as arguments (numpy.random.rand, randn).
    template <class T = double, std::integral... N>
    array<T> rand(N... n) {
        return random<T>(detail::draw_shape(dims(n...)).with("rand", {}));
    }
    template <class T = double, std::integral... N>
    array<T> randn(N... n) {
        return standard_normal<T>(detail::draw_shape(dims(n...)).with("randn", {}));
    }

    /// Vectors of N normal numbers with this mean, (N,), and covariance, (N, N): shape size + (N,)
    /// (numpy.random.Generator.multivariate_normal). Methods: "svd" and "eigh" take any positive semidefinite
    /// covariance, multiply by its symmetric root and read it, "cholesky" reads nothing and throws linalg_error where
    /// the numbers are read unless it is positive definite. Throws value_error when it is not semidefinite;
    /// shape_error. The bits are those of standard_normal up to the rounding of the products.
    template <class T = double, expression M, expression C>
    array<T> multivariate_normal(const M& mean, const C& cov, const detail::draw_shape& size = {},
                                 const multivariate_normal_options& o = {}) {
        return detail::draw_multivariate_normal<T>(mean, cov, size, o, next(1));
    }

    /// Vectors of shares that sum up to one, of weights alpha in a vector (numpy.random.Generator.dirichlet): shape
    /// size + (k,); NaN where a weight is negative. Throws shape_error unless alpha is a vector.
    template <class T = double, expression A>
    array<T> dirichlet(const A& alpha, const detail::draw_shape& size = {}) {
        detail::require_drawn<T, double>();
        return array<T>(
            detail::record_cast(detail::record_dirichlet(detail::as_handle(alpha), size, next(2)), dtype_of<T>));
    }
    /// How often each of k things happens in n trials, a number or an array, with probabilities along the last axis of
    /// pvals, of which the last one is what the others leave (numpy.random.Generator.multinomial): int64 of shape size
    /// + (k,), by k - 1 binomial draws; what is beyond a sum of one counts for nothing, and negative ones
    /// give -1. Throws value_error for a negative n, shape_error.
    template <detail::operand N, expression P>
    array<std::int64_t> multinomial(const N& n, const P& pvals, const detail::draw_shape& size = {}) {
        return array<std::int64_t>(
            detail::record_multinomial(detail::make_draw_parameter(n), detail::as_handle(pvals), size,
                                       next(detail::streams_of_vector("multinomial", pvals.shape()))));
    }
    /// How many of each colour are among nsample that are drawn without replacement
    /// (numpy.random.Generator.multivariate_hypergeometric): int64 of shape size + (k,), by k - 1 hypergeometric draws;
    /// -1 where there are too few, 2e9 or more, or one is negative. Throws value_error for a negative nsample,
    /// shape_error.
    template <expression C>
    array<std::int64_t> multivariate_hypergeometric(const C& colors, std::int64_t nsample,
                                                    const detail::draw_shape& size = {}) {
        return array<std::int64_t>(detail::record_multivariate_hypergeometric(
            detail::as_handle(colors), nsample, size,
            next(detail::streams_of_vector("multivariate_hypergeometric", colors.shape()))));
    }

    /// Integers in [low, high), or [0, high), or with {.endpoint = true} up to high itself, each as likely as any other
    /// up to a part of 2^-32 of its probability; int64 unless T is given. Throws value_error when the range is empty or
    /// does not fit; where arrays hold an empty range the result is low.
    template <class T = std::int64_t, detail::operand A, detail::operand B>
    array<T> integers(const A& low, const B& high, const detail::draw_shape& size = {}, integers_options o = {}) {
        return detail::draw_integers<T>("integers", low, high, size, next(1), o);
    }
    template <class T = std::int64_t, detail::operand B>
    array<T> integers(const B& high, const detail::draw_shape& size = {}, integers_options o = {}) {
        return detail::draw_integers<T>("integers", 0, high, size, next(1), o);
    }
    /// integers under NumPy's older name (numpy.random.randint).
    template <class T = std::int64_t, detail::operand A, detail::operand B>
    array<T> randint(const A& low, const B& high, const detail::draw_shape& size = {}) {
        return detail::draw_integers<T>("randint", low, high, size, next(1));
    }
    SINTER_REFUSED_DRAW(std::int64_t, integers, "low, high")
    SINTER_REFUSED_DRAW(std::int64_t, randint, "low, high")

    /// The numbers below n, or the elements of an axis, in random order (numpy.random.Generator.permutation).
    template <std::integral N>
    array<std::int64_t> permutation(N n) {
        return array<std::int64_t>(detail::record_permutation(static_cast<std::int64_t>(n), next(1)));
    }
    template <expression E>
    auto permutation(const E& e, std::int64_t axis = 0) {
        return reordered("permutation", e, axis);
    }
    /// The elements along an axis, or all of them, in random order, each slice in its own
    /// (numpy.random.Generator.permuted).
    template <expression E>
    auto permuted(const E& e, std::int64_t axis) {
        const int a = codegen::normalize_axis("permuted", axis, e.ndim());
        return array<value_type_t<E>>(detail::record_permuted(detail::as_handle(e), a, next(1)));
    }
    template <expression E>
    auto permuted(const E& e) {
        return array<value_type_t<E>>(reshape(permuted(ravel(e), 0), e.shape()));
    }
    /// Puts the elements of an axis in random order (numpy.random.Generator.shuffle).
    template <class T>
    void shuffle(array<T>& a, std::int64_t axis = 0) {
        a = reordered("shuffle", a, axis);
    }

    /// Numbers below n, or parts of an array along an axis (numpy.random.Generator.choice). Throws value_error when
    /// there are too few of them, or another number of probabilities, and for what these are; see probabilities.
    template <std::integral N>
    array<std::int64_t> choice(N n, const detail::draw_shape& size = {}, const choice_options& o = {}) {
        return array<std::int64_t>(choose(static_cast<std::int64_t>(n), size, o));
    }
    template <expression E>
    auto choice(const E& e, const detail::draw_shape& size = {}, const choice_options& o = {}) {
        const int axis = codegen::normalize_axis("choice", o.axis, e.ndim());
        return take(e, choice(e.shape()[axis], size, o), axis);
    }
    SINTER_REFUSED_DRAW(std::int64_t, choice, "n")

    /// Points of Sobol's sequence, as random::sobol gives them: they follow from no seed, and nothing is drawn for
    /// them.
    template <class T = double>
    array<T> sobol(std::int64_t n, std::int64_t dimensions, std::int64_t first = 0) const {
        return random::sobol<T>(n, dimensions, first);
    }
    template <class T = double>
    array<T> sobol(std::int64_t n, std::int64_t dimensions, const sobol_options& o) const {
        return random::sobol<T>(n, dimensions, o);
    }

    /// Random bytes in host memory (numpy.random.Generator.bytes).
    std::vector<std::byte> bytes(std::int64_t n);

    /// The streams that the next call draws from.
    detail::random_source next(std::uint64_t streams) {
        detail::random_source s{state_.seed, state_.stream};
        state_.stream += streams;
        return s;
    }

private:
    detail::handle choose(std::int64_t n, const detail::draw_shape& size, const choice_options& o) {
        return detail::record_choice(n, size.with("choice", {}), o.replace, o.p.get_handle(), next(1));
    }
    template <expression E>
    auto reordered(std::string_view operation, const E& e, std::int64_t axis) {
        const int a = codegen::normalize_axis(operation, axis, e.ndim());
        return take(e, permutation(e.shape()[a]), a);
    }

    generator_state state_;
};

/// Writes and reads a generator's state as three numbers.
template <class Character, class Traits>
std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out, const generator& g) {
    const generator_state& s = g.state();
    return out << s.seed << Character(' ') << s.stream << Character(' ') << s.spawned;
}
template <class Character, class Traits>
std::basic_istream<Character, Traits>& operator>>(std::basic_istream<Character, Traits>& in, generator& g) {
    generator_state s;
    if (in >> s.seed >> s.stream >> s.spawned) g.set_state(s);
    return in;
}

/// The generator that the functions below draw from: this thread's, seeded by SINTER_SEED or else the system's entropy.
generator& default_generator();
/// Seeds it and starts its streams anew.
void seed(std::uint64_t value);

// The members of generator as functions of the default one.
#define SINTER_SOURCE(streams) default_generator().next(streams)
#include <sinter/random/distributions.def>
#undef SINTER_SOURCE
#undef SINTER_DISTRIBUTION
#undef SINTER_DRAW
#undef SINTER_DRAW_0
#undef SINTER_DRAW_1
#undef SINTER_DRAW_2
#undef SINTER_DRAW_3
#undef SINTER_OR

/// Numbers in [0, 1) (numpy.random.random).
template <class T = double>
array<T> random(const detail::draw_shape& size = {}) {
    return default_generator().random<T>(size);
}
/// Numbers in [0, 1) with the sizes as arguments (numpy.random.rand).
template <class T = double, std::integral... N>
array<T> rand(N... n) {
    return default_generator().rand<T>(n...);
}
/// Standard normal numbers with the sizes as arguments (numpy.random.randn).
template <class T = double, std::integral... N>
array<T> randn(N... n) {
    return default_generator().randn<T>(n...);
}
/// Whole numbers in [low, high) (numpy.random.Generator.integers).
template <class T = std::int64_t, detail::operand A, detail::operand B>
array<T> integers(const A& low, const B& high, const detail::draw_shape& size = {}, integers_options o = {}) {
    return default_generator().integers<T>(low, high, size, o);
}
/// Whole numbers in [0, high) (numpy.random.Generator.integers).
template <class T = std::int64_t, detail::operand B>
array<T> integers(const B& high, const detail::draw_shape& size = {}, integers_options o = {}) {
    return default_generator().integers<T>(high, size, o);
}
/// Whole numbers in [low, high) (numpy.random.randint).
template <class T = std::int64_t, detail::operand A, detail::operand B>
array<T> randint(const A& low, const B& high, const detail::draw_shape& size = {}) {
    return default_generator().integers<T>(low, high, size);
}
/// Vectors of correlated normal numbers (numpy.random.Generator.multivariate_normal).
template <class T = double, expression M, expression C>
array<T> multivariate_normal(const M& mean, const C& cov, const detail::draw_shape& size = {},
                             const multivariate_normal_options& o = {}) {
    return default_generator().multivariate_normal<T>(mean, cov, size, o);
}
SINTER_REFUSED_DRAW(std::int64_t, integers, "low, high")
SINTER_REFUSED_DRAW(std::int64_t, randint, "low, high")
/// 0 to n - 1 in random order (numpy.random.Generator.permutation).
template <std::integral N>
array<std::int64_t> permutation(N n) {
    return default_generator().permutation(n);
}
template <expression E>
auto permutation(const E& e, std::int64_t axis = 0) {
    return default_generator().permutation(e, axis);
}
/// Each line along an axis in a random order of its own (numpy.random.Generator.permuted).
template <expression E>
auto permuted(const E& e, std::int64_t axis) {
    return default_generator().permuted(e, axis);
}
template <expression E>
auto permuted(const E& e) {
    return default_generator().permuted(e);
}
/// Shares that sum to 1 (numpy.random.Generator.dirichlet).
template <class T = double, expression A>
array<T> dirichlet(const A& alpha, const detail::draw_shape& size = {}) {
    return default_generator().dirichlet<T>(alpha, size);
}
/// How often each of several outcomes occurs (numpy.random.Generator.multinomial).
template <detail::operand N, expression P>
array<std::int64_t> multinomial(const N& n, const P& pvals, const detail::draw_shape& size = {}) {
    return default_generator().multinomial(n, pvals, size);
}
/// How many of each colour are drawn (numpy.random.Generator.multivariate_hypergeometric).
template <expression C>
array<std::int64_t> multivariate_hypergeometric(const C& colors, std::int64_t nsample,
                                                const detail::draw_shape& size = {}) {
    return default_generator().multivariate_hypergeometric(colors, nsample, size);
}
/// Puts the slices along an axis in random order (numpy.random.Generator.shuffle).
template <class T>
void shuffle(array<T>& a, std::int64_t axis = 0) {
    default_generator().shuffle(a, axis);
}
/// Numbers below n, with or without repetition (numpy.random.Generator.choice).
template <std::integral N>
array<std::int64_t> choice(N n, const detail::draw_shape& size = {}, const choice_options& o = {}) {
    return default_generator().choice(n, size, o);
}
template <expression E>
auto choice(const E& e, const detail::draw_shape& size = {}, const choice_options& o = {}) {
    return default_generator().choice(e, size, o);
}
SINTER_REFUSED_DRAW(std::int64_t, choice, "n")
/// Random bytes (numpy.random.Generator.bytes).
inline std::vector<std::byte> bytes(std::int64_t n) { return default_generator().bytes(n); }
#undef SINTER_REFUSED_DRAW

}  // namespace sinter::inline SINTER_ABI::random

#if SINTER_HEADER_ONLY
#include <sinter/random/random.ipp>
#endif
