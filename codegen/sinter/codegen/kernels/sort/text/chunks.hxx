// Combining many values that meet in few places on CPUs: by chunks of values, those of a group one after the other.
R"cxx(
// Of a group of chunks to what it has for each place.
extern "C" void combine_group(const void* values, const void* positions, void* partial, long long group,
                              long long count, long long size, long long length, long long* error) {
    element own[$most_places];
    element* joined = (element*)partial + group * size;
    for (long long k = 0; k < size; ++k) joined[k] = $identity;
    for (long long chunk = group * $chunks; chunk < (group + 1) * $chunks; ++chunk) {
        const long long begin = chunk * length, end = count - begin < length ? count : begin + length;
        for (long long k = 0; k < size; ++k) own[k] = $identity;
        for (long long i = begin; i < end; ++i) {
            const long long at = position_of(((const given_position*)positions)[i], size);
            if (at < 0 || at >= size) {
                if (!error[0]) error[0] = 1, error[1] = at;
                continue;
            }
            const element value = ((const element*)values)[i];
            element& x = own[at];
            $combine;
        }
        for (long long k = 0; k < size; ++k) {
            const element value = own[k];
            element& x = joined[k];
            $combine;
        }
    }
}

extern "C" void join_groups(const void* partial, void* to, long long size, long long groups) {
    for (long long group = 0; group < groups; ++group)
        for (long long k = 0; k < size; ++k) {
            const element value = ((const element*)partial)[group * size + k];
            element& x = ((element*)to)[k];
            $combine;
        }
}
)cxx"
