// Products of matrices, one or a stack of them, by tiles that wait in shared memory: of a tile of the result a thread
// computes $each rows and columns, four by four side by side.
R"cuda(
struct matrix_walk {
    long long matrix, row, column;
};

// What a thread carries from an operand's next tile to shared memory, whose neighbours lie along the terms or across.
struct tile_part {
    word x[$carried];

    __device__ void load(const element* from, long long across, long long along, int lines, int terms, bool by_terms) {
#pragma unroll
        for (int u = 0; u < $carried; ++u) {
            const int at = threadIdx.x + 256 * u;
            const int line = by_terms ? at / 16 : at % $side, term = by_terms ? at % 16 : at / $side;
            x[u] = line < lines && term < terms ? (word)from[line * across + term * along] : 0;
        }
    }
    __device__ void store(word (*tile)[$side + 4], bool by_terms) const {
#pragma unroll
        for (int u = 0; u < $carried; ++u) {
            const int at = threadIdx.x + 256 * u;
            tile[by_terms ? at % 16 : at / $side][by_terms ? at / 16 : at % $side] = x[u];
        }
    }
};

static __device__ inline void write(element* to, word sum) { $write }

extern "C" __global__ void __launch_bounds__(256)
    multiply(const element* a, const element* b, element* c, matrix_walk in_a, matrix_walk in_b, long long count, int m,
             int n, int all_terms, int terms) {
    alignas(16) __shared__ word tiles_a[2][16][$side + 4];
    alignas(16) __shared__ word tiles_b[2][16][$side + 4];
    const int across = (n - 1) / $side + 1;
    const int row = (int)(blockIdx.x / across) * $side, column = (int)(blockIdx.x % across) * $side;
    const int down = threadIdx.x / 16 * 4, right = threadIdx.x % 16 * 4;
    // Thread blocks share out a long sum, and add their parts to zeros.
    const int from = (int)blockIdx.z * terms, k = all_terms - from < terms ? all_terms - from : terms;
    const bool a_by_terms = in_a.column == 1, b_by_terms = in_b.row == 1 && in_b.column != 1;
#pragma unroll 1
    for (long long matrix = blockIdx.y; matrix < count; matrix += gridDim.y) {
        const element* x = a + matrix * in_a.matrix + row * in_a.row + from * in_a.column;
        const element* y = b + matrix * in_b.matrix + column * in_b.column + from * in_b.row;
        word sum[$each][$each] = {};
        tile_part next_a, next_b;
        next_a.load(x, in_a.row, in_a.column, m - row, k, a_by_terms);
        next_b.load(y, in_b.column, in_b.row, n - column, k, b_by_terms);
        int now = 0;
#pragma unroll 1
        for (int first = 0; first < k; first += 16, now ^= 1) {
            next_a.store(tiles_a[now], a_by_terms);
            next_b.store(tiles_b[now], b_by_terms);
            __syncthreads();
            if (first + 16 < k) {
                x += 16 * in_a.column;
                y += 16 * in_b.row;
                next_a.load(x, in_a.row, in_a.column, m - row, k - first - 16, a_by_terms);
                next_b.load(y, in_b.column, in_b.row, n - column, k - first - 16, b_by_terms);
            }
#pragma unroll
            for (int l = 0; l < 16; ++l) {
                word p[$each], q[$each];
#pragma unroll
                for (int i = 0; i < $each; ++i) {
                    p[i] = tiles_a[now][l][i / 4 * 64 + down + i % 4];
                    q[i] = tiles_b[now][l][i / 4 * 64 + right + i % 4];
                }
#pragma unroll
                for (int i = 0; i < $each; ++i)
#pragma unroll
                    for (int j = 0; j < $each; ++j) sum[i][j] $combine p[i] $times q[j];
            }
        }
        element* const to = c + matrix * m * n;
#pragma unroll
        for (int i = 0; i < $each; ++i) {
            const int at = row + i / 4 * 64 + down + i % 4;
#pragma unroll
            for (int j = 0; j < $each; ++j) {
                const int beside = column + j / 4 * 64 + right + j % 4;
                if (at < m && beside < n) write(to + (long long)at * n + beside, sum[i][j]);
            }
        }
        // The next matrix begins with the buffer that is not read any more.
        __syncthreads();
    }
}
)cuda"
