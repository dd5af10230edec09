// Positions of words of 64 bits that have been sorted by their upper halves, as the whole words sort them.
R"cuda(
// `keys`, `numbers`: upper halves in order and where their words stand, equal ones in the order in which they stand.
// Words of equal upper halves stand side by side; each of them counts those before it.
extern "C" __global__ void __launch_bounds__(256)
    sort_lower_halves(const unsigned long long* words, const unsigned* keys, const unsigned* numbers, long long* result,
                      number length) {
    const number i = blockIdx.x * 256u + threadIdx.x;
    if (i >= length) return;
    const unsigned key = keys[i], own = numbers[i];
    if ((i == 0 || keys[i - 1] != key) && (i + 1 == length || keys[i + 1] != key)) {
        result[i] = own;
        return;
    }
    number begin = i;
    while (begin > 0 && keys[begin - 1] == key) --begin;
    const unsigned long long word = words[own];
    number place = begin;
    for (number k = begin; k < length && keys[k] == key; ++k) {
        const unsigned long long other = words[numbers[k]];
        place += other < word || (other == word && k < i);
    }
    result[place] = own;
}
)cuda"
