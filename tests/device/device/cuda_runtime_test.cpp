// The CUDA runtime on a device: compile, launch, copies, errors, pool reuse, error words, products, fork.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sinter/runtime/base/counters.hpp>
#include <sinter/runtime/compile/backend.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/gemm_reference.hpp"

using namespace sinter;

namespace {

bool cuda_is_here() {
    std::string why;
    if (runtime::cuda_available(&why)) return true;
    if (std::getenv("SINTER_REQUIRE_DEVICE")) FAIL(why);
    std::printf("skipped: %s\n", why.c_str());
    return false;
}

runtime::cuda_kernel compile(device where, const std::string& source, const char* name) {
    const auto& p = runtime::properties(where.index());
    return runtime::load_cuda_kernel(where, runtime::compile_cuda(source, p.major, p.minor), name);
}

const std::string axpy = R"(
extern "C" __global__ void axpy(float a, const float* x, float* y, long long n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

}  // namespace

TEST_CASE("without a usable device the reason is given, and using one throws it") {
    std::string why;
    const int count = runtime::cuda_device_count(&why);
    CHECK(why.empty() == (count > 0));
    CHECK_THROWS_AS(device::cuda(-1), value_error);
    CHECK_THROWS_AS(device::cuda(count), device_error);
    CHECK(to_string(device::from_id(3)) == "<CUDA Device 3>");
    CHECK(to_string(device::cpu()) == "<CPU>");
    if (count == 0) CHECK_THROWS_AS(runtime::pool_allocate(device::from_id(0), 4), device_error);
}

TEST_CASE("a device describes itself") {
    if (!cuda_is_here()) return;
    const auto& p = runtime::properties(0);
    std::printf("%s, compute capability %d.%d, %d multiprocessors, %.1f GiB, driver %d\n", p.name.c_str(), p.major,
                p.minor, p.multiprocessors, double(p.memory) / (1 << 30), runtime::cuda_driver_version());
    CHECK(!p.name.empty());
    CHECK(p.major >= 5);
    CHECK(p.multiprocessors > 0);
    CHECK(p.shared_per_block_optin >= p.shared_per_block);
    CHECK(p.l2_bytes > 0);
    CHECK(runtime::pool_capacity(device::cuda(0)) == p.memory);
    CHECK_THROWS_AS(runtime::properties(device_count()), device_error);
}

TEST_CASE("a kernel is compiled, launched and read back, and everything is counted") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    const auto kernel = compile(gpu, axpy, "axpy");
    long long n = 100003;
    std::vector<float> x(100003), y(100003);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i), y[i] = float(i % 7);
    const std::size_t bytes = x.size() * sizeof(float);
    const auto before = counters();
    const auto dx = runtime::allocate_buffer(gpu, bytes), dy = runtime::allocate_buffer(gpu, bytes);
    runtime::copy_to_device(gpu, dx->data, x.data(), bytes);
    runtime::copy_to_device(gpu, dy->data, y.data(), bytes);
    float a = 2;
    void* parameters[] = {&a, &dx->data, &dy->data, &n};
    runtime::launch_cuda(gpu, kernel, {unsigned((n + 255) / 256)}, {256}, 0, parameters);
    runtime::copy_to_host(x.data(), gpu, dy->data, bytes);
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) wrong += x[i] != 2 * float(i) + float(i % 7);
    CHECK(wrong == 0);
    const auto after = counters();
    CHECK(after.launches - before.launches == 1);
    CHECK(after.bytes_to_device - before.bytes_to_device == std::int64_t(2 * bytes));
    CHECK(after.bytes_to_host - before.bytes_to_host == std::int64_t(bytes));
}

TEST_CASE("a launch that the driver refuses throws, and the device stays usable") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    const auto kernel = compile(gpu, axpy, "axpy");
    float a = 2;
    long long n = 0;
    void* null = nullptr;
    void* parameters[] = {&a, &null, &null, &n};
    const auto before = counters().launches;
    CHECK_THROWS_AS(runtime::launch_cuda(gpu, kernel, {1}, {4096}, 0, parameters), device_error);
    CHECK(counters().launches == before);
    runtime::launch_cuda(gpu, kernel, {1}, {32}, 0, parameters);
    gpu.synchronize();
    CHECK_THROWS_WITH_AS(runtime::cuda_module(gpu, "not an image"),
                         doctest::Contains("[cuda] cuModuleLoadData: CUDA_ERROR_"), device_error);
    CHECK_THROWS_AS(compile(gpu, axpy, "nobody"), device_error);
}

TEST_CASE("a kernel may use more than 48 KiB of shared memory after asking") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    const int bytes = runtime::properties(0).shared_per_block_optin;
    const auto kernel = compile(gpu, R"(extern "C" __global__ void last(int* y, int n) {
        extern __shared__ int s[];
        for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
        __syncthreads();
        if (threadIdx.x == 0) *y = s[n - 1];
    })",
                                "last");
    runtime::allow_shared_memory(gpu, kernel, std::size_t(bytes));
    const auto y = runtime::allocate_buffer(gpu, 4);
    int n = bytes / 4, result = 0;
    void* parameters[] = {&y->data, &n};
    runtime::launch_cuda(gpu, kernel, {}, {128}, std::size_t(bytes), parameters);
    runtime::copy_to_host(&result, gpu, y->data, 4);
    CHECK(result == n - 1);
}

TEST_CASE("PTX is accepted where a cubin is") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    const auto& p = runtime::properties(0);
    if (runtime::cuda_target(p.major, p.minor)[0] == 'c') return;
    const std::string ptx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
    runtime::launch_cuda(gpu, runtime::load_cuda_kernel(gpu, ptx, "nothing"), {}, {}, 0, nullptr);
    gpu.synchronize();
}

TEST_CASE("memory of a device is reused in stream order and counted") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    for (std::size_t bytes : {std::size_t(100), std::size_t(5000000), std::size_t(100000001)}) {
        void* first = runtime::pool_allocate(gpu, bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(first) % 256 == 0);
        runtime::pool_release(gpu, first, bytes);
        const auto held = counters().pool_held;
        void* second = runtime::pool_allocate(gpu, bytes);
        CHECK(second == first);
        CHECK(counters().pool_held == held);
        runtime::pool_release(gpu, second, bytes);
    }
    runtime::memory_pool_trim(gpu);
    CHECK(runtime::pool_statistics(gpu).held == runtime::pool_statistics(gpu).used);
}

TEST_CASE("cached memory of other sizes is given back before a device is out of memory") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    const auto capacity = std::size_t(runtime::pool_capacity(gpu));
    runtime::memory_pool_trim(gpu);
    for (std::size_t tenths : {3, 4, 5, 6}) {
        std::size_t bytes = capacity / 10 * tenths;
        runtime::pool_release(gpu, runtime::pool_allocate(gpu, bytes), bytes);
    }
    const auto before = runtime::pool_statistics(gpu).used;
    CHECK_THROWS_WITH_AS((void)runtime::pool_allocate(gpu, capacity), doctest::Contains("<CUDA Device 0>: "),
                         out_of_memory);
    CHECK(runtime::pool_statistics(gpu).used == before);
    runtime::memory_pool_trim(gpu);
    CHECK(runtime::allocate_buffer(gpu, 1000)->data != nullptr);
}

TEST_CASE("copies within a device, to zero and from the CPU to itself move the bytes") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0), cpu = device::cpu();
    const std::vector<int> source = {1, 2, 3, 4, 5};
    std::vector<int> result(5, -1);
    const auto a = runtime::allocate_buffer(gpu, 20), b = runtime::allocate_buffer(gpu, 20);
    runtime::copy_between(gpu, a->data, cpu, source.data(), 20);
    runtime::copy_between(gpu, b->data, gpu, a->data, 20);
    runtime::fill_zero(gpu, static_cast<char*>(b->data) + 4, 8);
    runtime::copy_between(cpu, result.data(), gpu, b->data, 20);
    CHECK(result == std::vector<int>{1, 0, 0, 4, 5});
    runtime::copy_to_host(nullptr, gpu, nullptr, 0);
    for (int other = 1; other < device_count(); ++other) {
        const device peer = device::cuda(other);
        const auto c = runtime::allocate_buffer(peer, 20);
        runtime::copy_between(peer, c->data, gpu, a->data, 20);
        runtime::copy_to_host(result.data(), peer, c->data, 20);
        CHECK(result == source);
    }
}

TEST_CASE("a kernel reports errors in words of its own, which are zeroed before they are used again") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    const auto kernel = compile(gpu, R"(extern "C" __global__ void report(long long* e, long long index) {
        if (atomicCAS((unsigned long long*)e + 2, 0ull, 1ull) == 0) e[3] = index;
    })",
                                "report");
    for (int round = 0; round < 3000; ++round) {
        auto words = std::make_shared<const runtime::error_words>(gpu, 2),
             others = std::make_shared<const runtime::error_words>(gpu, 9);
        void* block = words->address();
        long long index = -77 - round;
        void* parameters[] = {&block, &index};
        runtime::launch_cuda(gpu, kernel, {4}, {64}, 0, parameters);
        if (round % 100) continue;
        gpu.synchronize();
        CHECK(!words->is_set(0));
        CHECK(words->is_set(1));
        CHECK(words->index(1) == index);
        for (std::uint32_t i = 0; i < 9; ++i) CHECK(!others->is_set(i));
    }
}

TEST_CASE("several threads use one device") {
    if (!cuda_is_here()) return;
    const device gpu = device::cuda(0);
    const auto kernel = compile(gpu, axpy, "axpy");
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 50; ++round) {
                const std::size_t size = 1000 + 13 * std::size_t(t);
                long long n = (long long)size;
                std::vector<float> x(size, float(t)), y(size, float(round));
                const auto dx = runtime::allocate_buffer(gpu, x.size() * 4),
                           dy = runtime::allocate_buffer(gpu, x.size() * 4);
                runtime::copy_to_device(gpu, dx->data, x.data(), dx->bytes);
                runtime::copy_to_device(gpu, dy->data, y.data(), dy->bytes);
                float a = 3;
                void* parameters[] = {&a, &dx->data, &dy->data, &n};
                runtime::launch_cuda(gpu, kernel, {8}, {256}, 0, parameters);
                runtime::copy_to_host(y.data(), gpu, dy->data, dy->bytes);
                for (float v : y) wrong += v != float(3 * t + round);
            }
        });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("products on a device agree with a triple loop", T, float, double, std::complex<float>,
                   std::complex<double>) {
    if (!cuda_is_here()) return;
    std::string why;
    if (!runtime::blas_available(device::cuda(0), &why)) {
        std::printf("skipped: %s\n", why.c_str());
        return;
    }
    test_products<T>(device::cuda(0));
}

TEST_CASE("float products on a device keep all 24 bits") {
    if (!cuda_is_here() || !runtime::blas_available(device::cuda(0))) return;
    const device gpu = device::cuda(0);
    const std::int64_t n = 256;
    std::vector<float> a(std::size_t(n * n)), c(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = i % std::size_t(n + 1) == 0 ? 1.0f + 0x1p-23f : 0.0f;
    const auto da = runtime::allocate_buffer(gpu, a.size() * 4), dc = runtime::allocate_buffer(gpu, a.size() * 4);
    runtime::copy_to_device(gpu, da->data, a.data(), da->bytes);
    runtime::gemm_strided_batched(gpu, dtype::float32, n, n, n, {da->data, n}, {da->data, n}, dc->data, n, 0, 1);
    runtime::copy_to_host(c.data(), gpu, dc->data, dc->bytes);
    int wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) wrong += c[i] != a[i] * a[i];
    CHECK(wrong == 0);
}

TEST_CASE("products take vectors and arrays that are added from any address") {
    if (!cuda_is_here() || !runtime::blas_available(device::cuda(0))) return;
    const device gpu = device::cuda(0);
    const std::int64_t n = 32;
    std::vector<float> a(std::size_t(n * n), 1.0f), added(std::size_t(n * n + 3)), c(a.size());
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = float(i % 100) - 60;
    const auto da = runtime::allocate_buffer(gpu, a.size() * 4),
               dadded = runtime::allocate_buffer(gpu, added.size() * 4),
               dc = runtime::allocate_buffer(gpu, a.size() * 4);
    runtime::copy_to_device(gpu, da->data, a.data(), da->bytes);
    runtime::copy_to_device(gpu, dadded->data, added.data(), dadded->bytes);
    for (std::size_t offset : {0, 1, 2, 3})
        for (bool vector : {false, true}) {
            const float* from = static_cast<const float*>(dadded->data) + offset;
            const runtime::gemm_mode mode{precision::highest, vector ? nullptr : from, vector ? from : nullptr,
                                          codegen::activation::relu};
            runtime::gemm_strided_batched(gpu, dtype::float32, n, n, n, {da->data, n}, {da->data, n}, dc->data, n, 0, 1,
                                          mode);
            runtime::copy_to_host(c.data(), gpu, dc->data, dc->bytes);
            int wrong = 0;
            for (std::size_t i = 0; i < c.size(); ++i)
                wrong += c[i] != std::max(32 + added[offset + (vector ? i % 32 : i)], 0.0f);
            CHECK(wrong == 0);
        }
}

TEST_CASE("a child forked after CUDA was used gets an exception, not a hang") {
    if (!cuda_is_here()) return;
    const auto buffer = runtime::allocate_buffer(device::cuda(0), 1000);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        int score = 0;
        try {
            (void)runtime::allocate_buffer(device::from_id(0), 777777);
        } catch (const device_error& e) {
            score += std::strstr(e.what(), "fork") != nullptr;
        }
        std::string why;
        score += !runtime::cuda_available(&why) && why.find("fork") != std::string::npos;
        { const auto freed = runtime::allocate_buffer(device::cpu(), 10); }
        _exit(score == 2 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    runtime::host_synchronize(device::cuda(0));
}
