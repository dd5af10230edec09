// Streams of CUDA: native handles, streams of other libraries, raw kernels; and what the emulated driver makes of
// missing waits.
#include <doctest/doctest.h>

#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"

#if SINTER_HAS_CUDA

using namespace sinter;

namespace {

const char* const add_text =
    "extern \"C\" __global__ void add(const float* x, float* y, float by, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = x[i] + by;\n}\n";

}  // namespace

TEST_CASE("work goes to a stream that somebody else made, and is ordered with sinter's own") {
    const device gpu = device::cuda(0);
    device_scope here(gpu);
    runtime::use_device(0);
    CUstream foreign[2] = {};
    for (CUstream& f : foreign) REQUIRE(runtime::driver().cuStreamCreate(&f, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    array<float> x = arange<float>(3000.0f);
    x.eval();
    for (int i = 0; i < 6; ++i) {
        stream s = stream::wrap(gpu, foreign[i % 2]);
        CHECK(s.native() == foreign[i % 2]);
        stream_scope on(s);
        CHECK(runtime::cuda_stream(gpu) == foreign[i % 2]);
        x = x + 1.0f;
        x.eval();
        array<float> m = matmul(reshape(x(slice(0, 900)), {30, 30}), eye<float>(30));
        CHECK(m.item(0, 1) == float(2 + i));
        if (i % 2 == 0) continue;
        stream own;
        stream_scope inner(own);
        CHECK(sum(x).item() == doctest::Approx(2999.0 * 1500.0 + 3000.0 * (i + 1)));
    }
    CHECK(x.item(10) == 16.0f);
    CHECK_THROWS_AS(stream::wrap(gpu, nullptr), value_error);
    CHECK_THROWS_AS(stream::wrap(device::cpu(), foreign[0]), value_error);
}

TEST_CASE("raw kernels run on the stream of the scope and wait for what they read") {
    device_scope here(device::cuda(0));
    const raw_kernel add(add_text, "add");
    stream a, b;
    array<float> x = arange<float>(1000.0f), y = zeros<float>({1000});
    for (int i = 0; i < 10; ++i) {
        {
            stream_scope on(a);
            add({4}, {256}, x, out(y), 1.0f, 1000);
        }
        stream_scope on(b);
        add({4}, {256}, y, out(x), 1.0f, 1000);
    }
    CHECK(x.item(5) == 25.0f);
    CHECK(y.item(5) == 24.0f);
}

TEST_CASE("two streams that use memory without waiting for each other show on the emulated driver") {
    if (!test_backends::is_gpu_emulated()) return;
    const device gpu = device::cuda(0);
    device_scope here(gpu);
    const auto& p = runtime::properties(0);
    const auto k = runtime::load_cuda_kernel(gpu, runtime::compile_cuda(add_text, p.major, p.minor), "add");
    stream a, b;
    auto try_on = [&](const stream& s, const runtime::buffer_ref& x, const runtime::buffer_ref& y) {
        float by = 1;
        int n = 64;
        void* arguments[] = {&x->data, &y->data, &by, &n};
        try {
            runtime::launch_cuda(s.native(), k, {1}, {64}, 0, arguments);
            return true;
        } catch (const device_error&) {
            return false;
        }
    };
    const auto x = runtime::allocate_buffer(gpu, 256), y = runtime::allocate_buffer(gpu, 256),
               z = runtime::allocate_buffer(gpu, 256);
    std::vector<float> host(64);
    for (const auto& buffer : {x, y, z}) runtime::copy_to_device(gpu, buffer->data, host.data(), 256);
    gpu.synchronize();
    CHECK(try_on(a, x, y));
    CHECK(try_on(b, x, z));        // both read x
    CHECK_FALSE(try_on(b, y, z));  // reads what a writes
    CHECK_FALSE(try_on(b, z, y));  // writes what a writes
    CHECK_FALSE(try_on(b, z, x));  // writes what a reads
    event e;
    e.record(a);
    b.wait(e);
    CHECK(try_on(b, y, x));
    CHECK_FALSE(try_on(a, z, y));  // the event is of the other direction
    b.synchronize();
    CHECK(try_on(a, z, y));
    gpu.synchronize();
}

#endif
