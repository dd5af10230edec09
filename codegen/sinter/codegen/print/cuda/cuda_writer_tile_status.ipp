// Bodies of cuda_writer.hpp by which thread blocks of scans wait for each other: dynamic
// tile ids, tile status (decoupled look-back), carry blocks.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// How thread blocks wait for each other. A word holds half a value and the number of the launch that wrote it, so that
// neither fences nor 16-byte atomics are needed, and nothing is zeroed between launches in the same memory: words are
// written once, and read until all of them are of this launch. The first word counts launches, and thread blocks as
// they begin.
inline constexpr const char* tile_status_text = R"(
// The number of a thread block in the order in which they begin; above it that of the launch, which the last block to begin counts.
static __device__ inline unsigned long long take_tile_id(unsigned long long* next_tile_id) {
    const unsigned long long taken = atomicAdd(next_tile_id, 1ull);
    if ((unsigned)taken + 1 == gridDim.x * gridDim.z) *next_tile_id = ((taken >> 32) + 1) << 32;
    return taken + (1ull << 32);
}
// Writes a value for other thread blocks.
template <class T> static __device__ inline void publish(unsigned long long* at, T value, unsigned launch) {
    union { T whole; unsigned half[(sizeof(T) + 3) / 4]; } u;
    u.half[0] = 0;
    u.whole = value;
    #pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i) ((volatile unsigned long long*)at)[i] = (unsigned long long)launch << 32 | u.half[i];
}
// What stands where such a value will be, and the value itself; false when it is not there yet.
template <class T> struct tile_status { unsigned long long word[(sizeof(T) + 3) / 4]; };
template <class T> static __device__ inline tile_status<T> fetch(const unsigned long long* at) {
    tile_status<T> m;
    #pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i) m.word[i] = ((const volatile unsigned long long*)at)[i];
    return m;
}
template <class T> static __device__ inline bool received(const tile_status<T>& m, T& value, unsigned launch) {
    union { T whole; unsigned half[(sizeof(T) + 3) / 4]; } u;
    bool all = true;
    #pragma unroll
    for (int i = 0; i < (int)((sizeof(T) + 3) / 4); ++i) {
        u.half[i] = (unsigned)m.word[i];
        all = all && m.word[i] >> 32 == launch;
    }
    if (all) value = u.whole;
    return all;
}
template <class T> static __device__ inline bool received(const unsigned long long* at, T& value, unsigned launch) {
    return received(fetch<T>(at), value, launch);
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
        combine$(y, x);
        if (lane >= h) x = y;
    }
    return x;
})";

// In a row of up to 32 tiles each waits for those before it. In a longer one a thread block of its own, the runner,
// puts the prefixes together: its warps take the groups of 32 tiles in turn, the groups' totals run from warp to warp,
// and a tile polls nothing but its own prefix. Nobody waits for ever, however few blocks are at work at once: the
// runner takes its ticket before the row's tiles, so that it is at work when they are; a tile tells its total before it
// waits; and it gets its prefix as soon as the tiles with earlier tickets have told theirs, be the others of its group
// at work or not. By hand and without tickets, cumsum of 2^27 floats takes an H200 294 us like this, 335 where each
// tile looks back at tiles and groups.
inline constexpr const char* before_text = R"(
// The prefix before a tile of a row; its total is given to those that wait for it.
static __device__ inline @ before$(unsigned long long* status, unsigned launch, index tiles, index tile, @ total, int lane) {
    const int words = (sizeof(@) + 3) / 4;
    if (lane == 0 && tile + 1 < tiles) publish(status + words * tile, total, launch);
    @ x = total;
    if (tiles > 32) {
        for (bool missing = lane == 0 && tile > 0; __ballot_sync(0xffffffffu, missing) != 0;)
            missing = missing && !received(status + words * (tiles + tile), x, launch);
        return from(x, 0);
    }
    for (bool missing = lane < tile; __ballot_sync(0xffffffffu, missing) != 0;)
        missing = missing && !received(status + words * lane, x, launch);
    x = tree$(x, lane);
    return from(x, tile > 0 ? (int)tile - 1 : 0);
}
// From the totals of a row's tiles to the prefixes before them, by one thread block.
static __device__ inline void carry$(unsigned long long* status, unsigned launch, index tiles, int lane, int warp, int warps) {
    const int words = (sizeof(@) + 3) / 4;
    __shared__ double buffer[sizeof(@) / sizeof(double) + 1];
    __shared__ volatile index done;
    @* const carried = (@*)buffer;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    tile_status<@> early = fetch<@>(status + words * (32 * warp + lane < tiles ? 32 * warp + lane : 0));
    for (index group = warp; 32 * group < tiles; group += warps) {
        const index tile = 32 * group + lane, later = tile + 32 * warps;
        @ x{}, e{}, whole{}, p{};
        bool missing = tile + 1 < tiles, waits = tile > 0 && tile < tiles, follows = false;
        missing = missing && !received(early, x, launch);
        unsigned known = __ballot_sync(0xffffffffu, !missing), before = ~known;
        early = fetch<@>(status + words * (later < tiles ? later : 0));
        while (!follows || known != 0xffffffffu || before != known) {
            if (known != before) {
                before = known;
                whole = tree$(x, lane);
                e = from_before(whole, 1);
            }
            if (!follows && __ballot_sync(0xffffffffu, lane == 0 && done == group) != 0) {
                follows = true;
                __threadfence_block();
                p = *carried;
                __syncwarp();
            }
            if (follows && known == 0xffffffffu && lane == 31) {
                if (group > 0) {
                    @ next = p;
                    combine$(next, whole);
                    whole = next;
                }
                *carried = whole;
                __threadfence_block();
                done = group + 1;
            }
            if (follows && waits && (~known & ((1u << lane) - 1u)) == 0) {
                @ prefix = group > 0 ? p : e;
                if (group > 0 && lane > 0) combine$(prefix, e);
                publish(status + words * (tiles + tile), prefix, launch);
                waits = false;
            }
            if (known != 0xffffffffu) {
                missing = missing && !received(status + words * tile, x, launch);
                known = __ballot_sync(0xffffffffu, !missing);
            }
        }
    }
})";

// Elements are converted to a larger accumulator before the wait and after it. The compiler would convert them once and
// keep the results over the wait, in twice the registers (on an H200 445 us instead of 400); so it is told that they
// are others.
inline constexpr const char* renewal_text = R"(
// The same value, of which the compiler does not know that it is the same.
static __device__ inline int renewed(int x) {
    asm volatile("" : "+r"(x));
    return x;
}
static __device__ inline unsigned renewed(unsigned x) { return (unsigned)renewed((int)x); }
static __device__ inline float renewed(float x) { return __int_as_float(renewed(__float_as_int(x))); }
)";

inline constexpr const char* soon_text = R"(
// Lets memory fetch a line into its cache for whoever needs it next.
static __device__ inline void fetch_soon(const void* line) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" :: "l"(line));
#endif
}
)";

SINTER_INLINE void cuda_writer::write_renewal() {
    for (std::size_t r : scan_.renewed) {
        const std::string at = std::string("a").append(std::to_string(r)) + "[i / 4][i % 4]";
        unroll();
        line("for (int i = 0; i < " + std::to_string(4 * scan_.chunks) + "; ++i) " + at + " = renewed(" + at + ");");
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

// The number of the tile that a thread block computes. Blocks take tickets, so that those before it are at work or
// done, whatever order they start in: CUDA promises none. blockIdx would save an H200 2 % of a scan or selection.
SINTER_INLINE void cuda_writer::write_tile_id() {
    line(k_.selects ? "__shared__ unsigned tile_id;" : "__shared__ unsigned long long tile_id;");
    line(std::string("if (threadIdx.x == 0 && threadIdx.y == 0) tile_id = ") +
         (k_.selects ? "atomicAdd((unsigned*)partial0, 1u);" : "take_tile_id(partial0);"));
    if (!scan_.fetched.empty()) write_soon();
    line("__syncthreads();");
    line(k_.selects ? "const index item = tile_id;" : "const index item = (unsigned)tile_id;");
    if (!k_.selects) line("const unsigned launch = (unsigned)(tile_id >> 32);");
}

// Until the ticket is there, memory fetches the tile that most probably belongs to it: an H200's cumsum of 2^27 floats
// takes 291 us instead of 303. A line of 128 bytes for each thread is all of a tile in most schedules.
SINTER_INLINE void cuda_writer::write_soon() {
    open("");
    std::string own = "(tiles + carry_blocks)", share = std::to_string(scan_tile / scan_.threads);
    line("const index soon = " + block_number() + ", row = soon / " + own + ";");
    line("const index i = (soon % " + own + " - carry_blocks) * 4096 + " + share + " * threadIdx.x;");
    write_decode("row", 0, k_.kept);
    at_[static_cast<std::size_t>(k_.kept)] = "i";
    open(std::string("if (i >= 0 && i < reduced") + index_.and_is_row + ")");
    for (std::uint32_t i : scan_.fetched) line("fetch_soon(&" + element(k_.body[i].payload) + ");");
    close();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen
