// Faults that a GPU shows only now and then must show on the emulated driver; skipped on a GPU.
#include <doctest/doctest.h>

#include <cstdlib>
#include <sinter/sinter.hpp>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <string>
#include <vector>

#include "support/backends.hpp"

using namespace sinter;

namespace {

/// How many of several launches of a kernel over 256 zeroed ints give other values than `expected`.
int wrong_launches(const std::string& source, const std::vector<int>& expected, runtime::launch_extent grid) {
    const device gpu = device::cuda(0);
    const auto& p = runtime::properties(0);
    const auto kernel = runtime::load_cuda_kernel(gpu, runtime::compile_cuda(source, p.major, p.minor), "f");
    const auto y = runtime::allocate_buffer(gpu, 4 * expected.size());
    std::vector<int> got(expected.size());
    void* parameters[] = {&y->data};
    int wrong = 0;
    for (int launch = 0; launch < 8; ++launch) {
        runtime::fill_zero(gpu, y->data, 4 * expected.size());
        runtime::launch_cuda(gpu, kernel, grid, {256}, 0, parameters);
        runtime::copy_to_host(got.data(), gpu, y->data, 4 * expected.size());
        wrong += got != expected;
    }
    return wrong;
}

}  // namespace

TEST_CASE("a barrier that is missing before or after shared memory is written shows on the emulated driver") {
    if (!test_backends::is_gpu_emulated()) return;
    auto source = [](const char* before, const char* after) {
        return std::string(
                   "extern \"C\" __global__ void f(int* y) {\n    __shared__ int s[256];\n    const int t = "
                   "threadIdx.x;\n") +
               "    s[t] = t;\n    " + before + "\n    const int a = s[255 - t];\n    " + after +
               "\n    s[t] = a + 1;\n    __syncthreads();\n    y[t] = s[t ^ 1];\n}\n";
    };
    std::vector<int> expected(256);
    for (int t = 0; t < 256; ++t) expected[std::size_t(t)] = 256 - (t ^ 1);
    CHECK(wrong_launches(source("__syncthreads();", "__syncthreads();"), expected, {1}) == 0);
    CHECK(wrong_launches(source("", "__syncthreads();"), expected, {1}) > 0);
    CHECK(wrong_launches(source("__syncthreads();", ""), expected, {1}) > 0);
}

TEST_CASE("what depends on the order of thread blocks shows on the emulated driver") {
    if (!test_backends::is_gpu_emulated()) return;
    std::vector<int> expected(256, 1);
    const std::string source =
        "extern \"C\" __global__ void f(int* y) {\n    __syncthreads();\n"
        "    if (threadIdx.x == 0) y[blockIdx.x] = blockIdx.x == 0 ? 1 : y[blockIdx.x - 1];\n}\n";
    CHECK(wrong_launches(source, expected, {256}) > 0);
}

TEST_CASE("a register that is read before it is set shows on the emulated driver") {
    if (!test_backends::is_gpu_emulated()) return;
    const std::string source =
        "extern \"C\" __global__ void f(int* y) {\n    int a;\n    if (threadIdx.x > 500) a = 1;\n"
        "    y[threadIdx.x] = a;\n}\n";
    CHECK(wrong_launches(source, std::vector<int>(256), {1}) == 8);
}

TEST_CASE("a kernel that is started early and does not wait for those before it shows on the emulated driver") {
    if (!test_backends::is_gpu_emulated()) return;
    const device gpu = device::cuda(0);
    const auto& p = runtime::properties(0);
    const auto y = runtime::allocate_buffer(gpu, 4);
    void* parameters[] = {&y->data};
    auto launch = [&](const std::string& first) {
        const std::string text = "extern \"C\" __global__ void f(int* y) {\n" + first + "    *y = 1;\n}\n";
        const auto f = runtime::cuda_module(gpu, runtime::compile_cuda(text, p.major, p.minor)).kernel("f", true);
        runtime::launch_cuda(gpu, f, {1}, {1}, 0, parameters);
    };
    CHECK_NOTHROW(
        launch("#if __CUDA_ARCH__ >= 900\n    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n#endif\n"));
    CHECK_THROWS_AS(launch(""), device_error);
}

TEST_CASE(
    "products that cuBLASLt has no algorithm for are computed by cuBLAS, and epilogues of them but factors are "
    "refused") {
    if (!test_backends::is_gpu_emulated()) return;
    const device gpu = device::cuda(0);
    // Rows of 7 numbers: the class of such products has no algorithm from now on.
    const std::vector<float> a{1, 2, 3, 0, 0, 0, 0, 4, 5, 6}, b{1, 0, 2, 0, 1, 1, 3, 0, 1, 1, 0, 2},
        added{1, 1, 1, 1, 2, 2, 2, 2};
    auto upload = [&](const std::vector<float>& v) {
        auto memory = runtime::allocate_buffer(gpu, 4 * v.size());
        runtime::copy_to_device(gpu, memory->data, v.data(), memory->bytes);
        return memory;
    };
    const auto da = upload(a), db = upload(b), dadded = upload(added), dc = runtime::allocate_buffer(gpu, 4 * 8);
    auto multiply = [&](runtime::gemm_mode mode) {
        std::vector<float> c(8);
        runtime::gemm_strided_batched(gpu, dtype::float32, 2, 4, 3, {da->data, 7}, {db->data, 4}, dc->data, 4, 8, 1,
                                      mode);
        runtime::copy_to_host(c.data(), gpu, dc->data, dc->bytes);
        return c;
    };
    runtime::gemm_mode sum, layer, half, curved;
    sum.added = dadded->data;
    layer.bias = dadded->data;
    half.factor = 0.5;
    curved.last = codegen::activation::gelu_tanh;
    CHECK_THROWS_WITH_AS(multiply(curved), "[matmul] no library product with this epilogue", internal_error);
    curved.in = precision::tf32;
    ::setenv("EMULATED_NO_ALGORITHM", "1", 1);
    CHECK(multiply({}) == std::vector<float>{6, 5, 8, 6, 15, 11, 23, 12});
    CHECK(multiply(sum) == std::vector<float>{7, 6, 9, 7, 17, 13, 25, 14});
    CHECK(multiply(half) == std::vector<float>{3, 2.5f, 4, 3, 7.5f, 5.5f, 11.5f, 6});
    for (const runtime::gemm_mode& mode : {layer, curved}) CHECK_THROWS_AS(multiply(mode), device_error);
    for (runtime::gemm_mode* mode : {&sum, &layer}) {
        mode->factor = 0.5;
        CHECK_THROWS_WITH_AS(multiply(*mode), "[matmul] no library product with this factor: 0.500000", internal_error);
    }
    ::unsetenv("EMULATED_NO_ALGORITHM");
}

TEST_CASE("after a launch that fails values are computed again, unless their operands may be overwritten") {
    if (!test_backends::is_gpu_emulated()) return;
    const array<float> x = arange<float>(5000).eval();
    array<float> changed = arange<float>(5000).eval();
    changed(slice(0, 4000)) += 1.0f;
    const array<float> e = exp(x);
    const array<float> beside = sqrt(x);
    ::setenv("EMULATED_FAILING_LAUNCH", "_kernel", 1);
    CHECK_THROWS_AS(e.eval(), device_error);
    CHECK_THROWS_AS(changed.eval(), device_error);
    ::unsetenv("EMULATED_FAILING_LAUNCH");
    CHECK(float(e(0)) == 1);
    CHECK(float(beside(4)) == 2);
    CHECK_THROWS_AS(changed.eval(), device_error);
    const array<float> next = x + 1.0f;
    CHECK(float(next(4999)) == 5000);
}
