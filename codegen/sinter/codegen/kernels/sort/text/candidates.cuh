// Candidates that a thread block has in shared memory, and which of them come first, found digit by digit from the top;
// behind element.hxx.
R"cuda(
typedef $key key;
// A thread has each value of a digit.
constexpr int threads = 256, capacity = $capacity, items = $items, tile = threads * items;
constexpr int key_digits = sizeof(element), digits = key_digits + 4;

__device__ __forceinline__ key key_of(element x) { return $key_of_x; }

// Digit number `pass`, from the top, of what a candidate is ordered by: its key, then its place.
__device__ __forceinline__ unsigned digit(key x, unsigned place, int pass) {
    return (pass < key_digits ? (unsigned)(x >> 8 * (key_digits - 1 - pass)) : place >> 8 * (digits - 1 - pass)) & 255;
}

// The digits of a candidate that are known, which are set in the masks.
struct bound {
    key x, x_known;
    unsigned place, place_known;

    // Whether a candidate comes before those that begin with these digits, or is one of them.
    __device__ __forceinline__ bool reaches(key y, unsigned at) const {
        return (y & x_known) < x || ((y & x_known) == x && (at & place_known) <= place);
    }
    __device__ __forceinline__ bool begins(key y, unsigned at) const {
        return (y & x_known) == x && (at & place_known) == place;
    }
    __device__ void add(int pass, unsigned d) {
        if (pass < key_digits) {
            x |= (key)d << 8 * (key_digits - 1 - pass);
            x_known |= (key)255 << 8 * (key_digits - 1 - pass);
        } else {
            place |= d << 8 * (digits - 1 - pass);
            place_known |= 255u << 8 * (digits - 1 - pass);
        }
    }
};

// A digit, and how many have a lower one, and how many the same.
struct found_digit {
    unsigned sums[threads / 32], digit, before, same;
};

struct candidates {
    key keys[capacity];
    unsigned places[capacity];
    unsigned count, counts[256];
    found_digit found;
};

// Appends the elements of a warp's lanes whose bits are set in `is`; all lanes come here.
template <int n>
__device__ __forceinline__ void append(candidates& c, unsigned is, const key (&x)[n], const unsigned (&place)[n]) {
    const unsigned lane = threadIdx.x % 32;
    if (!__ballot_sync(0xffffffffu, is != 0)) return;
    unsigned at = 0;
#pragma unroll
    for (int i = 0; i < n; ++i) at += __popc(__ballot_sync(0xffffffffu, is >> i & 1));
    if (lane == 0) at = atomicAdd(&c.count, at);
    at = __shfl_sync(0xffffffffu, at, 0);
#pragma unroll
    for (int i = 0; i < n; ++i) {
        const unsigned lanes = __ballot_sync(0xffffffffu, is >> i & 1);
        if (is >> i & 1) {
            const unsigned to = at + __popc(lanes & ((1u << lane) - 1));
            c.keys[to] = x[i];
            c.places[to] = place[i];
        }
        at += __popc(lanes);
    }
}

// The digit of element number `rank`, of which there are as many with each digit as the thread with its number says.
__device__ __forceinline__ void find_digit(found_digit& f, unsigned own, unsigned rank) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = own;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const unsigned y = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step) sum += y;
    }
    if (lane == 31) f.sums[warp] = sum;
    __syncthreads();
    for (unsigned w = 0; w < warp; ++w) sum += f.sums[w];
    if (rank < sum && rank >= sum - own) {
        f.digit = threadIdx.x;
        f.before = sum - own;
        f.same = own;
    }
    __syncthreads();
}

// The digits in [pass, end) by which candidate number `rank` of those that begin with `b` is known: alone, or as the
// last of all that begin with them.
__device__ __forceinline__ bound find_bound(candidates& c, bound b, int pass, int end, unsigned rank, unsigned left,
                                            bool alone) {
    for (; pass < end && left > (alone ? 1 : rank + 1); ++pass) {
        c.counts[threadIdx.x] = 0;
        __syncthreads();
        for (unsigned i = threadIdx.x; i < c.count; i += threads)
            if (b.begins(c.keys[i], c.places[i])) atomicAdd(&c.counts[digit(c.keys[i], c.places[i], pass)], 1u);
        __syncthreads();
        find_digit(c.found, c.counts[threadIdx.x], rank);
        b.add(pass, c.found.digit);
        rank -= c.found.before;
        left = c.found.same;
    }
    return b;
}

// Leaves those that `b` reaches.
__device__ __forceinline__ void keep(candidates& c, const bound& b) {
    const unsigned count = c.count;
    __syncthreads();
    if (threadIdx.x == 0) c.count = 0;
#pragma unroll 1
    for (unsigned first = 0; first < count; first += threads) {
        const unsigned i = first + threadIdx.x;
        key x[1] = {};
        unsigned place[1] = {};
        if (i < count) {
            x[0] = c.keys[i];
            place[0] = c.places[i];
        }
        // What is written lies where all have read.
        __syncthreads();
        append(c, i < count && b.reaches(x[0], place[0]), x, place);
    }
    __syncthreads();
}
)cuda"
