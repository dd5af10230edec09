// Writing values, or rows of them, to positions of an array on CPUs, one after the other.
R"cxx(
static inline void combine(element& x, const element value) { $combine; }

extern "C" void scatter(const void* values, const void* positions, void* to, long long count, long long size,
                        long long width, long long* error) {
    for (long long i = 0; i < count; ++i) {
        const long long at = position_of(((const given_position*)positions)[i], size);
        if (at < 0 || at >= size) {
            if (!error[0]) error[0] = 1, error[1] = at;
            continue;
        }
        const element* row = (const element*)values + i * width;
        element* x = (element*)to + at * width;
        if (width == 1) combine(*x, *row);
        else
            for (long long c = 0; c < width; ++c) combine(x[c], row[c]);
    }
}
)cxx"
