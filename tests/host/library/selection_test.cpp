// Selections of rows as the runtime runs them on CPUs, without arrays.
#include <doctest/doctest.h>

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/library/order/selection.hpp>
#include <sinter/sinter.hpp>
#include <vector>

using namespace sinter;

TEST_CASE("elements of given ranks are those of the sorted rows, on CPUs as well") {
    const float nan = static_cast<float>(codegen::ieee::quiet_nan);
    const std::vector<float> x{3, -1, nan, 2, -0.0f, 0, 5, 5, 4, 1};
    const std::vector<std::int64_t> ranks{0, 1, 4};
    std::vector<float> to(6);
    const codegen::selection_task t{.type = dtype::float32, .rows = 2, .length = 5, .count = 3};
    const auto prepared = runtime::prepare_order_statistics(t, device::cpu());
    std::vector<char> workspace(static_cast<std::size_t>(prepared.workspace));
    runtime::run_order_statistics(prepared, device::cpu(), x.data(), ranks.data(), to.data(), workspace.data());
    CHECK(to[0] == -1);
    CHECK(std::signbit(to[1]));
    CHECK(to[1] == 0);
    CHECK(std::isnan(to[2]));
    CHECK(std::vector<float>(to.begin() + 3, to.end()) == std::vector<float>{0, 1, 5});
}

TEST_CASE("a thread of a CPU has whole rows whose ranks are selected, and no more threads than two are idle for it") {
    CHECK(codegen::occupies(codegen::host_selection, 1, 2));
    CHECK_FALSE(codegen::occupies(codegen::host_selection, 1, 3));
    CHECK(codegen::occupies(codegen::host_selection, 8, 16));
    CHECK(codegen::selects_ranks(codegen::host_selection, dtype::float32, 257, 2));
    CHECK_FALSE(codegen::selects_ranks(codegen::host_selection, dtype::float32, 256, 2));
    CHECK_FALSE(codegen::selects_ranks(codegen::host_selection, dtype::int16, 5000, 2));
}

TEST_CASE("rounds of topk on CPUs find what the reference does") {
    const std::int64_t n = 300'001, k = 200;
    std::vector<std::uint32_t> x(n);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint32_t>(i * 2654435761u) >> 16;
    for (bool descending : {false, true}) {
        const codegen::selection_task t{dtype::uint32, descending, 1, n, k};
        std::vector<std::int64_t> to(k), want(k);
        const auto prepared = runtime::prepare_topk(t, device::cpu());
        std::vector<char> workspace(static_cast<std::size_t>(prepared.workspace));
        runtime::run_topk(prepared, device::cpu(), x.data(), to.data(), workspace.data());
        codegen::topk_reference(t, x.data(), want.data());
        CHECK(to == want);
    }
}
