// What the calls of a recorded step change in its CUDA graph: each node that is given other arguments takes time.
#include <doctest/doctest.h>

#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>
#include <vector>

#include "support/stored_arrays.hpp"

#if SINTER_HAS_CUDA

using namespace sinter;
using namespace test_backends;

namespace {

runtime::cuda_driver& table() { return const_cast<runtime::cuda_driver&>(runtime::driver()); }

/// While one lives, it counts the kernels of graphs that are given other arguments.
struct replacements {
    static inline decltype(runtime::cuda_driver::cuGraphExecKernelNodeSetParams) original = nullptr;
    static inline int count = 0;

    replacements() {
        original = table().cuGraphExecKernelNodeSetParams;
        count = 0;
        table().cuGraphExecKernelNodeSetParams = [](CUgraphExec executable, CUgraphNode node,
                                                    const CUDA_KERNEL_NODE_PARAMS* p) {
            ++count;
            return original(executable, node, p);
        };
    }
    ~replacements() { table().cuGraphExecKernelNodeSetParams = original; }
};

/// Ten launches that read the number, of which the first alone reads the array.
auto spread = [](auto a, float share) {
    const auto inner = slice(1, -1), left = slice(none, -2);
    array<float> x = a + 1, y = a - 1;
    for (int i = 0; i < 5; ++i) {
        y(inner) = x(inner) - share * x(left);
        x(inner) = y(inner) - 0.25f * y(left) / share;
    }
    return x;
};

/// How many kernels later calls change in all, each made with the next of so many arrays and numbers.
int changes_of_calls(std::int64_t arrays, int numbers, int calls) {
    std::vector<array<float>> given;
    for (int i = 0; i < arrays; ++i) given.push_back(stored<float>({101}, 0.125 * (i + 1)));
    graph step(spread);
    array<float> kept, kept_before;
    auto call = [&](int count) {
        for (int i = 0; i < count; ++i) {
            const array<float>& a = given[static_cast<std::size_t>(i) % given.size()];
            const float share = 0.5f + static_cast<float>(i % numbers);
            array<float> x = step(a, share);  // while the two before are there, so that it lies elsewhere
            CHECK(values(x) == values(array<float>(spread(a, share))));
            kept_before = kept;
            kept = x;
        }
    };
    call(21);
    const counters_t before = counters();
    const replacements replaced;
    call(calls);
    CHECK(counters().steps_replayed - before.steps_replayed == calls);
    return replaced.count;
}

}  // namespace

TEST_CASE("a step that reads another array each time changes the launch that reads it, and no other") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    CHECK(changes_of_calls(7, 1, 7) == 7);
}

TEST_CASE("a step whose arrays take turns changes nothing when each has had its turn") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    CHECK(changes_of_calls(3, 1, 6) == 0);
}

TEST_CASE("a number that all kernels of a step read changes one launch, which writes it to memory") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    CHECK(changes_of_calls(3, 3, 6) == 0);  // as the arrays do, it has had its turn
    CHECK(changes_of_calls(1, 13, 6) == 6);
}

TEST_CASE("a step of few kernels is launched without one that writes its numbers") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    graph step([](auto a, float share) { return array<float>(sum(cumsum(a * share) * share)); });
    array<float> a = stored<float>({100'000}, 0.125);
    for (int i = 0; i < 4; ++i) {
        const std::int64_t before = counters().launches;
        array<float> total = step(a, 0.5f + static_cast<float>(i));
        CHECK(counters().launches - before == 2);
    }
}

#endif
