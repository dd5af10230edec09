// What CUDA text needs when a C++ compiler reads it for the emulated driver, behind kernel_interface.hpp; includes
// nothing, so that kernels compile fast.
#define __global__
#define __device__
#define __noinline__ __attribute__((noinline))
#define __shared__ static __attribute__((section("emulated_shared")))
#define __launch_bounds__(...)
#define __forceinline__ inline

static cuda_emulation::coordinates threadIdx, blockIdx, blockDim, gridDim;
static cuda_emulation::engine* emulated_engine;

namespace cuda_emulation {

template <int... I>
struct numbers {};
#if defined(__clang__)
template <class T, T... I>
struct made_numbers {
    using type = numbers<I...>;
};
template <int N>
using numbers_up_to = typename __make_integer_seq<made_numbers, int, N>::type;
#else
template <int N>
using numbers_up_to = numbers<__integer_pack(N)...>;
#endif

template <class T>
inline constexpr bool is_pointer = false;
template <class T>
inline constexpr bool is_pointer<T*> = true;

// Kernels of several modules may have the same name, so that nothing of them may have a name outside.
namespace {

template <auto kernel>
struct entry_of;

template <class... P, void (*kernel)(P...)>
struct entry_of<kernel> {
    static constexpr unsigned sizes[] = {sizeof(P)..., 0};
    static constexpr bool pointers[] = {is_pointer<P>..., false};

    template <int... I>
    static void call(void** arguments, numbers<I...>) {
        kernel(*static_cast<P*>(arguments[I])...);
    }
    static void run_thread(void** arguments) { call(arguments, numbers_up_to<sizeof...(P)>()); }
    static void run_grid(void** arguments) {
        for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
            for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
                for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
                    for (threadIdx.z = 0; threadIdx.z < blockDim.z; ++threadIdx.z)
                        for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)
                            for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) run_thread(arguments);
    }
    static constexpr entry value{static_cast<int>(sizeof...(P)), sizes, pointers, run_thread, run_grid};
};

}  // namespace
}  // namespace cuda_emulation

#define CUDA_EMULATION_ENTRY(name) \
    extern "C" const cuda_emulation::entry* emulated_entry_##name() { return &cuda_emulation::entry_of<&name>::value; }

extern "C" void emulated_bind(cuda_emulation::engine* e, cuda_emulation::coordinates** places) {
    emulated_engine = e;
    places[0] = &threadIdx;
    places[1] = &blockIdx;
    places[2] = &blockDim;
    places[3] = &gridDim;
}

inline void __syncthreads() { emulated_engine->meet_block(); }
inline unsigned __clusterSizeInBlocks() { return emulated_engine->cluster_size(); }
inline void __cluster_barrier_arrive() { emulated_engine->arrive_at_cluster(); }
inline void __cluster_barrier_wait() { emulated_engine->wait_for_cluster(); }
inline void* __cluster_map_shared_rank(const void* own, unsigned rank) {
    return emulated_engine->shared_of_block(own, rank);
}
inline void __threadfence() {}
inline void __threadfence_block() {}

namespace cuda_emulation {

/// What another block may have yet to write, which is nothing before.
template <class T>
inline T word_of_others(const T* from) {
    const T word = *static_cast<const volatile T*>(from);
    if (word == 0) emulated_engine->wait_for_others();
    return word;
}

inline int lane() {
    return static_cast<int>((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}

// The value of another lane, or the own one where there is no such lane.
template <class T>
inline T value_of_lane(unsigned mask, T x, int from) {
    static_assert(sizeof(T) <= 8, "no such shuffle");
    const char(*lanes)[16] = emulated_engine->meet_warp(mask, &x, sizeof x);
    if (from >= 0 && from < 32) __builtin_memcpy(&x, lanes[from], sizeof x);
    return x;
}

}  // namespace cuda_emulation

template <class T>
inline T __shfl_down_sync(unsigned mask, T x, int distance) {
    return cuda_emulation::value_of_lane(mask, x, cuda_emulation::lane() + distance);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T x, int distance) {
    return cuda_emulation::value_of_lane(mask, x, cuda_emulation::lane() - distance);
}
template <class T>
inline T __shfl_sync(unsigned mask, T x, int from, int width = 32) {
    return cuda_emulation::value_of_lane(mask, x, cuda_emulation::lane() / width * width + from % width);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T x, int bits) {
    return cuda_emulation::value_of_lane(mask, x, cuda_emulation::lane() ^ bits);
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned x) {
    for (int bits = 16; bits > 0; bits /= 2)
        if (const unsigned other = __shfl_xor_sync(mask, x, bits); other > x) x = other;
    return x;
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned x) { return ~__reduce_max_sync(mask, ~x); }
inline int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { emulated_engine->meet_warp(mask, &mask, 0); }
inline unsigned __ballot_sync(unsigned mask, int set) {
    const char vote = set != 0;
    const char(*lanes)[16] = emulated_engine->meet_warp(mask, &vote, 1);
    unsigned votes = 0;
    for (int i = 0; i < 32; ++i) votes |= static_cast<unsigned>(lanes[i][0]) << i;
    return votes;
}
template <class T>
inline unsigned __match_any_sync(unsigned mask, T x) {
    const char(*lanes)[16] = emulated_engine->meet_warp(mask, &x, sizeof x);
    unsigned equal = 0;
    for (unsigned i = 0; i < 32; ++i)
        if (mask >> i & 1) equal |= static_cast<unsigned>(__builtin_memcmp(lanes[i], &x, sizeof x) == 0) << i;
    return equal;
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __float_as_int(float x) {
    int bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
inline float __int_as_float(int bits) {
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}

// Threads take turns only where they meet: what is atomic on a device is so here anyway.
template <class T>
inline T atomicAdd(T* at, T value) {
    T old = *at;
    *at = old + value;
    return old;
}
template <class T>
inline T atomicMax(T* at, T value) {
    T old = *at;
    if (value > old) *at = value;
    return old;
}
template <class T>
inline T atomicMin(T* at, T value) {
    T old = *at;
    if (value < old) *at = value;
    return old;
}
inline unsigned long long atomicCAS(unsigned long long* at, unsigned long long expected, unsigned long long value) {
    unsigned long long old = *at;
    if (old == expected) *at = value;
    return old;
}

extern "C" float fminf(float, float) noexcept;
#define CUDA_EMULATION_UNARY(name)            \
    extern "C" double name(double) noexcept;  \
    extern "C" float name##f(float) noexcept; \
    inline float name(float x) noexcept { return name##f(x); }
#define CUDA_EMULATION_BINARY(name)                  \
    extern "C" double name(double, double) noexcept; \
    extern "C" float name##f(float, float) noexcept; \
    inline float name(float x, float y) noexcept { return name##f(x, y); }
CUDA_EMULATION_UNARY(sqrt)
CUDA_EMULATION_UNARY(cbrt)
CUDA_EMULATION_UNARY(exp)
CUDA_EMULATION_UNARY(exp2)
CUDA_EMULATION_UNARY(expm1)
CUDA_EMULATION_UNARY(log)
CUDA_EMULATION_UNARY(log2)
CUDA_EMULATION_UNARY(log10)
CUDA_EMULATION_UNARY(log1p)
CUDA_EMULATION_UNARY(sin)
CUDA_EMULATION_UNARY(cos)
CUDA_EMULATION_UNARY(tan)
CUDA_EMULATION_UNARY(asin)
CUDA_EMULATION_UNARY(acos)
CUDA_EMULATION_UNARY(atan)
CUDA_EMULATION_UNARY(sinh)
CUDA_EMULATION_UNARY(cosh)
CUDA_EMULATION_UNARY(tanh)
CUDA_EMULATION_UNARY(asinh)
CUDA_EMULATION_UNARY(acosh)
CUDA_EMULATION_UNARY(atanh)
CUDA_EMULATION_UNARY(floor)
CUDA_EMULATION_UNARY(ceil)
CUDA_EMULATION_UNARY(trunc)
CUDA_EMULATION_UNARY(rint)
CUDA_EMULATION_UNARY(erf)
CUDA_EMULATION_UNARY(erfc)
CUDA_EMULATION_UNARY(tgamma)
CUDA_EMULATION_UNARY(lgamma)
CUDA_EMULATION_UNARY(fabs)
CUDA_EMULATION_BINARY(atan2)
CUDA_EMULATION_BINARY(hypot)
CUDA_EMULATION_BINARY(copysign)
CUDA_EMULATION_BINARY(fmod)
CUDA_EMULATION_BINARY(nextafter)
CUDA_EMULATION_BINARY(pow)
inline void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
inline void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
extern "C" double ldexp(double, int) noexcept;
extern "C" float ldexpf(float, int) noexcept;
inline float ldexp(float x, int n) noexcept { return ldexpf(x, n); }
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
inline float fma(float x, float y, float z) noexcept { return fmaf(x, y, z); }
inline float rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
inline float __expf(float x) { return __builtin_expf(x); }
inline float __fdividef(float x, float y) { return x / y; }
extern "C" float fmaxf(float, float) noexcept;
inline void sincospif(float x, float* s, float* c) noexcept { sincosf(x * 3.14159274f, s, c); }

// Shared memory is filled with rubbish before each block; the first variable makes the section exist.
static char emulated_shared_first __attribute__((section("emulated_shared"), used));
extern "C" char __start_emulated_shared[] __attribute__((visibility("hidden")));
extern "C" char __stop_emulated_shared[] __attribute__((visibility("hidden")));
extern "C" void emulated_shared_range(char** begin, char** end) {
    *begin = __start_emulated_shared;
    *end = __stop_emulated_shared;
}
