// The radix sort of CPUs, whose passes can be shared by threads.
R"cxx(
static inline item made(const element* from, long long i) {
    item x;
    x.value = from[i];
    //@ if positions
    x.position = (number)i;
    //@ end
    return x;
}
static inline item made(const item* from, long long i) { return from[i]; }
//@ if !positions
static inline void put(element* to, long long at, const item& x) { to[at] = x.value; }
//@ else
static inline void put(long long* to, long long at, const item& x) { to[at] = x.position; }
//@ end
static inline void put(item* to, long long at, const item& x) { to[at] = x; }

// How often each digit of the passes [first, last) occurs among [begin, end).
template <class From>
static void count(const From* from, long long begin, long long end, int first, int last, long long* counts) {
    for (long long i = 0; i < (last - first) * 256LL; ++i) counts[i] = 0;
    for (long long i = begin; i < end; ++i) {
        const element x = made(from, i).value;
        for (int pass = first; pass < last; ++pass) ++counts[(pass - first) * 256 + digit(x, pass)];
    }
}

// Moves [begin, end) to their places by one digit; `starts` has the next place of each and is advanced.
template <class From, class To>
static void move(const From* from, To* to, long long begin, long long end, int pass, long long* starts) {
    for (long long i = begin; i < end; ++i) {
        const item x = made(from, i);
        put(to, starts[digit(x.value, pass)]++, x);
    }
}

template <class From>
static void move_from(const From* from, void* to, bool last, long long begin, long long end, int pass,
                      long long* starts) {
    if (last) move(from, (result*)to, begin, end, pass, starts);
    else move(from, (item*)to, begin, end, pass, starts);
}

// A short row: each element sinks to its place among those before it.
static void sort_short(const element* from, result* to, int length) {
    item x[64];
    for (int i = 0; i < length; ++i) {
        const item y = made(from, i);
        int at = i;
        for (; at > 0 && before(y.value, x[at - 1].value); --at) x[at] = x[at - 1];
        x[at] = y;
    }
    for (int i = 0; i < length; ++i) put(to, i, x[i]);
}

// A row; `scratch` holds two items per element.
static void sort_row(const element* from, result* to, long long length, int passes, item* scratch) {
    if (length <= 64) return sort_short(from, to, (int)length);
    long long counts[digits * 256];
    count(from, 0, length, 0, passes, counts);
    int wanted[digits], n = 0;
    for (int pass = 0; pass < passes; ++pass)
        if (counts[pass * 256 + digit(from[0], pass)] != length) wanted[n++] = pass;
    if (n == 0)
        for (long long i = 0; i < length; ++i) put(to, i, made(from, i));
    item* side[2] = {scratch, scratch + length};
    for (int i = 0; i < n; ++i) {
        long long* starts = counts + wanted[i] * 256;
        for (long long d = 0, sum = 0; d < 256; ++d) {
            const long long count = starts[d];
            starts[d] = sum;
            sum += count;
        }
        void* target = i + 1 == n ? (void*)to : (void*)side[i % 2];
        if (i == 0) move_from(from, target, n == 1, 0, length, wanted[i], starts);
        else move_from(side[(i + 1) % 2], target, i + 1 == n, 0, length, wanted[i], starts);
    }
}

extern "C" void sort_count(const void* from, long long begin, long long end, int raw, int first, int last,
                           long long* counts) {
    if (raw) count((const element*)from, begin, end, first, last, counts);
    else count((const item*)from, begin, end, first, last, counts);
}

extern "C" void sort_move(const void* from, void* to, int raw, int last, long long begin, long long end, int pass,
                          long long* starts) {
    if (raw) move_from((const element*)from, to, last, begin, end, pass, starts);
    else move_from((const item*)from, to, last, begin, end, pass, starts);
}

extern "C" void sort_rows(const void* from, void* to, long long begin, long long end, long long length, int passes, int,
                          void* scratch) {
    for (long long row = begin; row < end; ++row)
        sort_row((const element*)from + row * length, (result*)to + row * length, length, passes, (item*)scratch);
}
)cxx"
