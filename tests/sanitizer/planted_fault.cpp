// Launches one CUDA kernel with a planted fault, named as the tool of compute-sanitizer that must report it:
// memcheck | racecheck | initcheck | synccheck; `none` launches the same kernel without one.
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>

#include <cstdio>
#include <string>

using namespace sinter;

namespace {

constexpr unsigned threads = 64;

// Each thread passes its element on to its neighbour through shared memory, and doubles it where the element is not
// zero.
const std::string text = R"(
extern "C" __global__ void shift(const int* x, int* y, int n, int fault) {
    __shared__ int room[64];
    const int t = threadIdx.x;
    room[t] = x[t];
    if (fault != 2) __syncthreads();
    const int v = room[(t + 1) % 64];
    if (fault == 4 && t < 48) __syncthreads();
    y[fault == 1 ? t + n : t] = v ? 2 * v : 0;
}
)";

int number_of(const std::string& name) {
    const char* const names[] = {"none", "memcheck", "racecheck", "initcheck", "synccheck"};
    for (int i = 0; i < 5; ++i)
        if (name == names[i]) return i;
    return -1;
}

void launch(int fault) {
    const device where = device::cuda(0);
    const std::size_t bytes = threads * sizeof(int);
    const auto& p = runtime::properties(where.index());
    runtime::cuda_kernel kernel =
        runtime::load_cuda_kernel(where, runtime::compile_cuda(text, p.major, p.minor), "shift");
    runtime::buffer_ref x = runtime::allocate_buffer(where, bytes), y = runtime::allocate_buffer(where, bytes);
    if (fault != 3) runtime::fill_zero(where, x->data, bytes);
    // Far enough beyond the result that nothing else of the process lies there.
    int n = 1 << 28;
    void* parameters[] = {&x->data, &y->data, &n, &fault};
    runtime::launch_cuda(where, kernel, {1}, {threads}, 0, parameters);
    int result[threads];
    runtime::copy_to_host(result, where, y->data, bytes);
}

}  // namespace

int main(int argc, char** argv) {
    const int fault = argc == 2 ? number_of(argv[1]) : -1;
    if (fault < 0) {
        std::printf("usage: planted_fault none|memcheck|racecheck|initcheck|synccheck\n");
        return 2;
    }
    try {
        launch(fault);
    } catch (const error& e) {
        std::printf("%s\n", e.what());
        return 1;
    }
}
