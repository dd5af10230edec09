// Generators of cuRAND, for numbers equal to those of other programs; each draw is one call of the library.
#pragma once

#include <iosfwd>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/random/draws.hpp>

namespace sinter::inline SINTER_ABI::runtime {
class curand_stream;
}

namespace sinter::inline SINTER_ABI::random {

struct curand_state;
struct curand_options;

/// A generator of NVIDIA's cuRAND (cupy.random.RandomState(seed, method)), for the numbers of other programs that use
/// it, by sinter's own rules: `random::curand g(random::curand::xorwow, 0); g.normal(5, 2, {4})`. It lives on the
/// device that was current when it was made and so do its arrays; on a CPU cuRAND runs on the host and needs no GPU.
/// Bits, uniform numbers, integers and counts are the same there; normal numbers differ by at most 4e-15 in double and
/// 3e-6 in float, those of MTGP32 in double by more. Each draw is one call of the library at once, in the order of the
/// program, and what it gives is stored; inside of a step of a `graph` it throws value_error. Not for several threads
/// at once.
///
/// The library is looked up when a generator is made: libcurand.so.10, of the packages nvidia-curand (PyPI) or
/// libcurand10 (Debian, Ubuntu). Throws device_error where it is not found. See cuRAND's manual, "Generator Types":
/// https://docs.nvidia.com/cuda/curand/host-api-overview.html. On a CPU the first draw of MRG32K3A takes a second, of
/// MT19937 several.
class curand {
public:
    enum kind : std::uint8_t { xorwow, mrg32k3a, mtgp32, mt19937, philox4_32_10 };
    /// How results are ordered in memory; `unset` is what cuRAND begins with. Not every kind has each, nor a CPU.
    enum order : std::uint8_t { unset, best, seeded, legacy, dynamic };

    explicit curand(kind which = xorwow, std::uint64_t seed = 0);
    curand(kind which, std::uint64_t seed, const curand_options& o);
    /// One that goes on as the other one would; draws what that has drawn, unless these were words only.
    explicit curand(const curand_state& s);
    ~curand();
    curand(curand&&) noexcept;
    curand& operator=(curand&&) noexcept;

    /// Begins anew with another seed (cupy.random.RandomState.seed).
    void seed(std::uint64_t value);
    /// Kind, ordering, seed and all that was drawn, to save and restore. Throws value_error after more than 65,536
    /// changes between kinds of draws.
    curand_state state() const;
    void set_state(const curand_state& s);
    /// The device that it draws on.
    sinter::device device() const;

    /// Uniform numbers in [0, 1), double or float: cuRAND's, which lie in (0, 1], with 0 for 1
    /// (cupy.random.random_sample; numpy.random.Generator.random).
    template <class T = double>
    array<T> random(const detail::draw_shape& size = {}) {
        require_real<T>();
        return array<T>(unit(dtype_of<T>, size.with("random", {})));
    }
    /// low + x (high - low), rounded once, of such a number x; double or float, of numbers (cupy.random.uniform).
    template <class T = double, detail::draw_operand A = detail::default_parameter,
              detail::draw_operand B = detail::default_parameter>
    array<T> uniform(const A& low = default_of(0), const B& high = default_of(1), const detail::draw_shape& size = {}) {
        require_real<T>();
        return array<T>(scaled(dtype_of<T>, number(low), number(high), size.with("uniform", {})));
    }
    /// Normal numbers of mean loc and deviation scale, double or float, of numbers. Of an odd size one more is drawn
    /// (cupy.random.normal). Throws value_error for a negative scale.
    template <class T = double, detail::draw_operand A = detail::default_parameter,
              detail::draw_operand B = detail::default_parameter>
    array<T> normal(const A& loc = default_of(0), const B& scale = default_of(1), const detail::draw_shape& size = {}) {
        require_real<T>();
        return array<T>(normal_numbers(false, dtype_of<T>, number(loc), number(scale), size.with("normal", {})));
    }
    /// The exponentials of such (cupy.random.lognormal).
    template <class T = double, detail::draw_operand A = detail::default_parameter,
              detail::draw_operand B = detail::default_parameter>
    array<T> lognormal(const A& mean = default_of(0), const B& sigma = default_of(1),
                       const detail::draw_shape& size = {}) {
        require_real<T>();
        return array<T>(normal_numbers(true, dtype_of<T>, number(mean), number(sigma), size.with("lognormal", {})));
    }
    /// Integers in [low, high), or [0, high), int64 unless T is given: words, or pairs of words for ranges above 2^32,
    /// masked where the range is a power of two, else the remainders of those that lie below its last whole multiple,
    /// others being replaced by what is drawn next (cupy.random.randint). Throws value_error when the range is empty or
    /// does not fit.
    template <class T = std::int64_t, std::integral A, std::integral B>
    array<T> integers(A low, B high, const detail::draw_shape& size = {}) {
        detail::require_drawn<T, std::int64_t>();
        if (!std::cmp_less(low, high)) detail::throw_empty_range("integers", std::to_string(low), std::to_string(high));
        if (!std::in_range<T>(low)) detail::throw_does_not_fit("integers", std::to_string(low), dtype_of<T>);
        if (high > 0 && std::cmp_greater(high - 1, std::numeric_limits<T>::max()))
            detail::throw_does_not_fit("integers", std::to_string(high), dtype_of<T>);
        return array<T>(whole_numbers(dtype_of<T>, static_cast<std::uint64_t>(low),
                                      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) - 1,
                                      size.with("integers", {})));
    }
    template <class T = std::int64_t, std::integral B>
    array<T> integers(B high, const detail::draw_shape& size = {}) {
        return integers<T>(B(0), high, size);
    }
    /// The numbers below n, or the elements of an axis, in random order: as int32 words sort (cupy.random.permutation).
    template <std::integral N>
    array<std::int64_t> permutation(N n) {
        return array<std::int64_t>(permuted_numbers(static_cast<std::int64_t>(n)));
    }
    template <expression E>
    auto permutation(const E& e, std::int64_t axis = 0) {
        const int a = codegen::normalize_axis("permutation", axis, e.ndim());
        return take(e, permutation(e.shape()[a]), a);
    }
    /// Counts with this mean, int64 unless T is given (curandGeneratePoisson). Throws value_error unless it is above 0
    /// and at most 400,000, the most that cuRAND takes.
    template <class T = std::int64_t, detail::draw_operand A = detail::default_parameter>
    array<T> poisson(const A& lam = default_of(1), const detail::draw_shape& size = {}) {
        detail::require_drawn<T, std::int64_t>();
        return array<T>(count_numbers(dtype_of<T>, number(lam), size.with("poisson", {})));
    }
    /// The words themselves, uint32, or uint64 of two words each, the first being the lower.
    template <class T = std::uint32_t>
    array<T> bits(const detail::draw_shape& size = {}) {
        static_assert(std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>,
                      "sinter: bits are uint32 or uint64");
        return array<T>(words(dtype_of<T>, size.with("bits", {})));
    }
    /// Passes k words of 32 bits, as if bits<std::uint32_t>({k}) were drawn: at once where the kind has an offset and
    /// nothing but words was drawn, else by drawing them. Throws value_error when k is negative.
    void skip(std::int64_t k);

private:
    static constexpr detail::default_parameter default_of(int n) {
        return {detail::default_parameter::tag::of_table, n};
    }
    template <class A>
    static double number(const A& a) {
        static_assert(!expression<A>, "sinter: cuRAND's parameters are numbers, not arrays");
        return detail::make_draw_parameter(a).number;
    }
    template <class T>
    static constexpr void require_real() {
        static_assert(std::same_as<T, float> || std::same_as<T, double>, "sinter: cuRAND draws float or double");
    }

    detail::handle unit(dtype type, const dims& shape);
    detail::handle scaled(dtype type, double low, double high, const dims& shape);
    detail::handle normal_numbers(bool is_log, dtype type, double mean, double deviation, const dims& shape);
    detail::handle whole_numbers(dtype type, std::uint64_t low, std::uint64_t most, const dims& shape);
    detail::handle permuted_numbers(std::int64_t n);
    detail::handle count_numbers(dtype type, double mean, const dims& shape);
    detail::handle words(dtype type, const dims& shape);
    static codegen::owner<runtime::curand_stream> begun(kind which, order ordering, std::uint64_t seed,
                                                        sinter::device where);

    kind kind_;
    order order_ = unset;
    std::uint64_t seed_ = 0;
    /// What it draws from; throws value_error where that has been moved to another generator.
    runtime::curand_stream& stream() const;
    codegen::owner<runtime::curand_stream> stream_;
};

/// `{.ordering = random::curand::legacy}`; see cuRAND's manual, curandSetGeneratorOrdering.
struct curand_options {
    curand::order ordering = curand::unset;
};

/// What a generator of cuRAND is made of; all that it will draw follows from it.
struct curand_state {
    curand::kind kind = curand::xorwow;
    curand::order ordering = curand::unset;
    std::uint64_t seed = 0;
    /// Elements in the order in which they were drawn: as `words`, also floats, integers and counts, or otherwise.
    struct draws {
        enum class what : std::uint8_t { words, doubles, normal_floats, normal_doubles } kind = what::words;
        std::uint64_t count = 0;
        friend bool operator==(const draws&, const draws&) = default;
    };
    std::vector<draws> drawn = {};
    friend bool operator==(const curand_state&, const curand_state&) = default;
};

/// Writes and reads a state as numbers, and throws value_error when it reads others than those of a state.
std::ostream& operator<<(std::ostream& out, const curand_state& s);
std::istream& operator>>(std::istream& in, curand_state& s);

}  // namespace sinter::inline SINTER_ABI::random

#if SINTER_HEADER_ONLY
#include <sinter/random/curand.ipp>
#endif
