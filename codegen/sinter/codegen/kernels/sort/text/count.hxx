// Counting on CPUs: how often each number, or how many elements of each bin, there are; behind bins.hxx.
R"cxx(
//@ if histogram
// The bins of a block of elements, -1 for none.
static void find_bins(const binning& b, const element* from, int count, int* bin) {
    const double low = b.low, high = b.high, scale = b.scale;
    const double* const edges = b.edges;
    const int last = (int)(b.bins - 1);
    for (int i = 0; i < count; ++i) {
        const double x = (double)from[i];
        const bool inside = (x >= low) & (x <= high);
        const double at = inside ? (x - low) * scale : 0.0;
        const int quotient = (int)at, bounded = quotient < last ? quotient : last;
        const int near = at - (double)bounded < 0.5 ? bounded : bounded + 1;
        const int found = x < edges[near] ? near - 1 : near, within = found < last ? found : last;
        bin[i] = inside ? within : -1;
    }
}

//@ end
// Adds to `to` what is found in a part of the elements.
extern "C" void count(const void* values, const double* edges, long long* to, long long bins, long long begin,
                      long long end) {
    const element* const from = (const element*)values;
    // A place that is counted often is so in several copies in turn, which do not wait for each other.
    constexpr int copies = 4, most_bins = 1024, enough = 8192, at_once = 256;
    static_assert(at_once % copies == 0, "copies take turns");
    const bool copied = bins <= most_bins && end - begin >= enough;
    long long own[copies][most_bins];
    if (copied)
        for (int c = 0; c < copies; ++c)
            for (int i = 0; i < (int)bins; ++i) own[c][i] = 0;
    //@ if histogram
    const binning b = binning_of(edges, bins);
    if (!b.divides) {
        for (; begin < end; ++begin) {
            const long long at = searched_bin(edges, bins, (double)from[begin]);
            if (at >= 0) ++to[at];
        }
        return;
    }
    //@ end
    //@ if ends
    long long least = 0, most = 0;
    //@ end
    for (; begin < end; begin += at_once) {
        const int count = end - begin < at_once ? (int)(end - begin) : at_once;
        place at[at_once];
        //@ if histogram
        find_bins(b, from + begin, count, at);
        //@ else
        //@ if ends
        word low = 0, high = 0;
        for (int i = 0; i < count; ++i) {
            const word x = (word)from[begin + i];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        least = low < least ? low : least;
        most = high > most ? high : most;
        if (most >= bins) continue;
        //@ end
        for (int i = 0; i < count; ++i) at[i] = (word)from[begin + i];
        //@ end
        if (copied)
            for (int i = 0; i < count; ++i) {
                if ((unsigned long long)at[i] < (unsigned long long)bins) ++own[i % copies][at[i]];
            }
        else
            for (int i = 0; i < count; ++i)
                if ((unsigned long long)at[i] < (unsigned long long)bins) ++to[at[i]];
    }
    if (copied)
        for (int c = 0; c < copies; ++c)
            for (int i = 0; i < (int)bins; ++i) to[i] += own[c][i];
    //@ if ends
    const unsigned long long negative = 0ull - (unsigned long long)least;
    if (negative > (unsigned long long)to[bins]) to[bins] = (long long)negative;
    if (most > to[bins + 1]) to[bins + 1] = most;
    //@ end
}
)cxx"
