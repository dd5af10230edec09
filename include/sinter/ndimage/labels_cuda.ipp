// Bodies of labels_cuda.hpp.
#pragma once

#include <sinter/array/constants.hpp>
#include <sinter/array/reading.hpp>
#include <sinter/functions/creation.hpp>
#include <sinter/ndimage/labels_cuda.hpp>
#include <sinter/ndimage/neighbourhood.hpp>
#include <sinter/user/raw_kernel.hpp>

namespace sinter::inline SINTER_ABI::ndimage::detail {

// A tree's root is its least element. Threads attach a root to a smaller one where it still is a root; else they go on
// from what it has been attached to.
inline constexpr const char* label_text = R"cuda(
constexpr int run = 32;  // elements within which runs are found at once

template <class I> __device__ I root_of(const volatile I* parent, I i) {
    for (I next = parent[i]; next != i; next = parent[i]) i = next;
    return i;
}

template <class I> __device__ void join(I* parent, I a, I b) {
    while (true) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) return;
        const I high = a < b ? b : a, low = a < b ? a : b, was = atomicMin(&parent[high], low);
        if (was == high) return;
        a = was;
        b = low;
    }
}

template <class I> __device__ I element() { return (I)((long long)blockIdx.x * blockDim.x + threadIdx.x); }

template <class I> __global__ void begin_trees(const bool* inside, I* parent, I count, I width, bool joins) {
    const I i = element<I>();
    if (i >= count) return;
    const I row = i / width * width, least = i - i % run > row ? i - i % run : row;
    I first = i;
    while (joins && inside[i] && first > least && inside[first - 1]) --first;
    parent[i] = inside[i] ? first : I(-1);
}

template <class I>
__global__ void join_trees(const bool* inside, I* parent, I count, const I* shape, const I* steps, int rank,
                           int neighbours, bool joins) {
    const I i = element<I>();
    if (i >= count || !inside[i]) return;
    const I width = shape[rank - 1];
    const bool follows = joins && i % width > 0 && inside[i - 1];
    for (int n = 0; n < neighbours; ++n) {
        const I* step = steps + n * rank;
        I rest = i, stride = 1, other = i;
        bool exists = true;
        for (int axis = rank - 1; axis >= 0; --axis) {
            const I there = rest % shape[axis] + step[axis];
            exists = exists && there >= 0 && there < shape[axis];
            other += step[axis] * stride;
            stride *= shape[axis];
            rest /= shape[axis];
        }
        if (!exists || !inside[other]) continue;
        // What its run or the element before it joins.
        if (other == i - 1 && step[rank - 1] < 0 && i % run > 0) continue;
        if (step[rank - 1] == 0 && follows && inside[other - 1]) continue;
        join(parent, i, other);
    }
}

template <class I> __global__ void find_roots(I* parent, I count) {
    const I i = element<I>();
    if (i < count && parent[i] >= 0) parent[i] = root_of(parent, i);
}
)cuda";

// The neighbours before the middle, a step along each axis.
template <class I>
std::vector<I> steps_before_middle(const std::vector<bool>& connected, int rank) {
    std::vector<I> steps;
    for (std::size_t place = 0; place < connected.size() / 2; ++place) {
        if (!connected[place]) continue;
        std::vector<I> step(static_cast<std::size_t>(rank));
        std::size_t rest = place;
        for (int axis = rank - 1; axis >= 0; --axis, rest /= 3)
            step[static_cast<std::size_t>(axis)] = static_cast<I>(rest % 3) - 1;
        steps.insert(steps.end(), step.begin(), step.end());
    }
    return steps;
}

template <class I>
array<I> join_objects(const array<bool>& is_object, const std::vector<bool>& connected, const std::string& type) {
    constexpr unsigned threads = 256;
    const int rank = is_object.ndim();
    const std::int64_t count = is_object.size();
    const std::vector<I> steps = steps_before_middle<I>(connected, rank);
    const std::vector<I> extents(is_object.shape().begin(), is_object.shape().end());
    const bool joins = connected[connected.size() / 2 - 1];
    const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
    array<I> parent = zeros<I>({count});
    raw_kernel(label_text, "begin_trees<" + type + ">")({blocks}, {threads}, is_object, out(parent),
                                                        static_cast<I>(count), extents.back(), joins);
    if (!steps.empty()) {
        const dims sizes(static_cast<std::int64_t>(steps.size()));
        const array<I> shape(store(dtype_of<I>, dims(rank), extents.data())),
            along(store(dtype_of<I>, sizes, steps.data()));
        raw_kernel(label_text, "join_trees<" + type + ">")({blocks}, {threads}, is_object, inout(parent),
                                                           static_cast<I>(count), shape, along, rank,
                                                           static_cast<int>(sizes[0]) / rank, joins);
    }
    raw_kernel(label_text, "find_roots<" + type + ">")({blocks}, {threads}, inout(parent), static_cast<I>(count));
    return parent;
}

SINTER_INLINE array<std::int32_t> first_of_objects(const array<bool>& is_object, const std::vector<bool>& connected,
                                                   std::int32_t) {
    return join_objects<std::int32_t>(is_object, connected, "int");
}
SINTER_INLINE array<std::int64_t> first_of_objects(const array<bool>& is_object, const std::vector<bool>& connected,
                                                   std::int64_t) {
    return join_objects<std::int64_t>(is_object, connected, "long long");
}

}  // namespace sinter::inline SINTER_ABI::ndimage::detail
