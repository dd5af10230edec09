// Sorting of numbers on CPUs: networks of exchanges in vectors for few, a quicksort that divides them vector by vector
// for more. Numbers that are equal are the same, so that nothing has to keep an order.
R"cxx(
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
constexpr int lanes = vector_bytes / sizeof(key), most = 16 * lanes;
typedef key vector __attribute__((vector_size(vector_bytes)));
typedef key unaligned __attribute__((vector_size(vector_bytes), aligned(sizeof(key))));

static inline vector lane_numbers() {
    vector v;
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) v[i] = i;
    return v;
}
static inline vector lesser(vector a, vector b) { return a < b ? a : b; }
static inline vector greater(vector a, vector b) { return a < b ? b : a; }
template <int J>
static inline vector partners(vector x) {
#ifdef __clang__
    vector y;
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) y[i] = x[i ^ J];
    return y;
#else
    return __builtin_shuffle(x, lane_numbers() ^ J);
#endif
}

#ifdef __AVX512F__
typedef $word instruction_vector __attribute__((vector_size(vector_bytes)));
static inline unsigned first_lanes(int n) { return (1u << n) - 1; }
static inline vector load(const key* x, int n) {
    return (vector)$masked_load((const $word*)x, (instruction_vector)(vector{} - 1), first_lanes(n));
}
static inline void store(key* x, vector v, int n) { $masked_store(($word*)x, (instruction_vector)v, first_lanes(n)); }
static inline vector compressed(vector v, unsigned which) {
    return (vector)$compress((instruction_vector)v, (instruction_vector)v, which);
}
// Appends those of n lanes that are below the pivot to what ends at `low`, the others to what begins at `high`.
static inline void divide(vector v, vector pivot, int n, key*& low, key*& high) {
    const unsigned below = $compare((instruction_vector)v, (instruction_vector)pivot, 1, first_lanes(n));
    const int count = __builtin_popcount(below);
    high -= n - count;
    store(low, compressed(v, below), count);
    store(high, compressed(v, first_lanes(n) & ~below), n - count);
    low += count;
}
#else
static inline vector load(const key* x, int n) {
    vector v = vector{} - 1;
    if (n == lanes) v = *(const unaligned*)x;
    else __builtin_memcpy(&v, x, n * sizeof(key));
    return v;
}
static inline void store(key* x, vector v, int n) {
    if (n == lanes) *(unaligned*)x = v;
    else __builtin_memcpy(x, &v, n * sizeof(key));
}
#endif

// Exchanges lanes that differ in J so that those with the bit B have the greater.
template <int J, int B>
static inline vector exchanged(vector x) {
    const vector y = partners<J>(x);
    return (lane_numbers() & B) != 0 ? greater(x, y) : lesser(x, y);
}
template <int N, int J>
static inline void merge_lanes(vector* x) {
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) x[i] = exchanged<J, J>(x[i]);
    if constexpr (J > 1) merge_lanes<N, J / 2>(x);
}
// Sorts groups of K lanes.
template <int N, int K>
static inline void sort_lanes(vector* x) {
    if constexpr (K > 2) sort_lanes<N, K / 2>(x);
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) x[i] = exchanged<K - 1, K / 2>(x[i]);
    if constexpr (K > 2) merge_lanes<N, K / 4>(x);
}
template <int N, int D>
static inline void merge_vectors(vector* x) {
#pragma GCC unroll 16
    for (int i = 0; i + D < N; ++i)
        if (!(i & D)) {
            const vector a = x[i], b = x[i + D];
            x[i] = lesser(a, b);
            x[i + D] = greater(a, b);
        }
    if constexpr (D > 1) merge_vectors<N, D / 2>(x);
}
constexpr int half_of(int n) { return n > 8 ? 8 : n > 4 ? 4 : n > 2 ? 2 : 1; }
// The first vectors, a power of two, and the rest, both sorted, become one. What is not there would be the greatest
// keys, so that exchanges with it do nothing.
template <int N>
static __attribute__((noinline)) void merge_halves(vector* from) {
    constexpr int half = half_of(N);
    vector x[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) x[i] = from[i];
#pragma GCC unroll 16
    for (int i = 2 * half - N; i < half; ++i) {
        const vector a = x[i], b = partners<lanes - 1>(x[2 * half - 1 - i]);
        x[i] = lesser(a, b);
        x[2 * half - 1 - i] = greater(a, b);
    }
    if constexpr (half > 1) merge_vectors<N, half / 2>(x);
    merge_lanes<N, lanes / 2>(x);
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) from[i] = x[i];
}
template <int N>
static __attribute__((noinline)) void sort_each(vector* from) {
    vector x[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) x[i] = from[i];
    sort_lanes<N, lanes>(x);
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) from[i] = x[i];
}
template <int N>
static inline void sort_vectors(vector* x) {
    if constexpr (N <= 4) sort_each<N>(x);
    if constexpr (N == 4) merge_halves<2>(x), merge_halves<2>(x + 2);
    if constexpr (N > 4) sort_vectors<half_of(N)>(x), sort_vectors<N - half_of(N)>(x + half_of(N));
    if constexpr (N > 1) merge_halves<N>(x);
}
static inline int inside(int n) { return n < 0 ? 0 : n < lanes ? n : lanes; }
template <int N>
static __attribute__((noinline)) void sort_in_vectors(const key* from, key* to, int n) {
    vector x[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) x[i] = load(from + i * lanes, inside(n - i * lanes));
    sort_vectors<N>(x);
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) store(to + i * lanes, x[i], inside(n - i * lanes));
}
// More kinds would take the compiler longer than they spare.
static inline void sort_few(const key* from, key* to, int n) {
    if (n <= lanes) sort_in_vectors<1>(from, to, n);
    else if (n <= 2 * lanes) sort_in_vectors<2>(from, to, n);
    else if (n <= 4 * lanes) sort_in_vectors<4>(from, to, n);
    else if (n <= 6 * lanes) sort_in_vectors<6>(from, to, n);
    else if (n <= 8 * lanes) sort_in_vectors<8>(from, to, n);
    else if (n <= 12 * lanes) sort_in_vectors<12>(from, to, n);
    else sort_in_vectors<16>(from, to, n);
}

// Copies n keys, those below the pivot first; how many they are.
static long long divided(const key* from, key* to, long long n, key pivot) {
    key *low = to, *high = to + n;
#ifdef __AVX512F__
    const vector pivots = vector{} + pivot;
    long long i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        vector v[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) v[k] = *(const unaligned*)(from + i + k * lanes);
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) divide(v[k], pivots, lanes, low, high);
    }
    for (; i < n; i += lanes) {
        const int there = n - i < lanes ? n - i : lanes;
        divide(load(from + i, there), pivots, there, low, high);
    }
#else
    for (long long i = 0; i < n; ++i) {
        const key x = from[i];
        *low = x;
        high[-1] = x;
        // Not a branch, which would be mispredicted as often as not.
        const long long below = x < pivot;
        low += below;
        high += below - 1;
    }
#endif
    return low - to;
}

// Some keys of many, sorted: the middle one, and whether those around it take a good part of the range of all.
struct sample {
    key middle;
    bool is_even;
};
static sample sample_of(const key* x, long long n) {
    key some[64];
    const int count = n < 2048 || most < 64 ? 16 : 64;
    const long long step = n / count;
    for (int i = 0; i < count; ++i) some[i] = x[i * step + step / 2];
    sort_few(some, some, count);
    return {some[count / 2], some[count - count / 4] - some[count / 4] > (some[count - 1] - some[0]) / 16};
}

typedef $word signed_key;
static int width_of(unsigned long long x) { return x ? 64 - __builtin_clzll(x) : 0; }
static void find_range(const key* x, long long n, key& least, key& most) {
    // g++ finds both in vectors only where they have a sign.
    constexpr key sign = (key)1 << (8 * sizeof(key) - 1);
    signed_key low = (signed_key)(x[0] ^ sign), high = low;
    for (long long i = 0; i < n; ++i) {
        const signed_key k = (signed_key)(x[i] ^ sign);
        low = k < low ? k : low;
        high = k > high ? k : high;
    }
    least = (key)low ^ sign;
    most = (key)high ^ sign;
}

// Where vectors are not divided at once, one pass into many parts of the range costs as much as two divisions.
#ifdef __AVX512F__
constexpr bool has_parts = false;
#else
constexpr bool has_parts = true;
#endif
constexpr int most_bits = 10;
struct parts {
    key least, most;
    int shift, count;
    unsigned starts[(1 << most_bits) + 1];
};
// Copies n keys into parts by the first bits in which they differ; false: most are of few parts, and none is copied.
static bool parted(const key* from, key* to, long long n, parts& p) {
    find_range(from, n, p.least, p.most);
    int bits = 2;
    while (bits < most_bits && n >> bits > most / 2) ++bits;
    const int width = width_of(p.most - p.least);
    p.shift = width > bits ? width - bits : 0;
    p.count = (int)((p.most - p.least) >> p.shift) + 1;
    unsigned at[1 << most_bits];
    for (int part = 0; part < p.count; ++part) at[part] = 0;
    for (long long i = 0; i < n; ++i) ++at[(from[i] - p.least) >> p.shift];
    unsigned sum = 0, greatest = 0;
    for (int part = 0; part < p.count; ++part) {
        const unsigned count = at[part];
        greatest = count > greatest ? count : greatest;
        p.starts[part] = at[part] = sum;
        sum += count;
    }
    p.starts[p.count] = sum;
    if (greatest > n / 2) return false;
    for (long long i = 0; i < n; ++i) to[at[(from[i] - p.least) >> p.shift]++] = from[i];
    return true;
}
static void sort_keys(key* x, key* y, long long n, key low, key high, bool into_y, int trials);
static __attribute__((noinline)) bool sort_in_parts(key* x, key* y, long long n, bool into_y, int trials) {
    parts p;
    if (!parted(x, y, n, p)) return false;
    for (int part = 0; part < p.count; ++part) {
        const unsigned start = p.starts[part], count = p.starts[part + 1] - start;
        const key low = p.least + ((key)part << p.shift), last = low + (((key)1 << p.shift) - 1);
        const key high = part + 1 < p.count ? last : p.most;
        if (count) sort_keys(y + start, x + start, count, low, high, !into_y, trials);
    }
    return true;
}

// Sorts n keys of x between low and high into x or y, both of which have room for them. After `trials` divisions by
// keys that are there, ranges are halved, which ends.
static void sort_keys(key* x, key* y, long long n, key low, key high, bool into_y, int trials) {
    if (n <= most) return sort_few(x, into_y ? y : x, n);
    key pivot = low == high ? low : low + (high - low) / 2 + 1;
    if (low != high && trials) {
        const sample some = sample_of(x, n);
        if (has_parts && some.is_even && n >= 16 * most && n < 1ll << 32 && sort_in_parts(x, y, n, into_y, trials - 1))
            return;
        pivot = some.middle;
    }
    long long below = pivot == low ? 0 : divided(x, y, n, pivot);
    if (below == 0 && pivot == high) {
        if (into_y) __builtin_memcpy(y, x, n * sizeof(key));
        return;
    }
    if (below == 0) below = divided(x, y, n, ++pivot);
    const int left = trials > 0 ? trials - 1 : 0;
    sort_keys(y, x, below, low, pivot - 1, !into_y, left);
    sort_keys(y + below, x + below, n - below, pivot, high, !into_y, left);
}
)cxx"
