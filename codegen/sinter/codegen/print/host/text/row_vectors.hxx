// As row_fours.hxx does of any rows, of $rows of them: their fours become vectors of one element of each row.
R"cxx(
static inline void transpose_$rows($type (*to)[$places], const $type* const* from, int m) {
    typedef $word four_words __attribute__((vector_size(4 * sizeof($word)), aligned(sizeof($word)), may_alias));
    typedef $word words __attribute__((vector_size($rows * sizeof($word)), aligned(sizeof($word)), may_alias));
    //@ if sixteen
    typedef $word eight_words __attribute__((vector_size(8 * sizeof($word))));
    //@ end
    for (int g = 0; g < m / 4; ++g) {
        const four_words row0 = *(const four_words*)(from[0] + 4 * g), row1 = *(const four_words*)(from[1] + 4 * g);
        const four_words row2 = *(const four_words*)(from[2] + 4 * g), row3 = *(const four_words*)(from[3] + 4 * g);
        const four_words row4 = *(const four_words*)(from[4] + 4 * g), row5 = *(const four_words*)(from[5] + 4 * g);
        const four_words row6 = *(const four_words*)(from[6] + 4 * g), row7 = *(const four_words*)(from[7] + 4 * g);
        //@ if eight
        const words rows0 = __builtin_shufflevector(row0, row4, 0, 1, 2, 3, 4, 5, 6, 7);
        const words rows1 = __builtin_shufflevector(row1, row5, 0, 1, 2, 3, 4, 5, 6, 7);
        const words rows2 = __builtin_shufflevector(row2, row6, 0, 1, 2, 3, 4, 5, 6, 7);
        const words rows3 = __builtin_shufflevector(row3, row7, 0, 1, 2, 3, 4, 5, 6, 7);
        //@ end
        //@ if sixteen
        const four_words row8 = *(const four_words*)(from[8] + 4 * g), row9 = *(const four_words*)(from[9] + 4 * g);
        const four_words row10 = *(const four_words*)(from[10] + 4 * g), row11 = *(const four_words*)(from[11] + 4 * g);
        const four_words row12 = *(const four_words*)(from[12] + 4 * g), row13 = *(const four_words*)(from[13] + 4 * g);
        const four_words row14 = *(const four_words*)(from[14] + 4 * g), row15 = *(const four_words*)(from[15] + 4 * g);
        const eight_words low0 = __builtin_shufflevector(row0, row4, 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words low1 = __builtin_shufflevector(row1, row5, 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words low2 = __builtin_shufflevector(row2, row6, 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words low3 = __builtin_shufflevector(row3, row7, 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words high0 = __builtin_shufflevector(row8, row12, 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words high1 = __builtin_shufflevector(row9, row13, 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words high2 = __builtin_shufflevector(row10, row14, 0, 1, 2, 3, 4, 5, 6, 7);
        const eight_words high3 = __builtin_shufflevector(row11, row15, 0, 1, 2, 3, 4, 5, 6, 7);
        const words rows0 = __builtin_shufflevector(low0, high0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        const words rows1 = __builtin_shufflevector(low1, high1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        const words rows2 = __builtin_shufflevector(low2, high2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        const words rows3 = __builtin_shufflevector(low3, high3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        //@ end
        const words a = __builtin_shufflevector(rows0, rows1, $some);
        const words b = __builtin_shufflevector(rows0, rows1, $others);
        const words c = __builtin_shufflevector(rows2, rows3, $some);
        const words d = __builtin_shufflevector(rows2, rows3, $others);
        *(words*)(to[0] + $rows * g) = __builtin_shufflevector(a, c, $low);
        *(words*)(to[$second] + $rows * g) = __builtin_shufflevector(a, c, $high);
        *(words*)(to[$third] + $rows * g) = __builtin_shufflevector(b, d, $low);
        *(words*)(to[3] + $rows * g) = __builtin_shufflevector(b, d, $high);
    }
    for (int l = m / 4 * 4; l < m; ++l)
        for (int k = 0; k < $rows; ++k) to[l % 4][l / 4 * $rows + k] = from[k][l];
}
)cxx"
