// The elements of given ranks of rows: digits are counted from the top until few elements have those of a rank; behind
// candidates.cuh.
R"cuda(
//@ if floating
constexpr int rank_digits = digits;
//@ else
// Equal elements are the same wherever they stand.
constexpr int rank_digits = key_digits;
//@ end
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

// Whether the element is known: those that are ordered alike are the same, but for those of a NaN and of 0.
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

// Shows `see` the keys of a part of a row, each thread `items` at a time: which of them there are, and where the first
// stands, `threads` before the next.
template <class F>
__device__ __forceinline__ void for_keys(const element* row, long long begin, long long end, F&& see) {
#pragma unroll 1
    for (; begin < end; begin += tile) {
        const int left = end - begin < tile ? (int)(end - begin) : tile;
        const element* const from = row + begin + threadIdx.x;
        element x[items];
        key y[items];
        unsigned there = 0;
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const bool is = (int)threadIdx.x + i * threads < left;
            there |= (unsigned)is << i;
            x[i] = element();
            if (is) x[i] = from[i * threads];
        }
#pragma unroll
        for (int i = 0; i < items; ++i) y[i] = key_of(x[i]);
        see(y, there, (unsigned)begin + threadIdx.x);
    }
}

//@ if counts
struct digit_counts {
    unsigned own[most_ranks][copies][256];
    target targets[most_ranks];
    int leaders[most_ranks];
    found_digit found;
};

// Begins to count: targets of which the same is known share counts.
__device__ __forceinline__ void clear(digit_counts& c, int count) {
    if (threadIdx.x < count) c.leaders[threadIdx.x] = leader_of(c.targets, threadIdx.x);
    for (int i = threadIdx.x; i < count * copies * 256; i += threads) (&c.own[0][0][0])[i] = 0;
    __syncthreads();
}

__device__ __forceinline__ void count_part(digit_counts& c, const element* row, long long begin, long long end,
                                           int count, int pass) {
    for_keys(row, begin, end, [&](const key(&y)[items], unsigned there, unsigned first) {
        for (int t = 0; t < count; ++t) {
            if (c.leaders[t] != t) continue;
            const bound b = c.targets[t].b;
            unsigned* const to = c.own[t][threadIdx.x % copies];
#pragma unroll
            for (int i = 0; i < items; ++i) {
                const unsigned place = first + i * threads;
                if ((there >> i & 1) && b.begins(y[i], place)) atomicAdd(to + digit(y[i], place, pass), 1u);
            }
        }
    });
    __syncthreads();
    for (int t = 0; t < count; ++t)
        for (int i = 1; i < copies; ++i) c.own[t][0][threadIdx.x] += c.own[t][i][threadIdx.x];
}

// Adds the counts to those of the row's other thread blocks; the last of them gets all and lets the next launch begin
// at 0.
__device__ __forceinline__ bool join_parts(digit_counts& c, unsigned* counts, unsigned* arrived, long long parts,
                                           int count) {
    for (int t = 0; t < count; ++t)
        if (const unsigned n = c.own[t][0][threadIdx.x]) atomicAdd(counts + t * 256 + threadIdx.x, n);
    if (!is_last(arrived, parts, c.found.before)) return false;
    for (int t = 0; t < count; ++t) {
        volatile unsigned* const sum = counts + t * 256 + threadIdx.x;
        c.own[t][0][threadIdx.x] = *sum;
        *sum = 0;
    }
    if (threadIdx.x == 0) *arrived = 0;
    return true;
}

__device__ __forceinline__ void add_digits(digit_counts& c, int count, int pass) {
    for (int t = 0; t < count; ++t) {
        find_digit(c.found, c.own[c.leaders[t]][0][threadIdx.x], c.targets[t].rank);
        if (threadIdx.x == 0) {
            target& own = c.targets[t];
            own.b.add(pass, c.found.digit);
            own.known = pass + 1;
            own.rank -= c.found.before;
            own.left = c.found.same;
        }
        __syncthreads();
    }
}

// Counts digits in [pass, passes) of what begins as a target does: where several thread blocks share a row, one digit,
// and the last of them tells what follows from all their counts.
extern "C" __global__ void __launch_bounds__(256, $least_blocks)
    count_digits(const element* from, const long long* ranks, target* targets, unsigned* counts, unsigned* arrived,
                 long long length, long long parts, int count, int pass, int passes) {
    __shared__ digit_counts c;
    const long long row = blockIdx.x / parts, part = blockIdx.x % parts;
    targets += row * count;
    load_targets(c.targets, targets, ranks, length, count, pass == 0);
    for (; pass < passes && !are_few(c.targets, count); ++pass) {
        clear(c, count);
        count_part(c, from + row * length, part * length / parts, (part + 1) * length / parts, count, pass);
        if (parts > 1 && !join_parts(c, counts + row * count * 256, arrived + row, parts, count)) return;
        add_digits(c, count, pass);
    }
    if ((parts == 1 || pass == passes) && threadIdx.x < count) targets[threadIdx.x] = c.targets[threadIdx.x];
}
//@ else
// The elements of the targets' ranks, known by now or among the candidates.
__device__ __forceinline__ void tell(candidates& c, const target* targets, int count, const element* row, element* to) {
    for (int t = 0; t < count; ++t) {
        const target own = targets[t];
        if (has_value(own)) {
            if (threadIdx.x == 0) to[t] = element_of(own.b.x);
            continue;
        }
        const bound b = find_bound(c, own.b, own.known, rank_digits, own.rank, own.left, true);
        for (unsigned i = threadIdx.x; i < c.count; i += threads)
            if (b.begins(c.keys[i], c.places[i])) to[t] = row[c.places[i]];
    }
}

// Finds the elements among those that are left; where several thread blocks share a row, the last of them.
extern "C" __global__ void __launch_bounds__(256, $least_blocks)
    take_ranks(const element* from, const long long* ranks, const target* targets, unsigned* lists, unsigned* listed,
               unsigned* arrived, element* to, long long length, long long parts, int count, int begins) {
    __shared__ candidates c;
    __shared__ target shared[most_ranks];
    __shared__ unsigned before;
    const long long row = blockIdx.x / parts, part = blockIdx.x % parts;
    from += row * length;
    lists += row * capacity;
    to += row * count;
    if (threadIdx.x == 0) c.count = 0;
    load_targets(shared, targets + row * count, ranks, length, count, begins);
    bool all_known = true;
    for (int t = 0; t < count; ++t) all_known = all_known && has_value(shared[t]);
    if (all_known) {
        if (part == 0) tell(c, shared, count, from, to);
        return;
    }
    for_keys(from, part * length / parts, (part + 1) * length / parts,
             [&](const key(&y)[items], unsigned there, unsigned first) {
                 unsigned is = 0, place[items];
#pragma unroll
                 for (int i = 0; i < items; ++i) place[i] = first + i * threads;
                 for (int t = 0; t < count; ++t) {
                     if (has_value(shared[t])) continue;
                     const bound b = shared[t].b;
#pragma unroll
                     for (int i = 0; i < items; ++i) is |= (unsigned)b.begins(y[i], place[i]) << i;
                 }
                 append(c, is & there, y, place);
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
//@ end
)cuda"
