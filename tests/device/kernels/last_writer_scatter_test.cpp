// Marks of 64 bits, which only more values than a test can hold would need.
#include <doctest/doctest.h>

#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/device/cuda_module.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

namespace {

void check_marks(int bytes, std::int64_t passes, bool near) {
    CAPTURE(bytes);
    CAPTURE(passes);
    CAPTURE(near);
    const device where = device::cuda(0);
    std::int64_t count = 50021, size = 40009,
                 groups = (size + codegen::last_writers_at_once - 1) / codegen::last_writers_at_once;
    std::int64_t places = (size + passes - 1) / passes;
    int each = 4;
    std::vector<std::int64_t> at;
    std::vector<float> numbers, want(40009, -1);
    for (std::int64_t i = 0; i < count; ++i) {
        at.push_back(near ? i * 3 / 4 : i * 7919 % 39989);
        numbers.push_back(static_cast<float>(i));
        want[static_cast<std::size_t>(at.back())] = numbers.back();
    }
    array<std::int64_t> positions = asarray(at);
    array<float> values = asarray(numbers), to = full<float>({size}, -1.0f);
    array<std::int64_t> last_writers = zeros<std::int64_t>({groups * codegen::last_writers_at_once});
    runtime::error_words words(where, 1);
    void *v = values.data(), *p = positions.data(), *x = to.data(), *m = last_writers.data(), *error = words.address();
    const runtime::written_text& text =
        runtime::find_text(codegen::last_writer_scatter_cuda(dtype::float32, bytes), where);
    void* find_last[] = {&p, &m, &count, &size, &places, &each, &error};
    runtime::launch_cuda(where, text.kernel("find_last"), {49, static_cast<std::uint32_t>(passes)}, {256}, 0,
                         find_last);
    void* take[] = {&v, &m, &x, &groups};
    runtime::launch_cuda(where, text.kernel("take"), {static_cast<std::uint32_t>((groups + 255) / 256)}, {256}, 0,
                         take);
    CHECK(to_vector(to) == want);
}

}  // namespace

TEST_CASE("marks of 32 and of 64 bits take the same values, whether they are made at once or in turns") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    for (int bytes : {4, 8})
        for (std::int64_t passes : {1, 3, 7})
            for (bool near : {false, true}) check_marks(bytes, passes, near);
}

TEST_CASE(
    "marks are made in as many turns as a cache holds parts of them, or at once where positions would be read too "
    "often") {
    const std::int64_t cache = 50 << 20;
    CHECK(codegen::passes_of_last_writers(1000, 1000, cache) == 1);
    CHECK(codegen::passes_of_last_writers(1 << 25, 1 << 25, cache) == 6);
    CHECK(codegen::passes_of_last_writers(1 << 25, 1 << 28, cache) == 1);
    CHECK(codegen::passes_of_last_writers(1 << 25, 1 << 25, 0) == 1);
}
