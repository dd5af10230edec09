// Writing rows of values to positions of an array on CPUs, one after the other.
R"cxx(
extern "C" void scatter(const void* values, const long long* positions, void* to, long long count, long long size,
                        long long width, long long* error) {
    for (long long i = 0; i < count; ++i) {
        const long long at = positions[i];
        if (at < 0 || at >= size) {
            if (!error[0]) error[0] = 1, error[1] = at;
            continue;
        }
        for (long long c = 0; c < width; ++c) {
            const element value = ((const element*)values)[i * width + c];
            element& x = ((element*)to)[at * width + c];
            $combine;
        }
    }
}
)cxx"
