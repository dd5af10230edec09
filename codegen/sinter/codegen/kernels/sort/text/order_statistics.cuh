// The elements of given ranks of rows: digits are counted from the top until few elements have those of a rank; behind candidates.cuh.
R"cuda(
constexpr int most_ranks = $most_ranks, copies = 4;

// What is known of the element of a rank: digits, its rank among the elements that begin with them, and how many do.
struct target {
    bound b;
    int known;
    unsigned rank, left, listed;
};

__device__ __forceinline__ element element_of(key k) {
    //@ if floating
    const element x = k ^ sign;
    return x & sign ? -x | sign : x;
    //@ else
    return (element)($element_of_k);
    //@ end
}

// Whether elements that are ordered alike are the same: those of a NaN and of 0 may not be.
__device__ __forceinline__ bool has_value(const target& t) {
    //@ if floating
    if (t.b.x == sign || t.b.x == ~(key)0) return false;
    //@ end
    return t.known >= key_digits;
}
__device__ __forceinline__ bool is_done(const target& t) { return t.left <= capacity || has_value(t); }

__device__ __forceinline__ target target_of(const target& told, bool first, unsigned rank, long long length) {
    if (!first) return told;
    target t = {};
    t.rank = rank;
    t.left = (unsigned)length;
    return t;
}

// Whether the thread block is the last of its row's to come here.
__device__ __forceinline__ bool is_last(unsigned* arrived, long long parts, unsigned& before) {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) before = atomicAdd(arrived, 1u);
    __syncthreads();
    __threadfence();
    return before == parts - 1;
}

// Shows `see` the keys of a part of a row, each thread `items` at a time, and where they stand.
template <class F>
__device__ __forceinline__ void for_keys(const element* row, long long begin, long long end, F&& see) {
#pragma unroll 1
    for (; begin < end; begin += tile) {
        const long long first = begin + threadIdx.x;
        element x[items];
        key y[items];
#pragma unroll
        for (int i = 0; i < items; ++i) {
            x[i] = element();
            if (first + i * threads < end) x[i] = row[first + i * threads];
        }
#pragma unroll
        for (int i = 0; i < items; ++i) y[i] = key_of(x[i]);
        see(y, first);
    }
}

// Counts digits in [pass, passes) of what begins as a target does: where several thread blocks share a row, one digit,
// and the last of them tells what follows from all their counts.
extern "C" __global__ void __launch_bounds__(256)
    count_digits(const element* from, const long long* ranks, target* targets, unsigned* counts, unsigned* arrived,
                 long long length, long long parts, int count, int pass, int passes) {
    __shared__ unsigned own[most_ranks][copies][256];
    __shared__ target shared[most_ranks];
    __shared__ int leaders[most_ranks];
    __shared__ found_digit found;
    const long long row = blockIdx.x / parts, part = blockIdx.x % parts, end = (part + 1) * length / parts;
    targets += row * count;
    counts += row * count * 256;
    if (threadIdx.x < count)
        shared[threadIdx.x] = target_of(targets[threadIdx.x], pass == 0, (unsigned)ranks[threadIdx.x], length);
    __syncthreads();
    for (; pass < passes; ++pass) {
        bool all_done = true;
        for (int t = 0; t < count; ++t) all_done = all_done && is_done(shared[t]);
        if (all_done) break;
        // Targets of which the same is known share counts.
        if (threadIdx.x < count) {
            int leader = 0;
            const bound &b = shared[threadIdx.x].b, *first = &shared[0].b;
            while (first->x != b.x || first->place != b.place) first = &shared[++leader].b;
            leaders[threadIdx.x] = leader;
        }
        for (int i = threadIdx.x; i < count * copies * 256; i += threads) (&own[0][0][0])[i] = 0;
        __syncthreads();
        for_keys(from + row * length, part * length / parts, end, [&](const key(&y)[items], long long first) {
            for (int t = 0; t < count; ++t) {
                if (leaders[t] != t) continue;
                const bound b = shared[t].b;
                unsigned* const to = own[t][threadIdx.x % copies];
#pragma unroll
                for (int i = 0; i < items; ++i) {
                    const long long k = first + i * threads;
                    if (k < end && b.begins(y[i], (unsigned)k)) atomicAdd(to + digit(y[i], (unsigned)k, pass), 1u);
                }
            }
        });
        __syncthreads();
        for (int t = 0; t < count; ++t) {
            unsigned sum = 0;
            for (int i = 0; i < copies; ++i) sum += own[t][i][threadIdx.x];
            own[t][0][threadIdx.x] = sum;
            if (parts > 1 && sum) atomicAdd(counts + t * 256 + threadIdx.x, sum);
        }
        if (parts > 1) {
            if (!is_last(arrived + row, parts, found.before)) return;
            for (int t = 0; t < count; ++t) {
                volatile unsigned* const sum = counts + t * 256 + threadIdx.x;
                own[t][0][threadIdx.x] = *sum;
                *sum = 0;
            }
            if (threadIdx.x == 0) arrived[row] = 0;
        }
        for (int t = 0; t < count; ++t) {
            find_digit(found, own[leaders[t]][0][threadIdx.x], shared[t].rank);
            if (threadIdx.x == 0) {
                shared[t].b.add(pass, found.digit);
                shared[t].known = pass + 1;
                shared[t].rank -= found.before;
                shared[t].left = found.same;
            }
            __syncthreads();
        }
    }
    if ((parts == 1 || pass == passes) && threadIdx.x < count) targets[threadIdx.x] = shared[threadIdx.x];
}

// The element of a rank among the candidates that may be it.
__device__ __forceinline__ void tell(candidates& c, const target& t, const element* row, element* to) {
    const bound b = find_bound(c, t.b, t.known, t.rank, t.left, true);
    for (unsigned i = threadIdx.x; i < c.count; i += threads)
        if (b.begins(c.keys[i], c.places[i])) *to = row[c.places[i]];
    __syncthreads();
}

// Finds the elements among those that are left; where several thread blocks share a row, the last of them.
extern "C" __global__ void __launch_bounds__(256, $least_blocks)
    take_ranks(const element* from, const long long* ranks, target* targets, unsigned* lists, unsigned* arrived,
               element* to, long long length, long long parts, int count, int first) {
    __shared__ candidates c;
    __shared__ unsigned begin;
    const long long row = blockIdx.x / parts, part = blockIdx.x % parts, end = (part + 1) * length / parts;
    from += row * length;
    targets += row * count;
    lists += row * count * capacity;
    to += row * count;
    for (int i = 0; i < count; ++i) {
        const target t = target_of(targets[i], first, (unsigned)ranks[i], length);
        if (has_value(t)) {
            if (part == 0 && threadIdx.x == 0) to[i] = element_of(t.b.x);
            continue;
        }
        if (threadIdx.x == 0) c.count = 0;
        __syncthreads();
        for_keys(from, part * length / parts, end, [&](const key(&y)[items], long long k) {
#pragma unroll
            for (int l = 0; l < items; ++l) {
                const long long at = k + l * threads;
                append(c, at < end && t.b.begins(y[l], (unsigned)at), y[l], (unsigned)at);
            }
        });
        __syncthreads();
        if (parts == 1) {
            tell(c, t, from, to + i);
            continue;
        }
        if (threadIdx.x == 0) begin = atomicAdd(&targets[i].listed, c.count);
        __syncthreads();
        for (unsigned k = threadIdx.x; k < c.count; k += threads) lists[i * capacity + begin + k] = c.places[k];
        __syncthreads();
    }
    if (parts == 1 || !is_last(arrived + row, parts, begin)) return;
    for (int i = 0; i < count; ++i) {
        const target t = target_of(targets[i], first, (unsigned)ranks[i], length);
        if (has_value(t)) continue;
        for (unsigned k = threadIdx.x; k < t.left; k += threads) {
            c.places[k] = ((const volatile unsigned*)lists)[i * capacity + k];
            c.keys[k] = key_of(from[c.places[k]]);
        }
        if (threadIdx.x == 0) c.count = t.left;
        __syncthreads();
        tell(c, t, from, to + i);
    }
}
)cuda"
