// Sorting of rows by keys on CPUs, each row by one thread or in steps that threads share; behind sort_keys.hxx.
R"cxx(
// Of the keys beside positions.
struct scope {
    key least;
    int dropped, bits;
};
constexpr int position_bits = 8 * (sizeof(key) - sizeof(element));
static inline key item_of(const scope& s, element x, long long i) {
    //@ if !positions
    return key_of(x);
    //@ else
    return (key_of(x) - s.least) >> s.dropped << s.bits | (key)i;
    //@ end
}
static inline long long position_of(const scope& s, key k) { return k & (((key)1 << s.bits) - 1); }

static void find_ends(const element* from, long long n, key& least, key& most) {
    // g++ finds both in vectors only where they have a sign.
    long long low = ~0ull >> 1, high = 1ull << 63;
    for (long long i = 0; i < n; ++i) {
        const long long k = key_of(from[i]) ^ 1ull << 63;
        low = k < low ? k : low;
        high = k > high ? k : high;
    }
    least = low ^ 1ull << 63;
    most = high ^ 1ull << 63;
}
static scope scope_of(key least, key most, long long length) {
    if (position_bits) return {0, 0, position_bits};
    const int bits = width_of(length - 1), over = width_of(most - least) + bits - 8 * (int)sizeof(key);
    return {least, over > 0 ? over : 0, bits};
}

// The items of n elements, of which the first is the one at `first`; whether some are not what their keys say.
static inline bool make_items(const scope& s, const element* from, key* to, long long first, long long n) {
    //@ if !positions
    key others = 0;
    //@ end
    for (long long i = 0; i < n; ++i) {
        to[i] = item_of(s, from[i], first + i);
        //@ if !positions
        others |= differs(from[i]) ? 1 : 0;
        //@ end
    }
    //@ if !positions
    return others != 0;
    //@ else
    return false;
    //@ end
}

// Sorts what equal keys have left open by the bits that were dropped.
static void resolve(const scope& s, const element* from, key* x, key* scratch, long long n) {
    for (long long i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && x[end] >> s.bits == x[i] >> s.bits;) ++end;
        if (end == i + 1) continue;
        bool ascends = true;
        for (long long k = i; k < end; ++k) {
            const long long at = position_of(s, x[k]);
            x[k] = ((key_of(from[at]) - s.least) & (((key)1 << s.dropped) - 1)) << s.bits | (key)at;
            ascends &= k == i || x[k - 1] < x[k];
        }
        if (!ascends) sort_keys(x + i, scratch + i, end - i, 0, ~(key)0, false, 64);
    }
}

// Sorts items between low and high into results.
static inline void sort_items(const scope& s, const element* from, result* to, key* x, key* y, long long n, key low,
                              key high) {
    sort_keys(x, y, n, low, high, false, 64);
    //@ if positions
    if (s.dropped) resolve(s, from, x, y, n);
    for (long long i = 0; i < n; ++i) to[i] = position_of(s, x[i]);
    //@ else
    for (long long i = 0; i < n; ++i) to[i] = element_of(x[i]);
    //@ end
}

// Puts zeros and NaN where their keys have come, as they are and in the order in which they stand.
static __attribute__((noinline)) void restore(const element* from, result* to, long long length) {
    //@ if !positions
    const key zero = key_of(0);
    long long below = 0, numbers = 0;
    for (long long i = 0; i < length; ++i) {
        below += key_of(from[i]) < zero;
        numbers += key_of(from[i]) != ~(key)0;
    }
    for (long long i = 0; i < length; ++i)
        if (differs(from[i]) || from[i] == 0) to[key_of(from[i]) == zero ? below++ : numbers++] = from[i];
    //@ end
}

// A row that one thread sorts at once.
static inline void sort_row(const element* from, result* to, long long length, key* x, key* y) {
    key least = 0, most = 0;
    //@ if positions
    if (position_bits == 0) find_ends(from, length, least, most);
    //@ end
    const scope s = scope_of(least, most, length);
    const bool others = make_items(s, from, x, 0, length);
    sort_items(s, from, to, x, y, length, 0, ~(key)0);
    if (others) restore(from, to, length);
}

// A row in steps, each of parts or buckets that do not wait for one another: keys are divided into buckets part by
// part, then each bucket is brought together and sorted.
struct shared_row {
    const element* from;
    result* to;
    long long length, part;
    int parts, buckets;
    key *x, *y;
    scope* whole;
    key* ends;          // of each part the least key, the greatest and whether there are others
    key* splitters;     // of each bucket the least key
    long long* starts;  // of each bucket the place of its first key
    int* offsets;       // of each part where its buckets begin, and its end

    long long begin(int p) const { return p * part < length ? p * part : length; }
};

static void find_splitters(const shared_row& r) {
    key least = ~(key)0, most = 0;
    //@ if positions
    for (int p = 0; p < r.parts; ++p) {
        least = r.ends[3 * p] < least ? r.ends[3 * p] : least;
        most = r.ends[3 * p + 1] > most ? r.ends[3 * p + 1] : most;
    }
    //@ end
    *r.whole = scope_of(least, most, r.length);
    const int count = 16 * r.buckets;
    unsigned long long state = r.length;
    for (int i = 0; i < count; ++i) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const long long at = (unsigned __int128)state * r.length >> 64;
        r.x[i] = item_of(*r.whole, r.from[at], at);
    }
    sort_keys(r.x, r.y, count, 0, ~(key)0, false, 64);
    // Items with equal keys are of one bucket.
    for (int b = 1; b < r.buckets; ++b) {
        //@ if positions
        r.splitters[b] = r.x[16 * b] >> r.whole->bits << r.whole->bits;
        //@ else
        r.splitters[b] = r.x[16 * b];
        //@ end
    }
    r.splitters[0] = 0;
}

// Divides n keys of x into the buckets [first, last), which come to stand in x or y as many divisions from here.
static void divide_keys(const shared_row& r, key* x, key* y, long long at, long long n, int first, int last,
                        int* offsets) {
    if (first + 1 == last) {
        offsets[first] = (int)at;
        return;
    }
    const int middle = (first + last) / 2;
    const long long below = divided(x + at, y + at, n, r.splitters[middle]);
    divide_keys(r, y, x, at, below, first, middle, offsets);
    divide_keys(r, y, x, at + below, n - below, middle, last, offsets);
}

static void divide_part(const shared_row& r, int p) {
    const long long begin = r.begin(p), n = r.begin(p + 1) - begin;
    key *x = r.x + begin, *y = r.y + begin;
    const bool odd = width_of(r.buckets) % 2 == 0;  // divisions
    int* offsets = r.offsets + (long long)p * (r.buckets + 1);
    r.ends[3 * p + 2] = make_items(*r.whole, r.from + begin, odd ? y : x, begin, n);
    divide_keys(r, odd ? y : x, odd ? x : y, 0, n, 0, r.buckets, offsets);
    offsets[r.buckets] = (int)n;
}

static void find_starts(const shared_row& r) {
    for (int b = 0; b <= r.buckets; ++b) r.starts[b] = 0;
    for (int p = 0; p < r.parts; ++p) {
        const int* offsets = r.offsets + (long long)p * (r.buckets + 1);
        for (int b = 0; b < r.buckets; ++b) r.starts[b + 1] += offsets[b + 1] - offsets[b];
    }
    for (int b = 0; b < r.buckets; ++b) r.starts[b + 1] += r.starts[b];
}

static void sort_bucket(const shared_row& r, int b) {
    key* y = r.y + r.starts[b];
    for (int p = 0; p < r.parts; ++p) {
        const int* offsets = r.offsets + (long long)p * (r.buckets + 1) + b;
        __builtin_memcpy(y, r.x + r.begin(p) + offsets[0], (offsets[1] - offsets[0]) * sizeof(key));
        y += offsets[1] - offsets[0];
    }
    result* to = r.to + r.starts[b];
    const key high = b + 1 < r.buckets ? r.splitters[b + 1] - 1 : ~(key)0;
    if (r.starts[b] == r.starts[b + 1]) return;
    sort_items(*r.whole, r.from, to, r.y + r.starts[b], (key*)to, r.starts[b + 1] - r.starts[b], r.splitters[b], high);
}

static void restore_row(const shared_row& r) {
    bool others = false;
    for (int p = 0; p < r.parts; ++p) others |= r.ends[3 * p + 2] != 0;
    if (others) restore(r.from, r.to, r.length);
}

// One of six steps, for some of the parts (steps 0 and 2), some of the buckets (step 4) or the row.
extern "C" void sort_step(const void* from, void* to, void* scratch, long long length, int parts, int buckets, int step,
                          long long first, long long last) {
    key* x = (key*)scratch;
    shared_row r{
        (const element*)from, (result*)to, length, (length + parts - 1) / parts, parts, buckets, x, x + length};
    r.whole = (scope*)(((unsigned long long)(x + 2 * length) + 15) / 16 * 16);
    r.ends = (key*)(r.whole + 1);
    r.splitters = r.ends + 3 * parts;
    r.starts = (long long*)(((unsigned long long)(r.splitters + buckets) + 7) / 8 * 8);
    r.offsets = (int*)(r.starts + buckets + 1);
    for (; first < last; ++first) {
        const int i = (int)first;
        //@ if positions
        if (step == 0 && position_bits == 0)
            find_ends(r.from + r.begin(i), r.begin(i + 1) - r.begin(i), r.ends[3 * i], r.ends[3 * i + 1]);
        //@ end
        if (step == 1) find_splitters(r);
        if (step == 2) divide_part(r, i);
        if (step == 3) find_starts(r);
        if (step == 4) sort_bucket(r, i);
        if (step == 5) restore_row(r);
    }
}

extern "C" void sort_rows(const void* from, void* to, long long begin, long long end, long long length, int parts,
                          int buckets, void* scratch) {
    key x[256], y[256];
    for (long long row = begin; row < end; ++row) {
        const element* source = (const element*)from + row * length;
        result* target = (result*)to + row * length;
        if (length <= 256) sort_row(source, target, length, x, y);
        else if (buckets == 0) sort_row(source, target, length, (key*)scratch, (key*)scratch + length);
        else
            for (int step = 0; step < 6; ++step)
                sort_step(source, target, scratch, length, parts, buckets, step, 0,
                          step == 4  ? buckets
                          : step % 2 ? 1
                                     : parts);
    }
}
)cxx"
