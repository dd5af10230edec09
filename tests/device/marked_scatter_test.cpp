// Marks of 64 bits, which only more values than a test can hold would need.
#include <doctest/doctest.h>

#include <sinter/codegen/scatter.hpp>
#include <sinter/runtime/copy.hpp>
#include <sinter/runtime/cuda_module.hpp>
#include <sinter/runtime/index_errors.hpp>
#include <sinter/runtime/kernel_cache.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

TEST_CASE("marks of 32 and of 64 bits take the same values") {
    if (device_count() == 0) return;
    device_scope on(device::cuda(0));
    const device where = device::cuda(0);
    std::int64_t count = 1009, size = 611, groups = (size + codegen::marks_at_once - 1) / codegen::marks_at_once;
    std::vector<std::int64_t> at;
    std::vector<float> numbers, want(611, -1);
    for (std::int64_t i = 0; i < count; ++i) {
        at.push_back(i * i % 607);
        numbers.push_back(static_cast<float>(i));
        want[static_cast<std::size_t>(at.back())] = numbers.back();
    }
    array<std::int64_t> positions = asarray(at);
    array<float> values = asarray(numbers);
    for (int bytes : {4, 8}) {
        array<float> to = full<float>({size}, -1.0f);
        array<std::int64_t> marks = zeros<std::int64_t>({groups * codegen::marks_at_once});
        runtime::error_words words(where, 1);
        void *v = values.data(), *p = positions.data(), *x = to.data(), *m = marks.data(), *error = words.address();
        const runtime::cuda_module& text = runtime::find_text(codegen::marked_scatter_cuda(dtype::float32, bytes), where).cuda;
        void* mark[] = {&p, &m, &count, &size, &error};
        runtime::launch_cuda(where, text.kernel("mark"), {4}, {256}, 0, mark);
        void* take[] = {&v, &m, &x, &groups};
        runtime::launch_cuda(where, text.kernel("take"), {1}, {256}, 0, take);
        CHECK(to_vector(to) == want);
    }
}
