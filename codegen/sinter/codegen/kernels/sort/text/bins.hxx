// Which of equal bins an element lies in: the last whose left edge is not behind it; for both languages.
R"cxx(
struct binning {
    const double* edges;
    double low, high, scale, margin;
    long long bins;
    bool divides;  // else the edges are searched
};

$function binning binning_of(const double* edges, long long bins) {
    const double low = edges[0], high = edges[bins], width = (high - low) / (double)bins, inverse = 1 / width;
    const double left = low < 0 ? -low : low, right = high < 0 ? -high : high, size = left > right ? left : right;
    const bool finite = width - width == 0 && inverse - inverse == 0;
    // Edges, and quotients, are rounded a few times: so far from an integer both are on the same side.
    const double margin = 0x1p-48 * (size / width + (double)bins);
    return {edges,
            low,
            high,
            (double)bins / (high - low),
            margin,
            bins,
            finite && width > 1e-13 * size && bins < 1ll << 31};
}

// The bin that is found among the edges, or -1.
$cold long long searched_bin(const double* edges, long long bins, double x) {
    const long long count = bins + 1;
    long long step = 1, at = 0;
    while (step <= count / 2) step *= 2;
    for (; step > 0; step /= 2) {
        if (at + step > count) continue;
        const double edge = edges[at + step - 1];
        if (!(x < edge || (edge != edge && x == x))) at += step;
    }
    const long long bin = x == edges[bins] ? bins - 1 : at - 1;
    return bin < bins ? bin : -1;
}

// The bin of an element, or -1.
$function long long bin_of(const binning& b, double x) {
    if (!b.divides) return searched_bin(b.edges, b.bins, x);
    if (!(x >= b.low && x <= b.high)) return -1;
    const double at = (x - b.low) * b.scale;
    const int last = (int)(b.bins - 1), quotient = (int)at, bin = quotient < last ? quotient : last;
    const double rest = at - (double)bin;
    if (rest >= b.margin && rest <= 1 - b.margin) return bin;
    const int near = rest < 0.5 ? bin : bin + 1, found = x < b.edges[near] ? near - 1 : near;
    return found < last ? found : last;
}
)cxx"
