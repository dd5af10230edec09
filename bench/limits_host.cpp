// Loops written by hand for the rows that a CPU measures: plain ones over the same team of threads.
#include "limits.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <sinter/runtime/base/byte_stream.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/base/thread_team.hpp>

using namespace sinter;

namespace {

double cache_bytes() {
    const char* given = std::getenv("BENCH_CACHE_BYTES");
    return given ? std::atof(given) : 64e6;
}

// The widest vectors of this machine; libmvec has exp for them.
#if defined(__AVX512F__)
using vector = float __attribute__((vector_size(64)));
extern "C" vector _ZGVeN16v_expf(vector);
inline vector vector_exp(vector x) { return _ZGVeN16v_expf(x); }
#elif defined(__AVX2__)
using vector = float __attribute__((vector_size(32)));
extern "C" vector _ZGVdN8v_expf(vector);
inline vector vector_exp(vector x) { return _ZGVdN8v_expf(x); }
#else
using vector = float __attribute__((vector_size(16)));
inline vector vector_exp(vector x) {
    for (int i = 0; i < 4; ++i) x[i] = std::exp(x[i]);
    return x;
}
#endif
constexpr std::int64_t width = sizeof(vector) / sizeof(float);

struct operands {
    const float* x;
    float* y;
    float scale, factor;
    std::int64_t n = 0;  ///< of a square matrix, its rows
    std::atomic<float> sum{0};
};

inline vector load(const float* p) {
    vector v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

void gaussian_loop(void* context, std::int64_t begin, std::int64_t end) {
    auto& c = *static_cast<operands*>(context);
    for (std::int64_t i = begin; i + width <= end; i += width) {
        vector z = (load(c.x + i) - 0.25f) / 1.5f, y = vector_exp(-0.5f * (z * z)) / c.factor;
        std::memcpy(c.y + i, &y, sizeof y);
    }
}

void copy_loop(void* context, std::int64_t begin, std::int64_t end) {
    auto& c = *static_cast<operands*>(context);
    for (std::int64_t i = begin; i < end; ++i) c.y[i] = c.scale * c.x[i];
}

void write_loop(void* context, std::int64_t begin, std::int64_t end) {
    auto& c = *static_cast<operands*>(context);
    for (std::int64_t i = begin; i < end; ++i) c.y[i] = c.scale;
}

void read_loop(void* context, std::int64_t begin, std::int64_t end) {
    auto& c = *static_cast<operands*>(context);
    vector sums[4] = {};
    for (std::int64_t i = begin; i + 4 * width <= end; i += 4 * width)
        for (int k = 0; k < 4; ++k) sums[k] += load(c.x + i + k * width);
    const vector all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    c.sum.store(all[0], std::memory_order_relaxed);
}

// A block of a matrix plus its transpose: the latter is read along its own lines and turned into a local array, whose
// rows are no power of two.
constexpr int block_side = 96;

void transpose_block(const operands& c, std::int64_t i, std::int64_t j) {
    alignas(64) float turned[block_side][block_side];
    const std::int64_t n = c.n;
    const int rows = static_cast<int>(std::min<std::int64_t>(block_side, n - i));
    const int columns = static_cast<int>(std::min<std::int64_t>(block_side, n - j));
    const float* from = c.x + j * n + i;
    int l = 0;
    for (; l + 8 <= columns; l += 8) {
        int r = 0;
        using four = float __attribute__((vector_size(16)));
        for (; r + 4 <= rows; r += 4)
            for (int half : {0, 4}) {
                four a[4], b[4];
                for (int k = 0; k < 4; ++k) std::memcpy(&a[k], from + (l + half + k) * n + r, sizeof a[k]);
                for (int k = 0; k < 4; ++k)
                    b[k] = k % 2 ? __builtin_shufflevector(a[k / 2], a[k / 2 + 2], 2, 6, 3, 7)
                                 : __builtin_shufflevector(a[k / 2], a[k / 2 + 2], 0, 4, 1, 5);
                for (int k = 0; k < 4; ++k) {
                    a[k] = k % 2 ? __builtin_shufflevector(b[k / 2], b[k / 2 + 2], 2, 6, 3, 7)
                                 : __builtin_shufflevector(b[k / 2], b[k / 2 + 2], 0, 4, 1, 5);
                    std::memcpy(&turned[r + k][l + half], &a[k], sizeof a[k]);
                }
            }
        for (; r < rows; ++r)
            for (int k = l; k < l + 8; ++k) turned[r][k] = from[k * n + r];
    }
    for (; l < columns; ++l)
        for (int r = 0; r < rows; ++r) turned[r][l] = from[l * n + r];
    for (int r = 0; r < rows; ++r) {
        const float* x = c.x + (i + r) * n + j;
        float* y = c.y + (i + r) * n + j;
        for (int k = 0; k < columns; ++k) y[k] = x[k] + turned[r][k];
    }
}

// Blocks on either side of the diagonal follow each other, as they read the same memory. The items are rows of blocks,
// of which the first and the last, the second and the last but one, … together have as many pairs as any others.
void transpose_loop(void* context, std::int64_t begin, std::int64_t end) {
    const auto& c = *static_cast<operands*>(context);
    const std::int64_t blocks = (c.n + block_side - 1) / block_side;
    for (std::int64_t item = begin; item < end; ++item) {
        const std::int64_t row = item % 2 ? blocks - 1 - item / 2 : item / 2;
        for (std::int64_t column = 0; column <= row; ++column) {
            transpose_block(c, row * block_side, column * block_side);
            if (column < row) transpose_block(c, column * block_side, row * block_side);
        }
    }
}

}  // namespace

namespace bench::limits {

std::int64_t elements(const std::string& size) {
    std::int64_t n = 1;
    std::istringstream text(size);
    for (std::string part; std::getline(text, part, 'x');) n *= static_cast<std::int64_t>(std::stod(part));
    return n;
}

std::vector<array<float>> inputs(std::int64_t n, double low, double high) {
    std::vector<array<float>> list;
    for (int i = bench::rotation(static_cast<double>(n) * 4, cache_bytes()); i > 0; --i)
        list.push_back(random::uniform<float>(low, high, {n}).eval());
    return list;
}

bench::work load_row(std::int64_t n) {
    const std::string path = bench::path_in_memory();
    std::vector<char> room(static_cast<std::size_t>(4 * n), 1);
    runtime::output_file("bench", path).write(room.data(), room.size());
    array<float> to = zeros<float>({n}).copy();
    auto call = [path, to, room = std::make_shared<std::vector<char>>(room)](int) {
        runtime::input_file("bench", path).read(room->data(), room->size(), 0);
        runtime::copy_to_device(to.device(), to.data(), room->data(), room->size());
    };
    return {call, [] {}, false, {}};
}

bench::work host_row(const std::string& row, const std::string& size) {
    const std::int64_t n = elements(size);
    if (row == "load") return load_row(n);
    runtime::loop_body body = nullptr;
    if (row == "copy") body = copy_loop;
    if (row == "read") body = read_loop;
    if (row == "write") body = write_loop;
    if (row == "gaussian") body = gaussian_loop;
    if (row == "transpose") body = transpose_loop;
    if (!body) throw std::invalid_argument("no loop by hand");
    auto x = inputs(n);
    array<float> y = inputs(n)[0] + 1.0f;
    y.eval();
    const bool in_blocks = row == "transpose";
    const std::int64_t rows = in_blocks ? std::stoll(size) : 0;
    const std::int64_t items = in_blocks ? (rows + block_side - 1) / block_side : n, grain = in_blocks ? 1 : 16384;
    std::shared_ptr<operands> c(new operands{nullptr, y.data(), 3.0f, 1.5f * std::sqrt(2 * float(pi)), rows});
    return {[=](int i) {
                c->x = x[static_cast<std::size_t>(i) % x.size()].data();
                runtime::parallel_for(items, grain, body, c.get());
                (void)y;
            },
            [] {},
            false,
            {}};
}

}  // namespace bench::limits
