// The elements of some ranks in rows on CPUs, by the divisions of a sort, of which only those go on that a rank falls
// into; behind sort_keys.hxx.
R"cxx(
// The keys that have these ranks, in ascending order, among all of which the n keys of x, between low and high, are
// those from the one of rank `first` on. After `trials` divisions by keys that are there, ranges are halved.
static void select_keys(key* x, key* y, long long n, long long first, key low, key high, const long long* ranks,
                        int count, key* found, int trials) {
    while (count > 0) {
        if (n <= (low == high ? n : most)) {
            if (low != high) sort_few(x, y, n);
            for (int r = 0; r < count; ++r) found[r] = low == high ? low : y[ranks[r] - first];
            return;
        }
        key pivot = trials ? sample_of(x, n).middle : low + (high - low) / 2 + 1;
        long long below = pivot == low ? 0 : divided(x, y, n, pivot);
        if (below == 0 && pivot == high) {
            low = high;
            continue;
        }
        if (below == 0) below = divided(x, y, n, ++pivot);
        int left = 0;
        while (left < count && ranks[left] < first + below) ++left;
        trials -= trials > 0;
        select_keys(y, x, below, first, low, pivot - 1, ranks, left, found, trials);
        key* const other = x + below;
        x = y + below;
        y = other;
        n -= below;
        first += below;
        low = pivot;
        ranks += left;
        found += left;
        count -= left;
    }
}

// The element of a rank and key: of zeros and NaN the one that stands there in a sort, which keeps their order.
static element element_at(const element* from, long long length, long long rank, key k, bool others) {
    if (!others || (k != key_of(0) && k != ~(key)0)) return element_of(k);
    for (long long i = 0; i < length; ++i) rank -= key_of(from[i]) < k;
    long long i = 0;
    while (key_of(from[i]) != k || rank-- > 0) ++i;
    return from[i];
}

extern "C" void select_ranks(const void* from, void* to, long long begin, long long end, long long length,
                             const long long* ranks, int count, void* scratch) {
    key *x = (key*)scratch, *y = x + length, *found = y + length;
    for (long long row = begin; row < end; ++row) {
        const element* source = (const element*)from + row * length;
        key others = 0, least, greatest;
        for (long long i = 0; i < length; ++i) {
            x[i] = key_of(source[i]);
            others |= differs(source[i]) ? 1 : 0;
        }
        find_range(x, length, least, greatest);
        // NaN would be the last, which many ask for beside others.
        const bool last = count > 0 && ranks[count - 1] == length - 1;
        if (last) found[count - 1] = greatest;
        select_keys(x, y, length, 0, least, greatest, ranks, count - last, found, 64);
        for (int r = 0; r < count; ++r)
            ((element*)to)[row * count + r] = element_at(source, length, ranks[r], found[r], others != 0);
    }
}
)cxx"
