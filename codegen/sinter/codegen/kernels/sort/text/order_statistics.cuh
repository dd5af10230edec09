// The elements of given ranks of rows: digits are counted from the top until few elements have those of a rank; behind candidates.cuh.
R"cuda(
constexpr int most_ranks = $most_ranks, copies = 4;

// What is known of the element of a rank: digits, its rank among the elements that begin with them, and how many do.
struct target {
    bound b;
    int known;
    unsigned rank, left;
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

// The first target of which the same is known.
__device__ __forceinline__ int leader_of(const target* targets, int t) {
    int leader = 0;
    while (targets[leader].b.x != targets[t].b.x || targets[leader].b.place != targets[t].b.place) ++leader;
    return leader;
}

// Whether there is room for all elements that may be a target's.
__device__ __forceinline__ bool are_few(const target* targets, int count) {
    unsigned long long sum = 0;
    for (int t = 0; t < count; ++t)
        if (!has_value(targets[t]) && leader_of(targets, t) == t) sum += targets[t].left;
    return sum <= capacity;
}

// A thread for each target takes it from where an earlier launch has left it.
__device__ __forceinline__ void load_targets(target* shared, const target* told, const long long* ranks,
                                             long long length, int count, bool first) {
    if (threadIdx.x < count) {
        target t = {};
        t.rank = (unsigned)ranks[threadIdx.x];
        t.left = (unsigned)length;
        shared[threadIdx.x] = first ? t : told[threadIdx.x];
    }
    __syncthreads();
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
extern "C" __global__ void __launch_bounds__(256, $least_blocks)
    count_digits(const element* from, const long long* ranks, target* targets, unsigned* counts, unsigned* arrived,
                 long long length, long long parts, int count, int pass, int passes) {
    __shared__ unsigned own[most_ranks][copies][256];
    __shared__ target shared[most_ranks];
    __shared__ int leaders[most_ranks];
    __shared__ found_digit found;
    const long long row = blockIdx.x / parts, part = blockIdx.x % parts, end = (part + 1) * length / parts;
    targets += row * count;
    counts += row * count * 256;
    load_targets(shared, targets, ranks, length, count, pass == 0);
    for (; pass < passes && !are_few(shared, count); ++pass) {
        // Targets of which the same is known share counts.
        if (threadIdx.x < count) leaders[threadIdx.x] = leader_of(shared, threadIdx.x);
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

// The elements of the targets' ranks, known by now or among the candidates.
__device__ __forceinline__ void tell(candidates& c, const target* targets, int count, const element* row, element* to) {
    for (int t = 0; t < count; ++t) {
        const target own = targets[t];
        if (has_value(own)) {
            if (threadIdx.x == 0) to[t] = element_of(own.b.x);
            continue;
        }
        const bound b = find_bound(c, own.b, own.known, own.rank, own.left, true);
        for (unsigned i = threadIdx.x; i < c.count; i += threads)
            if (b.begins(c.keys[i], c.places[i])) to[t] = row[c.places[i]];
    }
}

// Finds the elements among those that are left; where several thread blocks share a row, the last of them.
extern "C" __global__ void __launch_bounds__(256, $least_blocks)
    take_ranks(const element* from, const long long* ranks, const target* targets, unsigned* lists, unsigned* listed,
               unsigned* arrived, element* to, long long length, long long parts, int count, int first) {
    __shared__ candidates c;
    __shared__ target shared[most_ranks];
    __shared__ unsigned before;
    const long long row = blockIdx.x / parts, part = blockIdx.x % parts, end = (part + 1) * length / parts;
    from += row * length;
    lists += row * capacity;
    to += row * count;
    if (threadIdx.x == 0) c.count = 0;
    load_targets(shared, targets + row * count, ranks, length, count, first);
    for_keys(from, part * length / parts, end, [&](const key(&y)[items], long long begin) {
        unsigned is = 0, place[items];
#pragma unroll
        for (int i = 0; i < items; ++i) place[i] = (unsigned)begin + i * threads;
        for (int t = 0; t < count; ++t) {
            const target own = shared[t];
            if (has_value(own)) continue;
#pragma unroll
            for (int i = 0; i < items; ++i)
                is |= (unsigned)(begin + i * threads < end && own.b.begins(y[i], place[i])) << i;
        }
        append(c, is, y, place);
    });
    __syncthreads();
    if (parts == 1) return tell(c, shared, count, from, to);
    if (threadIdx.x == 0) before = atomicAdd(listed + row, c.count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < c.count; i += threads) lists[before + i] = c.places[i];
    __syncthreads();
    if (!is_last(arrived + row, parts, before)) return;
    if (threadIdx.x == 0) c.count = *(volatile unsigned*)(listed + row);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < c.count; i += threads) {
        c.places[i] = ((const volatile unsigned*)lists)[i];
        c.keys[i] = key_of(from[c.places[i]]);
    }
    __syncthreads();
    tell(c, shared, count, from, to);
}
)cuda"
