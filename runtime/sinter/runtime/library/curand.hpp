// Generators of cuRAND and its tables for Sobol's sequence, looked up when one is made; must not know arrays.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/device/device.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// What an element is drawn as.
enum class curand_draw : std::uint8_t { words, floats, doubles, normals, log_normals, counts };

/// Elements drawn one after the other, in one call or in several: all that moves a generator on in the same way. A
/// word, a float32 or a count takes one step of it, the others what cuRAND makes of them.
struct curand_run {
    enum class what : std::uint8_t { words, doubles, normal_floats, normal_doubles } kind = what::words;
    std::uint64_t count = 0;
    friend bool operator==(const curand_run&, const curand_run&) = default;
};

/// A generator of cuRAND on a device, on the CPU one that writes to host memory. What has been drawn is kept, so that
/// another one can be brought to the same place. Not for several threads at once.
class curand_stream {
public:
    /// A kind and an ordering by cuRAND's numbers, ordering 0 being none set. Throws device_error naming what to
    /// install, or that the kind has no such ordering.
    curand_stream(int kind, int ordering, std::uint64_t seed, device where);
    ~curand_stream();
    curand_stream(const curand_stream&) = delete;
    curand_stream& operator=(const curand_stream&) = delete;

    device where() const { return where_; }

    /// Begins anew as one that is made with this seed.
    void begin(std::uint64_t seed);
    /// New memory with n numbers of float32, float64 or uint32, whose order is that of the generator; normal ones come
    /// in pairs, so that there is one more where n is odd. `a` is the mean, `b` the deviation. One call of the library.
    buffer_ref draw(curand_draw what, bool is_double, std::uint64_t n, double a = 0, double b = 1);
    /// Passes what draws of words would give: at once where cuRAND has an offset and nothing else has been drawn, else
    /// by drawing it.
    void skip(std::uint64_t words);
    /// Draws what another generator of that kind, ordering and seed has drawn; this one must be new.
    void draw_again(const codegen::sequence<curand_run>& drawn);

    /// All that was drawn. Throws value_error after more changes between kinds of draws than are kept.
    const codegen::sequence<curand_run>& drawn() const;

private:
    void create();
    void destroy() noexcept;
    void use_stream();
    void enqueue(curand_draw what, bool is_double, void* to, std::uint64_t n, double a, double b);
    void discard(const curand_run& r);
    void note(curand_run r);

    static constexpr std::size_t most_runs = 65536;
    void* generator_ = nullptr;
    int kind_, ordering_;
    device where_;
    buffer_ref turn_;  ///< orders draws on different streams of a GPU
    codegen::sequence<curand_run> drawn_;
    bool is_too_long_ = false;
};

/// Sobol's direction numbers of cuRAND as fractions of 2^64, the first `rows` of each dimension as rows of
/// `dimensions`, and the numbers that its scrambling begins with. `bits` is 32 or 64.
struct curand_directions {
    codegen::sequence<std::uint64_t> all, first;
};
/// Throws value_error for more dimensions than there are, device_error naming what to install and `why` it is needed.
curand_directions find_curand_directions(bool scrambled, int bits, int rows, std::int64_t dimensions, const char* why);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/curand.ipp>
#endif
