// Which kernel by hand computes a row, and how many blocks it takes.
#include "limits_cuda.hpp"

#if SINTER_HAS_CUDA

#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>

#include <bit>

using namespace sinter;

namespace bench::limits {

constexpr int longest_chain = 16;

runtime::cuda_kernel kernel(const std::string& file, const std::string& name) {
    std::string text;
    const std::string path = SINTER_BENCH_LIMITS "/" + file;
    if (!runtime::read_file(path.c_str(), text)) throw std::runtime_error("cannot read " + path);
    const runtime::cuda_properties& p = runtime::properties(0);
    return runtime::load_cuda_kernel(device::cuda(0), runtime::compile_cuda(text, p.major, p.minor), name + "_by_hand");
}

void launch::operator()(int i) {
    if (addresses.empty())
        for (const auto& list : in)
            for (addresses.emplace_back(); const auto& a : list) addresses.back().push_back(a.data());
    const void* pointers[8];
    void* parameters[8 + longest_chain];
    std::size_t count = 0;
    for (const auto& list : addresses) pointers[count++] = list[static_cast<std::size_t>(i) % list.size()];
    for (const auto& b : out) pointers[count++] = b->data;
    for (std::size_t k = 0; k < count; ++k) parameters[k] = &pointers[k];
    for (const std::uint32_t& v : numbers) parameters[count++] = const_cast<std::uint32_t*>(&v);
    runtime::launch_cuda(device::cuda(0), what, grid, block, shared_bytes, parameters);
}

runtime::buffer_ref zeroed(std::int64_t bytes) {
    runtime::buffer_ref b = runtime::allocate_buffer(device::cuda(0), static_cast<std::size_t>(bytes));
    runtime::fill_zero(device::cuda(0), b->data, static_cast<std::size_t>(bytes));
    return b;
}

// Its numbers are parameters, so that others need no other kernel.
std::string text_of_chain(int bits) {
    std::string parameters, text;
    for (int number = 0; bits > 1; bits /= 2) {
        if (bits % 2 == 0) {
            text += "    w *= v;\n";
            continue;
        }
        const std::string which = std::to_string(number++);
        parameters += ", float c" + which;
        text += "    w += c" + which + ";\n";
    }
    return "extern \"C\" __global__ void chain_by_hand(const float* x, float* y, unsigned n" + parameters + ") {\n" +
           "    unsigned i = blockIdx.x * 256u + threadIdx.x;\n    if (i >= n) return;\n    float v = x[i], w = v;\n" +
           text + "    y[i] = w;\n}\n";
}

launch prepared_chain(std::int64_t n) {
    std::vector<std::uint32_t> numbers(1 + longest_chain,
                                       std::bit_cast<std::uint32_t>(10.0f));  // a kernel takes as many as it has
    numbers[0] = static_cast<std::uint32_t>(n);
    return {{}, {ceil_div(n, 256)}, {256}, {inputs(n, 0, 1)}, {zeroed(4 * n)}, std::move(numbers)};
}

launch chain_launch(const launch& prepared, int bits) {
    const runtime::cuda_properties& p = runtime::properties(0);
    launch l = prepared;
    l.what = runtime::load_cuda_kernel(device::cuda(0), runtime::compile_cuda(text_of_chain(bits), p.major, p.minor),
                                       "chain_by_hand");
    return l;
}

namespace {

// Of all elements: a block takes `share` quads and leaves `partial` bytes, which the last block joins to results of so
// many bytes.
launch joined_launch(const std::string& name, std::vector<array<float>> x, std::int64_t share, std::int64_t partial,
                     const std::vector<std::int64_t>& results) {
    const std::int64_t quads = x[0].size() / 4;
    const std::uint32_t blocks = ceil_div(quads, share);
    std::vector<runtime::buffer_ref> out;
    for (std::int64_t bytes : results) out.push_back(zeroed(bytes));
    out.push_back(zeroed(partial * blocks));
    out.push_back(zeroed(4));
    return {kernel("reductions.cu", name),      {blocks}, {256}, {std::move(x)}, std::move(out),
            {static_cast<std::uint32_t>(quads)}};
}

launch matrix_launch(const std::string& row, std::int64_t rows, std::int64_t columns) {
    const std::int64_t n = rows * columns;
    const auto r = static_cast<std::uint32_t>(rows), width = static_cast<std::uint32_t>(columns), w = width / 4;
    const runtime::launch_extent strips{ceil_div(columns, 32)};
    auto of = [&](const std::string& name, std::uint32_t blocks, std::vector<std::uint32_t> numbers) {
        return launch{kernel("reductions.cu", name), {blocks}, {256}, {inputs(n)}, {zeroed(4 * n)}, std::move(numbers)};
    };
    if (row == "row_sums") return {kernel("reductions.cu", row), {r}, {512}, {inputs(n)}, {zeroed(4 * rows)}, {w}};
    if (row == "column_sums")
        return {kernel("reductions.cu", row), strips, {256}, {inputs(n)}, {zeroed(4 * columns)}, {r, width}};
    if (row == "mean_var_columns" && columns >= 128)
        return {kernel("reductions.cu", row),
                strips,
                {256},
                {inputs(n)},
                {zeroed(4 * columns), zeroed(4 * columns)},
                {r, width}};
    if (row == "cosine")
        return {kernel("reductions.cu", row), {r}, {256}, {inputs(n), inputs(n)}, {zeroed(4 * rows)}, {w}};
    if (row == "log_softmax" && columns > 16384 && columns <= 50400) {
        launch l{kernel("long_rows.cu", "log_softmax_long"), {r}, {1024}, {inputs(n)}, {zeroed(4 * n)}, {width}};
        l.shared_bytes = 4 * width + 32;
        runtime::allow_shared_memory(device::cuda(0), l.what, l.shared_bytes + 256);
        return l;
    }
    if (row == "mean_var_columns" && columns == 32) {
        constexpr std::uint32_t blocks = 528;  // four on each multiprocessor of an H100 or H200
        return {kernel("columns.cu", "mean_var_tall"),
                {blocks},
                {256},
                {inputs(n)},
                {zeroed(128), zeroed(128), zeroed(512 * blocks), zeroed(4)},
                {r}};
    }
    if ((row == "softmax" || row == "layer_norm") && columns > 128 && columns <= 320)
        return {kernel("short_rows.cu", row + "_short"),
                {ceil_div(rows, 8)},
                {256},
                {inputs(n)},
                {zeroed(4 * n)},
                {r, width}};
    if (row == "cumsum_columns" && columns >= 4096 && columns % 64 == 0)
        return {kernel("columns.cu", row), {ceil_div(columns, 64)}, {256}, {inputs(n)}, {zeroed(4 * n)}, {r, width}};
    for (const char* name : {"softmax", "log_softmax", "layer_norm"})
        if (row == name && columns == 4096) return of(row + "_4096", r, {});
    if (row == "softmax" && columns == 128) return of("softmax_128", ceil_div(rows, 8), {r});
    if (row == "layer_norm" && columns == 1000) return of("layer_norm_1000", ceil_div(rows, 8), {r});
    throw std::invalid_argument("no kernel by hand");
}

launch reduction_launch(const std::string& row, const std::string& size) {
    const std::int64_t n = elements(size);
    if (row == "sum_of_squares")
        return n / 4 < 1 << 18 ? joined_launch("sum_of_few_squares", inputs(n, 0, 1), 2048, 4, {4})
                               : joined_launch(row, inputs(n, 0, 1), 8192, 4, {4});
    if (row == "mean_var") return joined_launch(row, inputs(n), 8192, 16, {4, 4});
    if (row == "argmax_max") return joined_launch(row, inputs(n), 8192, 8, {4, 8});
    if (size.find('x') == size.npos) throw std::invalid_argument("no kernel by hand");
    const std::int64_t outer = std::stoll(size), columns = std::stoll(size.substr(size.rfind('x') + 1)),
                       rows = n / outer / columns;
    if (row == "middle_sums")
        return {kernel("reductions.cu", row),
                {ceil_div(columns, 32), static_cast<std::uint32_t>(outer)},
                {256},
                {inputs(n)},
                {zeroed(4 * outer * columns)},
                {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)}};
    return matrix_launch(row, outer, n / outer);
}

}  // namespace

launch cuda_launch(const std::string& row, const std::string& size) {
    const std::int64_t n = elements(size), quads = n / 4,
                       columns = size.find('x') == size.npos ? 0 : n / std::stoll(size);
    const std::int64_t rows = columns ? n / columns : 0;
    const auto q = static_cast<std::uint32_t>(quads), w = static_cast<std::uint32_t>(columns / 4),
               r = static_cast<std::uint32_t>(rows);
    const runtime::launch_extent tiles{ceil_div(quads, 256)}, block{256};
    if (row != "tiny" && row != "log_softmax" && row != "softmax" && row != "layer_norm" && n % 4 != 0)
        throw std::invalid_argument("kernels by hand take multiples of four elements");
    if (row == "tiny")
        return {kernel("plain.cu", row),        {ceil_div(n, 256)}, block, {inputs(n)}, {zeroed(4 * n)},
                {static_cast<std::uint32_t>(n)}};
    if (row == "copy") return {kernel("plain.cu", row), tiles, block, {inputs(n)}, {zeroed(4 * n)}, {q}};
    if (row == "read") return {kernel("plain.cu", row), {ceil_div(quads, 1024)}, block, {inputs(n)}, {zeroed(4)}, {q}};
    if (row == "write") return {kernel("plain.cu", row), tiles, block, {}, {zeroed(4 * n)}, {q}};
    if (row == "gaussian" || row == "gaussian_function")
        return {kernel("maps.cu", "gaussian"), tiles, block, {inputs(n)}, {zeroed(4 * n)}, {q}};
    if (row == "polar")
        return {kernel("maps.cu", row), tiles, block, {inputs(n, .5, 1.5), inputs(n), inputs(n, 1.5, 2.5), inputs(n)},
                {zeroed(4 * n)},        {q}};
    if (row == "black_scholes")
        return {kernel("maps.cu", row),         tiles, block, {inputs(n, 10, 50), inputs(n, 10, 50), inputs(n, .5, 2)},
                {zeroed(4 * n), zeroed(4 * n)}, {q}};
    if (row == "broadcast")
        return {kernel("maps.cu", row),
                {ceil_div(w, 256), ceil_div(rows, 8)},
                block,
                {inputs(n), inputs(columns), inputs(rows)},
                {zeroed(4 * n)},
                {r, w}};
    if (row == "transpose")
        return {kernel("maps.cu", row),
                {ceil_div(rows, 64) * ceil_div(rows, 64)},
                block,
                {inputs(n)},
                {zeroed(4 * n)},
                {r}};
    if (row.find("mandelbrot_") == 0) {
        array<float> re = linspace<float>(-2, 0.5f, columns).eval(), im = linspace<float>(-1.25f, 1.25f, rows).eval();
        return {kernel("maps.cu", "mandelbrot"),      {ceil_div(columns, 256), r}, block, {{re}, {im}}, {zeroed(4 * n)},
                {static_cast<std::uint32_t>(columns)}};
    }
    if (row == "cumsum") {
        const std::uint32_t tiles = ceil_div(quads, 1024);
        return {kernel("scan.cu", row),
                {tiles + 1},
                {128},
                {inputs(n, 0, 1)},
                {zeroed(4 * n), zeroed(8 + 32 * std::int64_t{tiles})},
                {q}};
    }
    if (row == "gather" || row == "scatter") {
        array<std::int64_t> positions = random::integers<std::int64_t>(0, n, {n}).eval();
        runtime::buffer_ref copied = zeroed(8 * n);
        runtime::copy_between(device::cuda(0), copied->data, device::cuda(0), positions.data(),
                              static_cast<std::size_t>(8 * n));
        return {kernel("maps.cu", row), tiles, block, {inputs(n)}, {zeroed(4 * n), copied}, {q}};
    }
    if (row == "random")
        return {kernel("random.cu", row),           {ceil_div(n, 2048)}, block, {}, {zeroed(8 * n)},
                {static_cast<std::uint32_t>(n / 2)}};
    if (row == "randn") return {kernel("random.cu", row), {ceil_div(quads, 1024)}, block, {}, {zeroed(4 * n)}, {q}};
    if (row == "mean_exp_randn") {
        const std::uint32_t blocks = static_cast<std::uint32_t>(runtime::properties(0).multiprocessors) * 8;
        return {kernel("random.cu", row), {blocks}, block, {}, {zeroed(4), zeroed(4 * blocks), zeroed(4)}, {q}};
    }
    return reduction_launch(row, size);
}

}  // namespace bench::limits

#endif
