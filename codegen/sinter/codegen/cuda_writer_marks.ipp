// Bodies of cuda_writer.hpp by which thread blocks of scans wait for each other.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// How thread blocks wait for each other. A word holds half a value and the mark that it is there, so that neither fences nor
// 16-byte atomics are needed: words are zeroed before the launch, written once, and read until all marks are there.
inline constexpr const char* marks_text = R"(
// Writes a value for other thread blocks.
template <class T> static __device__ inline void publish(unsigned long long* at, T value) {
    union { T whole; unsigned half[(sizeof(T) + 3) / 4]; } u;
    u.half[0] = 0;
    u.whole = value;
    #pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i) ((volatile unsigned long long*)at)[i] = 1ull << 32 | u.half[i];
}
// Reads such a value; false when it is not there yet.
template <class T> static __device__ inline bool received(const unsigned long long* at, T& value) {
    union { T whole; unsigned half[(sizeof(T) + 3) / 4]; } u;
    bool all = true;
    #pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i) {
        const unsigned long long word = ((const volatile unsigned long long*)at)[i];
        u.half[i] = (unsigned)word;
        all = all && word >> 32 != 0;
    }
    if (all) value = u.whole;
    return all;
}
)";

inline constexpr const char* lanes_text = R"(
// The value of the lane that is `h` lanes before, and of one lane for all.
template <class T> static __device__ inline T from_before(T x, int h) { return (T)__shfl_up_sync(0xffffffffu, x, h); }
template <class T> static __device__ inline T from(T x, int lane) { return (T)__shfl_sync(0xffffffffu, x, lane); }
)";

inline constexpr const char* complex_lanes_text =
    R"(template <class T> static __device__ inline complex<T> from_before(complex<T> x, int h) {
    return {from_before(x.re, h), from_before(x.im, h)};
}
template <class T> static __device__ inline complex<T> from(complex<T> x, int lane) {
    return {from(x.re, lane), from(x.im, lane)};
}
)";

// The prefixes of a warp's values, each lane's own included.
inline constexpr const char* tree_text = R"(
static __device__ inline @ tree$(@ x, int lane) {
    #pragma unroll
    for (int h = 1; h < 32; h *= 2) {
        @ y = from_before(x, h);
        join$(y, x);
        if (lane >= h) x = y;
    }
    return x;
})";

// A warp waits for the tiles before its own in their group at once, and for the groups before: from the nearest one whose
// prefix is there the totals are joined from the left. Whichever that is, the joins are the same ones.
inline constexpr const char* before_text = R"(
// The prefix before a tile of a row, which lane 0 has after the tile's total was given to those that wait for it.
static __device__ inline @ before$(unsigned long long* marks, index tiles, index tile, @ total, int lane) {
    const int words = (sizeof(@) + 3) / 4, place = (int)(tile % 32);
    const index group = tile / 32, g = group - 1 - lane;
    const bool awaited = lane == 0 && tile + 1 < tiles;
    unsigned long long* const totals = marks + words * tiles;
    unsigned long long* const prefixes = totals + words * ((tiles + 31) / 32);
    if (awaited) publish(marks + words * tile, total);
    @ x = total, y = total;
    for (bool missing = lane < place; __ballot_sync(0xffffffffu, missing) != 0;)
        missing = missing && !received(marks + words * (tile - place + lane), x);
    x = tree$(x, lane);
    const @ in_group = from(x, place > 0 ? place - 1 : 0), whole = from(x, 31);
    if (place == 31 && awaited) publish(totals + words * group, whole);
    if (group == 0) return in_group;
    bool has_total = false, has_prefix = false;
    unsigned nearer = 0;
    for (;;) {
        if (g >= 0 && !has_prefix) has_prefix = received(prefixes + words * g, y);
        if (g >= 0 && !has_prefix && !has_total) has_total = received(totals + words * g, y);
        if (g == 0) has_prefix = has_prefix || has_total;
        const unsigned found = __ballot_sync(0xffffffffu, has_prefix), known = __ballot_sync(0xffffffffu, has_total);
        nearer = (found & (0u - found)) - 1u;
        if (found != 0 && (known & nearer) == nearer) break;
    }
    const int nearest = __popc(nearer);
    @ p = from(y, nearest);
    for (int l = nearest - 1; l >= 0; --l) join$(p, from(y, l));
    if (place == 31 && awaited) {
        @ next = p;
        join$(next, whole);
        publish(prefixes + words * group, next);
    }
    if (place > 0) join$(p, in_group);
    return p;
})";

// Elements are converted to a larger accumulator before the wait and after it. The compiler would convert them once and keep
// the results over the wait, in twice the registers (on an H200 445 us instead of 400); so it is told that they are others.
inline constexpr const char* renewal_text = R"(
// The same value, of which the compiler does not know that it is the same.
static __device__ inline int renewed(int x) {
    asm volatile("" : "+r"(x));
    return x;
}
static __device__ inline unsigned renewed(unsigned x) { return (unsigned)renewed((int)x); }
static __device__ inline float renewed(float x) { return __int_as_float(renewed(__float_as_int(x))); }
)";

SINTER_INLINE bool cuda_writer::renews(const reduction_step& r) const {
    bool whole = r.type == dtype::float32 || r.type == dtype::int32 || r.type == dtype::uint32;
    return whole && accumulator_type(r.how, r.type) != r.type;
}

SINTER_INLINE void cuda_writer::write_renewal() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (!renews(k_.reductions[r])) continue;
        std::string at = "a" + std::to_string(r) + "[i / 4][i % 4]";
        unroll();
        line("for (int i = 0; i < " + std::to_string(4 * schedule_.chunks) + "; ++i) " + at + " = renewed(" + at + ");");
    }
}

// A text once for each scan: `$` is its number, `@` its accumulator's type.
SINTER_INLINE void cuda_writer::write_per_scan(const char* text) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        for (const char* c = text; *c; ++c)
            if (*c == '$') out_ += std::to_string(r);
            else if (*c == '@') out_ += accumulator(r);
            else out_ += *c;
        out_ += '\n';
    }
}

// The number of the tile that a thread block computes. Blocks take tickets, so that those before it are at work or done,
// whatever order they start in: CUDA promises none. blockIdx would save an H200 2 % of a scan or selection.
SINTER_INLINE void cuda_writer::write_ticket() {
    line("__shared__ unsigned ticket;");
    line("if (threadIdx.x == 0 && threadIdx.y == 0) ticket = atomicAdd((unsigned*)partial0, 1u);");
    line("__syncthreads();");
    line("const index item = ticket;");
}

}  // namespace sinter::inline SINTER_ABI::codegen
