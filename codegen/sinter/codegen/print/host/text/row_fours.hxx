// Rows of m elements, `wide` of them, become fours of these, one row beside the other: element c of group g of row k
// lies at to[c][wide g + k].
R"cxx(
static inline void transpose_fours($type (*to)[$places], const $type* const* from, int m, int wide) {
    //@ if many
    if (wide == $rows) return transpose_$rows(to, from, m);
    constexpr int rows = 4;
    //@ else
    const int rows = wide;
    //@ end
    int g = 0;
    //@ if in_words
    typedef unsigned row_word __attribute__((vector_size(32), aligned(4), may_alias));
    for (; g < m / 8 * 2; g += 2) {
        const row_word row0 = *(const row_word*)(from[0] + 4 * g), row1 = *(const row_word*)(from[1] + 4 * g);
        const row_word row2 = *(const row_word*)(from[2] + 4 * g), row3 = *(const row_word*)(from[3] + 4 * g);
        const row_word a = __builtin_shufflevector(row0, row2, 0, 8, 1, 9, 4, 12, 5, 13);
        const row_word b = __builtin_shufflevector(row0, row2, 2, 10, 3, 11, 6, 14, 7, 15);
        const row_word c = __builtin_shufflevector(row1, row3, 0, 8, 1, 9, 4, 12, 5, 13);
        const row_word d = __builtin_shufflevector(row1, row3, 2, 10, 3, 11, 6, 14, 7, 15);
        *(row_word*)(to[0] + 4 * g) = __builtin_shufflevector(a, c, 0, 8, 1, 9, 4, 12, 5, 13);
        *(row_word*)(to[1] + 4 * g) = __builtin_shufflevector(a, c, 2, 10, 3, 11, 6, 14, 7, 15);
        *(row_word*)(to[2] + 4 * g) = __builtin_shufflevector(b, d, 0, 8, 1, 9, 4, 12, 5, 13);
        *(row_word*)(to[3] + 4 * g) = __builtin_shufflevector(b, d, 2, 10, 3, 11, 6, 14, 7, 15);
    }
    //@ end
    //@ if in_long_words
    typedef unsigned long long row_word __attribute__((vector_size(32), aligned(8), may_alias));
    for (; g < m / 4; ++g) {
        const row_word row0 = *(const row_word*)(from[0] + 4 * g), row1 = *(const row_word*)(from[1] + 4 * g);
        const row_word row2 = *(const row_word*)(from[2] + 4 * g), row3 = *(const row_word*)(from[3] + 4 * g);
        const row_word a = __builtin_shufflevector(row0, row1, 0, 4, 2, 6);
        const row_word b = __builtin_shufflevector(row0, row1, 1, 5, 3, 7);
        const row_word c = __builtin_shufflevector(row2, row3, 0, 4, 2, 6);
        const row_word d = __builtin_shufflevector(row2, row3, 1, 5, 3, 7);
        *(row_word*)(to[0] + 4 * g) = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        *(row_word*)(to[1] + 4 * g) = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        *(row_word*)(to[2] + 4 * g) = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        *(row_word*)(to[3] + 4 * g) = __builtin_shufflevector(b, d, 2, 3, 6, 7);
    }
    //@ end
    for (int l = 4 * g; l < m; ++l)
        for (int k = 0; k < rows; ++k) to[l % 4][l / 4 * rows + k] = from[k][l];
}
)cxx"
