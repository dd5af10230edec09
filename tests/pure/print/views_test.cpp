// Kernels over views: what their texts depend on, and what they do not.
#include <doctest/doctest.h>

#include <set>
#include <sinter/codegen/schedule/kernel_key.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <span>
#include <vector>

using namespace sinter;
using namespace sinter::codegen;

namespace {

node_id apply_to(graph& g, op o, std::initializer_list<node_id> args, const dims& shape) {
    return g.add_apply(o, std::span<const node_id>(args.begin(), args.size()), shape);
}

kernel kernel_of(graph& g, node_id root, const fusion_limits& limits = {}) {
    g.roots = {root};
    verify(g);
    plan p = fuse(g, {false, false}, limits);
    REQUIRE(p.kernels.size() == 1);
    return p.kernels[0];
}

/// x[first : first + count] * x[second : second + count] of a vector.
kernel product_of_parts(std::int64_t size, std::int64_t first, std::int64_t second, std::int64_t count,
                        const fusion_limits& limits = {}) {
    graph g;
    const dims s{count};
    const node_id x = g.add_input(0, dtype::float32, {size});
    const node_id a = g.add_view(x, sliced(contiguous({size}), 0, first, 1, count)),
                  b = g.add_view(x, sliced(contiguous({size}), 0, second, 1, count));
    return kernel_of(g, apply_to(g, op::multiply, {a, b}, s), limits);
}

/// minimum(d, d[:, k] + d[k, :]), a step of Floyd's and Warshall's shortest paths.
kernel shortest_paths(std::int64_t n, std::int64_t k) {
    graph g;
    const dims s{n, n};
    const node_id d = g.add_input(0, dtype::float32, s);
    const node_id to = g.add_view(d, broadcasted(sliced(contiguous(s), 1, k, 1, 1), s)),
                  from = g.add_view(d, broadcasted(sliced(contiguous(s), 0, k, 1, 1), s));
    return kernel_of(g, apply_to(g, op::minimum, {d, apply_to(g, op::add, {to, from}, s)}, s));
}

using offsets = std::vector<std::int64_t>;

/// The offsets of what a kernel reads, in the order of its pointers.
offsets offsets_read(const kernel& k) {
    offsets read;
    for (const operand& o : k.operands)
        if (!o.written) read.push_back(o.offset);
    return read;
}

}  // namespace

TEST_CASE("each part of an array has a pointer of its own, which points at its first element") {
    CHECK(offsets_read(product_of_parts(1000, 7, 30, 900)) == offsets{7, 30});
    CHECK(offsets_read(product_of_parts(1000, 30, 30, 900)) == offsets{30});
    graph g;
    const layout backwards = sliced(contiguous({6, 5}), 0, 5, -2, 3);
    const node_id x = g.add_input(0, dtype::int32, {6, 5});
    CHECK(offsets_read(kernel_of(g, apply_to(g, op::negative, {g.add_view(x, backwards)}, {3, 5}))) == offsets{25});
}

TEST_CASE("texts do not depend on where views begin") {
    const kernel first = product_of_parts(1000, 0, 5, 900),
                 on_cpu = product_of_parts(1000, 0, 5, 900, {.family = host_family});
    CHECK(emit_cuda(first).text.find("x0[i0];") != std::string::npos);
    CHECK(emit_cuda(first).text.find("first") == std::string::npos);
    CHECK(emit_host(on_cpu).text.find("first") == std::string::npos);
    for (std::int64_t at : {1, 2, 64, 95}) CHECK(key(product_of_parts(1000, at, 7, 900)) == key(first));
    // At k = 0 all three begin at the same element.
    for (std::int64_t n : {9, 300}) {
        std::set<std::string> keys, texts;
        for (std::int64_t k : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, n - 1}) {
            const kernel paths = shortest_paths(n, k);
            CHECK(offsets_read(paths) == offsets{0, k, k * n});
            keys.insert(key(paths));
            texts.insert(emit_cuda(paths).text);
        }
        CHECK(keys.size() == 1);
        CHECK(texts.size() == 1);
    }
}

TEST_CASE("neighbours are moved at once from where all views begin at a multiple of them") {
    const std::int64_t n = 1 << 16;
    const std::string fours = key(product_of_parts(2 * n, 0, 4, n)), ones = key(product_of_parts(2 * n, 0, 1, n));
    CHECK(product_of_parts(2 * n, 12, 1000, n).how.vector_width == 4);
    CHECK(product_of_parts(2 * n, 12, 1002, n).how.vector_width == 2);
    CHECK(product_of_parts(2 * n, 12, 1001, n).how.vector_width == 1);
    CHECK(key(product_of_parts(2 * n, 12, 1000, n)) == fours);
    CHECK(key(product_of_parts(2 * n, 4, 12, n)) == fours);
    CHECK(key(product_of_parts(2 * n, 7, 12, n)) == ones);
    CHECK(key(product_of_parts(2 * n, 3, 1, n)) == ones);
}

TEST_CASE("element numbers have 64 bits where a view reaches that far from its first element, wherever that is") {
    const std::int64_t size = std::int64_t{1} << 33, far = std::int64_t{5} << 30;
    CHECK(!product_of_parts(size, far, far + 1, 1000).how.wide);
    CHECK(!product_of_parts(size, far, 0, 1000).how.wide);
    CHECK(product_of_parts(size, 0, 1, far).how.wide);
    for (std::int64_t step : {-(far / 2), far / 2}) {
        graph g;
        const node_id x = g.add_input(0, dtype::float32, {size});
        const layout apart = sliced(contiguous({size}), 0, step < 0 ? size - 1 : 0, step, 3);
        CHECK(kernel_of(g, apply_to(g, op::negative, {g.add_view(x, apart)}, {3})).how.wide);
    }
    // What is the value itself keeps its first one.
    graph g;
    const node_id numbers = g.add_view(g.add_index({size}), sliced(contiguous({size}), 0, far, 1, 3));
    const kernel k = kernel_of(g, apply_to(g, op::negative, {numbers}, {3}));
    CHECK(k.how.wide);
    CHECK(integers(k)[static_cast<std::size_t>(k.space.size())] == far);
}

TEST_CASE("an array and its own transpose are another text than an array and another's") {
    const std::int64_t n = 300;
    const dims s{n, n};
    std::set<std::string> keys, texts;
    for (std::uint32_t other : {0u, 1u}) {
        graph g;
        const node_id x = g.add_input(0, dtype::float32, s), y = other ? g.add_input(1, dtype::float32, s) : x;
        const kernel k = kernel_of(g, apply_to(g, op::add, {x, g.add_view(y, transposed(contiguous(s), {1, 0}))}, s));
        REQUIRE(k.how.tile > 0);
        keys.insert(key(k));
        texts.insert(emit_cuda(k).text);
        CHECK((emit_cuda(k).text.find("shell") == std::string::npos) == (other == 1));
    }
    CHECK(keys.size() == 2);
    CHECK(texts.size() == 2);
}
